"""A bouncing gait from its data: the law of its cycle, and its curves from knots and harmonics."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from ...character.body import LEFT, RIGHT
from ...contract.channels import CHANNELS, SLICES
from ...contract.inputs import VELOCITY, legs_of
from ...easing import cubic, smooth_between, spline_slopes
from ...geometry.rotation import TURN
from .bounce import Bounce
from .contacts import CycleContacts
from .gait import Gait
from .natural import SOLE_LEG_SHARE, dimensionless_speed, natural_duty

# Dimensionless speeds between which it fades to rest, with the duty factor of a walk.
RESTING_VHAT, BOUNCING_VHAT = 0.03, 0.08
LEAST, MOST = 0.75, 1.25  # bounds of contact time, relative to that at the natural speed
LENGTHS = (".x", ".y", ".z")
FEET, BALLS = {LEFT: "foot_l", RIGHT: "foot_r"}, {LEFT: "ball_l", RIGHT: "ball_r"}
# share of the pitch by which toes stay flat under a rising heel; the rest is gone when the foot lands
MOST_BEND = np.radians(45.0)
# Swings grow with a power of the speed, within bounds.
GROWS, LEAST_GROWN, MOST_GROWN = 0.5, 0.5, 1.35
_SWAPPED = np.array(
    [
        CHANNELS.index(name.replace("_l.", "_?.").replace("_r.", "_l.").replace("_?.", "_r."))
        for name in CHANNELS
    ]
)
_TURNED = np.array(
    [
        -1.0 if not name.startswith("arm") and name.endswith((".y", ".yaw", ".roll")) else 1.0
        for name in CHANNELS
    ]
)


class BouncingLaw:
    """Stride, duty factor and lead of a skip, a gallop or a hop."""

    least_duty, most_duty = 0.12, 0.85
    longest_stride = 9.0
    cornered = True
    runs = True
    changes_at = ()

    def __init__(self, bounce: Bounce) -> None:
        self.bounce = bounce
        self.contacts = mirrored(bounce.contacts) if bounce.mirrored else bounce.contacts

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        vhat = self.vhat(slow)
        return (
            SOLE_LEG_SHARE
            * legs_of(slow)
            * vhat
            / (self.bounce.rate + self.bounce.quickens * (vhat - self.bounce.vhat))
        )

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """See GaitLaw; towards rest it is that of a walk."""
        vhat, contacts = self.vhat(slow), self.contacts
        shorter = np.clip(1.0 - self.bounce.shortens * (vhat - self.bounce.vhat), LEAST, MOST)
        flying = np.clip(
            contacts.lasts(which) / contacts.spans(which) * shorter, self.least_duty, self.most_duty
        )
        standing = natural_duty(slow[..., VELOCITY], legs_of(slow))
        return standing + self.bouncing(slow) * (flying - standing)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self.bounce.lead * legs_of(slow) * self.bouncing(slow)

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return 1 `(...)`: bouncing gaits move on springs."""
        return np.ones(slow.shape[:-1])

    def bouncing(self, slow: np.ndarray) -> np.ndarray:
        """Return 1 while moving, smoothly 0 at rest."""
        return smooth_between(self.vhat(slow), RESTING_VHAT, BOUNCING_VHAT)

    def vhat(self, slow: np.ndarray) -> np.ndarray:
        """Return dimensionless speeds `(...)`."""
        return np.maximum(dimensionless_speed(slow[..., VELOCITY], legs_of(slow)), 0.0)


def mirrored(contacts: CycleContacts) -> CycleContacts:
    """Return the contacts of a cycle with left and right swapped, counted from the left foot's first one."""
    zero = next(contact.begins for contact in contacts.cycle if contact.side == RIGHT)
    cycle = [
        replace(contact, side=1 - contact.side, begins=(contact.begins - zero) % 1.0)
        for contact in contacts.cycle
    ]
    carried = None if contacts.carried is None else 1 - contacts.carried
    ordered = tuple(sorted(cycle, key=lambda contact: (contact.begins, contact.side)))
    return replace(contacts, cycle=ordered, rest=(contacts.rest - zero) % 1.0, carried=carried)


