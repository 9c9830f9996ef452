"""Evidence from the shape, arms: two mirrored chains beside the trunk."""

import numpy as np

from ..geometry.rotation import norms
from .evidence import Evidence
from .figure import Figure
from .limbs import find_limbs, lengths
from .pairs import Candidates, LimbPair, Pairs, mirrored_pairs

PARTS = ("upper_arm", "forearm", "hand")
_SHORTEST, _LONGEST = 0.1, 4.0  # leg lengths: the length of an arm
_LOWEST = -0.3  # leg lengths: lowest shoulders relative to the hips; a theropod's chest hangs low
_NEAREST_HIP = 0.08  # leg lengths: chains that start nearer to the hip are skirts
# greatest sine between the mirror planes of arms and legs, and greatest offset between them in leg lengths
_MAX_TILT = 0.3
_OFF_FLOOR = 0.25  # leg lengths: height above the floor of the lowest joint from the hand down
_SHOULDERS = 0.3  # leg lengths above the hips: lower shoulders count as low
_LEAST_ABOVE = 0.05  # least share of the figure's height above the shoulders
_MIDLINE = 0.05  # leg lengths: how far off the middle plane the top of the trunk may lie


def arm_candidates(figure: Figure, legs: LimbPair, used: set[int]) -> Candidates | None:
    """Return the mirrored pairs beside the trunk with the evidence on them; bones in `used` belong to the
    legs."""
    allowed = np.ones(len(figure.heads), dtype=bool)
    allowed[list(used)] = False
    limbs = find_limbs(
        figure,
        PARTS,
        allowed,
        lambda points: _as_long_as_arms(legs, points),
        first=_beside_trunk(legs, figure.heads),
    )
    last = np.where(limbs.rows[:, 2] >= 0, limbs.rows[:, 2], limbs.rows[:, 1])
    clear = figure.over_below(figure.heads[:, 2], np.minimum)[last] - figure.floor
    limbs = limbs.also(
        {
            "forks before the hand": _forks_inside(figure, limbs.rows),
            "fingers": 1.0 * _has_fingers(figure, limbs.rows),
            "hangs to the floor": np.clip(1.0 - clear / (_OFF_FLOOR * legs.length), 0.0, 1.0),
        }
    )
    top = max(float(figure.heads[:, 2].max()) - figure.floor, 1e-9)
    highest = _highest_midline(figure, legs)

    def look(pairs: Pairs) -> tuple[Evidence, np.ndarray]:
        tilt = norms(np.cross(pairs.across, legs.across))
        off = np.abs((pairs.middle[:, 0] - legs.middle) @ legs.across) / legs.length
        hands, shoulders = pairs.middle[:, 2, 2], pairs.greatest(pairs.middle[:, 0, 2])
        hub = np.where((pairs.hub >= 0)[:, None], figure.heads[pairs.hub], pairs.middle[:, 0])
        between = np.where(
            pairs.hub >= 0, figure.is_above[pairs.hub, highest] | (pairs.hub == highest), False
        )
        seen = {
            "raised": np.maximum(hands - pairs.middle[:, 0, 2], 0.0) / pairs.length,
            "low": np.clip(1.0 - (shoulders - legs.middle[2]) / (_SHOULDERS * legs.length), 0.0, 1.0),
            "body above": np.log(np.maximum(1.0 - (shoulders - figure.floor) / top, _LEAST_ABOVE)),
            "short for its hub": np.log(pairs.length / pairs.greatest(pairs.length)),
            "longer than legs": np.maximum(np.log(pairs.length / legs.length), 0.0),
            "shorter than legs": np.maximum(np.log(legs.length / pairs.length), 0.0),
            "shoulders apart": np.minimum(pairs.apart / legs.length, 1.5),
            "narrow shoulders": np.maximum(0.2 - pairs.apart / legs.length, 0.0),
            "hub far": np.minimum(norms(hub - pairs.middle[:, 0]) / legs.length, 2.0),
            "hub below the head": 1.0 * between,
            "hub at the top": 1.0 * (pairs.hub == highest),
            "hub with the legs": 1.0 * (figure.is_above[pairs.hub, legs.rows[0, 0]] & (pairs.hub >= 0)),
            "off the middle": off,
        }
        return seen, (tilt < _MAX_TILT) & (off < _MAX_TILT)

    return mirrored_pairs(figure, limbs, "arms", look)


def _beside_trunk(legs: LimbPair, points: np.ndarray) -> np.ndarray:
    """Return whether points `(n, 3)` are high enough and away from the hips to be where arms begin,
    `(n,)`."""
    apart = norms(points[:, None] - legs.points[None, :, 0]).min(axis=1)
    return ((points - legs.middle)[:, 2] > _LOWEST * legs.length) & (apart > _NEAREST_HIP * legs.length)


def _as_long_as_arms(legs: LimbPair, points: np.ndarray) -> np.ndarray:
    """Return whether limbs with these joints `(n, 3, 3)` are as long as arms may be, `(n,)`."""
    length = lengths(points)
    return (length > _SHORTEST * legs.length) & (length < _LONGEST * legs.length)


def find_arms(figure: Figure, legs: LimbPair, used: set[int]) -> LimbPair | None:
    """Return the pair of arms, in the order of the legs, or None; bones in `used` belong to the legs."""
    found = arm_candidates(figure, legs, used)
    if found is None or found.merit.max() < 0.0:
        return None
    best = found.best()
    return best if best.across @ legs.across > 0.0 else best.swapped()


def _highest_midline(figure: Figure, legs: LimbPair) -> int:
    """Return the highest bone near the middle plane, 0 if there is none."""
    off = np.abs((figure.heads - legs.middle) @ legs.across)
    near = np.flatnonzero(off < _MIDLINE * legs.length)
    return int(near[np.argmax(figure.heads[near, 2])]) if len(near) else 0


def _forks(figure: Figure) -> np.ndarray:
    """Return whether bones `(bones,)` carry two chains or more, as a palm does; twist bones and end markers
    are not chains."""
    return figure.count_children(figure.below_count > 0) >= 2


def _has_fingers(figure: Figure, rows: np.ndarray) -> np.ndarray:
    """Return whether the end bone of each chain `(n,)` forks."""
    return (rows[:, 2] >= 0) & _forks(figure)[rows[:, 2]]


def _forks_inside(figure: Figure, rows: np.ndarray) -> np.ndarray:
    """Return the number of forking bones in each chain `(n,)`, without its first and last."""
    fork = _forks(figure).astype(int)
    passed = np.zeros(len(fork), dtype=int)
    for row, parent in enumerate(figure.skeleton.parents):
        passed[row] = fork[row] + (passed[parent] if parent >= 0 else 0)

    top, middle, end = rows.T
    last = np.where(end >= 0, end, middle)
    before_last = figure.skeleton.parents[last]
    return np.where((before_last >= 0) & (last != top), np.maximum(passed[before_last] - passed[top], 0), 0)
