"""The cycle of a logic profile: evaluated at the phase of each foot instead of at a time, and when its feet
stand.

They stand by its phases' names where these tell, else where a foot on the ground moves back.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...character.body import LEFT, RIGHT
from ...contract.inputs import OFFSETS, SLOW, SPACINGS, VELOCITY, legs_of
from ...errors import NeuraRigError
from ...logic.contract import arrange
from ...logic.profile import PERIOD, Profile
from .natural import GRAVITY

SLOWEST = 1e-3  # m/s; at rest there is no period
Evaluate = Callable[[np.ndarray], np.ndarray]  # inputs (n, inputs) -> outputs (n, outputs)
_AS_THE_LEFT = [0, *range(5, SLOW), *range(1, 5)]  # the left side's columns, in the order of the right side's
FEET = ("foot_l", "foot_r")
# Dimensionless speeds examined: from a creep to the fastest walk, evenly in ratio.
_VHATS = np.geomspace(0.03, 0.9, 9)
_PHASES = 128
# parts into which the 128th of a cycle around an edge is cut, and how often: to 3e-11 of a cycle
_PARTS, _ROUNDS = 16, 7
_STEP = 1e-9  # cycles, to see which way a foot moves; far above rounding, far below what matters
_GROUND = 0.02  # share of the foot's lift below which it is on the ground
_SPACING = 0.12  # share of the leg
_STANDS = re.compile("stance|contact|ground|plant|support", re.I)


class ProfilePhases:
    """A profile driven by `t_cycle`; slow inputs are `(n, 9)` (see `contract.inputs`), phases `(n,)` in its
    own cycles."""

    def __init__(self, profile: Profile, evaluate: Evaluate | None = None) -> None:
        """`evaluate` may give the outputs in place of the profile's formulas.

        Raises NeuraRigError if the profile is no walk or does not give the length of its cycle.
        """
        self.profile = profile
        self._evaluate = evaluate or profile.evaluate
        lonely = np.ones((1, SLOW))
        if profile.period(arrange(profile, lonely, np.zeros(1), np.zeros(1))) is None:
            raise NeuraRigError(
                f"No Logic of the profile '{profile.name}' has '{PERIOD}', the seconds of a cycle; add it,"
                " and use it."
            )

    def periods(self, slow: np.ndarray) -> np.ndarray:
        """Return the seconds `(n, 2)` of the left and right leg's cycle; raises NeuraRigError if one is not
        positive."""
        slow = _moving(slow)
        none = np.zeros(len(slow))
        sides = [
            self.profile.period(arrange(self.profile, side, none, none))
            for side in (slow[:, _AS_THE_LEFT], slow)
        ]
        seconds = np.stack([side for side in sides if side is not None], -1)
        if not (np.isfinite(seconds) & (seconds > 0.0)).all():
            speed = float(slow[np.argmin((np.isfinite(seconds) & (seconds > 0.0)).all(axis=-1)), 0])
            raise NeuraRigError(
                f"'{PERIOD}' of the profile '{self.profile.name}' is not a time at {speed:.3g} m/s; check its"
                " formula."
            )
        return seconds

    def rows(self, slow: np.ndarray, phase_left: np.ndarray, phase_right: np.ndarray) -> np.ndarray:
        """Return the profile's inputs `(n, inputs)` at phases of both feet.

        The clock is the right foot's; the offset gives the left foot its phase.
        """
        slow = _moving(slow)
        period = self.periods(slow)
        time = np.mod(phase_right, 1.0) * period[:, RIGHT]
        slow.T[OFFSETS] = np.mod(phase_left - time / period[:, LEFT], 1.0), np.zeros(len(slow))
        return arrange(self.profile, slow, time, time)

    def outputs(self, slow: np.ndarray, phase_left: np.ndarray, phase_right: np.ndarray) -> np.ndarray:
        """Return the outputs `(n, outputs)`; raises NeuraRigError, naming rule, phase and formula, if one is
        not finite."""
        rows = self.rows(slow, phase_left, phase_right)
        outputs = self._evaluate(rows)
        if not np.isfinite(outputs).all():
            faults = self.profile.check(rows)[len(self.profile.notes) :]
            raise NeuraRigError(f"{faults[0] if faults else 'An output is not finite; check the formulas.'}")
        return outputs

    def active(
        self, slow: np.ndarray, phase_left: np.ndarray, phase_right: np.ndarray
    ) -> dict[str, np.ndarray]:
        """Return, for each binding, the index `(n,)` of its rule's active phase (see
        `Profile.active_phases`)."""
        return self.profile.active_phases(self.rows(slow, phase_left, phase_right))


def _moving(slow: np.ndarray) -> np.ndarray:
    """Return a copy of slow inputs with at least a little speed."""
    slow = np.array(slow, dtype=float)
    slow[:, VELOCITY] = np.maximum(slow[:, VELOCITY], SLOWEST)
    return slow


@dataclass(frozen=True)
class ProfileStance:
    """Stance over speed: `speeds` `(speeds,)` in m/s, all else `(speeds, 2 sides)`.

    `begins`: the profile's own phase, unwrapped over speed; `duty`: share of the cycle. `aside`,
    `aside_per_spacing`: the mean of a
    foot's y in metres at zero lateral spacing, and its slope over the spacing.
    """

    speeds: np.ndarray
    begins: np.ndarray
    duty: np.ndarray
    aside: np.ndarray
    aside_per_spacing: np.ndarray

    def at(self, values: np.ndarray, speed: np.ndarray) -> np.ndarray:
        """Return values of these `(speeds, 2)`, of the left and the right side `(2, ...)`, at speeds
        `(...)`."""
        return np.stack([np.interp(speed, self.speeds, side) for side in values.T])


def find_stance(cycle: ProfilePhases, standing: np.ndarray) -> ProfileStance:
    """Return when a body's feet stand, given its slow inputs `(9,)`; raises NeuraRigError if one never or
    always does."""
    leg = float(legs_of(standing))
    slow = np.repeat(standing[None], len(_VHATS), axis=0)
    slow[:, VELOCITY] = _VHATS * np.sqrt(GRAVITY * leg)
    narrow, wide = slow.copy(), slow.copy()
    narrow[:, SPACINGS], wide[:, SPACINGS] = 0.0, _SPACING * leg
    feet = _cycle(cycle, wide)
    edges = _Edges(
        cycle, wide, floor=feet[..., 2].min(axis=1) + _GROUND * np.ptp(feet[..., 2], axis=1) + 1e-9 * leg
    )
    begins, ends = edges.find()
    beside = _cycle(cycle, narrow)[..., 1].mean(axis=1)
    return ProfileStance(
        speeds=slow[:, 0],
        begins=np.unwrap(begins, period=1.0, axis=0),
        duty=np.mod(ends - begins, 1.0),
        aside=beside,
        aside_per_spacing=(feet[..., 1].mean(axis=1) - beside) / (_SPACING * leg),
    )


def _cycle(cycle: ProfilePhases, slow: np.ndarray) -> np.ndarray:
    """Return the places of both feet over a cycle, `(speeds, phases, 2 sides, 3)`."""
    phases = np.tile(np.arange(_PHASES) / _PHASES, len(slow))
    return _places(cycle, np.repeat(slow, _PHASES, axis=0), phases, phases).reshape(len(slow), _PHASES, 2, 3)


def _places(cycle: ProfilePhases, slow: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the places `(n, 2 sides, 3)` of the feet at phases of both `(n,)`."""
    values = cycle.outputs(slow, left, right)
    begins = {binding.name: binding.offset for binding in cycle.profile.bindings}
    return np.stack([values[:, begins[foot] :][:, :3] for foot in FEET], 1)


