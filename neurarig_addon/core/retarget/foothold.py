"""Feet on the ground: the pivot of a standing foot stays, whatever its rotation does.

The rocker of a generated walk (`body.rocker`): toes up, the foot turns about the heel; level, it stands on
its sole; heel up,
it turns about the ball, and at the end the toes leave over their tip. A band around level is flattened, so a
pivot changes while
the foot is at rest, and all pivots follow from one shared print: slip is zero by construction.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..body.feet import BALL, FLAT, HEEL, SWING, TOE, Feet, angles_of
from ..body.rocker import Roll, flattened, pitched, rolled
from ..body.sole import Sole
from ..easing import smooth_between, smoothstep
from ..geometry.rotation import (
    ON_GROUND,
    about_y,
    about_z,
    from_rotation_vector,
    norms,
    rotated,
    rotation_vector,
    to_quaternion,
    transposed,
)
from .spans import intervals_of, kept, rates, smoothed, touched

# Pitch: below the first a foot is flat, above the second its pitch is the source's, above the third its bank
# and twist too.
FLAT_WITHIN, PITCH_FREE, BANK_FREE = np.radians(2.0), np.radians(12.0), np.radians(40.0)
NEVER_FLAT = np.radians(6.0)  # a foothold whose heel is always pitched up this far is on tiptoe
TOES_BEND = np.radians(45.0)  # the toes stay flat up to this pitch of the heel
TOES_TOLD, TOES_FREE, TOES_TELL = np.radians(
    [60.0, 80.0, 15.0]
)  # from this pitch to that toes bend more and more as the source's, if they bend this far
# a foot pitched farther on the average of its foothold lies: no sole bears it
LIES = np.radians([-60.0, 100.0])
# pitch up to which long feet pitch less, and past which they do not
UPRIGHT, OVERTURNED = np.radians(90.0), np.radians(150.0)
# Spinning: a standing foot that reaches the second rate (rad/s) and the third angle (rad), while faster than
# the first rate.
STILL_SPINS, SPINS, SPIN_ANGLE = np.radians([15.0, 45.0, 15.0])
SPIN_SPAN_S, SPIN_SHORTEST = 0.1, 2  # least duration of a spin about one point, in half spans
LEANS_OVER_S = 0.05  # half the time in which a foot changes from both points to one
LONG_FOOT = 0.22  # leg lengths from ankle to ball: longer feet roll less, or a bunny would walk on stilts
# weight of a rolling foot in its foothold's height, against 1 for a flat one: it depends on the foot's length
ON_FLOOR_BY_TIPTOE = 1e-3


@dataclass(frozen=True)
class Footholds:
    """Feet held by the ground, `(f, 2, ...)`; valid where `pivot` `(f, 2)` is not SWING.

    `feet`: ankle, foot and toes. `hold` `(f, 2)`: number of the foothold, -1 in the air. `ground` `(f, 2)`:
    its height.
    `tiptoe` `(f, 2)`: sine of the foothold's mean pitch up or down.
    """

    feet: Feet
    pivot: np.ndarray
    hold: np.ndarray
    ground: np.ndarray
    tiptoe: np.ndarray


def footholds(sole: Sole, feet: Feet, touching: np.ndarray, fps: float) -> Footholds:
    """Return feet held where they stand, as near to the wanted ones as still pivots allow.

    `feet` as wanted, calibrated; `touching` `(f, 2, 2)`: when heel and ball of each foot stand.
    """
    standing = touching[..., 0] | touching[..., 1]
    hold = _numbered(standing)
    twist = twist_of(feet.turn)
    about = _spins(sole, feet, twist, standing, fps)
    heading = np.concatenate(
        [np.zeros((1, 2)), np.cumsum(np.diff(twist, axis=0) * (about[1:] != FLAT), axis=0)]
    )
    heading = heading + mean_over(hold, twist - heading)
    print_turn = about_z(heading)
    roll = _rolled(
        sole, transposed(print_turn) @ feet.turn, bend_of(feet), _leans(touching, about, fps), about, hold
    )
    about = np.where((about == BALL) & ~sole.bends, TOE, about)
    pivot = np.where(standing, np.where(roll.pivot == FLAT, about, roll.pivot), SWING)
    ankle = rotated(print_turn, roll.ankle) + _slid(sole, print_turn, pivot)
    apart = feet.ankle - ankle
    level = ON_FLOOR_BY_TIPTOE + (pivot == FLAT)
    ankle = ankle + np.concatenate(
        [mean_over(hold, apart[..., :2]), mean_over(hold, apart[..., 2:], level)], axis=-1
    )
    tiptoe = mean_over(hold, np.abs(np.sin(angles_of(roll.turn).pitch)))
    held = Feet(ankle, print_turn @ roll.turn, print_turn @ roll.toe)
    return _lying(sole, feet, Footholds(held, pivot, hold, ankle[..., 2] - roll.ankle[..., 2], tiptoe))


def _lying(sole: Sole, feet: Feet, holds: Footholds) -> Footholds:
    """Return footholds whose feet keep their wanted turns, and the place of their ball, where they lie on
    heel or instep."""
    pitch = angles_of(feet.turn).pitch
    lies = mean_over(holds.hold, ((pitch < LIES[0]) | (pitch > LIES[1])).astype(float)) > 0.5
    _, ball, tip = np.moveaxis(sole.points(feet), 2, 0)
    held = np.where(sole.bends[:, None], ball, tip)
    ankle = feet.ankle + mean_over(holds.hold, held) - held
    lying = replace(feet, ankle=ankle)
    height = mean_over(holds.hold, sole.heights(lying).min(axis=-1))
    each = lies[..., None, None]
    return Footholds(
        Feet(
            np.where(lies[..., None], ankle, holds.feet.ankle),
            np.where(each, feet.turn, holds.feet.turn),
            np.where(each, feet.toe, holds.feet.toe),
        ),
        np.where(lies, np.where(sole.bends, BALL, TOE), holds.pivot),
        holds.hold,
        np.where(lies, height, holds.ground),
        np.where(lies, 1.0, holds.tiptoe),
    )


def suited(sole: Sole, feet: Feet, leg_length: float) -> Feet:
    """Return feet adapted to these soles: toes that do not bend follow the foot, and long feet pitch less.

    The ankle of a foot longer than a human's would otherwise rise more.
    """
    share = np.minimum(1.0, LONG_FOOT * leg_length / np.maximum(sole.joint[:, 0], 1e-9))
    turn, toe = feet.turn, feet.toe
    if (share < 1.0).any():
        bent = transposed(turn) @ toe
        share = share + (1.0 - share) * _eased(angles_of(turn).pitch, OVERTURNED, UPRIGHT)
        turn = _tipped(turn, share)
        toe = turn @ _tipped(bent, share)
    return Feet(feet.ankle, turn, np.where(sole.bends[:, None, None], toe, turn))


def bend_of(feet: Feet) -> np.ndarray:
    """Return the bend of the toes against the feet `(f, 2)` about the feet's own left axes, radians, down
    positive."""
    return angles_of(transposed(feet.turn) @ feet.toe).pitch


def _tipped(turn: np.ndarray, share: np.ndarray) -> np.ndarray:
    print_turn = about_z(twist_of(turn))
    away = rotation_vector(transposed(print_turn) @ turn)
    away[..., 1] *= share
    return print_turn @ from_rotation_vector(away)


def _leans(touching: np.ndarray, about: np.ndarray, fps: float) -> np.ndarray:
    """Return how much a foot stands on, or spins `about`, its ball alone, and its heel alone `(f, 2, 2)`: 0
    to 1, without jumps."""
    heel, ball = touching[..., 0], touching[..., 1]
    alone = np.stack([(ball & ~heel) | (about == BALL), (heel & ~ball) | (about == HEEL)], axis=-1)
    return smoothed(alone.astype(float), LEANS_OVER_S, fps)


def _rolled(
    sole: Sole, turn: np.ndarray, bend: np.ndarray, leans: np.ndarray, about: np.ndarray, hold: np.ndarray
) -> Roll:
    """Return feet on their prints for wanted rotations `(f, 2, 3, 3)` in the prints' axes; one that spins
    `about` its heel stays on it.

    Toes lie flat; those in the air or on their tips keep their wanted `bend` `(f, 2)` against the foot.

    On its ball alone (`leans`) a foot has no toes up, on its heel alone no heel up: noise of a few degrees
    would turn it
    about the moving point.  Flat phases in between are levelled; a foothold on tiptoe has none.
    """
    pitch = angles_of(turn).pitch
    if sole.on_toes:
        foot, toes = np.moveaxis(pitched(sole, pitch, pitch + bend), -1, 0)
        return rolled(sole, turn @ about_y(foot - pitch), foot, np.maximum(toes, 0.0))
    pitch = pitch - leans[..., 0] * np.minimum(pitch, 0.0) - leans[..., 1] * np.maximum(pitch, 0.0)
    pitch = np.where(about == HEEL, np.minimum(pitch, 0.0), pitch)
    always_up = mean_over(hold, (pitch < NEVER_FLAT).astype(float)) == 0.0
    free = np.stack([_eased(pitch, BANK_FREE), _eased(pitch, PITCH_FREE), _eased(pitch, BANK_FREE)], axis=-1)
    away = rotation_vector(turn) * np.where(always_up[..., None], 1.0, free)
    turn = from_rotation_vector(away)
    level = np.where(np.abs(pitch) <= FLAT_WITHIN, 0.0, pitch)
    toe_pitch = flattened(np.maximum(pitch - TOES_BEND, 0.0))
    told = _eased(pitch, TOES_FREE, TOES_TOLD) * smoothstep(np.abs(bend) / TOES_TELL)
    toe_pitch = toe_pitch + told * (pitch + np.maximum(bend, -TOES_BEND) - toe_pitch)
    roll = rolled(sole, turn, level, np.where(sole.bends & (level > 0.0), toe_pitch, 0.0))
    in_air = np.where(
        sole.bends & (level < 0.0), _eased(level, PITCH_FREE) * np.clip(bend, -TOES_BEND, -level), 0.0
    )
    return replace(roll, toe=roll.toe @ about_y(in_air))


def _eased(pitch: np.ndarray, free: float, level: float = FLAT_WITHIN) -> np.ndarray:
    """Return 0 for a pitch up to `level`, 1 for one past `free`, with a continuous slope."""
    return smooth_between(np.abs(pitch), level, free)


def twist_of(turn: np.ndarray) -> np.ndarray:
    """Return the twist of rotations `(f, 2, 3, 3)` about z, unwrapped: the rest is a rotation about a level
    axis.

    A foot that rolls over its ball has no twist, however obliquely it rolls.
    """
    quaternion = to_quaternion(turn)
    half = np.unwrap(np.arctan2(quaternion[..., 3], quaternion[..., 0]), period=np.pi, axis=0)
    return 2.0 * half


def _numbered(standing: np.ndarray) -> np.ndarray:
    """Return the number of the run of True that a frame is in `(f, 2)`, counted over both columns; -1
    outside."""
    first = standing & ~np.concatenate([np.zeros((1, 2), bool), standing[:-1]])
    number = np.cumsum(first, axis=0) - 1
    number[:, 1] += number[-1, 0] + 1
    return np.where(standing, number, -1)


def mean_over(hold: np.ndarray, values: np.ndarray, weight: np.ndarray | None = None) -> np.ndarray:
    """Return values `(f, 2, ...)` as their mean over each foothold, weighted by `weight` `(f, 2)`; 0 in the
    air."""
    rows = np.maximum(hold, 0).ravel()
    counts = np.where(hold >= 0, 1.0 if weight is None else weight, 0.0).ravel()
    flat = values.reshape(len(rows), -1)
    sums = np.stack([np.bincount(rows, counts * column) for column in flat.T], axis=-1)
    means = sums / np.maximum(np.bincount(rows, counts), 1e-12)[:, None]
    return (means[rows] * (hold >= 0).ravel()[:, None]).reshape(values.shape)


def _spins(sole: Sole, feet: Feet, twist: np.ndarray, standing: np.ndarray, fps: float) -> np.ndarray:
    """Return the pivot of feet that turn on the spot `(f, 2)`: HEEL or BALL, whichever moves less; FLAT for
    others."""
    pivots = np.full(twist.shape, FLAT)
    reach, rate = max(1, round(0.5 * SPIN_SPAN_S * fps)), np.abs(rates(twist, SPIN_SPAN_S, fps))
    turning = touched(standing & (rate > STILL_SPINS), rate > SPINS)
    points = sole.points(feet)[:, :, :2]
    steps = norms(np.diff(points, axis=0, prepend=points[:1]))
    for side in range(2):
        for first, last in intervals_of(turning[:, side]):
            rows = slice(first, last + 1)
            if np.ptp(twist[rows, side]) > SPIN_ANGLE:
                moved = smoothed(steps[rows, side], SPIN_SPAN_S, fps)
                on_heel = (moved[:, 0] < moved[:, 1]) & (
                    angles_of(feet.turn[rows, side]).pitch < PITCH_FREE / 2.0
                )
                on_heel = ~kept(~kept(on_heel, SPIN_SHORTEST * reach), SPIN_SHORTEST * reach)
                pivots[rows, side] = np.where(on_heel, HEEL, BALL)
    return pivots


def _slid(sole: Sole, turn: np.ndarray, pivot: np.ndarray) -> np.ndarray:
    """Return how far the foot's print has moved `(f, 2, 3)` by turning about still pivots."""
    both = np.stack([pivot[1:], pivot[:-1]])
    on_heel, on_tip = (both == HEEL).any(axis=0), (both == TOE).all(axis=0)
    about = (
        np.where(on_heel[..., None], sole.heel, np.where(on_tip[..., None], sole.toe, sole.ball)) * ON_GROUND
    )
    step = -rotated(turn[1:] - turn[:-1], about)
    return np.concatenate([np.zeros((1,) + step.shape[1:]), np.cumsum(step, axis=0)])
