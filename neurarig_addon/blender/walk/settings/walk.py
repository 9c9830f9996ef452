"""The walk's settings: `Object.neurarig.walk`."""

from bpy.types import Collection, Context, Object, PropertyGroup

from ....core.gait.sliders.style import StyleTrack
from ....core.gait.sliders.variation import MOST_STRIDES
from ...animation.properties import KEPT, LIST, OVERRIDE, PLAIN, STATE, in_scene_units
from ...interface.options import properties_of
from ..blend import BlendSettings
from ..changes import KEYABLE, SETTING, changes
from ..footprints.edits import Footprints
from ..hands import HandSettings
from ..layer import LayerSettings
from ..way import deck
from ..way import ground as grounds
from ..way import path as paths
from ..way.acts import ActSettings
from ..way.markers import PathTimes
from .requirements import OPTIONS
from .sliders import WalkSliders


def _constant_changed(constant: "NeuraRigConstant", context: Context) -> None:
    held = min(max(constant.value, constant.low), constant.high)
    if abs(held - constant.value) > 0.0:  # false for NaN, which the profile refuses
        constant.value = held  # calls this again
    else:
        changes.tell(constant.id_data)


class NeuraRigConstant(PropertyGroup):
    """An editable number of the profile; its `name` is the profile's."""

    value: PLAIN.number(
        "Value",
        "A constant of the profile; its meaning is shown below the list",
        step=1,
        precision=3,
        update=_constant_changed,
    )
    low: STATE.number("Smallest", "The smallest value")
    high: STATE.number("Largest", "The largest value")
    text: STATE.text("Meaning", "The profile's note on the constant")


class GaitSource:
    """The settings of the gait's source."""

    gait_source: SETTING.choice(
        "Gait Source",
        "Where the walk's curves, stride and timing come from",
        items=(
            ("HUMAN", "Human Gait", "How people walk, learned from motion capture and gait laboratories"),
            ("PROFILE", "Profile", "A logic profile: a gait written as formulas, shipped or your own"),
        ),
        default="HUMAN",
    )
    profile: (KEYABLE | STATE).text("Profile Text", "The profile as JSON text; it travels with the file")
    profile_name: STATE.text("Profile", "Name of the profile")
    profile_constants: LIST.items(type=NeuraRigConstant)
    active_constant: STATE.whole("Constant", "The selected constant")
    profile_report: STATE.text("Profile Report", "What the last check of the profile found")
    profile_binding: PLAIN.choice(
        "Curves",
        "Curves to draw over one cycle, at the character's speed and leg length",
        items=(
            ("foot_r", "Right Foot", "The right foot"),
            ("foot_l", "Left Foot", "The left foot"),
            ("ball_r", "Right Ball", "The right ball of the foot"),
            ("ball_l", "Left Ball", "The left ball of the foot"),
            ("pelvis", "Pelvis", "The pelvis"),
            ("spine", "Spine", "The spine, in profiles that have one"),
        ),
        default="foot_r",
    )
    keep_planted: SETTING.switch(
        "Keep Feet Planted",
        "The feet roll on their prints and cannot slip, at the profile's own stride and time on the"
        " ground. Off, they go where the formulas put them, and Check Motion says how far they slip",
        default=True,
    )

    profile_weights: (KEYABLE | STATE).text(
        "Trained Weights",
        "The network trained on the profile, a .safetensors file as base64 text; it travels with the file",
    )
    profile_weights_for: STATE.text(
        "Trained For", "What tells the profile that the weights were trained on, and the weights"
    )
    use_trained: SETTING.switch(
        "Trained Network",
        "Walk by the network that was trained on this profile instead of its formulas",
        default=True,
    )


class NeuraRigStyle(PropertyGroup):
    """A style in use; its index in the list says which slider is its weight. It is stored whole, so that the
    file needs no library."""

    content: KEPT.text(
        "Content",
        "The style's file; empty where this place is free",
        options={"HIDDEN"},
        update=changes.changed,
    )


class Styles:
    """The styles of a walk."""

    styles: OVERRIDE.items("Styles", "The styles of the walk", type=NeuraRigStyle)


class TakeSettings:
    """The recorded walk; stored whole, so that the file needs no clip."""

    take: STATE.text("Recorded Walk", "The recorded walk; empty without one")
    # Identifies the recorded walk without reading it; set last, when everything else is in place.
    take_digest: (KEYABLE | STATE).text("Recorded Walk's Digest")


