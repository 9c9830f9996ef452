"""Where the middle joint of a limb points."""

from collections.abc import Mapping

import numpy as np

from ..character.character import Character
from ..character.motion import Motion
from ..geometry.limb import across
from ..geometry.rotation import TINY
from ..neural.geometry.vectors import dotted, lengths

BENT = 0.07  # of the limb's length: a middle joint that is farther off the line between the ends tells alone where it points
STRAIGHTEST = 0.9988  # of the limb's length; past 0.999 the report calls a leg stretched


def pole_direction(start: np.ndarray, middle: np.ndarray, end: np.ndarray, straight: np.ndarray, length: np.ndarray | float) -> np.ndarray:
    """Return where a middle joint points `(f, 3)`: as the limb is bent, and where it is straight towards `straight` `(f, 3)`."""
    line = end - start
    line /= np.maximum(lengths(line), TINY)
    aside = middle - start
    aside -= dotted(aside, line) * line
    off = np.maximum(lengths(aside), TINY)
    share = np.minimum(off / (BENT * np.asarray(length)[..., None]), 1.0)
    return share * (aside / off) + (1.0 - share) * across(straight, line)


def ahead(character: Character, motions: Mapping[str, Motion], role: str) -> np.ndarray:
    """Return where the side of a bone points `(f, 3)` that faces forward in the reference pose: knees do, elbows face back."""
    return (motions[role].rotation @ character.reference[role].T)[..., 0]
