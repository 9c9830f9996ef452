"""The direction of a limb's middle joint."""

from collections.abc import Mapping

import numpy as np

from ..character.character import Character
from ..character.motion import Motion
from ..geometry.limb import across
from ..geometry.rotation import TINY
from ..neural.geometry.vectors import dotted, lengths

BENT = 0.07  # share of the limb's length off the line between the ends above which the joint's place alone decides
STRAIGHTEST = 0.9988  # share of the limb's length; past 0.999 the report calls a leg stretched


def pole_direction(start: np.ndarray, middle: np.ndarray, end: np.ndarray, straight: np.ndarray, length: np.ndarray | float) -> np.ndarray:
    """Return a middle joint's direction `(f, 3)`: that of the bend, and for a straight limb `straight` `(f, 3)`."""
    line = end - start
    line /= np.maximum(lengths(line), TINY)
    aside = middle - start
    aside -= dotted(aside, line) * line
    off = np.maximum(lengths(aside), TINY)
    share = np.minimum(off / (BENT * np.asarray(length)[..., None]), 1.0)
    return share * (aside / off) + (1.0 - share) * across(straight, line)


def ahead(character: Character, motions: Mapping[str, Motion], role: str) -> np.ndarray:
    """Return the direction `(f, 3)` of the side of a bone that faces forward in the reference pose: knees do, elbows face back."""
    return (motions[role].rotation @ character.reference[role].T)[..., 0]
