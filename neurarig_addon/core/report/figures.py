"""Figures of feet and legs, and the limits beyond which they are faults."""

import numpy as np

from ..body.feet import BALL, FLAT, HEEL, TOE
from ..character.body import Body
from ..geometry.rotation import norms

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
    return float((distance / (body.thigh_length + body.shin_length)).max())


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
