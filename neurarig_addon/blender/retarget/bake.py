"""From a clip on a target to keyframes of a new action; the user's own actions are never changed."""

from collections.abc import Generator
from dataclasses import replace

import bpy
import numpy as np
from mathutils import Matrix

from ...core.ground.feet import SWING
from ...core.retarget.options import Root
from ...core.retarget.report import clip_report
from ..animation.deleted import is_deleted
from ..animation.evaluated_pose import seen
from ..animation.keyframes import BEZIER, LINEAR, REST, Channel, bone_channels, fresh_action, write_channels
from ..animation.scratch import alone
from ..animation.steps import part_of
from ..character import attached, bakes, carry, controls, in_one_piece, ledger, record, stash, stiff_legs
from ..character.carried_points import CARRIERS, FEET, LEGS, CarriedPoints
from ..character.in_one_piece import DeformingBones
from ..character.own_animation import GROUP, own_channels
from ..character.restore_point import as_before
from ..over import wishes
from .clip import OBJECT_CHANNELS, TargetClip

SIDES = ("L", "R")
NEVER_AT_REST = np.inf  # rest value of a channel that is keyed even if it does not move


def bake_steps(
    context: bpy.types.Context, obj: bpy.types.Object, clip: TargetClip, name: str, step: int, check: bool
) -> Generator[float, None, tuple[bpy.types.Action, dict | None]]:
    """Write every `step`-th frame of a clip (and the last) into a new action, play it on the target, and return action and report.

    Yields the share done.  If interrupted, closed early, or if the target comes apart, no action remains, and the target plays what it
    played before.
    """
    wants = yield from part_of(wishes.at_frames_steps(context.scene, obj, clip.frames), 0.0, 0.2)
    clip = clip if wants is None else clip.over(wants)
    before = stash.playing(obj)
    carried = obj.neurarig.is_carried
    if clip.steps is not None and not carried:
        carry.stand(obj)
        carry.moved_by(obj, Matrix())
    with fresh_action(name, obj) as (action, slot), as_before(obj):
        try:
            rows = np.union1d(np.arange(0, len(clip.frames), step), len(clip.frames) - 1)
            keyed = [
                replace(channel, values=channel.values[rows if len(channel.values) > 1 else slice(None)])
                for channel in channels_of(obj, clip)
            ]
            write_channels(action, slot, clip.frames[rows], keyed, LINEAR if step == 1 else BEZIER)
            _describe(action, clip)
            yield 0.4
            obj.neurarig.retarget.live = False
            attached.make_way(obj, OBJECT_CHANNELS if clip.steps is not None else ())
            bakes.take_over(obj, action, slot)
            report = None
            if check:
                report = yield from part_of(_measure_steps(context, obj, clip), 0.4, 1.0)
                in_one_piece.require(obj, report)
            else:
                yield from part_of(in_one_piece.require_steps(obj, context.scene, clip.target.character.roles, clip.frames), 0.4, 1.0)
        except BaseException:
            if not is_deleted(obj):
                keyed = bakes.keyed_of_object(obj)
                stash.play(obj, *before)
                if not carried:
                    carry.put_back(obj, keyed)
            raise
    return action, report


def channels_of(obj: bpy.types.Object, clip: TargetClip) -> list[Channel]:
    """Return all channels of the action: bones, the rig's switches, so that it plays correctly without the add-on, and the object."""
    found = bone_channels(clip.channels)
    for path, value in controls.switches(record.attachment(obj)):
        found.append(Channel(path, np.array([[float(value)]]), np.array([NEVER_AT_REST]), "Switches"))
    if clip.steps is not None:
        locations, path, turns = carry.channels(obj, clip.steps)
        stands = np.array([NEVER_AT_REST] * 3)
        found.append(Channel("location", locations, stands, GROUP))
        found.append(Channel(path, turns, np.full(len(REST[path]), NEVER_AT_REST), GROUP, together=turns.shape[1] == 4))
    return found + own_channels(obj, clip.frames, {channel.path for channel in found})


def _describe(action: bpy.types.Action, clip: TargetClip) -> None:
    """Set an action's range, fake user, and markers where a foot touches or leaves the ground."""
    action.use_fake_user = True
    action.use_frame_range = True
    action.frame_start, action.frame_end = float(clip.frames[0]), float(clip.frames[-1])
    action[ledger.BAKE_MARK] = True
    for side, letter in enumerate(SIDES):
        stands = clip.retargeted.pivots[:, side] != SWING
        for row in np.flatnonzero(stands[1:] != stands[:-1]) + 1:
            action.pose_markers.new(f"{letter} Contact" if stands[row] else f"{letter} Lift").frame = round(clip.frames[row])


def _measure_steps(context: bpy.types.Context, obj: bpy.types.Object, clip: TargetClip) -> Generator[float, None, dict]:
    """Return the contact report of a clip playing on an object; yields the share done; the scene's frame is restored afterwards."""
    body, rig = clip.target.character.body, clip.target.rig
    carried = CarriedPoints(obj, body, clip.target.character.roles)
    points = np.empty((len(clip.frames), 2, len(CARRIERS), 3))
    deforming = DeformingBones(obj, context.scene, clip.target.character.roles, len(clip.frames))
    to_origin = np.linalg.inv(np.array(carry.origin(obj)))
    with alone(context.scene, obj) as passing:
        for row, frame in enumerate(clip.frames):
            evaluated = seen(passing, obj, int(frame))
            points[row] = carried.evaluated(evaluated)
            deforming.look(row, evaluated)
            if clip.root is Root.OBJECT:
                points[row] = _moved(points[row], to_origin @ np.array(evaluated.matrix_basis))
            yield (row + 1) / len(clip.frames)
    points = _moved(points, np.linalg.inv(rig.placement @ body.walk_to_armature))
    if clip.root is Root.IN_PLACE:  # with the travel that is left out of the character
        left_out = clip.retargeted.pose.root
        points = np.einsum("fij,fspj->fspi", left_out.rotation, points - left_out.rest) + left_out.position[:, None, None]
    retargeted = clip.retargeted
    report = clip_report(points[:, :, FEET], points[:, :, LEGS], body, retargeted.pivots, retargeted.fps, deforming.judged())
    return report | ({"cure": cure} if (cure := stiff_legs.sentence(obj)) else {})


def _moved(points: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    return points @ matrix[:3, :3].T + matrix[:3, 3]
