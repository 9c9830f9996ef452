"""From an object's settings to its walk: measured once, solved in blocks of frames, looked up frame by frame."""

from collections.abc import Iterable
from dataclasses import replace

import bpy
import numpy as np

from ....core.character.character import Character
from ....core.errors import NeuraRigError
from ....core.posing.rig_table import ROOT_ROLE
from ....core.skeleton.roles import RoleMap
from ...character import controls, record, standing
from ...character.controls.attachment import standing_in
from ...character.read_armature import bones_key, read_skeleton, read_soles, shape
from .. import hands, layer, slider_curves
from ..footprints import edits
from ..walk import Row, WalkSource
from ..way import gaze, lead
from . import keys, lateness
from .keys import settings_key, world_key
from .memory import Known, RememberedWalk, walkers
from .plan import planned

BLOCK = 64  # whole frames solved at once: numpy's overhead is paid once, and a slider drag still takes a millisecond
BLOCKS_KEPT = 64
WHOLE = 1e-6  # frames nearer than this to a whole one count as whole
SAME_SHAPE = 1e-6  # relative; parenting noise in a world matrix must not trigger a new measurement


def rig_changed(obj: bpy.types.Object | None = None) -> None:
    """Have the rig of `obj` (None: of every object) read again before its next frame."""
    for walker in walkers.values() if obj is None else filter(None, [walkers.get(obj)]):
        walker.rig_is_stale = True
        walker.curve_place = None


def unwatch_all_but(objects: Iterable[bpy.types.Object]) -> None:
    """Have all walks but those of `objects` read what leads them again: something was edited, which only these have been notified of."""
    watched = {obj.session_uid for obj in objects}
    for uid, walker in walkers.items():
        walker.is_unwatched |= uid not in watched


def forget(obj: bpy.types.Object | None = None) -> None:
    """Drop what is remembered of `obj` (None: of every object)."""
    walkers.forget(obj)


def source_of(obj: bpy.types.Object, scene: bpy.types.Scene) -> WalkSource:
    """Return an object's walk for its current settings; cheap if nothing changed.

    Raises NeuraRigError if the rig cannot walk.
    """
    return _fresh(obj, scene, obj).source


def posed_source(obj: bpy.types.Object, scene: bpy.types.Scene) -> WalkSource:
    """Return the walk that poses an object live: for impossible settings, the last possible walk.

    Raises NeuraRigError if the rig cannot walk, or there was no walk before.
    """
    return _fresh(obj, scene, obj, keeps=True).source


def row_at(obj: bpy.types.Object, scene: bpy.types.Scene, frame: float, ahead: bool = True, shown: bpy.types.Object | None = None) -> Row:
    """Return one frame: whole frames from their block, solved on first use; fractional frames exactly and alone.

    Without `ahead` an unknown frame is solved alone, as is best while a slider moves.
    `shown`: the evaluated object, if settings have drivers.
    """
    walker = _fresh(obj, scene, shown or obj, keeps=True)
    source = walker.source
    whole = round(frame)
    number, index = divmod(whole + walker.stagger, BLOCK)
    block = walker.blocks.get(number) if abs(frame - whole) < WHOLE else None
    if block is None and (not ahead or abs(frame - whole) >= WHOLE):
        return Row(source.block(np.array([float(frame)])), 0)
    if block is None:
        block = walker.blocks[number] = source.block(np.arange(whole - index, whole - index + BLOCK, dtype=float))
        if len(walker.blocks) > BLOCKS_KEPT:
            walker.blocks.popitem(last=False)
    return Row(block, index)


def untouched_row(obj: bpy.types.Object, scene: bpy.types.Scene, frame: float) -> Known | None:
    """Return a known frame; None if it is unknown, or if only a closer look can tell whether it is still valid."""
    walker = walkers.get(obj)
    if walker is None or walker.stamp is None or walker.rig_is_stale or walker.is_unwatched:
        return None
    whole = round(frame)
    number, index = divmod(whole + walker.stagger, BLOCK)
    block = walker.blocks.get(number)
    if block is None or abs(frame - whole) >= WHOLE or walker.stamp != keys.untouched_key(obj, scene, walker.source.turns, walker.is_led):
        return None
    return walker, block, index


def roles_of(obj: bpy.types.Object) -> RoleMap:
    """Return the object's roles as set in the panel."""
    return RoleMap.of({item.role: item.bone for item in obj.neurarig.roles if item.bone})


def ancestors_moved(obj: bpy.types.Object) -> bool:
    """Return whether a bone above the driven ones was posed by hand since the rig was read; if so, have it read again."""
    walker = walkers.get(obj)
    if walker is None:
        return False
    bones = obj.pose.bones
    moved = any(name not in bones or bones[name].matrix_basis != basis for name, basis in walker.still)
    walker.rig_is_stale |= moved
    return moved


def bones_changed(obj: bpy.types.Object) -> bool:
    """Return whether the armature's rest pose has changed since it was read; if so, have it read again."""
    walker = walkers.get(obj)
    if walker is None or walker.measured is None:
        return True
    changed = walker.measured[0][1] != bones_key(obj)
    walker.rig_is_stale |= changed
    return changed


