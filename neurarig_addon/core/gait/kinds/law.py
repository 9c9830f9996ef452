"""The law of a gait: stride length, and the share of a stride that a foot is on the ground; that of walks and
of runs.

The run's is in closed form. Fits, within 3 %, to published runs from 2 to 9 m/s, all lengths relative to the
leg from hip joint to sole,
L, and speeds to sqrt(g L): steps a second x sqrt(L/g) = 0.77 + 0.0546 vhat^2; metres that the body travels
over a standing foot / L =
1.197 - 1.064 exp(-1.066 vhat).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...contract.inputs import VELOCITY, legs_of
from ...easing import smooth_between
from .contacts import TURNS, CycleContacts
from .natural import (
    GRAVITY,
    SOLE_LEG_SHARE,
    dimensionless_speed,
    natural_duty,
    natural_lead,
    natural_stride,
    speed_of,
)

# In leg lengths: beyond it no hip reaches both prints; the pelvis would have to touch the ground.
LONGEST_WALKING_STRIDE = 2.6
LEAST_WALKING_DUTY, FLYING_DUTY = 0.51, 0.48  # a run keeps its flight, a walk never gets one
FASTEST_STEPS = 1.6  # steps per second x sqrt(leg / g): 313 per minute for an adult; sprinters take 290
# Of runs, see above.
STEP_RATE, RATE_RISE = 0.77, 0.0546
CONTACT_LONG, CONTACT_LESS, CONTACT_FALL = 1.197, 1.064, 1.066
# 3 m/s for an adult, and the range around it that is comfortable
NATURAL_RUN_VHAT, COMFORTABLE = 1.0, (0.7, 1.35)
MOST_FLYING_DUTY = 0.46  # jogging at walking speed still leaves the ground
# Dimensionless speeds between which a run fades to rest: standing is on both legs.
RESTING_VHAT, RUNNING_VHAT = 0.08, 0.25

OfSpeed = Callable[[np.ndarray, float | np.ndarray], np.ndarray]


class GaitLaw(Protocol):
    """What a gait decides besides the shapes of its curves, for slow inputs `(..., 9)` of one body (see
    `contract.inputs`).

    `least_duty`, `most_duty`: limits for sliders. `longest_stride`: in leg lengths. `cornered`: the curves
    may have
    corners where a foot lifts and lands, so that their slopes there differ on the two sides. `runs`: some of
    it is a run (see `running`).
    `changes_at`: the dimensionless speeds above which a walk becomes a run and below which a run becomes a
    walk, and so on from gait to gait.
    `contacts`: which foot lands when.
    """

    @property
    def least_duty(self) -> float: ...
    @property
    def most_duty(self) -> float: ...
    @property
    def longest_stride(self) -> float: ...
    @property
    def cornered(self) -> bool: ...
    @property
    def runs(self) -> bool: ...
    @property
    def changes_at(self) -> tuple[tuple[float, float], ...]: ...
    @property
    def contacts(self) -> CycleContacts: ...

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """Return metres per cycle `(...)`."""
        ...

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """Return the share of the step on the ground for contacts (`Contacts.which`), broadcast with `(...)`.

        A step lasts from a contact to the same foot's next: a whole cycle where a foot has only one.
        """
        ...

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """Return how far ahead the curves carry the pelvis, in metres `(...)`; the whole walk is moved back
        by it.

        This keeps the root under the hips, as at rest.
        """
        ...

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return the share of running `(...)`, 0..1: running bodies bounce on springs and fall freely (see
        `flight`)."""
        ...


