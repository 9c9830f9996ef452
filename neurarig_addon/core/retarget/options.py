"""What an animator chooses about a retargeted clip, and what each limb follows by it.

A limb follows the directions of the source's bones, or the place of its end. Directions keep the gesture as a
viewer sees it; they need
no proportions and are exact. Places are what props, floors and the other hand need. Feet on the ground are
planted afterwards,
whatever their legs follow.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..character.character import Character
from ..character.motion import Motion
from ..ikrig.encoding import ARMS, LEGS, LIMBS, Contacts
from ..skeleton.roles import SIDES, sided
from .spans import flags_of, smoothed

ROOT_SMOOTHING_S = 0.25  # a walk's bob and sway stay with the pelvis, its turns go to the root


class Root(Enum):
    """What carries the travel of a clip.

    `PELVIS`: the pelvis, as in raw motion capture.  `BONE`: the root bone.  `OBJECT`: the armature object.
    `IN_PLACE`: nothing; the clip walks on the spot (travel and turns are left out).
    """

    PELVIS = "PELVIS"
    BONE = "BONE"
    OBJECT = "OBJECT"
    IN_PLACE = "IN_PLACE"


class Follow(Enum):
    """What limbs follow where nothing holds them; feet that stand are planted in any case.

    `DIRECTIONS`: their bones point where the source's do. `PLACES`: hands and feet go where the source's are,
    in the limb's own length.
    `AUTO`: directions, and places for a hand that stands somewhere, is at the other hand or near the floor.
    """

    AUTO = "AUTO"
    DIRECTIONS = "DIRECTIONS"
    PLACES = "PLACES"


@dataclass(frozen=True)
class RetargetOptions:
    """Choices for `retarget`; the defaults keep what the source does, in the target's size.

    `stride`: factor on the way, which is longer by the ratio of leg lengths: longer or shorter steps.
    `contacts`: feet that stand on the source stay put on the target.  `hands`: so do hands.
    `follow`: what limbs follow where nothing holds them.
    `arm_spacing_rad`: the arms are held this much farther from the body.
    `root`: what carries the travel. `root_smoothing_s`: width of the Gaussian that makes the root's path of
    the pelvis'; 0: exact.
    """

    stride: float = 1.0
    contacts: bool = True
    hands: bool = True
    follow: Follow = Follow.AUTO
    arm_spacing_rad: float = 0.0
    root: Root = Root.PELVIS
    root_smoothing_s: float = ROOT_SMOOTHING_S


_TOUCHES, _APART = 0.2, 0.35  # leg lengths between the wrists: hands together, and hands apart
_LEANS, _FREE = 0.1, 0.25  # leg lengths of a wrist above the floor: leaning on it, and clear of it
_TURNS_OVER_S = 0.25  # half the time in which an arm blends from one to the other


def directed(
    follow: Follow, character: Character, motions: Mapping[str, Motion], contacts: Contacts, fps: float
) -> dict[str, np.ndarray]:
    """Return limb -> weight `(f,)`: 1 follows the source's directions, 0 the place of its end.

    `motions`: the clip on the character with all limbs by places, relative to its floor.
    """
    frames = len(motions["pelvis"].position)
    if follow is Follow.PLACES:
        return {}
    free = {name: np.ones(frames) for name in LIMBS}
    if follow is Follow.DIRECTIONS:
        return free
    near = {
        name: _nearness(character, motions, contacts, side) for name, side in zip(ARMS, SIDES, strict=True)
    }
    return {name: free[name] for name in LEGS} | {
        name: smoothed(1.0 - near[name], _TURNS_OVER_S, fps) for name in ARMS
    }


def _nearness(
    character: Character, motions: Mapping[str, Motion], contacts: Contacts, side: str
) -> np.ndarray:
    """Return how much `(f,)` a hand is tied to a place: in contact, at the other hand, or at the floor."""
    frames, leg = len(motions["pelvis"].position), character.body.leg_length
    intervals = contacts.of(sided("hand", side))
    near = flags_of(intervals, frames).astype(float)
    wrists = [
        motions[role].position for role in (sided("hand", letter) for letter in SIDES) if role in motions
    ]
    own = motions.get(sided("hand", side))
    if own is None:
        return near
    if len(wrists) == len(SIDES):
        near = np.maximum(
            near, _between(np.linalg.norm(wrists[0] - wrists[1], axis=-1) / leg, _TOUCHES, _APART)
        )
    return np.maximum(near, _between(own.position[:, 2] / leg, _LEANS, _FREE))


def _between(distance: np.ndarray, touches: float, apart: float) -> np.ndarray:
    """Return 1 for touching distances, 0 for distances apart."""
    return np.clip((apart - distance) / (apart - touches), 0.0, 1.0)
