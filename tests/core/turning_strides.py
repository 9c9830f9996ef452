"""What strides look like on a curved way: measured in the same manner on recordings and on our walk.

Angles count to the left; `into_bends` turns them, so that left and right bends are alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise

import numpy as np

from neurarig_addon.core.body.feet import angles_of
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.kinds.natural import SOLE_LEG_SHARE, dimensionless_speed, natural_stride
from neurarig_addon.core.gait.steps.placement import SIDE_SIGN
from neurarig_addon.core.ikrig.encode import heading_of
from neurarig_addon.core.retarget.spans import intervals_of
from neurarig_addon.core.retarget.travel import smooth
from neurarig_addon.core.skeleton.roles import SIDES, chest_of, sided
from neurarig_addon.core.styles.strides import standing_of

SMOOTHED_S = 0.28  # deviation of the Gaussian that makes a way of hips that sway: most of a step
SECONDS = (0.6, 2.2)  # of a stride
SLOWEST = 0.25  # legs a second
LEANS_AND_TURNS = ("trunk", "legs", "head", "chest", "pelvis")
MIDDLE = 0.25  # of a stance that is left out at both ends: the foot lies flat in between


@dataclass(frozen=True)
class Way:
    """The way of a body `(f,)`: `place` `(f, 2)` metres, `heading` radians, `speed` m/s, `distance` travelled
    in metres."""

    place: np.ndarray
    heading: np.ndarray
    speed: np.ndarray
    distance: np.ndarray

    @classmethod
    def of(cls, motions: Mapping[str, Motion], fps: float) -> "Way":
        """Return the way of hips, their sway taken out."""
        hips = 0.5 * (motions["thigh.L"].position + motions["thigh.R"].position)[:, :2]
        place = smooth(hips, SMOOTHED_S * fps)
        velocity = np.gradient(place, axis=0) * fps
        speed = np.linalg.norm(velocity, axis=-1)
        distance = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) / fps)])
        return cls(place, np.unwrap(np.arctan2(velocity[:, 1], velocity[:, 0])), speed, distance)


@dataclass(frozen=True)
class TurningStrides:
    """Strides `(n,)`, each from one print of a foot to its next.

    `bend`: curvature of the way in radians a leg. `vhat`: dimensionless speed. `side`: 1 for the left foot,
    -1 for the right one.
    Degrees, on the mean of the stride: `trunk` and `legs` lean, `head`, `chest` and `pelvis` are turned from
    the way, and `foot` stands.
    `length`: of the stride, of what is natural at its speed. `share`: of the stride, of the way of the hips
    meanwhile.
    """

    bend: np.ndarray
    vhat: np.ndarray
    side: np.ndarray
    trunk: np.ndarray
    legs: np.ndarray
    head: np.ndarray
    chest: np.ndarray
    pelvis: np.ndarray
    foot: np.ndarray
    length: np.ndarray
    share: np.ndarray

    def __len__(self) -> int:
        return len(self.bend)

    def take(self, rows: np.ndarray) -> "TurningStrides":
        """Return some of them."""
        return TurningStrides(*(getattr(self, field.name)[rows] for field in fields(self)))

    def less(self, straight: "TurningStrides") -> "TurningStrides":
        """Return them less what the same body does where it goes straight on."""
        held = {name: getattr(self, name) - getattr(straight, name).mean() for name in LEANS_AND_TURNS}
        toe_out = np.where(
            self.side > 0, *(np.mean(straight.foot[straight.side == side]) for side in (1.0, -1.0))
        )
        shares = {name: getattr(self, name) / getattr(straight, name).mean() for name in ("length", "share")}
        return replace(self, foot=self.foot - toe_out, **held, **shares)

    def into_bends(self) -> "TurningStrides":
        """Return them as if all bends were to the left."""
        to = np.sign(self.bend)
        return replace(
            self, **{name: to * getattr(self, name) for name in ("bend", "side", "foot", *LEANS_AND_TURNS)}
        )

    @classmethod
    def together(cls, parts: list["TurningStrides"]) -> "TurningStrides":
        """Return the strides of all parts."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


