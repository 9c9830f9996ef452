"""A bake's channels on the controls, and what else an action needs to play right by itself."""

from dataclasses import replace

import bpy
import numpy as np

from ....core.character.motion import RolePose
from ....core.gait.feet.foot_roll import on_pivots, under_heel_controls
from ....core.posing.channels import EULER_PATH
from ....core.posing.posing import solve
from ....core.skeleton.roles import SIDES, sided
from ...animation.curve_pose import split_path
from ...animation.keyframes import Channel, bone_channels, bone_path
from ...character import controls, record
from ..hands import held
from ..walk import WalkSource

# Rest values of channels that are keyed even at rest: a live walk, or another action, may have left them elsewhere.
KEYED = np.full(3, np.inf)
TURNED = np.array([np.inf, 0.0, 0.0])  # about the foot's left axis
BANKED = np.array([np.inf, np.inf, 0.0])
PIVOT_RESTS = {"heel": TURNED, "tip": TURNED, "roll": BANKED}


def stands_by_pivots(obj: bpy.types.Object) -> bool:
    """Return whether the controls of a character's feet stay exactly on their prints in a bake with few keys."""
    return bool(controls.pivots(record.checked(obj)))


def rolls(obj: bpy.types.Object) -> bool:
    """Return whether a character's feet are rolled, by pivots or by Rigify's heel controls, in a bake with few keys."""
    return stands_by_pivots(obj) or bool(controls.foot_rolls.heels(obj, record.checked(obj)))


def control_channels(obj: bpy.types.Object, source: WalkSource, pose: RolePose) -> list[Channel]:
    """Return the controls' channels for a pose; the foot pivots of our control layer, and Rigify's heel controls, are at rest."""
    found = bone_channels(source.solve_pose(pose))
    found += [Channel(path, np.zeros((1, 3)), rest, split_path(path)[0]) for path, rest in _pivot_rests(obj).items()]
    return found + _besides(obj, source, pose)


def rolled_channels(obj: bpy.types.Object, source: WalkSource, pose: RolePose, pitches: np.ndarray) -> list[Channel]:
    """Return the same with the foot controls on their prints, and feet with `pitches` `(f, 2, 2)` rolled by pivots or heel controls."""
    made = record.checked(obj)
    rig = controls.rig_table(obj, made, source.body, rolls=True)
    heels = controls.foot_rolls.heel_controls(obj, made, source.body.walk_to_armature)
    if heels:
        motions = under_heel_controls(heels, pose.motions, pitches[..., 0])
    else:
        motions = on_pivots(source.body, pose.motions, pitches)
    found = bone_channels(solve(rig, replace(pose, motions=motions), source.moves_bone))
    turned = {bone for _, bone in controls.foot_rolls.heels(obj, made).values()}  # by constraints
    found = [channel for channel in found if split_path(channel.path)[0] not in turned]
    pivots = controls.pivots(made)
    rests = _pivot_rests(obj)
    held = [made["controls"].get(sided(part, side), "") for side in SIDES if sided("heel", side) in pivots for part in ("foot", "ball")]
    rests |= {bone_path(bone, EULER_PATH): KEYED for bone in held}
    return [replace(channel, rest=rests.get(channel.path, channel.rest)) for channel in found] + _besides(obj, source, pose)


def _pivot_rests(obj: bpy.types.Object) -> dict[str, np.ndarray]:
    """Return the rotation's path and rest value of all that rolls feet, so that it is keyed even at rest."""
    made = record.checked(obj)
    found = {bone: PIVOT_RESTS[role.partition(".")[0]] for role, bone in controls.pivots(made).items()}
    found |= {heel: TURNED for heel, _ in controls.foot_rolls.heels(obj, made).values()}
    return {bone_path(bone, EULER_PATH): rest for bone, rest in found.items()}


def _besides(obj: bpy.types.Object, source: WalkSource, pose: RolePose) -> list[Channel]:
    """Return the channels of what is not a role: fingers that the walk holds, and switches."""
    return held.baked(source.fingers(pose.frames)) + switch_channels(obj)


def switch_channels(obj: bpy.types.Object) -> list[Channel]:
    """Return the rig's switches as the walk needs them, so that the action plays right without the add-on."""
    switches = controls.switches(record.checked(obj))
    return [Channel(path, np.array([[float(value)]]), np.array([np.inf]), "Switches") for path, value in switches]
