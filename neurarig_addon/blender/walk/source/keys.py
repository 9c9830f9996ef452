"""Keys that change whenever what a walk depends on does; and which walks are posed only after Blender has
evaluated the frame."""

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from bpy.types import ID, Object, PropertyGroup, Scene, bpy_prop_collection

from ....core.gait.sliders.style import SLIDERS
from ...animation.frame_range import played_range
from ...character import carry, slider_curves, turning
from ...character.turning import move
from ...follow import follower
from ...live.memory import Memory
from .. import blend, layer
from ..manner.gait_source import source_key
from ..way import acts, deck, lead
from ..way.path import travels_with

_PLAIN = (
    "start_frame", "whole_frames", "mode",
    "idle_seed", "variation_seed", "variation_strides", "person_seed", "left_hand_pose", "right_hand_pose",
)  # fmt: skip
# all in one call: on small rigs this is a large part of a frame
_plain_values = attrgetter(*SLIDERS, *_PLAIN)
_of_object = attrgetter("animation_data", "parent", "data.session_uid", "matrix_basis")  # in one call
_edits = 0


def world_key(obj: Object, scene: Scene, turns: bool) -> tuple:
    """Return a key that changes whenever size or tilt do; `turns`: the walk turns the object."""
    return _axes_key(obj, scene, obj.neurarig.is_carried and (turns or deck.of(obj) is not None))


def _axes_key(obj: Object, scene: Scene, is_turned: bool) -> tuple:
    """Return an object's `world_key`; `is_turned`: by its walk, or by what it stands on."""
    matrix, above = carry.origin(obj) if is_turned else obj.matrix_basis, obj.parent
    found = obj.data.session_uid, scene.unit_settings.scale_length, matrix.to_3x3()
    while above is not None:
        found += (above.matrix_basis.to_3x3(),)
        above = above.parent
    return found


def settings_key(obj: Object, scene: Scene, settings: PropertyGroup, is_keyed: bool) -> tuple:
    """Return a key that changes whenever sliders or clock do; a keyed slider counts by its keys, not its
    current value."""
    render = scene.render
    values, curves = _plain_values(settings), ()
    if is_keyed:
        found = slider_curves.find(obj)
        values = tuple(
            value for name, value in zip((*SLIDERS, *_PLAIN), values, strict=True) if name not in found
        )
        curves = (*slider_curves.fingerprint(found), played_range(scene))
    over = layer.key(obj), blend.key(obj), acts.key(obj), follower.key(obj)
    return (
        values,
        curves,
        travels_with(obj),
        source_key(settings),
        render.fps,
        render.fps_base,
        lead.key(obj, scene),
        over,
    )


def count_edit() -> None:
    """Count an edit of any object."""
    global _edits
    _edits += 1


def untouched_key(obj: Object, scene: Scene, turns: bool, is_led: bool) -> tuple | None:
    """Return a key that changes whenever an object's walk may; None if it may on any frame, or if the user
    has moved what it turns.

    `turns`: the walk turns the object. `is_led`: by a path, ground, or what it looks at: whose edits Blender
    reports.
    Valid for walks whose sliders nothing animates, without a layer, edited prints or a deck; see `source`.
    """
    (data, parent, armature, basis), drivers = _of_object(obj), 0
    if data is not None:
        if data.action is not None or len(data.nla_tracks):
            return None
        drivers = len(data.drivers)
    if turns and obj.neurarig.is_carried and carry.is_elsewhere(obj):
        return None
    start = lead.start_key(obj, scene) if is_led else ()
    if turns or parent is not None:
        axes = _axes_key(obj, scene, turns and obj.neurarig.is_carried)
    else:
        axes = basis.to_3x3()
    render = scene.render
    return (
        _edits,
        drivers,
        render.fps,
        render.fps_base,
        scene.unit_settings.scale_length,
        armature,
        turns,
        axes,
        is_led,
        start,
    )


# what drivers may move, with its numbers per item
_FOLLOWED = slider_curves.SLIDERS_AT | {"neurarig.neural_pose.live": 1}


class _Drivers(NamedTuple):
    """An object's drivers: how many, and whether one drives a slider or its targets, or rotates or scales the
    object.

    Control rigs have many, so they are examined only after edits of the object and when their number changes.
    """

    count: int
    move_sliders: bool
    turn: bool

    @classmethod
    def of(cls, obj: Object, drivers: bpy_prop_collection) -> "_Drivers":
        known = _known.get(obj)
        if known is None or known.count != len(drivers):
            known = _known[obj] = cls(len(drivers), move(drivers, _FOLLOWED), turning.is_driven(drivers))
        return known


_known: Memory[_Drivers] = Memory()


def is_late(obj: Object) -> bool:
    """Return whether a walk is posed only once Blender has evaluated the frame."""
    if deck.of(obj) is not None:
        return True
    data = obj.animation_data
    if data is None:
        return False
    drivers = _Drivers.of(obj, data.drivers)
    return drivers.move_sliders or (
        (drivers.turn or turning.is_keyed(data)) and travels_with(obj) == "OBJECT"
    )


def look_again(edited: Iterable[ID]) -> None:
    """Have the drivers of edited objects examined again."""
    if not len(_known):
        return
    for thing in edited:
        _known.forget(thing)


def forget() -> None:
    """Have all objects' drivers examined again."""
    _known.forget()
