"""Bones that carry one another: what each bone's keys have to be so that it stays where it was although the bones above it stray.

Deviations of a chain would add up: a hand strays with its arm, chest and pelvis.  So a chain is fitted from its root outwards, and each
bone aims at the *world* rotation that it had, whatever its carriers' few keys have made of theirs.  It also turns a little to bring its
tip back, as far as that costs less than it gains.  All is exact as long as a bone's matrix is its carrier's times its own channels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..geometry.rotation import from_axis_angle, normalized
from ..posing.channels import AXIS_ANGLE, from_mode, in_mode, nearest

RIGID = 1e-3  # radians, and metres: a bone that moves more than this relative to its carrier, its own channels apart, is not carried
MOST_TURNED = 0.6  # share of the bound by which a bone turns away to bring its tip back
LEAST_ROOM = 0.15  # share of the bound that a bone always gets
USED = 0.998  # share of the bound
PLACE = 0.6  # share of the bound for each component of a place, or of Euler angles


@dataclass(frozen=True)
class Joint:
    """A bone with keys, as seen with dense ones: `heads` `(f, 3)` metres, `turns` `(f, 3, 3)`, `length` metres.

    `carrier`: number of the joint that carries it, or -1; `place`, `turn`: numbers of the channels of its location and rotation, or -1.
    `mode` of the rotation; `unit`: metres per unit of location; `reach` `(f,)`: metres that its tip may stray.
    `above_foot`: 0 for the shin of a foot, 1 for what carries it, and so on; -1 for the rest.
    """

    heads: np.ndarray
    turns: np.ndarray
    length: float
    carrier: int
    place: int
    turn: int
    mode: str
    unit: float
    reach: np.ndarray
    above_foot: int = -1

    @cached_property
    def arm(self) -> np.ndarray:
        """From head to tip `(f, 3)`."""
        return self.turns[:, :, 1] * self.length


@dataclass(frozen=True)
class Aim:
    """Values `(f, n)` that a channel should have now, and the room around them `(f,)` in metres or radians."""

    values: np.ndarray
    room: np.ndarray


class Carrying:
    """Joints, carriers first, of channels with dense `values`, a row each frame or a single one.

    `metres`, `radians`: the bound of deviation.
    """

    def __init__(self, joints: Sequence[Joint], values: Sequence[np.ndarray], metres: float, radians: float) -> None:
        self.joints, self.metres, self.radians = list(joints), metres, radians
        self._dense = values
        self.carriers, self._between = [], []
        for joint in joints:
            carrier, between = joint.carrier, self._relative(joint, joint.carrier)
            if carrier >= 0 and not _is_rigid(*between):
                carrier, between = -1, self._relative(joint, -1)
            self.carriers.append(carrier)
            self._between.append(between)

    def stages(self) -> list[list[int]]:
        """Return the channels in the order in which they are to be fitted, those of a stage side by side."""
        depths: list[int] = []
        found: dict[tuple[int, bool], list[int]] = {}
        for joint, carrier in zip(self.joints, self.carriers, strict=True):
            depths.append(depths[carrier] + 1 if carrier >= 0 else 0)
            for channel, is_turn in ((joint.place, False), (joint.turn, True)):
                if channel >= 0:
                    found.setdefault((depths[-1], is_turn), []).append(channel)
        return [found[key] for key in sorted(found)]

    def above_foot(self, channel: int) -> int:
        """Return how many joints a rotation channel's is above a foot's shin, -1 if it is none of its leg's."""
        return next((joint.above_foot for joint in self.joints if joint.turn == channel), -1)

    def fitted(self, values: Sequence[np.ndarray]) -> "Fitted":
        """Return the joints with few keys: `values` of all channels, which the caller fills in from stage to stage."""
        return Fitted(self, values)

    def only(self, rows: Sequence[int]) -> "Carrying":
        """Return the same at only some frames."""
        chosen = list(rows)
        joints = [replace(joint, heads=joint.heads[chosen], turns=joint.turns[chosen], reach=joint.reach[chosen]) for joint in self.joints]
        values = [each[chosen] if len(each) > 1 else each for each in self._dense]
        return Carrying(joints, values, self.metres, self.radians)

    def under(self, number: int, turns: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the axes `(f, 3, 3)` and the head `(f, 3)` of a joint before its own channels, with its carrier there."""
        between, apart = self._between[number]
        return turns @ between, heads + (turns @ apart[:, :, None])[..., 0]

    def _relative(self, joint: Joint, carrier: int) -> tuple[np.ndarray, np.ndarray]:
        """Return axes `(f, 3, 3)` and place `(f, 3)` relative to the carrier, the joint's own channels taken off."""
        above = self.joints[carrier] if carrier >= 0 else None
        axes = np.broadcast_to(np.eye(3), joint.turns.shape) if above is None else above.turns
        origin = np.zeros(3) if above is None else above.heads
        between = axes.swapaxes(-1, -2) @ joint.turns @ turned(joint, self._dense).swapaxes(-1, -2)
        apart = (axes.swapaxes(-1, -2) @ (joint.heads - origin)[..., None])[..., 0]
        return between, apart - (between @ moved(joint, self._dense)[..., None])[..., 0]


class Fitted:
    """The joints of a `Carrying` while their channels get few keys."""

    def __init__(self, carrying: Carrying, values: Sequence[np.ndarray]) -> None:
        self._carrying, self._values = carrying, values
        self._posed: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._joints = {
            channel: (number, channel == joint.turn)
            for number, joint in enumerate(carrying.joints)
            for channel in (joint.place, joint.turn)
            if channel >= 0
        }

    def aim(self, channel: int) -> Aim | None:
        """Return what a channel should be now, None for one that can only stay as it was."""
        if channel not in self._joints:
            return None
        number, is_turn = self._joints[channel]
        joint = self._carrying.joints[number]
        if not is_turn:
            return self._place(number, joint)
        return None if joint.mode == AXIS_ANGLE else self._turn(number, joint)

    def _place(self, number: int, joint: Joint) -> Aim:
        axes, head = self._under(number)
        wanted = (axes.swapaxes(-1, -2) @ (joint.heads - head)[..., None])[..., 0] / joint.unit
        return Aim(wanted, np.full(len(wanted), PLACE * self._carrying.metres))

    def _turn(self, number: int, joint: Joint) -> Aim:
        """Return the rotation that keeps the bone's axes, or turns them a little to bring its tip back.

        The turn w minimises |w|² / radians² + |e + w x arm|² / reach² for a head that is off by e.
        """
        metres, radians = self._carrying.metres, self._carrying.radians
        axes, head = self._under(number)
        off = head + (axes @ moved(joint, self._values)[..., None])[..., 0] - joint.heads
        near = joint.reach**2
        turn = -np.cross(joint.arm, off) / near[:, None] / (1.0 / radians**2 + joint.length**2 / near)[:, None]
        size = np.linalg.norm(turn, axis=-1)
        share = np.minimum(1.0, MOST_TURNED * radians / np.maximum(size, 1e-12))
        turn, size = turn * share[:, None], size * share
        rotation = from_axis_angle(normalized(np.where(size[:, None] > 0.0, turn, (1.0, 0.0, 0.0))), size) @ joint.turns
        values = in_mode(axes.swapaxes(-1, -2) @ rotation, joint.mode)
        tip = np.linalg.norm(off + np.cross(turn, joint.arm), axis=-1)
        room = np.minimum(USED * radians - size, (USED * metres - tip) / max(joint.length, 1e-6))
        dense = np.broadcast_to(self._carrying._dense[joint.turn], values.shape)
        return Aim(nearest(values, dense, joint.mode), np.maximum(room, LEAST_ROOM * radians))

    def _under(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        carrier = self._carrying.carriers[number]
        joint = self._carrying.joints[number]
        if carrier < 0:
            return self._carrying.under(number, np.broadcast_to(np.eye(3), joint.turns.shape), np.zeros_like(joint.heads))
        return self._carrying.under(number, *self.at(carrier))

    def at(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the axes and the head of a joint whose channels are fitted."""
        if number not in self._posed:
            axes, head = self._under(number)
            joint = self._carrying.joints[number]
            self._posed[number] = axes @ turned(joint, self._values), head + (axes @ moved(joint, self._values)[..., None])[..., 0]
        return self._posed[number]


def turned(joint: Joint, values: Sequence[np.ndarray]) -> np.ndarray:
    """Return a joint's own rotation `(f, 3, 3)`."""
    if joint.turn < 0:
        return np.broadcast_to(np.eye(3), joint.turns.shape)
    return np.broadcast_to(from_mode(values[joint.turn], joint.mode), joint.turns.shape)


def moved(joint: Joint, values: Sequence[np.ndarray]) -> np.ndarray:
    """Return a joint's own location `(f, 3)` in metres."""
    return np.broadcast_to(joint.unit * values[joint.place] if joint.place >= 0 else np.zeros(3), joint.heads.shape)


def _is_rigid(between: np.ndarray, apart: np.ndarray) -> bool:
    return bool(np.abs(between - between[0]).max() < RIGID and np.abs(apart - apart[0]).max() < RIGID)
