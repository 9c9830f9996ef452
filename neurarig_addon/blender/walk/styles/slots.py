"""A character's styles and their weights: read, set, removed."""

from collections.abc import Mapping
from functools import lru_cache

import bpy

from ....core.errors import NeuraRigError
from ....core.finite import is_finite
from ....core.gait.kinds.natural import speed_of
from ....core.gait.sliders.style import STYLE_STRENGTHS, STYLE_WEIGHTS
from ....core.styles.learned_style import LearnedStyle, mean_vhat
from ....core.styles.style_file import from_json, to_json
from ..changes import changes
from . import library

WEIGHTS, STRENGTHS = STYLE_WEIGHTS, STYLE_STRENGTHS
MOST = len(WEIGHTS)
MOST_WEIGHT = 1.5


def contents(settings: bpy.types.PropertyGroup) -> tuple[str, ...]:
    """Return the styles in use as text, '' for a free place between others."""
    return tuple(slot.content for slot in settings.styles)


def names(settings: bpy.types.PropertyGroup) -> list[str]:
    """Return the names of the styles in use."""
    return [slot.name for slot in settings.styles if slot.content]


def styles_of(settings: bpy.types.PropertyGroup) -> tuple[LearnedStyle | None, ...]:
    """Return the styles in use, None for a free place; raises NeuraRigError for a damaged one."""
    return read(contents(settings))


@lru_cache(maxsize=32)
def read(texts: tuple[str, ...]) -> tuple[LearnedStyle | None, ...]:
    """Return the styles in texts, None for an empty one."""
    return tuple(from_json(text, "A style in this file") if text else None for text in texts[:MOST])


def put(obj: bpy.types.Object, style: LearnedStyle, weight: float = 1.0) -> None:
    """Add a style to a character, or change the weight of one that it has.

    Raises NeuraRigError if there is no place left.
    """
    settings = obj.neurarig.walk
    place = next((number for number, slot in enumerate(settings.styles) if slot.name == style.name and slot.content), None)
    if place is None:
        place = next((number for number, slot in enumerate(settings.styles) if not slot.content), len(settings.styles))
    if place >= MOST:
        raise NeuraRigError(f"'{obj.name}' walks in {MOST} styles, the most that can be blended; remove one first.")
    with changes.as_one(obj):
        slot = settings.styles[place] if place < len(settings.styles) else settings.styles.add()
        slot.name, slot.content = style.name, to_json(style)
        setattr(settings, WEIGHTS[place], weight)


def take_out(obj: bpy.types.Object, place: int) -> str:
    """Remove the style at an index and return its name; the others keep their sliders, and so their keys."""
    settings = obj.neurarig.walk
    if not 0 <= place < len(settings.styles) or not settings.styles[place].content:
        raise NeuraRigError(f"'{obj.name}' has no style in that slot.")
    name = settings.styles[place].name
    with changes.as_one(obj):
        settings.styles[place].name = settings.styles[place].content = ""
        settings.property_unset(WEIGHTS[place])
        while len(settings.styles) and not settings.styles[-1].content:
            settings.styles.remove(len(settings.styles) - 1)
    return name


def require(wanted: object) -> None:
    """Refuse anything but a mapping from existing styles to weights, before anything is changed."""
    if not isinstance(wanted, Mapping):
        raise NeuraRigError(f"The setting 'styles' needs names of styles with their weights, such as {{'Sad': 1.0}}, not '{wanted}'.")
    if len(wanted) > MOST:
        raise NeuraRigError(f"A walk blends up to {MOST} styles, not {len(wanted)}; leave some out.")
    for name, weight in wanted.items():
        library.load(str(name))
        if not is_finite(weight) or not 0.0 <= weight <= MOST_WEIGHT:
            raise NeuraRigError(f"The weight of the style '{name}' needs a number from 0 to {MOST_WEIGHT:g}, not '{weight}'.")


def set_all(obj: bpy.types.Object, wanted: Mapping[str, float]) -> None:
    """Set a character's styles, from the library or files, with these weights, replacing all others."""
    chosen = [(library.load(name), weight) for name, weight in wanted.items()]
    settings = obj.neurarig.walk
    with changes.as_one(obj):
        settings.styles.clear()
        for slider in WEIGHTS:
            settings.property_unset(slider)
        for style, weight in chosen:
            put(obj, style, weight)


def own_speed(settings: bpy.types.PropertyGroup) -> float | None:
    """Return the speed in m/s at which the styles in use were learned, for this character's legs; None without styles or legs."""
    used = [(style, getattr(settings, slider)) for style, slider in zip(styles_of(settings), WEIGHTS, strict=False) if style]
    if not used or not settings.leg_length:
        return None
    vhat = mean_vhat([style for style, _ in used], [weight for _, weight in used])
    return None if vhat is None else speed_of(vhat, settings.leg_length)
