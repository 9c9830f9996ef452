"""What the animator sets: `Object.neurarig`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..core.gait.style import Style
from . import live
from .neural_pose.settings import NeuraRigNeuralPose, NeuraRigTarget
from .retarget.settings import NeuraRigRetarget

OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}
STATE = {"HIDDEN"}

_quiet = 0


@contextmanager
def one_change(obj: bpy.types.Object) -> Iterator[None]:
    """Set several properties of `obj` as one change: the walk is refreshed once, at the end, and not from half of them."""
    global _quiet
    _quiet += 1
    try:
        yield
    finally:
        _quiet -= 1
    if not _quiet:
        obj.neurarig.report_is_old = True
        live.settings_changed(obj)


def saved_settings(obj: bpy.types.Object) -> dict[str, Any]:
    """Return every setting that differs from its default, for `restore_settings`."""
    settings = obj.neurarig
    names = [prop.identifier for prop in settings.bl_rna.properties if not prop.is_readonly and settings.is_property_set(prop.identifier)]
    values = {name: getattr(settings, name) for name in names if name != "name"}
    values = {name: [number for column in value.col for number in column] if name == "origin" else value for name, value in values.items()}
    constants = [(item.name, item.text, item.low, item.high, item.value) for item in settings.profile_constants]
    return values | {"roles": [(item.role, item.bone) for item in settings.roles], "profile_constants": constants}


def restore_settings(obj: bpy.types.Object, saved: dict[str, Any]) -> None:
    """Set the settings back to what `saved_settings` returned."""
    settings = obj.neurarig
    with one_change(obj):
        for prop in settings.bl_rna.properties:
            if not prop.is_readonly and prop.identifier in saved:
                setattr(settings, prop.identifier, saved[prop.identifier])
            elif not prop.is_readonly:
                settings.property_unset(prop.identifier)
        settings.roles.clear()
        for role, bone in saved["roles"]:
            item = settings.roles.add()
            item.name, item.role, item.bone = role, role, bone
        settings.profile_constants.clear()
        for constant in saved["profile_constants"]:
            item = settings.profile_constants.add()
            item.name, item.text, item.low, item.high, item.value = constant
    settings.report_is_old = saved.get("report_is_old", False)


def _changed(settings: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    if not _quiet:
        settings.report_is_old = True
        live.settings_changed(settings.id_data)


def _slider(slider: str, name: str, description: str, soft: tuple[float, float], hard: tuple[float, float], factor: bool = True):
    """Return the property of one of the walk's sliders; its default is the natural walk's."""
    return FloatProperty(
        name=name,
        description=description,
        default=getattr(Style(), slider),
        soft_min=soft[0],
        soft_max=soft[1],
        min=hard[0],
        max=hard[1],
        step=1 if factor else 10,
        precision=2 if factor else 1,
        subtype="FACTOR" if factor else "NONE",
        override=OVERRIDABLE,
        update=_changed,
    )


class NeuraRigRole(bpy.types.PropertyGroup):
    """One row of the role list: which bone plays a role."""

    role: StringProperty(name="Role", description="What the bone is to the walk", override=OVERRIDABLE)
    bone: StringProperty(
        name="Bone",
        description="The bone that plays this role; empty where the character has none",
        override=OVERRIDABLE,
        update=_changed,
    )


def _constant_changed(constant: "NeuraRigConstant", context: bpy.types.Context) -> None:
    held = min(max(constant.value, constant.low), constant.high)
    if held != constant.value:
        constant.value = held  # comes back here
    else:
        _changed(constant.id_data.neurarig, context)


class NeuraRigConstant(bpy.types.PropertyGroup):
    """A number of the profile that may be edited; its `name` is the profile's."""

    value: FloatProperty(
        name="Value",
        description="A constant of the profile; what it means stands below the list",
        options=set(),
        step=1,
        precision=3,
        override=OVERRIDABLE,
        update=_constant_changed,
    )
    low: FloatProperty(name="Smallest", description="The smallest value", options=STATE, override=OVERRIDABLE)
    high: FloatProperty(name="Largest", description="The largest value", options=STATE, override=OVERRIDABLE)
    text: StringProperty(name="Meaning", description="What the profile says of the constant", options=STATE, override=OVERRIDABLE)


