"""From an object's settings to its walk: measured once, solved in blocks of frames, looked up frame by
frame."""

from dataclasses import replace

import bpy
import numpy as np
from bpy.types import Object, Scene

from ....core.character.character import Character
from ....core.errors import NeuraRigError
from ....core.posing.rig_table import ROOT_ROLE
from ....core.skeleton.roles import RoleMap
from ...character import controls, record, slider_curves, standing
from ...character.controls.attachment import standing_in
from ...character.read_armature import bones_key, read_skeleton, read_skin, shape
from ...character.roles import kind_of
from ...follow import follower
from .. import blend, hands, layer
from ..footprints import edits
from ..walk import Row, WalkSource
from ..way import gaze, lead
from . import keys
from .memory import Known, RememberedWalk, Rig, Untouched, walkers
from .plan import planned

# whole frames solved at once: numpy's overhead is paid once, and a slider drag still takes a millisecond
BLOCK = 64
BLOCKS_KEPT = 64
WHOLE = 1e-6  # frames nearer than this to a whole one count as whole
SAME_SIZE = 1e-6  # relative; parenting noise in a world matrix must not trigger a new measurement


def source_of(obj: Object, scene: Scene | None = None) -> WalkSource:
    """Return an object's walk for its current settings in a scene, by default the present one; cheap if
    nothing changed.

    Raises NeuraRigError if the rig cannot walk.
    """
    source = _fresh(obj, scene or bpy.context.scene, obj).source
    assert source is not None  # else `_fresh` has raised
    return source


def posed_source(obj: Object, scene: Scene) -> WalkSource:
    """Return the walk that poses an object live: for impossible settings, the last possible walk.

    Raises NeuraRigError if the rig cannot walk, or there was no walk before.
    """
    source = _fresh(obj, scene, obj, keeps=True).source
    assert source is not None
    return source


def row_at(
    obj: Object,
    scene: Scene,
    frame: float,
    ahead: bool = True,
    shown: Object | None = None,
) -> Row:
    """Return one frame: whole frames from their block, solved on first use; fractional frames exactly and
    alone.

    Without `ahead` an unknown frame is solved alone, as is best while a slider moves.
    `shown`: the evaluated object, if settings have drivers.
    """
    walker = _fresh(obj, scene, shown or obj, keeps=True)
    source, blocks = walker.source, walker.frames.blocks
    whole = round(frame)
    number, index = divmod(whole + walker.stagger, BLOCK)
    block = blocks.get(number) if abs(frame - whole) < WHOLE else None
    if block is None and (not ahead or abs(frame - whole) >= WHOLE):
        return Row(source.block(np.array([float(frame)])), 0)
    if block is None:
        block = blocks[number] = source.block(np.arange(whole - index, whole - index + BLOCK, dtype=float))
        if len(blocks) > BLOCKS_KEPT:
            blocks.popitem(last=False)
    return Row(block, index)


def untouched_row(obj: Object, scene: Scene, frame: float) -> Known | None:
    """Return a known frame; None if it is unknown, or if only a closer look can tell whether it is still
    valid."""
    walker = walkers.get(obj)
    if walker is None or walker.untouched is None:
        return None
    whole, untouched = round(frame), walker.untouched
    number, index = divmod(whole + walker.stagger, BLOCK)
    block = walker.frames.blocks.get(number)
    if block is None or abs(frame - whole) >= WHOLE:
        return None
    if untouched.key != keys.untouched_key(obj, scene, untouched.turns, untouched.is_led):
        return None
    return untouched, block, index


def roles_of(obj: Object) -> RoleMap:
    """Return the object's roles as set in the panel."""
    return RoleMap.of({item.role: item.bone for item in obj.neurarig.roles if item.bone}, kind_of(obj))


def ancestors_moved(obj: Object) -> bool:
    """Return whether a bone above the driven ones was posed by hand since the rig was read; if so, have it
    read again."""
    walker = walkers.get(obj)
    if walker is None or walker.rig is None:
        return False
    bones = obj.pose.bones
    moved = any(name not in bones or bones[name].matrix_basis != basis for name, basis in walker.rig.still)
    if moved:
        walker.forget_rig()
    return moved


def bones_changed(obj: Object) -> bool:
    """Return whether the armature's rest pose has changed since it was read; if so, have it read again."""
    walker = walkers.get(obj)
    if walker is None or walker.rig is None:
        return True
    changed = walker.rig.measured_from[1] != bones_key(obj)
    if changed:
        walker.forget_rig()
    return changed


def check_rig(obj: Object) -> None:
    """Have the rig read again if its roles have changed since."""
    walker = walkers.get(obj)
    if walker is not None and walker.rig is not None and walker.rig.roles.bones != roles_of(obj).bones:
        walker.forget_rig()


def is_fresh(obj: Object, scene: Scene) -> bool:
    """Return whether what is remembered of an object is still valid."""
    walker = walkers.get(obj)
    return (
        walker is not None
        and walker.frames is not None
        and not walker.refusal
        and walker.rig_key == _rig_key(walker, obj, scene)
        and walker.plan_key == _plan_key(walker, obj, scene, obj)
        and walker.frames_key == edits.key(obj)
    )


