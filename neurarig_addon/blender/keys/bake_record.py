"""The record of a bake, stored with its action: the options it was made with, and every key as written.

So Re-bake can tell keys edited by an animator from its own.
"""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from bpy.types import Action, FCurve

from ...core.keys.splice import COLUMNS, KeyTable, MadeKeys, kept_spans, spliced
from ..animation import compat
from ..animation.keyframes import GENERATED, NewCurves
from ..character.stored_json import is_flag, is_number, is_text, map_of, misfit, parsed

REMEMBERED = "neurarig_made"  # custom property of the action
TOGETHER = ("rotation_quaternion", "rotation_axis_angle")  # components that form one value
_FORM = {
    "options": map_of(lambda value: is_flag(value) or is_number(value) or is_text(value)),
    "curves": map_of(is_text),
}

NOTHING = MadeKeys(np.zeros((0, COLUMNS)))
BARE = 3  # columns of keys whose handles Blender sets
_FIELDS = (
    ("points", "co", 2, np.float32),
    ("lefts", "handle_left", 2, np.float32),
    ("rights", "handle_right", 2, np.float32),
    ("interpolation", "interpolation", 1, np.int32),
    ("left_types", "handle_left_type", 1, np.int32),
    ("right_types", "handle_right_type", 1, np.int32),
    ("kinds", "type", 1, np.int32),
)


def remember(action: Action, slot: Any, options: Mapping[str, Any], dense: bool = False) -> None:
    """Store the options of a bake and its keys as they are; `dense`: as `write_channels` has written them,
    which takes less reading."""
    rows_of = _dense_rows if dense else _rows
    _store(action, options, ((name, rows_of(curve)) for name, curve in _curves(action, slot).items()))


def _rows(curve: FCurve) -> np.ndarray:
    """Return the record of a curve's keys, rows of `KeyTable.as_made`."""
    return read_keys(curve).as_made()


def _dense_rows(curve: FCurve) -> np.ndarray:
    """Return the same of keys that are all generated, with handles that Blender sets; without the columns of
    these."""
    points = curve.keyframe_points
    rows = np.full((len(points), BARE), GENERATED, dtype=np.float32)
    places = np.empty(2 * len(points), dtype=np.float32)
    points.foreach_get("co", places)
    rows[:, :2] = places.reshape(-1, 2)
    return rows


def options_of(action: Action) -> dict[str, Any] | None:
    """Return the options a bake was made with, None if the action has no record."""
    stored = _stored(action)
    return None if stored is None else stored["options"]


def take_in(into: tuple[Action, Any], made: tuple[Action, Any], options: Mapping[str, Any]) -> int:
    """Replace an action's keys by those of a new bake, except keys edited since; return the number of keys
    kept."""
    action, slot = into
    before, now, new = _memory(action), _curves(action, slot), _curves(*made)
    curves = NewCurves(action, slot)
    memory: dict[tuple[str, int], MadeKeys] = {}
    kept = 0
    for path in dict.fromkeys(name[0] for name in (*now, *new)):
        old = {name: read_keys(now[name]) for name in now if name[0] == path}
        fresh = {name: read_keys(new[name]) for name in new if name[0] == path}
        known = {name: before.get(name, NOTHING) for name in old}
        spans = {name: kept_spans(table, known[name]) for name, table in old.items()}
        if path.endswith(TOGETHER):
            every = [span for each in spans.values() for span in each]
            spans = {name: list(dict.fromkeys(every)) for name in old}
            fresh = _same_sign(fresh, old, every)
        for name in dict.fromkeys((*old, *fresh)):
            if name not in fresh and not spans[name]:
                curves.remove(now[name])
                continue
            if name in old and (name not in fresh or any(np.isinf(span).all() for span in spans[name])):
                kept += len(old[name].points)
                memory[name] = known[name]
                continue
            table, is_new = (
                spliced(old[name], fresh[name], spans[name])
                if name in old
                else (fresh[name], np.ones(1, dtype=bool))
            )
            curve = now.get(name) or curves.like(new[name])
            write_keys(curve, table)
            kept += int((~is_new).sum())
            memory[name] = _remembered(read_keys(curve), is_new, known.get(name), old.get(name))
    _store(action, options, ((name, made.rows) for name, made in memory.items()))
    return kept


