"""Walks and runs of our own plan as lessons: what recordings have little of, starts, stops, changes of speed,
runs and long bends."""

from collections.abc import Iterator

import numpy as np

from ...core.gait.kinds.gait import Gait
from ...core.gait.kinds.gait_change import BySpeed
from ...core.gait.kinds.law import RUN as RUN_LAW
from ...core.gait.sliders.style import Clock, Style, StyleTrack
from ...core.gait.synthesis import walk
from ...core.human.gait_network import BUNDLED_RUN, GaitNetwork
from ...core.path.curve import Curve
from ...core.sequence.figure import figure
from ...core.sequence.rows import RATE, Rows
from ...core.sequence.start import rows_of_walk
from ...core.styles.persons import manner_of
from ...core.styles.styled_gait import in_styles

SECONDS = 20.0
WALKS, RUNS = (0.6, 2.1), (2.3, 4.2)  # m/s
_LASTS = (1.5, 6.0)  # seconds of one speed
_CHANGES = (0.6, 1.4)  # seconds in which a speed becomes another: people stop in two steps
# shares of spans that stand; of motions that run, and that walk and run
_STANDS, _RUNS, _BOTH = 0.3, 0.4, 0.12
# shares of motions that go straight, and of the others that go round in one bend
_STRAIGHT, _ROUND = 0.2, 0.3
_SHARPEST = 1.9  # radians a second: about what people turn while they go on
_PEOPLE = 100_000  # seeds of individuals
_SPREAD = {
    "energy": 0.35,
    "weight": 0.35,
    "arm_swing": 0.3,
    "bounce": 0.25,
    "stride": 0.08,
    "lean": 3.0,
    "elbow_bend": 12.0,
    "arm_spread": 4.0,
}
_FACTORS = ("arm_swing", "bounce", "stride")


def planned(count: int, seed: int) -> Iterator[Rows]:
    """Yield planned motions of the figure, each of another person."""
    draw = np.random.default_rng(seed)
    natural, running = Gait(GaitNetwork.load()), Gait(GaitNetwork.load(BUNDLED_RUN), RUN_LAW)
    for _ in range(count):
        person = int(draw.integers(_PEOPLE))
        kind = draw.random()
        if kind < _RUNS:
            gait, (low, high) = running, RUNS
        elif kind < _RUNS + _BOTH:
            either = BySpeed(natural, running)
            gait, (low, high) = Gait(either, either), (WALKS[0], RUNS[1])
        else:
            gait, (low, high) = natural, WALKS
        yield _planned(in_styles(gait, (), manner_of(person)), person, low, high, draw)


def _planned(gait: Gait, person: int, slowest: float, fastest: float, draw: np.random.Generator) -> Rows:
    frames = np.arange(int(SECONDS * RATE))
    speeds = _speeds(slowest, fastest, draw)
    sliders = {
        name: (name in _FACTORS) + spread * float(np.clip(draw.standard_normal(), -2.0, 2.0))
        for name, spread in _SPREAD.items()
    }
    track = StyleTrack(
        Style(variation=1.0, individual=1.0, **sliders),
        {"speed": speeds},
        seed=int(draw.integers(1000)),
        strides_seed=int(draw.integers(1000)),
        person=person,
    )
    way = float(np.trapezoid(speeds[1], speeds[0]) / RATE)
    body = figure().character.body
    path = (
        {}
        if draw.random() < _STRAIGHT
        else {"path": Curve.through(_line(way + 5.0, fastest, draw), body.leg_length)}
    )
    pose = walk(body, track, Clock(RATE, 0.0), frames, gait, **path)
    return rows_of_walk(pose)


def _speeds(slowest: float, fastest: float, draw: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return frames and speeds in m/s: held for some seconds each, then changed as quickly as people do, some
    to a stand."""
    at, frames, speeds = 0.0, [], []
    while at < SECONDS:
        speed = 0.0 if draw.random() < _STANDS else float(draw.uniform(slowest, fastest))
        lasts = float(draw.uniform(*_LASTS))
        frames += [at, at + lasts]
        speeds += [speed, speed]
        at += lasts + float(draw.uniform(*_CHANGES))
    return np.array(frames) * RATE, np.array(speeds)


def _line(length: float, fastest: float, draw: np.random.Generator) -> np.ndarray:
    """Return points `(n, 3)` of a way that bends to and fro."""
    step = 0.25
    count = int(np.ceil(length / step)) + 1
    sharpest = _SHARPEST / max(fastest, 1.0)  # radians a metre
    knots = np.arange(0.0, count + 8.0, 8.0)
    bends = draw.uniform(-sharpest, sharpest, len(knots)) * (draw.random(len(knots)) < 0.6)
    curvature = (
        np.full(count, bends[0]) if draw.random() < _ROUND else np.interp(np.arange(count), knots, bends)
    )
    heading = np.cumsum(curvature * step)
    steps = step * np.stack([np.cos(heading), np.sin(heading), 0.0 * heading], axis=1)
    return np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
