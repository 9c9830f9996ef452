"""NeuraRig in Blender's menus, where Menu Search (F3) finds the operators."""

import bpy


class NEURARIG_MT_character(bpy.types.Menu):
    """Walk, retarget and pose this character"""

    bl_label = "NeuraRig"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.operator("neurarig.generate_walk", icon="ARMATURE_DATA")
        layout.operator("neurarig.add_path")
        layout.operator("neurarig.edit_footprints")
        layout.operator("neurarig.learn_style", text="Learn Style…")
        layout.operator("neurarig.learn_style_file", text="Learn Style from File…")
        layout.operator("neurarig.make_parametric", text="Turn Clip into Walk…")
        layout.operator("neurarig.make_parametric_file", text="Turn Clip File into Walk…")
        layout.operator("neurarig.bake_walk", text="Bake Walk…").check = True
        layout.operator("neurarig.rebake_walk")
        layout.operator("neurarig.reduce_keys", text="Reduce Keys…")
        layout.operator("neurarig.mark_timeline")
        layout.operator("neurarig.check_contacts")
        layout.operator("neurarig.remove_walk", text="Apply Bake").keep_bake = True
        layout.operator("neurarig.remove_walk")
        layout.operator("neurarig.copy_walk", text="Copy Walk to Selected…")
        layout.operator("neurarig.clear_crossings")
        layout.separator()
        layout.operator("neurarig.retarget")
        layout.operator("neurarig.link_retarget")
        layout.operator("neurarig.remove_retarget", text="Apply Retarget").keep_clip = True
        layout.operator("neurarig.remove_retarget")
        layout.separator()
        layout.operator("neurarig.pose_targets")
        layout.operator("neurarig.snap_targets")
        layout.operator("neurarig.solve_pose")
        layout.operator("neurarig.solve_pose", text="Key Pose").key = True
        layout.operator("neurarig.flip_pose")
        layout.operator("neurarig.mirror_pose", text="Mirror Pose Left to Right").side = "L"
        layout.operator("neurarig.mirror_pose", text="Mirror Pose Right to Left").side = "R"
        layout.operator("neurarig.copy_pose")
        layout.operator("neurarig.in_between")
        layout.operator("neurarig.pose_asset", text="Create Pose Asset…")
        layout.operator("neurarig.solve_range", text="Solve Range…")
        layout.operator("neurarig.solve_clip")
        layout.operator("neurarig.remove_targets", text="Apply Targets").keep_pose = True
        layout.operator("neurarig.remove_targets")


_register_menu, _unregister_menu = bpy.utils.register_classes_factory((NEURARIG_MT_character,))


def _draw(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    self.layout.separator()
    self.layout.menu("NEURARIG_MT_character", icon="ARMATURE_DATA")


def register() -> None:
    """Add the menu to Object > Animation, which is also Pose > Animation."""
    _register_menu()
    bpy.types.VIEW3D_MT_object_animation.append(_draw)


def unregister() -> None:
    """Remove the menu."""
    bpy.types.VIEW3D_MT_object_animation.remove(_draw)
    _unregister_menu()
