"""A row of bones between two ends of given orientation: spine and neck, of any number of bones."""

import numpy as np

from ..geometry.limb import two_bones
from ..geometry.rotation import between, dot, from_axis_angle, normalized, rotation_vector, transposed


def shares(lengths: np.ndarray) -> np.ndarray:
    """Return the share `(n,)` of the turn between the ends that each of `n` bones has reached: joints turn in proportion to bone length.

    The last is 1.  If all lengths are zero the shares are even.
    """
    total = np.sum(lengths)
    return np.cumsum(lengths) / total if total > 0.0 else np.arange(1, len(lengths) + 1) / len(lengths)


def shared(start: np.ndarray, end: np.ndarray, share: np.ndarray) -> list[np.ndarray]:
    """Return the rotations `(f, 3, 3)` at each `share` `(n,)` between `start` and `end` `(f, 3, 3)`, on the shortest arc."""
    turn = rotation_vector(transposed(start) @ end)
    angle, axis = np.sqrt(dot(turn, turn)), normalized(turn)
    return [start @ from_axis_angle(axis, part * angle) for part in share]


def bend(bones: np.ndarray, start: np.ndarray, end: np.ndarray, share: np.ndarray, reach: np.ndarray, pole: np.ndarray) -> list[np.ndarray]:
    """Return the rotations `(f, 3, 3)` of `n` bones that are `bones` `(n, 3)` from joint to joint when unrotated.

    First the turn from `start` to `end` `(f, 3, 3)` is distributed: bone i takes `share[i]` of it.  Then the lower and the upper half of
    the row, each kept in its bent shape, are solved as two bones that end `reach` `(f, 3)` from the row's start, with their joint to the
    side `pole` `(f, 3)`; out of reach the row is straightened towards it.  A single bone points there.
    """
    turns = shared(start, end, share)
    lines = [turn @ bone for turn, bone in zip(turns, bones, strict=True)]
    split = _middle(np.linalg.norm(bones, axis=-1))
    lower, upper = _sum(lines[:split], reach), _sum(lines[split:], reach)
    if split == 0:
        swings = [between(upper, reach)] * len(bones)
    else:
        joint, tip = two_bones(np.zeros_like(reach), reach, pole, _length(lower), _length(upper), lower + upper)
        swings = [between(lower, joint)] * split + [between(upper, tip - joint)] * (len(bones) - split)
    return [swing @ turn for swing, turn in zip(swings, turns, strict=True)]


def _middle(lengths: np.ndarray) -> int:
    """Return the joint nearest to the middle of a row, 0 if fewer than two of its bones have a length."""
    if np.count_nonzero(lengths > 0.0) < 2:
        return 0
    reached, total = np.cumsum(lengths)[:-1], np.sum(lengths)
    between_ends = (reached > 0.0) & (reached < total)
    return 1 + int(np.argmin(np.where(between_ends, np.abs(reached - total / 2.0), np.inf)))


def _sum(lines: list[np.ndarray], like: np.ndarray) -> np.ndarray:
    return sum(lines, np.zeros_like(like))


def _length(line: np.ndarray) -> np.ndarray:
    return np.sqrt(dot(line, line))
