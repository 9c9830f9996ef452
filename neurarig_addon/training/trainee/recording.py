"""Recorded controller motion as a rule to learn: the outputs of an engine or another walk, frame by frame,
with their inputs."""

import os
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...core.contract.channels import NEURARIG_OUTPUTS
from ...core.contract.inputs import ELEVEN_INPUTS, SLOW_INPUTS
from ...core.errors import NeuraRigError
from ...core.gait.kinds.natural import GRAVITY, natural_period
from ...core.learned.discovery import find_bends, walkers
from ...core.learned.lessons import TaughtRule
from ...core.learned.online import OnlineBrain
from ...core.learned.stream_inputs import StreamInputs
from ...core.learned.walk_curves import Group, Pieces, StrideClock, WalkCurves, phases
from ..gait.human_gait import HumanGait

_FEWEST_ROWS = 120
_LARGEST = 1e9  # metres, seconds, radians: larger values are damage
# Prior of the powers in the law of the period: few strides cannot lead far from it.
_USUAL_POWERS = np.array([-0.5, 0.5])
_TRUST_IN_USUAL = 1e-2
_STANCE_SHARES = (0.5, 0.55, 0.58, 0.6, 0.62, 0.64, 0.66, 0.7, 0.75)  # shares of the cycle, each tried


