"""A learned style as a value: the additions of a manner to the natural gait at its speed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..contract.channels import BLOCKS, CHANNELS
from ..human.canonical import TERMS

PARTS = ("legs", "trunk", "arms", "head")
_PART_OF_BLOCK = {"foot": "legs", "ball": "legs", "chest": "trunk", "head": "head", "arm": "arms"}
PLACES = ("x", "y", "z")


def _part_of(channel: str) -> str:
    block, axis = channel.split(".")
    if block == "pelvis":
        return "legs" if axis in PLACES else "trunk"
    return _PART_OF_BLOCK[block.partition("_")[0]]


PART_OF = np.array([PARTS.index(_part_of(channel)) for channel in CHANNELS])  # (46,): the part whose strength a channel follows
IS_LENGTH = np.array([channel.split(".")[1] in PLACES for channel in CHANNELS])
IS_RIGHT = np.concatenate([np.full(len(axes), block.endswith("_r")) for block, axes in BLOCKS.items()])
LEGS = PARTS.index("legs")
AHEAD, OUTWARD, TOE_OUT = range(3)  # values of a print


@dataclass(frozen=True)
class LearnedStyle:
    """A recorded walk minus the natural walk at its speed.

    `vhat`: the dimensionless speed at which it was learned.
    `gains` `(46,)`: added share of each channel's natural curve; 0 keeps it, -1 removes it.
    `curves` `(46, TERMS)`: the remainder, as Fourier terms (see `canonical.fourier_basis`) over the phase of the channel's own foot, the
    left one for midline channels; leg lengths and radians.
    `knees` `(2, TERMS)`: the same for each knee's outward direction, relative to half way between pelvis and foot.
    `stride`: added share of the natural stride.  `duty` `(2,)`: added to the natural duty factor of each side.
    `lead`: leg lengths added to the hips' lead over the prints.  `beat`: cycles by which the right foot strikes early.
    `prints` `(2, 3)`: leg lengths ahead and outward, radians of toe-out, added to each side's print.
    `bends` `(2, TERMS)`: how far each knee bends in the recording, in radians, over the phase of its foot; None if not known (see
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
    """Return the weighted mean of the dimensionless speeds at which styles were learned; None without weights."""
    heavy = np.maximum(np.asarray(weights, dtype=float), 0.0)
    return float(heavy @ [style.vhat for style in styles] / heavy.sum()) if heavy.sum() > 0.0 else None
