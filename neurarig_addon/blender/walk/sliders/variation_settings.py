"""The individual, and the variation of strides."""

from bpy.props import IntProperty

from ....core.gait.sliders.style import StyleTrack
from ....core.gait.sliders.variation import MOST_STRIDES
from ...character.changes import OVERRIDABLE
from ..changes import changed


class VariationSettings:
    """The settings of Variation and Individual: seeds, and when variation repeats."""

    person_seed: IntProperty(
        name="Person",
        description="Each number is another person. Give every character in a crowd its own",
        default=StyleTrack.person,
        min=0,
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
    variation_seed: IntProperty(
        name="Seed",
        description="Each number is another take of the same walk",
        default=StyleTrack.strides_seed,
        min=0,
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
    variation_strides: IntProperty(
        name="Repeats After",
        description="Strides after which Variation and Look Around repeat; a baked loop has as many. With 1, all strides are the same",
        default=StyleTrack.strides,
        min=1,
        soft_max=64,
        max=MOST_STRIDES,
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
