"""Keyframes of a new action: dense ones in bulk from arrays, or few with handles, as an animator would set
them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, FCurve, Object

from ...core.keys.hermite import KeyCurve
from ...core.posing.channels import Channels, continuous, continuous_rows, in_mode, rotation_path
from . import compat, scratch

LINEAR, BEZIER = 1, 2  # Keyframe.interpolation
GENERATED = 5  # Keyframe.type: a key that the tool may rewrite
STILL = 1e-7  # a channel that varies by no more does not move (float32 keys of size 1)
REST = {
    "location": (0.0, 0.0, 0.0),
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
    "scale": (1.0, 1.0, 1.0),
}
EXTREME, BREAKDOWN, MOVING_HOLD = 1, 2, 4  # Keyframe.type
FREE, ALIGNED = 0, 3  # Keyframe.handle_left_type
TURN = 2.0 * np.pi
SWITCHES = "Switches"  # group of what decides what other keys do


@dataclass(frozen=True)
class Channel:
    """One property over time.

    `path`: RNA path from the object. `values` `(frames, components)`. `rest` `(components,)`: its value
    without a key.
    `group`: heading in the editors.  `together`: key all components or none (quaternions).
    `advances` `(components,)`: which repeat with offset, like the root of a travelling loop; None for none.
    `still`: a component that varies by no more does not move.
    """

    path: str
    values: np.ndarray
    rest: np.ndarray
    group: str
    together: bool = False
    advances: np.ndarray | None = None
    still: float = STILL


def bone_channels(channels: Channels) -> list[Channel]:
    """Return solved channels as curves: each row's rotation in the form nearest to the previous row."""
    found = []
    values = continuous(channels).values
    for bone, prop, _, columns in channels.properties:
        rows = values[:, columns]
        found.append(
            Channel(bone_path(bone, prop), rows, np.array(REST[prop]), bone, together=rows.shape[1] == 4)
        )
    return found


def continuous_rotation(matrices: np.ndarray, mode: str) -> tuple[str, np.ndarray]:
    """Return the property and the values `(f, n)` of rotations `(f, 3, 3)` in a rotation mode, without jumps
    between rows."""
    return rotation_path(mode), continuous_rows(in_mode(matrices, mode), mode)


def closed(channel: Channel, advance: float) -> Channel:
    """Return a channel whose last key equals its first; locations that advance more than `advance` (armature
    units) keep advancing.

    A rotation through full turns ends on its starting rotation, expressed continuously.
    """
    first, last = channel.values[0], channel.values[-1]
    goes_on = (np.abs(last - first) > advance) & channel.path.endswith("location")
    same = first
    if channel.path.endswith("rotation_euler"):
        same = first + TURN * np.round((last - first) / TURN)
    elif channel.path.endswith("rotation_quaternion") and float(first @ last) < 0.0:
        same = -first
    elif channel.path.endswith("rotation_axis_angle"):
        same = last
    values = channel.values.copy()
    values[-1] = np.where(goes_on, last, same)
    return replace(channel, values=values, advances=goes_on)


def bone_path(bone: str, prop: str) -> str:
    """Return the RNA path of a pose bone's property."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].{prop}'


@contextmanager
def fresh_action(name: str, obj: Object) -> Iterator[tuple[Action, Any]]:
    """Yield a new action and its slot; if anything interrupts the block, Esc included, the action is
    removed."""
    action, slot = compat.new_action(name, obj)
    try:
        scratch.begin(action)
        yield action, slot
    except BaseException:
        bpy.data.actions.remove(action)
        raise
    scratch.finish(action)


def write_channels(
    action: Action,
    slot: Any,
    frames: np.ndarray,
    channels: Iterable[Channel],
    interpolation: int = LINEAR,
    loop: bool = False,
) -> None:
    """Write one key per frame for every component that moves, and a single key for one that only differs from
    its rest value.

    `frames` `(n,)` ascending.  With `loop` every curve repeats, those that advance with offset.
    """
    curves = NewCurves(action, slot)
    keys = _Keys(frames, interpolation)
    once = _Keys(frames[:1], interpolation)
    for channel in channels:
        moves = np.ptp(channel.values, axis=0) > channel.still
        away = np.abs(channel.values[0] - channel.rest) > channel.still
        if channel.together:
            moves = np.full_like(moves, moves.any())
            away = np.full_like(away, away.any())
        for component in np.flatnonzero(moves | away):
            (keys if moves[component] else once).write(curves, channel, int(component), loop)


class NewCurves:
    """New F-curves of an action, in the groups of their channels."""

    def __init__(self, action: Action, slot: Any) -> None:
        self._curves, self._groups = compat.ensure_channels(action, slot)
        self._made: dict[str, Any] = {}

    def curve(self, channel: Channel, component: int, loop: bool, pattern: FCurve | None = None) -> FCurve:
        """Return a new curve for a component of a channel; in a loop it repeats, with offset where the
        channel advances.

        `pattern`: a curve of the same component whose keys it gets.
        """
        curve = self._new(channel.path, component, channel.group, pattern)
        if loop:
            cycles = curve.modifiers.new("CYCLES")
            advances = channel.advances is not None and bool(channel.advances[component])
            cycles.mode_before = cycles.mode_after = "REPEAT_OFFSET" if advances else "REPEAT"
        return curve

    def like(self, other: FCurve) -> FCurve:
        """Return a new curve without keys for the property of another action's curve; it repeats like that
        one."""
        curve = self._new(
            other.data_path, other.array_index, other.group.name if other.group else other.data_path
        )
        for cycles in (modifier for modifier in other.modifiers if modifier.type == "CYCLES"):
            own = curve.modifiers.new("CYCLES")
            own.mode_before, own.mode_after = cycles.mode_before, cycles.mode_after
        return curve

    def copy(self, other: FCurve, path: str) -> None:
        """Copy another action's curve, for the property with this path."""
        self._new(path, other.array_index, other.group.name if other.group else path, other)

    def remove(self, curve: FCurve) -> None:
        """Remove a curve."""
        self._curves.remove(curve)

    def _new(self, path: str, component: int, group: str, pattern: FCurve | None = None) -> FCurve:
        curve = (
            compat.copied_channel(self._curves, pattern, path)
            if pattern
            else self._curves.new(path, index=component)
        )
        if group not in self._made:
            self._made[group] = self._groups.get(group) or self._groups.new(group)
        curve.group = self._made[group]
        return curve


