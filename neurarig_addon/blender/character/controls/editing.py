"""Entering Edit Mode for a moment, and restoring the user's context exactly."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.types import ArmatureEditBones, Object, PoseBone, Scene

from ....core.errors import NeuraRigError
from ...animation.scratch import alone
from ..requirements import require_not_edited


@contextmanager
def edit_bones(obj: Object) -> Iterator[ArmatureEditBones]:
    """Yield the edit bones of an armature object; mode, active object and bone, selection and visibility are
    restored.

    It is edited in isolation, so that the user's selection, visibility and modes stay as they are.
    Raises NeuraRigError if Blender cannot enter Edit Mode.
    """
    require_bone_edits(obj)
    mode, bones = obj.mode, _Bones.of(obj)
    hidden, obj.hide_viewport = obj.hide_viewport, False
    try:
        with alone(bpy.context.scene, obj) as scene, bpy.context.temp_override(**_in_scene(scene, obj)):
            bpy.ops.object.mode_set(mode="EDIT")
            mirror, obj.data.use_mirror_x = obj.data.use_mirror_x, False
            try:
                yield obj.data.edit_bones
            finally:
                obj.data.use_mirror_x = mirror
                bones.restore_ends(obj)
                bpy.ops.object.mode_set(mode="OBJECT")
                bones.restore(obj)
                bpy.ops.object.mode_set(mode=mode)
    finally:
        obj.hide_viewport = hidden


def _in_scene(scene: Scene, obj: Object) -> dict[str, Any]:
    layer = scene.view_layers[0]
    layer.objects.active = obj
    return {"scene": scene, "view_layer": layer, "object": obj, "active_object": obj}


def is_linked(obj: Object) -> bool:
    """Return whether an armature comes from another file, so that no bones can be added to it, not even to a
    library override."""
    return bool(obj.library or obj.data.library or obj.override_library)


def is_shared(obj: Object) -> bool:
    """Return whether other objects have the same armature, so that bones added to it were theirs too."""
    return obj.data.users - obj.data.use_fake_user > 1


def require_bone_edits(obj: Object) -> None:
    """Raise NeuraRigError if bones cannot be added to this object, naming it and the remedy."""
    require_not_edited(obj)
    if is_linked(obj):
        raise NeuraRigError(
            f"'{obj.name}' is linked from another file; make it local (Object > Relations > Make Local > All)"
            " first."
        )
    if is_shared(obj):
        raise NeuraRigError(
            f"Armature '{obj.data.name}' is shared by {obj.data.users} users; "
            f"make '{obj.name}' single-user (Object > Relations > Make Single User > Object & Data) first."
        )
    if obj.name not in bpy.context.view_layer.objects:
        raise NeuraRigError(
            f"'{obj.name}' is not in the active view layer; enable its collection in the Outliner first."
        )


@dataclass(frozen=True)
class _Bones:
    """The selected and active bones; `ends`: bones with selected head or tail, where bones store that (before
    5.0)."""

    active: str
    selected: frozenset[str]
    ends: dict[str, tuple[bool, bool]]

    @classmethod
    def of(cls, obj: Object) -> "_Bones":
        active, bones = obj.data.bones.active, obj.data.bones
        ends = (
            {bone.name: (bone.select_head, bone.select_tail) for bone in bones}
            if _bones_carry_selection()
            else {}
        )
        return cls(
            active.name if active else "",
            frozenset(bone.name for bone in _selectable(obj) if bone.select),
            ends,
        )

    def restore_ends(self, obj: Object) -> None:
        """Restore the edit bones' selection: outside Edit Mode an end cannot be selected alone."""
        obj.data.edit_bones.active = obj.data.edit_bones.get(self.active)
        for bone in obj.data.edit_bones:
            if bone.name in self.ends:
                bone.select_head, bone.select_tail = self.ends[bone.name]

    def restore(self, obj: Object) -> None:
        for bone in _selectable(obj):
            if bone.select != (bone.name in self.selected):
                bone.select = bone.name in self.selected
        active = obj.data.bones.get(self.active)
        if obj.data.bones.active != active:  # making a bone active selects it
            obj.data.bones.active = active


def _selectable(obj: Object):
    """Return the bones that store the selection: pose bones from 5.0 on, bones before."""
    return obj.data.bones if _bones_carry_selection() else obj.pose.bones


def _bones_carry_selection() -> bool:
    return "select" not in PoseBone.bl_rna.properties
