"""A logic profile as a gait: its formulas give feet and pelvis, its own stride and duty factor the plan.

A profile's local space is the walk frame that moves with the root: x forward, y to the left, z up, metres;
yaw, pitch and roll about z, y
and x, positive pitch with the toes down. Offsets are from standing. The plan decides the step width, so the
mean of a foot's y does
not count, and the plan's cycle begins where the profile's foot begins to stand. The human gait adds what a
profile lacks: chest
(unless a `spine` binding turns it), head and arms.
"""

from functools import lru_cache

import numpy as np

from ...character.body import LEFT, RIGHT
from ...contract.channels import CHANNELS, NEURARIG_OUTPUTS, POSE_AXES, SLICES
from ...contract.inputs import BONES, OFFSETS, SLOW, SPACINGS, VELOCITY, legs_of
from ...errors import NeuraRigError
from ...logic.profile import Profile
from .contacts import TURNS, moving
from .gait import GaitShape
from .law import LONGEST_WALKING_STRIDE
from .natural import dimensionless_speed
from .profile_cycle import FEET, Evaluate, ProfilePhases, ProfileStance, find_stance

SPINE = "spine"


class ProfileGait:
    """Shapes (`sample`) and law (`stride`, `duty`, see GaitLaw) of a profile; `human` fills in what it leaves
    out."""

    least_duty, most_duty = 0.15, 0.92
    longest_stride = LONGEST_WALKING_STRIDE
    cornered = True
    runs = False
    changes_at = ()
    contacts = TURNS

    def __init__(self, profile: Profile, human: GaitShape, evaluate: Evaluate | None = None) -> None:
        """`evaluate` may give the outputs in place of the formulas, such as a network trained on the profile.

        Raises NeuraRigError if the profile has no feet, is no walk, or does not give the length of its cycle.
        """
        self.profile = profile
        self._human = human
        self._cycle = ProfilePhases(profile, evaluate)
        self._blocks = _blocks(profile)
        self._stance_of = lru_cache(maxsize=4)(self._find_stance)

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """Return metres per cycle `(...)`: speed times the profile's period, the mean of both legs."""
        speed = slow[..., VELOCITY]
        return speed * self._cycle.periods(slow.reshape(-1, SLOW)).mean(axis=-1).reshape(speed.shape)

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """Return the share of the cycle in which the profile's foot stands, for one body's slow inputs and
        contacts."""
        speed, side = np.broadcast_arrays(slow[..., VELOCITY], which)
        if not speed.size:
            return np.zeros(speed.shape)
        stance = self.stance(slow.reshape(-1, SLOW)[0])
        return np.where(side == LEFT, *stance.at(stance.duty, speed))

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """Return 0: the profile itself places the pelvis."""
        return np.zeros(slow.shape[:-1])

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return 0 `(...)`: the profile itself moves the body up and down."""
        return np.zeros(slow.shape[:-1])

    def stance(self, slow: np.ndarray) -> ProfileStance:
        """Return when the feet stand, for the body in slow inputs `(9,)`."""
        return self._stance_of(tuple(slow[BONES].tolist()))

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return channels `(frames, 46)` for slow inputs `(frames or 1, 9)` and foot phases `(frames,)`; see
        GaitShape.

        Raises NeuraRigError, naming the formula, if the profile gives no number.
        """
        given = np.asarray(slow, dtype=float)
        stance = self.stance(given[0])
        # At unwarped phases: warped to the human duty factor, the arms would have corners where the feet
        # lift.
        values = np.array(self._human.sample(given, phase_right, phase_left))
        slow = np.broadcast_to(given, (len(phase_right), SLOW))
        begins = stance.at(stance.begins, slow[:, VELOCITY])
        own = self._cycle.outputs(slow, phase_left + begins[LEFT], phase_right + begins[RIGHT])
        self._put(
            values,
            own * moving(dimensionless_speed(slow[:, VELOCITY], float(legs_of(given[0]))))[:, None],
            slow,
            stance,
        )
        return values

    def channels_of(self, inputs: np.ndarray, outputs: np.ndarray) -> np.ndarray:
        """Return channels `(n, 46)` for the profile's inputs `(n, inputs)` of one body and outputs `(n,
        outputs)` from any source."""
        slow, time = inputs[:, :SLOW], inputs[:, SLOW]
        stance, period = self.stance(slow[0]), self._cycle.periods(slow)
        begins = stance.at(stance.begins, slow[:, VELOCITY])
        left, right = time / period.T + slow.T[OFFSETS] - begins
        values = np.array(self._human.sample(slow, right, left))
        self._put(values, outputs, slow, stance)
        return values

    def _put(self, values: np.ndarray, outputs: np.ndarray, slow: np.ndarray, stance: ProfileStance) -> None:
        """Put the profile's outputs into channels."""
        values[:, : SLICES["pelvis"].start] = 0.0
        for name, columns in self._blocks.items():
            values[:, SLICES["chest" if name == SPINE else name]] = outputs[:, columns]
        moves = moving(dimensionless_speed(slow[:, VELOCITY], float(legs_of(slow[0]))))
        narrow, wider = (
            stance.at(each, slow[:, VELOCITY]) for each in (stance.aside, stance.aside_per_spacing)
        )
        for foot, aside in zip(FEET, narrow + slow.T[SPACINGS] * wider, strict=True):
            values[:, SLICES[foot].start + POSE_AXES.index("y")] -= aside * moves

    def _find_stance(self, bones: tuple[float, ...]) -> ProfileStance:
        standing = np.zeros(SLOW)
        standing[BONES] = bones
        return find_stance(self._cycle, standing)


def _blocks(profile: Profile) -> dict[str, slice]:
    """Return the output columns of the bindings a walk uses: all six of each block, only the rotation of
    `spine`."""
    columns = {}
    for binding in profile.bindings:
        if binding.name != SPINE and binding.name not in (
            name.partition(".")[0] for name in CHANNELS[:NEURARIG_OUTPUTS]
        ):
            continue
        if binding.size != len(POSE_AXES):
            raise NeuraRigError(
                f"The binding '{binding.name}' has {binding.size} outputs; a walk needs x, y, z, pitch, yaw,"
                " roll."
            )
        turn = 3 if binding.name == SPINE else 0
        columns[binding.name] = slice(binding.offset + turn, binding.offset + binding.size)
    for foot in FEET:
        if foot not in columns:
            raise NeuraRigError(
                f"The profile '{profile.name}' has no binding '{foot}', so it is not a walk; add one, or"
                " choose another."
            )
    return columns
