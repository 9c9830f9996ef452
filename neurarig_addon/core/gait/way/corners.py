"""Sharp corners of a path, taken in a step turn as people do: the outer foot stands in the corner and the inner one opens out.

The alternative, a spin turn across the standing foot, needs a longer step, a narrower base and more of the hips (Taylor 2005).
"""

import numpy as np

from ...path.path import Path
from ...remembered import remembered
from ..timing.in_step import NO_MARKS, Marks, Stance

OPPOSITE = 0.5  # cycles: in a left turn the right foot stands in the corner
SHARP = np.radians(45.0)  # in a step
SAMPLES_A_LEG = 12.0
FARTHEST = 20_000.0  # leg lengths examined: 18 km of an adult; longer paths are taken without step turns from there on
LAPS = 20  # of a closed path
ON_THE_SPOT = 0.15  # share of a step: less progress in half a step is a turn on the spot
ISOLATED = 0.5  # share of a corner's turn allowed a step before and after it: a circle has no corners


def corner_marks(path: Path, leg_length: float, step: float, stance: Stance) -> Marks:
    """Return the phases a walker must have in the sharp corners of a path; `step`: metres."""
    if not path.turns or step <= 0.0:
        return NO_MARKS
    at, heading = _headings(path, path, leg_length)
    turn = np.interp(at + 0.5 * step, at, heading) - np.interp(at - 0.5 * step, at, heading)
    size = np.abs(turn)
    peak = np.flatnonzero((size[1:-1] > SHARP) & (size[1:-1] >= size[:-2]) & (size[1:-1] > size[2:])) + 1
    if not len(peak):
        return NO_MARKS
    goes = np.linalg.norm(np.subtract(*(path.drawn.at(at[peak] + way).place[:, :2] for way in (-0.25 * step, 0.25 * step))), axis=-1)
    peak = peak[goes > ON_THE_SPOT * step]
    beside = np.maximum(*(np.interp(at[peak] + way, at, size) for way in (-step, step)))
    peak = peak[beside < ISOLATED * size[peak]]
    before, most, after = size[peak - 1], size[peak], size[peak + 1]
    sharpest = at[peak] + 0.5 * (before - after) / (before - 2.0 * most + after - 1e-12) * leg_length / SAMPLES_A_LEG
    laps = path.lap * np.arange(-1, LAPS) if path.lap else np.zeros(1)
    found, to_left = (laps[:, None] + sharpest).ravel(), np.tile(turn[peak] > 0.0, len(laps))
    duty = stance(found)[1]
    return Marks(found, 0.5 * duty + np.where(to_left, OPPOSITE, 0.0), np.ones(len(found)), np.zeros(len(found), dtype=bool))


@remembered
def _headings(path: Path, _same: Path, leg_length: float) -> tuple[np.ndarray, np.ndarray]:
    """Return distances along a path and its headings there `(n,)`, without turns on the spot; along one lap if closed."""
    first, last = (0.0, path.lap) if path.lap else path.extent
    at = np.arange(max(first, -FARTHEST * leg_length), min(last, FARTHEST * leg_length), leg_length / SAMPLES_A_LEG)
    heading = path.drawn.heading_at(at)
    bent = np.diff(heading) * np.minimum(path.advance(at[1:]), path.advance(at[:-1]))
    return at, heading[0] + np.concatenate([[0.0], np.cumsum(bent)])
