"""How feet are lifted off the ground, softly, and over what lies between their prints, with the least stress
on the knees."""

from dataclasses import dataclass, replace

import numpy as np

from ..easing import b_spline, bell, over, smootherstep, smoothstep

CLEARANCE = 0.022  # leg lengths: lowest height of the sole in mid swing
# Clearance follows a parabola over the swing to this power; on a floor for heel, toe joint and tip. People's
# heels are low well before
# they land: from this share of the swing on they only stay out of the ground.
GROUND_NARROW, FLOOR_NARROW, HEEL_LANDS = 2.0, np.array([4.0, 2.5, 2.5]), 0.7
LEFT_BAND = 0.02  # leg lengths in mid swing: band in which what is still in the ground is raised
# The knots of a lift: one before a swing, at its tenths, and one after; those that may be above 0, so that it
# begins and ends level; and the last of these, which is felt until the foot is down.
KNOTS = 13
AT_KNOTS = (np.arange(KNOTS) - 1.0) / (KNOTS - 3)
RAISED_AT = (AT_KNOTS > 0.15) & (AT_KNOTS < 0.75)
LAST_KNOT = np.isclose(AT_KNOTS, 0.8)
UNSEEN = 1e-3  # leg lengths of penetration ignored, as toes leave and heels land on the ground
# Shares of a swing at which it is sampled.
LOOKED_AT = np.linspace(0.0, 1.0, 34)
# Ways to lift a foot: exponents of the elapsed and remaining share (the first rise early, the last late), and
# how much earlier than evenly it moves ahead (above 0), as over an edge before sinking, or later (below 0),
# as up a riser before moving on.
POWERS = (2.0, 2.25, 3.0, 4.0, 5.5)
DETOURS = (0.0, 0.25, 0.5, 0.75, 1.0, -0.25, -0.5, -0.75, -1.0)
WAYS = np.array([(rise, fall, detour) for detour in DETOURS for rise in POWERS for fall in POWERS])
AHEAD_IN = 0.7  # share of a swing, at its start or end, in which a foot on a full detour moves ahead
HIGHEST_LIFT = 0.5  # leg lengths: highest lift, whatever is in the way
HIPS = (0.0, 0.02)  # leg lengths of margin: how straight a leg lands is only estimated, and knees feel it
# shares of a leg: its greatest length, and the length from which exceeding the plan counts
STRAIGHT_LEG, EXTENDED = 0.9975, 0.98
# Costs in radians of knee: of a leg length of lift, of excess height, of excess reach; of a full detour on a
# way of one leg length (squared).
LIFT_COST, TOO_HIGH, TOO_FAR, DETOUR_COST = 0.02, 1e3, 10.0, 0.012
# Leg lengths: height difference up to which prints count as level; cost of a detour between others.
LEVEL, CLIMBING_DETOUR_COST = 0.06, 0.12


def lift_knots(
    share: np.ndarray, heights: np.ndarray, leg_length: float, wish: np.ndarray, late: float
) -> np.ndarray:
    """Return the lift of swings `(swings, KNOTS)`, to be read by `lift_at`, so that soles clear the floor.

    `share` `(n,)` of a swing at which heel, toe joint and tip are at `heights` `(swings, n, 3)`; `wish`
    `(swings, n)`: the clearance,
    times the natural (at most 1). Each knot is as high as the largest demand near it, the last one `late`
    times that; there is none at
    the swing's ends.
    """
    lands = (share[:, None] > HEEL_LANDS) & np.array([True, False, False])
    missing = over_ground(share, np.where(lands, np.inf, heights), leg_length, wish, FLOOR_NARROW)
    near = np.abs(share - AT_KNOTS[:, None]) < 1.001 * (AT_KNOTS[1] - AT_KNOTS[0])
    return np.where(near, missing[:, None], 0.0).max(axis=-1) * (RAISED_AT + late * LAST_KNOT)