class _Edges:
    """The search for the phases at which stance begins and ends; `slow` `(speeds, 9)`, `floor` `(speeds, 2)`
    in metres."""

    def __init__(self, cycle: ProfilePhases, slow: np.ndarray, floor: np.ndarray) -> None:
        self.cycle, self.slow, self.floor = cycle, slow, floor
        names = {foot: cycle.profile.phase_names[foot] for foot in FEET}
        self.named = {
            foot: [n for n, name in enumerate(names[foot]) if _STANDS.search(name)] for foot in FEET
        }
        self.by_name = all(0 < len(self.named[foot]) < len(names[foot]) for foot in FEET)

    def find(self) -> tuple[np.ndarray, np.ndarray]:
        """Return where stance begins and ends `(speeds, 2)`."""
        phases = np.arange(_PHASES) / _PHASES
        every = np.broadcast_to(phases[:, None], (len(self.slow), _PHASES, 2))
        stands = self.stands(every)
        first, last = np.empty(self.floor.shape), np.empty(self.floor.shape)
        for speed, side in np.ndindex(first.shape):
            first[speed, side], last[speed, side] = self._longest(stands[speed, :, side], side)
        # Between the last phase in the air and the first on the ground, and vice versa.
        outside = np.stack([first - 1, last + 1], 1) / _PHASES
        inside = np.stack([first, last], 1) / _PHASES
        for _ in range(_ROUNDS):
            share = np.arange(1, _PARTS) / _PARTS
            between = outside + share[:, None, None, None] * (inside - outside)
            stands = self.stands(between.transpose(1, 0, 2, 3).reshape(len(self.slow), -1, 2)).reshape(
                -1, _PARTS - 1, *inside.shape[1:]
            )
            # The first standing part, counted from the outside; if none, the inside itself.
            first_standing = np.where(stands.any(axis=1), stands.argmax(axis=1), _PARTS - 1)
            step = (inside - outside) / _PARTS
            outside, inside = outside + first_standing * step, outside + (first_standing + 1) * step
        edge = 0.5 * (outside + inside)
        return edge[:, 0], edge[:, 1]

    def stands(self, phases: np.ndarray) -> np.ndarray:
        """Return whether the feet stand at phases `(speeds, n, 2)`, in the same shape."""
        count = phases.shape[1]
        slow = np.repeat(self.slow, count, axis=0)
        left, right = phases[..., LEFT].reshape(-1), phases[..., RIGHT].reshape(-1)
        if self.by_name:
            active = self.cycle.active(slow, left, right)
            return np.stack([np.isin(active[foot], self.named[foot]) for foot in FEET], -1).reshape(
                phases.shape
            )
        now, later = (_places(self.cycle, slow, left + step, right + step) for step in (0.0, _STEP))
        low = now[..., 2] <= np.repeat(self.floor, count, axis=0)
        return (low & (later[..., 0] < now[..., 0])).reshape(phases.shape)

    def _longest(self, stands: np.ndarray, side: int) -> tuple[int, int]:
        """Return the first and last index of the longest run of true values on a circle; the last may lie
        past its end."""
        name = self.cycle.profile.name
        if stands.all():
            raise NeuraRigError(
                f"'{FEET[side]}' of the profile '{name}' never leaves the ground; give its rule a phase for"
                " the swing."
            )
        if not stands.any():
            raise NeuraRigError(
                f"'{FEET[side]}' of the profile '{name}' never moves back on the ground: while it stands x"
                " must fall."
            )
        start = int(np.argmin(stands))  # start in the air, so that no run is cut in two
        turned = np.roll(stands, -start)
        begins = np.flatnonzero(turned & ~np.roll(turned, 1))
        ends = np.flatnonzero(turned & ~np.roll(turned, -1))
        longest = int(np.argmax(ends - begins))
        return int(begins[longest]) + start, int(ends[longest]) + start
