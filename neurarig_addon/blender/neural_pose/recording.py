"""Recordings: points in world metres, or pose parameters, at the frame rate of the scene."""

from dataclasses import dataclass, replace

import numpy as np

from ...core.easing import hermite
from ...core.geometry.rotation import part_way
from ...core.mocap.mending import mended, seeming_noise
from ...core.mocap.placement import is_about_hips, on_the_ground
from ...core.neural.pose_parameters import PoseParameters

SAME_RATE = 1e-6  # relative


@dataclass(frozen=True)
class PointRecording:
    """Recorded points.

    `points` `(f, 27, 3)`: world metres, NaN if unseen. `fps`: frames per second. `first_frame`: of the scene,
    None for a file's.
    `noise_m`: error of seen points in metres; `seeming_noise_m`: the error that bone lengths suggest, as
    recorded.
    `trust` `(f, 27)` 0..1: how far to trust each point; None: all seen ones fully. `others`: other people in
    the recording.
    `remark`: what the user should know of the file, in a sentence, or empty.
    """

    name: str
    points: np.ndarray
    fps: float
    first_frame: float | None = None
    noise_m: float = 0.0
    trust: np.ndarray | None = None
    seeming_noise_m: float = 0.0
    others: tuple[str, ...] = ()
    remark: str = ""

    def __len__(self) -> int:
        return len(self.points)

    def at_rate(self, fps: float) -> "PointRecording":
        """Return the recording at `fps` frames per second, points between frames on smooth curves; its
        duration is unchanged."""
        between = _Between.of(len(self), self.fps, fps)
        if between is None:
            return self
        trust = None if self.trust is None else between.blended(self.trust)
        return replace(self, points=between.curved(self.points), trust=trust, fps=fps)

    def ready(self, noise_m: float, mend: bool) -> "PointRecording":
        """Return the recording ready to be solved: mended, and placed in the world if recorded relative to
        its own hips (`core.mocap`).

        `noise_m`: error of its points in metres.
        """
        points, trust, left = self.points, None, noise_m
        if mend:
            clean = mended(self.points, self.fps, noise_m)
            points, trust, left = clean.points, clean.trust, clean.noise
        if is_about_hips(self.points):
            points = on_the_ground(points)
        return replace(
            self, points=points, trust=trust, noise_m=left, seeming_noise_m=seeming_noise(self.points)
        )


@dataclass(frozen=True)
class ParameterRecording:
    """Pose parameters read from a file."""

    name: str
    parameters: PoseParameters
    first_frame: float | None = None

    def __len__(self) -> int:
        return len(self.parameters)

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self.parameters.fps

    def at_rate(self, fps: float) -> "ParameterRecording":
        """Return the recording at `fps` frames per second, rotations between frames on the shortest arcs."""
        between = _Between.of(len(self), self.fps, fps)
        if between is None:
            return self
        turns = self.parameters.rotations()
        share = np.broadcast_to(between.share[:, None], (len(between.share), turns.shape[1]))
        turns = part_way(turns[between.before], turns[between.after], share)
        parameters = PoseParameters.of(
            turns, between.blended(self.parameters.root), fps, self.parameters.leg_length
        )
        return replace(self, parameters=replace(parameters, remark=self.parameters.remark))


Recording = PointRecording | ParameterRecording


@dataclass(frozen=True)
class _Between:
    """Resampled frames: the rows `before` and `after` each `(n,)`, and the `share` `(n,)` of the way between
    them."""

    before: np.ndarray
    after: np.ndarray
    share: np.ndarray

    @classmethod
    def of(cls, count: int, fps: float, wanted: float) -> "_Between | None":
        """Return the frames at the wanted rate; None if the rates are equal."""
        if abs(fps - wanted) <= SAME_RATE * wanted:
            return None
        at = np.arange(np.floor((count - 1) * wanted / fps + SAME_RATE) + 1.0) * fps / wanted
        before = np.minimum(at.astype(int), count - 1)
        return cls(before, np.minimum(before + 1, count - 1), at - before)

    def blended(self, values: np.ndarray) -> np.ndarray:
        """Return values `(f, ...)` at the new frames, linearly interpolated; NaN if a neighbour that counts
        is."""
        share = self.share.reshape(-1, *[1] * (values.ndim - 1))
        return np.where(
            share == 0.0,
            values[self.before],
            values[self.before] + share * (values[self.after] - values[self.before]),
        )

    def curved(self, values: np.ndarray) -> np.ndarray:
        """Return values `(f, ...)` at the new frames, on smooth curves (Catmull and Rom 1974), otherwise as
        `blended`.

        If the frame beyond a neighbour is missing, the slope at that neighbour is that of the straight line.
        """
        share = self.share.reshape(-1, *[1] * (values.ndim - 1))
        first, last = values[self.before], values[self.after]
        beyond = np.full((1, *values.shape[1:]), np.nan)
        earlier, later = (
            np.concatenate([beyond, values, beyond])[rows] for rows in (self.before, self.after + 2)
        )
        into = np.where(np.isfinite(earlier), 0.5 * (last - earlier), last - first)
        out = np.where(np.isfinite(later), 0.5 * (later - first), last - first)
        return np.where(share == 0.0, first, hermite(share, first, into, last, out))
