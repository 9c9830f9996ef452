"""What a limb follows: the directions of the source's bones, or the place of its end.

Directions keep the gesture as a viewer sees it; they need no proportions and are exact.  Places are what props, floors and the other
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

TOUCHES, APART = 0.2, 0.35  # leg lengths between the wrists: hands together, and hands apart
LEANS, FREE = 0.1, 0.25  # leg lengths of a wrist above the floor: leaning on it, and clear of it
TURNS_OVER_S = 0.25  # half the time in which an arm blends from one to the other


def directed(follow: Follow, character: Character, motions: Mapping[str, Motion], contacts: Contacts, fps: float) -> dict[str, np.ndarray]:
    """Return limb -> weight `(f,)`: 1 follows the source's directions, 0 the place of its end.

    `motions`: the clip on the character with all limbs by places, relative to its floor.
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
    """Return how much `(f,)` a hand is tied to a place: in contact, at the other hand, or at the floor."""
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
    """Return 1 for touching distances, 0 for distances apart."""
    return np.clip((apart - distance) / (apart - touches), 0.0, 1.0)
