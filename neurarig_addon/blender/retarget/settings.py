"""The animator's choices of a retargeted clip: `Object.neurarig.retarget` of the target."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from ...core.retarget.options import RetargetOptions
from ..animation.deleted import is_deleted
from ..character.changes import OVERRIDABLE, STATE, Changes

ARMATURE, FILE = "ARMATURE", "FILE"

_NOT_CHOSEN = {"name", "live"}


def _report_is_old(obj: bpy.types.Object) -> None:
    obj.neurarig.retarget.report_is_old = True


changes = Changes(_report_is_old)  # the live link listens to them too


@contextmanager
def kept_on_failure(obj: bpy.types.Object) -> Iterator[None]:
    """Restore a target's choices and their report if the block fails."""
    settings = obj.neurarig.retarget
    names = [prop.identifier for prop in settings.bl_rna.properties if not prop.is_readonly and prop.identifier not in _NOT_CHOSEN]
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


def _changed(settings: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    changes.tell(settings.id_data)


def _is_other_armature(settings: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    return obj.type == "ARMATURE" and obj != settings.id_data


def _moves_objects(_settings: bpy.types.PropertyGroup, action: bpy.types.Action) -> bool:
    return action.id_root == "OBJECT" if not hasattr(action, "slots") else any(slot.target_id_type == "OBJECT" for slot in action.slots)


class NeuraRigRetarget(bpy.types.PropertyGroup):
    """Which clip a character takes from which source, and how.  Meanings and defaults are those of `core.retarget.options`."""

    source_kind: EnumProperty(
        name="Source",
        description="Where the clip comes from",
        items=(
            (ARMATURE, "Armature", "Another armature in this file"),
            (FILE, "File", "An animated skeleton (.bvh, .fbx, .glb, .gltf) or exported motion (.npz, .csv)"),
        ),
        default=ARMATURE,
        override=OVERRIDABLE,
        update=_changed,
    )
    source: PointerProperty(
        name="Armature",
        description="Armature to take the motion from",
        type=bpy.types.Object,
        poll=_is_other_armature,
        override=OVERRIDABLE,
        update=_changed,
    )
    action: PointerProperty(
        name="Action",
        description="Action to retarget. Empty: whatever moves the source over the scene range, including NLA and constraints",
        type=bpy.types.Action,
        poll=_moves_objects,
        override=OVERRIDABLE,
        update=_changed,
    )
    file: StringProperty(
        name="File",
        description="File to retarget: .bvh, .fbx, .glb, .gltf, or exported motion (.npz, .csv)",
        subtype="FILE_PATH",
        override=OVERRIDABLE,
        update=_changed,
    )
    controls: EnumProperty(
        name="Controls",
        description="What receives the motion. Locked while the link is live",
        items=(
            ("FK", "FK Bones", "The rig's FK controls, or the character's bones"),
            ("IK", "IK Controls", "The rig's IK controls, or a removable control layer where it has none"),
        ),
        default="FK",
        override=OVERRIDABLE,
        update=_changed,
    )
    root: EnumProperty(
        name="Root",
        description="What moves through the scene",
        items=(
            ("PELVIS", "Hips", "The hips, as in raw motion capture"),
            ("OBJECT", "Object", "The armature object moves and turns"),
            ("BONE", "Root Bone", "The rig's root bone moves and turns, for game engines"),
            ("IN_PLACE", "In Place", "Nothing moves: travel and turns are removed"),
        ),
        default="PELVIS",
        override=OVERRIDABLE,
        update=_changed,
    )
    follow: EnumProperty(
        name="Follow",
        description="What free limbs copy. Planted feet stay planted",
        items=(
            ("AUTO", "Auto", "Directions, but places for hands that rest on something, hold each other or come near the floor"),
            ("DIRECTIONS", "Directions", "Limbs point as the source's do: gestures, dance"),
            ("PLACES", "Places", "Hands and feet go where the source's go, scaled to the limb: props, floor work"),
        ),
        default=RetargetOptions().follow.value,
        override=OVERRIDABLE,
        update=_changed,
    )
    contacts: BoolProperty(
        name="Keep Contacts",
        description="Keep feet planted where the source plants them",
        default=True,
        override=OVERRIDABLE,
        update=_changed,
    )
    hands: BoolProperty(
        name="Hands Too",
        description="Also keep hands planted where the source rests them on something",
        default=RetargetOptions().hands,
        override=OVERRIDABLE,
        update=_changed,
    )
    mirror: BoolProperty(
        name="Mirror",
        description="Swap left and right: the left hand does what the source's right hand does, and turns go the other way",
        default=False,
        override=OVERRIDABLE,
        update=_changed,
    )
    stride: FloatProperty(
        name="Step Length",
        description="Step length relative to the source, scaled to the legs",
        default=RetargetOptions().stride,
        min=0.05,
        max=10.0,
        soft_min=0.5,
        soft_max=1.5,
        step=1,
        precision=2,
        subtype="FACTOR",
        override=OVERRIDABLE,
        update=_changed,
    )
    arm_spacing: FloatProperty(
        name="Arm Spacing (°)",
        description="Degrees to hold the arms away from a broader body",
        default=0.0,
        min=-90.0,
        max=90.0,
        soft_min=-20.0,
        soft_max=45.0,
        step=100,
        precision=1,
        override=OVERRIDABLE,
        update=_changed,
    )
    root_smoothing: FloatProperty(
        name="Smoothing (s)",
        description="Seconds of smoothing on the root's path; bob and sway stay on the hips. 0 follows the hips exactly",
        default=RetargetOptions().root_smoothing_s,
        min=0.0,
        max=5.0,
        soft_max=1.0,
        step=1,
        precision=2,
        override=OVERRIDABLE,
        update=_changed,
    )
    start_here: BoolProperty(
        name="Begin Here",
        description="Start where the character stands, heading forward. Off: offset as in the source",
        default=False,
        override=OVERRIDABLE,
        update=_changed,
    )
    use_frame_start: BoolProperty(
        name="Use Start Frame",
        description="Start the clip at this frame. Off: actions keep their frames, files start with the scene",
        override=OVERRIDABLE,
        update=_changed,
    )
    frame_start: IntProperty(
        name="Start Frame", description="First frame of the retargeted clip", default=1, override=OVERRIDABLE, update=_changed
    )
    fit_range: BoolProperty(
        name="Fit Scene Range",
        description="Set the scene's start and end frame to those of the retargeted clip",
        default=False,
        override=OVERRIDABLE,
        update=_changed,
    )
    step: IntProperty(
        name="Frame Step",
        description="Key every n-th frame. Fewer keys are easier to edit; the report shows the cost in slip",
        default=1,
        min=1,
        soft_max=12,
        override=OVERRIDABLE,
        update=_changed,
    )
    live: BoolProperty(
        name="Live",
        description="Follow the source on every frame. Off: keep the pose or play the baked action",
        default=False,
        override=OVERRIDABLE,
        update=_changed,
    )

    # State of the add-on; set by code, read by panels and scripts.
    report: StringProperty(
        name="Report", description="What was measured of the last retargeted clip, as JSON text", options=STATE, override=OVERRIDABLE
    )
    report_is_old: BoolProperty(
        name="Report Is Old", description="A setting was changed after the report was made", options=STATE, override=OVERRIDABLE
    )
    mappings: StringProperty(
        name="Mappings",
        description="Which bones of sources are which, as they were corrected, as JSON text",
        options=STATE,
        override=OVERRIDABLE,
    )
    error: StringProperty(
        name="Error", description="Why the link was turned off; empty when all is well", options=STATE, override=OVERRIDABLE
    )
