"""Channels as tracks whose columns are keyed together, and the curves fitted to them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.keys.carrying import PLACE, Aim, Carrying
from ...core.keys.deviation import LEGS, TRUNK, limb_of_bones
from ...core.keys.hermite import KeyCurve, with_thirds
from ...core.keys.reduction import CONSTANT, TINY, Search, Wishes
from ...core.keys.track import Track
from ...core.posing.channels import AXIS_ANGLE, QUATERNION
from ..animation import keyframes
from ..animation.curve_pose import split_path
from ..animation.keyframes import GENERATED, Channel, Keyed

RAMP = 4  # frames from a hold to a bone that makes up for its carriers
TURNS = ("rotation_quaternion", "rotation_axis_angle", "rotation_euler")


@dataclass(frozen=True)
class Moments:
    """Key poses of frames `(f,)`, as rows: `contacts`, `passings` and `others`; `planted` `(f, 2, 3)`: points of the feet on the ground.

    `loop`: the last frame is the first of the next cycle.  `rolled`: feet are planted by their controls and rolled by pivots.
    `recorded`: the motion is not as smooth as a walk of ours.  Then only legs have key poses at contacts, and bones make up for those that
    carry them: this saves keys where curves need many anyway, and costs some where they are smooth.
    """

    contacts: np.ndarray
    passings: np.ndarray
    others: np.ndarray
    planted: np.ndarray
    loop: bool = False
    rolled: bool = False
    recorded: bool = False

    def wishes(self) -> Wishes:
        """Return where keys are wanted."""
        return Wishes(self.contacts, np.concatenate([self.passings, self.others]), self.loop, thorough=not self.recorded)


@dataclass(frozen=True)
class Piece:
    """Columns of channel number `channel` that are keyed together, as a track; `turns`: measured in radians, else metres."""

    channel: int
    columns: tuple[int, ...]
    track: Track
    limb: str
    turns: bool

    @cached_property
    def freely(self) -> np.ndarray:
        """Share `(f, 1)` of its correction: none where it holds, all a few frames away from that."""
        rows = np.arange(len(self.track.values))
        away = np.full(len(rows), float(RAMP))
        for first, last in self.track.held():
            away = np.minimum(away, np.maximum(np.maximum(first - rows, rows - last), 0))
        return (away / RAMP)[:, None]


@dataclass(frozen=True)
class Limits:
    """How far a piece may be off, frame by frame, in metres or radians.

    `alone`: if nothing else were off; `feet` `(f,)`: because of planted feet; `share` `(f,)` of these that is left.
    """

    alone: float
    feet: np.ndarray
    share: np.ndarray

    def around(self, room: np.ndarray | float) -> np.ndarray:
        """Return the limits `(f,)` of a piece with this room around where its bone should be."""
        return self.share * np.minimum(np.maximum(room, self.alone), self.feet)


class Fitting:
    """All channels of a character at `frames` `(f,)`, keyed carriers first; those of a single row stay as they are.

    `carrying`: the bones that they move.  `used`: after a fit, each piece's error `(f,)` as a share of its limit.
    """

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
                    limb = limbs.get(bone, TRUNK)
                    posed = not moments.recorded or limb in LEGS
                    self.pieces.append(
                        Piece(number, columns, Track(channel.values[:, list(columns)], mode, unit, posed), limb, prop in TURNS)
                    )
        self.used = [np.zeros(len(frames)) for _ in self.pieces]
        self._searches: dict[tuple[int, ...], Search] = {}

    def keyed(self, carrying: Carrying, limits: Sequence[Limits], thin: bool = True) -> list[Keyed]:
        """Return each piece with the keys it needs within its limits; a further call starts from the keys found before."""
        values = [channel.values.copy() for channel in self.channels]
        fitted = carrying.fitted(values)
        found: dict[int, Keyed] = {}
        for stage in self._stages(carrying):
            aims = {self.pieces[number].channel: fitted.aim(self.pieces[number].channel) for number in stage}
            wished = [self._wished(self.pieces[number], aims[self.pieces[number].channel], carrying) for number in stage]
            within = [limits[number].around(_room(self.pieces[number], aims[self.pieces[number].channel])) for number in stage]
            for number, wish, limit, curve in zip(stage, wished, within, self._searched(stage, wished, within, thin), strict=True):
                piece, played = self.pieces[number], curve.at(self._frames)
                values[piece.channel][:, list(piece.columns)] = played
                self.used[number] = replace(piece.track, values=wish).off(played) / np.maximum(limit, TINY)
                kinds = self._kinds(np.searchsorted(self._frames, curve.frames), piece.track)
                found[number] = Keyed(self.channels[piece.channel], piece.columns, curve, kinds)
        return [found[number] for number in range(len(self.pieces))]

    def _stages(self, carrying: Carrying) -> list[list[int]]:
        """Return pieces by stage: those of no carried bone, then bone after bone."""
        stages = carrying.stages()
        carried = {channel for stage in stages for channel in stage}
        rest = [number for number in range(len(self.channels)) if number not in carried]
        found = [[number for number, piece in enumerate(self.pieces) if piece.channel in stage] for stage in (rest, *stages)]
        return [stage for stage in found if stage]

    def _wished(self, piece: Piece, aim: Aim | None, carrying: Carrying) -> np.ndarray:
        """Return the values `(f, n)` that a piece should have now; where it holds, and if it hardly moves, those it had."""
        if aim is None or piece.track.spread <= CONSTANT * (carrying.radians if piece.turns else carrying.metres):
            return piece.track.values
        return piece.track.values + piece.freely * (aim.values[:, list(piece.columns)] - piece.track.values)

    def _searched(self, stage: list[int], wished: list[np.ndarray], limits: list[np.ndarray], thin: bool) -> list[KeyCurve]:
        search = self._searches.get(tuple(stage))
        if search is None:
            tracks = [replace(self.pieces[number].track, values=values) for number, values in zip(stage, wished, strict=True)]
            search = self._searches[tuple(stage)] = Search(self._frames, tracks, self._moments.wishes())
        search.aim(wished)
        return search.within(limits, thin)

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
        kinds[np.isin(rows, track.held())] = keyframes.MOVING_HOLD
        kinds[np.isin(rows, self._moments.passings)] = keyframes.BREAKDOWN
        kinds[np.isin(rows, self._moments.contacts)] = keyframes.EXTREME
        return kinds


def _room(piece: Piece, aim: Aim | None) -> np.ndarray | float:
    """Return the room `(f,)` of a piece: angles of one rotation that are keyed apart share it."""
    if aim is None:
        return 0.0
    return aim.room * (PLACE if piece.turns and not piece.track.mode else 1.0)


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
