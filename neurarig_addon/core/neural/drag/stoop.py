"""How people go down for a hand: the part of a dragged trunk's pose that recordings, not the least move,
decide.

The least move that brings a hand lower is a squat, because a trunk that begins to lean hardly gets lower.
People lean, and bend their
knees as much as is left. So a hand that is out of reach below asks for the pose in which recorded people
reach as deep, and the least
move is what that pose still lacks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...body.stoop import bundled_habit, followed
from ...easing import smooth_between
from ...geometry.rotation import about_z, norms, to_euler, transposed
from ...skeleton.roles import SIDES
from ..point_body import PointBody
from ..points import INDEX, POINTS
from ..reach.lock_plan import Limb, span
from .ground import DragGround
from .holds import PoseBefore
from .trunk_shape import Ease, TrunkShape, part_of

_DEPTHS = np.arange(0.0, 0.76, 0.03)  # metres on a body of human size: depths that are looked at
# of an arm's length: as far as hands reach from standing, and from this depth on
_STRAIGHT, _BENT, _BENT_AT = 1.0, 0.955, 0.3
# cosines between the way to a hand's place and straight down: it starts to count as below, and counts fully
_ASIDE, _DOWN = 0.3, 0.8
# ahead, aside and up: what is aside counts three times, as people bend sideways for it
_SIDEWAYS = np.array([1.0, 3.0, 1.0])
_PITCH = 1  # of roll, pitch and yaw
_BENDS = 0.75  # of `bends`: recorded spines; where even bends lean less, the pelvis does the rest
_LIMIT = 0.9  # of the most that a part turns unasked: as far as a stoop turns it
# of the trunk's length: heights of spine bones below the shoulders are taken for at least this
_LEAST_BENT = 0.1
_TINY = 1e-9
_LEG = [INDEX[name] for name in ("hip.L", "knee.L", "ankle.L")]
_SHOULDERS, _HIPS, _ANKLES = (
    [INDEX[f"{name}.{side}"] for side in SIDES] for name in ("shoulder", "hip", "ankle")
)


@dataclass(frozen=True, eq=False)
class Stoop:
    """A body, in the pose before a drag, that may reach down with some of its `arms`.

    `rows` `(n,)`: where these start, among the points of `shape`. `lengths` `(n,)`, `shoulders` `(n, 3)`: of
    the arms, metres.
    `before`: how deep the pose before already is, metres on a body of human size. `parts` `(b,)`: what the
    trunk's bones are.
    `bends`: how far the line from hips to shoulders leans for each radian that the spine bends. `leg`:
    metres. `hips` `(3,)`: their
    middle relative to the pelvis, ahead, left and up as that faces; `heading` `(3, 3)`: the rotation to
    there.
    """

    shape: TrunkShape
    ground: DragGround
    arms: tuple[Limb, ...]
    rows: tuple[int, ...]
    lengths: np.ndarray
    shoulders: np.ndarray
    before: float
    parts: tuple[str, ...]
    bends: float
    leg: float
    hips: np.ndarray
    heading: np.ndarray

    @classmethod
    def of(
        cls,
        body: PointBody,
        before: PoseBefore,
        shape: TrunkShape,
        ground: DragGround,
        limbs: Mapping[int, Limb],
    ) -> "Stoop":
        """Return it for a pose before a drag; `limbs`: those with targets, by the rows of their starts among
        the points of `shape`."""
        points, rest = before.points, body.rest
        limbs = {
            row: limb for row, limb in limbs.items() if limb.start in _SHOULDERS and limb.upper != limb.lower
        }
        stands = rest[_SHOULDERS, 2].mean() - rest[_ANKLES, 2].mean()
        heading = about_z(to_euler(before.away[0])[1])
        return cls(
            shape=shape,
            ground=ground,
            arms=tuple(limbs.values()),
            rows=tuple(limbs),
            lengths=np.array([span(body, arm, 0) + span(body, arm, 1) for arm in limbs.values()]),
            shoulders=points[[arm.start for arm in limbs.values()]].reshape(-1, 3),
            before=max(0.0, float(stands - (points[_SHOULDERS, 2].mean() - points[_ANKLES, 2].min())))
            / shape.size,
            parts=tuple(part_of(body, body.tree.roles[row]) for row in Ease.of(body).rows),
            bends=_bends(body),
            leg=float(norms(rest[_LEG[1:]] - rest[_LEG[:-1]]).sum()),
            hips=(points[_HIPS].mean(axis=0) - points[0]) @ heading,
            heading=heading,
        )

    def depth(self, places: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Return how much deeper the body stoops `(f,)`, metres on a body of human size, until hands that
        hold are within reach.

        `places` `(f, 27, 3)`: where they are wanted, `held` by `(f, 27)`. 0 where no foot stands, or hands
        are not wanted below.
        """
        found = np.zeros(len(places))
        bent = _STRAIGHT + (_BENT - _STRAIGHT) * np.minimum(_DEPTHS / _BENT_AT, 1.0)
        for arm, length, shoulder, ways in zip(
            self.arms, self.lengths, self.shoulders, self._ways.swapaxes(0, 1), strict=True
        ):
            line = places[:, arm.end] - shoulder
            seen = line @ self.heading * _SIDEWAYS
            down = -seen[:, 2] / np.maximum(np.sqrt(np.add.reduce(seen * seen, axis=-1)), _TINY)
            share = held[:, arm.end] * smooth_between(down, _ASIDE, _DOWN)
            if share.any():
                far = line[:, None] - ways
                left = np.sqrt(np.add.reduce(far * far, axis=-1)) / length - bent
                found = np.maximum(found, share * followed(left, _DEPTHS))
        return found * self.ground.standing(held)

    def numbers(self, depth: np.ndarray) -> np.ndarray:
        """Return the numbers `(f, 3 b + 3)` of the trunk (`trunk_shape`) that people have who reach down by
        `depth` `(f,)`, metres."""
        height, back, *pitches = bundled_habit().more(self.before, depth)
        pelvis, trunk, head = np.radians(pitches)
        spine = self._within("spine", (trunk - pelvis) / max(self.bends, _BENDS))
        pelvis = self._within("pelvis", trunk - self.bends * spine)
        turns = np.zeros((len(depth), *self.shape.ease.shape))
        for part, pitch in (
            ("pelvis", pelvis),
            ("spine", spine),
            ("neck", self._within("neck", head - spine - pelvis)),
        ):
            rows = self._rows[part]
            turns[:, rows, _PITCH] = (
                pitch[:, None] * self.shape.most[rows, _PITCH] / self.shape.most[rows, _PITCH].sum()
            )
        sine, cosine = np.sin(pelvis), np.cos(pelvis)
        x, _, z = self.hips  # they turn with the pelvis, which goes where that leaves them in place
        shift = np.zeros((len(depth), 3))
        shift[:, 0] = -self.leg * back + x - (x * cosine + z * sine)
        shift[:, 2] = self.leg * height + z - (z * cosine - x * sine)
        numbers = turns / np.sqrt(self.shape.ease * (1.0 - (turns / self.shape.most) ** 2))
        return np.concatenate(
            [numbers.reshape(len(depth), -1), shift @ self.heading.T / self.shape.size], axis=1
        )

    def _within(self, part: str, pitch: np.ndarray) -> np.ndarray:
        """Return the pitch `(f,)` that is asked of a part, as far as it goes, radians."""
        most = _LIMIT * self.shape.most[self._rows[part], _PITCH].sum()
        return np.clip(pitch, -most, most)

    @cached_property
    def _rows(self) -> dict[str, list[int]]:
        """The bones of pelvis, spine and neck; the head counts as neck."""
        kinds = [{"head": "neck"}.get(part, part) for part in self.parts]
        return {
            part: [row for row, kind in enumerate(kinds) if kind == part]
            for part in ("pelvis", "spine", "neck")
        }

    @cached_property
    def _ways(self) -> np.ndarray:
        """How far the shoulders go at each of `_DEPTHS` `(d, n, 3)`, metres."""
        return self.shape.ways(self.numbers(_DEPTHS))[:, self.rows]


