"""What keeps the soles of feet in the air off the ground, softly, so that velocities stay continuous."""

from dataclasses import dataclass

import numpy as np

# Heights below which nothing of the sole goes in mid swing, in leg lengths, and the band in which it is eased off.
CLEARANCE, CLEARANCE_BAND = 0.022, 0.02


def softly_above(values: np.ndarray, band: np.ndarray | float) -> np.ndarray:
    """Return the larger of values and 0, its corner rounded within `band`."""
    return np.where(values <= -band, 0.0, np.where(values >= band, values, (values + band) ** 2 / (4.0 * band)))


def clearance_lift(share: np.ndarray, heights: np.ndarray, leg_length: float, wish: np.ndarray) -> np.ndarray:
    """Return how far to raise the foot `(...)` so that its sole points at `heights` `(..., points)` keep off the ground.

    The floor is 0 at both ends of the swing (`share` of it 0 and 1) and highest in the middle, `wish` times the natural (never more).  It
    is approached softly, and the lifts of the points join in a norm instead of a maximum, so that velocities stay continuous.
    """
    window = ((4.0 * share * (1.0 - share)) ** 2)[..., None]
    floor = CLEARANCE * leg_length * np.clip(wish, 0.0, 1.0)[..., None] * window
    lifts = softly_above(floor - heights, CLEARANCE_BAND * leg_length * window + 1e-9)
    return np.sum(lifts**4, axis=-1) ** 0.25


# Over ground that is not level, a whole swing is looked at, at these shares of it.
LOOKED_AT = np.linspace(0.02, 0.98, 33)
UNSEEN = 1e-3  # leg lengths that count for nothing, as toes leave and heels land on the ground
# Ways to lift a foot: powers of the shares that are over and left; the first ones rise early, the last ones late.
WAYS = np.array([(rise, fall) for rise in (1.25, 1.6, 2.2, 3.0) for fall in (1.25, 1.6, 2.2, 3.0)])


def over_ground(share: np.ndarray, heights: np.ndarray, leg_length: float, wish: np.ndarray) -> np.ndarray:
    """Return how much higher feet must be `(...)` for sole points at `heights` `(..., points)` to be well over the ground under them."""
    window = (4.0 * share * (1.0 - share)) ** 2
    wanted = CLEARANCE * leg_length * np.clip(wish, 0.0, 1.0) * window - UNSEEN * leg_length
    return np.maximum(wanted - np.nanmin(np.where(np.isnan(heights), np.inf, heights), axis=-1), 0.0)


@dataclass(frozen=True)
class Lifts:
    """How feet are lifted in their swings `(...)`: by `height` metres at most, `rise` and `fall` are powers (see WAYS)."""

    height: np.ndarray
    rise: np.ndarray
    fall: np.ndarray

    def take(self, rows: np.ndarray, sides: np.ndarray) -> "Lifts":
        """Return those of steps in rows of `(steps, 2)`; of a step beyond the last, the last one's."""
        index = np.minimum(rows, len(self.height) - 1), sides
        return Lifts(self.height[index], self.rise[index], self.fall[index])

    def at(self, share: np.ndarray) -> np.ndarray:
        """Return metres `(...)` when a share of the swing is over."""
        return self.height * _bump(share, self.rise, self.fall)


def _bump(share: np.ndarray, rise: np.ndarray, fall: np.ndarray) -> np.ndarray:
    """Return a bump of height 1 that begins and ends level."""
    top = rise / (rise + fall)
    return (share / top) ** rise * ((1.0 - share) / (1.0 - top)) ** fall


def lifts_over(shares: np.ndarray, missing: np.ndarray) -> Lifts:
    """Return the lowest lifts that are nowhere lower than what is missing `(steps, n, 2)` at shares `(n,)` of the swing."""
    bumps = _bump(shares, WAYS[:, :1], WAYS[:, 1:])
    height = (missing[:, None] / bumps[:, :, None]).max(axis=2)
    way = np.argmin(height, axis=1)
    return Lifts(np.take_along_axis(height, way[:, None], axis=1)[:, 0], WAYS[way, 0], WAYS[way, 1])
