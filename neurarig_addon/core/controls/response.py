"""How the watched bones answer when a control is moved: what follows it, what turns with it, what stays."""

from typing import NamedTuple

import numpy as np

from ..geometry.rotation import from_axis_angle, normalized, orthonormal, rotation_vector, transposed
from .figure import Figure
from .rig import ControlRig

NUDGE = 0.08  # of the leg: how far a control is moved
TURN = np.radians(18.0)  # how far it is turned
_STILL = 1e-5  # of the leg, and radians: a control that moves less cannot be moved
_TOUCHED = 0.02  # of a full response: what does less does nothing
_SWUNG = 0.5  # of a control's turn: one that swings a limb less twists it
_FULL_SWING = 0.5  # radians a leg's length of movement: a limb that swings so much is bent, not carried
_FULL_SHIFT = 0.1  # of the leg a radian: a joint that goes so far while a control turns is not where it turns
_SIDEWAYS = 0.7  # how much of a nudge goes beside the way to the body's centre, so that poles are seen too
_MIDDLE = 0.03  # of the leg: what is nearer to the middle of the body belongs to the trunk
_ASKEW = np.array([0.62, 0.36, 0.70])  # no axis of anything


class Response(NamedTuple):
    """What the roles `(r,)` do, 0..1 each, when one control is moved (the first four) and when it is turned (the rest).

    `follows`: goes just where the control goes.  `moves`: goes anywhere.  `swings`: is turned.  `twists`: is turned about its limb.
    `turns_with`: is turned just as the control is.  `turns`: is turned at all.  `shifts`: its joint goes elsewhere.  `strays`: its joint
    goes elsewhere than the control takes it.  `spins`: is turned about its limb.  `carried`: how many of the rig's bones go anywhere.
    """

    follows: np.ndarray
    moves: np.ndarray
    swings: np.ndarray
    twists: np.ndarray
    turns_with: np.ndarray
    turns: np.ndarray
    shifts: np.ndarray
    strays: np.ndarray
    spins: np.ndarray
    carried: int

    def touches(self, rows: list[int] | slice = slice(None)) -> bool:
        """Return whether any of these roles does anything."""
        return self.is_moved(rows) or self.is_turned(rows)

    def is_moved(self, rows: list[int] | slice = slice(None)) -> bool:
        """Return whether any of these roles does anything when the control is moved."""
        return bool(max(self.moves[rows].max(), self.swings[rows].max()) > _TOUCHED)

    def is_turned(self, rows: list[int] | slice = slice(None)) -> bool:
        """Return whether any of these roles does anything when the control is turned."""
        return bool(self.turns[rows].max() > _TOUCHED)


def nudge(rig: ControlRig, figure: Figure, zero: np.ndarray, row: int) -> np.ndarray:
    """Return the location `(3,)` by which to move a control: towards the body or, of the trunk, down, where limbs can reach; and askew."""
    head = zero[row, :3, 3]
    beside = (head - figure.centre) @ figure.across
    inward = -figure.up if abs(beside) < _MIDDLE * figure.size else normalized(figure.centre - head)
    side = _ASKEW * np.where(head > figure.centre, -1.0, 1.0)
    way = normalized(inward + _SIDEWAYS * normalized(side - side @ inward * inward))
    axes = zero[row, :3, :3]
    return np.linalg.solve(axes, NUDGE * figure.size * way) * rig.free_location[row]


def turn(rig: ControlRig, row: int) -> np.ndarray:
    """Return the rotation vector `(3,)` by which to turn a control, about all its free axes at once."""
    axis = rig.free_rotation[row] * _ASKEW
    return TURN * normalized(axis) if axis.any() else np.zeros(3)


def response(figure: Figure, zero: np.ndarray, moved: np.ndarray, turned: np.ndarray, row: int) -> Response:
    """Return what the roles do when the control `row` takes the bones from `zero` `(n, 4, 4)` to `moved`, and to `turned`."""
    gone = np.abs(np.stack([moved, turned]) - zero).max(axis=(0, 2, 3)) > _TOUCHED * NUDGE * figure.size
    follows, moves, swings, twists = _when_moved(figure, zero, moved, row)
    turns_with, turns, shifts, strays, spins = _when_turned(figure, zero, turned, row)
    return Response(follows, moves, swings, twists, turns_with, turns, shifts, strays, spins, carried=int(np.count_nonzero(gone)))


