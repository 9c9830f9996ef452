"""Settings of the manner besides sliders: source of the gait, styles, recorded walk, person and variation."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    StringProperty,
)

from ....core.gait.sliders.style import StyleTrack
from ....core.gait.sliders.variation import MOST_STRIDES
from ...character.changes import LIST, OVERRIDABLE, PLAIN, STATE
from ..changes import KEYABLE, SETTING, changes


def _constant_changed(constant: "NeuraRigConstant", context: bpy.types.Context) -> None:
    held = min(max(constant.value, constant.low), constant.high)
    if abs(held - constant.value) > 0.0:  # false for NaN, which the profile refuses
        constant.value = held  # calls this again
    else:
        changes.tell(constant.id_data)


class NeuraRigConstant(bpy.types.PropertyGroup):
    """An editable number of the profile; its `name` is the profile's."""

    value: FloatProperty(
        name="Value",
        description="A constant of the profile; its meaning is shown below the list",
        options=set(),
        step=1,
        precision=3,
        override=OVERRIDABLE,
        update=_constant_changed,
    )
    low: FloatProperty(name="Smallest", description="The smallest value", **STATE)
    high: FloatProperty(name="Largest", description="The largest value", **STATE)
    text: StringProperty(name="Meaning", description="The profile's note on the constant", **STATE)


class GaitSource:
    """The settings of the gait's source."""

    gait_source: EnumProperty(
        name="Gait Source",
        description="Where the walk's curves, stride and timing come from",
        items=(
            ("HUMAN", "Human Gait", "How people walk, learned from motion capture and gait laboratories"),
            ("PROFILE", "Profile", "A logic profile: a gait written as formulas, shipped or your own"),
        ),
        default="HUMAN",
        **SETTING,
    )
    profile: StringProperty(
        name="Profile Text",
        description="The profile as JSON text; it travels with the file",
        **(KEYABLE | STATE),
    )
    profile_name: StringProperty(name="Profile", description="Name of the profile", **STATE)
    profile_constants: CollectionProperty(type=NeuraRigConstant, **LIST)
    active_constant: IntProperty(name="Constant", description="The selected constant", **STATE)
    profile_report: StringProperty(
        name="Profile Report", description="What the last check of the profile found", **STATE
    )
    profile_binding: EnumProperty(
        name="Curves",
        description="Curves to draw over one cycle, at the character's speed and leg length",
        items=(
            ("foot_r", "Right Foot", "The right foot"),
            ("foot_l", "Left Foot", "The left foot"),
            ("ball_r", "Right Ball", "The right ball of the foot"),
            ("ball_l", "Left Ball", "The left ball of the foot"),
            ("pelvis", "Pelvis", "The pelvis"),
            ("spine", "Spine", "The spine, in profiles that have one"),
        ),
        default="foot_r",
        **PLAIN,
    )
    keep_planted: BoolProperty(
        name="Keep Feet Planted",
        description=(
            "The feet roll on their prints and cannot slip, at the profile's own stride and time on the"
            " ground. Off, they go where the formulas put them, and Check Motion says how far they slip"
        ),
        default=True,
        **SETTING,
    )

    profile_weights: StringProperty(
        name="Trained Weights",
        description=(
            "The network trained on the profile, a .safetensors file as base64 text; it travels with the file"
        ),
        **(KEYABLE | STATE),
    )
    profile_weights_for: StringProperty(
        name="Trained For",
        description="What tells the profile that the weights were trained on, and the weights",
        **STATE,
    )
    use_trained: BoolProperty(
        name="Trained Network",
        description="Walk by the network that was trained on this profile instead of its formulas",
        default=True,
        **SETTING,
    )


class NeuraRigStyle(bpy.types.PropertyGroup):
    """A style in use; its index in the list says which slider is its weight. It is stored whole, so that the
    file needs no library."""

    content: StringProperty(
        name="Content",
        description="The style's file; empty where this place is free",
        options=STATE["options"],
        update=changes.changed,
    )


class Styles:
    """The styles of a walk."""

    styles: CollectionProperty(
        name="Styles", description="The styles of the walk", type=NeuraRigStyle, override=OVERRIDABLE
    )


class TakeSettings:
    """The recorded walk; stored whole, so that the file needs no clip."""

    take: StringProperty(name="Recorded Walk", description="The recorded walk; empty without one", **STATE)
    # Identifies the recorded walk without reading it; set last, when everything else is in place.
    take_digest: StringProperty(name="Recorded Walk's Digest", **(KEYABLE | STATE))


class VariationSettings:
    """The settings of Variation and Individual: seeds, and when variation repeats."""

    person_seed: IntProperty(
        name="Person",
        description="Each number is another person. Give every character in a crowd its own",
        default=StyleTrack.person,
        min=0,
        **SETTING,
    )
    variation_seed: IntProperty(
        name="Seed",
        description="Each number is another take of the same walk",
        default=StyleTrack.strides_seed,
        min=0,
        **SETTING,
    )
    variation_strides: IntProperty(
        name="Repeats After",
        description=(
            "Strides after which Variation and Look Around repeat; a baked loop has as many. With 1, all"
            " strides are the same"
        ),
        default=StyleTrack.strides,
        min=1,
        soft_max=64,
        max=MOST_STRIDES,
        **SETTING,
    )
