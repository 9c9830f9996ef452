"""A learned style: the additions of a manner to the natural gait at its speed, and their file.

The file is short JSON with named numbers, validated completely before use.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..contract.channels import CHANNELS, IS_LENGTH, PLACES
from ..errors import NeuraRigError
from ..files import json_text
from ..files.given_file import content_of
from ..files.json_text import lines, named_texts, numbers_by_channel, numbers_of
from ..files.whole_file import write_text
from ..shipped import DATA
from ..waves import HARMONICS, TERMS

PARTS = ("legs", "trunk", "arms", "head")
_PART_OF_BLOCK = {"foot": "legs", "ball": "legs", "chest": "trunk", "head": "head", "arm": "arms"}


def _part_of(channel: str) -> str:
    block, axis = channel.split(".")
    if block == "pelvis":
        return "legs" if axis in PLACES else "trunk"
    return _PART_OF_BLOCK[block.partition("_")[0]]


# (46,): the part whose strength a channel follows
PART_OF = np.array([PARTS.index(_part_of(channel)) for channel in CHANNELS])
LEGS = PARTS.index("legs")
AHEAD, OUTWARD, TOE_OUT = range(3)  # values of a print


@dataclass(frozen=True)
class LearnedStyle:
    """A recorded walk minus the natural walk at its speed.

    `vhat`: the dimensionless speed at which it was learned.
    `gains` `(46,)`: added share of each channel's natural curve; 0 keeps it, -1 removes it.
    `curves` `(46, TERMS)`: the remainder, as Fourier terms (see `canonical.fourier_basis`) over the phase of
    the channel's own foot, the
    left one for midline channels; leg lengths and radians.
    `knees` `(2, TERMS)`: the same for each knee's outward direction, relative to half way between pelvis and
    foot.
    `stride`: added share of the natural stride. `duty` `(2,)`: added to the natural duty factor of each side.
    `lead`: leg lengths added to the hips' lead over the prints. `beat`: cycles by which the right foot
    strikes early.
    `prints` `(2, 3)`: leg lengths ahead and outward, radians of toe-out, added to each side's print.
    `bends` `(2, TERMS)`: how far each knee bends in the recording, in radians, over the phase of its foot;
    None if not known (see
    `fitted`).  `thighs` `(2, TERMS)`: likewise, how far each thigh is ahead of hanging straight down.
    """

    name: str
    vhat: float
    gains: np.ndarray
    curves: np.ndarray
    knees: np.ndarray
    stride: float
    duty: np.ndarray
    lead: float
    beat: float
    prints: np.ndarray
    description: str = ""
    credit: str = ""
    bends: np.ndarray | None = None
    thighs: np.ndarray | None = None

    def __post_init__(self) -> None:
        shapes = [
            (self.gains, (len(CHANNELS),)),
            (self.curves, (len(CHANNELS), TERMS)),
            (self.knees, (2, TERMS)),
            (self.duty, (2,)),
            (self.prints, (2, 3)),
            *[(known, (2, TERMS)) for known in (self.bends, self.thighs) if known is not None],
        ]
        if any(np.shape(values) != shape for values, shape in shapes):
            raise ValueError("its numbers are not as many as those of a style")


def mean_vhat(styles: Sequence[LearnedStyle], weights: Sequence[float]) -> float | None:
    """Return the weighted mean of the dimensionless speeds at which styles were learned; None without
    weights."""
    heavy = np.maximum(np.asarray(weights, dtype=float), 0.0)
    return float(heavy @ [style.vhat for style in styles] / heavy.sum()) if heavy.sum() > 0.0 else None


FORMAT, VERSION = "neurarig-style", 1
LARGEST_FILE = 40 * 2**10  # bytes
DIGITS = 4  # a tenth of a millimetre, and of a milliradian
# Bounds of any manner of walking: (least, most).
_LIMITS = {
    "speed": (0.02, 2.0),
    "stride": (-0.75, 2.0),
    "duty": (-0.4, 0.4),
    "lead": (-1.0, 1.0),
    "beat": (-0.35, 0.35),
    "prints": (-1.6, 1.6),
    "knees": (-3.2, 3.2),
    "bends": (-3.2, 3.2),
    "thighs": (-3.2, 3.2),
}
# of a Fourier term: leg lengths, radians
_MOST = dict(zip(CHANNELS, np.where(IS_LENGTH, 2.0, 6.3).tolist(), strict=True))
LONGEST_NAME, _LONGEST_TEXT = 64, 400
_TEXTS = ("name", "description", "credit")
_USED = [0, *range(2, TERMS)]  # harmonic 0 has no sine


def to_json(style: LearnedStyle) -> str:
    """Return a style as the text of its file."""
    curves = {
        channel: _rounded(row[_USED])
        for channel, row in zip(CHANNELS, style.curves, strict=True)
        if np.round(row, DIGITS).any()
    }
    gains = {
        channel: round(float(gain), DIGITS)
        for channel, gain in zip(CHANNELS, style.gains, strict=True)
        if round(float(gain), DIGITS)
    }
    legs = {"bends": style.bends, "thighs": style.thighs}
    content = {
        "format": FORMAT,
        "version": VERSION,
        **{name: getattr(style, name) for name in _TEXTS},
        "harmonics": HARMONICS,
        "speed": round(style.vhat, DIGITS),
        **{name: round(float(getattr(style, name)), DIGITS) for name in ("stride", "lead", "beat")},
        "duty": _rounded(style.duty),
        "prints": [_rounded(row) for row in style.prints],
        "knees": [_rounded(row[_USED]) for row in style.knees],
        **{
            name: [_rounded(row[_USED]) for row in known] for name, known in legs.items() if known is not None
        },
        "gains": gains,
        "curves": curves,
    }
    return lines(content)


def from_json(text: str | bytes, where: str) -> LearnedStyle:
    """Return the style in a file's text; raises NeuraRigError, saying `where` and what is wrong, for anything
    else."""
    try:
        return _checked(json_text.document(text, FORMAT, VERSION, "a style"))
    except ValueError as problem:
        raise NeuraRigError(f"{where} cannot be used as a style: {problem}; learn the style again.") from None


def read_style(path: Path) -> LearnedStyle:
    """Return the style in a file; raises NeuraRigError, naming the file, if there is none."""
    return from_json(content_of(path, LARGEST_FILE, "choose a style's file"), f"'{path.name}'")


def write_style(path: Path, style: LearnedStyle) -> None:
    """Write a style's file; raises NeuraRigError if it cannot be written."""
    write_text(path, to_json(style))


