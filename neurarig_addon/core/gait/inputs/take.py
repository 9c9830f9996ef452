"""A recorded walk as a value: its differences from the planned walk, step by step.

Nothing in it is tied to a frame: pace and strides depend on the distance, prints on the step, curves on a
foot's phase. So
it adapts to another speed, path or ground and to edited prints, and its contacts are exact like any walk's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ...character.body import LEFT, RIGHT
from ...contract.channels import CHANNELS, IS_LENGTH, OF_FEET, PLACES
from ...easing import catmull_rom, smoothstep
from ...errors import NeuraRigError
from ...geometry.rotation import from_rotation_vector
from ...path.path import Path
from ...path.timetable import Timed
from ...path.variants import Slowed

SAMPLES = 32  # curve samples per cycle
FADES = 0.5  # cycles over which the curves fade in before the first recorded phase and out after the last
SETTLES = 1.0  # leg lengths over which its pace and strides fade
FOOT = ("x", "y", "z", "pitch", "yaw", "roll", "bend")
FOOT_IS_LENGTH = np.array([axis in PLACES for axis in FOOT])
ABOVE = np.flatnonzero(~OF_FEET)
ABOVE_IS_LENGTH = IS_LENGTH[ABOVE]
KNEES = 2
AHEAD, OUTWARD, TOE_OUT, DUTY = range(4)


@dataclass(frozen=True)
class Take:
    """A recorded walk's differences from the planned one; lengths in leg lengths, angles in radians.

    `at` `(m,)`: distances since the walk's start, rising; `paces` and `strides` `(m,)`: factors on speed and
    stride there.
    `beat`: cycles by which the right foot strikes early.
    `first`: number of the first of `steps` `(n, 2, 4)`, left and right: additions ahead, outward, to the
    toe-out, and to the share of
    the cycle on the ground.
    `begins`, `ends` `(2,)`: recorded range in phases of the left and right foot. `start`: phase of the first
    row of curves.
    `above` `(rows, 24)`: added to the channels ABOVE, and to both knees' outward direction, over the left
    foot's phase.
    `feet` `(rows, 2, 7)`: added to the FOOT of each side, over its own natural phase.
    `turns`: role above the pelvis -> extra rotation vectors `(rows, 3)` of its bone, over the left foot's
    phase.
    """

    name: str
    vhat: float
    at: np.ndarray
    paces: np.ndarray
    strides: np.ndarray
    beat: float
    first: int
    steps: np.ndarray
    begins: np.ndarray
    ends: np.ndarray
    start: int
    above: np.ndarray
    feet: np.ndarray
    turns: Mapping[str, np.ndarray] = field(default_factory=dict)

    def paced(self, path: Path, leg_length: float, strength: float) -> Path:
        """Return the path walked at the recorded paces, as far as `strength` says; a path timed by keys keeps
        its own.

        Raises NeuraRigError for a closed path.
        """
        if path.lap:
            raise NeuraRigError(
                "A closed path repeats, and a recorded walk does not. Open the path, or remove the recorded"
                " walk."
            )
        if strength <= 0.0 or isinstance(path, Timed):
            return path
        at, shares = self._settled(self.paces)
        at = at * leg_length
        inside = (at >= (0.0 if path.starts else -np.inf)) & (at <= path.extent[1])
        return Slowed(path, at[inside], shares[inside] ** strength) if inside.sum() > 1 else path

    def stride_factor(self, distance: np.ndarray, leg_length: float, strength: np.ndarray) -> np.ndarray:
        """Return the factors on strides `(...)` at distances in metres `(...)`."""
        return np.interp(distance / leg_length, *self._settled(self.strides)) ** strength

    def _settled(self, factors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return places and factors extended to 1 at SETTLES before the first place and after the last."""
        ease = np.linspace(0.0, 1.0, 9)
        comes, goes = self.at[0] - SETTLES * (1.0 - ease[:-1]), self.at[-1] + SETTLES * ease[1:]
        share = smoothstep(ease[:-1])
        values = [factors[0] ** share, factors, factors[-1] ** (1.0 - smoothstep(ease[1:]))]
        return np.concatenate([comes, self.at, goes]), np.concatenate(values)

    def of_steps(self, contact: np.ndarray) -> np.ndarray:
        """Return the additions `(..., 2, 4)` to steps that begin at phases `contact` `(..., 2)`; zero outside
        the recording."""
        row = np.rint(contact).astype(int) - self.first
        inside = (row >= 0) & (row < len(self.steps))
        added = self.steps[np.clip(row, 0, len(self.steps) - 1), np.array([LEFT, RIGHT])]
        return np.where(inside[..., None], added, 0.0)

    def of_body(self, phase: np.ndarray, leg_length: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the additions to all channels `(f, 46)` and to the knees' outward direction `(f, 2)`, at
        left-foot phases `(f,)`."""
        added = self._held(self.above, phase, LEFT)
        values = np.zeros((len(phase), len(CHANNELS)))
        values[:, ABOVE] = added[:, : len(ABOVE)] * np.where(ABOVE_IS_LENGTH, leg_length, 1.0)
        return values, added[:, len(ABOVE) :]

    def of_bones(self, phase: np.ndarray, strength: np.ndarray) -> dict[str, np.ndarray]:
        """Return role -> extra rotations `(f, 3, 3)` of bones at left-foot phases `(f,)`, scaled by
        `strength` `(f,)`."""
        if not self.turns:
            return {}
        vectors = (
            self._held(np.stack(list(self.turns.values()), axis=1), phase, LEFT) * strength[:, None, None]
        )
        rotations = from_rotation_vector(vectors)
        return {role: rotations[:, row] for row, role in enumerate(self.turns)}

    def of_feet(self, phase: np.ndarray, leg_length: float) -> np.ndarray:
        """Return the additions to each side's FOOT `(..., 2, 7)` at natural phases `(..., 2)` counted from
        the walk's start."""
        both = [self._held(self.feet[:, side], phase[..., side], side) for side in (LEFT, RIGHT)]
        return np.stack(both, axis=-2) * np.where(FOOT_IS_LENGTH, leg_length, 1.0)

    def _held(self, rows: np.ndarray, phase: np.ndarray, side: int) -> np.ndarray:
        """Return curves `(rows, n)` at phases `(...)`; outside the recording they fade."""
        begins, ends = self.begins[side], self.ends[side]
        away = np.maximum(begins - phase, phase - ends)
        inside = np.clip(phase, begins, ends)
        curves = catmull_rom(rows, (inside - self.start) * SAMPLES)
        return curves * (1.0 - smoothstep(away / FADES)).reshape(
            away.shape + (1,) * (curves.ndim - away.ndim)
        )
