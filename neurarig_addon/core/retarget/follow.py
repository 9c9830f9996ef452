"""What a limb follows: the directions of the source's bones, or the place where its end is.

Directions are what a viewer calls the same gesture; they need no proportions and are exact.  Places are what props, floors and the other
hand need.  Feet on the ground are planted afterwards, whatever their legs follow.
"""

from collections.abc import Mapping

import numpy as np

from ..character.character import Character
from ..character.motion import Motion
from ..ikrig.encoding import ARMS, LEGS, LIMBS, Contacts
from ..skeleton.roles import SIDES, sided
from .options import Follow
from .smoothing import smoothed
from .spans import flags_of

TOUCHES, APART = 0.2, 0.35  # leg lengths between the wrists: hands that hold each other, and hands that do not
LEANS, FREE = 0.1, 0.25  # leg lengths of a wrist above the floor: a hand that leans on it, and one that does not
TURNS_OVER_S = 0.25  # half the time in which an arm goes from following the one to the other


def directed(follow: Follow, character: Character, motions: Mapping[str, Motion], contacts: Contacts, fps: float) -> dict[str, np.ndarray]:
    """Return limb -> how far `(f,)` its bones follow the source's directions, 1, or the place of its end, 0.

    `motions`: the clip on the character with all limbs by places, over its floor.
    """
    frames = len(motions["pelvis"].position)
    if follow is Follow.PLACES:
        return {}
    free = {name: np.ones(frames) for name in LIMBS}
    if follow is Follow.DIRECTIONS:
        return free
    near = {name: _nearness(character, motions, contacts, side) for name, side in zip(ARMS, SIDES, strict=True)}
    return {name: free[name] for name in LEGS} | {name: smoothed(1.0 - near[name], TURNS_OVER_S, fps) for name in ARMS}


def _nearness(character: Character, motions: Mapping[str, Motion], contacts: Contacts, side: str) -> np.ndarray:
    """Return how much `(f,)` a hand has to do with a place: it stands in one, is at the other hand, or at the floor."""
    frames, leg = len(motions["pelvis"].position), character.body.leg_length
    intervals = contacts.intervals.get(sided("hand", side), np.zeros((0, 2), dtype=int))
    near = flags_of(intervals, frames).astype(float)
    wrists = [motions[role].position for role in (sided("hand", letter) for letter in SIDES) if role in motions]
    own = motions.get(sided("hand", side))
    if own is None:
        return near
    if len(wrists) == len(SIDES):
        near = np.maximum(near, _between(np.linalg.norm(wrists[0] - wrists[1], axis=-1) / leg, TOUCHES, APART))
    return np.maximum(near, _between(own.position[:, 2] / leg, LEANS, FREE))


def _between(distance: np.ndarray, touches: float, apart: float) -> np.ndarray:
    """Return 1 for a distance that touches, 0 for one that is apart."""
    return np.clip((apart - distance) / (apart - touches), 0.0, 1.0)
