"""Keys that were touched stay when a curve is made anew, and nothing beyond their neighbours is other than
new."""

import numpy as np
import pytest

from neurarig_addon.core.keys.pose_fit import fitted
from neurarig_addon.core.keys.splice import ALIGNED, GENERATED, KeyTable, MadeKeys, kept_spans, spliced

FRAMES = np.arange(1.0, 42.0)
BEZIER = 2


def table(keys: np.ndarray, phase: float = 0.0) -> KeyTable:
    """Return a wave's keys at some rows, with their handles."""
    curve = fitted(FRAMES, np.sin(0.2 * FRAMES + phase)[:, None], keys, np.ones(1), keys[:0])
    before, after = curve.handles(0)
    points = np.stack([curve.frames, curve.values[:, 0]], axis=1)
    slopes = curve.leaving[:, 0]
    numbers = np.ones(len(keys), dtype=np.int32)
    return KeyTable(
        points,
        points - np.stack([before, before * slopes], axis=1),
        points + np.stack([after, after * slopes], axis=1),
        BEZIER * numbers,
        ALIGNED * numbers,
        ALIGNED * numbers,
        GENERATED * numbers,
    )


def drawn(keys: KeyTable, frames: np.ndarray) -> np.ndarray:
    """Return a curve's values as its handles draw it."""
    found = np.empty(len(frames))
    for row, frame in enumerate(frames):
        span = int(np.clip(np.searchsorted(keys.frames, frame, side="right") - 1, 0, len(keys.points) - 2))
        points = np.stack([keys.points[span], keys.rights[span], keys.lefts[span + 1], keys.points[span + 1]])
        s = np.linspace(0.0, 1.0, 4001)
        shares = np.stack([(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s**2 * (1 - s), s**3])
        found[row] = np.interp(frame, shares.T @ points[:, 0], shares.T @ points[:, 1])
    return found


def moved(keys: KeyTable, row: int) -> KeyTable:
    """Return keys of which one is higher, with its handles."""
    up = np.zeros_like(keys.points)
    up[row, 1] = 0.5
    return KeyTable(
        keys.points + up,
        keys.lefts + up,
        keys.rights + up,
        keys.interpolation,
        keys.left_types,
        keys.right_types,
        keys.kinds,
    )


def test_untouched_keys_are_all_replaced():
    old = table(np.array([0, 10, 20, 30, 40]))
    assert not MadeKeys.of(old).touched(old).any()
    assert kept_spans(old, MadeKeys.of(old)) == []
    new = table(np.array([0, 13, 27, 40]), 1.0)
    found, is_new = spliced(old, new, [])
    assert found.points == pytest.approx(new.points)
    assert is_new.all()


def test_a_moved_key_stays_and_the_rest_is_the_new_curve():
    made = table(np.array([0, 10, 20, 30, 40]))
    old = moved(made, 2)
    spans = kept_spans(old, MadeKeys.of(made))
    assert spans == [(11.0, 31.0)]
    new = table(np.array([0, 13, 27, 40]), 1.0)
    found, is_new = spliced(old, new, spans)
    assert found.frames.tolist() == [1.0, 11.0, 21.0, 31.0, 41.0]
    assert found.points[2] == pytest.approx(old.points[2])
    assert is_new.tolist() == [True, True, False, True, True]
    outside = FRAMES[(FRAMES <= 11.0) | (FRAMES >= 31.0)]
    assert drawn(found, outside) == pytest.approx(drawn(new, outside), abs=1e-5)


def test_a_deleted_key_stays_deleted():
    made = table(np.array([0, 10, 20, 30, 40]))
    old = made.rows(np.array([0, 1, 3, 4]))
    found, _ = spliced(old, made, kept_spans(old, MadeKeys.of(made)))
    assert found.frames.tolist() == old.frames.tolist()


@pytest.mark.parametrize("field", ["points", "lefts", "rights", "kinds"])
def test_any_change_of_a_key_counts(field):
    made = table(np.array([0, 10, 20, 30, 40]))
    values = {name: getattr(made, name).copy() for name in KeyTable.__dataclass_fields__}
    values[field].reshape(len(made.points), -1)[3, -1] += 1
    assert MadeKeys.of(made).touched(KeyTable(**values)).tolist() == [False, False, False, True, False]


def test_handles_that_blender_sets_itself_do_not_count():
    made = table(np.array([0, 10, 20]))
    numbers = np.ones(3, dtype=np.int32)
    automatic = KeyTable(made.points, made.lefts, made.rights, numbers, 4 * numbers, 4 * numbers, made.kinds)
    other = KeyTable(
        made.points, made.lefts + 0.1, made.rights - 0.1, numbers, 4 * numbers, 4 * numbers, made.kinds
    )
    assert not MadeKeys.of(automatic).touched(other).any()
