"""Reduce Keys and timeline markers for scripts; exported by `blender.api`."""

from typing import Any

import bpy
import numpy as np
from bpy.types import Action, FCurve, Object

from ...core.errors import NeuraRigError
from ...core.gait.key_poses import recorded_rows, steps_between
from ...core.keys.deviation import SeenMotion, standing_feet, standing_points
from ...core.posing.channels import QUATERNION, continuous_rows
from ..animation import compat
from ..animation.curve_pose import PROPERTIES, sampled, split_path
from ..animation.keyframes import SWITCHES, Channel, set_keys
from ..animation.steps import Steps, at_once
from ..character import stash
from ..character.read_character import read_character
from ..character.requirements import require_editable
from . import figures
from .fitting import KeyMoments
from .reduction import reduce_steps

FEWEST = 3  # frames


@at_once
def reduce_keys(
    obj: Object, action: Action | None = None, *, tolerance: float = figures.TOLERANCE
) -> Steps[Action]:
    """Reduce an action of a character to few keys that keep its joints and soles within `tolerance` metres;
    return the action.

    `action`: by default the one that the character plays. Standing feet slip by `tolerance` at most; with 5
    mm axes turn by 2 degrees at
    most, on average over a tenth of a second. Keys have values near the action's, and handles that are
    aligned, or free at a corner.
    The figures are custom properties of the action.
    Raises NeuraRigError if there is nothing to reduce or the action cannot be edited, and then leaves it
    unchanged.
    """
    require_editable(obj)
    stash.require_untweaked(obj)
    figures.require_tolerance(tolerance)
    curves = _curves(obj, action)
    action = curves[0].id_data
    if not action.is_editable:
        raise NeuraRigError(f"The action '{action.name}' is linked from another file. Make it local first.")
    frames = _frames(action, curves)
    channels, owners = _channels(obj, curves, frames)
    channels += _switches(obj, action, frames)
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    character = read_character(obj)

    def moments(seen: SeenMotion) -> KeyMoments:
        planted = standing_points(seen.feet, fps, character.body.leg_length)
        hips, ankles = seen.legs[:, :2, 0], seen.legs[:, :2, 2]  # poses are those of the hind legs
        forward = np.cross(hips[:, 0] - hips[:, 1], (0.0, 0.0, 1.0))
        ahead = np.einsum("fi,fi->f", forward, ankles[:, 0] - ankles[:, 1])
        legs, height = np.linalg.norm(hips - ankles, axis=-1), hips[..., 2].mean(axis=1)
        steps = steps_between(np.arange(len(frames)), standing_feet(planted[:, :2], fps), height, legs, ahead)
        contacts, passings = (
            np.array([row for step in steps if (row := getattr(step, name)) is not None], dtype=int)
            for name in ("contact", "passing")
        )
        return KeyMoments(
            recorded_rows(steps, len(frames)),
            contacts,
            passings,
            [contacts[:0]] * (planted.shape[1] // 2),
            planted,
            recorded=True,
        )

    found = yield from reduce_steps(obj, character, frames, channels, moments, tolerance)
    for keyed in found.keyed:
        for component, curve in owners.get(keyed.channel.path, {}).items():
            curve.keyframe_points.clear()
            set_keys(curve, keyed, component)
    figures.note(action, found)
    return action


def _curves(obj: Object, action: Action | None) -> list[FCurve]:
    """Return the curves of an action that move the character's bones or the object and have keys to
    reduce."""
    playing = compat.playing(obj)
    if action is None or action == playing[0]:
        action, slot = playing
    else:
        slot = compat.suitable_slot(action, obj)
    if action is None:
        raise NeuraRigError(f"'{obj.name}' plays no action. Bake, retarget or key it first.")
    found = [curve for curve in compat.find_channels(action, slot) if _is_of_pose(obj, curve)]
    if not found:
        raise NeuraRigError(
            f"The action '{action.name}' has no keys of bones of '{obj.name}'. Choose another one."
        )
    return found


def _is_of_pose(obj: Object, curve: FCurve) -> bool:
    bone, prop = split_path(curve.data_path)
    is_there = not bone or bone in obj.pose.bones
    is_plain = len(curve.keyframe_points) > 0 and not curve.mute and not len(curve.modifiers)
    return is_there and is_plain and curve.array_index < PROPERTIES.get(prop, 0)


def _frames(action: Action, curves: list[FCurve]) -> np.ndarray:
    ends = np.array([curve.range()[:] for curve in curves])
    frames = np.arange(np.floor(ends[:, 0].min()), np.ceil(ends[:, 1].max()) + 1.0)
    if len(frames) < FEWEST:
        raise NeuraRigError(
            f"The action '{action.name}' has keys on fewer than {FEWEST} frames; there is nothing to reduce."
        )
    return frames


def _channels(
    obj: Object, curves: list[FCurve], frames: np.ndarray
) -> tuple[list[Channel], dict[str, dict[int, Any]]]:
    """Return curves as channels, components without a curve at their current value, and each path's curves by
    component."""
    owners: dict[str, dict[int, Any]] = {}
    for curve in curves:
        owners.setdefault(curve.data_path, {})[curve.array_index] = curve
    channels = []
    for path, held in owners.items():
        bone, prop = split_path(path)
        owner = obj.pose.bones[bone] if bone else obj
        values = np.tile(np.array(getattr(owner, prop), dtype=float), (len(frames), 1))
        for component, curve in held.items():
            values[:, component] = sampled(curve, frames)
        if prop == "rotation_quaternion":
            values = continuous_rows(values, QUATERNION)
        never = np.full(values.shape[1], np.inf)
        channels.append(Channel(path, values, never, bone, together=values.shape[1] == 4))
    return channels, owners


def _switches(obj: Object, action: Action, frames: np.ndarray) -> list[Channel]:
    """Return what else an action keys of the bones, switches between IK and FK for instance: it decides what
    their keys do, and stays."""
    found = []
    for curve in compat.find_channels(action, compat.suitable_slot(action, obj)):
        is_switch = curve.data_path.startswith("pose.") and split_path(curve.data_path)[1] not in PROPERTIES
        if is_switch and not curve.mute and not curve.array_index:
            values = sampled(curve, frames)[:, None]
            found.append(Channel(curve.data_path, values, values[0], SWITCHES))
    return found


def mark_timeline(obj: Object) -> list[str]:
    """Copy the pose markers of a character's playing action to the scene's timeline, and return their names.

    The names begin with the character's name; markers copied earlier are replaced.
    Raises NeuraRigError if it plays no action with markers.
    """
    action, _ = compat.playing(obj)
    if action is None or not len(action.pose_markers):
        raise NeuraRigError(
            f"'{obj.name}' plays no action with pose markers. Bake its walk or retarget a clip first."
        )
    markers = bpy.context.scene.timeline_markers
    named = [(f"{obj.name}: {marker.name}", marker.frame) for marker in action.pose_markers]
    names = {name for name, _ in named}
    for marker in [marker for marker in markers if marker.name in names and marker.camera is None]:
        markers.remove(marker)
    for name, frame in named:
        markers.new(name, frame=frame)
    return [name for name, _ in named]
