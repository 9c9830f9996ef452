"""An actor's points on a body of another size: directions stay, lengths become the other body's.

Each point is placed in the same direction from the nearest recorded point above it, at the other body's
distance. The pelvis'
motion over the ground, and up and down, is scaled by the ratio of leg lengths, so that steps stay steps.
"""

from itertools import pairwise

import numpy as np

from ..geometry.rotation import ON_GROUND, norms
from ..neural.points import INDEX, PARENTS, POINTS
from ..skeleton.roles import SIDES
from .markers import are_seen

LEG = ("hip", "knee", "ankle")
NEAR = 0.02  # relative difference in size below which a body is left alone
_NO_LENGTH = 1e-6  # metres
_STRAIGHTEST = 90.0  # percentile of a figure's height over time taken as upright standing
_NECK, _SHOULDERS = INDEX["neck"], [INDEX["shoulder.L"], INDEX["shoulder.R"]]
_MIDDLES = ((INDEX["pelvis"], [INDEX["hip.L"], INDEX["hip.R"]]), (_NECK, _SHOULDERS))
_TOPS, _BOTTOMS = (
    ("head_top", "head", "neck", "spine3", "pelvis"),
    ("ankle.L", "ankle.R", "ball.L", "ball.R", "knee.L", "knee.R"),
)


def resized(points: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Return an actor's points with another body's distances; the path starts where the actor's does.

    `points` `(f, 27, 3)`: metres, z up, NaN where unseen. `rest` `(27, 3)`: the other body's points in the
    reference pose.
    """
    seen = are_seen(points)
    lent = [
        (point, sides)
        for point, sides in _MIDDLES
        if not seen[:, point].any() and seen[:, sides].any(axis=0).all()
    ]
    if not lent:
        return _resized(points, rest, seen)
    # Trackers see no pelvis and no neck: their children are attached to the middle of hips and shoulders,
    # here and on the other body.
    points, rest = points.copy(), rest.copy()
    for point, sides in lent:
        points[:, point], rest[point] = points[:, sides].mean(axis=1), rest[sides].mean(axis=0)
    found = _resized(points, rest, are_seen(points))
    found[:, [point for point, _ in lent]] = np.nan
    return found


def _resized(points: np.ndarray, rest: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Return points, finite where `seen` `(f, 27)`, with another body's distances."""
    if not seen[:, 0].any():
        return _scaled(points, _overall(points, rest, seen))
    factors = _factors(points, rest, seen)
    if all(abs(factor - 1.0) < NEAR for _, factor in factors.values()):
        return points
    leg = _leg_factor(points, rest, seen)
    bridged = _bridged(points, seen)
    found = bridged.copy()
    begins = bridged[0, 0] * ON_GROUND
    ground = _ground(points)
    found[:, 0] = begins + leg * (bridged[:, 0] - begins - [0.0, 0.0, ground]) + [0.0, 0.0, ground]
    for point, (above, factor) in factors.items():
        found[:, point] = found[:, above] + factor * (bridged[:, point] - bridged[:, above])
    return np.where(seen[..., None], found, np.nan)


def size_factor(points: np.ndarray, rest: np.ndarray) -> float:
    """Return another body's size divided by the actor's; arguments as for `resized`."""
    return _overall(points, rest, are_seen(points))


def _bridged(points: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Return points with gaps in time filled linearly: children of an unseen point need a place for it."""
    found, rows = points.copy(), np.arange(len(points))
    for point in np.flatnonzero(seen.any(axis=0) & ~seen.all(axis=0)):
        known = np.flatnonzero(seen[:, point])
        for axis in range(3):
            found[:, point, axis] = np.interp(rows, known, points[known, point, axis])
    return found


def _factors(points: np.ndarray, rest: np.ndarray, seen: np.ndarray) -> dict[int, tuple[int, float]]:
    """Return for each recorded point below the pelvis the recorded one above it, and the other body's
    distance over the actor's.

    A distance across a joint that was not recorded says little about lengths: there the whole body's factor
    is used. Shoulders
    without recorded collarbones are attached to the neck, as little bends between them.
    """
    ever = np.logical_or.reduce(seen, axis=0)
    overall = _overall(points, rest, seen)
    found = {}
    for point in range(1, len(POINTS)):
        if ever[point]:
            holder = (
                _NECK
                if point in _SHOULDERS and ever[_NECK] and not ever[PARENTS[point]]
                else int(PARENTS[point])
            )
            above = holder
            while not ever[above]:
                above = int(PARENTS[above])
            length = _length(points, seen, above, point) if above == holder else 0.0
            wanted = float(norms(rest[point] - rest[above]))
            found[point] = above, wanted / length if length > _NO_LENGTH else overall
    return found


def _leg_factor(points: np.ndarray, rest: np.ndarray, seen: np.ndarray) -> float:
    """Return the other body's leg length over the actor's, from the recorded leg bones, or else the whole
    body's factor."""
    lengths = [(_length(points, seen, *bone), norms(rest[bone[0]] - rest[bone[1]])) for bone in _LEG_BONES]
    known = [(actor, other) for actor, other in lengths if actor > _NO_LENGTH]
    if not known:
        return _overall(points, rest, seen)
    return float(sum(other for _, other in known) / sum(actor for actor, _ in known))


_LEG_BONES = [
    (INDEX[f"{upper}.{side}"], INDEX[f"{lower}.{side}"]) for side in SIDES for upper, lower in pairwise(LEG)
]


def _length(points: np.ndarray, seen: np.ndarray, start: int, end: int) -> float:
    both = seen[:, start] & seen[:, end]
    return float(np.median(norms(points[both, end] - points[both, start]))) if both.any() else 0.0


def _overall(points: np.ndarray, rest: np.ndarray, seen: np.ndarray) -> float:
    """Return the other body's size over the actor's: from every bone with both ends recorded, else from its
    height, else 1."""
    bones = [(int(PARENTS[point]), point) for point in range(1, len(POINTS))]
    lengths = [(_length(points, seen, *bone), norms(rest[bone[0]] - rest[bone[1]])) for bone in bones]
    ratios = [other / actor for actor, other in lengths if actor > _NO_LENGTH]
    return float(np.median(ratios)) if ratios else _by_height(points, rest, seen)


def _by_height(points: np.ndarray, rest: np.ndarray, seen: np.ndarray) -> float:
    for top in (INDEX[name] for name in _TOPS):
        for bottom in (INDEX[name] for name in _BOTTOMS):
            both = seen[:, top] & seen[:, bottom]
            height = (
                float(np.percentile(points[both, top, 2] - points[both, bottom, 2], _STRAIGHTEST))
                if both.any()
                else 0.0
            )
            if height > _NO_LENGTH:
                return float(rest[top, 2] - rest[bottom, 2]) / height
    return 1.0


def _scaled(points: np.ndarray, factor: float) -> np.ndarray:
    """Return points scaled by a factor about the actor's first place on the ground."""
    if abs(factor - 1.0) < NEAR:
        return points
    begins = np.append(
        np.nanmean(points[np.isfinite(points).any(axis=(1, 2))][0, :, :2], axis=0), _ground(points)
    )
    return begins + factor * (points - begins)


def _ground(points: np.ndarray) -> float:
    """Return the height of the ground: 0 if the recording stands near it, else under its lowest points."""
    lowest = float(
        np.percentile(np.nanmin(points[np.isfinite(points[..., 2]).any(axis=1), :, 2], axis=1), 5.0)
    )
    return lowest if abs(lowest) > 0.3 else 0.0
