"""From a clip on a target to keyframes of a new action; the user's own actions are never changed."""

from collections.abc import Generator
from dataclasses import replace

import bpy
import numpy as np
from mathutils import Matrix

from ...core.ground.feet import SWING
from ..animation.deleted import is_deleted
from ..animation.keyframes import BEZIER, LINEAR, REST, Channel, bone_channels, fresh_action, write_channels
from ..animation.steps import part_of
from ..character import attached, bakes, carry, controls, in_one_piece, ledger, record, stash
from ..character.own_animation import GROUP, own_channels
from ..character.restore_point import as_before
from ..over import wanted
from . import slip, target
from .clip import TargetClip

SIDES = ("L", "R")
NEVER_AT_REST = np.inf  # rest value of a channel that is keyed even if it does not move


def bake_steps(
    context: bpy.types.Context, obj: bpy.types.Object, clip: TargetClip, name: str, step: int, check: bool
) -> Generator[float, None, tuple[bpy.types.Action, dict | None]]:
    """Write every `step`-th frame of a clip (and the last) into a new action, play it on the target, and return action and report.

    Yields the share done.  If interrupted, closed early, or if the target comes apart, no action remains, and the target plays what it
    played before.
    """
    wants = yield from part_of(wanted.at_frames_steps(context.scene, obj, clip.frames), 0.0, 0.2)
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
            attached.make_way(obj, target.OBJECT_CHANNELS if clip.steps is not None else ())
            bakes.take_over(obj, action, slot)
            report = None
            if check:
                report = yield from part_of(slip.measure_steps(context, obj, clip), 0.4, 1.0)
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
