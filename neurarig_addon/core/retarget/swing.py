"""Feet in the air: bridged from one foothold to the next, their soles above the ground.

Between footholds the difference of held and wanted places is bridged: a cubic carries it, with its slope,
from the end of a hold to the
beginning of the next. In a long gap it fades to zero after the first and returns before the second. The
result has no jump in place or
velocity where the wanted motion has none.
"""

import numpy as np

from ..body.feet import Feet
from ..body.sole import Sole
from ..easing import over, smoothstep
from ..geometry.rotation import UP, about_y, from_axis_angle, normalized, norms, rotation_vector, transposed
from .foothold import TOES_BEND, bend_of
from .spans import around

_SOONEST_S = 0.08  # shortest fade
_SLOPE_S = 0.15  # seconds after which the slope's share has faded, so that a fast release does not carry far


def bridged(
    offset: np.ndarray, held: np.ndarray, fps: float, fade_s: float, kick: float | None = None
) -> np.ndarray:
    """Return offsets `(f, n)`: as given where `held` `(f,)`, bridged in between, faded after `fade_s`
    seconds; 0 if nothing is held.

    `kick`: small offsets fade sooner, with at most this acceleration, in units per second squared.
    """
    if held.all():
        return offset
    rows, (last, following) = np.arange(len(held)), around(held)
    has_last, has_next = last >= 0, following < len(rows)
    last, following = np.maximum(last, 0), np.minimum(following, len(rows) - 1)
    gap = np.where(has_last & has_next, following - last, len(rows) + fade_s * fps)
    fades = (_faded_after(offset[row], fade_s, kick) * fps for row in (last, following))
    leaving = _eased(
        rows - last, np.minimum(gap, next(fades)), offset[last], _slope(offset, held, last, -1), fps
    )
    arriving = _eased(
        following - rows,
        np.minimum(gap, next(fades)),
        offset[following],
        _slope(offset, held, following, 1),
        fps,
    )
    between = np.where(has_last[:, None], leaving, 0.0) + np.where(has_next[:, None], arriving, 0.0)
    return np.where(held[:, None], offset, between)


def _faded_after(value: np.ndarray, fade_s: float, kick: float | None) -> np.ndarray:
    """Return the seconds `(f,)` over which values `(f, n)` fade: the cubic accelerates by 6 times the value
    over the time squared."""
    if kick is None:
        return np.full(len(value), fade_s)
    return np.clip(np.sqrt(6.0 * norms(value) / kick), min(_SOONEST_S, fade_s), fade_s)


def _eased(
    since: np.ndarray, frames: np.ndarray, value: np.ndarray, slope: np.ndarray, fps: float
) -> np.ndarray:
    """Return values `(f, n)` that begin as given, with a slope in units per frame, and reach 0 after `frames`
    `(f,)`."""
    length = np.maximum(frames, 1.0)
    share = np.clip(since / length, 0.0, 1.0)[:, None]
    short = np.maximum(np.minimum(frames, _SLOPE_S * fps), 1.0)
    early = np.clip(since / short, 0.0, 1.0)[:, None]
    return (1.0 - smoothstep(share)) * value + early * (1.0 - early) ** 2 * short[:, None] * slope


def _slope(offset: np.ndarray, held: np.ndarray, row: np.ndarray, inward: int) -> np.ndarray:
    """Return the slopes of offsets per frame away from the hold `(f, n)`, at its end rows `row` `(f,)`; 0 for
    a hold of one frame."""
    slopes = np.zeros((len(row), offset.shape[1]))
    for steps in (2, 1):
        inside = np.clip(row + inward * steps, 0, len(held) - 1)
        whole = (
            held[inside]
            & held[np.clip(row + inward, 0, len(held) - 1)]
            & (inside != row)
            & (slopes == 0.0).all(axis=1)
        )
        slopes = np.where(
            whole[:, None],
            (offset[row] - offset[inside]) / np.maximum(np.abs(row - inside), 1)[:, None],
            slopes,
        )
    return slopes


