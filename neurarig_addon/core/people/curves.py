"""The curves in which recorded people differ: from person to person, and from stride to stride of one person.

Both in a low-rank basis: components of all channels at once, uncorrelated, each as large as one standard
deviation. The file is short
JSON, validated completely before use.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..character.body import LEFT, RIGHT
from ..contract.channels import CHANNELS, IS_LENGTH, IS_RIGHT, OF_FEET, SLICES
from ..files import json_text
from ..files.json_text import numbers_of
from ..shipped import DATA
from ..waves import TERMS, fourier_basis

STORE = DATA / "people_curves.json"
FORMAT, VERSION, DIGITS = "neurarig-people-curves", 1, 4
HARMONICS = 5  # higher ones are the noise of recording
_USED = [0, *range(2, 2 * HARMONICS + 2)]  # harmonic 0 has no sine
KNEES = ("knee_l", "knee_r")
_MOST_LENGTH, _MOST_ANGLE = 0.3, 1.6  # of a term: leg lengths, radians


@dataclass(frozen=True)
class Component:
    """One way in which walks differ, by a standard deviation: Fourier terms over the phase of each channel's
    own foot.

    `curves` `(46, TERMS)`: of the channels, in leg lengths and radians. `knees` `(2, TERMS)`: of each knee's
    outward direction, radians.
    """

    curves: np.ndarray
    knees: np.ndarray


@dataclass(frozen=True)
class PeopleCurves:
    """The components in which `persons` differ from the mean person, and those in which `strides` differ from
    their person's mean."""

    persons: tuple[Component, ...]
    strides: tuple[Component, ...]


def to_json(people: PeopleCurves) -> str:
    """Return the text of a file."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        **{name: [_named(one) for one in getattr(people, name)] for name in _PARTS},
    }
    return json.dumps(content, separators=(",", ":")).replace(',"', ',\n"') + "\n"


def from_json(text: str | bytes) -> PeopleCurves:
    """Return what a file's text holds; raises ValueError, saying what is wrong, for anything else."""
    content = json_text.document(text, FORMAT, VERSION, "a file of people's curves")
    return PeopleCurves(*(_components(content.get(name), name) for name in _PARTS))


@lru_cache(maxsize=1)
def people_curves() -> PeopleCurves:
    """Return the bundled curves."""
    return from_json(STORE.read_bytes())


_PARTS = ("persons", "strides")


def _named(one: Component) -> dict[str, list[float]]:
    rows = zip((*CHANNELS, *KNEES), np.concatenate([one.curves, one.knees])[:, _USED], strict=True)
    return {name: json_text.rounded(row, DIGITS) for name, row in rows if np.round(row, DIGITS).any()}


def _components(given: Any, name: str) -> tuple[Component, ...]:
    if not isinstance(given, Sequence) or not given or not all(isinstance(one, Mapping) for one in given):
        raise ValueError(f"'{name}' is not a list of components")
    return tuple(_component(one) for one in given)


def _component(given: Mapping[str, Any]) -> Component:
    names = (*CHANNELS, *KNEES)
    if not set(given) <= set(names):
        raise ValueError("a component names something that is not a channel of a walk")
    curves = np.zeros((len(names), TERMS))
    for row, name in enumerate(names):
        if name in given:
            most = _MOST_LENGTH if row < len(CHANNELS) and IS_LENGTH[row] else _MOST_ANGLE
            curves[row, _USED] = numbers_of(given, name, (len(_USED),), (-most, most))
    return Component(curves[: len(CHANNELS)], curves[len(CHANNELS) :])


def equally_far(draw: np.random.Generator, count: int) -> np.ndarray:
    """Return standard deviations along components `(count,)`: in any direction, and never a caricature or the
    mean itself.

    Recorded people's walks are from 2.1 to 3.5 degrees from their mean, the middle half from 2.4 to 3.2.
    """
    way = draw.standard_normal(count)
    return np.sqrt(count) * way / np.linalg.norm(way)


# The channels that follow the phase of the left foot, then of the right one.
_FEET = {side: SLICES[foot] for side, foot in ((LEFT, "foot_l"), (RIGHT, "foot_r"))}
_BODY = {LEFT: ~IS_RIGHT & ~OF_FEET, RIGHT: IS_RIGHT & ~OF_FEET}


def of_body(phase: np.ndarray, sizes: np.ndarray, leg_length: float) -> np.ndarray:
    """Return additions `(f, 46)` to all channels but those of the feet, at foot phases `(f, 2)`; `sizes` `(f,
    2, k)` of the components."""
    added = np.zeros((len(phase), len(CHANNELS)))
    for side, columns in _BODY.items():
        added[:, columns] = _added(phase[:, side], sizes[:, side], columns)
    return added * np.where(IS_LENGTH, leg_length, 1.0)


def of_feet(phase: np.ndarray, sizes: np.ndarray, leg_length: float) -> np.ndarray:
    """Return additions to the channels of both feet `(..., 2, 6)` at their phases `(..., 2)`; `sizes` `(...,
    2, k)` of the components."""
    both = [_added(phase[..., side], sizes[..., side, :], columns) for side, columns in _FEET.items()]
    return np.stack(both, axis=-2) * np.where(IS_LENGTH[_FEET[LEFT]], leg_length, 1.0)


def _added(phase: np.ndarray, sizes: np.ndarray, columns: np.ndarray | slice) -> np.ndarray:
    return np.einsum(
        "...t,...tn->...n", fourier_basis(phase), np.tensordot(sizes, components()[..., columns], 1)
    )


@lru_cache(maxsize=1)
def components() -> np.ndarray:
    """Return the components `(k, TERMS, 46)`."""
    return np.array([one.curves.T for one in people_curves().strides])
