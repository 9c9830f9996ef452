"""Setting sliders together: a character's natural speed, and a whole manner of walking from a preset."""

import bpy
from bpy.types import Object, PropertyGroup

from ....core.character.body import Body
from ....core.gait.kinds.gaits import ANIMALS, GAITS, bounce_of, quicker, walking_speed
from ....core.gait.kinds.law import natural_run_speed
from ....core.gait.kinds.natural import dimensionless_speed, speed_of
from ....core.gait.sliders.style import STYLE_WEIGHTS, Style
from ....core.gait.synthesis import natural_speed
from ....core.skeleton.roles import BIPED, QUADRUPED
from ...character.roles import kind_of
from . import presets, styles

SAME_SPEED = 1e-4  # m/s; a property is stored as float32
SAME_VALUE = 1e-6


def set_defaults(obj: Object, body: Body, gait: str) -> None:
    """Set a gait's natural speed and the scene's first frame as start, unless others were chosen.

    A speed counts as chosen if it is neither the property's default nor an earlier natural speed.
    """
    settings = obj.neurarig.walk
    if not settings.is_property_set("start_frame"):
        settings.start_frame = bpy.context.scene.frame_start
    untouched = not settings.is_property_set("speed") or _is_natural(settings)
    remember_size(obj, body)
    if untouched:
        settings.speed = _natural(settings, gait)


def suit_speed(settings: PropertyGroup) -> None:
    """Set the natural speed of the gait, or of the styles, if the speed was another gait's natural one."""
    own = styles.own_speed(settings)
    if _is_natural(settings) or (own is not None and abs(settings.speed - own) < SAME_SPEED):
        settings.speed = _natural(settings, settings.gait)
        take_own_speed(settings.id_data)


def take_own_speed(obj: Object) -> None:
    """Set the speed at which the styles were learned, if there are any."""
    settings = obj.neurarig.walk
    speed = styles.own_speed(settings)
    if speed is not None and settings.gait in ("WALK", "BY_SPEED"):
        settings.speed = speed


def _is_natural(settings: PropertyGroup) -> bool:
    if not settings.leg_length:
        return False
    return any(abs(settings.speed - _natural(settings, gait)) < SAME_SPEED for gait in GAITS)


def _natural(settings: PropertyGroup, gait: str) -> float:
    kind = kind_of(settings.id_data)
    if kind in ANIMALS:
        return settings.natural_speed * quicker(gait, kind)
    bounce = bounce_of(gait, settings.lead, settings.hop_on)
    if bounce is not None:
        return speed_of(bounce.vhat, settings.leg_length)
    render = bpy.context.scene.render
    return (
        natural_run_speed(settings.leg_length, render.fps / render.fps_base)
        if gait == "RUN"
        else settings.natural_speed
    )


def remember_size(obj: Object, body: Body) -> None:
    """Store the leg length and the natural speed that follows from it, which presets need."""
    render = bpy.context.scene.render
    obj.neurarig.walk.leg_length = body.leg_length
    obj.neurarig.walk.natural_speed = (
        walking_speed(body) if body.kind in ANIMALS else natural_speed(body, render.fps / render.fps_base)
    )


def set_walk(obj: Object, preset: presets.Preset) -> None:
    """Set every slider from a manner of walking; the character's size must be known."""
    settings = obj.neurarig.walk
    styles.set_all(obj, preset.styles)
    if preset.pace is None:
        settings.speed = _natural(settings, settings.gait)
    else:
        settings.speed = preset.pace / float(dimensionless_speed(1.0, settings.leg_length))
    natural = Style()
    for slider in presets.WALK_SLIDERS:
        setattr(settings, slider, preset.sliders.get(slider, getattr(natural, slider)))
    settings.preset = preset.name


def current_walk(obj: Object, name: str) -> presets.Preset:
    """Return the character's manner of walking as a preset; its size must be known."""
    settings, natural = obj.neurarig.walk, Style()
    values = {slider: getattr(settings, slider) for slider in presets.WALK_SLIDERS}
    changed = {
        slider: value
        for slider, value in values.items()
        if abs(value - getattr(natural, slider)) > SAME_VALUE
    }
    pace = float(dimensionless_speed(settings.speed, settings.leg_length))
    weights = {
        slot.name: getattr(settings, slider)
        for slot, slider in zip(settings.styles, STYLE_WEIGHTS, strict=False)
        if slot.content
    }
    kind = kind_of(obj) if kind_of(obj) == QUADRUPED else BIPED
    return presets.Preset(presets.WALK, name, "", pace, changed, weights, character=kind)
