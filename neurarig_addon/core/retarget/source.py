"""A recorded clip as input of retargeting: encoded, with its contacts."""

from dataclasses import replace

from ..character.character import Character
from ..ikrig.encode import encode_motions
from ..ikrig.encoding import Encoding
from ..skeleton.clip import Clip
from .belt import belt_velocity, off_the_belt
from .contacts import find_contacts


def encode_clip(character: Character, clip: Clip) -> Encoding:
    """Return a clip of the character's skeleton encoded with its contacts.

    A clip that walks in place gets its travel back, as only then its feet stand still.  `Root.IN_PLACE` removes it again.
    """
    motions = character.motions(clip)
    velocity = belt_velocity(character.body, motions, clip.fps)
    if velocity.any():
        motions = off_the_belt(motions, velocity, clip.fps)
    encoding = encode_motions(character, motions, clip.frames, clip.fps, clip.name)
    return replace(encoding, contacts=find_contacts(character, motions, clip.fps))
