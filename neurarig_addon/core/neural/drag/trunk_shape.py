"""The trunk of a body as numbers: the roll, pitch and yaw of each part away from a pose, and the shift of the
whole.

Parts carry their children along. A turn saturates: it follows its number at first, and never exceeds what
people do unasked. How easily
people move the parts says what gives way first in a drag, and how far.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...geometry.rotation import SKEW, about_z, to_euler
from ...skeleton.roles import stem_of
from ..point_body import PointBody
from ..points import INDEX
from ..reach.lock_plan import way_to

# Roll, pitch and yaw (about forward, left and up as the pelvis faces): ease (rad^2 where the whole moves by 1
# m^2), and limit, degrees.
# A chain of bones shares its values.  People lower the hips and lean before they turn.
_PARTS = {
    "pelvis": ((0.08, 0.7, 0.02), (30.0, 80.0, 40.0)),
    "spine": ((0.25, 1.2, 0.12), (25.0, 45.0, 25.0)),
    "neck": ((0.3, 0.5, 0.4), (30.0, 45.0, 50.0)),
    "head": ((0.05, 0.1, 0.1), (15.0, 20.0, 20.0)),
    "clavicle": ((0.15, 0.02, 0.15), (20.0, 8.0, 20.0)),
}
_LIMBS = ("thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand")


class Ease(NamedTuple):
    """The trunk's roles, `rows` `(b,)` in the body's tree: how easily each `turns`, rad^2, and its limits
    `most`, radians, `(b, 3)`."""

    rows: np.ndarray
    turns: np.ndarray
    most: np.ndarray

    @classmethod
    def of(cls, body: PointBody) -> "Ease":
        """Return the ease of a body's trunk: all roles except the limbs'."""
        roles = body.tree.roles
        rows = [row for row, role in enumerate(roles) if stem_of(role) not in _LIMBS]
        parts = [part_of(body, roles[row]) for row in rows]
        ease, most = (np.array([_PARTS[part][at] for part in parts]) for at in (0, 1))
        bones = np.array([1 if part == "clavicle" else parts.count(part) for part in parts])[:, None]
        return cls(np.array(rows), ease / bones, np.radians(most) / np.sqrt(bones))


def part_of(body: PointBody, role: str) -> str:
    stem = stem_of(role)
    return stem if stem in _PARTS else "spine" if role == body.carriers.carrier(INDEX["neck"]) else "neck"


_FAINT = 1e-3  # radians: smaller turns use the coefficients of this angle, which makes no visible difference
_CROSS = SKEW.reshape(3, 3, 3)
_UNTURNED = np.eye(3)


class Shaped(NamedTuple):
    """A trunk of the `numbers` `(f, 3 b + 3)`: its bones' `turns` from the pose before `(f, b, 3, 3)`; the
    `axes` `(f, b, 3, 3)` about which small changes of their rotation vectors turn (SO(3)'s left Jacobians);
    the turned `arms` `(f, b, 3, p)`; the `slopes` `(f, 3 b)`, derivatives of the turns by their numbers; and
    the `lines` from points to where they are wanted `(f, p, 3)`, metres.
    """

    numbers: np.ndarray
    turns: np.ndarray
    axes: np.ndarray
    arms: np.ndarray
    slopes: np.ndarray
    lines: np.ndarray


@dataclass(frozen=True, eq=False)
class TrunkShape:
    """A trunk in a pose.

    `arms` `(b, 3, p)`: each bone's part of the offset of each of `p` points in that pose; zero where a bone
    does not carry it.
    `root` `(3,)`: the pelvis.  `carried` `(3 b, 3 b)`: maps the bones' own turns to their rotation vectors.
    `ease`, `most` `(b, 3)`: see `Ease`. `size`: of this body relative to a human's; it scales the shift of
    the whole.
    """

    arms: np.ndarray
    root: np.ndarray
    carried: np.ndarray
    ease: np.ndarray
    most: np.ndarray
    size: float

    @classmethod
    def of(
        cls,
        body: PointBody,
        away: np.ndarray,
        root: np.ndarray,
        points: Sequence[Mapping[int, float]],
        size: float,
    ) -> "TrunkShape":
        """Return the trunk in a pose, its roles turned by `away` `(r, 3, 3)`; `points`: the body's points, or
        weighted means of them."""
        ease = Ease.of(body)
        ways = [
            sum(share * _arms(body, away, ease.rows, point) for point, share in mixed.items())
            for mixed in points
        ]
        carries = body.tree.above[np.ix_(ease.rows, ease.rows)]
        carried = np.kron(carries, about_z(to_euler(away[0])[1]))
        return cls(np.stack(ways, axis=-1), root, carried, ease.turns, ease.most, size)

    def as_before(self, wanted: np.ndarray) -> tuple[Shaped, np.ndarray]:
        """Return the trunk in the pose before, with points `wanted` at `(f, p, 3)`, and its `levers`."""
        (before, levers), frames = self._before, len(wanted)
        many = [part.repeat(frames, axis=0) for part in before[:-1]]
        return Shaped._make([*many, wanted + before.lines]), levers.repeat(frames, axis=0)

    def shaped(self, numbers: np.ndarray, wanted: np.ndarray) -> Shaped:
        """Return the trunk of `numbers`, with points `wanted` at `(f, p, 3)`."""
        frames, bones = len(numbers), len(self.ease)
        turns = numbers[:, :-3] * self._scale
        squares = turns * self._per_most
        squares *= squares
        squares += 1.0
        roots = np.sqrt(squares)
        turned, axes = _turned(((turns / roots) @ self.carried.T).reshape(frames, bones, 3))
        arms = turned @ self.arms
        lines = wanted - np.add.reduce(arms, axis=1).swapaxes(1, 2)
        lines -= (self.root + numbers[:, -3:] * self.size)[:, None]
        return Shaped(numbers, turned, axes, arms, self._scale / (squares * roots), lines)

    def ways(self, numbers: np.ndarray) -> np.ndarray:
        """Return how far numbers move the points `(f, p, 3)` from where they are in the pose, metres."""
        (before, _), frames = self._before, len(numbers)
        return before.lines - self.shaped(numbers, np.zeros((frames, *before.lines.shape[1:]))).lines

    def levers(self, shaped: Shaped) -> np.ndarray:
        """Return the derivatives of each point by the numbers `(f, p, 3, 3 b + 3)`."""
        frames, bones, _, points = shaped.arms.shape
        across = shaped.arms.swapaxes(2, 3) @ (_CROSS @ shaped.axes[:, :, None]).reshape(frames, bones, 3, 9)
        turned = (
            across.reshape(frames, bones, points, 3, 3)
            .transpose(0, 2, 3, 1, 4)
            .reshape(frames, 3 * points, -1)
            @ self.carried
        )
        found = np.empty((frames, points, 3, 3 * bones + 3))
        np.multiply(turned.reshape(frames, points, 3, -1), -shaped.slopes[:, None, None], out=found[..., :-3])
        found[..., -3:] = self.size * _UNTURNED
        return found

    @cached_property
    def _before(self) -> tuple[Shaped, np.ndarray]:
        """The trunk in the pose before, one frame, with points wanted at the origin, and its levers."""
        shaped = self.shaped(np.zeros((1, 3 * len(self.ease) + 3)), np.zeros((1, self.arms.shape[-1], 3)))
        return shaped, self.levers(shaped)

    @cached_property
    def _scale(self) -> np.ndarray:
        return np.sqrt(self.ease).ravel()

    @cached_property
    def _per_most(self) -> np.ndarray:
        return 1.0 / self.most.ravel()


def _turned(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rotations `(..., 3, 3)` of rotation vectors, and SO(3)'s left Jacobians there."""
    skew = (vectors.reshape(-1, 3) @ SKEW).reshape(*vectors.shape, 3)
    twice = skew @ skew
    angle = np.maximum(np.sqrt(np.add.reduce(vectors * vectors, axis=-1)), _FAINT)[..., None, None]
    first, half = np.sin(angle) / angle, np.sin(0.5 * angle) / angle
    second = 2.0 * half * half
    return first * skew + second * twice + _UNTURNED, second * skew + (1.0 - first) / (
        angle * angle
    ) * twice + _UNTURNED


def _arms(body: PointBody, away: np.ndarray, rows: np.ndarray, point: int) -> np.ndarray:
    """Return the arm `(b, 3)` by which each bone of the trunk, roles `rows`, carries a point in a pose."""
    found = np.zeros((len(rows), 3))
    for role, arm in way_to(body, point).items():
        if role in rows:
            found[np.searchsorted(rows, role)] += away[role] @ arm
    return found
