"""The pelvis above its feet: how high the legs that hold it let it be, how near it has to come, and how it
sinks before they pull it down.

The reach guard: the pelvis is never so high that a leg holding it would have to stretch.
"""

from typing import NamedTuple

import numpy as np

from ..character.body import Girdle
from ..easing import lesser, over
from ..geometry.rotation import ON_GROUND, normalized, norms
from .legs import LONGEST_REACH

# leg lengths: the guard's soft band, on level ground and where feet stand at uneven heights
SOFT_BAND, UNEVEN_BAND = 0.012, 0.06
RELEASED = 3.0  # leg lengths the pelvis may be above the reach of a leg that does not hold it
# share of a leg that feet may be from their hips seen from above if these can come down
MOST_ACROSS = 0.85
ACROSS_BAND = 0.1  # leg lengths: its soft band
LOWEST_HIPS = float(np.sqrt(LONGEST_REACH**2 - MOST_ACROSS**2))  # shares of a leg above a foot so far aside
# m/s², 0.35 and 0.75 g: how fast the pelvis begins to sink before a demand, and stops at it
EASES, BRAKES = 3.4335, 7.3575
DEEPEST = 0.25  # leg lengths: see `descended`
# share of a larger demand on the samples beside that counts: legs come to be straight less suddenly
BESIDE = 0.5


def lowered(
    height: np.ndarray,
    hips: np.ndarray,
    ankles: np.ndarray,
    body: Girdle,
    holds: np.ndarray | None = None,
    soft: np.ndarray | float = SOFT_BAND,
    extension: np.ndarray | float = LONGEST_REACH,
) -> np.ndarray:
    """Return how far the pelvis must come down `(frames,)` from a `height` `(frames,)` for the legs that hold
    it to reach.

    See `highest`; `soft` `(frames,)`: the soft band in leg lengths.
    """
    most = highest(height, hips, ankles, body, holds, soft, extension)
    return height - lesser(height, most, soft * body.leg_length)


def highest(
    height: np.ndarray,
    hips: np.ndarray,
    ankles: np.ndarray,
    body: Girdle,
    holds: np.ndarray | None = None,
    soft: np.ndarray | float = SOFT_BAND,
    extension: np.ndarray | float = LONGEST_REACH,
) -> np.ndarray:
    """Return how high the pelvis can be `(frames,)` on the legs that hold it, stretched to an `extension` of
    their length, one or `(2,)`.

    `hips`, `ankles` `(frames, 2, 3)` in metres for a pelvis at `height` `(frames,)`; `holds` `(frames, 2)`:
    the legs' weights, 0..1, 1 by default.
    """
    longest = extension * (body.thigh_length + body.shin_length)
    across = np.sum((hips[..., :2] - ankles[..., :2]) ** 2, axis=-1)
    tallest = np.sqrt(np.maximum(longest**2 - across, (0.25 * longest) ** 2))
    heights = ankles[..., 2] + tallest - (hips[..., 2] - height[:, None])
    if holds is not None:
        heights = heights + (1.0 - holds) * RELEASED * body.leg_length
    # Left and right first: the order must not matter, or the walk would lean to one side.
    return lesser(heights[:, 0], heights[:, 1], soft * body.leg_length)


def too_far(hips: np.ndarray, ankles: np.ndarray, body: Girdle) -> np.ndarray:
    """Return how many metres the pelvis has to come over the ground towards each foot `(f, 2)` for its leg to
    reach.

    `hips`, `ankles` `(f, 2, 3)`. However low it comes, a leg is only so long.
    """
    leg = body.thigh_length + body.shin_length
    above = np.minimum(hips[..., 2] - ankles[..., 2], LOWEST_HIPS * leg)
    most = np.sqrt(np.maximum((LONGEST_REACH * leg) ** 2 - above**2, 0.0))
    return over(norms((ankles - hips)[..., :2]) - most, ACROSS_BAND * body.leg_length)


def nearer(hips: np.ndarray, ankles: np.ndarray, metres: np.ndarray) -> np.ndarray:
    """Return the pelvis' way `(f, 3)` over the ground by `metres` `(f, 2)` towards each foot; feet on
    opposite sides cancel."""
    return (normalized((ankles - hips) * ON_GROUND) * metres[..., None]).sum(axis=1)


class Spans(NamedTuple):
    """Samples to both sides within which demands are `felt`, and the parabolas that hang from them are
    `braked`."""

    felt: int
    braked: int

    @classmethod
    def of(cls, deepest: float, beat: float) -> "Spans":
        """Return those of samples `beat` seconds apart, for demands of metres at `deepest`."""
        return cls(*(int(np.ceil(np.sqrt(2.0 * deepest / bends) / beat)) for bends in (EASES, BRAKES)))

    @property
    def around(self) -> int:
        """How many samples before the first and after the last of a curve decide it."""
        return self.felt + self.braked + 1


def descended(demand: np.ndarray, deepest: float, beat: float) -> np.ndarray:
    """Return how far the pelvis sinks for its legs: a smooth curve over time, nowhere less than they demand.

    `demand` `(n + 2 * Spans.around, ...)`: how far they pull it down, on samples `beat` seconds apart; what
    is more than `deepest` metres is entered and left less gently.

    The double envelope of Lasry and Lions (Israel J. Math. 55, 1986), upside down: parabolas that bend by
    EASES hang from the demands, and the curve is what those that bend by BRAKES leave above these. So the
    pelvis begins to sink before the legs pull it down and rises after they let go, its acceleration stays
    between -BRAKES and EASES BRAKES / (BRAKES - EASES), and any moment can be computed alone.
    """
    felt, braked = Spans.of(deepest, beat)
    pulls = np.maximum(demand, 0.0)
    demand = demand[1:-1] + BESIDE * (_windows(pulls, 1).max(axis=-1) - pulls[1:-1])
    hanging = (_windows(demand, felt) - 0.5 * EASES * _squares(felt, beat)).max(axis=-1)
    return (_windows(hanging, braked) + 0.5 * BRAKES * _squares(braked, beat)).min(axis=-1)


def _squares(span: int, beat: float) -> np.ndarray:
    return (beat * np.arange(-span, span + 1)) ** 2


def _windows(values: np.ndarray, span: int) -> np.ndarray:
    return np.lib.stride_tricks.sliding_window_view(values, 2 * span + 1, axis=0)
