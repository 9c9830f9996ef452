"""What the animator sets: `Object.neurarig`."""

import bpy
from bpy.props import CollectionProperty, IntProperty, PointerProperty, StringProperty

from .character.changes import OVERRIDABLE, STATE
from .character.roles import NeuraRigRole
from .character.standing import NeuraRigStanding
from .neural_pose.settings import NeuraRigNeuralPose, NeuraRigTarget
from .old_names import OldNames
from .retarget.settings import NeuraRigRetarget
from .walk.profile.settings import NeuraRigConstant
from .walk.settings import NeuraRigWalk


class NeuraRigSettings(OldNames, bpy.types.PropertyGroup):
    """One character: who is who, what poses it, and the settings of all that can."""

    roles: CollectionProperty(type=NeuraRigRole, override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"})
    active_role: IntProperty(options=STATE, override=OVERRIDABLE)

    walk: PointerProperty(name="Walk", description="The walk of this armature", type=NeuraRigWalk, override=OVERRIDABLE)
    retarget: PointerProperty(
        name="Retarget", description="The clip that this armature takes from another", type=NeuraRigRetarget, override=OVERRIDABLE
    )
    neural_pose: PointerProperty(
        name="Neural Pose", description="The targets and recordings that pose this armature", type=NeuraRigNeuralPose, override=OVERRIDABLE
    )

    standing: PointerProperty(
        name="Standing", description="How the character stood when it was attached", type=NeuraRigStanding, override=OVERRIDABLE
    )

    # What the add-on remembers; set by code, read by panels and scripts.
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


_register_classes, _unregister_classes = bpy.utils.register_classes_factory(
    (NeuraRigRole, NeuraRigStanding, NeuraRigConstant, NeuraRigWalk, NeuraRigRetarget, NeuraRigTarget, NeuraRigNeuralPose, NeuraRigSettings)
)


def register() -> None:
    """Add `Object.neurarig`."""
    _register_classes()
    bpy.types.Object.neurarig = PointerProperty(
        name="NeuraRig", description="What NeuraRig does with this armature", type=NeuraRigSettings, override=OVERRIDABLE
    )


def unregister() -> None:
    """Remove `Object.neurarig`."""
    del bpy.types.Object.neurarig
    _unregister_classes()