class VariationSettings:
    """The settings of Variation and Individual: seeds, and when variation repeats."""

    person_seed: SETTING.whole(
        "Person",
        "Each number is another person. Give every character in a crowd its own",
        default=StyleTrack.person,
        min=0,
    )
    variation_seed: SETTING.whole(
        "Seed", "Each number is another take of the same walk", default=StyleTrack.strides_seed, min=0
    )
    variation_strides: SETTING.whole(
        "Repeats After",
        "Strides after which Variation and Look Around repeat; a baked loop has as many. With 1, all"
        " strides are the same",
        default=StyleTrack.strides,
        min=1,
        soft_max=64,
        max=MOST_STRIDES,
    )


def stood_on(settings: PropertyGroup, _context: Context) -> None:
    """Note the place of the deck when it is chosen."""
    settings.stood_on = deck.chosen(settings.stand_on)
    changes.tell(settings.id_data)


@in_scene_units(
    *("facing", "foot_splay", "lean", "arm_spread", "elbow_bend"),
    *("head_turn", "head_nod", "head_tilt", "start_turn", "end_turn"),
)
class NeuraRigWalk(
    WalkSliders, Styles, TakeSettings, VariationSettings, HandSettings, LayerSettings, BlendSettings,
    GaitSource, Footprints, PathTimes,
    ActSettings, properties_of(OPTIONS, SETTING), PropertyGroup,
):  # fmt: skip
    """The walk of one armature."""

    controls: PLAIN.choice(
        "Controls",
        "What the walk drives. Takes effect with the next Generate Walk",
        items=(
            ("AUTO", "IK Controls", "The rig's IK controls, or a removable control layer where it has none"),
            (
                "FK",
                "FK Only",
                "The rig's FK controls, or the bones themselves: no added bones or constraints",
            ),
        ),
        default="AUTO",
    )
    # Path and time
    path: KEYABLE.thing(
        "Path",
        "What to walk along: a curve, the first of a chain of empties, or any object moved by keys",
        type=Object,
        poll=lambda _, obj: paths.can_lead(obj),
    )
    ground: KEYABLE.thing(
        "Ground",
        "Mesh to walk on, with its modifiers. Empty: the path itself, or level ground under the character",
        type=Object,
        poll=lambda settings, obj: (
            obj.type in grounds.HAVE_FACES and grounds.walker_of(obj) != settings.id_data
        ),
    )
    stand_on: OVERRIDE.other(
        "Stand On",
        "Moving object to stand on: a deck, a lift, a train. The walk moves with it from where it is now",
        update=stood_on,
    )
    ground_collection: KEYABLE.thing(
        "Ground Collection",
        "Walk on every visible mesh in this collection, except characters",
        type=Collection,
    )
    slow_in_bends: SETTING.switch(
        "Slow in Bends", "Slow down in bends as people do. Off: constant speed", default=True
    )
    start_standing: SETTING.switch(
        "Start Standing",
        "Start from standing at the beginning of the path. Off: enter it in full stride, as closed paths"
        " always do",
        default=True,
    )
    idle_seed: SETTING.whole("Idle Seed", "Another number sways and looks around at different times", min=0)
    look_at: KEYABLE.other(
        "Look At",
        "Object to look at: eyes first, then the head, then the chest, as far as they can. It may be keyed",
    )
    face: KEYABLE.other(
        "Face",
        "Object that the body faces while it moves, in Travel and Path. Facing then counts from there",
    )
    start_frame: SETTING.frame(
        "Start Frame",
        "First frame of the walk: a heel strike at the starting point",
        default=1.0,
        soft_min=0.0,
        soft_max=1000.0,
    )
    whole_frames: SETTING.switch(
        "Loop in Whole Frames",
        "Adjust the step rate slightly so that a cycle takes whole frames and loops exactly. Ignored"
        " while Speed is keyed",
        default=True,
    )
    use_network: SETTING.switch(
        "Natural Motion",
        "Shape swing, hips and upper body with the trained network. Off: a plain mechanical walk, with"
        " the feet as planted",
        default=True,
    )
    live: SETTING.switch(
        "Live", "Pose the rig on every frame. Off: the rig keeps its pose and can be animated by hand"
    )

    # State of the add-on: set by code, read by panels and scripts.
    stood_on: STATE.numbers(
        "Stood On", "Where what the character stands on was when it was chosen", size=16, default=deck.UNMOVED
    )
    report: STATE.text("Contact Report", "The last contact report of this character, as JSON text")
    report_is_old: STATE.switch("Report Is Old", "A setting was changed after the contact report was made")
    error: STATE.text("Error", "Why the walk was turned off; empty when all is well")
    preset: STATE.text("Preset", "The walk preset applied last")
    leg_length: STATE.number("Leg Length", "Thigh and shin in metres, measured; 0 before Generate Walk")
    natural_speed: STATE.number("Natural Speed", "Comfortable speed for this leg length in metres a second")