_FADE_S = 0.5  # seconds after which a swinging foot is where the source has it
# leg lengths per second squared: acceleration a fading offset may add to a swing, a fifth of a brisk walk's
# own
_KICK = 20.0
_TOE_FADE_S = 0.2  # seconds after which toes bent on the ground are straight again
_BAND = 0.02  # leg lengths: height at which clearance begins in mid swing
_TOE_BAND = np.radians(3.0)  # pitch of the toes within which they begin to bend up
_PAST_DOWN = np.radians(20.0)  # how far past straight down toes still bend up, less and less
_EDGE_S = 0.12  # seconds after lift and before touch without that band, as the foot is on the ground there


def swung(wanted: Feet, held: Feet, standing: np.ndarray, leg_length: float, fps: float) -> Feet:
    """Return feet that are held where they stand `(f, 2)`, follow the wanted ones far from there, and blend
    in between."""
    return Feet(
        ankle=wanted.ankle + _bridged(held.ankle - wanted.ankle, standing, fps, _FADE_S, _KICK * leg_length),
        turn=_turned(wanted.turn, held.turn, standing, fps, _FADE_S),
        toe=_turned(wanted.toe, held.toe, standing, fps, _TOE_FADE_S),
    )


def _turned(
    wanted: np.ndarray, held: np.ndarray, standing: np.ndarray, fps: float, fade_s: float
) -> np.ndarray:
    apart = _bridged(rotation_vector(held @ transposed(wanted)), standing, fps, fade_s)
    angle = norms(apart)
    turn = from_axis_angle(normalized(apart), angle) @ wanted
    return np.where(standing[..., None, None], held, turn)


def _bridged(
    offset: np.ndarray, standing: np.ndarray, fps: float, fade_s: float, kick: float | None = None
) -> np.ndarray:
    return np.stack(
        [bridged(offset[:, side], standing[:, side], fps, fade_s, kick) for side in range(2)], axis=1
    )


def cleared(
    sole: Sole, feet: Feet, standing: np.ndarray, floor: np.ndarray, leg_length: float, fps: float
) -> Feet:
    """Return feet with soles above the floor `(f, 2)` where they do not stand: first toes bend up, then the
    foot is raised, softly."""
    feet = Feet(
        feet.ankle, feet.turn, np.where(standing[..., None, None], feet.toe, _bent_up(sole, feet, floor))
    )
    height = sole.heights(feet).min(axis=-1) - floor
    band = _BAND * leg_length * _away(standing, fps) ** 2 + 1e-9
    lift = np.where(standing, 0.0, over(-height, band))
    return feet.moved(lift[..., None] * UP)


def _bent_up(sole: Sole, feet: Feet, floor: np.ndarray) -> np.ndarray:
    """Return the toes' rotations `(f, 2, 3, 3)` with their tips not below the floor, as far as toes bend, and
    bending up raises them."""
    ahead, across, above = np.moveaxis(sole.toe - sole.joint, -1, 0)
    axes = feet.toe[..., 2, :]
    # A toe bent up by u has its tip at size sin(u + slant) above the joint; past straight down the sole faces
    # up, and bending lowers it.
    level, steep = axes[..., 2] * ahead - axes[..., 0] * above, axes[..., 0] * ahead + axes[..., 2] * above
    size, slant = np.maximum(np.hypot(level, steep), 1e-9), np.arctan2(steep, level)
    lowest = floor + sole.toe[:, 2] - sole.joints(feet)[..., 2] - axes[..., 1] * across
    needed = over(np.arcsin(np.clip(lowest / size, -1.0, 1.0)) - slant, _TOE_BAND)
    raises = smoothstep((slant + np.pi / 2.0) / _PAST_DOWN + 1.0)
    up = raises * np.minimum(needed, np.maximum(bend_of(feet) + TOES_BEND, 0.0))
    bends = sole.bends & (not sole.on_toes)  # a paw is raised
    return np.where(bends[:, None, None], feet.toe @ about_y(-up), feet.toe)


def _away(standing: np.ndarray, fps: float) -> np.ndarray:
    """Return the distance `(f, 2)` of a frame from a foothold: 0 in it, 1 after EDGE_S."""
    rows, (last, following) = np.arange(len(standing))[:, None], around(standing)
    return np.clip(np.minimum(rows - last, following - rows) / (_EDGE_S * fps), 0.0, 1.0)
