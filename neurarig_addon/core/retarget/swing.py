"""Feet in the air: bridged from one foothold to the next, their soles above the ground."""

import numpy as np

from ..easing import over
from ..geometry.rotation import about_y, from_axis_angle, normalized, rotation_vector, transposed
from ..ground.feet import Feet, angles_of
from ..ground.sole import Sole
from .bridge import bridged
from .foothold import TOES_BEND

FADE_S = 0.5  # seconds after which a swinging foot is where the source has it
KICK = 20.0  # leg lengths per second squared: acceleration a fading offset may add to a swing, a fifth of a brisk walk's own
TOE_FADE_S = 0.2  # seconds after which toes bent on the ground are straight again
BAND = 0.02  # leg lengths: height at which clearance begins in mid swing
TOE_BAND = np.radians(3.0)  # pitch of the toes within which they begin to bend up
EDGE_S = 0.12  # seconds after lift and before touch without that band, as the foot is on the ground there


def swung(wanted: Feet, held: Feet, standing: np.ndarray, leg_length: float, fps: float) -> Feet:
    """Return feet that are held where they stand `(f, 2)`, follow the wanted ones far from there, and blend in between."""
    return Feet(
        ankle=wanted.ankle + _bridged(held.ankle - wanted.ankle, standing, fps, FADE_S, KICK * leg_length),
        turn=_turned(wanted.turn, held.turn, standing, fps, FADE_S),
        toe=_turned(wanted.toe, held.toe, standing, fps, TOE_FADE_S),
    )


def _turned(wanted: np.ndarray, held: np.ndarray, standing: np.ndarray, fps: float, fade_s: float) -> np.ndarray:
    apart = _bridged(rotation_vector(held @ transposed(wanted)), standing, fps, fade_s)
    angle = np.linalg.norm(apart, axis=-1)
    turn = from_axis_angle(normalized(apart), angle) @ wanted
    return np.where(standing[..., None, None], held, turn)


def _bridged(offset: np.ndarray, standing: np.ndarray, fps: float, fade_s: float, kick: float | None = None) -> np.ndarray:
    return np.stack([bridged(offset[:, side], standing[:, side], fps, fade_s, kick) for side in range(2)], axis=1)


def cleared(sole: Sole, feet: Feet, standing: np.ndarray, floor: np.ndarray, leg_length: float, fps: float) -> Feet:
    """Return feet with soles above the floor `(f, 2)` where they do not stand: first toes bend up, then the foot is raised, softly."""
    feet = Feet(feet.ankle, feet.turn, np.where(standing[..., None, None], feet.toe, _bent_up(sole, feet, floor)))
    height = sole.heights(feet).min(axis=-1) - floor
    band = BAND * leg_length * _away(standing, fps) ** 2 + 1e-9
    lift = np.where(standing, 0.0, over(-height, band))
    return Feet(feet.ankle + lift[..., None] * [0.0, 0.0, 1.0], feet.turn, feet.toe)


def _bent_up(sole: Sole, feet: Feet, floor: np.ndarray) -> np.ndarray:
    """Return the toes' rotations `(f, 2, 3, 3)` with their tips not below the floor, as far as toes bend."""
    joint = sole.joints(feet)
    length = np.maximum(np.hypot(sole.toe[:, 0] - sole.joint[:, 0], sole.toe[:, 2] - sole.joint[:, 2]), 1e-9)
    slant = np.arcsin(np.clip((sole.joint[:, 2] - sole.toe[:, 2]) / length, -1.0, 1.0))
    lowest = np.arcsin(np.clip((joint[..., 2] - floor - sole.toe[:, 2]) / length, -1.0, 1.0)) - slant
    angles = angles_of(feet.toe)
    up = np.minimum(over(angles.pitch - lowest, TOE_BAND), np.maximum(angles.pitch - angles_of(feet.turn).pitch + TOES_BEND, 0.0))
    return np.where(sole.bends[:, None, None], feet.toe @ about_y(-up), feet.toe)


def _away(standing: np.ndarray, fps: float) -> np.ndarray:
    """Return the distance `(f, 2)` of a frame from a foothold: 0 in it, 1 after EDGE_S."""
    rows = np.arange(len(standing))[:, None]
    last = np.maximum.accumulate(np.where(standing, rows, -len(rows)), axis=0)
    following = np.minimum.accumulate(np.where(standing, rows, 3 * len(rows))[::-1], axis=0)[::-1]
    return np.clip(np.minimum(rows - last, following - rows) / (EDGE_S * fps), 0.0, 1.0)
