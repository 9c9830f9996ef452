"""Refining a style: finding the curves of feet and pelvis with which the walk reproduces the clip's joint angles.

Feet in clips slide, sink and float a little, those of the walk do not; so with the curves as read, knees are some degrees off.
The curves are found as for the human gait (`training/gait/identify`), through the synthesis itself: a few Gauss-Newton steps that stay near
those that were read.
"""

from dataclasses import replace

import numpy as np

from ..character.body import Body
from ..contract.channels import CHANNELS
from ..gait.kinds.gait import Gait
from ..gait.kinds.natural import GRAVITY, SOLE_LEG_SHARE
from ..gait.sliders.style import Clock, Style, StyleTrack
from ..gait.synthesis import walk
from .learned_style import IS_LENGTH, LearnedStyle
from .likeness import Angles, joint_angles, soles_of
from .styled import in_styles

FREE = [CHANNELS.index(channel) for channel in ("foot_l.pitch", "foot_r.pitch", "foot_l.z", "foot_r.z", "foot_l.x", "foot_r.x", "pelvis.z")]
MOST_HARMONIC = 5
TERMS = [0, *range(2, 2 * MOST_HARMONIC + 2)]
UNIT = np.where(IS_LENGTH[FREE], 0.02, 0.08)[:, None]  # leg lengths, radians: unit of an unknown
JOINTS = ("thigh.L", "thigh.R", "knee.L", "knee.R", "foot.L", "foot.R")
TOLERANCE = 4.0  # degrees
# Weight of an unknown against a joint, larger for higher harmonics; damping of the steps.
NEAR = 0.35 * (1.0 + 0.5 * np.array([0, *(order for order in range(1, MOST_HARMONIC + 1) for _ in (0, 1))]))
DAMPED = 0.3
ROUNDS, SHARES = 2, (1.0, 0.5, 0.25)
NUDGE = 0.05
EVERY = 2  # phases


def refined(body: Body, wanted: Angles, style: LearnedStyle, natural: Gait) -> LearnedStyle:
    """Return a style over the natural gait with its free curves refined, for a body whose joints should have the `wanted` angles."""
    misfit = _Misfit(body, wanted, style, natural)
    found = np.zeros(len(FREE) * len(TERMS))
    off = misfit(found)
    for _ in range(ROUNDS):
        slopes = np.stack([(misfit(found + NUDGE * unknown) - off) / NUDGE for unknown in np.eye(len(found))], -1)
        damped = np.concatenate([slopes, DAMPED * np.eye(len(found))])
        step = np.linalg.lstsq(damped, np.concatenate([-off, np.zeros(len(found))]), rcond=None)[0]
        for share in SHARES:
            tried = misfit(found + share * step)
            if tried @ tried < off @ off:
                found, off = found + share * step, tried
                break
    return misfit.style(found)


class _Misfit:
    """The difference of a style's walk from the wanted angles, as a function of changes to its free curves."""

    def __init__(self, body: Body, wanted: Angles, style: LearnedStyle, natural: Gait) -> None:
        self._body, self._style, self._natural = body, style, natural
        self._wanted = {joint: wanted[joint][::EVERY] for joint in JOINTS}
        count = len(self._wanted[JOINTS[0]])
        self._track = StyleTrack(Style(speed=style.vhat * np.sqrt(GRAVITY * SOLE_LEG_SHARE * self._body.leg_length)))
        seconds = float(walk(self._body, self._track, Clock(start=0.0, whole_frames=False), np.zeros(1), self._gait(style)).period[0])
        self._clock = Clock(fps=count / seconds, start=0.0, whole_frames=False)
        self._frames = np.arange(count, 2 * count, dtype=float)

    def style(self, unknowns: np.ndarray) -> LearnedStyle:
        """Return the style with its free curves changed."""
        curves = self._style.curves.copy()
        curves[np.ix_(FREE, TERMS)] += unknowns.reshape(len(FREE), -1) * UNIT
        return replace(self._style, curves=curves)

    def __call__(self, unknowns: np.ndarray) -> np.ndarray:
        """Return the residuals: joint errors in units of TOLERANCE, and the change of the curves from those that were read."""
        angles = self._walked(self.style(unknowns))
        joints = [(angles[joint] - self._wanted[joint]) / TOLERANCE for joint in JOINTS]
        return np.concatenate([*joints, (NEAR * unknowns.reshape(len(FREE), -1)).ravel()])

    def _walked(self, style: LearnedStyle) -> Angles:
        pose = walk(self._body, self._track, self._clock, self._frames, self._gait(style))
        return joint_angles(pose.motions, soles_of(pose))

    def _gait(self, style: LearnedStyle) -> Gait:
        return in_styles(self._natural, [style])
