"""From a clip to a style: the difference of its steady strides from the natural gait at their speed."""

import numpy as np

from ..contract.channels import CHANNELS
from ..contract.inputs import slow_inputs
from ..errors import NeuraRigError
from ..gait.kinds.gait import Gait
from ..gait.kinds.natural import dimensionless_speed
from ..gait.steps.footsteps import BOTH
from ..gait.steps.spacing import natural_spacing
from ..gait.walker import NATURAL_TOE_OUT
from ..human.canonical import fourier_basis
from .cycle import PHASES, SAMPLES, mean_cycle
from .learned_style import IS_LENGTH, IS_RIGHT, LearnedStyle
from .recorded import Recorded
from .refine import refined

MOST_GAIN = 1.0
TELLS = np.where(IS_LENGTH, 0.004, np.radians(1.0))  # RMS below which a natural curve is too small to be scaled
ADDED_ONLY = np.array([channel == "pelvis.x" for channel in CHANNELS])  # included in the lead, which is added
STRIDE_RANGE = (0.25, 3.0)  # x natural: bounds of a walk's strides


def learned(recorded: Recorded, natural: Gait, name: str) -> LearnedStyle:
    """Return the style of recorded strides relative to the natural gait; raises NeuraRigError for impossible strides."""
    cycle, body = mean_cycle(recorded), recorded.character.body
    leg = body.leg_length
    slow = slow_inputs(body, np.array([cycle.speed]), np.array([natural_spacing(body)]))
    stride = cycle.stride / float(natural.law.stride(slow)[0])
    if not STRIDE_RANGE[0] <= stride <= STRIDE_RANGE[1]:
        raise NeuraRigError(
            f"The clip's strides are {stride:.1f} times as long as people's at its speed of {cycle.speed:.2g} m/s; check its frame "
            "rate and its size, or choose another."
        )
    usual = natural_curves(natural, slow, cycle.beat)
    gains, left = _gains(usual, cycle.channels)
    style = LearnedStyle(
        name=name,
        vhat=float(dimensionless_speed(np.array(cycle.speed), leg)),
        gains=gains,
        curves=_terms(left / np.where(IS_LENGTH, leg, 1.0)),
        knees=_terms(cycle.knees),
        stride=stride - 1.0,
        duty=cycle.duty - natural.law.duty(slow, BOTH),
        lead=(cycle.lead - float(natural.law.lead(slow)[0])) / leg,
        beat=cycle.beat,
        prints=cycle.prints / np.array([leg, leg, 1.0]) - [0.0, natural_spacing(body) / leg, NATURAL_TOE_OUT],
    )
    return refined(recorded, style, natural)


def natural_curves(natural: Gait, slow: np.ndarray, beat: float) -> np.ndarray:
    """Return the natural channels `(SAMPLES, 46)` over the phase of each channel's own foot."""
    sided = natural.shapes.sample(slow, PHASES, PHASES)
    middle = natural.shapes.sample(slow, PHASES + 0.5 + beat, PHASES)
    return np.where(IS_RIGHT, sided, middle)


def _gains(usual: np.ndarray, shown: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gain of each natural curve `(46,)` and the remainder `(SAMPLES, 46)`; channels not seen stay natural."""
    shown = np.where(np.isnan(shown), usual, shown)
    swing, left = usual - usual.mean(axis=0), shown - usual
    alike = (swing * (left - left.mean(axis=0))).mean(axis=0)
    gains = np.clip(alike / ((swing**2).mean(axis=0) + TELLS**2), -1.0, MOST_GAIN)
    gains = np.where(ADDED_ONLY, 0.0, gains)
    return gains, left - gains * usual


def _terms(curves: np.ndarray) -> np.ndarray:
    """Return Fourier terms `(46, TERMS)` of curves `(SAMPLES, 46)`."""
    basis = fourier_basis(PHASES)
    terms = curves.T @ basis * (2.0 / SAMPLES)
    terms[:, 0] *= 0.5
    terms[:, 1] = 0.0
    return terms
