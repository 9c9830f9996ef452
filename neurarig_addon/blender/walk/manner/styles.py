"""Styles: the library of shipped and own ones, one file each; and the weighted ones that a character uses."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from bpy.types import Object, PropertyGroup

from ....core.errors import NeuraRigError
from ....core.files.given_file import exists
from ....core.files.json_text import is_finite
from ....core.gait.kinds.natural import speed_of
from ....core.gait.sliders.style import STYLE_STRENGTHS, STYLE_WEIGHTS
from ....core.styles.learned_style import LearnedStyle, from_json, mean_vhat, read_style, to_json, write_style
from ..changes import changes
from . import presets
from .presets import STYLE

WEIGHTS, STRENGTHS = STYLE_WEIGHTS, STYLE_STRENGTHS
MOST = len(WEIGHTS)
MOST_WEIGHT = 1.5


def names() -> list[tuple[str, bool]]:
    """Return `(name, shipped)` of every style: the shipped ones in order, then the user's by name."""
    return presets.names(STYLE)


def load(name_or_path: str) -> LearnedStyle:
    """Return a style by name, or the one in a file; raises NeuraRigError if there is none."""
    path = presets.path_of(STYLE, name_or_path)
    if path is not None:
        return _read(path, path.stat().st_mtime_ns)
    given = Path(name_or_path)
    if given.suffix.lower() == ".json" and exists(given):
        return read_style(given)
    known = ", ".join(name for name, _ in names())
    raise NeuraRigError(f"There is no style named '{name_or_path}'; choose one of: {known}, or a style file.")


def save(style: LearnedStyle) -> Path:
    """Write a user style, replacing an older one of the same name; returns its file."""
    path = presets.own_file(STYLE, style.name)
    write_style(path, style)
    return path


def description(name: str) -> str:
    """Return a style's description; empty if it cannot be read."""
    try:
        style = load(name)
    except (NeuraRigError, OSError):
        return ""
    return " ".join(part for part in (style.description, f"({style.credit})" if style.credit else "") if part)


@lru_cache(maxsize=128)
def _read(path: Path, _written: int) -> LearnedStyle:
    return read_style(path)


def contents(settings: PropertyGroup) -> tuple[str, ...]:
    """Return the styles in use as text, '' for a free place between others."""
    return tuple(slot.content for slot in settings.styles)


def names_in_use(settings: PropertyGroup) -> list[str]:
    """Return the names of the styles in use."""
    return [slot.name for slot in settings.styles if slot.content]


@lru_cache(maxsize=32)
def read(texts: tuple[str, ...]) -> tuple[LearnedStyle | None, ...]:
    """Return the styles in texts, None for an empty one."""
    return tuple(from_json(text, "A style in this file") if text else None for text in texts[:MOST])


def put(obj: Object, style: LearnedStyle, weight: float = 1.0) -> None:
    """Add a style to a character, or change the weight of one that it has.

    Raises NeuraRigError if there is no place left.
    """
    settings = obj.neurarig.walk
    place = next(
        (number for number, slot in enumerate(settings.styles) if slot.name == style.name and slot.content),
        None,
    )
    if place is None:
        place = next(
            (number for number, slot in enumerate(settings.styles) if not slot.content), len(settings.styles)
        )
    if place >= MOST:
        raise NeuraRigError(
            f"'{obj.name}' walks in {MOST} styles, the most that can be blended; remove one first."
        )
    with changes.as_one(obj):
        slot = settings.styles[place] if place < len(settings.styles) else settings.styles.add()
        slot.name, slot.content = style.name, to_json(style)
        setattr(settings, WEIGHTS[place], weight)


def take_out(obj: Object, place: int) -> str:
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


def require_styles(wanted: object) -> None:
    """Refuse anything but a mapping from existing styles to weights, before anything is changed."""
    if not isinstance(wanted, Mapping):
        raise NeuraRigError(
            "The setting 'styles' needs names of styles with their weights, such as {'Sad': 1.0}, not"
            f" '{wanted}'."
        )
    if len(wanted) > MOST:
        raise NeuraRigError(f"A walk blends up to {MOST} styles, not {len(wanted)}; leave some out.")
    for name, weight in wanted.items():
        load(str(name))
        if not is_finite(weight) or not 0.0 <= weight <= MOST_WEIGHT:
            raise NeuraRigError(
                f"The weight of the style '{name}' needs a number from 0 to {MOST_WEIGHT:g}, not '{weight}'."
            )


def set_all(obj: Object, wanted: Mapping[str, float]) -> None:
    """Set a character's styles, from the library or files, with these weights, replacing all others."""
    chosen = [(load(name), weight) for name, weight in wanted.items()]
    settings = obj.neurarig.walk
    with changes.as_one(obj):
        settings.styles.clear()
        for slider in WEIGHTS:
            settings.property_unset(slider)
        for style, weight in chosen:
            put(obj, style, weight)


def own_speed(settings: PropertyGroup) -> float | None:
    """Return the speed in m/s at which the styles in use were learned, for this character's legs; None
    without styles or legs."""
    used = [
        (style, getattr(settings, slider))
        for style, slider in zip(read(contents(settings)), WEIGHTS, strict=False)
        if style
    ]
    if not used or not settings.leg_length:
        return None
    vhat = mean_vhat([style for style, _ in used], [weight for _, weight in used])
    return None if vhat is None else speed_of(vhat, settings.leg_length)
