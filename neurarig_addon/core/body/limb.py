"""A limb of two bones brought to a point: to which side it bends, and how its bones turn for it."""

from dataclasses import replace

import numpy as np

from ..character.motion import Motion
from ..geometry.limb import across, two_bones
from ..geometry.rotation import TINY, between, norms
from ..geometry.vectors import dotted, lengths

# share of the limb's length off the line between the ends above which the joint's place alone decides
_BENT = 0.07


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
