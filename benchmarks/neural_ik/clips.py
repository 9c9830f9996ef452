"""Whole recordings with noise, as Solve Mocap gets them: every frame alone against the recording mended first
(`core/mocap/mending`)."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.neural_ik.evaluate import OBSERVABLE
from benchmarks.neural_ik.metrics import mean_jerk
from benchmarks.neural_ik.people import Poses, recorded
from neurarig_addon.core.geometry.vectors import nearest_rotation
from neurarig_addon.core.mocap.mending import mended
from neurarig_addon.core.mocap.smoothing import whittaker
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS
from neurarig_addon.core.neural.solver import PoseSolver
from neurarig_addon.training.pose.judge import angles
from neurarig_addon.training.pose.poses import RATE, TEST, recordings

NOISES_MM = (1.0, 5.0, 10.0, 20.0, 40.0)
RATES = (30, 60, 120)
_PERSON_MM = 10.0  # noise with which people are shown one by one, at the first rate
_LONGEST_S = 5.0  # the middle of a clip
_MOST_CLIPS = 6  # of each person, spread over all
_THROUGH = 1e8  # weight with which the path between frames goes through them
_STANDS = 0.08  # m/s: a foot whose ball is slower stands
_FASTEST = 99.0  # percentile of the speed of hands and feet
_ENDS = [INDEX[f"{part}.{side}"] for part in ("wrist", "ankle") for side in "LR"]
_BALLS = [INDEX["ball.L"], INDEX["ball.R"]]
_SEEN = np.arange(27) < len(JOINTS)


@dataclass(frozen=True)
class Figures:
    """Angle of the observable joints in degrees; mean jerk over the recording's; slip of standing feet in
    mm/s; speed over the recorded.

    The speed is that of hands and feet at their fastest: 1 where nothing is flattened.
    """

    angle: float
    jerk: float
    slip: float
    speed: float

    @classmethod
    def mean(cls, parts: list["Figures"]) -> "Figures":
        """Return the means of several clips."""
        return cls(
            *np.mean([[part.angle, part.jerk, part.slip, part.speed] for part in parts], axis=0).tolist()
        )


@dataclass(frozen=True)
class Alone:
    """Every frame for itself."""

    solver: PoseSolver

    def solve(
        self, body: PointBody, points: np.ndarray, fps: float, noise: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)` of a recording."""
        return self.solver.solve(body, points, _SEEN.astype(float), noise, refine=1)


@dataclass(frozen=True)
class Mended(Alone):
    """The recording mended first, as *Solve Mocap* does."""

    def solve(
        self, body: PointBody, points: np.ndarray, fps: float, noise: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)` of a recording."""
        made = mended(points, fps, noise)
        return self.solver.solve(body, made.points, made.trust, made.noise, refine=1)


def clips_of(folder: Path, part: str = TEST) -> dict[str, list[Poses]]:
    """Return clips of each person, the middle seconds of each, at 30 frames a second."""
    found: dict[str, list[Poses]] = {}
    for recording, poses in zip(recordings(folder, part), recorded(folder, part), strict=True):
        if len(poses) >= RATE:
            found.setdefault(recording.subject, []).append(_middle(poses))
    return {person: [group[row] for row in _spread(len(group))] for person, group in found.items()}


def tables(solver: PoseSolver, people: dict[str, list[Poses]]) -> dict[str, dict[str, Figures]]:
    """Return the figures of both ways by rate and noise, of all clips, and by person."""
    every = [clip for clips in people.values() for clip in clips]
    asked = {f"{fps} fps, {noise:g} mm": (every, fps, noise) for fps in RATES for noise in NOISES_MM}
    asked |= {
        f"person {person}, {_PERSON_MM:g} mm": (clips, RATES[0], _PERSON_MM)
        for person, clips in people.items()
    }
    ways = {"alone": Alone(solver), "mended": Mended(solver)}
    return {name: {way: measure(how, *what) for way, how in ways.items()} for name, what in asked.items()}


def measure(solver: Alone, clips: list[Poses], fps: int, noise_mm: float) -> Figures:
    """Return how a solver does on clips at a rate, with noise drawn anew for every point and frame."""
    return Figures.mean(
        [_measured(solver, at_rate(clip, fps), float(fps), 0.001 * noise_mm) for clip in clips]
    )


def at_rate(poses: Poses, fps: int) -> Poses:
    """Return poses at a multiple of their rate, on natural cubic splines through them."""
    times = round(fps / RATE)
    if times == 1:
        return poses
    turns = nearest_rotation(
        _between(poses.rotations.reshape(len(poses), -1, 3), times).reshape(-1, *poses.rotations.shape[1:])
    )
    return Poses(poses.body, turns, _between(poses.root[:, None], times)[:, 0])


def _between(values: np.ndarray, times: int) -> np.ndarray:
    """Return values `(f, n, 3)` at so many times the rate; the limit of `whittaker` for great weights is the
    spline through them."""
    fine = np.zeros(((len(values) - 1) * times + 1, *values.shape[1:]))
    weights = np.zeros(fine.shape[:2])
    fine[::times], weights[::times] = values, _THROUGH
    return whittaker(fine, weights, np.ones((len(fine) - 2, values.shape[1])))


def _middle(poses: Poses) -> Poses:
    spare = max(0, len(poses) - round(_LONGEST_S * RATE)) // 2
    return poses.rows(slice(spare, len(poses) - spare))


def _spread(count: int) -> list[int]:
    return np.unique(np.linspace(0, count - 1, min(count, _MOST_CLIPS)).round().astype(int)).tolist()


def _measured(solver: Alone, truth: Poses, fps: float, noise: float) -> Figures:
    points = truth.points
    rng = np.random.default_rng([len(truth), round(1e4 * noise)])
    seen = np.where(_SEEN[:, None], points + noise * rng.standard_normal(points.shape), np.nan)
    rotations, root = solver.solve(truth.body, seen, fps, noise)
    found = truth.body.forward(rotations, root)
    stands = _speed(points[:, _BALLS], fps) < _STANDS
    return Figures(
        angle=float(angles(rotations, truth.rotations)[:, OBSERVABLE].mean()),
        jerk=mean_jerk(found[:, : len(JOINTS)], fps) / mean_jerk(points[:, : len(JOINTS)], fps),
        slip=1000.0 * float(_speed(found[:, _BALLS], fps)[stands].mean()) if stands.any() else 0.0,
        speed=float(np.mean(_fastest(found, fps) / _fastest(points, fps))),
    )


def _speed(places: np.ndarray, fps: float) -> np.ndarray:
    return np.linalg.norm(np.diff(places, axis=0), axis=-1) * fps


def _fastest(points: np.ndarray, fps: float) -> np.ndarray:
    """Return how fast hands and feet are at their fastest `(4,)`, m/s, over a thirtieth of a second: noise is
    no speed."""
    steps = round(fps / RATE)
    return np.percentile(_speed(points[::steps, _ENDS], RATE), _FASTEST, axis=0)
