"""The mirror of a pose in the flat layout of the IK rig, column by column: what mirroring an encoding must
agree with."""

import numpy as np

from neurarig_addon.core.ikrig.layout import COLUMNS
from neurarig_addon.core.skeleton.roles import mirrored


def mirror_rows(rows: np.ndarray) -> np.ndarray:
    """Return mirrored poses `(f, 86)` of the flat layout: x and heading, x of vectors, x and w of quaternions
    negated, blocks swapped."""
    return rows[:, _SWAPPED] * _SIGNS


def _column_mirrored(column: str) -> str:
    chain, _, rest = column.rpartition(".")
    chain, _, part = chain.rpartition(".")
    return ".".join(filter(None, (mirrored(chain), part, rest)))


def _sign(column: str) -> float:
    """Return -1 for x and heading, and for the w of a quaternion."""
    return -1.0 if column.rpartition(".")[2] in ("x", "heading", "w") else 1.0


_SWAPPED = np.array([COLUMNS.index(_column_mirrored(column)) for column in COLUMNS])
_SIGNS = np.array([_sign(column) for column in COLUMNS])
