"""Recorded people's figures relative to their trunks: how the trunk is turned, and the mean and covariance of
81 numbers of its points.

The trunk's rotation is approximate, from whatever points are seen: the sums of them that come nearest to
lines of the trunk.
A line of the trunk is a sum t = sum_k c_k p_k of its points, and e = sum_k a_k y_k over seen ones y = p + n
turns with the figure as t
does. With M_kl = E[p_k . p_l] of recorded people and noise of variance v_k along each axis, E|t - e|^2 is
least for
    (M + 3 V) a = M c over the seen points, and then o = 1 - c'M a / c'M c is the share of the line that they
    leave open.
Two lines make a frame: from right to left, and up. Where nothing shows left from right, what lies ahead does:
a sum that comes nearest
to the trunk's own axis x.  The two are weighted by 1 / o, and where all is open the world's axes are used.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...geometry.rotation import cross_matrix, norms
from ...geometry.vectors import cross, nearest_rotation, plus, unit
from ..points import INDEX, PARENTS, POINTS, mirrored_rows
from .network_body import NetworkBody

_LEAST_OPEN = 1e-3  # of a line: the share that always stays open
# heights squared: of a figure's distance from the origin, so large that the sums hardly depend on it
_ANYWHERE = 100.0
# Weights of the world's axes, back, left and up, where all is open; half for the first, as upside down left
# becomes right.
_WORLD = 1e-3 * np.diag([-0.5, 1.0, 1.0])
# of all points' weight: the weight of the pose unturned, as two points in a line leave a turn open
_UNTURNED = 1e-3
_TINY = 1e-12


class TrunkLines(NamedTuple):
    """What recorded people's points show of a body's trunk, in body heights, relative to its middle.

    `alike` `(27, 27)`: M; `wanted` `(27, 3)`: M c of the lines back, left and up; `whole` `(3,)`: c'M c.
    """

    alike: np.ndarray
    wanted: np.ndarray
    whole: np.ndarray

    @classmethod
    def of(cls, lines: np.ndarray, ahead: np.ndarray, alike: np.ndarray) -> "TrunkLines":
        """Return it for two `lines` `(2, 27)`, with M and how far `ahead` `(27,)` of the middle points
        usually are."""
        wanted = np.concatenate([-ahead[:, None], alike @ lines.T], axis=-1)
        return cls(alike, wanted, np.array([1.0, *np.einsum("ni,ij,nj->n", lines, alike, lines)]))


class TrunkFacing(NamedTuple):
    """What shows the rotation of a trunk: `sums` `(..., 3, 27)` of seen points that point back, left and up,
    each as long as it is trusted, 1/m; `world` `(..., 3, 3)`: what is added to them."""

    sums: np.ndarray
    world: np.ndarray

    @classmethod
    def of(cls, trunk: TrunkLines, seen: np.ndarray, noise: np.ndarray, centre: np.ndarray) -> "TrunkFacing":
        """Return what shows the trunk's rotation when some points are seen.

        `noise` `(27,)`: variances, in body heights squared, of the points that are `seen` `(27,)`; `centre`
        `(27,)`: weights of the figure's middle, with sum 1.
        """
        rows = np.flatnonzero(seen)
        held = (trunk.alike + _ANYWHERE)[rows[:, None], rows]
        held.ravel()[:: len(rows) + 1] += 3.0 * noise[rows]
        wanted, sums = trunk.wanted[rows], np.zeros((3, len(POINTS)))
        gains = np.linalg.solve(held, wanted)
        back, left, up = (1.0 + _LEAST_OPEN - (gains * wanted).sum(axis=0) / trunk.whole).tolist()
        share = left / (back + left)
        sums[:, rows] = (gains * ((share, 1.0 - share, 1.0) / np.sqrt(trunk.whole))).T
        return cls(
            sums - np.multiply.outer(sums.sum(axis=1), centre),
            np.array([[back * share], [back * share], [up]]) * _WORLD,
        )

    def frames(self, points: np.ndarray) -> np.ndarray:
        """Return the trunk's frames, axes ahead, up and right in rows `(f, 3, 3)`, that points `(f, 27, 3)`
        show."""
        return trunk_frames(self.sums @ points + self.world)


class Turned(NamedTuple):
    """What shows the rotation of a figure relative to the pose that it is moved in.

    `sums` `(..., 3, 27)` of seen points: the less changed, the nearer to the axes ahead, up and right of the
    trunk, in rows. `still` `(..., 3, 3)`: those axes in the pose, times their weight.
    """

    sums: np.ndarray
    still: np.ndarray

    @classmethod
    def of(cls, points: np.ndarray, frame: np.ndarray, counts: np.ndarray) -> "Turned":
        """Return what shows the rotation from a pose with `points` `(27, 3)`, the trunk's axes in the rows of
        `frame` `(3, 3)`.

        `counts` `(27,)`: each point's weight, with sum 1; 0 if it is not seen.
        """
        away = (points - counts @ points) @ frame.T
        return cls((counts[:, None] * away).T, _UNTURNED * float((counts @ (away * away)).sum()) * frame)

    def frames(self, points: np.ndarray) -> np.ndarray:
        """Return the trunk's frames, axes ahead, up and right in rows `(f, 3, 3)`, that points `(f, 27, 3)`
        show (Kabsch 1976)."""
        return nearest_rotation(self.sums @ points + self.still)


def trunk_frames(shown: np.ndarray) -> np.ndarray:
    """Return frames, axes ahead, up and right in rows `(f, 3, 3)`, of the lines back, left and up, `shown`
    `(f, 3, 3)`."""
    # In components: plain numbers for one frame, as arrays would take three times as long.
    alone = len(shown) == 1
    back, left, up = shown[0].tolist() if alone else shown.transpose(1, 2, 0)
    up = unit(up, _TINY)
    ahead = unit(cross(plus(left, cross(back, up)), up), _TINY)
    numbers = np.array([*ahead, *up, *cross(ahead, up)])
    return np.ascontiguousarray(numbers.T).reshape(shown.shape)


TRUNK = np.array(
    [
        INDEX[name]
        for name in ("pelvis", "hip.L", "hip.R", "spine1", "spine2", "spine3", "neck", "collar.L", "collar.R")
    ]
    + [INDEX["shoulder.L"], INDEX["shoulder.R"]]
)
IN_TRUNK = np.isin(np.arange(len(POINTS)), TRUNK)
NUMBERS = 3 * len(POINTS)
# The 78 numbers of the points that bones begin at.
PARENT_NUMBERS = (3 * PARENTS[1:, None] + np.arange(3)).ravel()
_LIMBS = np.flatnonzero(~IN_TRUNK)
_LIMB_OF = {"elbow": "arm", "wrist": "arm", "hand_tip": "arm", "head": "head", "head_top": "head"}
_MIRROR = np.array([1.0, -1.0, 1.0])
# Few people were recorded: correlations of trunks with limbs, and between limbs, are trusted in part; trunks
# may bend more.
_TRUNK_TO_LIMBS, _LIMB_TO_LIMB, _TRUNKS_WIDER = 0.4, 0.7, 2.0
_FINEST = 1e-5  # heights: deviation allowed to every point
# heights: and to places of the trunk, because other skeletons have other joints where recorded ones coincide
_OTHER = 1e-3
_MOST_BODIES = 512  # tables cached


def _carried() -> np.ndarray:
    """Return the limb bones and the trunk point whose sum is each point `(27, 27)`."""
    table = np.zeros((len(POINTS), len(POINTS)))
    for point in range(len(POINTS)):
        row = point
        while not IN_TRUNK[row]:
            table[point, row] = 1.0
            row = int(PARENTS[row])
        table[point, row] = 1.0
    return table


_CARRIED = _carried()


@dataclass(frozen=True)
class FigureShape:
    """`mean` `(81,)` and `covariance` `(81, 81)` of three numbers for each point, in the trunk's frame.

    Of a trunk's point: its offset from its place in the reference pose, in body heights. Of another: the
    vector of the bone that ends in
    it, in its own length.
    """

    mean: np.ndarray
    covariance: np.ndarray
    _bodies: dict[bytes, "UsualFigure"] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, points: np.ndarray, rests: np.ndarray, heights: np.ndarray) -> "FigureShape":
        """Return the shape of recorded points `(n, 27, 3)` on bodies whose reference poses are `rests` `(n,
        27, 3)`, `heights` `(n,)`.

        Their mirror images count as well; the covariance is made cautious, as so few people cannot show all
        about others.
        """
        seen, known = (part - part[:, TRUNK].mean(axis=1, keepdims=True) for part in (points, rests))
        seen = seen @ nearest_rotation(np.swapaxes(seen[:, TRUNK], 1, 2) @ known[:, TRUNK])
        away = (seen - known) / heights[:, None, None]
        lengths = norms(known[:, _LIMBS] - known[:, PARENTS[_LIMBS]])[..., None]
        away[:, _LIMBS] = (seen[:, _LIMBS] - seen[:, PARENTS[_LIMBS]]) / np.maximum(lengths, _FINEST)
        away = np.concatenate([away, (away * _MIRROR)[:, mirrored_rows()]]).reshape(-1, NUMBERS)
        mean = away.mean(axis=0)
        return cls(mean, _cautious((away - mean).T @ (away - mean) / len(away)))

    def on(self, body: NetworkBody) -> "UsualFigure":
        """Return the usual figure of a body; cached."""
        if body.key not in self._bodies:
            if len(self._bodies) >= _MOST_BODIES:
                self._bodies.clear()
            self._bodies[body.key] = self._on(body)
        return self._bodies[body.key]

    def _on(self, body: NetworkBody) -> "UsualFigure":
        sums = np.kron(_CARRIED * np.where(IN_TRUNK, 1.0, body.lengths / body.height), np.eye(3))
        usual = _CARRIED @ np.where(IN_TRUNK[:, None], body.rest / body.height, 0.0) + (
            sums @ self.mean
        ).reshape(-1, 3)
        usual = usual - usual[TRUNK].mean(axis=0)
        own = sums @ self.covariance @ sums.T
        alike = np.einsum("kili->kl", own.reshape(len(POINTS), 3, len(POINTS), 3)) + usual @ usual.T
        # From here on along the axes of the lines that show the trunk.
        frame = trunk_frame(body, body.rest)
        along = np.kron(np.eye(len(POINTS)), frame)
        one_place = (body.pairs.places[:, None] == body.pairs.places) & IN_TRUNK
        free = np.kron(_OTHER**2 * one_place + _FINEST**2 * np.eye(len(POINTS)), np.eye(3))
        trunk = TrunkLines.of(body.anchor.trunk_sight, usual[:, 0], alike)
        return UsualFigure.of(usual @ frame.T, along @ own @ along.T + free, trunk)


def trunk_frame(body: NetworkBody, points: np.ndarray) -> np.ndarray:
    """Return the axes ahead, up and right, in rows `(3, 3)`, of the lines that show the trunk of a whole
    figure `(27, 3)`."""
    left, up = body.anchor.trunk_sight @ points / body.height
    return trunk_frames(np.stack([np.zeros(3), left, up])[None])[0]


class UsualFigure(NamedTuple):
    """A body's points relative to the middle of its trunk, in body heights, as recorded people have them.

    `places` `(27, 3)`, `varied` `(81, 81)`: mean and covariance along the axes of the lines that show the
    trunk, `spread`: the
    latter plus any small rigid motion.  `trunk`: what they show of these lines.
    """

    places: np.ndarray
    varied: np.ndarray
    spread: np.ndarray
    trunk: TrunkLines

    @classmethod
    def of(cls, places: np.ndarray, varied: np.ndarray, trunk: TrunkLines) -> "UsualFigure":
        """Return the figure with mean `places` and covariance `varied`."""
        rigid = np.concatenate(
            [np.broadcast_to(np.eye(3), places.shape + (3,)), -cross_matrix(places)], axis=-1
        ).reshape(NUMBERS, 6)
        return cls(places, varied, varied + rigid @ rigid.T, trunk)

    def around(self, body: NetworkBody, points: np.ndarray) -> "UsualFigure":
        """Return the figure whose mean is a pose with `points` `(27, 3)`, metres, and whose covariance is
        people's."""
        places = (points - points[TRUNK].mean(axis=0)) @ trunk_frame(body, points).T / body.height
        return self.of(places, self.varied, self.trunk)


def _cautious(covariance: np.ndarray) -> np.ndarray:
    """Return a covariance `(81, 81)` that claims less about people who were not recorded."""
    stems = (point.partition(".") for point in POINTS)
    limb = np.array(
        [
            "" if IN_TRUNK[row] else _LIMB_OF.get(stem, "leg") + side
            for row, (stem, _, side) in enumerate(stems)
        ]
    )
    trunk = limb == ""
    believed = np.where(
        limb[:, None] == limb, 1.0, np.where(trunk[:, None] | trunk, _TRUNK_TO_LIMBS, _LIMB_TO_LIMB)
    )
    wider = np.where(trunk, np.sqrt(_TRUNKS_WIDER), 1.0)
    found = covariance * np.kron(believed * wider * wider[:, None], np.ones((3, 3)))
    return found + max(0.0, -np.linalg.eigvalsh(found)[0]) * np.eye(NUMBERS)