class BouncingShapes:
    """Shapes of a skip, a gallop or a hop (see GaitShape); phases count steps (see `Contacts`)."""

    def __init__(self, bounce: Bounce) -> None:
        self.bounce = bounce
        self.law = BouncingLaw(replace(bounce, mirrored=False))

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """See GaitShape."""
        if not self.bounce.mirrored:
            return self._sampled(slow, {LEFT: phase_left, RIGHT: phase_right})
        values = self._sampled(slow, {LEFT: phase_right, RIGHT: phase_left})
        return values[:, _SWAPPED] * _TURNED

    def _sampled(self, slow: np.ndarray, phases: dict[int, np.ndarray]) -> np.ndarray:
        """Return channels `(frames, 46)` as the data has them, not mirrored."""
        leg, bounces = legs_of(slow), self.law.bouncing(slow)
        grown = np.clip(self.law.vhat(slow) / self.bounce.vhat, 1e-6, None) ** GROWS
        size = bounces * np.clip(grown, LEAST_GROWN, MOST_GROWN)
        values = np.zeros((len(phases[LEFT]), len(CHANNELS)))
        cycles = self.bounce.contacts.cycles(phases[LEFT])
        for curves, shown in ((self.bounce.body, bounces), (self.bounce.carried, 1.0)):
            for name, waves in curves.items():
                unit = leg if name.endswith(LENGTHS) else np.radians(1.0)
                values[:, CHANNELS.index(name)] = unit * (shown * waves[0] + size * waved(waves, cycles))
        values[:, CHANNELS.index("pelvis.x")] += self.law.lead(slow)
        for side in {LEFT, RIGHT} - {self.bounce.contacts.carried}:
            self._set_foot(values, side, phases[side], slow, size)
        return values

    def _set_foot(
        self, values: np.ndarray, side: int, phase: np.ndarray, slow: np.ndarray, size: np.ndarray
    ) -> None:
        """Set a foot's channels: its roll on the ground, its path in the air."""
        contacts, foot, ball = self.bounce.contacts, SLICES[FEET[side]].start, SLICES[BALLS[side]].start + 3
        number = np.floor(phase)
        order = contacts.order(number).astype(int)
        share = phase - number
        leg, size = (np.broadcast_to(one, share.shape) for one in (legs_of(slow), size))
        for one in range(contacts.of_a_foot):
            which = side + 2 * one
            duty = np.broadcast_to(self.law.duty(slow, which), share.shape)
            curves = self._curves[which]
            stands = (order == one) & (share < duty)
            swings = (order == one) & ~stands
            values[stands, foot + 3] = size[stands] * curves["rolls"](share[stands] / duty[stands])
            air = (share[swings] - duty[swings]) / (1.0 - duty[swings])
            values[swings, foot + 3] = size[swings] * curves["turns"](air)
            if "tips" in curves:
                tips = size[stands] * curves["tips"](share[stands] / duty[stands])
                values[stands, ball] = tips - values[stands, foot + 3]
                values[swings, ball] = size[swings] * curves["curls"](air)
            else:
                values[stands, ball] = -np.clip(values[stands, foot + 3], 0.0, MOST_BEND)
                values[swings, ball] = -np.clip(values[swings, foot + 3], 0.0, MOST_BEND) * (1.0 - air) ** 2
            values[swings, foot] = leg[swings] * size[swings] * curves["ahead"](air)
            values[swings, foot + 2] = leg[swings] * size[swings] * curves["up"](air)

    @cached_property
    def _curves(self) -> list[dict[str, Callable[[np.ndarray], np.ndarray]]]:
        degree = np.radians(1.0)
        units = {"rolls": degree, "turns": degree, "ahead": 1.0, "up": 1.0, "tips": degree, "curls": degree}
        return [
            {name: spline(knots, units[name]) for name, knots in vars(footfall).items() if knots is not None}
            for footfall in self.bounce.footfalls
        ]


def waved(waves: np.ndarray, cycles: np.ndarray) -> np.ndarray:
    """Return the harmonics of waves, without their mean, at phases `(...)` in cycles."""
    waved = np.zeros(np.shape(cycles))
    for order, (cosine, sine) in enumerate(waves[1:].reshape(-1, 2), start=1):
        waved = waved + cosine * np.cos(TURN * order * cycles) + sine * np.sin(TURN * order * cycles)
    return waved


def spline(knots: np.ndarray, unit: float) -> Callable[[np.ndarray], np.ndarray]:
    """Return the natural cubic spline through knots `(n, 2)`, to be asked for places `(m,)` between the first
    and the last."""
    at, values = knots[:, 0], unit * knots[:, 1]
    return partial(cubic, at, values, spline_slopes(at, values, level=False))


def bouncing_gait(bounce: Bounce) -> Gait:
    """Return a skip, a gallop or a hop as a gait."""
    return Gait(BouncingShapes(bounce), BouncingLaw(bounce))