def lift_at(knots: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return the lifts in metres `(...)` after shares of swings with knots `(..., KNOTS)`: a cubic B-spline,
    smooth to its curvature."""
    at = np.minimum(share, 1.0 - 1e-9) * (KNOTS - 3)
    row = np.floor(at).astype(int)
    return b_spline(knots, row + 1, at - row)


def clearance_lift(share: np.ndarray, heights: np.ndarray, leg_length: float) -> np.ndarray:
    """Return how far to raise the foot `(...)` so that no sole point at `heights` `(..., points)` is in the
    ground.

    For what `lift_knots` leaves. Approached softly, and the points' lifts combine in a norm instead of a
    maximum, so that velocities
    stay continuous.
    """
    window = bell(share)[..., None]
    lifts = over(-heights, LEFT_BAND * leg_length * window + 1e-9)
    return np.sum(lifts**4, axis=-1) ** 0.25


def over_ground(
    share: np.ndarray,
    heights: np.ndarray,
    leg_length: float,
    wish: np.ndarray,
    narrow: np.ndarray | float = GROUND_NARROW,
) -> np.ndarray:
    """Return how much higher feet must be `(...)` for sole points at `heights` `(..., points)` to clear the
    ground well.

    `narrow`: exponent of the parabola over the swing that the clearance follows, one or one a point
    `(points,)`.
    """
    window = (4.0 * share * (1.0 - share))[..., None] ** narrow
    wanted = CLEARANCE * leg_length * np.clip(wish, 0.0, 1.0)[..., None] * window - UNSEEN * leg_length
    return np.maximum((wanted - np.where(np.isnan(heights), np.inf, heights)).max(axis=-1), 0.0)


def evenly(share: np.ndarray, start: np.ndarray | float, end: np.ndarray | float) -> np.ndarray:
    """Return values that blend from start to end during a swing."""
    return start + smoothstep(share) * (end - start)


def within(share: np.ndarray, start: float, end: float) -> np.ndarray:
    """Return 0 before and 1 after two shares of the swing, blended with continuous speed and acceleration."""
    return smootherstep((share - start) / (end - start))


def detour(taken: np.ndarray | float, share: np.ndarray) -> np.ndarray:
    """Return how much more of their way `(...)` feet have made than evenly, for a detour from -1, late, to 1,
    early."""
    early, late = within(share, 0.0, AHEAD_IN), within(share, 1.0 - AHEAD_IN, 1.0)
    return np.abs(taken) * (np.where(np.asarray(taken) > 0.0, early, late) - evenly(share, 0.0, 1.0))


@dataclass(frozen=True)
class Lifts:
    """The lifts of feet in their swings `(...)`: at most `height` metres; `rise` and `fall` are exponents
    (see WAYS).

    `detour`: see WAYS.
    """

    height: np.ndarray
    rise: np.ndarray
    fall: np.ndarray
    detour: np.ndarray

    def take(self, rows: np.ndarray, sides: np.ndarray) -> "Lifts":
        """Return the lifts of the steps in the given rows; beyond the last step, the last one's."""
        index = np.minimum(rows, len(self.height) - 1), sides
        return Lifts(self.height[index], self.rise[index], self.fall[index], self.detour[index])

    def at(self, share: np.ndarray) -> np.ndarray:
        """Return the lift in metres `(...)` after a share of the swing."""
        return self.height * _bump(share, self.rise, self.fall)


def _bump(share: np.ndarray, rise: np.ndarray, fall: np.ndarray) -> np.ndarray:
    """Return a bump of height 1 that begins and ends level."""
    top = rise / (rise + fall)
    return (share / top) ** rise * ((1.0 - share) / (1.0 - top)) ** fall


@dataclass(frozen=True)
class Swings:
    """Swings `(steps, 2)` seen from the side: `ahead`, `above` `(steps, n, 2)`, metres from hip to ankle at
    shares LOOKED_AT.

    `way`, `rise` `(steps, 2)`: metres from print to print, ahead and up. `leg` `(2,)`: metres of thigh and
    shin.
    """

    ahead: np.ndarray
    above: np.ndarray
    way: np.ndarray
    rise: np.ndarray
    leg: np.ndarray


def lifts_over(missing: np.ndarray, swings: Swings, leg_length: float) -> Lifts:
    """Return the lifts that are nowhere below `missing` `(detours, steps, n, 2)` at shares LOOKED_AT and
    stress the knees least.

    `missing` is given for each of DETOURS; with only the first one, there are no detours. Of all sufficient
    ways,
    between prints of equal height the one with the smoothest knee, judged from hip and ankle, is taken;
    up and down, where the body moves too, the lowest.
    """
    shape = missing.shape[1::2]
    lifts = Lifts(np.zeros(shape), np.full(shape, POWERS[0]), np.full(shape, POWERS[0]), np.zeros(shape))
    row, side = np.nonzero(missing[0].max(axis=1) > 0.0)
    if not len(row):
        return lifts
    ways = WAYS[: len(missing) * len(POWERS) ** 2]
    bumps = _bump(LOOKED_AT, ways[:, :1], ways[:, 1:2])
    in_air = slice(1, -1)
    lacking = missing[:, None, row, :, side].transpose(1, 2, 0, 3)[..., in_air]
    needed = (
        (lacking / bumps.reshape(len(missing), -1, 1, len(LOOKED_AT))[..., in_air])
        .max(axis=3)
        .reshape(len(ways), len(row))
    )
    height = np.minimum(needed, HIGHEST_LIFT * leg_length)
    lift, further = height[..., None] * bumps[:, None], detour(ways[:, 2:], LOOKED_AT)[:, None]
    felt = sum(
        _felt(replace(swings, above=swings.above - higher * leg_length), (row, side), lift, further)
        for higher in HIPS
    )
    dear = (swings.way[row, side] / leg_length) ** 2 * np.abs(ways[:, 2:])
    least_felt = felt + DETOUR_COST * dear + LIFT_COST * height / leg_length
    lowest = height / leg_length + CLIMBING_DETOUR_COST * dear
    climbs = np.abs(swings.rise[row, side]) > LEVEL * leg_length
    best = np.argmin(np.where(climbs, lowest, least_felt) + TOO_HIGH * (needed - height) / leg_length, axis=0)
    lifts.height[row, side] = height[best, np.arange(len(row))]
    lifts.rise[row, side], lifts.fall[row, side], lifts.detour[row, side] = ways[best].T
    return lifts


def _felt(
    swings: Swings, where: tuple[np.ndarray, np.ndarray], lift: np.ndarray, further: np.ndarray
) -> np.ndarray:
    """Return the knees' stress `(ways, m)` in swings `where` `(m,)`, lifted by `(ways, m, n)` and `further`
    along by a share of their way.

    It is the change of the knee's pace in radians from share to share, also against the stance at both ends,
    plus overlong legs.
    """
    row, side = where
    ahead, above = swings.ahead[row, :, side], swings.above[row, :, side]
    leg, way = swings.leg[side][:, None], swings.way[row, side][:, None]
    planned, stretch = np.hypot(ahead, above) / leg, np.hypot(ahead + further * way, above + lift) / leg
    before, knee = (2.0 * np.arccos(np.minimum(length, STRAIGHT_LEG)) for length in (planned, stretch))
    kick = np.abs(np.diff(knee, n=2, axis=-1)).max(axis=-1)
    edges = np.abs(knee - before)[..., [1, -2]].max(axis=-1)
    return np.maximum(kick, edges) + TOO_FAR * np.maximum(stretch - np.maximum(planned, EXTENDED), 0.0).max(
        axis=-1
    )
