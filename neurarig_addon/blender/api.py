"""NeuraRig for scripts: the functions behind the buttons, which work without a window.

    from bl_ext.user_default.neurarig.neurarig_addon.blender import api
    hero = bpy.data.objects["Hero"]
    api.generate_walk(hero, speed=1.3, mode="TRAVEL", energy=0.5)
    api.bake_walk(hero, frame_start=1, frame_end=120)
    api.retarget(villain, source=hero)
    api.pose_targets(hero)

Walks are explained in `walk.api`, their bakes in `walk.bake_api`, footprints in `walk.footprints.api`,
retargeting in
`retarget.api`, hand poses in `hands.api`, targets in `neural_pose.api`, poses in `neural_pose.pose_api`,
recorded points in
`neural_pose.mocap`, several characters in `crowd.api`.
`obj` is an armature object of the current scene. Errors that the user can fix are raised as a NeuraRigError
of one sentence, and leave
the file unchanged.
"""

from ..core.errors import NeuraRigError
from .crowd.api import clear_crossings, copy_walk, far_as_loops, load_trajectories, near_again, remove_copies
from .follow.api import follow_through
from .hands.api import pose_hands
from .keys.api import mark_timeline, reduce_keys
from .labels.api import draw_labels, write_labels
from .learning.api.act import learn_act
from .learning.api.style import learn_style
from .learning.api.take import make_parametric, remove_take
from .neural_pose.api import (
    choose_target,
    key_pose,
    pose_targets,
    remove_targets,
    snap_targets,
    solve_pose,
    solve_range,
)
from .neural_pose.mocap import export_pose, solve_clip
from .neural_pose.pose_api import copy_pose, flip_pose, in_between, mirror_pose, pose_asset
from .retarget.api import (
    continue_motion,
    encode_action,
    fill_motion,
    link_retarget,
    remove_retarget,
    retarget,
    retarget_actions,
    retarget_folder,
)
from .rig.api import apply_scale, detect_rig, find_controls, list_roles, use_current_pose, use_rest_pose
from .sets.api import export_set
from .walk.api.acts import (
    act_kinds,
    add_act,
    edit_act,
    free_thing,
    list_acts,
    place_act,
    remove_act,
    save_act,
)
from .walk.api.bake import bake_steps, bake_walk, baked_frames, rebake_walk
from .walk.api.bars import retime
from .walk.api.layer import layer_action, use_as_layer
from .walk.api.path import add_path
from .walk.api.presets import apply_preset, check_profile, save_preset, save_profile, use_profile
from .walk.api.print_sets import load_prints, save_prints
from .walk.api.prints import (
    add_print,
    copy_prints,
    edit_print,
    mirror_prints,
    put_away_prints,
    reset_prints,
    take_prints,
)
from .walk.api.report import contact_report, save_report, summary
from .walk.api.walk import generate_walk, odd_size, remove_walk, resume_walk, uneven_feet

__all__ = [
    "NeuraRigError",
    "act_kinds",
    "add_act",
    "add_path",
    "add_print",
    "apply_preset",
    "apply_scale",
    "bake_steps",
    "bake_walk",
    "baked_frames",
    "check_profile",
    "choose_target",
    "clear_crossings",
    "contact_report",
    "continue_motion",
    "copy_pose",
    "copy_prints",
    "copy_walk",
    "detect_rig",
    "draw_labels",
    "edit_act",
    "edit_print",
    "encode_action",
    "export_pose",
    "export_set",
    "far_as_loops",
    "fill_motion",
    "find_controls",
    "flip_pose",
    "follow_through",
    "free_thing",
    "generate_walk",
    "in_between",
    "key_pose",
    "layer_action",
    "learn_act",
    "learn_style",
    "link_retarget",
    "list_acts",
    "list_roles",
    "load_prints",
    "load_trajectories",
    "make_parametric",
    "mark_timeline",
    "mirror_pose",
    "mirror_prints",
    "near_again",
    "odd_size",
    "place_act",
    "pose_asset",
    "pose_hands",
    "pose_targets",
    "put_away_prints",
    "rebake_walk",
    "reduce_keys",
    "remove_act",
    "remove_copies",
    "remove_retarget",
    "remove_take",
    "remove_targets",
    "remove_walk",
    "reset_prints",
    "resume_walk",
    "retarget",
    "retarget_actions",
    "retarget_folder",
    "retime",
    "save_act",
    "save_preset",
    "save_prints",
    "save_profile",
    "save_report",
    "snap_targets",
    "solve_clip",
    "solve_pose",
    "solve_range",
    "summary",
    "take_prints",
    "uneven_feet",
    "use_as_layer",
    "use_current_pose",
    "use_profile",
    "use_rest_pose",
    "write_labels",
]
