"""The settings of a character: `Object.neurarig`."""

import bpy
from bpy.app.handlers import persistent
from bpy.types import Object, PropertyGroup

from .animation.properties import OVERRIDE
from .character import ledger
from .character.controls.stored_map import NeuraRigControl
from .character.held import NeuraRigHold, NeuraRigMade
from .character.moving import NeuraRigMoving, unmark_all
from .character.record import CharacterRecord, NeuraRigKept
from .character.roles import NeuraRigRole
from .character.standing import NeuraRigStanding
from .follow.settings import NeuraRigChain, NeuraRigFollow
from .neural_pose.settings import NeuraRigNeuralPose, NeuraRigTarget
from .retarget.settings import NeuraRigRetarget
from .walk.footprints.edits import NeuraRigPrint
from .walk.settings.walk import NeuraRigConstant, NeuraRigStyle, NeuraRigWalk
from .walk.way.acts import NeuraRigAct
from .walk.way.markers import NeuraRigMarker


class NeuraRigSettings(CharacterRecord, PropertyGroup):
    """One character: its roles, what poses it, and the settings of all that can pose it."""

    walk: OVERRIDE.thing("Walk", "The walk of this armature", type=NeuraRigWalk)
    retarget: OVERRIDE.thing(
        "Retarget", "The clip that this armature takes from another", type=NeuraRigRetarget
    )
    follow: OVERRIDE.thing("Follow-Through", "What follows on this armature", type=NeuraRigFollow)
    neural_pose: OVERRIDE.thing(
        "Neural Pose", "The targets and recordings that pose this armature", type=NeuraRigNeuralPose
    )


_register_classes, _unregister_classes = bpy.utils.register_classes_factory(
    (
        NeuraRigRole,
        NeuraRigControl,
        NeuraRigKept,
        NeuraRigHold,
        NeuraRigMade,
        NeuraRigStanding,
        NeuraRigMoving,
        NeuraRigConstant,
        NeuraRigPrint,
        NeuraRigMarker,
        NeuraRigAct,
        NeuraRigStyle,
        NeuraRigWalk,
        NeuraRigRetarget,
        NeuraRigTarget,
        NeuraRigNeuralPose,
        NeuraRigChain,
        NeuraRigFollow,
        NeuraRigSettings,
    )
)


@persistent
def _before_save(*_: object) -> None:
    """Point to actions that were set aside where they are now, and give library overrides, and what they
    refer to, all groups of settings.

    Of a group that one of the two lacks Blender keeps no override.
    """
    for obj in bpy.data.objects:
        if obj.type == "ARMATURE" and obj.library is None:
            ledger.follow_slots(obj)
        if obj.override_library and isinstance(obj.override_library.reference, Object):
            for own in (obj.neurarig, obj.override_library.reference.neurarig):
                for prop in own.bl_rna.properties:
                    if prop.type == "POINTER":
                        getattr(own, prop.identifier)  # a group comes into being as it is read


HANDLERS = ((bpy.app.handlers.save_pre, _before_save),)


def register() -> None:
    """Add `Object.neurarig`."""
    _register_classes()
    Object.neurarig = OVERRIDE.thing(
        "NeuraRig", "What NeuraRig does with this armature", type=NeuraRigSettings
    )


def unregister() -> None:
    """Remove `Object.neurarig`, and the drivers of it."""
    unmark_all()
    del Object.neurarig
    _unregister_classes()