def check_rig(obj: bpy.types.Object) -> None:
    """Have the rig read again if its roles have changed since."""
    walker = walkers.get(obj)
    if walker is not None and walker.roles.bones != roles_of(obj).bones:
        walker.rig_is_stale = True


def is_fresh(obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Return whether what is remembered of an object is still valid."""
    walker = walkers.get(obj)
    return (
        walker is not None
        and walker.source is not None
        and not (walker.rig_is_stale or walker.is_unwatched)
        and walker.world == world_key(obj, scene, walker.source.turns)
        and walker.settings_key == _settings_key(walker, obj, scene, obj)
        and walker.prints_key == edits.key(obj)
    )


def _fresh(obj: bpy.types.Object, scene: bpy.types.Scene, shown: bpy.types.Object, keeps: bool = False) -> RememberedWalk:
    """Return what is remembered of an object, brought up to date: the rig, then the settings as `shown`.

    `keeps`: with impossible settings the walk stays as it was.
    """
    walker = walkers.get(obj)
    if walker is None:
        walker = walkers[obj] = RememberedWalk(obj.session_uid * 7)
    world = world_key(obj, scene, gaze.turns(obj) if walker.source is None else walker.source.turns)
    walker.rig_is_stale |= walker.world[:1] != world[:1]  # it has another armature now
    rig_changes = (walker.rig_is_stale or world != walker.world) and _update_rig(walker, obj, scene)
    walker.world = world
    key = _settings_key(walker, obj, scene, shown)
    changes = rig_changes or key != walker.settings_key or walker.source is None or walker.is_unwatched
    if changes and keeps and walker.refused is not None and walker.refused[0] == key and not (rig_changes or walker.is_unwatched):
        return walker
    if changes:
        try:
            source = planned(obj, scene, shown.neurarig.walk, (walker.measured[1], walker.roles, walker.rig), walker.hands)
        except NeuraRigError as error:
            if not (keeps and walker.source is not None and walker.source.body is walker.measured[1]):
                raise
            if walker.source.rig is not walker.rig:
                walker.source = replace(walker.source, rig=walker.rig)
                walker.blocks.clear()
            walker.refused, walker.settings_key, walker.is_unwatched = (key, str(error)), (), False
            return walker
        walker.source, walker.refused = source, None
        walker.settings_key, walker.prints_key, walker.is_unwatched = key, (), False
        walker.blocks.clear()
    prints_key = edits.key(obj)
    if prints_key != walker.prints_key:
        walker.source, walker.prints_key = walker.source.with_edits(edits.edits_of(obj)), prints_key
        walker.blocks.clear()
    walker.is_led, walker.reaches = lead.is_led(obj), obj.neurarig.neural_pose.live
    stamp = keys.untouched_key(obj, scene, walker.source.turns, walker.is_led) if _is_plain(walker, obj) else None
    if stamp != walker.stamp:
        walker.stamp, walker.slots, walker.ready = stamp, None, None
    return walker


def _is_plain(walker: RememberedWalk, obj: bpy.types.Object) -> bool:
    """Return whether a walk depends only on settings that nothing animates, and on things whose edits Blender reports."""
    return not (walker.curve_place or walker.prints_key or layer.key(obj) or lateness.is_late(obj))


def _settings_key(walker: RememberedWalk, obj: bpy.types.Object, scene: bpy.types.Scene, shown: bpy.types.Object) -> tuple:
    """Return the key of an object's settings as `shown`; keyed sliders are searched only when curves came or went."""
    place = () if obj.animation_data is None else slider_curves.place(obj)
    if place != walker.curve_place:
        walker.curve_place, walker.has_keyed_sliders = place, bool(place) and bool(slider_curves.find(obj))
    return settings_key(obj, scene, shown.neurarig.walk, walker.has_keyed_sliders)


def _update_rig(walker: RememberedWalk, obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Read the rig, and measure the body if the rest pose, roles or size changed; return whether anything did."""
    record.require_held_by(obj, record.WALK)
    standing.remember(obj)
    now = shape(obj, scene)
    if not walker.rig_is_stale and np.allclose(now, walker.shape, rtol=SAME_SHAPE, atol=SAME_SHAPE * np.abs(now).max()):
        return False  # turned about the vertical, animated, or numerical noise: the walk stays the same
    roles = roles_of(obj)
    made = record.checked(obj)
    attachment = str(made.get("stands")), str(made["drives"])
    measured_from = tuple(roles.listed.items()), bones_key(obj), now.tobytes(), attachment, hands.key(obj)
    if walker.measured is None or walker.measured[0] != measured_from:
        character = Character.of(read_skeleton(obj, scene), roles, read_soles(obj, roles), standing_in(made))
        body = controls.posed_body(character.body, roles, made)
        walker.measured, walker.hands = (measured_from, body), hands.read(obj, character)
    walker.hands = hands.in_present_modes(obj, walker.hands)
    walker.rig = controls.rig_table(obj, made, walker.measured[1])
    driven = {walker.rig.bones[drive.bone].name for drive in walker.rig.drives if drive.role != ROOT_ROLE}
    above = [bone.name for bone in walker.rig.bones if bone.name and bone.name not in driven]
    walker.still = tuple((name, obj.pose.bones[name].matrix_basis.copy()) for name in above)
    walker.roles, walker.shape, walker.rig_is_stale = roles, now, False
    return True