def _checked(content: Mapping[str, Any]) -> LearnedStyle:
    if content.get("harmonics") != HARMONICS:
        raise ValueError(f"its curves do not have {HARMONICS} harmonics")
    return LearnedStyle(
        **named_texts(content, _TEXTS, LONGEST_NAME, _LONGEST_TEXT),
        vhat=float(_numbers(content, "speed", ())),
        stride=float(_numbers(content, "stride", ())),
        lead=float(_numbers(content, "lead", ())),
        beat=float(_numbers(content, "beat", ())),
        duty=_numbers(content, "duty", (2,)),
        prints=_numbers(content, "prints", (2, 3)),
        knees=_all_terms(_numbers(content, "knees", (2, len(_USED)))),
        bends=_of_legs(content, "bends"),
        thighs=_of_legs(content, "thighs"),
        gains=numbers_by_channel(content, "gains", dict.fromkeys(CHANNELS, 1.0), ()),
        curves=_all_terms(numbers_by_channel(content, "curves", _MOST, (len(_USED),))),
    )


def _of_legs(content: Mapping[str, Any], name: str) -> np.ndarray | None:
    """Return the curves of both legs, None where a file is from before they were learned."""
    return _all_terms(_numbers(content, name, (2, len(_USED)))) if name in content else None


def _numbers(content: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> np.ndarray:
    return numbers_of(content, name, shape, _LIMITS[name])


def _all_terms(used: np.ndarray) -> np.ndarray:
    found = np.zeros((*used.shape[:-1], TERMS))
    found[..., _USED] = used
    return found


def _rounded(values: np.ndarray) -> list[float]:
    return [round(float(value), DIGITS) for value in values]


STORE = DATA / "common_manner.json"


@lru_cache(maxsize=1)
def common_manner() -> LearnedStyle:
    """Return what recorded people have in common, relative to the natural walk."""
    return read_style(STORE)
