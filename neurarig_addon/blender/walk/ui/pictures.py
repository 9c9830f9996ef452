"""Pictures that panels show: walks and styles, and the curves of a profile over one cycle with its stance
shaded."""

from dataclasses import dataclass
from typing import Any

import bpy
import bpy.utils.previews
import numpy as np
from bpy.types import Object, PropertyGroup

from ....core.contract.channels import POSE_AXES
from ....core.contract.inputs import SLOW
from ....core.errors import NeuraRigError
from ....core.gait.kinds import profile_cycle
from ....core.gait.sliders.style import Style
from ....core.logic.curve_picture import Box, picture
from ....core.skeleton.roles import BIPED
from ....core.styles import picture as manner_picture
from ....core.styles import styled_gait
from ....core.styles.learned_style import LearnedStyle
from ..manner import gait_source, presets, styles

MANNER_SIZE = 128  # pixels
HIGH = 4.0  # rows, of such a picture in its menu
PAUSE = 0.1  # seconds between pictures that are drawn ahead
CURVES_SIZE = 400, 340  # pixels
# Least vertical range of the drawing: share of the leg, and radians.
LEAST_RANGE_OF_LEG, LEAST_RANGE_RAD = 0.1, 0.2
_USUAL_LEG = 0.85  # metres, for a character not yet measured
_SPACING = 0.1  # share of the leg
_NATURAL_PACE = 0.41  # dimensionless, of an adult
_icons: Any = None  # an ImagePreviewCollection between `register` and `unregister`
_ahead: list[tuple[str, str]] | None = None  # what is still to be drawn ahead, None before it has begun
# by the object's session_uid: the key it was drawn with, and the result
_curves_drawn: dict[int, tuple[tuple, "CurvePicture"]] = {}


def icon_of(kind: str, name: str) -> int:
    """Return the icon of a walk or style, drawn anew if that has changed; 0 if it cannot be drawn."""
    try:
        shown = _walk(name) if kind == presets.WALK else _style(name)
    except (NeuraRigError, OSError):
        return 0
    if shown.key not in _icons:
        icon = _icons.new(shown.key)
        icon.image_size = (MANNER_SIZE, MANNER_SIZE)
        gait = styled_gait.in_styles(gait_source.natural_gait(), shown.styles)
        icon.image_pixels_float.foreach_set(
            manner_picture.picture(gait, shown.vhat, MANNER_SIZE, shown.sliders).astype(np.float32).ravel()
        )
    return _icons[shown.key].icon_id


def draw_ahead() -> None:
    """Begin to draw all walks and styles, one at a time while Blender is idle, so that their menu opens
    without a wait."""
    global _ahead
    if _ahead is None:
        kinds = (presets.WALK, presets.STYLE)
        _ahead = [(kind, name) for kind in kinds for name, _ in presets.names(kind, BIPED)]
        bpy.app.timers.register(_draw_next)


def _draw_next() -> float | None:
    if not _ahead:
        return None
    icon_of(*_ahead.pop(0))
    return PAUSE


@dataclass(frozen=True)
class _Shown:
    """A manner to be drawn: a `key` that changes with it, its styles, dimensionless speed, and sliders if
    they are not the natural ones."""

    key: str
    styles: tuple[LearnedStyle, ...]
    vhat: float
    sliders: Style | None = None


def _style(name: str) -> _Shown:
    style = styles.load(name)
    return _Shown(f"{presets.STYLE} {name} {hash(style.curves.tobytes())}", (style,), style.vhat)


def _walk(name: str) -> _Shown:
    """Return a preset as it is drawn: at the natural speed if it has no pace."""
    preset = presets.load(presets.WALK, name)
    mixed = [styles.load(style) for style in preset.styles]
    weights = dict(zip(styles.WEIGHTS, preset.styles.values(), strict=False))
    made_from = (
        preset.pace,
        *preset.sliders.items(),
        *preset.styles.items(),
        *(style.curves.tobytes() for style in mixed),
    )
    sliders = Style(**preset.sliders, **weights)
    return _Shown(
        f"{presets.WALK} {name} {hash(made_from)}", tuple(mixed), preset.pace or _NATURAL_PACE, sliders
    )


