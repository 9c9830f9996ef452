"""Paths alone: drawn lines, open and closed, with marks and turns; what they are at places far and near, and what they refuse."""

from collections.abc import Callable
from typing import Any

import numpy as np

from neurarig_addon.core.ground.rocker import flattened, unflattened
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.marks import Mark
from neurarig_addon.core.path.path import Path, Straight
from neurarig_addon.core.path.timetable import Timed
from tests.core.record.condensed import Answer
from tests.core.record.skeletons import asked
from tests.core.walk_paths import LEG


def drawn(seed: int, count: int = 7, height: float = 0.3) -> np.ndarray:
    """Return points of a line."""
    draw = np.random.default_rng(seed)
    return np.cumsum(draw.uniform([0.5, -0.7, -height], [1.6, 0.7, height], (count, 3)), axis=0)


def ring(seed: int) -> np.ndarray:
    """Return points of a closed line."""
    draw = np.random.default_rng(seed)
    angle = np.linspace(0.0, 2.0 * np.pi, 11, endpoint=False)
    reach = draw.uniform(0.8, 3.0, 11)
    return np.stack([reach * np.sin(angle), -reach * np.cos(angle), draw.uniform(-0.2, 0.2, 11)], axis=1)


def asked_of(path: Path) -> Answer:
    """Return all that a path answers."""
    first, last = (float(np.clip(end, -3.0, 12.0)) for end in path.extent)
    at = np.concatenate([np.linspace(first - 2.0, last + 2.0, 37), np.random.default_rng(1).uniform(first, last, 20)])
    return {
        "at": path.at(at),
        "drawn": path.drawn.at(at),
        "curvature": path.curvature(at),
        "gone": path.distance_of(at),
        "advance": path.advance(at),
        "effort": [path.effort(float(distance)) for distance in at],
        "pace": path.pace(at),
        "knots": path.knots(first - 1.0, last + 1.0),
        "what": [path.turns, path.starts, path.varies, path.lap, path.extent, [list(vars(mark).values()) for mark in path.marks]],
    }


def curve(points: np.ndarray, **given: Any) -> Callable[[], Answer]:
    """Return what a line is as a path."""
    return lambda: {"answers": asked(lambda: asked_of(Curve.through(points, LEG, **given)))}


def refused() -> Answer:
    """Return lines that are none, and marks that nobody could keep."""
    nothing = [
        np.zeros((0, 3)),
        np.zeros((1, 3)),
        np.zeros((4, 3)),
        np.array([[0.0, 0.0, 0.0], [np.nan, 0.0, 0.0]]),
        drawn(1) * 1e-5,
        drawn(1) * 1e5,
    ]
    marks = [
        (Mark(-1.0, 1.0),),
        (Mark(2.0, -1.0),),
        (Mark(1e9, 1.0),),
        (Mark(1.0, turn=9.0),),
        (Mark(1.0, 1.0), Mark(1.0, 2.0)),
        (Mark(is_end=True, pause=2.0),),
    ]
    return {
        "lines": [asked(lambda points=points: Curve.through(points, LEG).extent) for points in nothing],
        "marks": [asked(lambda mark=mark: asked_of(Curve.through(drawn(2), LEG, starts=True, marks=mark))) for mark in marks],
    }


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    turns = (Mark(1.0, 0.5, turn=1.0), Mark(2.2, 0.0, turn=-2.5), Mark(3.0, 1.5), Mark(is_end=True, turn=0.4))
    dues = (Mark(1.0, due=2.0), Mark(2.5, 0.5, due=5.0), Mark(is_end=True, due=9.0))
    sharp = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.5], [1.9, 0.1, 0.5], [5.0, 0.0, 0.0]])
    return {
        **{f"drawn {seed}": curve(drawn(seed)) for seed in range(4)},
        **{f"closed {seed}": curve(ring(seed), is_closed=True) for seed in range(3)},
        "closed, as drawn": curve(np.concatenate([ring(5), ring(5)[:1]]), is_closed=True, slows=False),
        "starts": curve(drawn(5), starts=True, start_turn=0.8),
        "turns": curve(drawn(6), starts=True, start_turn=-2.0, marks=turns),
        "turns, entered walking": curve(drawn(6), marks=turns[1:]),
        "times": curve(drawn(7), starts=True, marks=dues),
        "sharp": curve(sharp),
        "two points": curve(np.array([[0.0, 0.0, 0.0], [2.0, 1.0, 0.3]]), starts=True),
        "many points": curve(np.repeat(drawn(8, 40, 0.05) * 0.2, 2, axis=0)),
        "not slowed": curve(sharp, slows=False),
        "timed": lambda: asked_of(Timed(Curve.through(drawn(9), LEG), 1.1)),
        "timed, closed": lambda: asked_of(Timed(Curve.through(ring(9), LEG, is_closed=True), 0.4)),
        "straight": lambda: asked_of(Straight(0.7)),
        "refused": refused,
        "flattened": lambda: {"there": flattened(np.linspace(-0.5, 0.5, 41)), "back": unflattened(np.linspace(-0.5, 0.5, 41))},
    }