def duty_bounds(law: GaitLaw, natural: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of a duty factor `(...)` given the `natural` one: a walk stays a walk, a run a
    run."""
    walks = natural >= 0.5
    least, most = law.least_duty, law.most_duty
    if not law.contacts.takes_turns:  # here more than the duty factor decides whether there is a flight
        return np.full_like(natural, least), np.full_like(natural, most)
    return np.where(walks, max(least, LEAST_WALKING_DUTY) if law.runs else least, least), np.where(
        walks, most, min(most, FLYING_DUTY)
    )


def shortest_stride(speed: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the shortest stride in metres `(...)` at speeds in m/s: below it legs would have to move faster
    than anybody's."""
    return speed * 2.0 / (FASTEST_STEPS * np.sqrt(GRAVITY / (SOLE_LEG_SHARE * leg_length)))


def run_stride(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return runners' stride length in metres at a speed in m/s, for thigh plus shin in metres."""
    vhat = np.maximum(dimensionless_speed(speed, leg_length), 0.0)
    return 2.0 * SOLE_LEG_SHARE * leg_length * vhat / (STEP_RATE + RATE_RISE * vhat**2)


def run_duty(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return the share of the cycle that a runner's foot is on the ground: below one half, except when coming
    to rest."""
    vhat = np.maximum(dimensionless_speed(speed, leg_length), 1e-6)
    contact = CONTACT_LONG - CONTACT_LESS * np.exp(-CONTACT_FALL * vhat)
    flying = _softly_below(contact * (STEP_RATE + RATE_RISE * vhat**2) / (2.0 * vhat), MOST_FLYING_DUTY)
    standing = natural_duty(speed, leg_length)
    return standing + smooth_between(vhat, RESTING_VHAT, RUNNING_VHAT) * (flying - standing)


def _softly_below(values: np.ndarray, most: float, sharpness: float = 20.0) -> np.ndarray:
    """Return values limited softly to below `most`."""
    return (np.maximum(values, 1e-9) ** -sharpness + most**-sharpness) ** (-1.0 / sharpness)


def run_lead(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return how far runners' hips are ahead of the middle of the footprint at mid-stance, in metres, within
    3 cm of the human run."""
    vhat = np.maximum(dimensionless_speed(speed, leg_length), 0.0)
    return leg_length * (0.27 - 0.055 * vhat) * vhat / (vhat + 0.06)


def natural_run_speed(leg_length: float, fps: float) -> float:
    """Return a comfortable running speed in m/s whose cycle is a whole number of frames, even where that
    stays comfortable."""
    pace = np.sqrt(SOLE_LEG_SHARE * leg_length / GRAVITY)
    comfortable = STEP_RATE + RATE_RISE * NATURAL_RUN_VHAT**2
    frames = max(4.0, 2.0 * np.round(fps * pace / comfortable))
    rate = 2.0 * fps * pace / frames
    vhat = np.sqrt(max(rate - STEP_RATE, 0.0) / RATE_RISE)
    return speed_of(vhat if COMFORTABLE[0] < vhat < COMFORTABLE[1] else NATURAL_RUN_VHAT, leg_length)


@dataclass(frozen=True)
class HumanLaw:
    """The law of human walking or running: smooth curves, both sides alike.

    `stride_at`, `duty_at`, `lead_at`: of speeds in m/s and thigh plus shin in metres.
    """

    stride_at: OfSpeed
    duty_at: OfSpeed
    lead_at: OfSpeed
    least_duty: float
    longest_stride: float
    runs: bool
    most_duty = 0.85
    cornered = False
    changes_at = ()
    contacts = TURNS

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """Return metres per cycle."""
        return self.stride_at(slow[..., VELOCITY], legs_of(slow))

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """Return the natural duty factor."""
        return self.duty_at(slow[..., VELOCITY], legs_of(slow)) + 0.0 * np.asarray(which)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """Return metres."""
        return self.lead_at(slow[..., VELOCITY], legs_of(slow))

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return 1 `(...)` for a run throughout, 0 for a walk."""
        return np.full(slow.shape[:-1], float(self.runs))


# A double support in every step of a walk, a flight in every step of a run.
HUMAN = HumanLaw(
    natural_stride,
    natural_duty,
    natural_lead,
    least_duty=0.51,
    longest_stride=LONGEST_WALKING_STRIDE,
    runs=False,
)
RUN = HumanLaw(run_stride, run_duty, run_lead, least_duty=0.15, longest_stride=6.0, runs=True)
