"""Styles without a recording, made from the natural gait: more of some of its curves, less of others, with
waves added.

Each was tuned by eye, from the side and the front.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...core.contract.channels import CHANNELS, IS_LENGTH
from ...core.styles.learned_style import LearnedStyle
from ...core.waves import TERMS, fourier_basis

CREDIT = "Made of the natural walk"
SIDES = ("_l", "_r")
SAMPLES = 128


@dataclass(frozen=True)
class MadeStyle:
    """A style to make.  A channel of both sides is named without a side, such as `arm.flexion`.

    `vhat`: its own dimensionless speed. `gains`: relative change of natural curves, 0 for none. `held`:
    constant offsets in leg lengths
    or degrees; `waves`: added cosines, over the phase of the channel's own foot, of the left one for the
    midline: size in leg lengths or
    degrees, phase of the peak in cycles, and times per cycle.
    `stride`, `duty`: as in LearnedStyle; `width` in leg lengths and `toe_out` in degrees are added to each
    print, `knees` in degrees.
    """

    name: str
    description: str
    vhat: float
    stride: float
    duty: float
    width: float
    toe_out: float
    knees: float
    gains: Mapping[str, float]
    held: Mapping[str, float]
    waves: Mapping[str, Sequence[tuple[float, float, int]]]
    credit: str = CREDIT

    def style(self) -> LearnedStyle:
        """Return it as a learned style."""
        gains, curves = np.zeros(len(CHANNELS)), np.zeros((len(CHANNELS), TERMS))
        for name, gain in self.gains.items():
            gains[_columns(name)] = gain
        for name, size in self.held.items():
            curves[_columns(name), 0] += size
        phase = np.arange(SAMPLES) / SAMPLES
        for name, waves in self.waves.items():
            curves[_columns(name)] += _terms(
                sum(size * np.cos(2.0 * np.pi * often * (phase - peak)) for size, peak, often in waves)
            )
        curves[~IS_LENGTH] = np.radians(curves[~IS_LENGTH])
        knees = np.zeros((2, TERMS))
        knees[:, 0] = np.radians(self.knees)
        return LearnedStyle(
            name=self.name,
            vhat=self.vhat,
            gains=gains,
            curves=curves,
            knees=knees,
            stride=self.stride,
            duty=np.full(2, self.duty),
            lead=0.0,
            beat=0.0,
            prints=np.tile([0.0, self.width, np.radians(self.toe_out)], (2, 1)),
            description=self.description,
            credit=self.credit,
        )


def _columns(name: str) -> list[int]:
    """Return the columns of a channel: its own, or those of both sides."""
    block, axis = name.split(".")
    return [
        CHANNELS.index(full)
        for full in (name, *(f"{block}{side}.{axis}" for side in SIDES))
        if full in CHANNELS
    ]


def _terms(course: np.ndarray) -> np.ndarray:
    """Return the Fourier terms `(TERMS,)` of a curve `(SAMPLES,)`."""
    terms = fourier_basis(np.arange(SAMPLES) / SAMPLES).T @ course * (2.0 / SAMPLES)
    terms[:2] *= 0.5, 0.0
    return terms


# The other foot strikes half a cycle later: effects of both feet come twice. A foot bears most in the middle
# of its stance, at 0.3.
MADE = tuple(
    MadeStyle(**row) for row in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
)