class _Keys:
    """Buffers for `foreach_set`, filled once and used for every curve with the same frames."""

    def __init__(self, frames: np.ndarray, interpolation: int) -> None:
        count = len(frames)
        self.count = count
        self.points = np.empty((count, 2), dtype=np.float32)
        self.points[:, 0] = frames
        self.flat = self.points.reshape(-1)
        self.interpolation = np.full(count, interpolation, dtype=np.int32)
        self.kind = np.full(count, GENERATED, dtype=np.int32)
        self._patterns: dict[int, FCurve] = {}  # a curve with these keys, by component

    def write(self, curves: NewCurves, channel: Channel, component: int, loop: bool) -> None:
        """Write the keys of a component into a new curve."""
        curve = curves.curve(channel, component, loop, None if loop else self._patterns.get(component))
        keys = curve.keyframe_points
        if not len(keys):
            keys.add(self.count)  # AUTO_CLAMPED handles
            keys.foreach_set("interpolation", self.interpolation)
            keys.foreach_set("type", self.kind)
        self.points[:, 1] = channel.values[: self.count, component]
        keys.foreach_set("co", self.flat)
        curve.update()
        self._patterns.setdefault(component, curve)


@dataclass(frozen=True)
class Keyed:
    """A channel and the curve of few keys `(k, n)` that replaces it; `kinds` `(k,)`: the keys' types."""

    channel: Channel
    curve: KeyCurve
    kinds: np.ndarray

    def components(self) -> list[int]:
        """Return the columns that get keys: all if one moves, for a pose keys whole properties; else those
        that are not at rest."""
        moves = np.ptp(self.curve.values, axis=0) > self.channel.still
        moves |= np.abs(self.curve.leaving).max(axis=0) > self.channel.still
        keyed = moves | (np.abs(self.curve.values[0] - self.channel.rest) > self.channel.still)
        return np.flatnonzero(keyed | moves.any() | (self.channel.together and keyed.any())).tolist()


def write_keyed(action: Action, slot: Any, keyed: Iterable[Keyed], loop: bool = False) -> None:
    """Write curves into an action without any: none for a component at rest."""
    curves = NewCurves(action, slot)
    for each in keyed:
        for column in each.components():
            set_keys(curves.curve(each.channel, column, loop), each, column)


def set_keys(curve: FCurve, keyed: Keyed, column: int) -> None:
    """Write the keys of a column into an F-curve without keys."""
    frames, values = keyed.curve.frames, keyed.curve.values[:, column]
    arriving, leaving = keyed.curve.arriving[:, column], keyed.curve.leaving[:, column]
    before, after = keyed.curve.handles(column)
    points = curve.keyframe_points
    points.add(len(frames))
    for name, at, value in (
        ("co", frames, values),
        ("handle_left", frames - before, values - arriving * before),
        ("handle_right", frames + after, values + leaving * after),
    ):
        points.foreach_set(name, np.stack([at, value], axis=1).astype(np.float32).reshape(-1))
    handles = np.where(arriving == leaving, ALIGNED, FREE)
    for name, kinds in (
        ("interpolation", BEZIER),
        ("handle_left_type", handles),
        ("handle_right_type", handles),
        ("type", keyed.kinds),
    ):
        points.foreach_set(name, np.broadcast_to(kinds, len(frames)).astype(np.int32))
    curve.update()


def count(keyed: Iterable[Keyed]) -> int:
    """Return the number of keys to be written."""
    return sum(len(each.curve.frames) * len(each.components()) for each in keyed)
