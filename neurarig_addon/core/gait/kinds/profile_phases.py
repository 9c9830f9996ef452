"""A logic profile evaluated at the phase of each foot instead of at a time, for its gait and its drawn curves."""

from collections.abc import Callable

import numpy as np

from ...character.body import LEFT, RIGHT
from ...contract.inputs import OFFSETS, SLOW, VELOCITY
from ...errors import NeuraRigError
from ...logic.contract import arrange
from ...logic.profile import PERIOD, Profile

SLOWEST = 1e-3  # m/s; at rest there is no period
Evaluate = Callable[[np.ndarray], np.ndarray]  # inputs (n, inputs) -> outputs (n, outputs)
_AS_THE_LEFT = [0, *range(5, SLOW), *range(1, 5)]  # the left side's columns, in the order of the right side's


class ProfilePhases:
    """A profile driven by `t_cycle`; slow inputs are `(n, 9)` (see `contract.inputs`), phases `(n,)` in its own cycles."""

    def __init__(self, profile: Profile, evaluate: Evaluate | None = None) -> None:
        """`evaluate` may give the outputs in place of the profile's formulas.

        Raises NeuraRigError if the profile is no walk or does not give the length of its cycle.
        """
        self.profile = profile
        self._evaluate = evaluate or profile.evaluate
        lonely = np.ones((1, SLOW))
        if profile.period(arrange(profile, lonely, np.zeros(1), np.zeros(1))) is None:
            raise NeuraRigError(f"No Logic of the profile '{profile.name}' has '{PERIOD}', the seconds of a cycle; add it, and use it.")

    def periods(self, slow: np.ndarray) -> np.ndarray:
        """Return the seconds `(n, 2)` of the left and right leg's cycle; raises NeuraRigError if one is not positive."""
        slow = _moving(slow)
        none = np.zeros(len(slow))
        sides = [self.profile.period(arrange(self.profile, side, none, none)) for side in (slow[:, _AS_THE_LEFT], slow)]
        found = np.stack([side for side in sides if side is not None], -1)
        if not (np.isfinite(found) & (found > 0.0)).all():
            speed = float(slow[np.argmin((np.isfinite(found) & (found > 0.0)).all(axis=-1)), 0])
            raise NeuraRigError(f"'{PERIOD}' of the profile '{self.profile.name}' is not a time at {speed:.3g} m/s; check its formula.")
        return found

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
        """Return the outputs `(n, outputs)`; raises NeuraRigError, naming rule, phase and formula, if one is not finite."""
        rows = self.rows(slow, phase_left, phase_right)
        found = self._evaluate(rows)
        if not np.isfinite(found).all():
            faults = self.profile.check(rows)[len(self.profile.notes) :]
            raise NeuraRigError(f"{faults[0] if faults else 'An output is not finite; check the formulas.'}")
        return found

    def active(self, slow: np.ndarray, phase_left: np.ndarray, phase_right: np.ndarray) -> dict[str, np.ndarray]:
        """Return, for each binding, the index `(n,)` of its rule's active phase (see `Profile.active_phases`)."""
        return self.profile.active_phases(self.rows(slow, phase_left, phase_right))


def _moving(slow: np.ndarray) -> np.ndarray:
    """Return a copy of slow inputs with at least a little speed."""
    slow = np.array(slow, dtype=float)
    slow[:, VELOCITY] = np.maximum(slow[:, VELOCITY], SLOWEST)
    return slow
