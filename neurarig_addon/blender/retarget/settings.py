"""The animator's choices of a retargeted clip: `Object.neurarig.retarget` of the target."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
from bpy.props import BoolProperty, EnumProperty, PointerProperty, StringProperty

from ..animation.deletion import is_deleted
from ..character.changes import STATE, Changes
from ..interface.options import properties_of
from .options import OPTIONS

ARMATURE, FILE, OWN = "ARMATURE", "FILE", "OWN"

_NOT_CHOSEN = {"name", "live"}


def _report_is_old(obj: bpy.types.Object) -> None:
    obj.neurarig.retarget.report_is_old = True


changes = Changes(_report_is_old)  # the live link listens to them too
KEYABLE = changes.keyable


@contextmanager
def kept_on_failure(obj: bpy.types.Object) -> Iterator[None]:
    """Restore a target's choices and their report if the block fails."""
    settings = obj.neurarig.retarget
    names = [
        prop.identifier
        for prop in settings.bl_rna.properties
        if not prop.is_readonly and prop.identifier not in _NOT_CHOSEN
    ]
    before = {name: getattr(settings, name) for name in names if settings.is_property_set(name)}
    try:
        yield
    except BaseException:
        if not is_deleted(obj):
            with changes.as_one(obj):
                for name in names:
                    settings.property_unset(name)
                for name, value in before.items():
                    setattr(settings, name, value)
            settings.report_is_old = before.get("report_is_old", False)
        raise


def _is_other_armature(settings: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    return obj.type == "ARMATURE" and obj != settings.id_data


def _is_other_object(settings: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    return obj != settings.id_data


def _moves_objects(_settings: bpy.types.PropertyGroup, action: bpy.types.Action) -> bool:
    return (
        action.id_root == "OBJECT"
        if not hasattr(action, "slots")
        else any(slot.target_id_type == "OBJECT" for slot in action.slots)
    )


class NeuraRigRetarget(properties_of(OPTIONS, **KEYABLE), bpy.types.PropertyGroup):
    """Which clip a character takes from which source, and how."""

    source_kind: EnumProperty(
        name="Source",
        description="Where the clip comes from",
        items=(
            (ARMATURE, "Armature", "Another armature in this file"),
            (
                FILE,
                "File",
                (
                    "An animated skeleton (.bvh, .fbx, .glb, .gltf), generated motion (.npz, .npy), angles"
                    " (.mot), or exported (.npz, .csv)"
                ),
            ),
            (OWN, "Own", "An action of this character, to go on from"),
        ),
        default=ARMATURE,
        **KEYABLE,
    )
    source: PointerProperty(
        name="Armature",
        description="Armature to take the motion from",
        type=bpy.types.Object,
        poll=_is_other_armature,
        **KEYABLE,
    )
    action: PointerProperty(
        name="Action",
        description=(
            "Action to retarget. Empty: whatever moves the source over the scene range, including NLA and"
            " constraints"
        ),
        type=bpy.types.Action,
        poll=_moves_objects,
        **KEYABLE,
    )
    slot: StringProperty(
        name="Slot",
        description=(
            "Slot of the action, where several clips are slots of one. Empty: the one that the source plays,"
            " or that suits it"
        ),
        **KEYABLE,
    )
    file: StringProperty(
        name="File",
        description=(
            "File to retarget: .bvh, .fbx, .glb, .gltf, generated motion (.npz, .npy), angles (.mot), or"
            " exported (.npz, .csv)"
        ),
        subtype="FILE_PATH",
        **KEYABLE,
    )
    continue_to: PointerProperty(
        name="To",
        description=(
            "Where it goes on to: along a curve, or to any other object and after it. Speed counts, Turn"
            " does not"
        ),
        type=bpy.types.Object,
        poll=_is_other_object,
        **KEYABLE,
    )
    use_frame_start: BoolProperty(
        name="Use Start Frame",
        description=(
            "Start the clip at this frame. Off: actions keep their frames, files start with the scene"
        ),
        **KEYABLE,
    )
    live: BoolProperty(
        name="Live",
        description="Follow the source on every frame. Off: keep the pose or play the baked action",
        default=False,
        **KEYABLE,
    )

    # State of the add-on; set by code, read by panels and scripts.
    report: StringProperty(
        name="Report", description="What was measured of the last retargeted clip, as JSON text", **STATE
    )
    report_is_old: BoolProperty(
        name="Report Is Old", description="A setting was changed after the report was made", **STATE
    )
    mappings: StringProperty(
        name="Mappings",
        description="Which bones of sources are which, as they were corrected, as JSON text",
        **STATE,
    )
    error: StringProperty(
        name="Error", description="Why the link was turned off; empty when all is well", **STATE
    )
