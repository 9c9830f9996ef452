"""Curves through few keys: a Bézier curve over each span, with a slope on either side of a key and handles of
any length."""

from dataclasses import dataclass, replace

import numpy as np

from ..easing import piece

THIRD = 1.0 / 3.0  # share of a span: handles of this length make it a cubic of time
NEWTON_STEPS = 7  # down to float rounding, for the longest handles


@dataclass(frozen=True)
class KeyCurve:
    """Keys at `frames` `(k,)` ascending, with `values` `(k, n)`, and slopes per frame `arriving` and
    `leaving` `(k, n)`.

    `ahead`, `behind` `(k - 1, n)`: lengths of the handles at both ends of a span along time, in shares of it,
    together at most 1.
    """

    frames: np.ndarray
    values: np.ndarray
    arriving: np.ndarray
    leaving: np.ndarray
    ahead: np.ndarray
    behind: np.ndarray

    @classmethod
    def still(cls, frame: float, values: np.ndarray) -> "KeyCurve":
        """Return a single key with values `(n,)`."""
        none, level = np.zeros((0, len(values))), np.zeros((1, len(values)))
        return cls(np.array([frame]), values[None], level, level, none, none)

    def columns(self, which: slice) -> "KeyCurve":
        """Return the curve of only some components."""
        parts = {
            name: getattr(self, name)[:, which]
            for name in ("values", "arriving", "leaving", "ahead", "behind")
        }
        return replace(self, **parts)

    def rows(self, which: slice) -> "KeyCurve":
        """Return only some consecutive keys."""
        parts = {name: getattr(self, name)[which] for name in ("frames", "values", "arriving", "leaving")}
        spans = slice(which.start, which.stop - 1)
        return replace(self, **parts, ahead=self.ahead[spans], behind=self.behind[spans])

    def at(self, frames: np.ndarray) -> np.ndarray:
        """Return values `(f, n)` at frames between the first key and the last."""
        if len(self.frames) == 1:
            return np.repeat(self.values, len(frames), axis=0)
        span = piece(self.frames, frames)
        length = (self.frames[span + 1] - self.frames[span])[:, None]
        ahead, behind = self.ahead[span], self.behind[span]
        start, end = self.values[span], self.values[span + 1]
        points = (
            start,
            start + self.leaving[span] * ahead * length,
            end - self.arriving[span + 1] * behind * length,
            end,
        )
        shares = bernstein(parameter((frames - self.frames[span])[:, None] / length, ahead, behind))
        return sum((share * point for share, point in zip(shares, points, strict=True)), np.zeros_like(start))

    def handles(self, column: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the length in frames of each key's handles before and after it `(k,)`; outermost handles
        equal the inner ones."""
        length = np.diff(self.frames)
        ahead, behind = self.ahead[:, column] * length, self.behind[:, column] * length
        if not len(length):
            return np.ones(1), np.ones(1)
        return np.concatenate([ahead[:1], behind]), np.concatenate([ahead, behind[-1:]])


def parameter(
    x: np.ndarray, ahead: np.ndarray, behind: np.ndarray, start: np.ndarray | None = None
) -> np.ndarray:
    """Return the parameter 0..1 at which Bézier curves with these handles are at the share `x` of their span;
    shapes broadcast."""
    s = x + np.zeros_like(ahead) if start is None else start
    one, two, three = _powers(ahead, behind)
    for _ in range(NEWTON_STEPS if start is None else 3):
        off = ((three * s + two) * s + one) * s - x
        s = np.clip(s - off / ((3.0 * three * s + 2.0 * two) * s + one), 0.0, 1.0)
    return s


def along(s: np.ndarray, ahead: np.ndarray, behind: np.ndarray) -> np.ndarray:
    """Return the speed of such curves along their span at a parameter."""
    one, two, three = _powers(ahead, behind)
    return (3.0 * three * s + 2.0 * two) * s + one


def _powers(ahead: np.ndarray, behind: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the factors of a parameter, its square and its cube in the share of the span elapsed."""
    one, rest = 3.0 * ahead, 3.0 * (1.0 - behind)
    return one, rest - 2.0 * one, one - rest + 1.0


def bernstein(s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the Bernstein weights of a cubic Bézier curve's four points at a parameter."""
    back = 1.0 - s
    ahead, behind = back * back, s * s
    return ahead * back, 3.0 * ahead * s, 3.0 * back * behind, behind * s
