"""Figures of a moving body that no viewer forgives: pelvis or head thrown about, a knee that snaps, a body
that drops and comes back.

Limits from recorded people (CMU; Fukuchi et al. 2017), measured as here, plus about a fifth. Of 108 walks in
many manners, with starts,
stops and turns, 19 in 20 stay below 21 m/s² for pelvis and head and 32° for a knee; a clumsy walk, a stumble
and a lost marker are past
the limits. Of 107 runs and jumps 9 in 10 stay below 30 m/s², 26 m/s² and 36°. Of walks on level ground 19 in
20 lose less than 3 % of
the leg, those on uneven ground up to 10 %: the limit is between.
"""

from dataclasses import dataclass

import numpy as np

from ..body.feet import BALL, FLAT, HEEL, SWING, TOE
from ..character.body import Body
from ..easing import catmull_rom
from ..geometry.rotation import dot, norms

HEEL_POINT, BALL_POINT, TOE_POINT = range(3)
# the phases in which a point should stand still
PIVOTS = {HEEL_POINT: (HEEL, FLAT), BALL_POINT: (FLAT, BALL), TOE_POINT: (TOE,)}

# Limits for a leg of REFERENCE_LEG metres; lengths scale with the leg.
REFERENCE_LEG = 0.9
SLIP_MM = 0.5
PENETRATION_MM = 1.0
CLEARANCE_MM = 10.0
REACH = 0.999
SEAM_M = 1e-5
AT_LEAST = {"toe_clearance_mm"}  # the others are limits from above


def slip_of(points: np.ndarray, pivot: np.ndarray) -> np.ndarray:
    """Return, in metres, how far each standing point is from where its contact began: one value per point and
    frame of contact.

    `points` `(f, 3, 3)` over the ground; `pivot` `(f,)`.
    """
    found = []
    for point, phases in PIVOTS.items():
        still = np.isin(pivot, phases)
        began = np.flatnonzero(still & ~np.concatenate([[False], still[:-1]]))
        contact = np.cumsum(np.isin(np.arange(len(still)), began)) - 1
        start = points[began[contact[still]], point] if len(began) else points[:0, point]
        found.append(norms((points[still, point] - start)[:, :2]))
    return np.concatenate(found)


def slip_figures(slip: np.ndarray) -> dict[str, float | None]:
    if not len(slip):
        return {"max": None, "p95": None}
    return {"max": 1e3 * float(slip.max()), "p95": 1e3 * float(np.percentile(slip, 95))}


def reach_of(legs: np.ndarray, body: Body) -> float:
    """Return the greatest hip-to-ankle distance as a share of the leg."""
    distance = norms(legs[:, :, 2] - legs[:, :, 0])
    return float((distance / body.leg_lengths[: distance.shape[1]]).max())


def past_limits(figures: dict, limits: dict[str, float]) -> list[str]:
    """Return the names of the figures past their limits."""
    slips = [side["max"] for side in figures["slip_mm"].values() if side["max"] is not None]
    values = {name: figures[name] for name in limits} | {"slip_mm": max(slips, default=None)}
    known: dict[str, float] = {name: value for name, value in values.items() if value is not None}
    return [
        name
        for name, value in known.items()
        if (value < limits[name] if name in AT_LEAST else value > limits[name])
    ]


PELVIS, HEAD, KNEE, DROP = (
    "pelvis_acceleration_m_s2",
    "head_acceleration_m_s2",
    "knee_jump_degrees",
    "height_lost_percent",
)
ON_FOOT = {PELVIS: 25.0, HEAD: 25.0, KNEE: 40.0, DROP: 7.0}
IN_FLIGHT = {PELVIS: 35.0, HEAD: 40.0, KNEE: 45.0, DROP: 7.0}

# Times are for a leg of REFERENCE_LEG; others move in proportion to the root of their length, as pendulums
# do, so accelerations compare.
SAMPLE_S = 1.0 / 24.0
FLIGHT_S = 0.5  # around a frame with both feet in the air, limits are those of flight
# a drop is compared with what is so much earlier and later: more than its own length, and a whole slow stride
APART_S = (0.5, 2.0)
ENOUGH = 0.6  # share of such a time that has to be known


@dataclass(frozen=True)
class Jolt:
    """The worst moment of a figure: its value, its limit there, and the row of its frame."""

    value: float
    limit: float
    row: int

    @property
    def share(self) -> float:
        """How much of its limit it is."""
        return self.value / self.limit


