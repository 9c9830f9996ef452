"""Settings of the manner besides sliders: source of the gait, styles, recorded walk, person and variation."""

import bpy

from ....core.gait.sliders.style import StyleTrack
from ....core.gait.sliders.variation import MOST_STRIDES
from ...animation.properties import KEPT, LIST, OVERRIDE, PLAIN, STATE
from ..changes import KEYABLE, SETTING, changes


def _constant_changed(constant: "NeuraRigConstant", context: bpy.types.Context) -> None:
    held = min(max(constant.value, constant.low), constant.high)
    if abs(held - constant.value) > 0.0:  # false for NaN, which the profile refuses
        constant.value = held  # calls this again
    else:
        changes.tell(constant.id_data)


class NeuraRigConstant(bpy.types.PropertyGroup):
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


class NeuraRigStyle(bpy.types.PropertyGroup):
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
