"""Neural Pose: the list of targets, what is done with them, and recordings."""

from bpy.types import Menu, Object, PropertyGroup, UILayout

from ..character import record
from ..interface.panel import (
    ClosedPanel,
    ItemList,
    draw_big,
    draw_choice,
    draw_error,
    draw_live,
    draw_settings,
    draw_where,
)
from . import live, over, places
from .empties import label, length
from .settings import HOLD_ICONS


class NEURARIG_UL_targets(ItemList):
    """The targets of a character: what of it follows which object, and whether it is followed, and
    exactly."""

    def draw_row(self, layout, item):
        layout.use_property_split = layout.use_property_decorate = False
        row = layout.row(align=True)
        row.prop(item, "use", text="", icon="HIDE_OFF" if item.use else "HIDE_ON", emboss=False)
        name = row.row()
        name.active = item.use
        name.label(text=label(item.point))
        is_over = over.is_over(item.id_data)
        far = over.missed(item.id_data) if is_over else live.missed(item.id_data)
        missed = far.get(item.point) if item.use else None
        note = name.row()
        note.alignment = "RIGHT"
        if missed is not None:
            note.alert = True  # red
            note.label(text=length(missed))
        elif not places.is_there(item.object):
            note.label(text="No object")
        elif not item.is_made:
            note.label(text=item.bone or item.object.name)
        row.operator(
            "neurarig.select_target", text="", icon="RESTRICT_SELECT_OFF", emboss=False
        ).point = item.point
        if not is_over:
            row.prop(item, "lock", text="", icon=HOLD_ICONS[item.hold], emboss=False)


class NEURARIG_MT_add_target(Menu):
    """Add a target for another point of the character"""

    bl_label = "Add Target"

    def draw(self, context):
        self.layout.operator_enum("neurarig.add_target", "point")


class NEURARIG_PT_neural_pose(ClosedPanel):
    bl_label = "Neural Pose"

    def draw_character(self, layout, obj):
        own = obj.neurarig.neural_pose
        if over.is_over(obj):
            self._draw_over(layout, obj, own)
            return
        layout.use_property_decorate = False
        column = layout.column()
        column.row().prop(own, "point_set", expand=True)
        row = column.row()
        row.enabled = not record.holds(obj, record.POSE)  # the rig is prepared for one kind
        row.prop(own, "controls")
        draw_big(layout, "neurarig.pose_targets", "EMPTY_DATA")
        if record.holds(obj, record.POSE):
            self._draw_live(layout, own)
        if own.targets:
            self._draw_targets(layout, own)
        draw_error(layout, own.error)

    def _draw_over(self, layout: UILayout, obj: Object, own: PropertyGroup) -> None:
        """Draw the targets that go over a walk or clip."""
        grid = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
        for point in over.POINTS_OVER:
            grid.operator("neurarig.add_target", text=label(point), icon="EMPTY_DATA").point = point
        if own.targets:
            row = layout.row(align=True)
            row.use_property_split = False
            draw_live(row, own)
            row.operator("neurarig.remove_targets", text="Remove", icon="X")
            self._draw_list(layout, own)
        if own.active_target < len(own.targets):
            self._draw_held(layout, own.targets[own.active_target])
        draw_error(layout, own.error)

    def _draw_held(self, layout: UILayout, item: PropertyGroup) -> None:
        """Draw how a hand, the chest or the head follows its target."""
        self._draw_object(layout, item)
        column = layout.column()
        column.prop(item, "weight", text="Strength")
        if over.is_hand(item.point):
            column.prop(item, "turn")
        column = layout.column(align=True)
        column.use_property_decorate = False
        column.prop(item, "use_range")
        if item.use_range:
            draw_settings(column, item, "frame_start", "frame_end", "ease")

    def _draw_live(self, layout: UILayout, own: PropertyGroup) -> None:
        row = layout.row(align=True)
        row.use_property_split = False
        if own.targets:
            draw_live(row, own)
        row.operator("neurarig.remove_targets", text="Apply", icon="CHECKMARK").keep_pose = True
        row.operator("neurarig.remove_targets", text="Remove", icon="X")

    def _draw_list(self, layout: UILayout, own: PropertyGroup) -> None:
        row = layout.row()
        row.template_list("NEURARIG_UL_targets", "", own, "targets", own, "active_target", rows=7)
        side = row.column(align=True)
        side.menu("NEURARIG_MT_add_target", text="", icon="ADD")
        side.operator("neurarig.remove_target", text="", icon="REMOVE")
        side.separator()
        side.operator("neurarig.snap_targets", text="", icon="SNAP_ON")

    def _draw_object(self, layout: UILayout, item: PropertyGroup) -> None:
        column = layout.column()
        column.use_property_decorate = False
        column.prop(item, "object")
        if item.object is not None and item.object.type == "ARMATURE":
            column.prop_search(item, "bone", item.object.data, "bones")

    def _draw_targets(self, layout: UILayout, own: PropertyGroup) -> None:
        self._draw_list(layout, own)
        if own.active_target < len(own.targets):
            item = own.targets[own.active_target]
            self._draw_object(layout, item)
            draw_choice(layout, item, "hold")
            draw_where(item.hold == "SOFT", layout, item, "weight", text="Firmness")
        draw_settings(layout.column(heading="Show"), own, "in_front", "show_lines")
        column = layout.column()
        draw_settings(column, own, "keep_base", "noise")
        draw_where(own.noise > 0.0, column, own, "steady")
        row = layout.row(align=True)
        row.operator("neurarig.solve_pose", icon="OUTLINER_OB_ARMATURE")
        row.operator("neurarig.solve_pose", text="Key Pose", icon="KEY_HLT").key = True
        layout.operator("neurarig.solve_range", text="Solve Range…", icon="ACTION")


