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
    if not _can_be_shown(obj):
        raise NeuraRigError(f"'{obj.name}' is in a hidden collection; make that collection visible in the Outliner first.")


def _can_be_shown(obj: bpy.types.Object) -> bool:
    """Say whether an object is seen once it is not hidden itself: Blender edits only what is seen."""
    hidden = obj.hide_viewport, obj.hide_get()
    try:
        obj.hide_viewport = False
        obj.hide_set(False)
        return obj.visible_get()
    finally:
        obj.hide_viewport = hidden[0]
        obj.hide_set(hidden[1])


@dataclass
class _Place:
    """Where the user was: the active object, the modes of all, what was selected and hidden."""

    layer: bpy.types.ViewLayer
    obj: bpy.types.Object
    active: bpy.types.Object | None
    modes: dict[bpy.types.Object, str]
    selected: list[bpy.types.Object]
    hidden: tuple[bool, bool]
    active_bone: str
    selected_bones: list[str]

    @classmethod
    def of(cls, layer: bpy.types.ViewLayer, obj: bpy.types.Object) -> "_Place":
        return cls(
            layer=layer,
            obj=obj,
            active=layer.objects.active,
            modes={other: other.mode for other in layer.objects if other.mode != "OBJECT"},
            selected=[other for other in layer.objects if other.select_get()],
            hidden=(obj.hide_viewport, obj.hide_get()),
            active_bone=obj.data.bones.active.name if obj.data.bones.active else "",
            selected_bones=[bone.name for bone in _selectable(obj) if bone.select],
        )

    def enter(self) -> None:
        if self.active is not None and self.active.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        self.obj.hide_viewport = False
        self.obj.hide_set(False)
        self._select([self.obj])
        self.layer.objects.active = self.obj
        bpy.ops.object.mode_set(mode="EDIT")

    def leave(self) -> None:
        if self.obj.mode == "EDIT":
            bpy.ops.object.mode_set(mode="OBJECT")
        self._restore_bones()
        last_mode = self.modes.get(self.active, "")
        # Those of one mode enter it together; the active object's mode is the last, as Blender leaves others alone then.
        for mode in sorted({*self.modes.values()}, key=lambda mode: mode == last_mode):
            self._enter_mode(mode)
        self._select(self.selected)
        self.layer.objects.active = self.active
        self.obj.hide_viewport = self.hidden[0]
        self.obj.hide_set(self.hidden[1])

    def _enter_mode(self, mode: str) -> None:
        out_of_it = [other for other, before in self.modes.items() if before == mode and other.mode != mode]
        if out_of_it:
            self._select(out_of_it)
            self.layer.objects.active = self.active if self.active in out_of_it else out_of_it[0]
            bpy.ops.object.mode_set(mode=mode)

    def _select(self, wanted: list[bpy.types.Object]) -> None:
        for other in self.layer.objects:
            if other.select_get() != (other in wanted):
                other.select_set(other in wanted)

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
