"""What an animator chooses about a retargeted clip."""

from dataclasses import dataclass
from enum import Enum

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

    `DIRECTIONS`: their bones point where the source's do.  `PLACES`: hands and feet go where the source's are, in the limb's own length.
    `AUTO`: directions, and places for a hand that stands somewhere, is at the other hand or near the floor.
    """

    AUTO = "AUTO"
    DIRECTIONS = "DIRECTIONS"
    PLACES = "PLACES"


@dataclass(frozen=True)
class RetargetOptions:
    """Choices for `retarget`; the defaults keep what the source does, in the target's size.

    `path_scale`: metres the target travels for each metre of the source; None: the ratio of leg lengths.
    `stride`: factor on that: longer or shorter steps.
    `contacts`: feet that stand on the source stay put on the target.  `hands`: so do hands.
    `follow`: what limbs follow where nothing holds them.
    `arm_spacing_rad`: the arms are held this much farther from the body.
    `root`: what carries the travel.  `root_smoothing_s`: width of the Gaussian that makes the root's path of the pelvis'; 0: exact.
    """

    path_scale: float | None = None
    stride: float = 1.0
    contacts: bool = True
    hands: bool = True
    follow: Follow = Follow.AUTO
    arm_spacing_rad: float = 0.0
    root: Root = Root.PELVIS
    root_smoothing_s: float = ROOT_SMOOTHING_S
