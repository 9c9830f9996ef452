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

from ..body.feet import SWING
from ..easing import catmull_rom
from ..geometry.rotation import dot, norms
from .figures import REFERENCE_LEG

PELVIS, HEAD, KNEE, DROP = (
    "pelvis_acceleration_m_s2",
    "head_acceleration_m_s2",
    "knee_jump_degrees",
    "height_lost_percent",
)
ON_FOOT = {PELVIS: 25.0, HEAD: 25.0, KNEE: 40.0, DROP: 7.0}
IN_FLIGHT = {PELVIS: 35.0, HEAD: 35.0, KNEE: 45.0, DROP: 7.0}

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

    `hips`, `head` `(f, 3)`; a head that the rig lacks is NaN. `legs` `(f, 2, 3, 3)`: hip, knee and ankle
    joints; None without knees.
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
    """Return whether both feet are in the air near each frame `(f,)`, for pivots `(f, 2)`."""
    air = (pivot == SWING).all(axis=1)
    near = round(FLIGHT_S * fps * np.sqrt(leg_length / REFERENCE_LEG))
    return np.convolve(air, np.ones(2 * near + 1))[near : near + len(air)] > 0.5


def knee_angles(legs: np.ndarray) -> np.ndarray:
    """Return how far knees are bent `(f, 2)`, in radians."""
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
