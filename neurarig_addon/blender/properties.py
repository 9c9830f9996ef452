"""What the animator sets: `Object.neurarig`."""

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

from .neural_pose.settings import NeuraRigNeuralPose, NeuraRigTarget
from .retarget.settings import NeuraRigRetarget
from .walk.profile_properties import GaitSource, NeuraRigConstant
from .walk.properties import OVERRIDABLE, WalkSliders, changed

STATE = {"HIDDEN"}


class NeuraRigRole(bpy.types.PropertyGroup):
    """One row of the role list: which bone plays a role."""

    role: StringProperty(name="Role", description="What the bone is to the walk", override=OVERRIDABLE)
    bone: StringProperty(
        name="Bone",
        description="The bone that plays this role; empty where the character has none",
        override=OVERRIDABLE,
        update=changed,
    )


class NeuraRigSettings(WalkSliders, GaitSource, bpy.types.PropertyGroup):
    """The walk of one armature, what it takes from another, and what poses it."""

    # Walk
    mode: EnumProperty(
        name="Mode",
        description="Whether the character goes anywhere",
        items=(
            ("IN_PLACE", "In Place", "Walk on the spot, as on a treadmill"),
            ("TRAVEL", "Travel", "Walk forward; planted feet stand still in the world"),
        ),
        default="IN_PLACE",
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
    controls: EnumProperty(
        name="Controls",
        description="What the walk moves; takes effect with the next Generate Walk",
        items=(
            ("AUTO", "IK Controls", "The IK controls of a Rigify rig, else removable controls of our own that hold the bones"),
            ("FK", "FK Only", "Rotations on the character's own bones, or on Rigify's FK controls: no constraints, no extra bones"),
        ),
        default="AUTO",
        options=set(),
        override=OVERRIDABLE,
    )
    # Path and time
    travel_with: EnumProperty(
        name="Travel With",
        description="What carries the character forward in Travel; nothing does In Place",
        items=(
            ("OBJECT", "Object", "The armature object moves"),
            ("BONE", "Root Bone", "The rig's root bone moves, as game engines want it; the object stays"),
        ),
        default="OBJECT",
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
    start_frame: FloatProperty(
        name="Start Frame",
        description="Frame at which the walk begins, at the starting place and on the first heel strike",
        default=1.0,
        min=-1e6,
        max=1e6,
        soft_min=0.0,
        soft_max=1000.0,
        step=100,
        precision=1,
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
    whole_frames: BoolProperty(
        name="Whole Frames",
        description="Adjust the cadence a little so that a cycle takes whole frames and loops exactly; a keyed speed is left alone",
        default=True,
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
    use_network: BoolProperty(
        name="Neural Style",
        description="Let the trained network shape the swing, hips and upper body. The feet stay planted either way",
        default=True,
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
    live: BoolProperty(
        name="Live",
        description="The walk poses the rig on every frame; off, the rig keeps its pose and can be animated by hand",
        default=False,
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )

    # The rig
    roles: CollectionProperty(type=NeuraRigRole, override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"})
    active_role: IntProperty(options=STATE, override=OVERRIDABLE)

    retarget: PointerProperty(
        name="Retarget", description="The clip that this armature takes from another", type=NeuraRigRetarget, override=OVERRIDABLE
    )
    neural_pose: PointerProperty(
        name="Neural Pose", description="The targets and recordings that pose this armature", type=NeuraRigNeuralPose, override=OVERRIDABLE
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
