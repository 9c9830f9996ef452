"""How well a clip keeps its feet planted and its body in hand: the figures of a walk's report that make sense
for any clip."""

from collections.abc import Mapping

import numpy as np

from ..character.body import Body
from ..character.character import Character
from ..character.integrity import LIMIT as INTEGRITY_PERCENT
from ..character.integrity import Integrity, integrity_figures
from ..character.motion import Motion
from ..skeleton.roles import FEET, SIDES, sided
from .jolts import (
    HEAD,
    PENETRATION_MM,
    REACH,
    REFERENCE_LEG,
    SLIP_MM,
    BodyPoints,
    Jolt,
    jolt_figures,
    jolt_limits,
    jolts_of,
    past_limits,
    reach_of,
    slip_figures,
    slip_of,
)

OFF_SOURCE_PERCENT = 25.0  # of a leg: planting a clip that skates moves ankles by less


def clip_report(
    feet: np.ndarray,
    legs: np.ndarray,
    head: np.ndarray,
    body: Body,
    pivots: np.ndarray,
    fps: float,
    frames: np.ndarray,
    whole: Integrity | None = None,
    off: float | None = None,
) -> dict:
    """Return the figures of a clip, ready for JSON; undetermined ones are None.

    Args:
        feet: heel, ball and toe-tip points `(f, 2 or 4, 3, 3)` as evaluated, over the ground: metres in the
        walk frame, travel included. legs: hip, knee and ankle joints of these in the same frame. head: the
        head's joint `(f, 3)` in the same frame; NaN without a head. body: the character. pivots: `(f, 2 or
        4)`, see `Retargeted`. fps: frames a second. frames: scene frames `(f,)`. whole: whether the deform
        bones stay together, if that was checked. off: metres that the body is from where the clip has it,
        see `Retargeted`.
    """
    size = body.leg_length / REFERENCE_LEG
    jolts = _jolts(legs / size, head / size, body, fps)
    figures = {
        "slip_mm": {
            name: slip_figures(slip_of(feet[:, row], pivots[:, row]))
            for row, name in enumerate(FEET[: pivots.shape[1]])
        },
        "penetration_mm": max(0.0, float(-1e3 * feet[..., 2].min())),
        "reach": None if body.one_bone_legs else reach_of(legs, body),
        "leg_length_m": float(body.leg_length),
    }
    figures |= integrity_figures(whole) | jolt_figures(jolts, frames)
    figures |= {} if off is None else {"off_source_percent": 100.0 * off / float(body.leg_length)}
    limits = {
        "slip_mm": SLIP_MM * size,
        "penetration_mm": PENETRATION_MM * size,
        "reach": REACH,
        "integrity_percent": INTEGRITY_PERCENT,
    } | jolt_limits(jolts, without=HEAD)  # heads on long trunks swing far where the clip turns
    limits |= {} if off is None else {"off_source_percent": OFF_SOURCE_PERCENT}
    return figures | {"limits": limits, "past_limits": past_limits(figures, limits)}


def _jolts(legs: np.ndarray, head: np.ndarray, body: Body, fps: float) -> dict[str, Jolt]:
    """Return the jolts of a body scaled to REFERENCE_LEG: a clip on a giant is as fast as on a child.

    A clip may leap or crouch: limits are those of flight, and going down is no fault.
    """
    legs = legs[:, : len(SIDES)]
    points = BodyPoints(legs[:, :, 0].mean(axis=1), head, None if body.one_bone_legs else legs, None)
    return jolts_of(points, np.ones(len(head), dtype=bool), fps, REFERENCE_LEG)


def carried_points(
    character: Character, motions: Mapping[str, Motion]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the arguments of `clip_report` for a pose: the points of feet and legs, both `(f, 2, 3, 3)`, and
    of the head `(f, 3)`."""
    body = character.body
    feet, legs = [], []
    for row, side in enumerate(SIDES):
        thigh, shin, foot, toe = _bones_of_leg(motions, side)
        feet.append(
            np.stack(
                [foot.carry(body.heel[row]), toe.carry(body.ball[row]), toe.carry(body.toe[row])], axis=1
            )
        )
        legs.append(
            np.stack(
                [thigh.carry(body.hip[row]), shin.carry(body.knee[row]), foot.carry(body.ankle[row])], axis=1
            )
        )
    head = motions["head"].position if "head" in motions else np.full((len(feet[0]), 3), np.nan)
    return np.stack(feet, axis=1), np.stack(legs, axis=1), head


def _bones_of_leg(motions: Mapping[str, Motion], side: str) -> list[Motion]:
    """Return the motions of thigh, shin, foot and toe; missing ones follow the bone above."""
    found: list[Motion] = []
    for part in ("thigh", "shin", "foot", "toe"):
        found.append(motions[sided(part, side)] if sided(part, side) in motions else found[-1])
    return found
