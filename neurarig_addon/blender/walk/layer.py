"""An action of the animator's as a layer of the walk: which action, on which parts, how strongly; its
F-curves read as rotations."""

from collections.abc import Collection, Iterable

import numpy as np
from bpy.types import Action, FCurve, Object, Scene

from ...core.errors import NeuraRigError
from ...core.geometry.rotation import orthonormal
from ...core.over.layer import HEAD, LEFT_ARM, PARTS, RIGHT_ARM, SAMPLES_A_FRAME, TRUNK, Layer, part_of
from ...core.posing.rig_table import RigTable
from ...core.skeleton.roles import RoleMap
from ..animation import compat
from ..animation.curve_pose import Tracks, split_path
from ..animation.frame_range import played_range
from ..character import ledger, record, slider_curves
from .changes import KEYABLE, SETTING
from .way import world

REPLACE, ADD = "REPLACE", "ADD"
WEIGHT = "neurarig.walk.layer_weight"
LONGEST = 20_000  # most frames of an action


class LayerSettings:
    """The settings of the action over a walk."""

    layer_action: KEYABLE.thing(
        "Action",
        "Action to play over the walk, on the parts whose bones it keys: a wave, a look, a carried pose",
        type=Action,
    )
    layer_parts: KEYABLE.choice(
        "Parts",
        "Parts of the character that the action moves",
        items=(
            (TRUNK, "Trunk", "The spine", 1),
            (HEAD, "Head", "Neck and head", 2),
            (LEFT_ARM, "Left Arm", "Left shoulder, arm and hand", 4),
            (RIGHT_ARM, "Right Arm", "Right shoulder, arm and hand", 8),
        ),
        default=set(PARTS),
        options={"ENUM_FLAG"},
    )
    layer_blend: SETTING.choice(
        "Blend",
        "How the action combines with the walk",
        items=(
            (REPLACE, "Replace", "Replace the walk's own motion"),
            (ADD, "Add", "Add to the walk's own motion"),
        ),
        default=REPLACE,
    )
    layer_weight: KEYABLE.share("Strength", "How strongly the action plays. Can be keyed", default=1.0)
    layer_offset: SETTING.number("Delay (frames)", "Frames to delay the action")
    layer_ease: SETTING.number(
        "Ease (frames)",
        "Frames to blend in before the action's first key and out after its last",
        default=10.0,
        min=0.0,
        soft_max=50.0,
    )


def key(obj: Object) -> tuple:
    """Return a key that changes whenever the action over a walk does; empty without one."""
    own = obj.neurarig.walk
    action = own.layer_action
    if action is None:
        return ()
    curve = _weight_curve(obj)
    keyed = slider_curves.fingerprint({WEIGHT: curve}) if curve else own.layer_weight
    parts = tuple(sorted(own.layer_parts))
    return (
        action.session_uid,
        world.edits(action),
        *action.frame_range,
        parts,
        own.layer_blend,
        own.layer_offset,
        own.layer_ease,
        keyed,
    )


def read(obj: Object, scene: Scene, roles: RoleMap, rig: RigTable) -> Layer | None:
    """Return the action over a walk, None without one; raises NeuraRigError if it moves none of the chosen
    parts."""
    own = obj.neurarig.walk
    action = own.layer_action
    if action is None:
        return None
    if record.attachment(obj).get("stands"):
        raise NeuraRigError(
            f"'{obj.name}' does not stand in its rest pose, so no action can go over its walk. Clear Action"
            " in Animation on Top."
        )
    curves = _rotations(obj, compat.find_channels(action, compat.suitable_slot(action, obj)))
    bones = {
        role: bone
        for role, bone in _bones(roles, rig, curves.keys()).items()
        if part_of(role) in own.layer_parts
    }
    if not bones:
        raise NeuraRigError(
            f"'{action.name}' turns no bone of the chosen parts of '{obj.name}'. Choose another action or"
            " other parts in Animation on Top."
        )
    first, last = (float(frame) for frame in action.frame_range)
    if not last - first <= LONGEST:
        raise NeuraRigError(
            f"'{action.name}' is longer than {LONGEST} frames. Choose a shorter action in Animation on Top."
        )
    frames = np.arange(first, last + 0.5 / SAMPLES_A_FRAME, 1.0 / SAMPLES_A_FRAME)
    tracks = Tracks([obj.pose.bones[bone] for bone in bones.values()], frames, at_rest=True)
    for row, bone in enumerate(bones.values()):
        for prop, curve in curves[bone]:
            tracks.hold(row, prop, curve)
    away = _away(obj, list(bones.values()), orthonormal(tracks.turns()), rig)
    turns = {role: away[:, row] for row, role in enumerate(bones)}
    offset, ease = own.layer_offset, own.layer_ease if last > first else np.inf  # a single pose is held
    return Layer(turns, first + offset, last + offset, ease, own.layer_blend == ADD, _weight(obj, scene))


def bones_over(obj: Object, roles: RoleMap, rig: RigTable, curves: Iterable[FCurve]) -> dict[str, str]:
    """Return the bones that curves turn and that can be over a walk, with the part of the character that each
    belongs to.

    A bone that the walk also puts in its place, such as the control of a hand, cannot: only rotations are
    over a walk.
    """
    placed = {rig.bones[drive.bone].name for drive in rig.drives if drive.use_location}
    keyed = _rotations(obj, curves).keys() - placed
    return {bone: part_of(role) for role, bone in _bones(roles, rig, keyed).items()}


def _rotations(obj: Object, curves: Iterable[FCurve]) -> dict[str, list[tuple[str, FCurve]]]:
    """Return the rotation curves: bone -> (property, curve)."""
    found: dict[str, list[tuple[str, FCurve]]] = {}
    for curve in curves:
        bone, prop = split_path(curve.data_path)
        if (
            prop.startswith("rotation_")
            and prop != "rotation_mode"
            and bone in obj.pose.bones
            and not curve.mute
        ):
            found.setdefault(bone, []).append((prop, curve))
    return found


def _bones(roles: RoleMap, rig: RigTable, keyed: Collection[str]) -> dict[str, str]:
    """Return the keyed bone that rotates each role: the one that the walk drives, or the role's own."""
    driven = {drive.role: rig.bones[drive.bone].name for drive in rig.drives if drive.use_rotation}
    found = {}
    for role in (*roles.bones, *driven):
        bone = next((bone for bone in (driven.get(role), roles.get(role)) if bone in keyed), None)
        if bone and part_of(role):
            found[role] = bone
    return found


def _away(obj: Object, bones: list[str], basis: np.ndarray, rig: RigTable) -> np.ndarray:
    """Return rotations from rest `(n, bones, 3, 3)` in the walk frame, for bones rotated about their own
    axes."""
    to_walk = orthonormal(rig.walk_to_armature[:3, :3]).T
    axes = to_walk @ orthonormal(
        np.array([obj.data.bones[bone].matrix_local for bone in bones], dtype=float)[:, :3, :3]
    )
    return axes @ basis @ axes.swapaxes(-1, -2)


def _weight(obj: Object, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    curve = _weight_curve(obj)
    if curve is None:
        return np.zeros(1), np.full(1, obj.neurarig.walk.layer_weight)
    return slider_curves.sample(curve, *played_range(scene))


def _weight_curve(obj: Object) -> FCurve | None:
    for action, slot in ledger.all_actions(obj):
        curve = next(
            (curve for curve in compat.find_channels(action, slot) if curve.data_path == WEIGHT), None
        )
        if curve is not None and not curve.mute and len(curve.keyframe_points):
            return curve
    return None
