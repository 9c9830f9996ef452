"""The source of a clip: an armature with an action or its present motion, or a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from ..animation import compat
from ..animation.curve_pose import split_path
from ..character.read_armature import bones_key
from ..character.read_character import read_character
from ..character.read_clip import is_told_by_curves
from ..walk import slider_curves

MOTION_CAPTURE = (".bvh",)
ENCODINGS = (".npz", ".csv")
IMPORTED = (".fbx", ".glb", ".gltf")
POINTS = (".c3d", ".tsv")  # for Neural Pose
READABLE = (*MOTION_CAPTURE, *IMPORTED, *ENCODINGS)


@dataclass(frozen=True)
class ClipSource:
    """The source of one clip: `armature` with an `action` (None: its present motion), or a `file`."""

    armature: bpy.types.Object | None = None
    action: bpy.types.Action | None = None
    file: Path | None = None

    @property
    def label(self) -> str:
        """Its name for the user."""
        return self.file.name if self.file else self.action.name if self.action else self.armature.name


def check(source: ClipSource, target: bpy.types.Object | None = None) -> None:
    """Raise NeuraRigError if a source is not valid, or not for this target."""
    armature = source.armature
    if source.file is not None:
        if source.file.suffix.lower() in POINTS:
            raise NeuraRigError(f"'{source.file.name}' holds recorded points. Use Solve Mocap for it.")
        if source.file.suffix.lower() not in READABLE:
            raise NeuraRigError(f"'{source.file.name}' is not a clip. Supported files end in {', '.join(READABLE)}.")
        if not source.file.is_file():
            raise NeuraRigError(f"There is no file '{source.file}'. Choose it again in Retarget.")
    elif armature.type != "ARMATURE":
        raise NeuraRigError(f"'{armature.name}' is not an armature. Choose the armature object of the source.")
    elif armature == target:
        raise NeuraRigError(f"'{armature.name}' is both source and target. Choose another armature as the source.")
    elif not armature.users_scene:
        raise NeuraRigError(f"The source '{armature.name}' is no longer in the scene. Choose another armature in Retarget.")


def needs_steps(scene: bpy.types.Scene, source: ClipSource) -> bool:
    """Return whether reading a clip plays it frame by frame or imports it, which handlers must not do."""
    if source.file is not None:
        return source.file.suffix.lower() in IMPORTED
    return not is_told_by_curves(source.armature, scene, source.action, read_character(source.armature, scene))


def key(scene: bpy.types.Scene, source: ClipSource) -> tuple:
    """Return a key that changes whenever the clip does; if it has to be played, only with what can be seen without playing it."""
    if source.file is not None:
        stat = source.file.stat()
        return str(source.file), stat.st_mtime_ns, stat.st_size
    obj, action = source.armature, source.action
    data = obj.animation_data
    playing, slot = (action, None) if action else compat.assigned(data) if data else (None, None)
    if action:
        slot = slot_of(obj, action)
    curves = {f"{curve.data_path}[{curve.array_index}]": curve for curve in compat.find_channels(playing, slot)}
    roles = tuple((item.role, item.bone) for item in obj.neurarig.roles)
    rate = scene.render.fps, scene.render.fps_base
    span = (scene.frame_start, scene.frame_end) if playing is None else ()
    return obj.session_uid, playing and playing.session_uid, roles, bones_key(obj), rate, span, slider_curves.fingerprint(curves)


def slot_of(obj: bpy.types.Object, action: bpy.types.Action) -> Any:
    """Return the slot of an action that an object plays, else the one that suits it."""
    data = obj.animation_data
    if data is not None and data.action == action:
        return compat.assigned(data)[1]
    return compat.suitable_slot(action, obj)


def moves_bones(obj: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Return whether an action has keys on bones of an armature object."""
    curves = compat.find_channels(action, slot_of(obj, action))
    return any(split_path(curve.data_path)[0] in obj.pose.bones for curve in curves)
