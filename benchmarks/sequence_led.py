"""How well motions go where they are led: python -m benchmarks sequence_led [--mocap FOLDER], on the
recordings that `sequence` takes.

From a second of a recorded walk to places all around, along bends, and after a place that moves; distances on
the figure.
"""

import numpy as np

from benchmarks.sequence import folders
from benchmarks.table import Row
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.sequence.figure import LEG
from neurarig_addon.core.sequence.network import SequenceNetwork, bundled
from neurarig_addon.core.sequence.roll_out import roll_out
from neurarig_addon.core.sequence.route import CurveRoute, Led, PlaceRoute, Route
from neurarig_addon.core.sequence.rows import RATE, Rows, placed, rows_of
from neurarig_addon.training.sequence.windows import OTHER, STEADY, encoded, recordings

SEEDS, SECONDS, SEED = 60, 20.0, 11
FROM_S, WALKS = 2.0, (0.6, 2.0)  # seconds that are known; m/s on the figure
NEAREST, FARTHEST = 2.0, 8.0  # metres of a place
ARRIVES, STANDS, OFF = 0.3, 0.1, 0.3  # metres; metres a second over the last second; metres of a line
BENDS = (1.0, 8.0, 12.0)  # metres to a side, of a wave, and of all
FLEES, FLEES_S = 0.7, (3.0, 9.0)  # metres a second, and when


def rows() -> list[Row]:
    """Lead recorded walks, and return the figures."""
    network, draw = bundled(), np.random.default_rng(SEED)
    chosen = [
        rows_of(encoded(one))
        for folder in folders()
        for one in recordings(folder)
        if one.group in (STEADY, OTHER)
    ]
    pasts = [past for past in (_part(motion, draw) for motion in [*chosen] * SEEDS) if past is not None][
        :SEEDS
    ]
    return [*_to_places(network, pasts, draw), *_along(network, pasts), *_after(network, pasts)]


def _part(motion: Rows, draw: np.random.Generator) -> Rows | None:
    """Return some seconds of a motion that walks in them, else None."""
    count = int(FROM_S * RATE)
    if len(motion) <= count:
        return None
    first = int(draw.integers(len(motion) - count))
    part = motion[first : first + count]
    return part if WALKS[0] <= np.linalg.norm(placed(part.steps)[-1, :2]) / FROM_S <= WALKS[1] else None


def _led(network: SequenceNetwork, past: Rows, goal: Route) -> np.ndarray:
    """Return where a motion goes `(n, 2)` that is led to a goal."""
    return placed(roll_out(network, past, Led(goal, past, 1.0), int(SECONDS * RATE)).steps)[:, :2]


def _to_places(network: SequenceNetwork, pasts: list[Rows], draw: np.random.Generator) -> list[Row]:
    arrive, stay = [], []
    for past in pasts:
        angle, far = draw.uniform(-np.pi, np.pi), draw.uniform(NEAREST, FARTHEST)
        place = far * np.array([np.cos(angle), np.sin(angle)])
        way = _led(network, past, PlaceRoute(place[None]))
        off = np.linalg.norm(way - place, axis=1)
        arrive.append(off.min() < ARRIVES)
        stay.append(off[-1] < ARRIVES and np.linalg.norm(way[-1] - way[-1 - int(RATE)]) < STANDS)
    return [
        Row(
            f"{len(pasts)} walks to places: not within {ARRIVES} m",
            100.0 * (1.0 - float(np.mean(arrive))),
            5.0,
            "%",
        ),
        Row(
            f"walks to places: not standing there after {SECONDS:.0f} s",
            100.0 * (1.0 - float(np.mean(stay))),
            10.0,
            "%",
        ),
    ]


def _along(network: SequenceNetwork, pasts: list[Rows]) -> list[Row]:
    aside, wave, length = BENDS
    x = np.linspace(0.0, length, 200)
    line = np.column_stack([x, aside * np.sin(2.0 * np.pi * x / wave) * (1.0 - np.exp(-x / 1.5))])
    goal = CurveRoute(Curve.through(np.column_stack([line, 0.0 * x]), LEG))
    off, passed = [], []
    for past in pasts:
        way = _led(network, past, goal)
        there = np.linalg.norm(way - line[-1], axis=1) < ARRIVES
        end = int(np.argmax(there)) if there.any() else len(way)
        off.append(float(np.min(np.linalg.norm(way[:end, None] - line, axis=2), axis=1).max()))
        passed.append(float(np.linalg.norm(way[-1] - line[-1])))
    return [
        Row("walks along bends: off the line at most, 9 of 10", float(np.quantile(off, 0.9)), OFF, "m"),
        Row(
            "walks along bends: from the end of the line at last, 9 of 10",
            float(np.quantile(passed, 0.9)),
            ARRIVES,
            "m",
        ),
    ]


def _after(network: SequenceNetwork, pasts: list[Rows]) -> list[Row]:
    time = np.arange(SECONDS * RATE) / RATE
    moved = FLEES * (np.clip(time, *FLEES_S) - FLEES_S[0])
    place = np.column_stack([3.0 + moved / np.sqrt(2.0), moved / np.sqrt(2.0)])
    last = slice(int(FLEES_S[1] * RATE), None)
    nearest = [
        np.linalg.norm(_led(network, past, PlaceRoute(place)) - place, axis=1)[last].min() for past in pasts
    ]
    return [
        Row(
            "walks after what moves: from it once it stands, 9 of 10",
            float(np.quantile(nearest, 0.9)),
            ARRIVES,
            "m",
        )
    ]
