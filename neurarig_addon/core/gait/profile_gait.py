"""A logic profile as a walk source: its formulas give the feet and the pelvis, and its own stride and duty factor the plan.

A profile's local space is the walk frame that moves with the root: x forward, y to the left, z up, metres; yaw, pitch and roll about z, y
and x, positive pitch with the toes down.  Offsets are from standing.  Where a foot stands aside is the plan's, so the mean of its y does
not count, and the plan's cycle begins where the profile's foot begins to stand.  What a profile does not say, the human gait adds: chest
(unless a binding `spine` turns it), head and arms.
"""

from functools import lru_cache
from typing import Protocol

import numpy as np

from ..body import LEFT, RIGHT, Body
from ..errors import NeuraRigError
from ..logic.contract import SLOW
from ..logic.profile import Profile
from .channels import CHANNELS, NEURARIG_OUTPUTS, POSE_AXES, SLICES
from .cycle import dimensionless_speed
from .feet import moving
from .profile_phases import BONES, OFFSET_LEFT, OFFSET_RIGHT, SPACING_LEFT, SPACING_RIGHT, Evaluate, ProfilePhases
from .profile_stance import FEET, Stance, find_stance

SPINE = "spine"
_OWN_SPACING = {LEFT: SPACING_LEFT, RIGHT: SPACING_RIGHT}


class GaitShape(Protocol):
    """Whatever gives the curves of a walk: the network, the plain walk, a profile."""

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return channels `(frames, 46)` (see GaitNetwork.sample)."""
        ...


class ProfileGait:
    """The shapes (`sample`) and the law (`stride`, `duty`, see GaitLaw) of one profile; `human` gives what the profile leaves out."""

    least_duty, most_duty = 0.15, 0.92
    cornered = True

    def __init__(self, profile: Profile, human: GaitShape, evaluate: Evaluate | None = None) -> None:
        """`evaluate`, of a network trained on the profile, may give the outputs in place of its formulas.

        Raises NeuraRigError where the profile has no feet, is no walk, or does not say how long its cycle is.
        """
        self.profile = profile
        self._human = human
        self._asked = ProfilePhases(profile, evaluate)
        self._blocks = _blocks(profile)
        self._stance_of = lru_cache(maxsize=4)(self._find_stance)

    def stride(self, speed: np.ndarray, body: Body) -> np.ndarray:
        """Return metres a cycle for speeds in m/s: speed times the profile's own period, the mean of both legs."""
        speed = np.asarray(speed, dtype=float)
        slow = np.repeat(_standing(body)[None], speed.size, axis=0)
        slow[:, 0] = speed.reshape(-1)
        return speed * self._asked.periods(slow).mean(axis=-1).reshape(speed.shape)

    def duty(self, speed: np.ndarray, body: Body, side: np.ndarray | int) -> np.ndarray:
        """Return the share of the cycle in which the profile's foot stands, for speeds in m/s and sides."""
        stance = self.stance(_standing(body))
        speed, side = np.broadcast_arrays(np.asarray(speed, dtype=float), side)
        return np.where(side == LEFT, stance.duty_at(speed, LEFT), stance.duty_at(speed, RIGHT))

    def lead(self, speed: np.ndarray, body: Body) -> np.ndarray:
        """Return 0: the profile says itself where the pelvis is."""
        return np.zeros_like(speed, dtype=float)

    def stance(self, slow: np.ndarray) -> Stance:
        """Return when the feet of the body in slow inputs `(9,)` stand."""
        return self._stance_of(tuple(slow[BONES].tolist()))

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return channels `(frames, 46)` for slow inputs `(frames or 1, 9)` and foot phases `(frames,)`; see GaitNetwork.sample.

        Raises NeuraRigError, naming the formula, where the profile gives no number.
        """
        given = np.asarray(slow, dtype=float)
        stance = self.stance(given[0])
        # At the phases as they are: brought to the human duty factor the arms would have corners where the feet lift.
        values = np.array(self._human.sample(given, phase_right, phase_left))
        slow = np.broadcast_to(given, (len(phase_right), SLOW))
        begins = [stance.begins_at(slow[:, 0], side) for side in (LEFT, RIGHT)]
        own = self._asked.outputs(slow, phase_left + begins[LEFT], phase_right + begins[RIGHT])
        self._put(values, own * moving(dimensionless_speed(slow[:, 0], 0.5 * given[0, BONES].sum()))[:, None], slow, stance)
        return values

    def channels_of(self, inputs: np.ndarray, outputs: np.ndarray) -> np.ndarray:
        """Return channels `(n, 46)` for the profile's own inputs `(n, inputs)` of one body, and outputs `(n, outputs)` from anywhere."""
        slow, time = inputs[:, :SLOW], inputs[:, SLOW]
        stance, period = self.stance(slow[0]), self._asked.periods(slow)
        left, right = (
            time / period[:, side] + slow[:, offset] - stance.begins_at(slow[:, 0], side)
            for side, offset in ((LEFT, OFFSET_LEFT), (RIGHT, OFFSET_RIGHT))
        )
        values = np.array(self._human.sample(slow, right, left))
        self._put(values, outputs, slow, stance)
        return values

    def _put(self, values: np.ndarray, outputs: np.ndarray, slow: np.ndarray, stance: Stance) -> None:
        """Put the profile's outputs into channels."""
        values[:, : SLICES["pelvis"].start] = 0.0
        for name, columns in self._blocks.items():
            values[:, SLICES["chest" if name == SPINE else name]] = outputs[:, columns]
        moves = moving(dimensionless_speed(slow[:, 0], 0.5 * slow[0, BONES].sum()))
        for side, foot in enumerate(FEET):
            aside = stance.aside_at(slow[:, 0], slow[:, _OWN_SPACING[side]], side)
            values[:, SLICES[foot].start + POSE_AXES.index("y")] -= aside * moves

    def _find_stance(self, bones: tuple[float, ...]) -> Stance:
        standing = np.zeros(SLOW)
        standing[BONES] = bones
        return find_stance(self._asked, standing)


def _standing(body: Body) -> np.ndarray:
    """Return a body's slow inputs `(9,)` but for speed, offsets and spacings."""
    slow = np.zeros(SLOW)
    slow[BONES] = [body.thigh_length[RIGHT], body.shin_length[RIGHT], body.thigh_length[LEFT], body.shin_length[LEFT]]
    return slow


def _blocks(profile: Profile) -> dict[str, slice]:
    """Return the output columns of the bindings that a walk knows: all six of each block, of `spine` its turn."""
    found = {}
    for binding in profile.bindings:
        if binding.name != SPINE and binding.name not in (name.partition(".")[0] for name in CHANNELS[:NEURARIG_OUTPUTS]):
            continue
        if binding.size != len(POSE_AXES):
            raise NeuraRigError(f"The binding '{binding.name}' has {binding.size} outputs; a walk needs x, y, z, pitch, yaw, roll.")
        turn = 3 if binding.name == SPINE else 0
        found[binding.name] = slice(binding.offset + turn, binding.offset + binding.size)
    for foot in FEET:
        if foot not in found:
            raise NeuraRigError(f"The profile '{profile.name}' has no binding '{foot}', so it is no walk; add one, or choose another.")
    return found
