"""What differs between two things that were seen: which bone, key or sentence, and by how much."""

from dataclasses import dataclass
from typing import Any

import numpy as np

Parts = dict[str, dict[str, Any]]  # part -> path -> what was seen
SAME = 2e-6  # of the size of what is compared: rounding of single precision
ABSENT = "-"


@dataclass(frozen=True)
class Difference:
    """One path of a part that differs, and how."""

    part: str
    path: str
    words: str

    def __str__(self) -> str:
        return f"{self.part:9s}{self.path}: {self.words}"


def differences(base: Parts, now: Parts) -> list[Difference]:
    """Return all that differs, part by part."""
    found = []
    for part in {**base, **now}:
        before, after = base.get(part, {}), now.get(part, {})
        for path in {**before, **after}:
            words = difference(before.get(path, ABSENT), after.get(path, ABSENT))
            if words:
                found.append(Difference(part, path, words))
    return found


def difference(before: Any, after: Any) -> str:
    """Return in words how two values differ, nothing where they are the same but for rounding."""
    if isinstance(before, dict) and isinstance(after, dict):
        return _of_named(before, after)
    if isinstance(before, list | tuple) and isinstance(after, list | tuple):
        return _of_listed(before, after)
    if _is_number(before) and _is_number(after):
        return _of_numbers(np.asarray(before, dtype=float), np.asarray(after, dtype=float))
    is_same = before is after or (type(before) is type(after) and before == after)
    return "" if is_same else f"{_short(before)} became {_short(after)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "biuf"
    )


def _of_numbers(before: np.ndarray, after: np.ndarray) -> str:
    if before.shape != after.shape:
        return f"{before.shape} became {after.shape} numbers"
    if np.array_equal(before, after, equal_nan=True):
        return ""
    sizes = np.abs(before[np.isfinite(before)])
    apart = np.abs(after - before)
    if np.isnan(apart).any() and not np.array_equal(np.isfinite(before), np.isfinite(after)):
        return "no number where there was one, or the other way round"
    most = float(np.nanmax(apart))
    if most <= SAME * max(1.0, float(sizes.max(initial=0.0))):
        return ""
    return f"{before:.7g} became {after:.7g}" if before.ndim == 0 else f"by {most:.3g}"


def _of_named(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return which of many named things differ: the one that differs most, and how many others."""
    found = {
        name: words
        for name in {**before, **after}
        if (words := difference(before.get(name, ABSENT), after.get(name, ABSENT)))
    }
    if not found:
        return ""
    worst = max(found, key=lambda name: _much(before.get(name), after.get(name)))
    return f"{worst} {found[worst]}" + (f", and {len(found) - 1} more" if len(found) > 1 else "")


def _much(before: Any, after: Any) -> float:
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray) and before.shape == after.shape:
        return float(np.abs(after - before).max(initial=0.0))
    return np.inf


def _of_listed(before: list | tuple, after: list | tuple) -> str:
    """Return the first of a row of things that differs, and how many others do."""
    if len(before) == len(after):
        found = [words for a, b in zip(before, after, strict=True) if (words := difference(a, b))]
        return (
            found[0] + (f", and {len(found) - 1} more of {len(before)}" if len(found) > 1 else "")
            if found
            else ""
        )
    gone, new = (
        [one for one in row if all(difference(one, other) for other in others)]
        for row, others in ((before, after), (after, before))
    )
    return f"{len(before)} became {len(after)}" + "".join(
        f", {word} {_short(row[0])}" for word, row in (("without", gone), ("with", new)) if row
    )


def _short(value: Any) -> str:
    text = value if value is ABSENT else " ".join(repr(value).split())
    return text if len(text) < 160 else text[:157] + "..."
