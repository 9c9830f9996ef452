"""The public flat layout: 86 floats per pose, in Maya's frame.

Maya's frame: y up, z forward, x to the character's left; quaternions x, y, z, w. The global x and z of the
hips and the heading about y
(0 to 2 pi), then the spine: root 3, effector 3, up 3, rotation 4; then neck, left leg, right leg, left arm,
right arm, each: root rotation
4, effector 3, up 3, effector rotation 4.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import NeuraRigError
from .encoding import CHAINS, SPINE, Chain, Contacts, Encoding, Measures

VERSION = 1
_VECTOR, _QUATERNION = ("x", "y", "z"), ("x", "y", "z", "w")
_GLOBAL = ("global.x", "global.z", "global.heading")
_LARGEST = 1e6  # the largest number accepted for lengths in body sizes, rotations and distances
# The index of each axis of Maya's frame (left, up, forward) in ours, and back; for quaternions with w last
# and w first.
_TO_MAYA, _FROM_MAYA = np.array([1, 2, 0]), np.array([2, 0, 1])
_TURN_TO_MAYA, _TURN_FROM_MAYA = np.array([2, 3, 1, 0]), np.array([3, 2, 0, 1])


def parts_of(chain: str) -> tuple[tuple[str, int], ...]:
    """Return the parts of one chain in order, and the number of floats of each."""
    return ("root", 3 if chain == SPINE else 4), ("effector", 3), ("up", 3), ("orientation", 4)


def columns(chains: Sequence[str] = CHAINS) -> tuple[str, ...]:
    """Return the names of one pose's floats; 86 for all six chains."""
    found = list(_GLOBAL)
    for chain in chains:
        for part, size in parts_of(chain):
            found += [f"{chain}.{part}.{axis}" for axis in (_QUATERNION if size == 4 else _VECTOR)]
    return tuple(found)


COLUMNS = columns()


def to_rows(encoding: Encoding, chains: Sequence[str] = CHAINS) -> np.ndarray:
    """Return an encoding's poses `(f, 86)`; raises NeuraRigError, naming the chain, if the body lacks one of
    the six."""
    missing = [chain for chain in chains if chain not in encoding.chains]
    if missing:
        raise NeuraRigError(
            f"'{encoding.name}' has no chain '{missing[0]}', and the 86 floats need all six; save it as .npz"
            " instead."
        )
    blocks = [encoding.ground[:, ::-1], (encoding.heading % (2.0 * np.pi))[:, None]]
    for name in chains:
        blocks += [to_maya(getattr(encoding.chains[name], part)) for part, _ in parts_of(name)]
    return np.concatenate(blocks, axis=-1)


def from_rows(
    rows: np.ndarray,
    fps: float,
    frames: np.ndarray | None = None,
    name: str = "poses",
    chains: Sequence[str] = CHAINS,
    measures: Measures | None = None,
    extras: Mapping[str, np.ndarray] | None = None,
    contacts: Contacts | None = None,
    normalised: bool = True,
) -> Encoding:
    """Return poses `(f, 86)`, consecutive frames of a motion, as an encoding; the other arguments are those
    of `Encoding`.

    Without `frames` they are numbered from 1. Raises NeuraRigError, naming row and column, for NaN, infinite
    or absurd numbers.
    """
    names = columns(chains)
    if rows.ndim != 2 or rows.shape[1] != len(names):
        raise NeuraRigError(
            f"'{name}' has {rows.shape[-1] if rows.ndim else 0} columns, not {len(names)}; export the motion"
            " again."
        )
    sound = np.abs(rows) <= _LARGEST  # False for NaN
    if not sound.all():
        row, column = np.argwhere(~sound)[0]
        raise NeuraRigError(
            f"'{name}' has {rows[row, column]:g} for '{names[column]}' in pose {row + 1}; export the motion"
            " again."
        )
    found, at = {}, len(_GLOBAL)
    for chain in chains:
        arrays = {}
        for part, size in parts_of(chain):
            arrays[part] = from_maya(rows[:, at : at + size])
            at += size
        found[chain] = Chain(**arrays)
    return Encoding(
        name=name,
        fps=fps,
        frames=np.arange(1.0, len(rows) + 1.0) if frames is None else frames,
        ground=rows[:, 1::-1],
        heading=np.unwrap(rows[:, 2]),
        chains=found,
        measures=measures,
        extras=extras or {},
        contacts=contacts or Contacts(),
        normalised=normalised,
    )


def to_maya(values: np.ndarray) -> np.ndarray:
    """Return our vectors `(..., 3)` or quaternions `(..., 4)` in Maya's frame and order."""
    return values[..., _TO_MAYA if values.shape[-1] == 3 else _TURN_TO_MAYA]


def from_maya(values: np.ndarray) -> np.ndarray:
    """Return Maya's vectors `(..., 3)` or quaternions `(..., 4)` in our frame and order."""
    return values[..., _FROM_MAYA if values.shape[-1] == 3 else _TURN_FROM_MAYA]
