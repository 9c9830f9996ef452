"""From a clip to a style: the difference of its steady strides from the natural gait at their speed.

Feet in clips slide, sink and float a little, those of the walk do not; so with the curves as read, knees are
some degrees off. So the
curves of feet and pelvis are refined until the walk reproduces the clip's joint angles: as for the human gait
(`training/gait/identify`),
through the synthesis itself, in a few Gauss-Newton steps that stay near those that were read.
"""

from dataclasses import replace

import numpy as np

from ..character.body import Body
from ..contract.channels import CHANNELS, IS_LENGTH, IS_RIGHT
from ..contract.inputs import slow_inputs
from ..errors import NeuraRigError
from ..gait.inputs.proportions import natural_spacing
from ..gait.kinds.gait import Gait
from ..gait.kinds.natural import GRAVITY, SOLE_LEG_SHARE, dimensionless_speed
from ..gait.sliders.style import Clock, Style, StyleTrack
from ..gait.steps.footsteps import BOTH
from ..gait.synthesis import walk
from ..gait.walker import NATURAL_TOE_OUT
from ..skeleton.roles import SIDES, sided
from ..steps import Steps, finish
from ..waves import fourier_basis
from .cycle import PHASES, SAMPLES, Cycle, mean_cycle
from .learned_style import PART_OF, PARTS, LearnedStyle
from .likeness import (
    Angles,
    joint_angles,
    likely_mean,
    manner_share,
    recorded_angles,
    soles_of,
    walked_angles,
)
from .recording import RecordedStrides
from .styled_gait import in_styles

FREE = [
    CHANNELS.index(channel)
    for channel in (
        "foot_l.pitch",
        "foot_r.pitch",
        "foot_l.z",
        "foot_r.z",
        "foot_l.x",
        "foot_r.x",
        "pelvis.z",
    )
]
_MOST_HARMONIC = 5
_TERMS = [0, *range(2, 2 * _MOST_HARMONIC + 2)]
_UNIT = np.where(IS_LENGTH[FREE], 0.02, 0.08)[:, None]  # leg lengths, radians: unit of an unknown
_JOINTS = ("thigh.L", "thigh.R", "knee.L", "knee.R", "foot.L", "foot.R")
_TOLERANCE = 4.0  # degrees
# Weight of an unknown against a joint, larger for higher harmonics; damping of the steps.
_NEAR = 0.35 * (1.0 + 0.5 * np.array([0, *(order for order in range(1, _MOST_HARMONIC + 1) for _ in (0, 1))]))
_DAMPED = 0.3
_ROUNDS, _SHARES = 2, (1.0, 0.5, 0.25)
_NUDGE = 0.05
_EVERY = 2  # phases


def refined(body: Body, wanted: Angles, style: LearnedStyle, natural: Gait) -> Steps[LearnedStyle]:
    """Return a style over the natural gait with its free curves refined, for a body whose joints should have
    the `wanted` angles; step by step."""
    misfit = _Misfit(body, wanted, style, natural)
    found = np.zeros(len(FREE) * len(_TERMS))
    off = misfit(found)
    for number in range(_ROUNDS):
        columns = []
        for unknown in np.eye(len(found)):
            yield (number + len(columns) / len(found)) / _ROUNDS
            columns.append((misfit(found + _NUDGE * unknown) - off) / _NUDGE)
        slopes = np.stack(columns, -1)
        damped = np.concatenate([slopes, _DAMPED * np.eye(len(found))])
        step = np.linalg.lstsq(damped, np.concatenate([-off, np.zeros(len(found))]), rcond=None)[0]
        for share in _SHARES:
            tried = misfit(found + share * step)
            if tried @ tried < off @ off:
                found, off = found + share * step, tried
                break
    return misfit.style(found)


