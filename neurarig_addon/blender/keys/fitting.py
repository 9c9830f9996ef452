"""Channels keyed in poses: all controls of a limb on the same frames, with curves fitted to what is between."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.keys.deviation import LEGS, TRUNK, limb_of_bones
from ...core.keys.hermite import KeyCurve
from ...core.keys.pose_fit import fitted, steady
from ..animation import keyframes
from ..animation.curve_pose import split_path
from ..animation.keyframes import GENERATED, Channel, Keyed

QUATERNION_RADIANS = 2.0  # radians of rotation per unit change of a component
NEAR = 0.5  # share of a gap's worst error: the key goes to the row in its middle that has at least this
SHARED = 0.15  # the same of rows where another limb has a pose: these come first, for an animator sees poses, not limbs


@dataclass(frozen=True)
class Moments:
    """Key poses of frames `(f,)`, as rows.

    `poses`: all of them; `contacts`, `passings`: some of these; `breaks`: where a foot lands, or is last on the ground.
    `planted` `(f, 2, 3)`: points of the feet on the ground.  `loop`: the last frame is the first of the next cycle.
    `knees` `(f, 2)`: how much more an error of a leg matters, as its knee is nearly straight.
    `recorded`: the motion trembles, and keys need not.
    """

    poses: np.ndarray
    contacts: np.ndarray
    passings: np.ndarray
    breaks: np.ndarray
    planted: np.ndarray
    loop: bool = False
    knees: np.ndarray | None = None
    recorded: bool = False

    @property
    def every_pose(self) -> np.ndarray:
        """All rows to key: the key poses, the first and the last row."""
        return np.union1d(self.poses, [0, len(self.planted) - 1])

    def rows_of(self, limb: str) -> np.ndarray:
        """Return the rows to key of a limb: legs have a pose where a foot lifts as well."""
        return np.union1d(self.every_pose, self.breaks) if limb in LEGS else self.every_pose


@dataclass(frozen=True)
class Limb:
    """The numbers of the channels of a limb's controls that move, and the error that matters of each of their columns `(n,)`."""

    channels: tuple[int, ...]
    limits: np.ndarray
    values: np.ndarray

    @cached_property
    def steady(self) -> np.ndarray:
        """The values without trembling."""
        return steady(self.values, self.limits)


class Poses:
    """Poses of a character at `frames` `(f,)`; controls that never move stay as they are.

    `metres`, `radians`: errors that matter, of a location and of a rotation.
    """

    def __init__(
        self,
        obj: bpy.types.Object,
        character: Character,
        frames: np.ndarray,
        channels: Sequence[Channel],
        moments: Moments,
        bound: tuple[float, float],
    ) -> None:
        self.channels, self._frames, self._moments = channels, frames, moments
        self.limbs = _limbs(obj, character, channels, bound)
        self.rows = {limb: moments.rows_of(limb) for limb in self.limbs}
        self._curves: dict[str, KeyCurve] = {}

    def values(self) -> list[np.ndarray]:
        """Return the channels' values `(f, n)` as their keys play them."""
        found = [channel.values for channel in self.channels]
        for name, limb in self.limbs.items():
            for number, part in _parts(limb, self.channels):
                found[number] = self._curve(name).columns(part).at(self._frames)
        return found

    def errors(self, limb: str) -> np.ndarray:
        """Return how far a limb's channels are off by themselves `(f,)`, the worst of them, as a share of what matters."""
        if limb not in self.limbs:
            return np.zeros(len(self._frames))
        off = np.abs(self._curve(limb).at(self._frames) - self.limbs[limb].values) / self.limbs[limb].limits
        return np.asarray(off.max(axis=1))

    def add(self, limb: str, past: np.ndarray) -> bool:
        """Give a limb another pose in each gap in which `past` `(f,)` is above 1; return whether there was room."""
        rows, others = self.rows[limb], np.unique(np.concatenate(list(self.rows.values())))
        new = [row for first, last in itertools.pairwise(rows) if (row := _between(past, int(first), int(last), others)) is not None]
        self.rows[limb] = np.union1d(rows, np.array(new, dtype=int))
        self._curves.pop(limb, None)
        return bool(new)

    def keyed(self) -> list[Keyed]:
        """Return all channels with their keys."""
        found = [
            Keyed(channel, KeyCurve.still(float(self._frames[0]), channel.values[0]), np.array([GENERATED])) for channel in self.channels
        ]
        for name, limb in self.limbs.items():
            for number, part in _parts(limb, self.channels):
                curve = self._curve(name).columns(part)
                found[number] = Keyed(self.channels[number], curve, self._kinds(self.rows[name], curve))
        return found

    def dense(self, keyed: Sequence[Keyed]) -> int:
        """Return the number of keys of these channels with one on every frame."""
        moving = {number for limb in self.limbs.values() for number in limb.channels}
        return sum(len(each.components()) * (len(self._frames) if number in moving else 1) for number, each in enumerate(keyed))

    def _curve(self, name: str) -> KeyCurve:
        if name not in self._curves:
            limb, loop = self.limbs[name], self._moments.loop
            breaks, weights = self._moments.breaks[:0], None
            if name in LEGS:
                breaks, knees = np.intersect1d(self._moments.breaks, self.rows[name]), self._moments.knees
                weights = None if knees is None else knees[:, [LEGS.index(name)]]
            through = limb.steady if self._moments.recorded else None
            self._curves[name] = fitted(
                self._frames, limb.values, self.rows[name], limb.limits, breaks, weights, through=through, loop=loop
            )
        return self._curves[name]

    def _kinds(self, rows: np.ndarray, curve: KeyCurve) -> np.ndarray:
        """Return the types of keys at rows `(k,)`: Extreme at contact, Breakdown at passing, Moving Hold where the control stands still."""
        still = (np.diff(curve.values, axis=0) == 0.0).all(axis=1)
        kinds = np.where(np.append(still, False) | np.append(False, still), keyframes.MOVING_HOLD, GENERATED)
        kinds[np.isin(rows, self._moments.passings)] = keyframes.BREAKDOWN
        kinds[np.isin(rows, self._moments.contacts)] = keyframes.EXTREME
        return kinds


