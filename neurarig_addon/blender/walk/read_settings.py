"""Keys that change whenever the settings of a walk do: its sliders and clock, its size and tilt."""

from operator import attrgetter

import bpy

from ...core.gait.sliders.style import SLIDERS
from ..character import carry
from .gait_source import source_key
from .ground import deck
from .layer import action_layer
from .sliders import slider_curves
from .way import led

_PLAIN = (
    "start_frame", "whole_frames", "mode", "travel_with",
    "idle_seed", "variation_seed", "variation_strides", "person_seed", "left_hand_pose", "right_hand_pose",
)  # fmt: skip
_plain_values = attrgetter(*SLIDERS, *_PLAIN)  # all in one call: on small rigs this is a large part of a frame


def world_key(obj: bpy.types.Object, scene: bpy.types.Scene, turns: bool) -> tuple:
    """Return a key that changes whenever size or tilt do; `turns`: the walk turns the object."""
    return axes_key(obj, scene, obj.neurarig.is_carried and (turns or deck.of(obj) is not None))


def axes_key(obj: bpy.types.Object, scene: bpy.types.Scene, is_turned: bool) -> tuple:
    """Return an object's `world_key`; `is_turned`: by its walk, or by what it stands on."""
    matrix, above = carry.origin(obj) if is_turned else obj.matrix_basis, obj.parent
    found = obj.data.session_uid, scene.unit_settings.scale_length, matrix.to_3x3()
    while above is not None:
        found += (above.matrix_basis.to_3x3(),)
        above = above.parent
    return found


def settings_key(obj: bpy.types.Object, scene: bpy.types.Scene, settings: bpy.types.PropertyGroup, is_keyed: bool) -> tuple:
    """Return a key that changes whenever sliders or clock do; a keyed slider counts by its keys, not its current value."""
    render = scene.render
    values, curves = _plain_values(settings), ()
    if is_keyed:
        found = slider_curves.find(obj)
        values = tuple(value for name, value in zip((*SLIDERS, *_PLAIN), values, strict=True) if name not in found)
        curves = (*slider_curves.fingerprint(found), scene.frame_start, scene.frame_end)
    return values, curves, source_key(settings), render.fps, render.fps_base, led.key(obj, scene), action_layer.key(obj)
