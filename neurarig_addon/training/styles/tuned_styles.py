"""Styles without a recording, made from the natural gait: more of some of its curves, less of others, with waves added.

Each was tuned by eye, from the side and the front.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ...core.contract.channels import CHANNELS, IS_LENGTH
from ...core.styles.learned_style import LearnedStyle
from ...core.waves import TERMS, fourier_basis

CREDIT = "Made of the natural walk"
SIDES = ("_l", "_r")
SAMPLES = 128


@dataclass(frozen=True)
class Wave:
    """A cosine on a channel: `size` in leg lengths or degrees at its `peak`, a phase in cycles, `often` times per cycle."""

    size: float
    peak: float
    often: int = 1

    def at(self, phase: np.ndarray) -> np.ndarray:
        """Return its values at phases `(n,)`."""
        return self.size * np.cos(2.0 * np.pi * self.often * (phase - self.peak))


@dataclass(frozen=True)
class MadeStyle:
    """A style to make.  A channel of both sides is named without a side, such as `arm.flexion`.

    `vhat`: its own dimensionless speed.  `gains`: relative change of natural curves, 0 for none.  `held`: constant offsets in leg lengths
    or degrees; `waves`: added waves, over the phase of the channel's own foot, of the left one for the midline.
    `stride`, `duty`: as in LearnedStyle; `width` in leg lengths and `toe_out` in degrees are added to each print, `knees` in degrees.
    """

    name: str
    description: str
    vhat: float
    stride: float = 0.0
    duty: float = 0.0
    width: float = 0.0
    toe_out: float = 0.0
    knees: float = 0.0
    gains: Mapping[str, float] = field(default_factory=dict)
    held: Mapping[str, float] = field(default_factory=dict)
    waves: Mapping[str, tuple[Wave, ...]] = field(default_factory=dict)
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
            curves[_columns(name)] += _terms(sum(wave.at(phase) for wave in waves))
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
    return [CHANNELS.index(full) for full in (name, *(f"{block}{side}.{axis}" for side in SIDES)) if full in CHANNELS]


def _terms(course: np.ndarray) -> np.ndarray:
    """Return the Fourier terms `(TERMS,)` of a curve `(SAMPLES,)`."""
    terms = fourier_basis(np.arange(SAMPLES) / SAMPLES).T @ course * (2.0 / SAMPLES)
    terms[:2] *= 0.5, 0.0
    return terms


# The other foot strikes half a cycle later: effects of both feet come twice.  A foot bears most in the middle of its stance, at 0.3.
TODDLER = MadeStyle(
    name="Toddler",
    description="Short quick steps, flat feet wide apart, arms held up for balance",
    vhat=0.36,
    stride=-0.38,
    duty=0.03,
    width=0.085,
    toe_out=14.0,
    knees=8.0,
    gains={
        "foot.pitch": -0.7, "ball.pitch": -0.7, "foot.z": 0.25, "pelvis.yaw": 0.3, "pelvis.roll": -0.5, "pelvis.y": 0.3,
        "arm.flexion": -0.8, "arm.elbow": -0.8,
    },
    held={
        "pelvis.z": -0.055, "pelvis.pitch": 4.0, "chest.pitch": 1.0, "head.pitch": 4.0,
        "arm.flexion": 16.0, "arm.abduction": 33.0, "arm.elbow": 58.0, "arm.rotation": -25.0,
    },
    waves={
        "chest.roll": (Wave(-7.0, 0.25),),
        "head.roll": (Wave(5.0, 0.33),),
        "chest.yaw": (Wave(-5.0, 0.0),),
        "head.pitch": (Wave(2.5, 0.15, 2),),
        "arm.abduction": (Wave(5.0, 0.1),),
    },
)  # fmt: skip
PROUD = MadeStyle(
    name="Proud",
    description="Chest out, chin up, arms held back and away from the body",
    vhat=0.38,
    stride=0.0,
    duty=-0.03,
    width=0.01,
    toe_out=5.0,
    gains={"arm.flexion": 0.25, "pelvis.yaw": 0.2, "chest.yaw": 0.5},
    held={
        "chest.pitch": -9.0, "head.pitch": -5.0, "pelvis.pitch": -1.0,
        "arm.abduction": 12.0, "arm.flexion": -9.0, "arm.elbow": 6.0, "arm.rotation": 8.0,
    },
    waves={"chest.yaw": (Wave(-5.0, 0.0),)},
)  # fmt: skip
CATWALK = MadeStyle(
    name="Catwalk",
    description="Long steps on one line, the hip rising over each foot, shoulders back",
    vhat=0.46,
    stride=0.04,
    duty=-0.03,
    width=-0.06,
    toe_out=-3.0,
    gains={"pelvis.roll": 0.6, "pelvis.yaw": 1.0, "pelvis.y": 1.0, "arm.elbow": -0.5, "foot.z": 0.25},
    held={
        "chest.pitch": -8.0, "head.pitch": -2.0, "pelvis.pitch": 2.0,
        "arm.flexion": -12.0, "arm.abduction": 8.0, "arm.elbow": -4.0,
    },
    waves={"pelvis.roll": (Wave(6.0, 0.20),), "chest.roll": (Wave(-4.0, 0.22),)},
)  # fmt: skip
MADE = (TODDLER, PROUD, CATWALK)
