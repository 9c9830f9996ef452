"""The foot as a rocker in 3-D: heel, flat, ball, toe tip. The pivot never moves, however the foot is rotated.

Pitch is about the foot's own left axis: negative has the toes up, positive the heel up.
"""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import about_y, about_z, rotated
from .feet import BALL, FLAT, HEEL, TOE, Feet, angles_of
from .sole import Sole

# Pitch within this is flat: the pivot then changes at rest, so that the ankle's velocity does not jump.
FLAT_BAND = np.radians(2.0)
# The toes stay flat until the heel is pitched this much farther than they bend: the tip takes over only at
# the very end.
TOE_PRESS = np.radians(6.0)


def flattened(pitch: np.ndarray) -> np.ndarray:
    """Return a pitch that is exactly 0 around flat, with a continuous slope (see FLAT_BAND)."""
    size = np.abs(pitch)
    bent = np.where(
        size < 3 * FLAT_BAND, np.maximum(size - FLAT_BAND, 0.0) ** 2 / (4 * FLAT_BAND), size - 2 * FLAT_BAND
    )
    return np.sign(pitch) * bent


def unflattened(pitch: np.ndarray) -> np.ndarray:
    """Return the pitch that `flattened` maps to the given one (at 0, where several do, 0)."""
    size = np.abs(pitch)
    raw = np.where(size < FLAT_BAND, FLAT_BAND + np.sqrt(4 * FLAT_BAND * size), size + 2 * FLAT_BAND)
    return np.where(size > 0.0, np.sign(pitch) * raw, 0.0)


@dataclass(frozen=True)
class Roll:
    """Feet on their prints, `(..., 2, ...)`, in the prints' axes: `ankle` from the print, `turn` and `toe`
    from flat, the pivot."""

    ankle: np.ndarray
    turn: np.ndarray
    toe: np.ndarray
    pivot: np.ndarray


def rolled(sole: Sole, turn: np.ndarray, pitch: np.ndarray, toe_pitch: np.ndarray) -> Roll:
    """Return feet on their prints, rotated by `turn` `(..., 2, 3, 3)` in the prints' axes.

    With toes up (`pitch` `(..., 2)` below 0) the heel stays, level (0) the sole, with heel up the ball, the
    toes flat; with toes pitched too (`toe_pitch` `(..., 2)` above 0), or a foot in one piece, the tip stays.
    A foot that stands on its toes alone stays on them whatever its pitch.
    """
    toes_up, heel_up = (pitch < 0.0) & (not sole.on_toes), (pitch > 0.0) | sole.on_toes
    lifted = about_y(toe_pitch)
    on_heel = toes_up[..., None]
    pivot_at = np.where(on_heel, sole.heel, sole.toe + rotated(lifted, sole.joint - sole.toe))
    ankle = pivot_at + rotated(turn, sole.ankle - np.where(on_heel, sole.heel, sole.joint))
    toe = np.where((sole.bends & ~toes_up)[..., None, None], lifted, turn)
    pivot = np.where(
        toes_up, HEEL, np.where(~heel_up, FLAT, np.where((toe_pitch > 0.0) | ~sole.bends, TOE, BALL))
    )
    return Roll(ankle, turn, toe, pivot)


def pitched(sole: Sole, pitch: np.ndarray, toes: np.ndarray) -> np.ndarray:
    """Return the pitches of feet and toes `(..., 2, 2)` on the ground for wanted ones `(..., 2)`: flat around
    level, toes flat until they are pitched themselves."""
    foot = np.maximum(pitch, sole.least_pitch) if sole.on_toes else flattened(pitch)
    lifted = np.where(sole.bends & (foot > 0.0), flattened(np.maximum(toes, 0.0)), 0.0)
    return np.stack([foot, np.where(sole.bends & ((foot >= 0.0) | sole.on_toes), lifted, foot)], axis=-1)


def rolling(sole: Sole, pitches: np.ndarray) -> Roll:
    """Return feet on their prints, as `pitched`."""
    foot, toes = np.moveaxis(pitches, -1, 0)
    return rolled(sole, about_y(foot), foot, np.maximum(toes, 0.0))


def under(sole: Sole, feet: Feet) -> tuple[np.ndarray, np.ndarray]:
    """Return the prints that both feet would have if planted: places `(f, 2, 3)` and headings `(f, 2)`."""
    angles, toes = angles_of(feet.turn), angles_of(feet.toe)
    bent = np.where((angles.pitch > 0.0) | sole.on_toes, np.maximum(toes.pitch, 0.0), 0.0)
    roll = rolled(sole, about_y(angles.pitch), angles.pitch, bent)
    return feet.ankle - rotated(about_z(angles.heading), roll.ankle), angles.heading
