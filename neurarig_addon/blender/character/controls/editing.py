"""Going into edit mode for a moment, and coming back to exactly where the user was."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy

from ....core.errors import NeuraRigError


@contextmanager
def edit_bones(obj: bpy.types.Object) -> Iterator[bpy.types.ArmatureEditBones]:
    """Yield the edit bones of an armature object; mode, selection, active object and bone, visibility are afterwards as before.

    Raises NeuraRigError where Blender cannot go into edit mode.
    """
    require_editable(obj)
    place = _Place.of(bpy.context.view_layer, obj)
    try:
        place.enter()
        mirror, obj.data.use_mirror_x = obj.data.use_mirror_x, False
        try:
            yield obj.data.edit_bones
        finally:
            obj.data.use_mirror_x = mirror
    finally:
        place.leave()


def require_editable(obj: bpy.types.Object) -> None:
    """Raise NeuraRigError where bones cannot be added to this object, naming it and the remedy."""
    if obj.mode == "EDIT":
        raise NeuraRigError(f"'{obj.name}' is in Edit Mode; leave it (Tab) first.")
    if obj.library or obj.data.library or obj.override_library:
        raise NeuraRigError(
            f"'{obj.name}' is linked from another file and takes no new bones; choose FK for it, or make it local "
            "(Object > Relations > Make Local > All) first."
        )
    if obj.data.users > 1:
        raise NeuraRigError(
            f"Armature '{obj.data.name}' is shared by {obj.data.users} users; "
            f"make '{obj.name}' single-user (Object > Relations > Make Single User > Object & Data) first."
        )
    if obj.name not in bpy.context.view_layer.objects:
        raise NeuraRigError(f"'{obj.name}' is not in the active view layer; enable its collection in the Outliner first.")


@dataclass
class _Place:
    """Where the user was: the active object and its mode, what was selected and hidden."""

    layer: bpy.types.ViewLayer
    obj: bpy.types.Object
    active: bpy.types.Object | None
    mode: str
    in_mode: list[bpy.types.Object]
    selected: list[bpy.types.Object]
    hidden: tuple[bool, bool]
    active_bone: str
    selected_bones: list[str]

    @classmethod
    def of(cls, layer: bpy.types.ViewLayer, obj: bpy.types.Object) -> "_Place":
        active = layer.objects.active
        mode = active.mode if active else "OBJECT"
        return cls(
            layer=layer,
            obj=obj,
            active=active,
            mode=mode,
            in_mode=[other for other in layer.objects if mode != "OBJECT" and other.mode == mode],
            selected=[other for other in layer.objects if other.select_get()],
            hidden=(obj.hide_viewport, obj.hide_get()),
            active_bone=obj.data.bones.active.name if obj.data.bones.active else "",
            selected_bones=[bone.name for bone in _selectable(obj) if bone.select],
        )

    def enter(self) -> None:
        if self.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        self.obj.hide_viewport = False
        self.obj.hide_set(False)
        if not self.obj.visible_get():
            raise NeuraRigError(f"'{self.obj.name}' is in a hidden collection; make that collection visible in the Outliner first.")
        for other in self.selected:
            other.select_set(False)
        self.obj.select_set(True)
        self.layer.objects.active = self.obj
        bpy.ops.object.mode_set(mode="EDIT")

    def leave(self) -> None:
        if self.obj.mode == "EDIT":
            bpy.ops.object.mode_set(mode="OBJECT")
        self.obj.select_set(False)
        self._restore_bones()
        if self.mode != "OBJECT":
            for other in self.in_mode:
                other.select_set(True)
            self.layer.objects.active = self.active
            bpy.ops.object.mode_set(mode=self.mode)
            for other in self.in_mode:
                other.select_set(False)
        for other in self.selected:
            other.select_set(True)
        self.layer.objects.active = self.active
        self.obj.hide_viewport = self.hidden[0]
        self.obj.hide_set(self.hidden[1])

    def _restore_bones(self) -> None:
        bones = self.obj.data.bones
        wanted = set(self.selected_bones)
        for bone in _selectable(self.obj):
            if bone.select != (bone.name in wanted):
                bone.select = bone.name in wanted
        bones.active = bones.get(self.active_bone)


def _selectable(obj: bpy.types.Object):
    """Return what carries the bones' selection: pose bones from 5.0 on, bones before."""
    return obj.pose.bones if "select" in bpy.types.PoseBone.bl_rna.properties else obj.data.bones
