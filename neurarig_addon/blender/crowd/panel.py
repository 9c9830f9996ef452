"""Buttons for several characters at once."""

from ..interface.panel import ClosedPanel


class NEURARIG_PT_crowd(ClosedPanel):
    bl_label = "Several Characters"
    bl_parent_id = "NEURARIG_PT_walk"

    def draw_character(self, layout, obj):
        column = layout.column()
        column.operator("neurarig.copy_walk", text="Copy to Selected…", icon="COMMUNITY")
        column.operator("neurarig.load_trajectories", text="Load Trajectories…", icon="IMPORT")
        column.operator("neurarig.clear_crossings", icon="CON_FOLLOWPATH")
        row = column.row(align=True)
        row.operator("neurarig.far_as_loops", icon="OUTLINER_OB_GROUP_INSTANCE")
        row.operator("neurarig.near_again", text="", icon="LOOP_BACK")
        column.operator("neurarig.remove_copies", icon="X")
