"""Hand poses for scripts; `blender.api` re-exports `pose_hands`.

api.pose_hands(hero, "FIST")                       # both hands
api.pose_hands(hero, "POINT", sides="R", key=True)
api.pose_hands(hero, curl=0.4, thumb=0.2, spread=0.5)
"""

from dataclasses import replace

import numpy as np
from bpy.types import Object

from ...core.errors import NeuraRigError
from ...core.hands.hand_pose import POSES
from ...core.posing.channels import in_mode, rotation_path
from ...core.skeleton.roles import SIDES, sided
from ..character import fingers
from ..character.read_character import read_character
from ..character.requirements import require_editable


def pose_hands(
    obj: Object, pose: str = "RELAXED", sides: str = "LR", key: bool = False, **sliders: float
) -> list[str]:
    """Pose a character's fingers on `sides`, and return the names of the bones that were turned.

    `pose`: RELAXED, FIST, FLAT or POINT; `sliders`: `curl`, `thumb`, `point`, `spread` in place of that
    pose's (see `HandPose`).
    `key`: also keys these bones on the current frame. A walk that poses a hand leaves it to this pose: *As
    Posed* in its Hands panel.
    Raises NeuraRigError, with nothing changed, if a hand has no fingers that can be posed.
    """
    require_editable(obj)
    if pose not in POSES:
        raise NeuraRigError(f"'{pose}' is not a hand pose. Choose one of {', '.join(POSES)}.")
    if unknown := sorted(sliders.keys() - vars(POSES[pose]).keys()):
        raise NeuraRigError(
            f"'{unknown[0]}' is not a slider of hands. Choose from {', '.join(vars(POSES[pose]))}."
        )
    held = replace(POSES[pose], **sliders)
    character = read_character(obj)
    turned: dict[str, np.ndarray] = {}
    for side in [side for side in SIDES if side in sides]:
        hand = fingers.read_hand(obj, character, side)
        if not hand.bones:
            raise NeuraRigError(
                _why_not(obj, character.roles.get(sided("hand", side)), side, bool(hand.digits))
            )
        turned |= hand.basis(held)
    fingers.leave(obj, sides)
    for name, turn in turned.items():
        bone = obj.pose.bones[name]
        path = rotation_path(bone.rotation_mode)
        bone.path_resolve(path, False).foreach_set(in_mode(turn, bone.rotation_mode).tolist())
        if key:
            bone.keyframe_insert(path, group=name)
    obj.update_tag()
    return list(turned)


def _why_not(obj: Object, hand: str | None, side: str, has_digits: bool) -> str:
    """Return why a hand cannot be posed, and the remedy."""
    word = {"L": "left", "R": "right"}[side]
    if hand is None:
        return f"'{obj.name}' has no {word} hand. Choose its bone in the list of bones."
    if not has_digits:
        return (
            f"'{obj.name}' has no finger bones below '{hand}'. Pose the other hand, or add fingers of at"
            " least two bones."
        )
    return (
        f"Constraints move the fingers below '{hand}' of '{obj.name}', and no control lies where they are."
        " Pose their controls by hand."
    )