def _bends(body: PointBody) -> float:
    """Return how far the line from hips to shoulders leans for each radian by which a body's spine bends,
    evenly over its bones."""
    rest, tree = body.at_rest, body.tree
    heads = [tree.rest[row, 2] for row in Ease.of(body).rows if part_of(body, tree.roles[row]) == "spine"]
    hips, shoulders = rest[_HIPS, 2].mean(), rest[_SHOULDERS, 2].mean()
    above = np.clip((shoulders - np.array(heads)) / (shoulders - hips), _LEAST_BENT, 1.0)
    return float(above.mean()) if heads else 1.0


# roles' rotations from rest `(f, r, 3, 3)` and the pelvis' place `(f, 3)`
Pose = tuple[np.ndarray, np.ndarray]
# of people who reach down: between pelvis and chest, and of the line from hips to shoulders off upright
_MOST = np.radians((65.0, 107.0))
_NOTICED = np.radians(1.0)
# body heights: a hand nearer than this has come where it is asked to, and the trunk may bend as that needs
_REACHED = 0.01
_SHARES = 0.5 ** np.arange(10)
_ARMS = np.array([[point.startswith(("elbow", "wrist", "hand_tip"))] for point in POINTS])
_ENDS = [INDEX[f"{part}.{side}"] for part in ("hip", "shoulder") for side in "LR"]


def bounded(
    body: PointBody, posed: Callable[[np.ndarray], Pose], places: np.ndarray, starts: np.ndarray
) -> Pose:
    """Return `posed` of targets at `places` `(f, 27, 3)`: arms out of reach are drawn in to `starts` `(27,
    3)` where it folds."""
    away, root = posed(places)
    rows = np.flatnonzero((_folds(body, away) > _MOST).any(axis=1))
    if len(rows):
        points = body.tree.points(away[rows], body.tree.heads(away[rows], root[rows]))
        missed = norms(np.where(_ARMS, points - places[rows], 0.0)) > _REACHED * body.height
        rows = rows[missed.any(axis=1)]
    if len(rows):
        way, share = np.where(_ARMS, places[rows] - starts, 0.0), np.zeros((len(rows), 1, 1))
        best = posed(places[rows] - way)
        most = np.maximum(_MOST, _folds(body, best[0]) + _NOTICED)  # what is not the hands' doing stays
        for more in _SHARES:
            wider = np.minimum(share + more, 1.0)
            found = posed(places[rows] - (1.0 - wider) * way)
            fits = (_folds(body, found[0]) <= most).all(axis=1)
            share[fits] = wider[fits]
            for old, new in zip(best, found, strict=True):
                old[fits] = new[fits]
        away[rows], root[rows] = best
    return away, root


def _folds(body: PointBody, away: np.ndarray) -> np.ndarray:
    """Return how far the trunk bends and leans `(f, 2)`, radians, by rotations from rest `(f, r, 3, 3)`."""
    chest = body.tree.roles.index(body.carriers.carrier(INDEX["neck"]))
    bend = np.trace(transposed(away[:, 0]) @ away[:, chest], axis1=1, axis2=2)
    line = body.tree.carried(away, body.tree.levers[:, _ENDS])
    line = line[:, 2:].sum(axis=1) - line[:, :2].sum(axis=1)
    return np.arccos(np.clip(np.stack([0.5 * (bend - 1.0), line[:, 2] / norms(line)], axis=1), -1.0, 1.0))
