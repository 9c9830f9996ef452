"""Which bones with keys carry which, and which of them hold a planted foot."""

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.keys.carrying import Carrying, Joint
from ...core.keys.deviation import Prediction, Seen
from ...core.posing.channels import LOCATION, rotation_path
from ...core.skeleton.roles import SIDES, sided
from ..animation.curve_pose import split_path
from ..animation.keyframes import Channel
from .trial import KeyTrial

REACHES = (0.16, 0.6, 1.0)  # share of the bound that tips of shin, thigh and the rest may stray while the foot is planted
SAME_PLACE = 0.01  # leg lengths


def read_carrying(
    obj: bpy.types.Object,
    character: Character,
    channels: Sequence[Channel],
    seen: tuple[Sequence[str], Seen],
    planted: np.ndarray,
    bound: tuple[float, float],
) -> Carrying:
    """Return the bones of an armature that have channels, carriers first.

    `seen`: names of bones, and how they are seen with dense keys; `planted` `(f, 2, 3)`; `bound` of deviation: metres and radians.
    """
    names, dense = seen
    rows = {name: row for row, name in enumerate(names)}
    numbers = {split_path(channel.path): number for number, channel in enumerate(channels)}
    driven = {bone for bone, _ in numbers if bone in rows}
    order = sorted(driven, key=lambda name: (len(obj.pose.bones[name].parent_recursive), rows[name]))
    unit = float(np.linalg.norm(character.skeleton.to_world[:3, 0]))
    joints = []
    for name in order:
        bone, row = obj.pose.bones[name], rows[name]
        arm = dense.tails[:, row] - dense.heads[:, row]
        joints.append(
            Joint(
                heads=dense.heads[:, row],
                turns=dense.turns[:, row],
                length=float(np.linalg.norm(arm, axis=-1).mean()),
                carrier=next((order.index(above.name) for above in bone.parent_recursive if above.name in driven), -1),
                place=numbers.get((name, LOCATION), -1),
                turn=numbers.get((name, rotation_path(bone.rotation_mode)), -1),
                mode=bone.rotation_mode,
                unit=unit,
                reach=np.full(len(arm), bound[0]),
            )
        )
    joints = _planted(joints, character, seen, planted, bound[0])
    return Carrying(joints, [channel.values for channel in channels], *bound)


def read_prediction(
    obj: bpy.types.Object, carrying: Carrying, trial: KeyTrial, dense: Seen, channels: Sequence[Channel]
) -> Prediction | None:
    """Return how a character will be seen with other keys, None if it has to be evaluated: not all that is keyed turns or moves joints,
    or not all that is seen follows them rigidly."""
    moving = {number for number, channel in enumerate(channels) if len(channel.values) > 1}
    if not moving <= {number for joint in carrying.joints for number in (joint.place, joint.turn)}:
        return None
    numbers = {split_path(channels[max(joint.place, joint.turn)].path)[0]: number for number, joint in enumerate(carrying.joints)}

    def carrier(name: str) -> int:
        bone = obj.pose.bones[name]
        return next((numbers[above.name] for above in (bone, *bone.parent_recursive) if above.name in numbers), -1)

    bones = np.array([carrier(name) for name in trial.bones])
    feet = np.array([[carrier(name) for name in names] for names in trial.foot_bones])
    found = Prediction(carrying, dense, bones, feet)
    return found if found.holds() else None


def _planted(
    joints: list[Joint], character: Character, seen: tuple[Sequence[str], Seen], planted: np.ndarray, metres: float
) -> list[Joint]:
    """Return joints with what holds the planted feet `(f, 2, 3)`: each foot's shin, whose tip follows its head, and what carries that."""
    names, dense = seen
    for side, letter in enumerate(SIDES):
        foot = character.roles.get(sided("foot", letter))
        if foot not in names:
            continue
        ankle, stands = dense.heads[:, names.index(foot)], planted[:, side].any(axis=-1)
        near = SAME_PLACE * character.body.leg_length
        number = next((n for n, joint in enumerate(joints) if np.abs(joint.heads + joint.arm - ankle).max() < near), -1)
        up = 0
        while number >= 0:
            joint, share = joints[number], REACHES[min(up, len(REACHES) - 1)]
            joints[number] = replace(joint, reach=np.where(stands, share * metres, joint.reach), above_foot=up)
            number, up = joint.carrier, up + 1
    return joints
