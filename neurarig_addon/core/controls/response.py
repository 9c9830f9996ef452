"""How the observed bones respond when a control is moved: what follows it, what turns with it, what stays."""

from typing import NamedTuple

import numpy as np

from ..geometry.rotation import (
    dot,
    from_axis_angle,
    from_rotation_vector,
    normalized,
    norms,
    orthonormal,
    rejected,
    rotated,
    rotation_vector,
    transposed,
)
from .figure import ObservedRig
from .rig import ControlRig

NUDGE = 0.08  # leg lengths: how far a control is moved
TURN = np.radians(18.0)  # radians: how far it is turned
_STILL = 1e-5  # leg lengths, and radians: a control that moves less cannot be moved
_TOUCHED = 0.02  # share of a full response: below it a control does nothing
_SWUNG = 0.5  # share of a control's turn: below it the control twists the limb instead of swinging it
_FULL_SWING = 0.5  # radians per leg length of movement: full response, a limb bent rather than carried
_FULL_SHIFT = 0.1  # leg lengths per radian: full response, a joint away from the centre of rotation
# sideways share of a nudge, across the direction to the body's centre, so that poles show too
_SIDEWAYS = 0.7
_MIDDLE = 0.03  # leg lengths: controls nearer to the middle of the body belong to the trunk
_ASKEW = np.array([0.62, 0.36, 0.70])  # along no bone's axis


class Response(NamedTuple):
    """The response of the roles `(r,)`, 0..1 each, when one control is moved (the first four) and when it is
    turned (the rest).

    `follows`: moves exactly with the control. `moves`: moves at all. `swings`: rotates. `twists`: rotates
    about its limb's axis.
    `turns_with`: rotates exactly with the control. `turns`: rotates at all. `shifts`: its joint moves.
    `strays`: its joint moves
    other than fixed to the control. `spins`: rotates about its limb's axis. `carried`: the number of the
    rig's bones that move at all.
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
        """Return whether any of these roles responds."""
        return self.is_moved(rows) or self.is_turned(rows)

    def is_moved(self, rows: list[int] | slice = slice(None)) -> bool:
        """Return whether any of these roles responds when the control is moved."""
        return bool(max(self.moves[rows].max(), self.swings[rows].max()) > _TOUCHED)

    def is_turned(self, rows: list[int] | slice = slice(None)) -> bool:
        """Return whether any of these roles responds when the control is turned."""
        return bool(self.turns[rows].max() > _TOUCHED)


def nudge(rig: ControlRig, figure: ObservedRig, zero: np.ndarray, row: int) -> np.ndarray:
    """Return the location `(3,)` by which to move a control: towards the body, or down for the trunk, so that
    limbs reach; and askew."""
    head = zero[row, :3, 3]
    beside = (head - figure.centre) @ figure.across
    inward = -figure.up if abs(beside) < _MIDDLE * figure.size else normalized(figure.centre - head)
    side = _ASKEW * np.where(head > figure.centre, -1.0, 1.0)
    way = normalized(inward + _SIDEWAYS * normalized(rejected(side, inward)))
    axes = zero[row, :3, :3]
    return np.linalg.solve(axes, NUDGE * figure.size * way) * rig.free_location[row]


def turn(rig: ControlRig, row: int) -> np.ndarray:
    """Return the rotation vector `(3,)` by which to turn a control, about all its free axes at once."""
    axis = rig.free_rotation[row] * _ASKEW
    return TURN * normalized(axis) if axis.any() else np.zeros(3)


def response(
    figure: ObservedRig, zero: np.ndarray, moved: np.ndarray, turned: np.ndarray, row: int
) -> Response:
    """Return the roles' response when the control `row` takes the bones from `zero` `(n, 4, 4)` to `moved`,
    and to `turned`."""
    follows_at_all = (
        np.abs(np.stack([moved, turned]) - zero).max(axis=(0, 2, 3)) > _TOUCHED * NUDGE * figure.size
    )
    follows, moves, swings, twists = _when_moved(figure, zero, moved, row)
    turns_with, turns, shifts, strays, spins = _when_turned(figure, zero, turned, row)
    return Response(
        follows,
        moves,
        swings,
        twists,
        turns_with,
        turns,
        shifts,
        strays,
        spins,
        carried=int(np.count_nonzero(follows_at_all)),
    )


def _nothing(figure: ObservedRig) -> tuple[np.ndarray, ...]:
    return (np.zeros(len(figure.roles)),) * 4


def _when_moved(figure: ObservedRig, zero: np.ndarray, moved: np.ndarray, row: int) -> tuple[np.ndarray, ...]:
    way = moved[row, :3, 3] - zero[row, :3, 3]
    length = float(norms(way))
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


def _when_turned(
    figure: ObservedRig, zero: np.ndarray, turned: np.ndarray, row: int
) -> tuple[np.ndarray, ...]:
    own = _turn_between(zero[row], turned[row])
    angle = float(norms(own))
    if angle < _STILL:
        return *_nothing(figure), np.zeros(len(figure.roles))
    shifts, turns = _motions(figure, zero, turned)
    control, followers = from_axis_angle(normalized(own), np.array(angle)), _matrices(turns)
    unlike = rotation_vector(control.T @ followers)
    # The bones of a limb's segments often do not take its twist; they turn with a control that swings them if
    # their directions follow it.
    swung = figure.is_segment & (norms(figure.axes @ control.T - figure.axes) > _SWUNG * angle)
    unlike = np.where(swung[:, None], rotated(followers - control, figure.axes), unlike)
    return (
        1.0 - _share(unlike, angle),
        _share(turns, angle),
        _share(shifts, _FULL_SHIFT * angle * figure.size),
        _share(shifts - _carried(figure, zero[row], turned[row], control), _FULL_SHIFT * angle * figure.size),
        _about(turns, figure.axes, angle),
    )


def _carried(figure: ObservedRig, before: np.ndarray, after: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return the displacement `(r, 3)` that the joints would have if fixed to a control."""
    return (figure.joints - before[:3, 3]) @ turn.T + after[:3, 3] - figure.joints


def _motions(figure: ObservedRig, zero: np.ndarray, posed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the displacement `(r, 3)` of the roles' joints and their bones' rotation vectors `(r, 3)`."""
    before, after = zero[figure.bones], posed[figure.bones]
    local = np.linalg.solve(before[:, :3, :3], (figure.joints - before[:, :3, 3])[..., None])
    return (after[:, :3, :3] @ local)[..., 0] + after[:, :3, 3] - figure.joints, _turn_between(before, after)


def _turn_between(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return rotation_vector(axes_of(after) @ transposed(axes_of(before)))


def axes_of(matrices: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of bone matrices `(..., 4, 4)`, which may be scaled."""
    return orthonormal(
        np.nan_to_num(matrices[..., :3, :3])
        / np.maximum(np.linalg.norm(matrices[..., :3, :3], axis=-2, keepdims=True), 1e-12)
    )


def _matrices(vectors: np.ndarray) -> np.ndarray:
    return from_rotation_vector(vectors)


def _about(turns: np.ndarray, axes: np.ndarray, of: float) -> np.ndarray:
    """Return by how much the rotation about these axes exceeds that about others, as a share of an angle,
    0..1."""
    along = dot(turns, axes)
    across = norms(turns - along[:, None] * axes)
    return np.clip((np.abs(along) - across) / of, 0.0, 1.0)


def _share(vectors: np.ndarray, of: float) -> np.ndarray:
    return np.minimum(norms(vectors) / of, 1.0)
