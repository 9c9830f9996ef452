"""From a clip to a style: the difference of its steady strides from the natural gait at their speed."""

import numpy as np

from ..contract.channels import CHANNELS
from ..contract.inputs import slow_inputs
from ..errors import NeuraRigError
from ..gait.inputs.proportions import natural_spacing
from ..gait.kinds.gait import Gait
from ..gait.kinds.natural import dimensionless_speed
from ..gait.steps.footsteps import BOTH
from ..gait.walker import NATURAL_TOE_OUT
from ..human.canonical import fourier_basis
from ..skeleton.roles import SIDES, sided
from .cycle import PHASES, SAMPLES, Cycle, mean_cycle
from .learned_style import IS_LENGTH, IS_RIGHT, PART_OF, PARTS, LearnedStyle
from .likeness import Angles, likely_mean, manner_share, recorded_angles, walked_angles
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
    gains, left = _gains(usual, usual + _sure(usual, cycle) * (cycle.channels - usual))
    vhat = float(dimensionless_speed(np.array(cycle.speed), leg))
    angles = likely_mean(recorded_angles(recorded), walked_angles(body, natural, vhat))
    style = LearnedStyle(
        name=name,
        vhat=vhat,
        gains=gains,
        curves=fourier_terms(left / np.where(IS_LENGTH, leg, 1.0)),
        knees=fourier_terms(cycle.knees),
        stride=stride - 1.0,
        duty=cycle.duty - natural.law.duty(slow, BOTH),
        lead=(cycle.lead - float(natural.law.lead(slow)[0])) / leg,
        beat=cycle.beat,
        prints=cycle.prints / np.array([leg, leg, 1.0]) - [0.0, natural_spacing(body) / leg, NATURAL_TOE_OUT],
        bends=fourier_terms(_of_legs(angles, "knee", cycle.beat)),
        thighs=fourier_terms(_of_legs(angles, "thigh", cycle.beat)),
    )
    return refined(body, angles, style, natural)


def _of_legs(angles: Angles, joint: str, beat: float) -> np.ndarray:
    """Return the angles of a joint of both legs `(SAMPLES, 2)`, in radians, over the phase of each foot."""
    shown = [(angles[sided(joint, side)], late) for side, late in zip(SIDES, (0.0, 0.5 - beat), strict=True)]
    return np.radians(np.stack([np.interp(PHASES + late, PHASES, angle, period=1.0) for angle, late in shown], -1))


def natural_curves(natural: Gait, slow: np.ndarray, beat: float) -> np.ndarray:
    """Return the natural channels `(SAMPLES, 46)` over the phase of each channel's own foot."""
    sided = natural.shapes.sample(slow, PHASES, PHASES)
    middle = natural.shapes.sample(slow, PHASES + 0.5 + beat, PHASES)
    return np.where(IS_RIGHT, sided, middle)


def _sure(usual: np.ndarray, cycle: Cycle) -> np.ndarray:
    """Return for each channel `(46,)` how much of its difference from the natural curve is the manner (see `manner_share`).

    All channels of a part, in units of TELLS, have one share.
    """
    shown, unsure = np.square((cycle.channels - usual) / TELLS).mean(axis=0), cycle.unsure / TELLS**2
    seen = np.isfinite(shown)
    sure = np.ones(len(PARTS))
    for part in range(len(PARTS)):
        of_part = seen & (part == PART_OF)
        sure[part] = manner_share(shown[of_part].sum(), unsure[of_part].sum(), cycle.strides)
    return sure[PART_OF]


def _gains(usual: np.ndarray, shown: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gain of each natural curve `(46,)` and the remainder `(SAMPLES, 46)`; channels not seen stay natural."""
    shown = np.where(np.isnan(shown), usual, shown)
    swing, left = usual - usual.mean(axis=0), shown - usual
    alike = (swing * (left - left.mean(axis=0))).mean(axis=0)
    gains = np.clip(alike / ((swing**2).mean(axis=0) + TELLS**2), -1.0, MOST_GAIN)
    gains = np.where(ADDED_ONLY, 0.0, gains)
    return gains, left - gains * usual


def fourier_terms(curves: np.ndarray) -> np.ndarray:
    """Return Fourier terms `(n, TERMS)` of curves `(SAMPLES, n)`."""
    basis = fourier_basis(PHASES)
    terms = curves.T @ basis * (2.0 / SAMPLES)
    terms[:, 0] *= 0.5
    terms[:, 1] = 0.0
    return terms
