"""The feet of a clip, independent of rest poses, and what flat means for them."""

from collections.abc import Mapping

import numpy as np

from ..body.feet import Feet, angles_of
from ..character.character import Character
from ..character.motion import Motion
from ..geometry.rotation import about_x, about_y, about_z, transposed
from ..ikrig.encoding import Contacts
from ..skeleton.roles import SIDES, sided
from .contacts import foot_role
from .spans import flags_of

FEWEST_FLAT_S = 0.05  # seconds: shorter flat contacts do not calibrate a foot
STEEPEST_FLAT = np.radians(40.0)  # largest error of a rest pose
_SOLE_DOWN = np.cos(np.radians(60.0))  # a foot tilted farther lies


def read_feet(character: Character, motions: Mapping[str, Motion]) -> Feet:
    """Return the feet of a pose relative to the reference pose; missing toes follow the foot.

    A leg without a foot stands on its ankle, regardless of its rotation.
    """
    feet, toes = [], []
    for side in SIDES:
        foot = _from_reference(character, motions, foot_role(motions, side))
        if sided("foot", side) not in motions:
            foot = about_z(angles_of(foot).heading)
        feet.append(foot)
        toes.append(
            _from_reference(character, motions, sided("toe", side)) if sided("toe", side) in motions else foot
        )
    ankle = [
        motions[foot_role(motions, side)].carry(character.body.ankle[row]) for row, side in enumerate(SIDES)
    ]
    return Feet(np.stack(ankle, 1), np.stack(feet, 1), np.stack(toes, 1))


def _from_reference(character: Character, motions: Mapping[str, Motion], role: str) -> np.ndarray:
    return motions[role].rotation @ character.reference[role].T


def flat_frames(contacts: Contacts, frames: int) -> np.ndarray:
    """Return when heel and ball of each foot both stand `(f, 2)`."""
    touching = touching_frames(contacts, frames)
    return touching[..., 0] & touching[..., 1]


def touching_frames(contacts: Contacts, frames: int) -> np.ndarray:
    """Return when the heel and the ball of each foot stand `(f, 2, 2)`."""
    return np.stack([_point_frames(contacts, point, frames) for point in ("heel", "ball")], axis=-1)


def standing_of(touching: np.ndarray) -> np.ndarray:
    """Return when feet stand `(f, 2)`, given when heel and ball do `(f, 2, 2)`."""
    return touching[..., 0] | touching[..., 1]


def _point_frames(contacts: Contacts, point: str, frames: int) -> np.ndarray:
    return np.stack([flags_of(contacts.of(sided(point, side)), frames) for side in SIDES], axis=1)


def calibrated(feet: Feet, flat: np.ndarray, fps: float, on_toes: bool = False) -> Feet:
    """Return feet corrected so that, in the median, `flat` `(f, 2)` ones have a pure heading.

    The rest pose does not show how a foot is flat: motion capture skeletons rest with legs apart and feet
    banked. A foot that is never flat takes the other one's correction, mirrored. `on_toes`: only toes are.
    """
    turn, toe = (
        _calibrated(given, flat, max(2, round(FEWEST_FLAT_S * fps))) for given in (feet.turn, feet.toe)
    )
    return Feet(feet.ankle, feet.turn if on_toes else turn, toe)


def _calibrated(turn: np.ndarray, flat: np.ndarray, fewest: int) -> np.ndarray:
    angles = angles_of(turn)
    rests: list[tuple[float, float] | None] = []
    for side in range(2):
        rows = flat[:, side] & (turn[:, side, 2, 2] > _SOLE_DOWN)
        rest = (
            (float(np.median(angles.bank[rows, side])), float(np.median(angles.pitch[rows, side])))
            if rows.sum() >= fewest
            else None
        )
        rests.append(rest)
    left, right = rests
    left = left or ((-right[0], right[1]) if right else (0.0, 0.0))
    right = right or (-left[0], left[1])
    bank, pitch = np.clip(np.array([left, right]).T, -STEEPEST_FLAT, STEEPEST_FLAT)
    return turn @ transposed(about_x(bank) @ about_y(pitch))
