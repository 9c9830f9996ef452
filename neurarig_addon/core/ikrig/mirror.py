"""The mirrored motion: left and right swapped."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ..skeleton.roles import mirrored
from .encoding import Chain, Contacts, Encoding, Measures

# Mirroring across the plane of forward and up negates a vector's left, and a quaternion's w and left (equal to negating the other two).
_VECTOR = np.array([1.0, -1.0, 1.0])
_QUATERNION = np.array([-1.0, 1.0, -1.0, 1.0])
_T = TypeVar("_T")


def mirror(encoding: Encoding) -> Encoding:
    """Return the mirrored motion; mirroring twice restores it."""
    return replace(
        encoding,
        ground=encoding.ground * _VECTOR[:2],
        heading=-encoding.heading,
        chains={name: _chain(chain) for name, chain in _swapped(encoding.chains).items()},
        measures=_measures(encoding.measures) if encoding.measures else None,
        extras={role: turns * _QUATERNION for role, turns in _swapped(encoding.extras).items()},
        contacts=Contacts(_swapped(encoding.contacts.intervals)),
    )


def _chain(chain: Chain) -> Chain:
    root = chain.root * (_VECTOR if chain.root.shape[-1] == 3 else _QUATERNION)
    return Chain(root, chain.effector * _VECTOR, chain.up * _VECTOR, chain.orientation * _QUATERNION)


def _measures(measures: Measures) -> Measures:
    return replace(
        measures,
        hip_offset=measures.hip_offset * _VECTOR,
        lengths=_swapped(measures.lengths),
        rest={name: points * _VECTOR for name, points in measures.rest.items()},
        rolls={name: -roll for name, roll in _swapped(measures.rolls).items()},
    )


def _swapped(parts: Mapping[str, _T]) -> dict[str, _T]:
    """Return the parts with the names `*.L` and `*.R` exchanged."""
    return {mirrored(name): part for name, part in parts.items()}
