"""A limb of two bones brought to a point: to which side it bends, and how its bones turn for it."""

from dataclasses import replace

import numpy as np

from ..character.motion import Motion
from ..geometry.limb import across, two_bones
from ..geometry.rotation import TINY, between, norms, rotated
from ..geometry.vectors import dotted, lengths

# share of the limb's length off the line between the ends above which the joint's place alone decides
_BENT = 0.07
# the same where a limb that is at its goal already must not change at all
STRAIGHT = 1e-3


def pole_direction(
    start: np.ndarray,
    middle: np.ndarray,
    end: np.ndarray,
    straight: np.ndarray,
    length: np.ndarray | float,
    bent: float = _BENT,
) -> np.ndarray:
    """Return a middle joint's direction `(f, 3)`: that of the bend, and for a limb bent by less than a share
    of its length `straight`."""
    line = end - start
    line /= np.maximum(lengths(line), TINY)
    aside = middle - start
    aside -= dotted(aside, line) * line
    off = np.maximum(lengths(aside), TINY)
    share = np.minimum(off / (bent * np.asarray(length)[..., None]), 1.0)
    return share * (aside / off) + (1.0 - share) * across(straight, line)


def reached(
    upper: Motion, lower: Motion, end: Motion, goal: np.ndarray, pole: np.ndarray
) -> tuple[Motion, Motion, Motion]:
    """Return a limb's bones with its end at a `goal` `(f, 3)`, or as near as they reach: each turns the
    shortest way, the end just moves.

    `pole`: direction `(f, 3)`, of any length, to which the middle joint bends.
    """
    lines = lower.position - upper.position, end.position - lower.position
    middle, tip = two_bones(
        upper.position, goal, pole, norms(lines[0]), norms(lines[1]), end.position - upper.position
    )
    turns = between(lines[0], middle - upper.position), between(lines[1], tip - middle)
    return (
        replace(upper, rotation=turns[0] @ upper.rotation),
        replace(lower, rotation=turns[1] @ lower.rotation, position=middle),
        replace(end, position=tip),
    )


def brought(
    limb: tuple[Motion, Motion, Motion],
    goal: np.ndarray,
    front: np.ndarray,
    most: float = 1.0,
) -> tuple[Motion, Motion, Motion]:
    """Return a limb swung and bent, by as little as it takes, so that its end is at a `goal` `(f, 3)`: not at
    all where it is there. The end just moves.

    `front` `(f, 3)`: to which side it bends where it is straight, see `pole_direction`. `most`: share of its
    length to which it stretches.
    """
    upper, lower, end = limb
    start = upper.position
    length = norms(lower.position - start) + norms(end.position - lower.position)
    way = goal - start
    way = way * np.minimum(1.0, most * length / np.maximum(norms(way), TINY))[:, None]
    swing = between(end.position - start, way)
    upper, lower, tip = (one.turned(swing, start) for one in limb)
    pole = pole_direction(start, lower.position, tip.position, rotated(swing, front), length, STRAIGHT)
    upper, lower, tip = reached(upper, lower, tip, start + way, pole)
    return upper, lower, replace(end, position=tip.position)