def _limbs(obj: bpy.types.Object, character: Character, channels: Sequence[Channel], bound: tuple[float, float]) -> dict[str, Limb]:
    """Return the limbs that move, the channels of a bone together: a pose has all of them."""
    of_bones = limb_of_bones(character)
    bones = [split_path(channel.path)[0] for channel in channels]
    moving = {bone for bone, channel in zip(bones, channels, strict=True) if np.ptp(channel.values, axis=0).max() > channel.still}
    found: dict[str, list[int]] = {}
    for number, bone in enumerate(bones):
        if bone in moving and len(channels[number].values) > 1:
            found.setdefault(of_bones.get(bone, TRUNK), []).append(number)
    return {
        limb: Limb(
            tuple(numbers),
            np.concatenate([_limits(obj, character, channels[number], bound) for number in numbers]),
            np.concatenate([channels[number].values for number in numbers], axis=1),
        )
        for limb, numbers in found.items()
    }


def _limits(obj: bpy.types.Object, character: Character, channel: Channel, bound: tuple[float, float]) -> np.ndarray:
    """Return the error that matters of each column of a channel `(n,)`."""
    metres, radians = bound
    prop, width = split_path(channel.path)[1], channel.values.shape[1]
    if prop == "location":
        in_armature = channel.path != prop
        size = np.linalg.norm(character.skeleton.to_world[:3, 0]) if in_armature else bpy.context.scene.unit_settings.scale_length
        return np.full(width, metres / float(size))
    if prop == "rotation_quaternion":
        return np.full(width, radians / QUATERNION_RADIANS)
    if prop.startswith("rotation") or prop == "scale":
        return np.full(width, radians)
    return np.full(width, radians * max(float(np.ptp(channel.values)), channel.still))


def _parts(limb: Limb, channels: Sequence[Channel]) -> list[tuple[int, slice]]:
    """Return the channels of a limb with their columns of its values."""
    ends = np.cumsum([channels[number].values.shape[1] for number in limb.channels]).tolist()
    return [(number, slice(start, end)) for number, start, end in zip(limb.channels, [0, *ends], ends, strict=False)]


def _between(past: np.ndarray, first: int, last: int, others: np.ndarray) -> int | None:
    """Return the row between two for another key: near their middle, where the error is large; None if all is well or there is none.

    `others`: rows at which other limbs have a pose, which is better than one of its own.
    """
    gap = past[first + 1 : last]
    worst = past[first : last + 1].max()
    if worst <= 1.0 or not len(gap):
        return None
    shared = np.flatnonzero((gap >= SHARED * gap.max()) & np.isin(np.arange(first + 1, last), others))
    rows = shared if len(shared) else np.flatnonzero(gap >= NEAR * gap.max())
    return first + 1 + int(rows[np.argmin(np.abs(rows - (len(gap) - 1) / 2.0))])
