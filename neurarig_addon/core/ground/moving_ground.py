"""Moving ground: a keyed, carried or deforming mesh, sampled on each whole frame, and how it moves what lies
on it."""

from dataclasses import dataclass, field

import numpy as np

from ..body.feet import Feet
from ..geometry.rotation import from_rotation_vector, norms, rotated, transposed
from .surface import Uneven
from .terrain import Terrain, TerrainPart
from .triangles import Sheet, Triangles, upright

SAME_TILT = 6  # digits to which the mesh's up direction must agree to count as not tilted
KEPT = 96  # cached frames
PLACE, SHIFT, TURN = slice(0, 3), slice(3, 6), slice(6, 9)  # columns of a carry


@dataclass(frozen=True)
class FootCarry:
    """The carry of both feet over time, `values` `(f, 2, 9)`: centre, translation in metres, and rotation
    vector."""

    values: np.ndarray

    @property
    def turned(self) -> np.ndarray:
        """Rotations of the feet `(f, 2, 3, 3)`."""
        turn = self.values[..., TURN]
        return from_rotation_vector(turn)

    @property
    def yaw(self) -> np.ndarray:
        """Radians to the left `(f, 2)`."""
        return self.values[..., TURN][..., 2]

    def feet(self, feet: Feet) -> Feet:
        """Return the feet carried by the ground."""
        place, turn = self.values[..., PLACE], self.turned
        ankle = place + self.values[..., SHIFT] + rotated(turn, feet.ankle - place)
        return Feet(ankle, turn @ feet.turn, turn @ feet.toe)

    def back(self, points: np.ndarray) -> np.ndarray:
        """Return points of feet `(f, 2, n, 3)` as if the ground had not moved since touchdown."""
        place, shift = self.values[..., None, PLACE], self.values[..., None, SHIFT]
        return place + rotated(transposed(self.turned)[..., None, :, :], points - place - shift)


@dataclass(frozen=True)
class MovingPart:
    """A moving mesh: `places` `(k, 4, 4)` in the walk frame, and `points` `(k or 1, n, 3)`.

    A rigid one has a single row of points.
    `corners` `(m, 3)`: of its triangles.  `rim` `(e, 2)`: the ends of its rim edges.
    """

    places: np.ndarray
    points: np.ndarray
    corners: np.ndarray
    rim: np.ndarray
    _made: dict[tuple, tuple[np.ndarray, Triangles, Sheet | None]] = field(
        default_factory=dict, compare=False
    )

    @property
    def keeps_shape(self) -> bool:
        """Whether only its place changes."""
        return len(self.points) == 1

    def at(self, sample: int) -> TerrainPart:
        """Return the part as on a frame."""
        into = np.linalg.inv(self.places[sample])
        up = into[:3, 2] / norms(into[:3, 2])
        row = 0 if self.keeps_shape else sample
        key = row, *np.round(up, SAME_TILT).tolist()
        if key not in self._made:
            if len(self._made) >= KEPT:
                self._made.pop(next(iter(self._made)))
            turn = upright(up)
            points = self.points[row] @ turn[:3, :3].T
            triangles = Triangles.of(points, self.corners)
            self._made[key] = turn, triangles, Sheet.of(triangles, len(self.corners), points[self.rim])
        turn, triangles, sheet = self._made[key]
        return TerrainPart(triangles, turn @ into, sheet)

    def taken(self, points: np.ndarray, sample: int, samples: np.ndarray) -> np.ndarray:
        """Return where points `(n, 3)` that lie on it on one frame are on other frames `(k, n, 3)`."""
        if self.keeps_shape:
            moved = self.places[samples] @ np.linalg.inv(self.places[sample])
            return points @ np.swapaxes(moved[:, :3, :3], -1, -2) + moved[:, None, :3, 3]
        row, share = _under(points, self._seen(np.array([sample]))[0], self.corners)
        corners = self.corners[row]
        there = np.einsum("knci,nc->kni", self._seen(np.append(samples, sample), corners), share)
        return points + there[:-1] - there[-1]

    def _seen(self, samples: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Return the given rows of points on the given frames, in the walk frame."""
        own = self.points[samples][:, rows]
        turn = self.places[samples].reshape(-1, *([1] * (own.ndim - 2)), 4, 4)
        return rotated(turn[..., :3, :3], own) + turn[..., :3, 3]


def _under(points: np.ndarray, mesh: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the triangles `(n,)` that points `(n, 3)` lie on, and their barycentric coordinates `(n, 3)`.

    The nearest one under a point is taken; for a point beside the mesh, the closest one.
    """
    first, second, third = (mesh[column] for column in corners.T)
    along, across, to = second - first, third - first, points[:, None] - first
    area = along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]
    area = np.where(np.abs(area) > 0.0, area, np.inf)
    share = (to[..., 0] * across[:, 1] - to[..., 1] * across[:, 0]) / area
    other = (along[:, 0] * to[..., 1] - along[:, 1] * to[..., 0]) / area
    beside = np.maximum(np.maximum(-share, -other), np.maximum(share + other - 1.0, 1e-6))
    away = np.abs(to[..., 2] - share * along[:, 2] - other * across[:, 2])
    beside = np.where(np.isfinite(area), beside, np.inf)
    row, at = (
        np.argmin(np.where(beside <= beside.min(axis=1, keepdims=True), away, np.inf), axis=1),
        np.arange(len(points)),
    )
    return row, np.stack([1.0 - share[at, row] - other[at, row], share[at, row], other[at, row]], axis=-1)


