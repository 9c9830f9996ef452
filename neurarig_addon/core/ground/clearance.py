"""What keeps the soles of feet in the air off the ground, softly, so that velocities stay continuous."""

from dataclasses import dataclass

import numpy as np

# Heights below which nothing of the sole goes in mid swing, in leg lengths, and the band in which it is eased off.
CLEARANCE, CLEARANCE_BAND = 0.022, 0.03


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
# Ways to lift a foot: powers of the shares that are over and left (the first ones rise early, the last ones late), and how much earlier
# than evenly it goes ahead (above 0), as over an edge before it sinks, or later (below 0), as up a riser before it goes on.
POWERS = (2.0, 2.5, 3.0, 4.0, 5.5)
DETOURS = (0.0, 0.25, 0.5, 0.75, 1.0, -0.25, -0.5, -0.75, -1.0)
WAYS = np.array([(rise, fall, detour) for detour in DETOURS for rise in POWERS for fall in POWERS])
DETOUR_COST, SHORT_WAY = 0.12, 0.65  # leg lengths of lift that a whole detour is worth, on a way of so many leg lengths
HIGHEST_LIFT = 0.5  # leg lengths: nobody lifts a foot farther, whatever is in the way


def over_ground(share: np.ndarray, heights: np.ndarray, leg_length: float, wish: np.ndarray) -> np.ndarray:
    """Return how much higher feet must be `(...)` for sole points at `heights` `(..., points)` to be well over the ground under them."""
    window = (4.0 * share * (1.0 - share)) ** 2
    wanted = CLEARANCE * leg_length * np.clip(wish, 0.0, 1.0) * window - UNSEEN * leg_length
    return np.maximum(wanted - np.nanmin(np.where(np.isnan(heights), np.inf, heights), axis=-1), 0.0)


@dataclass(frozen=True)
class Lifts:
    """How feet are lifted in their swings `(...)`: by `height` metres at most, `rise` and `fall` are powers (see WAYS).

    `detour`: see WAYS.
    """

    height: np.ndarray
    rise: np.ndarray
    fall: np.ndarray
    detour: np.ndarray

    def take(self, rows: np.ndarray, sides: np.ndarray) -> "Lifts":
        """Return those of steps in rows of `(steps, 2)`; of a step beyond the last, the last one's."""
        index = np.minimum(rows, len(self.height) - 1), sides
        return Lifts(self.height[index], self.rise[index], self.fall[index], self.detour[index])

    def at(self, share: np.ndarray) -> np.ndarray:
        """Return metres up `(...)` when a share of the swing is over."""
        return self.height * _bump(share, self.rise, self.fall)


def _bump(share: np.ndarray, rise: np.ndarray, fall: np.ndarray) -> np.ndarray:
    """Return a bump of height 1 that begins and ends level."""
    top = rise / (rise + fall)
    return (share / top) ** rise * ((1.0 - share) / (1.0 - top)) ** fall


def lifts_over(shares: np.ndarray, missing: np.ndarray, way: np.ndarray, leg_length: float) -> Lifts:
    """Return the lowest lifts that are nowhere lower than what is missing `(detours, steps, n, 2)` at shares `(n,)` of the swing.

    `missing` is that of feet that take each of DETOURS; where only the first one is given, they take none.  `way` `(steps, 2)`: metres from
    print to print, on long ones a detour is dear.
    """
    shape = missing.shape[1::2]
    lifts = Lifts(np.zeros(shape), np.full(shape, POWERS[0]), np.full(shape, POWERS[0]), np.zeros(shape))
    row, side = np.nonzero(missing[0].max(axis=1) > 0.0)
    ways = WAYS[: len(missing) * len(POWERS) ** 2]
    bumps = _bump(shares, ways[:, :1], ways[:, 1:2]).reshape(len(missing), -1, 1, len(shares))
    height = (missing[:, None, row, :, side].transpose(1, 2, 0, 3) / bumps).max(axis=3).reshape(len(ways), len(row))
    dear = DETOUR_COST * (way[row, side] / (SHORT_WAY * leg_length)) ** 2
    best = np.argmin(height + leg_length * np.abs(ways[:, 2:]) * dear, axis=0)
    lifts.height[row, side] = np.minimum(height[best, np.arange(len(row))], HIGHEST_LIFT * leg_length)
    lifts.rise[row, side], lifts.fall[row, side], lifts.detour[row, side] = ways[best].T
    return lifts
