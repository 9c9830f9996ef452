"""What the animator chooses about a retargeted clip: `Object.neurarig.retarget` of the target."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from ...core.retarget.options import RetargetOptions
from ..character.changes import OVERRIDABLE, STATE, Changes

ARMATURE, FILE = "ARMATURE", "FILE"

_NOT_CHOSEN = {"name", "live"}


def _report_is_old(obj: bpy.types.Object) -> None:
    obj.neurarig.retarget.report_is_old = True


changes = Changes(_report_is_old)  # the live link hears of them too


@contextmanager
def kept_on_failure(obj: bpy.types.Object) -> Iterator[None]:
    """Give a target its choices back, and what was reported of them, where the block fails."""
    settings = obj.neurarig.retarget
    names = [prop.identifier for prop in settings.bl_rna.properties if not prop.is_readonly and prop.identifier not in _NOT_CHOSEN]
    before = {name: getattr(settings, name) for name in names if settings.is_property_set(name)}
    try:
        yield
    except BaseException:
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
    """Which clip a character takes from whom, and how.  Meanings and defaults are those of `core.retarget.options`."""

    source_kind: EnumProperty(
        name="Source",
        description="Where the clip comes from",
        items=(
            (ARMATURE, "Armature", "Another armature of this file"),
            (FILE, "File", "A file with an animated skeleton (.bvh, .fbx, .glb), or a clip that Encode Action has written (.npz, .csv)"),
        ),
        default=ARMATURE,
        override=OVERRIDABLE,
        update=_changed,
    )
    source: PointerProperty(
        name="Armature",
        description="The armature whose motion this character takes",
        type=bpy.types.Object,
        poll=_is_other_armature,
        override=OVERRIDABLE,
        update=_changed,
    )
    action: PointerProperty(
        name="Action",
        description="The source's clip; empty: what moves it now, be it an action, the NLA, constraints or a walk, over the scene's range",
        type=bpy.types.Action,
        poll=_moves_objects,
        override=OVERRIDABLE,
        update=_changed,
    )
    file: StringProperty(
        name="File",
        description="A .bvh, .fbx, .glb or .gltf file, or a clip that Encode Action has written (.npz, .csv)",
        subtype="FILE_PATH",
        override=OVERRIDABLE,
        update=_changed,
    )
    controls: EnumProperty(
        name="Controls",
        description="What of this character gets the motion; it can be changed while the link is not live",
        items=(
            ("FK", "FK Bones", "The character's own bones, or the FK controls of a generated Rigify rig"),
            ("IK", "IK Controls", "The rig's own IK controls where NeuraRig knows them (Rigify), else a control layer of ours"),
        ),
        default="FK",
        override=OVERRIDABLE,
        update=_changed,
    )
    root: EnumProperty(
        name="Root",
        description="What carries the character through the scene",
        items=(
            ("PELVIS", "Hips", "The hips, as in raw motion capture"),
            ("OBJECT", "Object", "The armature object moves and turns"),
            ("BONE", "Root Bone", "The rig's root bone moves and turns, as game engines want it"),
            ("IN_PLACE", "In Place", "Nothing: travel and turns are left out"),
        ),
        default="PELVIS",
        override=OVERRIDABLE,
        update=_changed,
    )
    contacts: BoolProperty(
        name="Keep Contacts",
        description="Feet that stand on the source stay put on this character",
        default=True,
        override=OVERRIDABLE,
        update=_changed,
    )
    hands: BoolProperty(
        name="Hands Too",
        description="Hands that hold still against something on the source do so on this character",
        default=RetargetOptions().hands,
        override=OVERRIDABLE,
        update=_changed,
    )
    stride: FloatProperty(
        name="Step Length",
        description="Longer or shorter steps: 1 is the source's in proportion to the legs",
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
        description="Degrees by which the arms are held farther from the body, for a broader character",
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
        description="Seconds over which the path of the root is smoothed: bob and sway stay with the hips. 0 follows the hips exactly",
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
        description="The path begins where the character stands and goes ahead; otherwise it is as far off as the source's",
        default=False,
        override=OVERRIDABLE,
        update=_changed,
    )
    use_frame_start: BoolProperty(
        name="Use Start Frame",
        description="Have the clip begin at a frame of your choice; otherwise an action keeps its frames and a file begins with the scene",
        override=OVERRIDABLE,
        update=_changed,
    )
    frame_start: IntProperty(
        name="Start Frame", description="Frame at which the clip begins", default=1, override=OVERRIDABLE, update=_changed
    )
    step: IntProperty(
        name="Frame Step",
        description="Key every n-th frame: fewer keys are easier to edit, and the report says what they cost",
        default=1,
        min=1,
        soft_max=12,
        override=OVERRIDABLE,
        update=_changed,
    )
    live: BoolProperty(
        name="Live",
        description="The clip poses this character on every frame; off, it keeps its pose or plays the baked action",
        default=False,
        override=OVERRIDABLE,
        update=_changed,
    )

    # What the add-on remembers; set by code, read by panels and scripts.
    report: StringProperty(
        name="Report", description="What was measured of the last retargeted clip, as JSON text", options=STATE, override=OVERRIDABLE
    )
    report_is_old: BoolProperty(
        name="Report Is Old", description="A setting was changed after the report was made", options=STATE, override=OVERRIDABLE
    )
    error: StringProperty(
        name="Error", description="Why the link was turned off; empty when all is well", options=STATE, override=OVERRIDABLE
    )