def _nothing(figure: Figure) -> tuple[np.ndarray, ...]:
    return (np.zeros(len(figure.roles)),) * 4


def _when_moved(figure: Figure, zero: np.ndarray, moved: np.ndarray, row: int) -> tuple[np.ndarray, ...]:
    way = moved[row, :3, 3] - zero[row, :3, 3]
    length = float(np.linalg.norm(way))
    if length < _STILL * figure.size:
        return _nothing(figure)
    shifts, turns = _motions(figure, zero, moved)
    swing = _FULL_SWING * length / figure.size
    return (
        1.0 - _share(shifts - way, length),
        _share(shifts, length),
        _share(turns, swing),
        _about(turns, figure.axes, swing),
    )


def _when_turned(figure: Figure, zero: np.ndarray, turned: np.ndarray, row: int) -> tuple[np.ndarray, ...]:
    own = _turn_between(zero[row], turned[row])
    angle = float(np.linalg.norm(own))
    if angle < _STILL:
        return *_nothing(figure), np.zeros(len(figure.roles))
    shifts, turns = _motions(figure, zero, turned)
    control, followers = from_axis_angle(normalized(own), np.array(angle)), _matrices(turns)
    unlike = rotation_vector(control.T @ followers)
    # The bones of a limb's segments often do not take its twist; they turn with a control that swings them if they point along with it.
    swung = figure.is_segment & (np.linalg.norm(figure.axes @ control.T - figure.axes, axis=1) > _SWUNG * angle)
    unlike = np.where(swung[:, None], ((followers - control) @ figure.axes[..., None])[..., 0], unlike)
    return (
        1.0 - _share(unlike, angle),
        _share(turns, angle),
        _share(shifts, _FULL_SHIFT * angle * figure.size),
        _share(shifts - _carried(figure, zero[row], turned[row], control), _FULL_SHIFT * angle * figure.size),
        _about(turns, figure.axes, angle),
    )


def _carried(figure: Figure, before: np.ndarray, after: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return how far joints `(r, 3)` would go that are fixed to a control."""
    return (figure.joints - before[:3, 3]) @ turn.T + after[:3, 3] - figure.joints


def _motions(figure: Figure, zero: np.ndarray, posed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how far the roles' joints go `(r, 3)` and how their bones are turned, rotation vectors `(r, 3)`."""
    before, after = zero[figure.bones], posed[figure.bones]
    local = np.linalg.solve(before[:, :3, :3], (figure.joints - before[:, :3, 3])[..., None])
    return (after[:, :3, :3] @ local)[..., 0] + after[:, :3, 3] - figure.joints, _turn_between(before, after)


def _turn_between(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return rotation_vector(axes_of(after) @ transposed(axes_of(before)))


def axes_of(matrices: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of matrices `(..., 4, 4)` of bones, however these are stretched."""
    return orthonormal(
        np.nan_to_num(matrices[..., :3, :3]) / np.maximum(np.linalg.norm(matrices[..., :3, :3], axis=-2, keepdims=True), 1e-12)
    )


def _matrices(vectors: np.ndarray) -> np.ndarray:
    return from_axis_angle(normalized(vectors), np.linalg.norm(vectors, axis=-1))


def _about(turns: np.ndarray, axes: np.ndarray, of: float) -> np.ndarray:
    """Return how far turns are about these axes and not about others, as a share of an angle."""
    along = np.sum(turns * axes, axis=1)
    across = np.linalg.norm(turns - along[:, None] * axes, axis=1)
    return np.clip((np.abs(along) - across) / of, 0.0, 1.0)


def _share(vectors: np.ndarray, of: float) -> np.ndarray:
    return np.minimum(np.linalg.norm(vectors, axis=-1) / of, 1.0)