class _Misfit:
    """The difference of a style's walk from the wanted angles, as a function of changes to its free
    curves."""

    def __init__(self, body: Body, wanted: Angles, style: LearnedStyle, natural: Gait) -> None:
        self._body, self._style, self._natural = body, style, natural
        self._wanted = {joint: wanted[joint][::_EVERY] for joint in _JOINTS}
        count = len(self._wanted[_JOINTS[0]])
        self._track = StyleTrack(
            Style(speed=style.vhat * np.sqrt(GRAVITY * SOLE_LEG_SHARE * self._body.leg_length))
        )
        seconds = float(
            walk(
                self._body, self._track, Clock(start=0.0, whole_frames=False), np.zeros(1), self._gait(style)
            ).period[0]
        )
        self._clock = Clock(fps=count / seconds, start=0.0, whole_frames=False)
        self._frames = np.arange(count, 2 * count, dtype=float)

    def style(self, unknowns: np.ndarray) -> LearnedStyle:
        """Return the style with its free curves changed."""
        curves = self._style.curves.copy()
        curves[np.ix_(FREE, _TERMS)] += unknowns.reshape(len(FREE), -1) * _UNIT
        return replace(self._style, curves=curves)

    def __call__(self, unknowns: np.ndarray) -> np.ndarray:
        """Return the residuals: joint errors in units of TOLERANCE, and the change of the curves from those
        that were read."""
        angles = self._walked(self.style(unknowns))
        joints = [(angles[joint] - self._wanted[joint]) / _TOLERANCE for joint in _JOINTS]
        return np.concatenate([*joints, (_NEAR * unknowns.reshape(len(FREE), -1)).ravel()])

    def _walked(self, style: LearnedStyle) -> Angles:
        pose = walk(self._body, self._track, self._clock, self._frames, self._gait(style))
        return joint_angles(pose.motions, soles_of(pose))

    def _gait(self, style: LearnedStyle) -> Gait:
        return in_styles(self._natural, [style])


_MOST_GAIN = 1.0
# RMS below which a natural curve is too small to be scaled
TELLS = np.where(IS_LENGTH, 0.004, np.radians(1.0))
# included in the lead, which is added
_ADDED_ONLY = np.array([channel == "pelvis.x" for channel in CHANNELS])
_STRIDE_RANGE = (0.25, 3.0)  # x natural: bounds of a walk's strides


def learned(recorded: RecordedStrides, natural: Gait, name: str) -> LearnedStyle:
    """Return the style of recorded strides relative to the natural gait; raises NeuraRigError for impossible
    strides."""
    return finish(learning(recorded, natural, name))


def learning(recorded: RecordedStrides, natural: Gait, name: str) -> Steps[LearnedStyle]:
    """Learn a style step by step."""
    cycle, body = mean_cycle(recorded), recorded.character.body
    leg = body.leg_length
    slow = slow_inputs(body, np.array([cycle.speed]), np.array([natural_spacing(body)]))
    stride = cycle.stride / float(natural.law.stride(slow)[0])
    if not _STRIDE_RANGE[0] <= stride <= _STRIDE_RANGE[1]:
        raise NeuraRigError(
            f"The clip's strides are {stride:.1f} times as long as people's at its speed of {cycle.speed:.2g}"
            " m/s; check its frame rate and its size, or choose another."
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
    return (yield from refined(body, angles, style, natural))


def _of_legs(angles: Angles, joint: str, beat: float) -> np.ndarray:
    """Return the angles of a joint of both legs `(SAMPLES, 2)`, in radians, over the phase of each foot."""
    shown = [
        (angles[sided(joint, side)], delay) for side, delay in zip(SIDES, (0.0, 0.5 - beat), strict=True)
    ]
    return np.radians(
        np.stack([np.interp(PHASES + delay, PHASES, angle, period=1.0) for angle, delay in shown], -1)
    )


def natural_curves(natural: Gait, slow: np.ndarray, beat: float) -> np.ndarray:
    """Return the natural channels `(SAMPLES, 46)` over the phase of each channel's own foot."""
    sided = natural.shapes.sample(slow, PHASES, PHASES)
    middle = natural.shapes.sample(slow, PHASES + 0.5 + beat, PHASES)
    return np.where(IS_RIGHT, sided, middle)


def _sure(usual: np.ndarray, cycle: Cycle) -> np.ndarray:
    """Return for each channel `(46,)` how much of its difference from the natural curve is the manner (see
    `manner_share`).

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
    """Return the gain of each natural curve `(46,)` and the remainder `(SAMPLES, 46)`; channels not seen stay
    natural."""
    shown = np.where(np.isnan(shown), usual, shown)
    swing, left = usual - usual.mean(axis=0), shown - usual
    alike = (swing * (left - left.mean(axis=0))).mean(axis=0)
    gains = np.clip(alike / ((swing**2).mean(axis=0) + TELLS**2), -1.0, _MOST_GAIN)
    gains = np.where(_ADDED_ONLY, 0.0, gains)
    return gains, left - gains * usual


def fourier_terms(curves: np.ndarray) -> np.ndarray:
    """Return Fourier terms `(n, TERMS)` of curves `(SAMPLES, n)`."""
    basis = fourier_basis(PHASES)
    terms = curves.T @ basis * (2.0 / SAMPLES)
    terms[:, 0] *= 0.5
    terms[:, 1] = 0.0
    return terms