@dataclass(frozen=True)
class CurvePicture:
    """What to show: the picture's `icon`, the ranges of places and rotations, or the `error`."""

    icon: int = 0
    places: str = ""
    turns: str = ""
    error: str = ""


def curves_of(obj: Object) -> CurvePicture:
    """Return the curves of a character's profile; redrawn only after changes."""
    settings = obj.neurarig.walk
    made_from = (
        gait_source.source_key(settings),
        settings.profile_binding,
        round(settings.speed, 4),
        round(settings.leg_length, 4),
    )
    known = _curves_drawn.get(obj.session_uid)
    if known is not None and known[0] == made_from:
        return known[1]
    try:
        found = _draw(obj)
    except NeuraRigError as error:
        found = CurvePicture(error=str(error))
    _curves_drawn[obj.session_uid] = made_from, found
    return found


def curves(settings: PropertyGroup, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the six outputs `(6, columns)` of the chosen binding over its cycle, and its foot's stance
    (midline: the right one's).

    Raises NeuraRigError if the profile has no such binding or cannot be evaluated.
    """
    gait, name = gait_source.profile_gait(settings), settings.profile_binding
    binding = next((found for found in gait.profile.bindings if found.name == name), None)
    if binding is None or binding.size != len(POSE_AXES):
        raise NeuraRigError(f"The profile '{gait.profile.name}' has no binding '{name}'; look at another.")
    slow = _slow_inputs(settings)
    phase = (np.arange(columns) + 0.5) / columns
    is_left = name.endswith("_l")
    left, right = (phase, phase + 0.5) if is_left else (phase + 0.5, phase)
    outputs = profile_cycle.ProfilePhases(gait.profile).outputs(np.repeat(slow, columns, axis=0), left, right)
    stance = gait.stance(slow[0])
    begins, duty = (
        float(stance.at(each, slow[0, 0])[0 if is_left else 1]) for each in (stance.begins, stance.duty)
    )
    return outputs[:, binding.offset : binding.offset + binding.size].T, np.mod(phase - begins, 1.0) < duty


def _slow_inputs(settings: PropertyGroup) -> np.ndarray:
    leg = settings.leg_length or _USUAL_LEG
    side = [0.5 * leg, 0.5 * leg, 0.0, _SPACING * leg]
    return np.array([[settings.speed, *side, *side]]).reshape(1, SLOW)


def _draw(obj: Object) -> CurvePicture:
    settings = obj.neurarig.walk
    values, stands = curves(settings, CURVES_SIZE[0])
    leg = settings.leg_length or _USUAL_LEG
    pixels = picture(
        [Box(values[:3], LEAST_RANGE_OF_LEG * leg), Box(values[3:], LEAST_RANGE_RAD)], stands, CURVES_SIZE
    )
    key = str(obj.session_uid)
    icon = _icons.get(key) or _icons.new(key)
    icon.image_size = CURVES_SIZE
    icon.image_pixels_float.foreach_set(pixels.ravel())
    spans = np.ptp(values, axis=1) * np.array([100.0] * 3 + [np.degrees(1.0)] * 3)
    texts = [f"{axis} {span:.3g}" for axis, span in zip(POSE_AXES, spans, strict=True)]
    return CurvePicture(icon.icon_id, "   ".join(texts[:3]) + " cm", "   ".join(texts[3:]) + "°")


def register() -> None:
    """Create the previews."""
    global _icons
    _icons = bpy.utils.previews.new()


def unregister() -> None:
    """Remove the previews."""
    global _icons, _ahead
    _curves_drawn.clear()
    _ahead = None
    if bpy.app.timers.is_registered(_draw_next):
        bpy.app.timers.unregister(_draw_next)
    if _icons is not None:
        bpy.utils.previews.remove(_icons)
    _icons = None
