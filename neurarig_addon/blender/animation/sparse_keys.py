"""Few keys with handles, as an animator would set them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...core.keys.hermite import KeyCurve
from .keyframes import BEZIER, Channel, NewCurves

EXTREME, BREAKDOWN, MOVING_HOLD = 1, 2, 4  # Keyframe.type
ALIGNED = 3  # Keyframe.handle_left_type


@dataclass(frozen=True)
class Keyed:
    """Some `columns` of a channel and the curve of few keys `(k, columns)` that replaces them; `kinds` `(k,)`: the keys' types."""

    channel: Channel
    columns: tuple[int, ...]
    curve: KeyCurve
    kinds: np.ndarray

    def components(self) -> list[tuple[int, bool]]:
        """Return the columns that get keys, each with whether it moves; the others are at rest and get none."""
        channel, curve = self.channel, self.curve
        moves = (np.ptp(curve.values, axis=0) > channel.still) | (np.abs(curve.slopes).max(axis=0) > channel.still)
        away = np.abs(curve.values[0] - channel.rest[list(self.columns)]) > channel.still
        if channel.together:
            moves, away = np.full_like(moves, moves.any()), np.full_like(away, away.any())
        return [(int(column), bool(moves[column])) for column in np.flatnonzero(moves | away)]


def write_keyed(action: bpy.types.Action, slot: Any, keyed: Iterable[Keyed], loop: bool = False) -> None:
    """Write curves into an action without any: a single key for a component that does not move, none for one at rest."""
    made = NewCurves(action, slot)
    for each in keyed:
        for column, moves in each.components():
            set_keys(made.curve(each.channel, each.columns[column], loop), each, column, moves)


def set_keys(curve: bpy.types.FCurve, keyed: Keyed, column: int, moves: bool) -> None:
    """Write the keys of a column into an F-curve without keys."""
    rows = slice(None) if moves else slice(0, 1)
    frames, values = keyed.curve.frames[rows], keyed.curve.values[rows, column]
    slopes = keyed.curve.slopes[rows, column] if moves else np.zeros(1)
    before, after = keyed.curve.handles(column) if moves else (np.ones(1), np.ones(1))
    points = curve.keyframe_points
    points.add(len(frames))
    for name, at, value in (
        ("co", frames, values),
        ("handle_left", frames - before, values - slopes * before),
        ("handle_right", frames + after, values + slopes * after),
    ):
        points.foreach_set(name, np.stack([at, value], axis=1).astype(np.float32).reshape(-1))
    for name, kinds in (
        ("interpolation", BEZIER),
        ("handle_left_type", ALIGNED),
        ("handle_right_type", ALIGNED),
        ("type", keyed.kinds[rows]),
    ):
        points.foreach_set(name, np.broadcast_to(kinds, len(frames)).astype(np.int32))
    curve.update()


def count(keyed: Iterable[Keyed]) -> int:
    """Return the number of keys to be written."""
    return sum(len(each.curve.frames) if moves else 1 for each in keyed for _, moves in each.components())
