"""Labelled motions of one character in an .npz file of plain arrays, so that any program can learn from
them."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from ..body.feet import BALL, FLAT, HEEL, TOE
from ..errors import NeuraRigError
from ..files.npz_file import UnfitError, read_arrays, write_arrays

FORMAT, VERSION = "neurarig-labels", 1
CONTACT_POINTS = ("heel", "ball", "toe")
_STANDS_ON = {
    HEEL: (True, False, False),
    FLAT: (True, True, True),
    BALL: (False, True, True),
    TOE: (False, False, True),
}
_PER_FRAME = ("motion", "frames", "heads", "tails", "rotations", "contacts", "phase", "speed")


@dataclass(frozen=True)
class Labels:
    """Motions of one character, frame by frame, in the world: metres, z up.

    `character`: its name. `roles`, `bones` `(n,)`: what each bone is and is called. `parents` `(n,)`: the row
    that carries it, -1 for
    the pelvis.  `rest` `(n, 3)`: heads at rest.  `fps`: frames per second.
    `settings` `(m,)`: of each motion, JSON; `style` `(m,)`: its styles or the kind of the pose, as text.
    `motion` `(f,)`: the motion that a frame belongs to. `frames` `(f,)`: scene frames. `heads`, `tails` `(f,
    n, 3)`: both ends of bones.
    `rotations` `(f, n, 4)`: of the bones' axes, y along the bone; w, x, y, z.
    `contacts` `(f, 2, 3)`: whether heel, ball and toe of the left and right foot are planted.
    `phase` `(f, 2)`: cycles since the first left and right heel strike; NaN for what is no walk. `speed`
    `(f,)`: m/s over the ground.
    """

    character: str
    roles: np.ndarray
    bones: np.ndarray
    parents: np.ndarray
    rest: np.ndarray
    fps: float
    settings: np.ndarray
    style: np.ndarray
    motion: np.ndarray
    frames: np.ndarray
    heads: np.ndarray
    tails: np.ndarray
    rotations: np.ndarray
    contacts: np.ndarray
    phase: np.ndarray
    speed: np.ndarray


def planted(pivots: np.ndarray) -> np.ndarray:
    """Return which of heel, ball and toe are planted `(..., 3)` for what a foot stands on (`body.feet`)
    `(...,)`."""
    found = np.zeros((*np.shape(pivots), len(CONTACT_POINTS)), dtype=bool)
    for pivot, points in _STANDS_ON.items():
        found[pivots == pivot] = points
    return found


def joined(parts: Sequence[Labels]) -> Labels:
    """Return the motions of one character, one part after the other, as one; there must be at least one
    part."""
    firsts = np.cumsum([0, *(len(part.settings) for part in parts)])
    numbered = [replace(part, motion=part.motion + first) for part, first in zip(parts, firsts, strict=False)]
    together = {
        name: np.concatenate([getattr(part, name) for part in numbered])
        for name in (*_PER_FRAME, "settings", "style")
    }
    return replace(parts[0], **together)


def save(path: Path, labels: Labels) -> None:
    """Write labels; raises NeuraRigError if the file cannot be written."""
    arrays = {field.name: np.asarray(getattr(labels, field.name)) for field in fields(Labels)}
    small = {
        name: array.astype(np.float32) if array.dtype == float and array.ndim > 1 else array
        for name, array in arrays.items()
    }
    write_arrays(path, {"format": np.asarray(FORMAT), "version": np.asarray(VERSION), **small})


def load(path: Path) -> Labels:
    """Read labels; raises NeuraRigError, naming the file, if it holds none."""
    try:
        arrays = read_arrays(path)
        if str(arrays.pop("format")) != FORMAT or int(arrays.pop("version")) != VERSION:
            raise UnfitError("it holds no labels of this version")
        return Labels(**{**arrays, "character": str(arrays["character"]), "fps": float(arrays["fps"])})
    except (UnfitError, OSError, LookupError, TypeError, ValueError) as problem:
        why = problem if isinstance(problem, UnfitError) else "it holds no labels"
        raise NeuraRigError(f"'{path.name}' cannot be read: {why}; write it again.") from problem
