"""A bake with few keys for an animator to edit: at contact, passing, down and up, and where the error needs more."""

from collections.abc import Generator, Sequence
from typing import Any

import bpy
import numpy as np

from ....core.character.character import Character
from ....core.errors import NeuraRigError
from ....core.ground.figures import PIVOTS
from ...animation.keyframes import Channel, write_keyed
from ...keys import figures
from ...keys.fitting import Moments
from ...keys.reduction import reduce_steps

EDITABLE, DENSE = "EDITABLE", "DENSE"


def require(keys: object, tolerance: object, step: object, target: object) -> None:
    """Raise NeuraRigError for options that editable keys do not support."""
    if keys not in (EDITABLE, DENSE):
        raise NeuraRigError(f"'{keys}' is not a kind of keys; choose {EDITABLE} or {DENSE}.")
    figures.require_tolerance(tolerance)
    if keys == EDITABLE and target == "DEFORM":
        raise NeuraRigError("Editable keys go on the controls. Bake Deform Bones with Dense keys.")
    if keys == EDITABLE and step != 1:
        raise NeuraRigError("Editable keys choose their frames themselves. Set Step to 1, or Keys to Dense.")


def write_steps(
    obj: bpy.types.Object,
    character: Character,
    into: tuple[bpy.types.Action, Any],
    frames: np.ndarray,
    channels: Sequence[Channel],
    moments: Moments,
    metres: float,
) -> Generator[float, None, None]:
    """Write few keys for channels into a new action and its slot, and note their figures; yields the share done."""
    found = yield from reduce_steps(obj, character, frames, channels, lambda _: moments, metres)
    write_keyed(*into, found.keyed, moments.loop)
    figures.note(into[0], found)


def moments_of(pivot: np.ndarray, frames: np.ndarray, key_poses: list[tuple[str, int]]) -> Moments:
    """Return the moments of `frames` `(f,)` from a walk's pivots `(f, 2)` and its key poses (name, frame)."""

    def rows(*names: str) -> np.ndarray:
        found = {float(frame) for name, frame in key_poses if name.endswith(names)}
        return np.flatnonzero(np.isin(frames, sorted(found)))

    planted = np.stack([np.isin(pivot, phases) for phases in PIVOTS.values()], axis=-1)
    return Moments(rows("Contact"), rows("Passing"), rows("Down", "Up"), planted)