@dataclass(frozen=True)
class MovingTerrain:
    """Ground of `still` and `moving` parts, sampled on whole frames from `first` on; constant before and
    after them.

    As a `surface.Ground` it is as on the frame `start`: there paths are laid and ledges found.
    `climb`: see `Terrain`.
    """

    still: tuple[TerrainPart, ...]
    moving: tuple[MovingPart, ...]
    first: int
    start: float
    climb: float

    is_level = False

    @property
    def count(self) -> int:
        """The number of frames."""
        return len(self.moving[0].places)

    def samples(self, frames: np.ndarray) -> np.ndarray:
        """Return the sample `(...)` nearest to each frame `(...)`."""
        return np.clip(np.round(frames - self.first), 0, self.count - 1).astype(int)

    def terrain(self, sample: int) -> Terrain:
        """Return the ground in a sample."""
        return Terrain((*self.still, *(part.at(sample) for part in self.moving)), self.climb)

    def at(self, frames: np.ndarray) -> "GroundAt":
        """Return the ground on frames `(...)`, one for each place queried."""
        return GroundAt(self, self.samples(frames))

    def height(self, places: np.ndarray) -> np.ndarray:
        """See Ground."""
        return self._at_start.height(places)

    def is_even(self, places: np.ndarray, apart: float, grade: float) -> bool:
        """See Ground."""
        return self._at_start.is_even(places, apart, grade)

    def layers(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Terrain."""
        return self._at_start.layers(places)

    @property
    def _at_start(self) -> Terrain:
        return self.terrain(int(self.samples(np.array(self.start))))

    def taken(self, points: np.ndarray, sample: int, samples: np.ndarray) -> np.ndarray:
        """Return where points `(n, 3)` on the ground in one sample are in others `(k, n, 3)`; the first point
        decides what they lie on."""
        place, nearest, under = points[:1], np.inf, None
        for part in (*self.moving, *self.still):
            seen = part.at(sample) if isinstance(part, MovingPart) else part
            away = min(
                (
                    float(np.abs(height - place[0, 2]).min())
                    for _, height, _ in seen.hits(place[:, :2])
                    if len(height)
                ),
                default=np.inf,
            )
            if away < nearest:
                nearest, under = away, part
        if not isinstance(under, MovingPart):
            return np.broadcast_to(points, (len(samples), *points.shape))
        return under.taken(points, sample, samples)


@dataclass(frozen=True)
class GroundAt(Uneven):
    """Moving ground in samples `(...)`, one for each place queried, or for all of a last axis of places."""

    ground: MovingTerrain
    samples: np.ndarray

    def height(self, places: np.ndarray) -> np.ndarray:
        """See Ground."""
        samples = np.broadcast_to(self.samples, places.shape[:-1])
        heights = np.empty(samples.shape)
        for sample in np.unique(samples).tolist():
            rows = samples == sample
            heights[rows] = self.ground.terrain(sample).height(places[rows])
        return heights
