"""Channels as tracks whose columns are keyed together, and the curves fitted to them."""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.keys.hermite import with_thirds
from ...core.keys.limbs import TRUNK, limb_of_bones
from ...core.keys.reduction import Search, Wishes
from ...core.keys.track import Track
from ...core.posing.channels import AXIS_ANGLE, QUATERNION
from ..animation import sparse_keys
from ..animation.curve_pose import split_path
from ..animation.keyframes import GENERATED, Channel
from ..animation.sparse_keys import Keyed

TURNS = ("rotation_quaternion", "rotation_axis_angle", "rotation_euler")


@dataclass(frozen=True)
class Moments:
    """Key poses of frames `(f,)`, as rows: `contacts`, `passings` and `others`; `planted` `(f, 2, 3)`: points of the feet on the ground.

    `loop`: the last frame is the first of the next cycle.  `rolled`: feet are planted by their controls and rolled by pivots.
    """

    contacts: np.ndarray
    passings: np.ndarray
    others: np.ndarray
    planted: np.ndarray
    loop: bool = False
    rolled: bool = False

    def wishes(self) -> Wishes:
        """Return where keys are wanted."""
        return Wishes(self.contacts, np.concatenate([self.passings, self.others]), self.loop)


@dataclass(frozen=True)
class Piece:
    """Columns of channel number `channel` that are keyed together, as a track; `turns`: measured in radians, else metres."""

    channel: int
    columns: tuple[int, ...]
    track: Track
    limb: str
    turns: bool


class Fitting:
    """All channels of a character at `frames` `(f,)`; those of a single row stay as they are."""

    def __init__(
        self, obj: bpy.types.Object, character: Character, frames: np.ndarray, channels: Sequence[Channel], moments: Moments
    ) -> None:
        self.channels, self._frames, self._moments = channels, frames, moments
        limbs = limb_of_bones(character)
        self.pieces: list[Piece] = []
        for number, channel in enumerate(channels):
            if len(channel.values) > 1:
                bone, prop = split_path(channel.path)
                mode, unit = _measure(obj, character, channel)
                width = channel.values.shape[1]
                for columns in [tuple(range(width))] if mode else [(column,) for column in range(width)]:
                    track = Track(channel.values[:, list(columns)], mode, unit)
                    self.pieces.append(Piece(number, columns, track, limbs.get(bone, TRUNK), prop in TURNS))
        self._search = Search(frames, [piece.track for piece in self.pieces], moments.wishes())

    def keyed(self, limits: Sequence[np.ndarray], thin: bool = True) -> list[Keyed]:
        """Return each piece with the keys it needs within its limits `(f,)`; a further call starts from the keys found before."""
        found = []
        for piece, curve in zip(self.pieces, self._search.within(limits, thin), strict=True):
            kinds = self._kinds(np.searchsorted(self._frames, curve.frames), piece.track)
            found.append(Keyed(self.channels[piece.channel], piece.columns, curve, kinds))
        return found

    def off(self, keyed: Sequence[Keyed]) -> list[np.ndarray]:
        """Return the deviation of each keyed piece `(f,)` in metres or radians."""
        return [piece.track.off(each.curve.at(self._frames)) for piece, each in zip(self.pieces, keyed, strict=True)]

    def single(self) -> list[Keyed]:
        """Return the channels of a single row."""
        return [_dense(self._frames, channel) for channel in self.channels if len(channel.values) == 1]

    def dense(self) -> list[Keyed]:
        """Return all channels with a key on every frame."""
        return [_dense(self._frames, channel) for channel in self.channels]

    def values(self, keyed: Sequence[Keyed]) -> list[np.ndarray]:
        """Return the channels' values `(f, n)` with keyed pieces inserted."""
        found = [channel.values.copy() for channel in self.channels]
        for piece, each in zip(self.pieces, keyed, strict=True):
            found[piece.channel][:, list(piece.columns)] = each.curve.at(self._frames)
        return found

    def _kinds(self, rows: np.ndarray, track: Track) -> np.ndarray:
        """Return the types of keys at rows `(k,)`: Extreme at contact, Breakdown at passing, Moving Hold if nothing moves."""
        kinds = np.full(len(rows), GENERATED)
        kinds[np.isin(rows, track.held())] = sparse_keys.MOVING_HOLD
        kinds[np.isin(rows, self._moments.passings)] = sparse_keys.BREAKDOWN
        kinds[np.isin(rows, self._moments.contacts)] = sparse_keys.EXTREME
        return kinds


def _dense(frames: np.ndarray, channel: Channel) -> Keyed:
    count, width = channel.values.shape
    curve = with_thirds(frames[:count], channel.values, np.zeros_like(channel.values))
    return Keyed(channel, tuple(range(width)), curve, np.full(count, GENERATED))


def _measure(obj: bpy.types.Object, character: Character, channel: Channel) -> tuple[str, float]:
    """Return the rotation mode of values that form one rotation, else '', and a change of 1 in metres or radians."""
    prop = split_path(channel.path)[1]
    if prop in ("rotation_quaternion", "rotation_axis_angle"):
        return (QUATERNION if prop == "rotation_quaternion" else AXIS_ANGLE), 1.0
    if prop == "location":
        in_armature = channel.path != prop
        size = np.linalg.norm(character.skeleton.to_world[:3, 0]) if in_armature else bpy.context.scene.unit_settings.scale_length
        return "", float(size)
    if prop in ("rotation_euler", "scale"):
        return "", 1.0
    return "", 1.0 / max(float(np.ptp(channel.values, axis=0).max()), channel.still)
