"""Hips and feet of rows on the figure, in the world, without the rest of the body: what the ground has to
know of every frame."""

from dataclasses import dataclass

import numpy as np

from ..body.feet import Feet, angles_of
from ..geometry.rotation import about_x, about_y, about_z, frame, normalized, rotated, transposed
from ..ikrig.encoding import LEGS, SPINE
from .figure import figure
from .rows import COLUMNS, Rows, orientations

PLACE, HEADING, BANK, PITCH, TOE_BANK, TOE_PITCH = slice(0, 3), 3, 4, 5, 6, 7  # columns of feet
TILT, TOE_TILT = slice(BANK, PITCH + 1), slice(TOE_BANK, TOE_PITCH + 1)
FOOT = 8


@dataclass(frozen=True)
class LowerBody:
    """Hips and feet at some frames, in the world.

    `pelvis` `(f, 3)`: its place; `turn` `(f, 3, 3)`: its rotation from rest; `hips` `(f, 2, 3)`: the hip
    joints. `feet` `(f, 2, FOOT)`: the ankle's place, then heading, bank and pitch from standing flat, and the
    toes' bank and pitch.
    """

    pelvis: np.ndarray
    turn: np.ndarray
    hips: np.ndarray
    feet: np.ndarray

    def __len__(self) -> int:
        return len(self.pelvis)

    def __getitem__(self, at: slice) -> "LowerBody":
        return LowerBody(self.pelvis[at], self.turn[at], self.hips[at], self.feet[at])


def lower_body(rows: Rows, places: np.ndarray) -> LowerBody:
    """Return rows as `ikrig.decode` has them; `places` `(f, 3)`: x, y and heading of the ground under
    them."""
    body = figure().character.body
    turn, poses = about_z(places[:, 2]), rows.poses
    above = np.column_stack([np.tile(body.pelvis[:2], (len(poses), 1)), poses[:, COLUMNS[SPINE, "root"]]])
    pelvis = np.column_stack([places[:, :2], np.zeros(len(places))]) + rotated(turn, above)
    rotation = turn @ _pelvis(poses)
    hips = pelvis[:, None] + rotated(rotation[:, None], body.hip - body.pelvis)
    legs = np.stack([poses[:, COLUMNS[leg, "effector"]] for leg in LEGS], axis=1)
    angles = angles_of(np.stack([orientations(poses, leg) for leg in LEGS], axis=1))
    tilt = np.stack([angles.bank, angles.pitch], axis=-1)
    heading = (angles.heading + places[:, 2:])[..., None]
    feet = np.concatenate([hips + rotated(turn[:, None], legs), heading, tilt, tilt], axis=-1)
    return LowerBody(pelvis, rotation, hips, feet)


def feet_of(feet: np.ndarray) -> Feet:
    """Return ankles and rotations of feet `(..., FOOT)`."""
    heading = about_z(feet[..., HEADING])
    return Feet(feet[..., PLACE], heading @ tilted(feet[..., TILT]), heading @ tilted(feet[..., TOE_TILT]))


def tilted(tilt: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)` about y by a pitch, then about x by a bank; `tilt` `(..., 2)`: bank and
    pitch."""
    return about_x(tilt[..., 0]) @ about_y(tilt[..., 1])


def _pelvis(poses: np.ndarray) -> np.ndarray:
    """Return the orientations `(f, 3, 3)` of the pelvis: both legs' roots tell it."""
    now = _across_and_up(*(poses[:, COLUMNS[leg, "root"]] for leg in LEGS))
    return now @ transposed(_across_and_up(*(figure().roots[leg] for leg in LEGS)))


def _across_and_up(left_leg: np.ndarray, right_leg: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)` of directions to the left and the right leg `(..., 3)`."""
    left_leg, right_leg = normalized(left_leg), normalized(right_leg)
    left = normalized(left_leg - right_leg)
    return frame(left, -left_leg - right_leg)
