"""A character's fingers: the bones that an animator turns to pose them, and which hands its holder poses.

The fingers' own bones are turned, or the rig's controls in the same places. Hands that a holder poses are
noted in the attachment
(`fingers`), with their pose from before, which is restored with everything else.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from bpy.types import Bone, Object, PoseBone

from ...core.character.character import Character
from ...core.hands.digits import hand_digits, is_certain
from ...core.hands.hand_pose import FingerBone, Hand
from ...core.skeleton.roles import SIDES
from ..animation import compat
from ..animation.keyframes import bone_path
from . import ledger, record
from .controls import snapshot

HAND_POSES = (
    ("RELAXED", "Relaxed", "Fingers half curled, as they hang in a walk"),
    ("FIST", "Fist", "Fingers and thumb closed"),
    ("FLAT", "Flat", "Fingers and thumb straight"),
    ("POINT", "Point", "Index finger straight, the others closed"),
)
AUTO, POSED = "AUTO", "POSED"  # choices of a hand's pose; the others are hand poses
SETTINGS = {"L": "left_hand_pose", "R": "right_hand_pose"}  # properties of a holder that poses hands
_SAME_PLACE, _SAME_LENGTH, _SAME_WAY = 0.05, 0.15, 0.99  # of a bone's length; cosine
_AT_REST = 1e-4  # sine of the largest turn that counts as none


def read_hand(obj: Object, character: Character, side: str) -> Hand:
    """Return a hand with the bones that pose its fingers; none for phalanges that nothing can pose."""
    digits = hand_digits(character, side)
    heads = np.empty(3 * len(obj.data.bones), dtype=np.float32)
    obj.data.bones.foreach_get("head_local", heads)
    found = {
        row: _posed_bone(obj, character.skeleton.names[row], heads.reshape(-1, 3))
        for digit in digits
        for row in digit.bones
    }
    return Hand(
        digits,
        {
            row: FingerBone(
                bone.name, bone.rotation_mode, np.array(bone.bone.matrix_local, dtype=float)[:3, :3]
            )
            for row, bone in found.items()
            if bone
        },
    )


def _posed_bone(obj: Object, name: str, heads: np.ndarray) -> PoseBone | None:
    """Return the bone that an animator turns to turn a finger's bone: itself, unless constraints move it;
    None if there is none.

    `heads` `(bones, 3)`: where all bones start at rest.
    """
    bone = obj.pose.bones[name]
    if _is_free(bone):
        return bone
    near = np.linalg.norm(heads - np.array(bone.bone.head_local), axis=1) < _SAME_PLACE * bone.bone.length
    others = [obj.pose.bones[obj.data.bones[at].name] for at in np.flatnonzero(near).tolist()]
    twins = [
        other for other in others if other != bone and _is_free(other) and _lies_as(other.bone, bone.bone)
    ]
    return max(
        twins, key=lambda other: (other.custom_shape is not None, not other.bone.use_deform), default=None
    )


def held(obj: Object) -> Mapping[str, Mapping[str, Any]]:
    """Return the hands that the holder of a character poses: side -> bone -> its pose from before."""
    return record.attachment(obj).get("fingers", {})


def taken(obj: Object, character: Character, settings: Any) -> dict[str, dict[str, Any]]:
    """Return the hands that a holder with these settings poses, as in the attachment."""
    found = {}
    for side in SIDES:
        choice = getattr(settings, SETTINGS[side], POSED)
        if choice != POSED:
            hand = read_hand(obj, character, side)
            if hand.bones and (choice != AUTO or _may_be_relaxed(obj, hand)):
                found[side] = snapshot.take_pose(obj, [bone.name for bone in hand.bones.values()])
    return found


def follow(obj: Object, character: Character, settings: Any) -> None:
    """Take and restore the hands of an attached character as its holder's settings now ask."""
    before = held(obj)
    stay = {
        side: pose
        for side, pose in before.items()
        if getattr(settings, SETTINGS[side], POSED) not in (AUTO, POSED)
    }
    for side in before.keys() - stay.keys():
        snapshot.restore_pose(obj, dict(before[side]))
    _note(obj, taken(obj, character, settings) | stay)


def leave(obj: Object, sides: str) -> None:
    """Leave hands to the user as they are posed now."""
    left = [side for side in held(obj) if side in sides]
    if left:
        _note(obj, {side: pose for side, pose in held(obj).items() if side not in left})
        for side in left:
            setattr(record.settings_of(obj, record.holder_of(obj)), SETTINGS[side], POSED)


def _note(obj: Object, fingers: Mapping[str, Any]) -> None:
    obj.neurarig.attachment = json.dumps({**record.checked(obj), "fingers": fingers})
    record.changes.tell(obj)


def _may_be_relaxed(obj: Object, hand: Hand) -> bool:
    """Return whether a hand was certainly found, all of its bones can be posed, and none of them is posed or
    animated by the user."""
    rows = [row for digit in hand.digits for row in digit.bones]
    if not is_certain(hand.digits) or any(row not in hand.bones for row in rows):
        return False
    bones = [obj.pose.bones[bone.name] for bone in hand.bones.values()]
    prefixes = tuple(bone_path(bone.name, "") for bone in bones)
    turned = any(
        np.abs(np.array(bone.matrix_basis.to_3x3().normalized()) - np.eye(3)).max() > _AT_REST
        for bone in bones
    )
    return (
        not turned
        and all(bone.bone.use_inherit_rotation for bone in bones)
        and not _is_animated(obj, prefixes)
    )


def _is_animated(obj: Object, prefixes: tuple[str, ...]) -> bool:
    """Return whether keys of the user's, playing or set aside, or drivers move properties whose paths start
    like this."""
    if any(driver.data_path.startswith(prefixes) for driver in compat.drivers(obj)):
        return True
    actions = [each for each in ledger.all_actions(obj) if not ledger.is_bake(each[0])]
    return any(
        curve.data_path.startswith(prefixes)
        for action, slot in actions
        for curve in compat.find_channels(action, slot)
    )


def _is_free(bone: PoseBone) -> bool:
    """Return whether a bone can be turned by hand and stays as it is turned."""
    locked = all(bone.lock_rotation) or bone.bone.hide_select
    return not locked and not any(
        not constraint.mute and constraint.influence > 0.0 for constraint in bone.constraints
    )


def _lies_as(one: Bone, other: Bone) -> bool:
    """Return whether two bones that start in the same place end there too."""
    along = one.matrix_local.col[1].xyz.dot(other.matrix_local.col[1].xyz)
    return along > _SAME_WAY and abs(one.length - other.length) < _SAME_LENGTH * other.length
