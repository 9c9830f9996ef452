"""Properties, declared by the marks that they have in common: `STATE.text("Error", "Why the walk was turned
off")`."""

from collections.abc import Callable
from typing import Any

from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

# Where labels of ours are looked up: there is none of Blender's own translations of words such as Walk.
OURS = "NeuraRig"


def _of(kind: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that declares a property: its name and description, and what only it has."""

    def declared(self: "Marked", *words: str, **own: Any) -> Any:
        words_of_it = dict(zip(("name", "description"), words, strict=False))
        return kind(**words_of_it, translation_context=OURS, **{**self.marks, **own})

    return declared


class Marked:
    """Declares properties with the keywords `marks` in common."""

    def __init__(self, **marks: Any) -> None:
        self.marks = marks

    def __or__(self, other: "Marked") -> "Marked":
        return Marked(**{**self.marks, **other.marks})

    switch, whole, number, text = map(_of, (BoolProperty, IntProperty, FloatProperty, StringProperty))
    choice, thing, items, numbers = map(
        _of, (EnumProperty, PointerProperty, CollectionProperty, FloatVectorProperty)
    )

    def share(self, *words: str, **own: Any) -> Any:
        """Declare a number from 0 to 1."""
        return self.number(*words, min=0.0, max=1.0, subtype="FACTOR", **own)

    def frame(self, *words: str, precision: int = 1, **own: Any) -> Any:
        """Declare a frame, perhaps between two."""
        return self.number(*words, min=-1e6, max=1e6, step=100, precision=precision, **own)


OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}  # what a library override of a character may change
KEPT = Marked()
ASKED = Marked(options={"SKIP_SAVE"})  # of buttons: as it is every time they are clicked
OVERRIDE = Marked(override=OVERRIDABLE)
PLAIN = Marked(options=set(), override=OVERRIDABLE)  # of settings that change nothing, and cannot be keyed
STATE = Marked(options={"HIDDEN"}, override=OVERRIDABLE)  # set by code
LIST = Marked(override={*OVERRIDABLE, "USE_INSERTION"})  # a library override may add to it
