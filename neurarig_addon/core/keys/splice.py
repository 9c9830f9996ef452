"""Splicing: a new curve that keeps the animator's changes of the old one, up to the keys on either side."""

from dataclasses import dataclass, fields

import numpy as np

GENERATED, FREE, ALIGNED, CONSTANT = 5, 0, 3, 0  # Keyframe.type, handle types, interpolation
SAME_FRAME = 1e-3
# tolerance per column: Blender realigns handles now and then
ROUNDED = np.array([1e-5, 1e-6, 0.0, 1e-3, 1e-4, 1e-3, 1e-4])
COLUMNS = len(ROUNDED)


@dataclass(frozen=True)
class KeyTable:
    """Keys of one F-curve: `points`, `lefts`, `rights` `(k, 2)` frame and value of key and handles, and
    Blender's enums `(k,)`."""

    points: np.ndarray
    lefts: np.ndarray
    rights: np.ndarray
    interpolation: np.ndarray
    left_types: np.ndarray
    right_types: np.ndarray
    kinds: np.ndarray

    @property
    def frames(self) -> np.ndarray:
        """Return the keys' frames `(k,)`."""
        return self.points[:, 0].astype(float)

    def rows(self, which: np.ndarray) -> "KeyTable":
        """Return the keys in the given rows."""
        return KeyTable(*(getattr(self, field.name)[which] for field in fields(self)))

    @classmethod
    def of(cls, *parts: "KeyTable") -> "KeyTable":
        """Return the keys of several tables, in the order of their frames."""
        both = cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))
        return both.rows(np.argsort(both.frames, kind="stable"))

    def as_made(self) -> np.ndarray:
        """Return what identifies keys as made `(k, 7)`: frame, value, type, and both handles relative to the
        key, 0 for those that Blender sets itself."""
        set_here = np.isin(self.left_types, (FREE, ALIGNED))[:, None]
        handles = np.where(
            set_here, np.concatenate([self.lefts - self.points, self.rights - self.points], axis=1), 0.0
        )
        return np.concatenate([self.points, self.kinds[:, None], handles], axis=1).astype(float)


@dataclass(frozen=True)
class MadeKeys:
    """The record of keys as made: rows `(k, 7)` of `KeyTable.as_made`."""

    rows: np.ndarray

    @classmethod
    def of(cls, table: KeyTable) -> "MadeKeys":
        """Return the record of keys."""
        return cls(table.as_made())

    @property
    def frames(self) -> np.ndarray:
        """Return the frames at which the keys were `(k,)`."""
        return self.rows[:, 0]

    def touched(self, table: KeyTable) -> np.ndarray:
        """Return which keys `(k,)` have changed since they were made."""
        return ~_found(table.as_made(), self.rows)

    def missing(self, table: KeyTable) -> np.ndarray:
        """Return which of the keys as made are gone or changed `(k,)`."""
        return ~_found(self.rows, table.as_made())


def _found(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return which rows occur among others, up to Blender's rounding."""
    if not len(others):
        return np.zeros(len(rows), dtype=bool)
    others = others[np.argsort(others[:, 0], kind="stable")]
    first = np.searchsorted(others[:, 0], rows[:, 0] - SAME_FRAME)
    found = np.zeros(len(rows), dtype=bool)
    for further in (0, 1):  # a key that was moved away and one in its place
        other = others[np.minimum(first + further, len(others) - 1)]
        found |= (np.abs(rows - other) <= ROUNDED * (1.0 + np.abs(other))).all(axis=1)
    return found


def kept_spans(table: KeyTable, keys: MadeKeys) -> list[tuple[float, float]]:
    """Return the spans of frames in which the old curve is kept: from the last untouched key before a change
    to the first after it."""
    touched = keys.touched(table)
    changed = np.unique(np.concatenate([table.frames[touched], keys.frames[keys.missing(table)]]))
    safe = np.sort(table.frames[~touched])
    found: list[tuple[float, float]] = []
    for frame in changed.tolist():
        before, after = safe[safe < frame - SAME_FRAME], safe[safe > frame + SAME_FRAME]
        span = (float(before[-1]) if len(before) else -np.inf, float(after[0]) if len(after) else np.inf)
        if span not in found:
            found.append(span)
    return found


def spliced(old: KeyTable, new: KeyTable, spans: list[tuple[float, float]]) -> tuple[KeyTable, np.ndarray]:
    """Return the new keys, with the old ones inside the kept spans, and which keys are new `(k,)`.

    At both ends of a span the new curve gets a key if it has none, so that outside the span it is unchanged.
    """
    for span in spans:
        for frame in span:
            new = _with_key(new, frame)
    inside = np.array(
        [
            any(first + SAME_FRAME < frame < last - SAME_FRAME for first, last in spans)
            for frame in old.frames
        ],
        dtype=bool,
    )
    outside = np.array(
        [
            all(frame <= first + SAME_FRAME or frame >= last - SAME_FRAME for first, last in spans)
            for frame in new.frames
        ]
    )
    parts = new.rows(outside), old.rows(inside)
    both = KeyTable.of(*parts)
    return both, ~np.isin(both.frames, parts[1].frames)


def _with_key(table: KeyTable, frame: float) -> KeyTable:
    """Return the same curve with a key at a frame, inside its range."""
    frames = table.frames
    if (
        not frames[0] + SAME_FRAME < frame < frames[-1] - SAME_FRAME
        or np.abs(frames - frame).min() < SAME_FRAME
    ):
        return table
    at = int(np.searchsorted(frames, frame))
    p0, p1, p2, p3 = (
        each.astype(float)
        for each in (table.points[at - 1], table.rights[at - 1], table.lefts[at], table.points[at])
    )
    is_curved = table.interpolation[at - 1] == 2  # Bézier
    if table.interpolation[at - 1] == CONSTANT:
        p3 = np.array([p3[0], p0[1]])
    if not is_curved:
        p1, p2 = p0 + (p3 - p0) / 3.0, p3 - (p3 - p0) / 3.0
    s = _share(frame, np.array([p0[0], p1[0], p2[0], p3[0]]))
    first, middle, last = p0 + s * (p1 - p0), p1 + s * (p2 - p1), p2 + s * (p3 - p2)
    left, right = first + s * (middle - first), middle + s * (last - middle)
    key = np.array([frame, (left + s * (right - left))[1]])
    values = {field.name: getattr(table, field.name).copy() for field in fields(KeyTable)}
    if is_curved:
        values["rights"][at - 1], values["lefts"][at] = first, last
    added = {"points": key, "lefts": left, "rights": right, "kinds": GENERATED}
    return KeyTable(
        **{name: np.insert(each, at, added.get(name, each[at - 1]), axis=0) for name, each in values.items()}
    )


def _share(frame: float, x: np.ndarray) -> float:
    """Return the parameter at which a Bézier curve whose points' frames are `x` `(4,)` is at a frame, by
    halving."""
    low, high = 0.0, 1.0
    for _ in range(50):
        s = 0.5 * (low + high)
        at = (1 - s) ** 3 * x[0] + 3 * s * (1 - s) ** 2 * x[1] + 3 * s**2 * (1 - s) * x[2] + s**3 * x[3]
        low, high = (s, high) if at < frame else (low, s)
    return 0.5 * (low + high)
