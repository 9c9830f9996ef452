"""Contacts of heels, balls and hands, found on the source in units of its leg length."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from ..character.body import Body
from ..character.character import Character
from ..character.motion import Motion
from ..geometry.rotation import norms
from ..ikrig.encoding import Contacts
from ..skeleton.roles import SIDES, sided
from .ground import floor_plane, height_of
from .spans import closed, intervals_of, kept, kept_for, rates, touched

# A contact begins below the first height and speed, and lasts while below the second (hysteresis).
LOW, STILL_LOW = 0.03, 0.06  # leg lengths above its level
SLOW, STILL_SLOW = 0.3, 0.65  # leg lengths a second
RESTING = 0.15  # leg lengths per second: on a step or a box, where height does not decide
LEVEL = 0.04  # leg lengths: height difference of heel and ball on a step
SPAN_S = 1.0 / 30.0  # seconds over which speeds are measured
SHORTEST_S, SHORTEST_ON_STEP_S = 0.05, 0.12  # seconds: shorter contacts are dropped
GAP_S, GAP_MOVED = 0.08, 0.05  # seconds and leg lengths: shorter gaps with less motion are closed
STRAY = 0.08  # leg lengths: a planted point that strays farther is being dragged
ON_ITS_SIDE = np.sin(np.radians(50.0))  # a foot on its side does not stand
# leg lengths a point's own level may differ from the floor: rest poses do not show how a foot is flat
LEVEL_WITHIN = 0.03

HAND_SLOW, HAND_STILL_SLOW = 0.08, 0.16  # leg lengths a second
HAND_SHORTEST_S = 0.3
HAND_APART = 0.08  # leg lengths the body must move while a hand stays, or the hand is just held still
# leg lengths of the wrist above the floor: below this it counts as standing even if the body is still
HAND_ON_FLOOR = 0.2


def find_contacts(
    character: Character,
    motions: Mapping[str, Motion],
    fps: float,
    told: Mapping[str, np.ndarray] = MappingProxyType({}),
) -> Contacts:
    """Return when each heel, ball and hand of a clip is planted; `told`: flags `(f,)` of points that the
    clip's file tells.

    A foot's points are planted where they are low and slow, or where a higher foot bears the body alone
    (steps, boxes). A hand is planted where it stays while the body moves, or on the floor.
    """
    body = character.body
    places = foot_points(body, motions)
    short = body.on_toes and 2.0 / fps > SPAN_S
    speeds = speed(places, fps, short)
    upright = np.stack(
        [np.abs(motions[foot_role(motions, side)].rotation[:, 2, 1]) < ON_ITS_SIDE for side in SIDES], axis=1
    )
    heights = heights_above_floor(places, speeds, body.leg_length)
    low = _low(heights, speeds, upright, body.leg_length, RESTING if short else STILL_SLOW)
    resting = speeds < RESTING * body.leg_length
    intervals = {}
    for side, letter in enumerate(SIDES):
        others = low[:, 1 - side, 0] | low[:, 1 - side, 1]
        lower = heights[:, side] <= heights[:, side].min(axis=-1, keepdims=True) + LEVEL * body.leg_length
        on_step = _on_step(
            resting[:, side] & upright[:, side, None] & lower,
            low[:, side],
            others,
            round(SHORTEST_ON_STEP_S * fps),
        )
        for point, name in enumerate(("heel", "ball")):
            seen = places[:, side, point]
            stands = told.get(f"{name}.{letter}")
            planted = low[:, side, point] | on_step[:, point] if stands is None else stands
            planted = closed(planted, round(GAP_S * fps), seen, GAP_MOVED * body.leg_length)
            if stands is None:
                planted = _not_dragged(planted, seen, speeds[:, side, point], body.leg_length)
            intervals[f"{name}.{letter}"] = intervals_of(kept_for(planted, SHORTEST_S, fps))
        intervals[f"hand.{letter}"] = _hand(
            character, motions, letter, floor_under(places, speeds, body.leg_length), fps
        )
    return Contacts(intervals)


def foot_role(motions: Mapping[str, Motion], side: str) -> str:
    """Return the role that carries the sole: the foot, or the last bone of a leg without one."""
    return next(role for role in (sided(part, side) for part in ("foot", "shin", "thigh")) if role in motions)


def foot_points(body: Body, motions: Mapping[str, Motion]) -> np.ndarray:
    """Return heel and ball `(f, 2, 2, 3)` of the left and right foot, both carried by the foot, or by the
    toes on which it stands."""
    toes = {side: motions.get(sided("toe", side)) if body.on_toes else None for side in SIDES}
    feet = [toes[side] or motions[foot_role(motions, side)] for side in SIDES]
    return np.stack(
        [
            np.stack([foot.carry(body.heel[row]), foot.carry(body.ball[row])], 1)
            for row, foot in enumerate(feet)
        ],
        1,
    )


def speed(places: np.ndarray, fps: float, short: bool = False) -> np.ndarray:
    """Return the speeds `(f, ...)` of points `(f, ..., 3)`, over SPAN_S around each frame; where stances are
    `short` for the frames, as animals' in a gallop, the lower of those to the frames before and after."""
    if not short:
        return norms(rates(places, SPAN_S, fps))
    steps = fps * norms(np.diff(places, axis=0))
    return np.minimum(np.concatenate([steps[:1], steps]), np.concatenate([steps, steps[-1:]]))


