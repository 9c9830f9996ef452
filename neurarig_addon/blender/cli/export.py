"""Writing a character to a file: with Blender's own exporters, and its motion with labels."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Object

from .. import api
from ..animation.exporting import BVH, FBX, GLTF, exporting
from ..animation.frame_range import play_range
from ..animation.objects import leave_modes, select
from ..live import stand_in


def export(obj: Object, path: Path, frames: tuple[int, int], deform_only: bool = False) -> None:
    """Write a character, its meshes and its walk over `frames` (both included) to `path`; the ending chooses
    the format.

    With `deform_only` controls are left out if the format allows it (.glb, .fbx).
    An existing file stays until the new one is complete. Raises NeuraRigError if Blender lacks the exporter
    or cannot write.
    """
    module, writer = WRITERS[path.suffix.lower()]
    scene = bpy.context.scene
    kept = scene.frame_start, scene.frame_end
    play_range(scene, *frames)
    try:
        with exporting(path, module) as unfinished:
            writer(obj, unfinished, deform_only and any(bone.use_deform for bone in obj.data.bones))
    finally:
        scene.frame_start, scene.frame_end = kept


def _write_blend(_obj: Object, path: Path, _deform_only: bool) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(path.resolve()), copy=True)


def _write_glb(obj: Object, path: Path, deform_only: bool) -> None:
    _select_character(obj)
    with stand_in.standing_in(bpy.context.scene):
        bpy.ops.export_scene.gltf(
            filepath=str(path.resolve()), export_format="GLB", use_selection=True, export_frame_range=True,
            export_animations=True, export_animation_mode="ACTIVE_ACTIONS", export_force_sampling=True,
            export_def_bones=deform_only,
            export_nla_strips_merged_animation_name=f"{obj.name} Walk",
        )  # fmt: skip


def _write_fbx(obj: Object, path: Path, deform_only: bool) -> None:
    _select_character(obj)
    bpy.ops.export_scene.fbx(
        filepath=str(path.resolve()), use_selection=True, object_types={"ARMATURE", "MESH", "EMPTY"},
        add_leaf_bones=False,
        use_armature_deform_only=deform_only,
        bake_anim=True, bake_anim_use_all_actions=False, bake_anim_use_nla_strips=False,
        bake_anim_simplify_factor=0.0,
    )  # fmt: skip


def _write_bvh(obj: Object, path: Path, _deform_only: bool) -> None:
    _select_character(obj)
    scene = bpy.context.scene
    bpy.ops.export_anim.bvh(
        filepath=str(path.resolve()),
        frame_start=scene.frame_start,
        frame_end=scene.frame_end,
        rotate_mode="NATIVE",
    )


# The add-on that writes, "" for Blender itself, and how.
WRITERS: dict[str, tuple[str, Callable[[Object, Path, bool], None]]] = {
    ".blend": ("", _write_blend),
    ".glb": (GLTF, _write_glb),
    ".fbx": (FBX, _write_fbx),
    ".bvh": (BVH, _write_bvh),
}


def _select_character(obj: Object) -> None:
    leave_modes()
    select(obj)
    for child in obj.children_recursive:
        child.select_set(child.visible_get())


def write_labels(
    obj: Object,
    path: Path | None,
    frames: tuple[int, int],
    settings: Mapping[str, Any] | None = None,
    style: str = "",
) -> None:
    """Write what a character shows on frames `first, last` if a file was named."""
    if path:
        api.write_labels(obj, path, frames, settings, style)
