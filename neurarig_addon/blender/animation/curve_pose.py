"""The pose from F-curves alone: sampled for all frames at once, without evaluating the scene.

`follows_curves` returns whether that is the full pose: no constraint, driver, NLA strip or moving parent
contributes.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import bpy
import numpy as np
from bpy.types import AnimData, Armature, Constraint, FCurve, Object, PoseBone

from ...core.errors import NeuraRigError
from ...core.posing.channels import from_mode, rotation_path
from ...core.skeleton.skeleton import Hierarchy, Skeleton, forward
from . import compat
from .keyframes import REST, bone_path

PROPERTIES = {
    "location": 3,
    "rotation_quaternion": 4,
    "rotation_euler": 3,
    "rotation_axis_angle": 4,
    "scale": 3,
}
# modes with the same result under an evenly scaled parent
INHERITING_SCALE = {"FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE"}
SAME_FRAME = 1e-5  # frames this close to a key take its value
EVEN = 1e-6  # scale components that differ by no more are even
# armature settings that change how bones follow their parents
_RELATIONS = ("inherit", "local_location", "pose_position")


class Tracks:
    """Location, rotation and scale of pose bones, or of an object, over frames `(f,)`.

    Properties without a curve keep their current value; with `at_rest` only the scale does, and the others
    are at rest.
    """

    def __init__(self, owners: Sequence[Any], frames: np.ndarray, at_rest: bool) -> None:
        self.modes = [owner.rotation_mode for owner in owners]
        self.frames = frames
        self.values: dict[str, np.ndarray] = {}
        for prop, size in PROPERTIES.items():
            known = (
                [REST[prop]] * len(owners)
                if at_rest and prop != "scale"
                else [getattr(owner, prop)[:] for owner in owners]
            )
            constant = np.array(known, dtype=float).reshape(-1, size)
            self.values[prop] = np.broadcast_to(constant, (len(frames), *constant.shape))

    def hold(self, row: int, prop: str, curve: FCurve) -> None:
        """Take one component of one owner's property from a curve.

        Raises NeuraRigError for a key without a number, which imported files may have.
        """
        if not self.values[prop].flags.writeable:
            self.values[prop] = self.values[prop].copy()
        if curve.array_index < PROPERTIES[prop]:
            values = sampled(curve, self.frames)
            if not np.isfinite(values).all():
                raise NeuraRigError(
                    f"A key of '{curve.data_path}' has no number; delete it in the Graph Editor."
                )
            self.values[prop][:, row, curve.array_index] = values

    def turns(self) -> np.ndarray:
        """Return rotation times scale `(f, owners, 3, 3)`."""
        scale = self.values["scale"]
        found = np.empty((*scale.shape, 3))
        for mode in set(self.modes):
            rows = [row for row, other in enumerate(self.modes) if other == mode]
            found[:, rows] = from_mode(self.values[rotation_path(mode)][:, rows], mode)
        return found if (scale == 1.0).all() else found * scale[..., None, :]

    def is_unevenly_scaled(self) -> bool:
        """Return whether any owner is scaled unevenly or mirrored at any frame."""
        scale = self.values["scale"]
        return bool(np.ptp(scale, axis=-1).max(initial=0.0) > EVEN or scale.min(initial=1.0) <= EVEN)


def sampled(curve: FCurve, frames: np.ndarray) -> np.ndarray:
    """Return a curve's values `(f,)`: its keys if every frame has one, else as Blender evaluates it."""
    keys = curve.keyframe_points
    if len(keys) and not len(curve.modifiers):
        points = np.empty(2 * len(keys), dtype=np.float32)
        keys.foreach_get("co", points)
        at, values = points[::2].astype(float), points[1::2]
        inside = np.clip(frames, at[0], at[-1]) if curve.extrapolation == "CONSTANT" else frames
        rows = np.minimum(np.searchsorted(at, inside - SAME_FRAME), len(at) - 1)
        if (np.abs(at[rows] - inside) < SAME_FRAME).all() and (np.diff(at) > SAME_FRAME).all():
            return values[rows].astype(float)
    return np.fromiter(map(curve.evaluate, frames.tolist()), dtype=float, count=len(frames))