def floor_under(places: np.ndarray, speeds: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the floor `(3,)` (see `ground`) under the slowest foot points."""
    slow = speeds < max(SLOW * leg_length, float(np.percentile(speeds, 10)))
    return floor_plane(places[slow], leg_length)


def heights_above_floor(places: np.ndarray, speeds: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the height `(f, 2, 2)` of each foot point above its own level: both are 0 for a flat foot."""
    above = places[..., 2] - height_of(floor_under(places, speeds, leg_length), places)
    standing = (speeds < SLOW * leg_length) & (np.abs(above) < LEVEL_WITHIN * leg_length)
    for side, point in np.ndindex(above.shape[1:]):
        rows = standing[:, side, point]
        if rows.any():
            above[:, side, point] -= np.median(above[rows, side, point])
    return above


def _low(
    heights: np.ndarray, speeds: np.ndarray, upright: np.ndarray, leg_length: float, still: float
) -> np.ndarray:
    """Return which points `(f, 2, 2)` are low and slow; `still`: leg lengths a second, up to which a contact
    lasts."""
    begins = (heights < LOW * leg_length) & (speeds < SLOW * leg_length) & upright[..., None]
    lasts = (heights < STILL_LOW * leg_length) & (speeds < still * leg_length) & upright[..., None]
    return touched(lasts, begins)


def _on_step(resting: np.ndarray, low: np.ndarray, other_down: np.ndarray, shortest: int) -> np.ndarray:
    """Return where points `(f, 2)` of one foot rest above the floor and bear the body while the other foot is
    in the air."""
    rests = kept(resting & ~low, shortest)
    return touched(rests, rests & ~other_down[:, None])


def _not_dragged(
    planted: np.ndarray, places: np.ndarray, speeds: np.ndarray, leg_length: float
) -> np.ndarray:
    """Return flags `(f,)` without the faster frames of contacts in which the point at `places` `(f, 3)`
    strays."""
    still = planted.copy()
    for limit in (SLOW, RESTING):
        intervals = intervals_of(still)
        for first, last in intervals[_extents(places, intervals) > STRAY * leg_length]:
            rows = slice(first, last + 1)
            apart = norms(places[rows] - np.median(places[rows], axis=0))
            if apart.max() > STRAY * leg_length:
                still[rows] &= speeds[rows] < limit * leg_length
    return still


def _extents(places: np.ndarray, intervals: np.ndarray) -> np.ndarray:
    """Return the diagonals `(n,)` of the bounding boxes of places `(f, 3)` within intervals `(n, 2)`: an
    upper bound of straying."""
    if not len(intervals):
        return np.zeros(0)
    ends = np.ravel(intervals + np.array([0, 1]))  # every second part lies between two intervals
    padded = np.concatenate([places, places[-1:]])
    return norms(np.maximum.reduceat(padded, ends)[::2] - np.minimum.reduceat(padded, ends)[::2])


def _hand(
    character: Character, motions: Mapping[str, Motion], side: str, floor: np.ndarray, fps: float
) -> np.ndarray:
    """Return the intervals `(n, 2)` in which a hand stays where it is."""
    hand = motions.get(sided("hand", side))
    if hand is None:
        return np.zeros((0, 2), dtype=int)
    leg = character.body.leg_length
    speeds = speed(hand.position, fps)
    planted = touched(speeds < HAND_STILL_SLOW * leg, speeds < HAND_SLOW * leg)
    planted = closed(planted, round(GAP_S * fps), hand.position, GAP_MOVED * leg)
    intervals = intervals_of(kept_for(planted, HAND_SHORTEST_S, fps))
    above = hand.position[:, 2] - height_of(floor, hand.position)
    trunk = motions["pelvis"].position
    stands = [
        np.ptp(trunk[first : last + 1], axis=0).max() > HAND_APART * leg
        or np.median(above[first : last + 1]) < HAND_ON_FLOOR * leg
        for first, last in intervals
    ]
    return intervals[np.array(stands, dtype=bool)]