class NeuraRigSettings(bpy.types.PropertyGroup):
    """The walk of one armature.

    The sliders carry the names and meanings of `core.gait.style.Style`.  No unit is put on them: Blender would multiply metres by the
    scene's unit scale, and a speed here is metres a second in every scene.
    """

    # Walk
    mode: EnumProperty(
        name="Mode",
        description="Whether the character goes anywhere",
        items=(
            ("IN_PLACE", "In Place", "Walk on the spot, as on a treadmill"),
            ("TRAVEL", "Travel", "Walk forward; planted feet stand still in the world"),
        ),
        default="IN_PLACE",
        override=OVERRIDABLE,
        update=_changed,
    )
    controls: EnumProperty(
        name="Controls",
        description="What the walk moves; takes effect with the next Generate Walk",
        items=(
            ("AUTO", "IK Controls", "The IK controls of a Rigify rig, else removable controls of our own that hold the bones"),
            ("FK", "FK Only", "Rotations on the character's own bones, or on Rigify's FK controls: no constraints, no extra bones"),
        ),
        default="AUTO",
        override=OVERRIDABLE,
    )
    speed: FloatProperty(
        name="Speed (m/s)",
        description="How fast the character walks, in metres a second. Strides lengthen and quicken with it as people's do; may be keyed",
        default=Style().speed,
        min=0.0,
        soft_min=0.1,
        soft_max=3.0,
        max=100.0,
        step=1,
        precision=2,
        override=OVERRIDABLE,
        update=_changed,
    )
    stride: _slider(
        "stride",
        "Stride Length",
        "Length of a stride, times the natural one at this speed. Longer strides are slower ones",
        (0.5, 1.5),
        (0.2, 3.0),
    )
    energy: _slider("energy", "Energy", "From tired (-1) to lively (1): spring in the step, arms, pelvis and head", (-1, 1), (-2, 2))
    weight: _slider("weight", "Weight", "From light on the feet (-1) to heavy (1): deeper down poses, more sway", (-1, 1), (-2, 2))
    phase: _slider("phase", "Phase", "Shifts the walk in time, in cycles (0.5 starts on the other foot)", (0, 1), (-1000, 1000))
    influence: _slider("influence", "Influence", "How much of the walk is seen: 0 stands still, 1 walks", (0, 1), (0, 1))
    # Feet
    step_height: _slider("step_height", "Step Height", "How high the swinging foot is lifted, times natural", (0, 3), (0, 10))
    stance_width: _slider("stance_width", "Stride Width", "Distance between the two lines of footprints, times natural", (0, 3), (-2, 5))
    foot_splay: _slider(
        "foot_splay",
        "Foot Splay (°)",
        "Degrees the toes point outward beyond their natural angle; negative is pigeon-toed",
        (-30, 45),
        (-90, 90),
        factor=False,
    )
    asymmetry: _slider("asymmetry", "Limp", "Favours one leg: -1 limps on the left leg, 1 on the right", (-1, 1), (-1, 1))
    # Body
    bounce: _slider("bounce", "Bounce", "Rise and fall of the hips, twice a stride, times natural", (0, 2), (-5, 5))
    sway: _slider("sway", "Sway", "Shift of the hips over the standing foot, times natural", (0, 3), (-5, 5))
    twist: _slider("twist", "Twist", "Turn of the hips with the leg, and of the chest against it, times natural", (0, 3), (-5, 5))
    list: _slider("list", "Hip Drop", "Drop of the hip on the swinging side, times natural", (0, 3), (-5, 5))
    lean: _slider("lean", "Lean (°)", "Degrees the body leans forward; negative leans back", (-20, 30), (-60, 60), factor=False)
    crouch: _slider("crouch", "Crouch", "How far the hips are lowered, as a share of the leg length", (0, 0.4), (0, 0.7))
    # Arms and head
    arm_swing: _slider("arm_swing", "Arm Swing", "How far the arms swing, times natural", (0, 3), (-5, 5))
    elbow_bend: _slider("elbow_bend", "Elbow Bend (°)", "Degrees the elbows are bent beyond natural", (0, 90), (-30, 140), factor=False)
    head_bob: _slider("head_bob", "Head Bob", "0 keeps the head level and looking ahead, 1 lets it follow the chest", (0, 1), (0, 2))

    # Gait source
    gait_source: EnumProperty(
        name="Gait Source",
        description="Where the walk's curves, stride and timing come from",
        items=(
            ("HUMAN", "Human Gait", "The walk that people walk, learned from motion capture and gait laboratories"),
            ("PROFILE", "Profile", "A logic profile: a gait written as formulas, shipped or your own"),
        ),
        default="HUMAN",
        override=OVERRIDABLE,
        update=_changed,
    )
    profile: StringProperty(
        name="Profile Text",
        description="The profile as JSON text; it travels with the file",
        options=STATE,
        override=OVERRIDABLE,
        update=_changed,
    )
    profile_name: StringProperty(name="Profile", description="Name of the profile", options=STATE, override=OVERRIDABLE)
    profile_constants: CollectionProperty(type=NeuraRigConstant, override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"})
    active_constant: IntProperty(name="Constant", description="The constant that is explained", options=STATE, override=OVERRIDABLE)
    profile_report: StringProperty(
        name="Profile Report", description="What the last check of the profile found", options=STATE, override=OVERRIDABLE
    )
    profile_binding: EnumProperty(
        name="Curves",
        description="Whose curves are drawn over one cycle, at the speed and for the legs of the character",
        items=(
            ("foot_r", "Foot R", "The right foot"),
            ("foot_l", "Foot L", "The left foot"),
            ("ball_r", "Ball R", "The right ball of the foot"),
            ("ball_l", "Ball L", "The left ball of the foot"),
            ("pelvis", "Pelvis", "The pelvis"),
            ("spine", "Spine", "The spine, in profiles that have one"),
        ),
        default="foot_r",
        options=set(),
        override=OVERRIDABLE,
    )
    keep_planted: BoolProperty(
        name="Keep Feet Planted",
        description="The feet roll on their prints and cannot slip, at the profile's own stride and duty factor. Off, they go where "
        "the formulas put them, and Check Contacts says how far they slip",
        default=True,
        override=OVERRIDABLE,
        update=_changed,
    )

    profile_weights: StringProperty(
        name="Trained Weights",
        description="The network trained on the profile, a .safetensors file as base64 text; it travels with the file",
        options=STATE,
        override=OVERRIDABLE,
        update=_changed,
    )
    profile_weights_for: StringProperty(
        name="Trained For",
        description="What tells the profile that the weights were trained on, and the weights",
        options=STATE,
        override=OVERRIDABLE,
    )
    use_trained: BoolProperty(
        name="Trained Network",
        description="Walk by the network that was trained on this profile instead of its formulas",
        default=True,
        override=OVERRIDABLE,
        update=_changed,
    )

    # Path and time
    travel_with: EnumProperty(
        name="Travel With",
        description="What carries the character forward",
        items=(
            ("OBJECT", "Object", "The armature object moves"),
            ("BONE", "Root Bone", "The rig's root bone moves, as game engines want it; the object stays"),
        ),
        default="OBJECT",
        override=OVERRIDABLE,
        update=_changed,
    )
    start_frame: FloatProperty(
        name="Start Frame",
        description="Frame at which the walk begins, at the starting place and on the first heel strike",
        default=1.0,
        soft_min=0.0,
        soft_max=1000.0,
        step=100,
        precision=1,
        override=OVERRIDABLE,
        update=_changed,
    )
    whole_frames: BoolProperty(
        name="Whole Frames",
        description="Adjust the cadence a little so that a cycle takes whole frames and loops exactly; a keyed speed is left alone",
        default=True,
        override=OVERRIDABLE,
        update=_changed,
    )
    use_network: BoolProperty(
        name="Neural Style",
        description="Let the trained network shape the swing, hips and upper body. The feet stay planted either way",
        default=True,
        override=OVERRIDABLE,
        update=_changed,
    )
    live: BoolProperty(
        name="Live",
        description="The walk poses the rig on every frame; off, the rig keeps its pose and can be animated by hand",
        default=False,
        override=OVERRIDABLE,
        update=_changed,
    )

    # The rig
    roles: CollectionProperty(type=NeuraRigRole, override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"})
    active_role: IntProperty(options=STATE, override=OVERRIDABLE)

    retarget: PointerProperty(
        name="Retarget", description="The clip that this armature takes from another", type=NeuraRigRetarget, override=OVERRIDABLE
    )
    neural_pose: PointerProperty(
        name="Neural Pose", description="The targets and recordings that pose this armature", type=NeuraRigNeuralPose
    )

    # What the add-on remembers; set by code, read by panels and scripts.
    report: StringProperty(
        name="Contact Report", description="The last contact report of this character, as JSON text", options=STATE, override=OVERRIDABLE
    )
    report_is_old: BoolProperty(
        name="Report Is Old", description="A setting was changed after the contact report was made", options=STATE, override=OVERRIDABLE
    )
    error: StringProperty(
        name="Error", description="Why the walk was turned off; empty when all is well", options=STATE, override=OVERRIDABLE
    )
    preset: StringProperty(name="Preset", description="The walk preset applied last", options=STATE, override=OVERRIDABLE)
    role_preset: StringProperty(name="Role Map", description="The role map applied last", options=STATE, override=OVERRIDABLE)
    attachment: StringProperty(
        name="Attachment",
        description="How the walk is attached to the rig, and what to restore, as JSON text; empty without a walk",
        options=STATE,
        override=OVERRIDABLE,
    )
    stash: StringProperty(
        name="Stash", description="The animation that the character had before the walk, as JSON text", options=STATE, override=OVERRIDABLE
    )
    origin: FloatVectorProperty(
        name="Origin",
        description="Where the armature object stood when the walk began",
        size=16,
        subtype="MATRIX",
        default=(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
        options=STATE,
        override=OVERRIDABLE,
    )
    leg_length: FloatProperty(
        name="Leg Length", description="Thigh and shin in metres, measured; 0 before Generate Walk", options=STATE, override=OVERRIDABLE
    )
    natural_speed: FloatProperty(
        name="Natural Speed", description="Comfortable speed for this leg length in metres a second", options=STATE, override=OVERRIDABLE
    )


_register_classes, _unregister_classes = bpy.utils.register_classes_factory(
    (NeuraRigRole, NeuraRigConstant, NeuraRigRetarget, NeuraRigTarget, NeuraRigNeuralPose, NeuraRigSettings)
)


def register() -> None:
    """Add `Object.neurarig`."""
    _register_classes()
    bpy.types.Object.neurarig = PointerProperty(
        name="NeuraRig", description="The walk of this armature", type=NeuraRigSettings, override=OVERRIDABLE
    )


def unregister() -> None:
    """Remove `Object.neurarig`."""
    del bpy.types.Object.neurarig
    _unregister_classes()
