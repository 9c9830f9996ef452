"""The channels of a bake: controls and switches, fingers, and the armature object with its path and the
motion of its own action."""

from dataclasses import replace

import bpy
import numpy as np
from bpy.types import Object

from ....core.character.motion import Motion, RolePose
from ....core.gait.feet.foot_roll import heel_angles, on_pivots, under_heel_controls
from ....core.keys.pose_fit import KeySwings
from ....core.posing.channels import EULER_PATH
from ....core.posing.posing import solve
from ....core.skeleton.roles import SIDES, sided, stem_of
from ...animation.curve_pose import split_path
from ...animation.keyframes import Channel, bone_channels, bone_path
from ...animation.scratch import alone, seen
from ...animation.steps import Steps
from ...character import bakes, carry, controls, record, turning
from ...character.carry import GROUP
from ...character.own_animation import own_channels
from .. import hands
from ..show import travel
from ..walk import WalkSource
from ..way import deck

# Rest values of channels that are keyed even at rest: a live walk, or another action, may have left them
# elsewhere.
KEYED = np.full(3, np.inf)
TURNED = np.array([np.inf, 0.0, 0.0])  # about the foot's left axis
BANKED = np.array([np.inf, np.inf, 0.0])
PIVOT_RESTS = {"heel": TURNED, "tip": TURNED, "roll": BANKED}


def rolls(obj: Object) -> bool:
    """Return whether a character's feet are rolled, by pivots or by Rigify's heel controls, in a bake with
    few keys."""
    made = record.checked(obj)
    return bool(controls.pivots(made) or controls.foot_rolls.heels(obj, made))


def control_channels(obj: Object, source: WalkSource, pose: RolePose) -> list[Channel]:
    """Return the controls' channels for a pose; the foot pivots of our control layer, and Rigify's heel
    controls, are at rest."""
    found = bone_channels(source.solve_pose(pose))
    found += [
        Channel(path, np.zeros((1, 3)), rest, split_path(path)[0]) for path, rest in _pivot_rests(obj).items()
    ]
    return found + _besides(obj, source, pose)


def rolled_channels(
    obj: Object, source: WalkSource, pose: RolePose, pitch: np.ndarray, swings: KeySwings
) -> list[Channel]:
    """Return the same with the foot controls on their prints, and feet with `pitch` `(f, 2, 2)` rolled by
    pivots or heel controls."""
    made = record.checked(obj)
    rig = controls.rig_table(obj, made, source.body, rolls=True)
    heels = controls.foot_rolls.heel_controls(obj, made, source.body.walk_to_armature)
    foot, toes = pitch[..., 0], pitch[..., 1]
    backward = np.minimum(foot, 0.0)
    if heels:
        (angles,) = swings.shared(foot, [heel_angles(heels, pose.motions, backward)])
        motions = under_heel_controls(heels, pose.motions, angles)
    else:
        heel, tip = swings.shared(toes, [backward, toes - backward])
        motions = on_pivots(source.body, pose.motions, np.stack([heel, heel + tip], axis=-1))
    found = bone_channels(solve(rig, replace(pose, motions=motions), source.travel))
    turned = {bone for _, bone in controls.foot_rolls.heels(obj, made).values()}  # by constraints
    found = [channel for channel in found if split_path(channel.path)[0] not in turned]
    pivots = controls.pivots(made)
    rests = _pivot_rests(obj)
    held = [
        made["controls"].get(sided(part, side), "")
        for side in SIDES
        if sided("heel", side) in pivots
        for part in ("foot", "ball")
    ]
    rests |= {bone_path(bone, EULER_PATH): KEYED for bone in held}
    return [replace(channel, rest=rests.get(channel.path, channel.rest)) for channel in found] + _besides(
        obj, source, pose
    )


def _pivot_rests(obj: Object) -> dict[str, np.ndarray]:
    """Return the rotation's path and rest value of all that rolls feet, so that it is keyed even at rest."""
    made = record.checked(obj)
    found = {bone: PIVOT_RESTS[stem_of(role)] for role, bone in controls.pivots(made).items()}
    found |= {heel: TURNED for heel, _ in controls.foot_rolls.heels(obj, made).values()}
    return {bone_path(bone, EULER_PATH): rest for bone, rest in found.items()}


def _besides(obj: Object, source: WalkSource, pose: RolePose) -> list[Channel]:
    """Return the channels of what is not a role: fingers that the walk holds, and switches."""
    return hands.baked(source.fingers(pose.frames)) + bakes.switches(obj)


def object_channels(
    obj: Object, source: WalkSource, frames: np.ndarray, root: Motion
) -> Steps[list[Channel]]:
    """Return the object's channels at `frames` `(n,)` for the given motion of the root; yields the share
    done."""
    moved: list[Channel] = []
    if source.rides:
        moved = carry.channels(obj, (yield from _ridden(obj, source, frames, root)))
    elif source.travels_with == "OBJECT" and source.turns:
        moved = carry.channels(obj, carry.steps(root, source.walk_to_armature))
    elif source.travels_with == "OBJECT":
        turned = (yield from _seen_axes(obj, frames)) if turning.is_animated(obj) else None
        stands = travel.way(obj, np.zeros((1, 3)))[0]
        moved = [Channel("location", travel.way(obj, source.carried(root.position), turned), stands, GROUP)]
    return moved + own_channels(obj, frames, {channel.path for channel in moved})


def _ridden(obj: Object, source: WalkSource, frames: np.ndarray, root: Motion) -> Steps[np.ndarray]:
    """Return the steps K `(n, 4, 4)` of an object on what carries it."""
    steps = carry.steps(root, source.walk_to_armature)
    steps = steps if source.travels_with == "OBJECT" else np.tile(np.eye(4), (len(frames), 1, 1))
    carrier = obj.neurarig.walk.stand_on
    with alone(bpy.context.scene, *deck.decks_under(obj)) as passing:
        for row, frame in enumerate(frames):
            steps[row] = deck.step_of(obj, np.array(seen(passing, carrier, frame).matrix_world)) @ steps[row]
            yield (row + 1) / len(frames)
    return steps


def _seen_axes(obj: Object, frames: np.ndarray) -> Steps[np.ndarray]:
    """Return the object's own axes `(n, 3, 3)` as they are animated."""
    axes = np.empty((len(frames), 3, 3))
    with alone(bpy.context.scene, obj) as passing:
        for row, frame in enumerate(frames):
            axes[row] = seen(passing, obj, frame).matrix_basis.to_3x3()
            yield (row + 1) / len(frames)
    return axes
