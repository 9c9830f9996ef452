"""Properties, declared by the marks that they have in common: `STATE.text("Error", "Why the walk was turned
off")`."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import radians
from typing import Any

import bpy
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
from bpy.types import Object, Operator, bpy_struct

# Where labels of ours are looked up: there is none of Blender's own translations of words such as Walk.
OURS = "NeuraRig"


# A setting is kept in metres, m/s, seconds or degrees, whatever the scene's units. Where these are others,
# what is shown and typed is another property, with this at the end of its name.
IN_SCENE = "_in_scene"


def in_scene_units(*degrees: str) -> Callable[[type], type]:
    """Return a decorator that gives lengths, speeds and these angles, of a group or an operator, their
    properties in the scene's units."""

    def with_them(kind: type) -> type:
        declared = {
            name: each.keywords
            for base in reversed(kind.__mro__)
            for name, each in vars(base).get("__annotations__", {}).items()
            if hasattr(each, "keywords")
        }
        for name, words in declared.items():
            unit = "ROTATION" if name in degrees else words.get("unit", "NONE")
            if unit != "NONE":
                kind.__annotations__[name + IN_SCENE] = _in_scene(name, words, unit)
        return kind

    return with_them


def shown_as(of: bpy_struct, name: str) -> str:
    """Return the name of the property that shows a setting in the scene's units."""
    unit = _unit(type(of.properties if isinstance(of, Operator) else of), name + IN_SCENE)
    if not unit:
        return name
    units = bpy.context.scene.unit_settings
    is_scaled = abs(units.scale_length - 1.0) > 1e-6
    is_other = units.system_rotation == "RADIANS" if unit == "ROTATION" else is_scaled
    return name + IN_SCENE if is_other else name


@lru_cache(1024)
def _unit(kind: type[bpy_struct], name: str) -> str:
    """Return the unit of a property, '' if there is none; looking it up takes as long as drawing it."""
    shown = kind.bl_rna.properties.get(name)
    return shown.unit if shown else ""


def stored(of: bpy_struct) -> list[str]:
    """Return the names of the properties of a group that can be set and hold what they are set to."""
    names = (prop.identifier for prop in of.bl_rna.properties if not prop.is_readonly)
    return [name for name in names if not name.endswith(IN_SCENE)]


def _in_scene(name: str, words: Mapping[str, Any], unit: str) -> Any:
    def factor() -> float:
        if unit == "ROTATION":
            return radians(1.0)
        return 1.0 / bpy.context.scene.unit_settings.scale_length

    return KEPT.number(
        words["name"].removesuffix(" (°)"),
        words["description"],
        unit=unit,
        precision=3,
        options={"HIDDEN", "SKIP_SAVE"},
        get=lambda of: getattr(of, name) * factor(),
        set=lambda of, value: setattr(of, name, value / factor()),
    )


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

    def other(self, *words: str, **own: Any) -> Any:
        """Declare an object other than the one that has the settings."""
        return self.thing(*words, type=Object, poll=lambda settings, obj: obj != settings.id_data, **own)

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
