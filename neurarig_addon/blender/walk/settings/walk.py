"""The walk's settings: `Object.neurarig.walk`."""

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...character.changes import OVERRIDABLE, PLAIN, STATE
from ...interface.options import properties_of
from ..blend import BlendSettings
from ..changes import KEYABLE, SETTING, changes
from ..footprints.edits import Footprints
from ..hands import HandSettings
from ..layer import LayerSettings
from ..way import deck
from ..way.acts import ActSettings
from ..way.ground import HAVE_FACES, walker_of
from ..way.markers import PathTimes
from ..way.path import can_lead
from .choices import OPTIONS
from .manner import GaitSource, Styles, TakeSettings, VariationSettings
from .sliders import WalkSliders


def stood_on(settings: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    """Note the place of the deck when it is chosen."""
    settings.stood_on = deck.chosen(settings.stand_on)
    changes.tell(settings.id_data)


def _is_other(settings: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    """Return whether an object may lead a character: it is not the character itself."""
    return obj != settings.id_data


class NeuraRigWalk(
    WalkSliders, Styles, TakeSettings, VariationSettings, HandSettings, LayerSettings, BlendSettings,
    GaitSource, Footprints, PathTimes,
    ActSettings, properties_of(OPTIONS, **SETTING), bpy.types.PropertyGroup,
):  # fmt: skip
    """The walk of one armature."""

    controls: EnumProperty(
        name="Controls",
        description="What the walk drives. Takes effect with the next Generate Walk",
        items=(
            ("AUTO", "IK Controls", "The rig's IK controls, or a removable control layer where it has none"),
            (
                "FK",
                "FK Only",
                "The rig's FK controls, or the bones themselves: no added bones or constraints",
            ),
        ),
        default="AUTO",
        **PLAIN,
    )
    # Path and time
    path: PointerProperty(
        name="Path",
        description=(
            "What to walk along: a curve, the first of a chain of empties, or any object moved by keys"
        ),
        type=bpy.types.Object,
        poll=lambda _, obj: can_lead(obj),
        **KEYABLE,
    )
    ground: PointerProperty(
        name="Ground",
        description=(
            "Mesh to walk on, with its modifiers. Empty: the path itself, or level ground under the character"
        ),
        type=bpy.types.Object,
        poll=lambda settings, obj: obj.type in HAVE_FACES and walker_of(obj) != settings.id_data,
        **KEYABLE,
    )
    stand_on: PointerProperty(
        name="Stand On",
        description=(
            "Moving object to stand on: a deck, a lift, a train. The walk moves with it from where it is now"
        ),
        type=bpy.types.Object,
        poll=_is_other,
        override=OVERRIDABLE,
        update=stood_on,
    )
    ground_collection: PointerProperty(
        name="Ground Collection",
        description="Walk on every visible mesh in this collection, except characters",
        type=bpy.types.Collection,
        **KEYABLE,
    )
    slow_in_bends: BoolProperty(
        name="Slow in Bends",
        description="Slow down in bends as people do. Off: constant speed",
        default=True,
        **SETTING,
    )
    start_standing: BoolProperty(
        name="Start Standing",
        description=(
            "Start from standing at the beginning of the path. Off: enter it in full stride, as closed paths"
            " always do"
        ),
        default=True,
        **SETTING,
    )
    idle_seed: IntProperty(
        name="Idle Seed",
        description="Another number sways and looks around at different times",
        default=0,
        min=0,
        **SETTING,
    )
    look_at: PointerProperty(
        name="Look At",
        description=(
            "Object to look at: eyes first, then the head, then the chest, as far as they can. It may be"
            " keyed"
        ),
        type=bpy.types.Object,
        poll=_is_other,
        **KEYABLE,
    )
    face: PointerProperty(
        name="Face",
        description=(
            "Object that the body faces while it moves, in Travel and Path. Facing then counts from there"
        ),
        type=bpy.types.Object,
        poll=_is_other,
        **KEYABLE,
    )
    start_frame: FloatProperty(
        name="Start Frame",
        description="First frame of the walk: a heel strike at the starting point",
        default=1.0,
        min=-1e6,
        max=1e6,
        soft_min=0.0,
        soft_max=1000.0,
        step=100,
        precision=1,
        **SETTING,
    )
    whole_frames: BoolProperty(
        name="Loop in Whole Frames",
        description=(
            "Adjust the step rate slightly so that a cycle takes whole frames and loops exactly. Ignored"
            " while Speed is keyed"
        ),
        default=True,
        **SETTING,
    )
    use_network: BoolProperty(
        name="Natural Motion",
        description=(
            "Shape swing, hips and upper body with the trained network. Off: a plain mechanical walk, with"
            " the feet as planted"
        ),
        default=True,
        **SETTING,
    )
    live: BoolProperty(
        name="Live",
        description="Pose the rig on every frame. Off: the rig keeps its pose and can be animated by hand",
        default=False,
        **SETTING,
    )

    # State of the add-on: set by code, read by panels and scripts.
    stood_on: FloatVectorProperty(
        name="Stood On",
        description="Where what the character stands on was when it was chosen",
        size=16,
        default=deck.UNMOVED,
        **STATE,
    )
    report: StringProperty(
        name="Contact Report", description="The last contact report of this character, as JSON text", **STATE
    )
    report_is_old: BoolProperty(
        name="Report Is Old", description="A setting was changed after the contact report was made", **STATE
    )
    error: StringProperty(
        name="Error", description="Why the walk was turned off; empty when all is well", **STATE
    )
    preset: StringProperty(name="Preset", description="The walk preset applied last", **STATE)
    leg_length: FloatProperty(
        name="Leg Length", description="Thigh and shin in metres, measured; 0 before Generate Walk", **STATE
    )
    natural_speed: FloatProperty(
        name="Natural Speed", description="Comfortable speed for this leg length in metres a second", **STATE
    )