def strides_of(body: Body, motions: Mapping[str, Motion], fps: float) -> TurningStrides:
    """Return the strides of motions in a walk frame, seen from the world, left ones first."""
    way, leg = Way.of(motions, fps), SOLE_LEG_SHARE * body.leg_length
    standing = standing_of(body, motions, fps)
    ankles = np.stack([motions[sided("foot", side)].position for side in SIDES], 1)
    turned = (_from_way(motions[role].rotation, way) for role in ("head", chest_of(motions), "pelvis"))
    held = np.degrees([*_leans(motions, way, ankles, standing), *turned])  # in the order of the fields
    rows = []
    for side, letter in enumerate(SIDES):
        foot = np.degrees(_from_way(motions[sided("foot", letter)].rotation, way, pitched=True))
        spans = [
            span for span in intervals_of(standing[:, side]) if span[0] > 0 and span[1] < len(standing) - 1
        ]
        for before, after in pairwise(spans):
            first, last = before[0], after[0]
            seconds, distance, turn = (
                (last - first) / fps,
                way.distance[last] - way.distance[first],
                way.heading[last] - way.heading[first],
            )
            if not SECONDS[0] < seconds < SECONDS[1] or distance < SLOWEST * leg * seconds:
                continue
            speed = np.array(distance / seconds)
            vhat, natural = (
                dimensionless_speed(speed, body.leg_length),
                natural_stride(speed, body.leg_length),
            )
            stride = np.linalg.norm(_print(ankles[:, side], after) - _print(ankles[:, side], before))
            posture = (*held[:, first:last].mean(axis=1), np.median(foot[_middle(before)]))
            rows.append(
                (turn / distance * leg, vhat, SIDE_SIGN[side], *posture, stride / natural, stride / distance)
            )
    return TurningStrides(*np.array(rows, dtype=float).reshape(-1, len(fields(TurningStrides))).T)


def _middle(span: np.ndarray) -> slice:
    """Return the rows in the middle of a stance from its first row to its last."""
    quarter = MIDDLE * (span[1] - span[0])
    return slice(int(np.floor(span[0] + quarter)), int(np.ceil(span[1] - quarter)) + 1)


def _print(ankle: np.ndarray, span: np.ndarray) -> np.ndarray:
    """Return where the ankle `(2,)` is while a foot stands."""
    return np.median(ankle[_middle(span), :2], axis=0)


def _from_way(turn: np.ndarray, way: Way, pitched: bool = False) -> np.ndarray:
    """Return how far parts of rotations `(f, 3, 3)` are turned from the way `(f,)`; `pitched`: told by the
    left axis, as feet's."""
    yaw = angles_of(turn).heading if pitched else heading_of(turn)
    return (yaw - way.heading + np.pi) % (2.0 * np.pi) - np.pi


def _leans(
    motions: Mapping[str, Motion], way: Way, ankles: np.ndarray, standing: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return how far trunk and legs lean to the left of the way `(f,)`: shoulders over hips, hips over the
    feet that stand."""
    left = np.stack([-np.sin(way.heading), np.cos(way.heading)], -1)
    hips = 0.5 * (motions["thigh.L"].position + motions["thigh.R"].position)
    shoulders = 0.5 * (motions["upper_arm.L"].position + motions["upper_arm.R"].position)
    bears = np.where(standing.any(axis=1, keepdims=True), standing, True).astype(float)
    under = (bears[..., None] * ankles).sum(axis=1) / bears.sum(axis=1)[:, None]

    def lean(upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
        away = upper - lower
        return np.arctan2(np.einsum("fi,fi->f", away[:, :2], left), away[:, 2])

    return lean(shoulders, hips), lean(hips, under)