@dataclass(frozen=True)
class Recording:
    """Rows in order of time: inputs `(n, inputs)` by name, outputs `(n, outputs)`; t_cycle falls back when a
    stride ends."""

    places: StreamInputs
    inputs: np.ndarray
    outputs: np.ndarray

    def fitted(self) -> OnlineBrain:
        """Return the curves that fit the rows, in the pieces that fit best."""
        clock = self.clock()
        pieces = min(
            (Pieces(), *(Pieces((0.0, share)) for share in _STANCE_SHARES)),
            key=lambda tried: self._misfit(clock, tried),
        )
        return self._taught(clock, pieces, np.full(len(self.inputs), True))

    def clock(self) -> StrideClock:
        """Return the law of the period, by least squares over the strides; raises NeuraRigError if no stride
        ends."""
        time = self.inputs[:, self.places.time]
        body = self.inputs[:, list(self.places.body)]
        ends = np.flatnonzero((np.diff(time) < 0.0) & (np.diff(body, axis=0) == 0.0).all(axis=1))
        if not len(ends):
            raise NeuraRigError(
                "The recording shows no end of a stride: its t_cycle never falls back; record two strides or"
                " more."
            )
        periods = time[ends] + self._frame_seconds() - time[ends + 1]
        rows = self.inputs[ends]
        knowns = np.stack(
            [np.ones(len(ends)), np.log(self.places.speeds(rows)), np.log(self.places.legs(rows)[1])], axis=1
        )
        usual = np.concatenate([[0.0], _USUAL_POWERS])
        trust = np.diag([0.0, _TRUST_IN_USUAL, _TRUST_IN_USUAL]) * len(ends)
        law = usual + np.linalg.solve(
            knowns.T @ knowns + trust, knowns.T @ (np.log(periods) - knowns @ usual)
        )
        return StrideClock(
            self.places, float(np.exp(law[0])), float(law[1]), float(law[2]), (0.0,) * len(self.places.others)
        )

    def _frame_seconds(self) -> float:
        """Return the time from row to row, from the time since the walk began if recorded, else from
        t_cycle."""
        whole = next(
            (n for n, name in enumerate(self.places.names) if "t_accumulated" in name.lower()),
            self.places.time,
        )
        steps = np.diff(self.inputs[:, whole])
        return float(np.median(steps[steps > 0.0])) if (steps > 0.0).any() else 0.0

    def _misfit(self, clock: StrideClock, pieces: Pieces) -> float:
        """Return the mean squared error of a brain on every fourth row, which it was not taught."""
        judged = np.arange(len(self.inputs)) % 4 == 3
        apprentice = self._taught(clock, pieces, ~judged)
        return float(np.mean((apprentice.predict(self.inputs[judged]) - self.outputs[judged]) ** 2))

    def _taught(self, clock: StrideClock, pieces: Pieces, rows: np.ndarray) -> OnlineBrain:
        left = tuple(column for column in range(self.outputs.shape[1]) if column // 6 in (1, 3))
        right = tuple(column for column in range(self.outputs.shape[1]) if column not in left)
        brain = OnlineBrain(
            WalkCurves(
                self.places, clock, self.outputs.shape[1], (Group(0, pieces, left), Group(1, pieces, right))
            )
        )
        for row, target in zip(self.inputs[rows], self.outputs[rows], strict=True):
            brain.train(row, target)
        return brain


def read_recording(path: str | os.PathLike) -> Recording:
    """Read a CSV file whose header names the inputs, then the outputs (from the first name with a dot, such
    as foot_r.x, on)."""
    path = Path(path)
    try:
        with path.open(encoding="utf-8-sig") as file, warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy only warns of a header without rows
            names = [name.strip() for name in file.readline().split(",")]
            rows = np.loadtxt(file, delimiter=",", ndmin=2)
    except (OSError, ValueError, UserWarning) as error:
        raise NeuraRigError(
            f"'{path.name}' is no recording: {error}; it has to be a CSV file of numbers under a header."
        ) from None
    count = next((n for n, name in enumerate(names) if "." in name), len(names))
    if (
        rows.shape[1] != len(names)
        or count == len(names)
        or len(rows) < _FEWEST_ROWS
        or not (np.abs(rows) < _LARGEST).all()
    ):
        needed = f"{_FEWEST_ROWS} rows of finite numbers, inputs, then outputs like foot_r.x"
        raise NeuraRigError(f"'{path.name}' is no recording: it needs {needed}.")
    return Recording(StreamInputs.named(names[:count]), rows[:, :count], rows[:, count:])


def recorded_rule(path: str | os.PathLike) -> TaughtRule:
    """Return recorded motion as a teacher: curves fitted to its rows, for its characters and speeds."""
    recording = read_recording(path)
    fitted = recording.fitted()

    def draw(count: int, rng: np.random.Generator) -> np.ndarray:
        return recording.inputs[rng.integers(len(recording.inputs), size=count)]

    return TaughtRule(Path(path).stem, "1", fitted.curves, draw, fitted.predict)


def human_rule() -> TaughtRule:
    """Return the human gait in NeuraRig's contract: walkers with two equal legs, left and right half a cycle
    apart."""
    gait, places = HumanGait.load(), StreamInputs.named(ELEVEN_INPUTS)
    # The period is a power law: its constant is the period at 1 m/s and 1 m, its powers follow from
    # natural_stride.
    clock = StrideClock(places, float(natural_period(np.array(1.0), 1.0)), -0.44, 0.72)

    def evaluate(inputs: np.ndarray) -> np.ndarray:
        phase_left, phase_right = phases(clock, inputs)
        return gait.sample(inputs[:, : len(SLOW_INPUTS)], phase_right, phase_left)[:, :NEURARIG_OUTPUTS]

    left = tuple(column for column in range(NEURARIG_OUTPUTS) if column // 6 in (1, 3))
    right = tuple(column for column in range(NEURARIG_OUTPUTS) if column not in left)
    groups = Group(0, Pieces(), left), Group(1, Pieces(), right)
    curves = WalkCurves(places, clock, NEURARIG_OUTPUTS, groups, find_bends(clock, evaluate))

    def draw(count: int, rng: np.random.Generator) -> np.ndarray:
        rows = walkers(places, count, rng)
        for first, second in (places.thighs, places.shins, places.spacings):
            rows[:, first] = rows[:, second]
        # Up to the fastest walk: 2.25 m/s for a leg of 0.9 m.
        rows[:, places.velocity] = rng.uniform(0.1, 0.75, count) * np.sqrt(GRAVITY * places.legs(rows)[0])
        rows[:, places.offsets[0]] = rows[:, places.offsets[1]] + 0.5
        return rows

    return TaughtRule("human gait", "1", curves, draw, evaluate)
