"""Differences between Blender's versions: action slots from 4.4 on, `action.fcurves` until 5.0, stored
property groups from 5.0 on.

And what data-blocks play, with or without animation data.
"""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
from bpy.types import ID, Action, AnimData, FCurve, NlaStrip, Object, PropertyGroup, bpy_struct

HAS_SLOTS = hasattr(bpy.types, "ActionSlot")
_KEY_PROPERTIES = dict.fromkeys(("co", "handle_left", "handle_right"), (np.float32, 2))
_KEY_PROPERTIES |= dict.fromkeys(
    ("interpolation", "easing", "handle_left_type", "handle_right_type", "type"), (np.int32, 1)
)
_KEY_PROPERTIES |= dict.fromkeys(("amplitude", "back", "period"), (np.float32, 1))


def new_action(name: str, obj: ID) -> tuple[Action, Any]:
    """Create an action for an object, or for another data-block, and return it with its slot (None before
    4.4)."""
    action = bpy.data.actions.new(name)
    if not HAS_SLOTS:
        action.id_root = obj.id_type
        return action, None
    slot = action.slots.new(id_type=obj.id_type, name=obj.name)
    return action, slot


def copied_action(action: Action, slot: Any) -> tuple[Action, Any]:
    """Copy an action and return the copy with its slot of the same handle."""
    copy = action.copy()
    return copy, next(
        (other for other in copy.slots if other.handle == slot.handle), None
    ) if slot is not None else None


def copied_channel(curves: Any, pattern: FCurve, path: str) -> FCurve:
    """Return a copy of an F-curve for another property, with its keys and modifiers, in no group."""
    if hasattr(curves, "new_from_fcurve"):
        return curves.new_from_fcurve(pattern, data_path=path)
    curve = curves.new(path, index=pattern.array_index)  # before 5.0
    _copy_properties(pattern, curve)
    keys, copies = pattern.keyframe_points, curve.keyframe_points
    copies.add(len(keys))
    for name, (kind, width) in _KEY_PROPERTIES.items():
        values = np.empty(width * len(keys), dtype=kind)
        keys.foreach_get(name, values)
        copies.foreach_set(name, values)
    for modifier in pattern.modifiers:  # an envelope's points are not copied
        _copy_properties(modifier, curve.modifiers.new(modifier.type))
    curve.update()
    return curve


def _copy_properties(pattern: bpy_struct, copy: bpy_struct) -> None:
    for name, prop in pattern.bl_rna.properties.items():
        if (
            prop.type not in ("POINTER", "COLLECTION")
            and not prop.is_readonly
            and name not in ("data_path", "array_index")
        ):
            setattr(copy, name, getattr(pattern, name))


def ensure_channels(action: Action, slot: Any) -> tuple[Any, Any]:
    """Return the `(fcurves, groups)` collections of a slot, created if missing."""
    if not HAS_SLOTS:
        return action.fcurves, action.groups
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    bag = strip.channelbag(slot, ensure=True)
    return bag.fcurves, bag.groups


def find_channels(action: Action | None, slot: Any) -> Any:
    """Return the F-curves of a slot of an action without changing the action; an empty tuple if there are
    none."""
    if action is None:
        return ()
    if not HAS_SLOTS:
        return action.fcurves
    if slot is None:
        return ()
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(slot)
            if bag is not None:
                return bag.fcurves
    return ()


def assigned(owner: Any) -> tuple[Action | None, Any]:
    """Return the `(action, slot)` of an AnimData or NLA strip."""
    return owner.action, getattr(owner, "action_slot", None)


def playing(block: ID | None) -> tuple[Action | None, Any]:
    """Return the `(action, slot)` that a data-block plays."""
    data = getattr(block, "animation_data", None)
    return assigned(data) if data else (None, None)


def drivers(block: ID) -> Any:
    """Return the drivers of a data-block; an empty tuple if there are none."""
    return block.animation_data.drivers if block.animation_data else ()


def tracks(block: ID) -> Any:
    """Return the NLA tracks of a data-block; an empty tuple if there are none."""
    return block.animation_data.nla_tracks if block.animation_data else ()


def strips(block: ID) -> list[NlaStrip]:
    """Return the strips on the NLA tracks of a data-block that are not muted."""
    return [strip for track in tracks(block) if not track.mute for strip in track.strips]


def is_animated(block: ID | None) -> bool:
    """Return whether a data-block has keys, strips or drivers."""
    data = getattr(block, "animation_data", None)
    return data is not None and (data.action is not None or len(data.drivers) > 0 or len(data.nla_tracks) > 0)


def lacks_slot(data: AnimData | None) -> bool:
    """Return whether an action is assigned without a slot, so that it plays nothing, and no NLA track plays
    instead."""
    return (
        HAS_SLOTS
        and data is not None
        and data.action is not None
        and data.action_slot is None
        and not len(data.nla_tracks)
    )


def assign(owner: Any, action: Action | None, slot: Any) -> None:
    """Assign an action and exactly this slot (which may be None) to an AnimData or NLA strip."""
    if owner.action != action:
        owner.action = action
    if HAS_SLOTS and action is not None and owner.action_slot != slot:
        owner.action_slot = slot


def handle_of(slot: Any) -> str:
    """Return the handle of an action's slot, which outlives renaming; '' for no slot."""
    return "" if slot is None else str(slot.handle)


def slot_of_handle(action: Action, handle: str) -> Any:
    """Return the slot of an action with a handle, None if there is none."""
    return next((slot for slot in action.slots if str(slot.handle) == handle), None) if HAS_SLOTS else None


def suitable_slot(action: Action, obj: Object) -> Any:
    """Return the slot of an action that suits an object: of those with keys the one with its name, else the
    first that moves bones."""
    slots = (
        [slot for slot in action.slots if slot.target_id_type in ("OBJECT", "UNSPECIFIED")]
        if HAS_SLOTS
        else []
    )

    def unsuitable(slot: Any) -> tuple[bool, bool, bool]:
        curves = find_channels(action, slot)
        moves_bones = any(curve.data_path.startswith("pose.bones") for curve in curves)
        return not len(curves), slot.name_display != obj.name, not moves_bones

    return min(slots, key=unsuitable, default=None)


def slot_named(action: Action | None, name: str) -> Any:
    """Return the slot of an action with an identifier or a displayed name, None if there is none."""
    slots = action.slots if HAS_SLOTS and action is not None else ()
    return next((slot for slot in slots if name in (slot.identifier, slot.name_display)), None)


def all_actions(obj: ID) -> Iterator[tuple[Action, Any]]:
    """Yield the `(action, slot)` pairs of an object: the active one, then the NLA strips', muted ones too."""
    for action, slot in (playing(obj), *(assigned(strip) for track in tracks(obj) for strip in track.strips)):
        if action is not None:
            yield action, slot


def all_channels(action: Action) -> Iterator[FCurve]:
    """Yield the F-curves of all slots of an action."""
    if not HAS_SLOTS:
        yield from action.fcurves
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                yield from bag.fcurves


def stored(group: PropertyGroup) -> Any:
    """Return the stored values of a property group by name, declared or not."""
    if hasattr(group, "bl_system_properties_get"):
        return group.bl_system_properties_get(do_create=True)
    return group