@dataclass(frozen=True)
class BodyPoints:
    """What jolts are measured on, over the ground, metres.

    `hips`, `head` `(f, 3)`; a head that the rig lacks, or that is thrust on, is NaN. `legs` `(f, 2 or 4, 3,
    3)`: hip, knee and ankle joints; None without knees.
    `height` `(f,)`: of the hips above the ground; None where a body may well go down.
    """

    hips: np.ndarray
    head: np.ndarray
    legs: np.ndarray | None
    height: np.ndarray | None


def jolts_of(points: BodyPoints, flies: np.ndarray, fps: float, leg_length: float) -> dict[str, Jolt]:
    """Return the worst moment of every figure that can be told; `flies` `(f,)`: whether limits are those of
    flight."""
    slowness = float(np.sqrt(leg_length / REFERENCE_LEG))
    second = fps * slowness
    step = max(SAMPLE_S * second, 1.0)  # frames; of fewer than 24 a second what is seen
    per_s2 = (fps / step) ** 2
    found = {
        name: per_s2 * norms(_bend(place, step))
        for name, place in ((PELVIS, points.hips), (HEAD, points.head))
    }
    if points.legs is not None:
        jump = np.abs(_bend(knee_angles(points.legs), step)).max(axis=1)
        found[KNEE] = np.degrees(jump) * per_s2 * (SAMPLE_S * slowness) ** 2
    if points.height is not None:
        found[DROP] = 100.0 * height_lost(points.height, second) / leg_length
    limits = {name: np.where(flies, IN_FLIGHT[name], ON_FOOT[name]) for name in found}
    return {name: _worst(values, limits[name]) for name, values in found.items() if np.isfinite(values).any()}


def flies(pivot: np.ndarray, fps: float, leg_length: float) -> np.ndarray:
    """Return whether all feet are in the air near each frame `(f,)`, for pivots `(f, feet)`."""
    air = (pivot == SWING).all(axis=1)
    near = round(FLIGHT_S * fps * np.sqrt(leg_length / REFERENCE_LEG))
    return np.convolve(air, np.ones(2 * near + 1))[near : near + len(air)] > 0.5


def knee_angles(legs: np.ndarray) -> np.ndarray:
    """Return how far knees are bent `(f, legs)`, in radians."""
    thigh, shin = legs[:, :, 1] - legs[:, :, 0], legs[:, :, 2] - legs[:, :, 1]
    return np.arctan2(norms(np.cross(thigh, shin)), dot(thigh, shin))


def height_lost(height: np.ndarray, second: float) -> np.ndarray:
    """Return how far heights `(f,)` are below the lowest of some time before and after; NaN where too little
    of that is known.

    So neither the rise and fall of steps counts nor going over to a crouch, only a drop that is made up.
    `second`: frames.
    """
    near, far = (round(apart * second) for apart in APART_S)
    width = far - near + 1

    def lowest_before(heights: np.ndarray) -> np.ndarray:
        padded = np.concatenate([np.full(far, np.inf), heights])
        found = np.lib.stride_tricks.sliding_window_view(padded, width)[: len(heights)].min(axis=1)
        known = np.arange(len(heights)) - near + 1
        return np.where(known >= ENOUGH * width, found, np.nan)

    around = np.minimum(lowest_before(height), lowest_before(height[::-1])[::-1])
    return np.maximum(around - height, 0.0)


def jolt_figures(jolts: dict[str, Jolt], frames: np.ndarray) -> dict:
    """Return jolts as figures of a report, with the frame of each in `worst_frames`; those that cannot be
    told are None."""
    values = {name: jolts[name].value if name in jolts else None for name in ON_FOOT}
    return values | {"worst_frames": {name: float(frames[jolt.row]) for name, jolt in jolts.items()}}


def jolt_limits(jolts: dict[str, Jolt], without: str = "") -> dict[str, float]:
    """Return the limits of a report's jolts; `without`: one that is only shown."""
    return {name: jolt.limit for name, jolt in jolts.items() if name != without}


def _bend(values: np.ndarray, step: float) -> np.ndarray:
    """Return the second differences `(f, ...)` of values over `step` frames; NaN where a neighbour lies
    outside."""
    at = np.arange(len(values), dtype=float)
    inside = (at >= step - 1e-9) & (at <= len(values) - 1.0 - step + 1e-9)
    found = np.full(values.shape, np.nan)
    if inside.any():
        found[inside] = (
            catmull_rom(values, at[inside] - step)
            - 2.0 * values[inside]
            + catmull_rom(values, at[inside] + step)
        )
    return found


def _worst(values: np.ndarray, limits: np.ndarray) -> Jolt:
    row = int(np.nanargmax(values / limits))
    return Jolt(float(values[row]), float(limits[row]), row)
