"""The direction that the figure faces, and so which of its sides is the left one."""

from collections.abc import Sequence

import numpy as np

from .feet import foot_reach
from .figure import Figure
from .pairs import LimbPair

# Weights of the signs.  Feet are always right; knees are wrong on birds; names decide if the body shows little.
_FEET, _LEAN, _NAMES, _KNEES, _ELBOWS, _FACE, _FRONT_VIEW = 5.0, 4.0, 2.0, 1.0, 1.0, 0.7, 0.05
_CLEAR_FOOT = 0.08  # leg lengths: a foot that reaches less far forward does not count
_CLEAR_BEND = 0.01  # limb lengths: a joint nearer to the straight line does not count
_LEANING = 0.6  # distance of the head ahead of the hips, as a share of its height above them: more is a bird's trunk, not a person's


def first_is_left(figure: Figure, legs: LimbPair, arms: LimbPair | None, head: int, named: float) -> bool:
    """Return whether the first leg of the pair is the left one.

    `named` is +1 if the names call the first leg left, -1 if right, 0 if they do not say.
    """
    forward = np.cross(legs.across, [0.0, 0.0, 1.0])  # if the first leg is the left one
    votes = _NAMES * named + _FRONT_VIEW * np.sign(forward @ figure.turn @ [0.0, -1.0, 0.0])
    votes += _FEET * np.sign(_feet(figure, legs, forward))
    votes += _KNEES * _bend(legs.points, forward)
    if arms is not None:
        votes -= _ELBOWS * _bend(arms.points, forward)
    if head >= 0:
        votes += _lean_and_face(figure, legs, head, forward)
    return bool(votes >= 0.0)


def _feet(figure: Figure, legs: LimbPair, forward: np.ndarray) -> float:
    reach = np.sum([foot_reach(figure, [int(row) for row in leg if row >= 0]) for leg in legs.rows if leg[2] >= 0] or [np.zeros(3)], axis=0)
    ahead = float(reach @ forward) / 2.0
    return ahead if abs(ahead) > _CLEAR_FOOT * legs.length else 0.0


def _bend(points: np.ndarray, forward: np.ndarray) -> float:
    """Return +1 if the middle joints of `points` `(2, 3, 3)` are forward of the straight line, -1 behind it, 0 on it."""
    line = points[:, 2] - points[:, 0]
    share = np.sum((points[:, 1] - points[:, 0]) * line, axis=1) / np.maximum(np.sum(line * line, axis=1), 1e-12)
    off = points[:, 1] - points[:, 0] - share[:, None] * line
    ahead = float(np.mean(off @ forward) / np.mean(np.linalg.norm(line, axis=1)))
    return float(np.sign(ahead)) if abs(ahead) > _CLEAR_BEND else 0.0


def _lean_and_face(figure: Figure, legs: LimbPair, head: int, forward: np.ndarray) -> float:
    """Return the votes of a head far ahead of the hips, and of face bones ahead of the head."""
    away = figure.heads[head] - legs.middle
    ahead = float(away @ forward)
    votes = _LEAN * np.sign(ahead) if abs(ahead) > _LEANING * abs(away[2]) else 0.0
    face: Sequence[int] = figure.below(head)[1:]
    if len(face) > 1:
        votes += _FACE * np.sign(float((figure.heads[face].mean(axis=0) - figure.heads[head]) @ forward))
    return float(votes)
