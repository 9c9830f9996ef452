"""The sidebar tab: it draws settings and buttons, and computes nothing."""

import bpy

from . import gait_source, neural_pose, retarget, walk

# In the order in which they stand in the tab.
register, unregister = bpy.utils.register_classes_factory(
    (
        walk.NEURARIG_UL_roles,
        walk.NEURARIG_MT_walk_presets,
        walk.NEURARIG_MT_role_presets,
        walk.NEURARIG_PT_rig,
        walk.NEURARIG_PT_roles,
        walk.NEURARIG_PT_walk,
        walk.NEURARIG_PT_feet,
        walk.NEURARIG_PT_body,
        walk.NEURARIG_PT_arms,
        walk.NEURARIG_PT_path,
        gait_source.NEURARIG_MT_gait_sources,
        gait_source.NEURARIG_UL_constants,
        gait_source.NEURARIG_PT_gait_source,
        gait_source.NEURARIG_PT_constants,
        gait_source.NEURARIG_PT_curves,
        gait_source.NEURARIG_PT_training,
        walk.NEURARIG_PT_bake,
        walk.NEURARIG_PT_contacts,
        retarget.NEURARIG_PT_retarget,
        retarget.NEURARIG_PT_source_bones,
        retarget.NEURARIG_PT_retarget_report,
        neural_pose.NEURARIG_UL_targets,
        neural_pose.NEURARIG_MT_add_target,
        neural_pose.NEURARIG_PT_neural_pose,
        neural_pose.NEURARIG_PT_solve_mocap,
        gait_source.NEURARIG_PT_link,
    )
)