def _fresh(obj: Object, scene: Scene, shown: Object, keeps: bool = False) -> RememberedWalk:
    """Return what is remembered of an object, brought up to date layer by layer, for the settings as `shown`.

    `keeps`: with impossible settings the walk stays as it was.
    """
    walker = walkers.get(obj)
    if walker is None:
        walker = walkers[obj] = RememberedWalk(obj.session_uid * 7)
    _update_rig(walker, obj, scene)
    _update_plan(walker, obj, scene, shown, keeps)
    if not walker.refusal:
        _update_prints(walker, obj)
        _update_untouched(walker, obj, scene)
    return walker


def _rig_key(walker: RememberedWalk, obj: Object, scene: Scene) -> tuple:
    return keys.world_key(obj, scene, gaze.turns(obj) if walker.source is None else walker.source.turns)


def _plan_key(walker: RememberedWalk, obj: Object, scene: Scene, shown: Object) -> tuple:
    """Return the key of an object's settings as `shown`; keyed sliders are searched only when curves came or
    went."""
    place = () if obj.animation_data is None else slider_curves.place(obj)
    if place != walker.curves_key:
        walker.curves_key, walker.has_keyed_sliders = place, bool(place) and bool(slider_curves.find(obj))
    return keys.settings_key(obj, scene, shown.neurarig.walk, walker.has_keyed_sliders)


def _update_rig(walker: RememberedWalk, obj: Object, scene: Scene) -> None:
    """Read the rig, if another armature, size or tilt may ask for it; what is animated, turned about the
    vertical or noise does not."""
    key = _rig_key(walker, obj, scene)
    if key == walker.rig_key:
        return
    record.require_held_by(obj, record.WALK)
    standing.remember(obj)
    size, before = shape(obj, scene), walker.rig
    is_same = walker.rig_key is not None and walker.rig_key[0] == key[0]
    if not is_same or not np.allclose(size, before.size, rtol=SAME_SIZE, atol=SAME_SIZE * np.abs(size).max()):
        walker.rig, walker.plan_key = _read_rig(obj, scene, size, before), None
    walker.rig_key = key


def _read_rig(obj: Object, scene: Scene, size: np.ndarray, before: Rig | None) -> Rig:
    """Read a rig; its body is measured if the rest pose, roles or size are others than `before`."""
    roles, attachment = roles_of(obj), record.checked(obj)
    stands_and_drives = str(attachment.get("stands")), str(attachment["drives"]), str(attachment["leans"])
    measured_from = (
        (roles.kind, *roles.listed.items()),
        bones_key(obj),
        size.tobytes(),
        stands_and_drives,
        hands.key(obj),
        follower.chains_key(obj),
    )
    if before is None or before.measured_from != measured_from:
        character = Character.of(
            read_skeleton(obj, scene), roles, read_skin(obj, roles), standing_in(attachment)
        )
        body, posed = controls.posed_body(character.body, roles, attachment), hands.read(obj, character)
        hanging = follower.read(obj, character)
    else:
        body, posed, hanging = before.body, before.hands, before.hanging
    posed = hands.in_present_modes(obj, posed)
    table = controls.rig_table(obj, attachment, body)
    driven = {table.bones[drive.bone].name for drive in table.drives if drive.role != ROOT_ROLE}
    above = [bone.name for bone in table.bones if bone.name and bone.name not in driven]
    still = tuple((name, obj.pose.bones[name].matrix_basis.copy()) for name in above)
    return Rig(size, measured_from, body, roles, table, posed, hanging, still)


def _update_plan(
    walker: RememberedWalk,
    obj: Object,
    scene: Scene,
    shown: Object,
    keeps: bool,
) -> None:
    """Plan the walk that the settings ask for; `keeps`: see `_fresh`."""
    key, rig = _plan_key(walker, obj, scene, shown), walker.rig
    if key == walker.plan_key and (keeps or not walker.refusal):
        return
    assert rig is not None  # `_update_rig` has read it
    try:
        source, refusal = planned(obj, scene, shown.neurarig.walk, rig), ""
    except NeuraRigError as error:
        source, refusal = walker.source, str(error)
        if not keeps or source is None or source.body is not rig.body:
            raise
    if not refusal:
        walker.show(source)
    elif source.rig is not rig.table:
        walker.show(replace(source, rig=rig.table), walker.frames_key)
    walker.plan_key, walker.refusal = key, refusal


def _update_prints(walker: RememberedWalk, obj: Object) -> None:
    """Take over edited prints; the plan is not computed again."""
    key = edits.key(obj)
    if key != walker.frames_key:
        walker.show(walker.source.with_edits(edits.edits_of(obj)), key)


def _update_untouched(walker: RememberedWalk, obj: Object, scene: Scene) -> None:
    """Note by what to tell that the walk is untouched, unless something may change it on any frame."""
    turns, is_led, reaches = walker.source.turns, lead.is_led(obj), obj.neurarig.neural_pose.live
    is_animated = (
        walker.curves_key or walker.frames_key or layer.key(obj) or blend.key(obj) or keys.is_late(obj)
    )
    key = None if is_animated else keys.untouched_key(obj, scene, turns, is_led)
    if key is None:
        walker.untouched = None
    elif walker.untouched is None or walker.untouched.key != key:
        walker.untouched = Untouched(key, turns, is_led, reaches)