def curve_pose(
    obj: Object,
    skeleton: Skeleton,
    wanted: set[str],
    curves: Iterable[FCurve],
    frames: np.ndarray,
    at_rest: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Return the bones' axes `(f, bones, 3, 3)` (with scale) and heads `(f, bones, 3)` in armature space, and
    the object in the world `(f, 4, 4)`; None if the scale is uneven and some bones inherit it only in part.

    `at_rest`: properties without a curve are at rest instead of their current value.
    """
    bones = [obj.pose.bones[name] for name in skeleton.names]
    tracks, own = Tracks(bones, frames, at_rest), Tracks([obj], frames, at_rest=False)
    object_moves = False
    for curve in curves:
        bone, prop = split_path(curve.data_path)
        if not _plays(curve) or prop not in PROPERTIES:
            continue
        if bone in skeleton.index:
            tracks.hold(skeleton.index[bone], prop, curve)
        elif not bone:
            own.hold(0, prop, curve)
            object_moves = True
    hierarchy = _hierarchy(obj, skeleton)
    if tracks.is_unevenly_scaled() and any(
        bone.inherit_scale != "FULL" or not bone.use_inherit_rotation
        for bone in (obj.data.bones[name] for name in wanted)
    ):
        return None
    locations = tracks.values["location"].copy()
    # Blender does not move a connected bone off its parent
    locations[:, [bone.bone.use_connect for bone in bones]] = 0.0
    axes, heads = forward(hierarchy, tracks.turns(), locations)
    return (
        axes,
        heads,
        _worlds(obj, own)
        if object_moves
        else np.broadcast_to(np.array(obj.matrix_world), (len(frames), 4, 4)),
    )


def follows_curves(obj: Object, wanted: set[str], curves: Iterable[FCurve], nla_too: bool) -> bool:
    """Return whether F-curves alone move these bones and the object; with `nla_too` playing NLA strips rule
    that out."""
    data = obj.animation_data
    paths = [curve.data_path for curve in curves if _plays(curve)]
    driven = [driver.data_path for driver in data.drivers if not driver.mute] if data else []
    return not (
        (nla_too and data is not None and _nla_plays(data))
        or any(_moves(path, wanted) for path in driven)
        or any(prop == "rotation_mode" or prop.startswith("delta_") for _, prop in map(split_path, paths))
        or _is_constrained(obj, wanted, paths + driven)
        or _is_carried(obj)
        or _has_moving_relations(obj.data)
    )


def object_path(obj: Object, frames: np.ndarray) -> np.ndarray | None:
    """Return an object's origin `(f, 3)` in the world, Blender units; None if anything besides its F-curves
    moves it."""
    data = obj.animation_data
    curves = (
        [curve for curve in compat.find_channels(*compat.assigned(data)) if _plays(curve)] if data else []
    )
    drivers = [driver.data_path for driver in data.drivers if not driver.mute] if data else []
    paths = [curve.data_path for curve in curves] + drivers
    if (
        (data is not None and _nla_plays(data))
        or _is_carried(obj)
        or any(_moves(path, set()) for path in drivers)
    ):
        return None
    if any(prop == "rotation_mode" or prop.startswith(("delta_", "constraints")) for prop in paths):
        return None
    if any(not constraint.mute for constraint in obj.constraints):
        return None
    own = Tracks([obj], frames, at_rest=False)
    for curve in curves:
        if curve.data_path in PROPERTIES:
            own.hold(0, curve.data_path, curve)
    return _worlds(obj, own)[:, :3, 3]


def split_path(path: str) -> tuple[str, str]:
    """Return bone and property of an RNA path: `pose.bones["Hips"].location` gives both, `location` only the
    property."""
    if not path.startswith('pose.bones["'):
        return "", path
    bone, _, prop = path[len('pose.bones["') :].rpartition('"].')
    return (bone if "\\" not in bone else bpy.utils.unescape_identifier(bone)), prop


def _plays(curve: FCurve) -> bool:
    return not curve.mute and not (curve.group is not None and curve.group.mute)


def _moves(path: str, wanted: set[str]) -> bool:
    bone, prop = split_path(path)
    return (not bone or bone in wanted) and (
        prop in PROPERTIES or prop.startswith(("delta_", "rotation_mode"))
    )


def _nla_plays(data: AnimData) -> bool:
    strips = any(
        not track.mute and any(not strip.mute for strip in track.strips) for track in data.nla_tracks
    )
    blended = (data.action_blend_type, data.action_influence, data.action_extrapolation) != (
        "REPLACE",
        1.0,
        "HOLD",
    )
    return data.use_nla and len(data.nla_tracks) > 0 and (strips or blended or data.use_tweak_mode)


def _is_constrained(obj: Object, wanted: set[str], paths: list[str]) -> bool:
    """Return whether a constraint moves the object or one of the bones, now or, if animated, possibly
    later."""
    if any(not constraint.mute for constraint in obj.constraints):
        return True
    for bone in obj.pose.bones:
        for constraint in bone.constraints:
            path = bone_path(bone.name, f'constraints["{bpy.utils.escape_identifier(constraint.name)}"]')
            is_on = not constraint.mute or any(other.startswith(path) for other in paths)
            if is_on and not wanted.isdisjoint(moved_by(bone, constraint)):
                return True
    return False


def _is_carried(obj: Object) -> bool:
    """Return whether something besides its own curves may move the object."""
    if obj.rigid_body is not None:
        return True
    while obj.parent is not None:
        if (
            obj.parent_type != "OBJECT"
            or obj.parent.animation_data is not None
            or len(obj.parent.constraints)
        ):
            return True
        obj = obj.parent
    return False


def _has_moving_relations(armature: Armature) -> bool:
    data = armature.animation_data
    if data is None:
        return False
    curves = [*data.drivers, *compat.find_channels(*compat.assigned(data))]
    return any(word in curve.data_path for curve in curves for word in _RELATIONS)


def _hierarchy(obj: Object, skeleton: Skeleton) -> Hierarchy:
    bones = [obj.data.bones[name] for name in skeleton.names]
    return Hierarchy(
        skeleton,
        inherit_rotation=np.array([bone.use_inherit_rotation for bone in bones]),
        inherit_scale=np.array([bone.inherit_scale in INHERITING_SCALE for bone in bones]),
        local_location=np.array([bone.use_local_location for bone in bones]),
    )


def _worlds(obj: Object, own: Tracks) -> np.ndarray:
    """Return an object's world matrices `(f, 4, 4)` from its own channels, with its parent still."""
    basis = np.tile(np.eye(4), (len(own.frames), 1, 1))
    # Blender has no delta property of axis and angle that can be set
    path = f"delta_{rotation_path(obj.rotation_mode)}"
    delta = from_mode(np.array(getattr(obj, path)), obj.rotation_mode) if hasattr(obj, path) else np.eye(3)
    basis[:, :3, :3] = delta @ own.turns()[:, 0] * np.array(obj.delta_scale)
    basis[:, :3, 3] = own.values["location"][:, 0] + np.array(obj.delta_location)
    if obj.parent is None:
        return basis
    return np.array(obj.parent.matrix_world @ obj.matrix_parent_inverse) @ basis


def moved_by(bone: PoseBone, constraint: Constraint) -> set[str]:
    """Return the bones that a constraint of `bone` moves directly."""
    if constraint.type not in {"IK", "SPLINE_IK"}:
        return {bone.name}
    chain = [bone, *bone.parent_recursive]
    if constraint.type == "IK" and not constraint.use_tail:
        chain = chain[1:]
    return {link.name for link in chain[: constraint.chain_count or None]}
