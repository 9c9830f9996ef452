"""How well a clip keeps its feet planted: the figures of a walk's contact report (`gait.report`) that make sense for any clip."""

from collections.abc import Mapping

import numpy as np

from ..character.body import LEFT, RIGHT, Body
from ..character.character import Character
from ..character.integrity import LIMIT as INTEGRITY_PERCENT
from ..character.integrity import Integrity, integrity_figures
from ..character.motion import Motion
from ..ground.figures import PENETRATION_MM, REACH, REFERENCE_LEG, SLIP_MM, knee_acceleration, past_limits, reach_of, slip_figures, slip_of
from ..skeleton.roles import SIDES, sided


def clip_report(feet: np.ndarray, legs: np.ndarray, body: Body, pivots: np.ndarray, fps: float, whole: Integrity | None = None) -> dict:
    """Return the figures of a clip, ready for JSON; undetermined ones are None.

    Args:
        feet: heel, ball and toe-tip points `(f, 2, 3, 3)` as evaluated, over the ground: metres in the walk frame, travel included.
        legs: hip, knee and ankle joints `(f, 2, 3, 3)` in the same frame.
        body: the character.
        pivots: `(f, 2)`, see `Retargeted`.
        fps: frames a second.
        whole: whether the deform bones stay together, if that was checked.
    """
    size = body.leg_length / REFERENCE_LEG
    figures = {
        "slip_mm": {name: slip_figures(slip_of(feet[:, row], pivots[:, row])) for row, name in zip((LEFT, RIGHT), SIDES, strict=True)},
        "penetration_mm": max(0.0, float(-1e3 * feet[..., 2].min())),
        "reach": None if body.one_bone_legs else reach_of(legs, body),
        "knee_acceleration_rad_s2": knee_acceleration(legs, fps),
        "leg_length_m": float(body.leg_length),
    } | integrity_figures(whole)
    limits = {
        "slip_mm": SLIP_MM * size,
        "penetration_mm": PENETRATION_MM * size,
        "reach": REACH,
        "integrity_percent": INTEGRITY_PERCENT,
    }
    return figures | {"limits": limits, "past_limits": past_limits(figures, limits)}


def carried_points(character: Character, motions: Mapping[str, Motion]) -> tuple[np.ndarray, np.ndarray]:
    """Return the arguments of `clip_report` for a pose: the points of feet and legs, both `(f, 2, 3, 3)`."""
    body = character.body
    feet, legs = [], []
    for row, side in enumerate(SIDES):
        thigh, shin, foot, toe = _bones_of_leg(motions, side)
        feet.append(np.stack([foot.carry(body.heel[row]), toe.carry(body.ball[row]), toe.carry(body.toe[row])], axis=1))
        legs.append(np.stack([thigh.carry(body.hip[row]), shin.carry(body.knee[row]), foot.carry(body.ankle[row])], axis=1))
    return np.stack(feet, axis=1), np.stack(legs, axis=1)


def _bones_of_leg(motions: Mapping[str, Motion], side: str) -> list[Motion]:
    """Return the motions of thigh, shin, foot and toe; missing ones follow the bone above."""
    found: list[Motion] = []
    for part in ("thigh", "shin", "foot", "toe"):
        found.append(motions[sided(part, side)] if sided(part, side) in motions else found[-1])
    return found
