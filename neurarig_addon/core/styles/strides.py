"""The strides of a clip: when each foot strikes and leaves, and which strides are steady, straight walking.

A foot strikes where it is farthest ahead of the pelvis and leaves where it is farthest behind (Zeni, Richards
and Higginson 2008); if the foot's contacts are known, they give the exact frame.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..character.body import LEFT, RIGHT, Body
from ..character.motion import Motion
from ..errors import NeuraRigError
from ..geometry.rotation import dot, norms, wrapped
from ..ikrig.encode import heading_of
from ..retarget.contacts import foot_points, heights_above_floor
from ..retarget.contacts import speed as speeds_of
from ..retarget.spans import kept
from ..retarget.travel import smooth
from ..skeleton.roles import SIDES, sided

SMOOTHED_S, REACH_SMOOTHED_S = 0.25, 0.03
SLOWEST = 0.08  # leg lengths per second: slower is standing
SHORTEST_STEP = 0.12  # leg lengths of a foot's range from behind to ahead of the pelvis
LAME = 0.3  # share of the other foot's range below which a leg takes no steps
OF_USUAL = 0.3  # share of its usual range; less is a foot that shifts
# A foot stands if it is this low, in leg lengths, and this slow: leg lengths per second, or a share of its
# fastest. Feet keyed, not
# recorded, may glide: if neither foot would be on the ground between two steps, the next share applies.
LOW, SLOW, SHARES = 0.06, 0.3, (0.1, 0.14, 0.2)
SHORTEST_S = 0.1
NEAR = 0.14  # cycles the contact may be off the foot's farthest place
SPEED_OFF, PERIOD_OFF = 0.2, 0.2  # shares by which steady strides may differ from the usual one
# turn in a stride, and of the pelvis off the direction of travel
MOST_TURN, MOST_ASIDE = np.radians([15.0, 40.0])
SECONDS = (0.3, 5.0)  # of a stride
BOTH_AT_ONCE = 0.2  # cycles: feet that strike closer together than this jump
LEAST_DUTY = 0.5  # of a walk
WORDS = {
    "turns": ("that turns", "that turn"),
    "sideways": ("sideways or backwards", "sideways or backwards"),
    "uneven": ("of another speed or length", "of another speed or length"),
    "one foot": ("without a step of the other foot", "without a step of the other foot"),
}


@dataclass(frozen=True)
class SteadyStrides:
    """Steady strides `(n,)`, from a left heel strike to the next: fractional rows of the clip.

    `begins`, `ends`: left heel strikes; `right`: the right one between; `lifts` `(n, 2)`: toe-offs that end
    those stances.
    `heading` in radians and `speed` in m/s: of the travel. `left_out`: number of unsteady strides by reason
    (a key of WORDS).
    """

    begins: np.ndarray
    ends: np.ndarray
    right: np.ndarray
    lifts: np.ndarray
    heading: np.ndarray
    speed: np.ndarray
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.begins)

    def take(self, rows: np.ndarray) -> "SteadyStrides":
        """Return some of the strides."""
        kept = (
            getattr(self, name)[rows] for name in ("begins", "ends", "right", "lifts", "heading", "speed")
        )
        return SteadyStrides(*kept, left_out=self.left_out)

    @property
    def duty(self) -> np.ndarray:
        """Share of the cycle that each foot is on the ground `(n, 2)`."""
        return (self.lifts - np.stack([self.begins, self.right], -1)) / (self.ends - self.begins)[:, None]


def standing_of(
    body: Body, motions: Mapping[str, Motion], fps: float, share: float = SHARES[0]
) -> np.ndarray:
    """Return when each foot is on the ground `(f, 2)`, by heel or ball."""
    places = foot_points(body, motions)
    speeds = speeds_of(places, fps)
    heights = heights_above_floor(places, speeds, body.leg_length)
    slow = np.maximum(SLOW * body.leg_length, share * np.percentile(speeds, 98.0, axis=0))
    stands = np.any((heights < LOW * body.leg_length) & (speeds < slow), axis=-1)
    shortest = max(2, round(SHORTEST_S * fps))
    return np.logical_not(kept(np.logical_not(kept(np.asarray(stands), shortest)), shortest))


def find_strides(body: Body, motions: Mapping[str, Motion], fps: float) -> SteadyStrides:
    """Return the steady strides of a clip.

    Raises NeuraRigError, saying what the clip shows instead, if there is none.
    """
    pelvis = motions["pelvis"].position[:, :2]
    way = smooth(pelvis, SMOOTHED_S * fps)
    velocity = np.gradient(way, axis=0) * fps
    going = norms(velocity)
    moves = going > SLOWEST * body.leg_length
    if moves.sum() < SECONDS[0] * fps:
        raise NeuraRigError(
            "The clip does not walk: its hips do not move; choose a clip that walks, in place or forward."
        )
    ahead = velocity / np.maximum(going, 1e-9)[:, None]
    ankles = np.stack([motions[sided("foot", side)].position[:, :2] for side in SIDES], 1)
    reach = dot(ankles - pelvis[:, None], ahead[:, None]) / body.leg_length
    reach = smooth(reach, REACH_SMOOTHED_S * fps)
    usual = np.ptp(np.percentile(reach[moves], [5.0, 95.0], axis=0), axis=0)
    if usual.max() < SHORTEST_STEP:
        raise NeuraRigError(
            "The clip does not walk: its feet do not pass each other; choose a clip that walks."
        )
    if usual.min() < LAME * usual.max():
        lame = ("left", "right")[int(np.argmin(usual))]
        raise NeuraRigError(
            f"The clip walks on one leg: its {lame} foot takes no steps; choose a clip in which both do."
        )
    heading = heading_of(motions["pelvis"].rotation)
    for share in SHARES:
        standing = standing_of(body, motions, fps, share)
        events = [
            _events(reach[:, side], max(OF_USUAL * usual[side], 0.05), standing[:, side], moves)
            for side in (LEFT, RIGHT)
        ]
        found = _steady(_Candidates.of(events, way, heading, fps), fps, body)
        if np.median(found.duty.mean(axis=-1)) >= LEAST_DUTY:
            return found
    raise NeuraRigError(
        "The clip runs: no foot is on the ground between its steps; choose a clip that walks."
    )


@dataclass(frozen=True)
class _Candidates:
    """All candidate strides of a clip, steady or not; `why` `(n,)`: '' or a key of WORDS."""

    strides: SteadyStrides
    turn: np.ndarray
    aside: np.ndarray
    why: np.ndarray

    @classmethod
    def of(
        cls, events: list[tuple[np.ndarray, np.ndarray]], way: np.ndarray, heading: np.ndarray, fps: float
    ) -> "_Candidates":
        (left, left_lifts), (right, right_lifts) = events
        rows, why = [], []
        for begins, ends in pairwise(left):
            between = right[(right > begins) & (right < ends)]
            lifts = [
                next((lift for lift in lifts if lift > strike), np.nan)
                for strike, lifts in zip(
                    (begins, between[0] if len(between) else np.nan), (left_lifts, right_lifts), strict=True
                )
            ]
            usable = (
                len(between) == 1
                and np.isfinite(lifts).all()
                and lifts[0] < ends
                and lifts[1] < between[0] + ends - begins
            )
            rows.append(
                (
                    begins,
                    ends,
                    between[0] if usable else 0.5 * (begins + ends),
                    *(lifts if usable else (ends, ends)),
                )
            )
            why.append("" if usable else "one foot")
        table = np.array(rows, dtype=float).reshape(-1, 5)
        begins, ends = table[:, 0], table[:, 1]

        def at(moment: np.ndarray, values: np.ndarray) -> np.ndarray:
            return np.stack([np.interp(moment, np.arange(len(values)), column) for column in values.T], -1)

        first, middle, last = (at(moment, way) for moment in (begins, 0.5 * (begins + ends), ends))
        go, second = last - first, last - middle
        course = np.arctan2(go[:, 1], go[:, 0])
        bent = np.arctan2(second[:, 1], second[:, 0]) - np.arctan2(*(middle - first).T[::-1])
        faces = np.array(
            [heading[int(one) : int(two) + 1].mean() for one, two in zip(begins, ends, strict=True)]
        )
        speed = norms(go) * fps / np.maximum(ends - begins, 1e-9)
        strides = SteadyStrides(begins, ends, table[:, 2], table[:, 3:], course, speed, {})
        return cls(strides, wrapped(bent), wrapped(faces - course), np.array(why, dtype=object))


def _steady(found: _Candidates, fps: float, body: Body) -> SteadyStrides:
    """Return the steady strides that walk straight ahead."""
    strides, why = found.strides, found.why
    if not len(strides):
        raise NeuraRigError(
            "The clip has no whole stride, from one step of the left foot to its next; choose a longer clip,"
            " or a whole loop."
        )
    seconds = (strides.ends - strides.begins) / fps
    off = (why == "") & (
        (seconds < SECONDS[0]) | (seconds > SECONDS[1]) | (strides.speed < SLOWEST * body.leg_length)
    )
    why = np.where(off, "uneven", why)
    why = np.where((why == "") & (np.abs(found.turn) > MOST_TURN), "turns", why)
    why = np.where((why == "") & (np.abs(found.aside) > MOST_ASIDE), "sideways", why)
    good = why == ""
    if not good.any():
        raise NeuraRigError(_nothing_steady(why, found.aside))
    apart = np.abs(((strides.right - strides.begins) / (strides.ends - strides.begins))[good] - 0.5)
    if np.median(apart) > 0.5 - BOTH_AT_ONCE:
        raise NeuraRigError(
            "The clip jumps: both feet land at about the same time; choose a clip that walks."
        )
    for values, most in ((seconds, PERIOD_OFF), (strides.speed, SPEED_OFF)):
        usual = _usual(values[why == ""], most)
        why = np.where((why == "") & (np.abs(values / usual - 1.0) > most), "uneven", why)
    kept = strides.take(np.flatnonzero(why == ""))
    return SteadyStrides(**{**vars(kept), "left_out": dict(Counter(reason for reason in why if reason))})


def _usual(values: np.ndarray, most: float) -> float:
    """Return the value with the most others near it."""
    near = np.abs(values / values[:, None] - 1.0) <= most
    return float(values[np.argmax(near.sum(axis=1))])


def _nothing_steady(why: np.ndarray, aside: np.ndarray) -> str:
    reason = Counter(why).most_common(1)[0][0]
    if reason == "sideways":
        if (np.abs(aside) > np.radians(130.0)).all():
            return (
                "The clip walks backward, or its left and right are swapped; choose one that walks forward,"
                " or correct its bones."
            )
        return "The clip walks sideways; choose a clip that walks forward."
    if reason == "turns":
        return "The clip turns in every stride; choose a clip that walks straight for a stride or more."
    if reason == "one foot":
        return (
            "The clip's feet do not take turns; choose a clip in which left and right step one after the"
            " other."
        )
    return "The clip has no steady stride; choose a clip that walks straight for a stride or more."


def _events(
    reach: np.ndarray, least: float, standing: np.ndarray, moves: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return when a foot strikes and leaves, in fractional rows, from its distance ahead of the pelvis
    `(f,)`."""
    strikes, lifts = _extremes(np.where(moves, reach, 0.0), least)
    cycle = float(np.median(np.diff(strikes))) if len(strikes) > 1 else 0.0
    edges = np.diff(standing.astype(int))
    begun, over = np.flatnonzero(edges > 0) + 0.5, np.flatnonzero(edges < 0) + 0.5
    return _nearest(strikes, begun, NEAR * cycle), _nearest(lifts, over, NEAR * cycle)


def _nearest(moments: np.ndarray, exact: np.ndarray, within: float) -> np.ndarray:
    """Return moments, each replaced by the nearest exact one if close enough."""
    if not len(exact) or not len(moments):
        return moments
    near = exact[np.argmin(np.abs(moments[:, None] - exact), axis=1)]
    return np.unique(np.where(np.abs(near - moments) <= within, near, moments))


def _extremes(values: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the maxima and minima of a curve `(f,)` that each reverse by at least a given
    amount."""
    highs, lows = [], []
    high = low = 0
    rising: bool | None = None
    for row, value in enumerate(values):
        high, low = (row if value > values[high] else high), (row if value < values[low] else low)
        if rising is not False and value < values[high] - least:
            highs.append(high)
            rising, low = False, row
        elif rising is not True and value > values[low] + least:
            lows.append(low)
            rising, high = True, row
    return np.array(highs, dtype=float), np.array(lows, dtype=float)
