"""The control layer: built on an armature without known IK controls, and removed again."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from bpy.types import ArmatureEditBones, EditBone, Object
from mathutils import Matrix

from ....core.character.body import Body
from ....core.gait.feet.foot_roll import PIVOTS
from ....core.posing.rig_table import POLES
from ....core.skeleton.roles import RoleMap
from ....core.skeleton.skeleton import Skeleton
from . import fk, ours, shapes, snapshot
from .attachment import CONSTRAINT, MARK
from .editing import edit_bones, require_bone_edits
from .eyes import aimed_at, eye_drives
from .layer_plan import REST_BEND, LayerPlan, NewBone, plan_layer

COLLECTION = "NeuraRig"
HIDDEN_COLLECTION = "NeuraRig Mechanism"
POLE_ANGLE = np.radians(90.0)  # our leg bones' z axis points forward, and Blender measures from x
MOST_BEND = np.radians(150.0)
PALETTES = {"L": "THEME04", "R": "THEME01", "": "THEME09"}
# A control's rotation reads as pitch (x), roll (y), yaw (z), in the walk's order.
CONTROL_ROTATION = "YXZ"


def build(obj: Object, skeleton: Skeleton, roles: RoleMap, body: Body, attachment: dict[str, Any]) -> None:
    """Build the layer, noting every step in `attachment`, so that a failure half-way can be undone.

    Raises NeuraRigError, with nothing done, if the armature cannot be edited.
    """
    require_bone_edits(obj)
    plan = plan_layer(skeleton, roles, body, fk.left_behind(obj, skeleton, roles))
    eyes = eye_drives(obj, skeleton, roles)
    plan.drives += [(bone, role, location, rotation) for bone, role, location, rotation in eyes]
    plan.deform += eyes
    user_bones = set(_driven_by_us(plan, obj)) | set(plan.copies)
    if plan.root_bone:
        attachment["placement"] = snapshot.take_motion(obj, plan.root_bone)
    names = _add_bones(obj, plan, attachment)
    _collect(obj, plan, names, attachment)
    _dress(obj, plan, names)
    affected = user_bones | snapshot.bones_between(obj, user_bones)
    attachment["pose"] = snapshot.take_pose(
        obj, sorted({*_driven_by_us(plan, obj), *(affected - user_bones)})
    )
    attachment["muted"] = snapshot.mute_constraints(obj, affected)
    attachment["muted_drivers"] = snapshot.mute_drivers(obj, affected)
    snapshot.neutralise(obj, attachment["pose"])
    try:
        _constrain_legs(obj, plan, body, names)
        for bone, key in plan.copies.items():
            attachment["held"][bone] = names[key]
            _copy(obj, bone, names[key])
    finally:
        attachment["constraints"] = ours.added(obj, names)
    attachment["drives"] = [
        [names.get(key, key), role, location, rotation] for key, role, location, rotation in plan.drives
    ]
    attachment["deform"] = plan.deform
    attachment["controls"] = {bone.key: names[bone.key] for bone in plan.bones if bone.shape}
    snapshot.put_motion(obj, names["root"], attachment["placement"])


def _driven_by_us(plan: LayerPlan, obj: Object) -> dict[str, bool]:
    """Return the character's own bones that the walk writes to, and whether to their location: these may not
    be connected."""
    ours = {bone.key for bone in plan.bones}
    return {key: location for key, _, location, _ in plan.drives if key not in ours and key in obj.pose.bones}


def _add_bones(obj: Object, plan: LayerPlan, attachment: dict[str, Any]) -> dict[str, str]:
    """Add the bones and return key -> name, which Blender may have numbered."""
    names: dict[str, str] = {}
    placed = [bone for bone, location in _driven_by_us(plan, obj).items() if location]
    with edit_bones(obj) as bones:
        attachment["loosened"] = _loosen(bones, [*plan.copies, *placed])
        for wanted in plan.bones:
            name = wanted.key if wanted.shape else f"MCH-{wanted.key.removesuffix(' twin')}"
            bone = bones.new(f"NR-{name}")
            names[wanted.key] = bone.name
            attachment["made"]["bones"][wanted.key] = bone.name
            bone[MARK] = wanted.key
            _shape_bone(bone, wanted, bones)
            bone.parent = bones[names[wanted.parent]] if wanted.parent else bones.get(wanted.on_bone)
            bone.use_deform = False
    return names


def _loosen(bones: ArmatureEditBones, held: Iterable[str]) -> list[str]:
    """Disconnect the bones that we constrain, because Blender keeps a connected bone on its parent's tail
    despite constraints."""
    connected = [name for name in held if bones[name].use_connect]
    for name in connected:
        bones[name].use_connect = False
    return connected


def _shape_bone(bone: EditBone, wanted: NewBone, bones: ArmatureEditBones) -> None:
    if wanted.twin_of:
        twin = bones[wanted.twin_of]
        bone.head, bone.tail, bone.roll = twin.head, twin.tail, twin.roll
        if wanted.moved is not None:
            bone.matrix = Matrix(wanted.moved) @ twin.matrix
    else:
        bone.head, bone.tail = (0.0, 0.0, 0.0), (0.0, wanted.length, 0.0)
        bone.matrix = Matrix(wanted.rest)


def _collect(obj: Object, plan: LayerPlan, names: Mapping[str, str], attachment: dict[str, Any]) -> None:
    """Put the controls into one collection and our other bones into a hidden one."""
    active = obj.data.collections.active_name
    for wanted_name, visible in ((COLLECTION, True), (HIDDEN_COLLECTION, False)):
        collection = obj.data.collections.new(wanted_name)
        attachment["made"]["collections"].append(collection.name)
        collection[MARK] = True
        collection.is_visible = visible
        for bone in plan.bones:
            if bool(bone.shape) == visible:
                member = obj.data.bones[names[bone.key]]
                for other in list(member.collections):
                    other.unassign(member)
                collection.assign(member)
    obj.data.collections.active_name = active


def _dress(obj: Object, plan: LayerPlan, names: Mapping[str, str]) -> None:
    """Give the controls shapes and colours, and lock channels that make no sense."""
    for wanted in plan.bones:
        if not wanted.shape:
            continue
        bone = obj.pose.bones[names[wanted.key]]
        bone.rotation_mode = CONTROL_ROTATION
        bone.custom_shape = shapes.shape(wanted.shape)
        bone.custom_shape_translation = (0.0, 0.0, -wanted.drop)
        bone.color.palette = PALETTES[wanted.key.partition(".")[2]]
        bone.lock_scale = (True, True, True)
        is_pivot = wanted.key.startswith(PIVOTS)
        bone.lock_location = (is_pivot or wanted.key.startswith(("ball.", "hock.", "wrist.")),) * 3
        bone.lock_rotation = (False, True, True) if is_pivot else (wanted.key.startswith(POLES),) * 3


def _copy(obj: Object, bone: str, target: str) -> None:
    constraint = obj.pose.bones[bone].constraints.new("COPY_TRANSFORMS")
    constraint.name = f"{CONSTRAINT} Copy"
    constraint.target, constraint.subtarget = obj, target


def _constrain_legs(obj: Object, plan: LayerPlan, body: Body, names: Mapping[str, str]) -> None:
    for leg, ankle, knee in ([names[key] for key in reach] for reach in plan.reaches):
        if body.one_bone_legs:
            _stretch(obj, leg, ankle, knee)
        else:
            _bend(obj, leg, ankle, knee)


def _bend(obj: Object, calf: str, ankle: str, knee: str) -> None:
    """Let thigh and shin reach the ankle, with the knee as a hinge that bends forward only."""
    bone = obj.pose.bones[calf]
    bone.lock_ik_y = bone.lock_ik_z = True
    bone.use_ik_limit_x = True
    bone.ik_min_x, bone.ik_max_x = REST_BEND - MOST_BEND, REST_BEND
    constraint = bone.constraints.new("IK")
    constraint.name = f"{CONSTRAINT} IK"
    constraint.target, constraint.subtarget = obj, ankle
    constraint.pole_target, constraint.pole_subtarget = obj, knee
    constraint.pole_angle = POLE_ANGLE
    constraint.chain_count = 2
    constraint.use_stretch = False


def _stretch(obj: Object, leg: str, ankle: str, knee: str) -> None:
    """Let a leg without a knee reach the ankle by stretching, its front towards the pole."""
    constraints = obj.pose.bones[leg].constraints
    aim, front, reach = (constraints.new(kind) for kind in ("DAMPED_TRACK", "LOCKED_TRACK", "STRETCH_TO"))
    for constraint, target in ((aim, ankle), (front, knee), (reach, ankle)):
        constraint.name = f"{CONSTRAINT} {constraint.name}"
        constraint.target, constraint.subtarget = obj, target
    aim.track_axis = "TRACK_Y"
    front.track_axis, front.lock_axis = "TRACK_Z", "LOCK_Y"
    reach.volume, reach.keep_axis = "NO_VOLUME", "SWING_Y"
    reach.rest_length = obj.data.bones[leg].length


def take_off(obj: Object, attachment: Mapping[str, Any]) -> list[str]:
    """Remove our constraints, bones, collections and shapes, even if renamed, and nothing else.

    Returns a sentence for each bone that stays because the user made it from ours, and for what of the user's
    aims at one that goes.
    """
    found = ours.found(obj, attachment)
    for bone, name in found.constraints:
        bone.constraints.remove(bone.constraints[name])
    lost = aimed_at(obj, found.bones) if found.bones else []
    if found.bones or attachment["loosened"]:
        with edit_bones(obj) as bones:
            for name in found.bones:
                bones.remove(bones[name])
            for name in attachment["loosened"]:
                if name in bones and bones[name].parent:
                    bones[name].use_connect = True
    for name in found.copies:
        del obj.data.bones[name][MARK]
    _remove_collections(obj, attachment["made"]["collections"])
    shapes.remove_unused()
    copies = ", ".join(f"'{name}'" for name in found.copies)
    return lost + (
        [f"Kept bones of '{obj.name}' that were copied from NeuraRig's: {copies}."] if copies else []
    )


def leave(obj: Object, attachment: Mapping[str, Any]) -> dict[str, Any]:
    """Make the layer the user's, and return what of the attachment is then no longer to be taken off or
    restored."""
    for name in ours.found(obj, attachment).bones:
        del obj.data.bones[name][MARK]
    for collection in [collection for collection in obj.data.collections_all if MARK in collection]:
        del collection[MARK]
    nothing = {"made": {"bones": {}, "collections": []}, "pose": {}}
    return nothing | {key: [] for key in ("constraints", "loosened", "muted", "muted_drivers")}


def _remove_collections(obj: Object, names: Iterable[str]) -> None:
    """Remove our collections, known by their mark (in older files by name); those with bones of the user's
    stay."""
    marked = [collection for collection in obj.data.collections_all if MARK in collection]
    for collection in marked or [
        obj.data.collections_all[name] for name in names if name in obj.data.collections_all
    ]:
        if not collection.bones:
            obj.data.collections.remove(collection)
        elif MARK in collection:
            del collection[MARK]
