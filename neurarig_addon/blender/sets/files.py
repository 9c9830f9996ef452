"""The files of a set, by Blender's own exporters: one GLB with all clips, or an FBX of the character and one
of each clip."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

from ..animation.exporting import FBX, GLTF, exporting
from .figure import Figure

# an FBX file counts in them: then nothing in it is scaled, and no engine's root motion comes out 100 times
# too large
CENTIMETRES = 100.0
METRE = {"GLB": 1.0, "FBX": CENTIMETRES}


def write_glb(figure: Figure, path: Path) -> None:
    """Write the character with all its clips; each track of its armature becomes an animation."""
    for track in figure.obj.animation_data.nla_tracks:
        track.mute = False
    with (
        exporting(path, GLTF) as unfinished,
        _same_scene_after(),
        bpy.context.temp_override(**figure.context),
    ):
        bpy.ops.export_scene.gltf(
            filepath=str(unfinished.resolve()), export_format="GLB", use_active_scene=True,
            export_animations=True, export_animation_mode="ACTIONS", export_anim_single_armature=False,
            export_force_sampling=False, export_frame_range=False,
            export_optimize_animation_size=False, export_def_bones=False, export_current_frame=False,
            export_rest_position_armature=True,
        )  # fmt: skip


@contextmanager
def _same_scene_after() -> Iterator[None]:
    """Show the window's scene again after the block: the exporter of glTF leaves the exported one in it."""
    window = bpy.context.window
    before = window.scene if window else None
    try:
        yield
    finally:
        if window and window.scene != before:
            window.scene = before


def write_fbx(figure: Figure, path: Path, action: bpy.types.Action | None, frames: int) -> None:
    """Write the character without animation, or an action of its skeleton alone."""
    data = figure.obj.animation_data
    data.action = action
    if action is not None and hasattr(data, "action_slot"):
        data.action_slot = action.slots[0]
    figure.scene.frame_start, figure.scene.frame_end = 0, frames
    with exporting(path, FBX) as unfinished, bpy.context.temp_override(**figure.context):
        bpy.ops.export_scene.fbx(
            filepath=str(unfinished.resolve()), object_types={"ARMATURE"} if action else {"ARMATURE", "MESH"},
            use_selection=False,
            add_leaf_bones=False, use_armature_deform_only=False, bake_anim=action is not None,
            bake_anim_use_all_bones=True,
            bake_anim_use_nla_strips=False, bake_anim_use_all_actions=False,
            bake_anim_force_startend_keying=True,
            bake_anim_simplify_factor=0.0, apply_unit_scale=True, apply_scale_options="FBX_SCALE_NONE",
        )  # fmt: skip
    data.action = None