def _remembered(
    table: KeyTable, is_new: np.ndarray, known: MadeKeys | None, old: KeyTable | None
) -> MadeKeys:
    """Return the record of a curve: its new keys, and those deleted or moved by the user, so that they stay
    so."""
    new_keys = MadeKeys.of(table.rows(np.broadcast_to(is_new, len(table.points))))
    if known is None or old is None:
        return new_keys
    missing = known.missing(old)
    return MadeKeys(np.concatenate([new_keys.rows, known.rows[missing]]))


def _same_sign(
    fresh: dict[tuple[str, int], KeyTable],
    old: dict[tuple[str, int], KeyTable],
    spans: Iterable[tuple[float, float]],
) -> dict[tuple[str, int], KeyTable]:
    """Return the components of a rotation as they are, or all negated if that is nearer to the kept keys."""
    agrees = 0.0
    for frame in {frame for span in spans for frame in span if np.isfinite(frame)}:
        for name in old.keys() & fresh.keys():
            agrees += float(
                np.prod(
                    [np.interp(frame, table.frames, table.points[:, 1]) for table in (old[name], fresh[name])]
                )
            )
    if agrees >= 0.0:
        return fresh
    over = np.array([1.0, -1.0], dtype=np.float32)
    return {
        name: KeyTable(table.points * over, table.lefts * over, table.rights * over, *_numbered(table))
        for name, table in fresh.items()
    }


def _numbered(table: KeyTable) -> Iterator[np.ndarray]:
    yield from (table.interpolation, table.left_types, table.right_types, table.kinds)


def _curves(action: Action, slot: Any) -> dict[tuple[str, int], FCurve]:
    return {(curve.data_path, curve.array_index): curve for curve in compat.find_channels(action, slot)}


def _store(
    action: Action, options: Mapping[str, Any], made: Iterable[tuple[tuple[str, int], np.ndarray]]
) -> None:
    curves = {f"{path}|{index}": _packed(rows) for (path, index), rows in made}
    action[REMEMBERED] = json.dumps({"options": dict(options), "curves": curves})


def _stored(action: Action) -> dict[str, Any] | None:
    text = action.get(REMEMBERED)
    stored = parsed(text) if isinstance(text, str) else None
    return None if misfit(stored, _FORM) else stored


def _memory(action: Action) -> dict[tuple[str, int], MadeKeys]:
    found = {}
    for name, text in (_stored(action) or {"curves": {}})["curves"].items():
        path, _, index = name.rpartition("|")
        if index.isdecimal():
            found[path, int(index)] = MadeKeys(_unpacked(text))
    return found


def _packed(rows: np.ndarray) -> str:
    """Return rows packed as text, float32, without handles if all are Blender's."""
    width = COLUMNS if rows[:, BARE:].any() else BARE
    return f"{width}:{base64.b64encode(rows[:, :width].astype('<f4').tobytes()).decode('ascii')}"


def _unpacked(text: str) -> np.ndarray:
    """Return the rows packed in a text, none if it is damaged."""
    width, _, packed = text.partition(":")
    if width not in (str(BARE), str(COLUMNS)):
        return NOTHING.rows
    try:
        values = np.frombuffer(base64.b64decode(packed, validate=True), dtype="<f4").astype(float)
        rows = values.reshape(-1, int(width))
    except ValueError:
        return NOTHING.rows
    return np.pad(rows, ((0, 0), (0, COLUMNS - rows.shape[1])))


def read_keys(curve: FCurve) -> KeyTable:
    """Return the keys of a curve."""
    points, found = curve.keyframe_points, {}
    for name, prop, width, kind in _FIELDS:
        values = np.empty(len(points) * width, dtype=kind)
        points.foreach_get(prop, values)
        found[name] = values.reshape(-1, width) if width > 1 else values
    return KeyTable(**found)


def write_keys(curve: FCurve, table: KeyTable) -> None:
    """Give a curve these keys and no others; one that it has on a frame keeps what a table does not tell,
    such as its easing."""
    points = curve.keyframe_points
    for row in np.flatnonzero(~np.isin(read_keys(curve).points[:, 0], table.points[:, 0]))[::-1].tolist():
        points.remove(points[row], fast=True)
    is_new = ~np.isin(table.points[:, 0], read_keys(curve).points[:, 0])
    points.add(int(is_new.sum()))
    order = np.argsort(is_new, kind="stable")
    for name, prop, _, kind in _FIELDS:
        points.foreach_set(prop, np.ascontiguousarray(getattr(table, name)[order], dtype=kind).reshape(-1))
    curve.update()