class NEURARIG_PT_poses(ClosedPanel):
    bl_label = "Poses"
    bl_parent_id = "NEURARIG_PT_neural_pose"

    def draw_character(self, layout, obj):
        column = layout.column(align=True)
        row = column.row(align=True)
        row.operator("neurarig.mirror_pose", text="Left to Right").side = "L"
        row.operator("neurarig.mirror_pose", text="Right to Left").side = "R"
        column.operator("neurarig.flip_pose", icon="MOD_MIRROR")
        column.operator("neurarig.copy_pose", icon="COPYDOWN")
        layout.operator("neurarig.in_between", icon="IPO_EASE_IN_OUT")
        layout.operator("neurarig.pose_asset", text="Create Pose Asset…", icon="ASSET_MANAGER")
        if obj.mode == "POSE":
            self._draw_hands(layout)

    def _draw_hands(self, layout: UILayout) -> None:
        column = layout.column(align=True)
        column.label(text="Hands")
        grid = column.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
        for pose in ("RELAXED", "FIST", "FLAT", "POINT"):
            grid.operator("neurarig.pose_hands", text=pose.title()).pose = pose


class NEURARIG_PT_solve_mocap(ClosedPanel):
    bl_label = "Solve Mocap"
    bl_parent_id = "NEURARIG_PT_neural_pose"

    def draw_character(self, layout, obj):
        own = obj.neurarig.neural_pose
        layout.use_property_decorate = False
        draw_choice(layout, own, "source_kind")
        column = layout.column()
        if own.source_kind == "FILE":
            column.prop(own, "file", text="")
        elif own.source_kind == "OBJECT":
            column.prop(own, "source")
        else:
            column.prop(own, "collection")
        column.prop(own, "mapping")
        column = layout.column()
        draw_settings(column, own, "contacts", "resize", "mend")
        column.prop(own, "clip_noise", text="Jitter (mm)")
        draw_big(layout, "neurarig.solve_clip", "ARMATURE_DATA")
        layout.operator("neurarig.export_pose", text="Export Pose Parameters…", icon="EXPORT")
