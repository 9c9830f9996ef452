"""What is keyed of a character, bone by bone, within bounds, and the errors of it that
matter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Object

from ...core.character.character import Character
from ...core.keys.deviation import TRUNK, limb_of_bones
from ...core.posing.channels import LOCATION
from ..animation.curve_pose import split_path
from ..animation.keyframes import SWITCHES, Channel

RADIANS_PER_METRE = np.radians(0.5) / 0.005  # half a degree is allowed with 5 mm
SLIP_PER_METRE = 0.2  # 1 mm is allowed with 5 mm
OF_RECORDINGS = 4.0, 1.0  # of both: times that, metres per metre
LASTING_S = 0.1  # seconds over which axes and tips of a recording are averaged: shorter turns tremble


@dataclass(frozen=True)
class Bound:
    """Allowed deviations, metres and radians, `slip` in metres, and the frames over which axes and tails are
    averaged."""

    metres: float
    radians: float
    slip: float
    lasting: int = 1

    @classmethod
    def of(cls, metres: float, recorded: bool, fps: float) -> "Bound":
        """Return the bound with a tolerance of `metres`; recordings are less exact."""
        if not recorded:
            return cls(metres, metres * RADIANS_PER_METRE, metres * SLIP_PER_METRE)
        wider, slip = OF_RECORDINGS
        return cls(
            metres, metres * RADIANS_PER_METRE * wider, metres * slip, 1 + 2 * int(0.5 * LASTING_S * fps)
        )


QUATERNION_RADIANS = 2.0  # radians of rotation per unit change of a component
TINY = 1e-6  # metres


@dataclass(frozen=True)
class KeyedPart:
    """What is keyed of a bone that moves, '' for the object: the numbers of its channels, their properties
    with the columns of each, the `limits` `(n,)`, errors of columns that matter, `values` `(f, n)`, and which
    columns `move` `(n,)`.

    `limb`: where it belongs; `poses`: with what it shares its poses.
    """

    bone: str
    limb: str
    poses: str
    channels: tuple[int, ...]
    props: tuple[tuple[str, slice], ...]
    limits: np.ndarray
    values: np.ndarray
    moves: np.ndarray

    def columns(self) -> Iterator[tuple[int, slice]]:
        """Yield its channels with their columns."""
        yield from zip(self.channels, (columns for _, columns in self.props), strict=True)

    def of(self, prop: str, values: np.ndarray) -> np.ndarray | None:
        """Return the columns of a property that moves, None if it does not."""
        columns = dict(self.props).get(prop)
        return None if columns is None or not self.moves[columns].any() else values[:, columns]


def parts_of(
    obj: Object, character: Character, channels: Sequence[Channel], bound: Bound, alone: bool
) -> dict[str, KeyedPart]:
    """Return the bones that move, each with all its channels: a pose has all of them; `alone`: with poses of
    its own, else its limb's."""
    of_bones = limb_of_bones(character)
    found: dict[str, list[int]] = {}
    for number, channel in enumerate(channels):
        if len(channel.values) > 1 and channel.group != SWITCHES:
            found.setdefault(split_path(channel.path)[0], []).append(number)
    parts = {}
    for bone, numbers in found.items():
        own = [channels[number] for number in numbers]
        moves = np.concatenate([np.ptp(channel.values, axis=0) > channel.still for channel in own])
        if moves.any():
            limb = of_bones.get(bone, TRUNK)
            ends = np.cumsum([channel.values.shape[1] for channel in own]).tolist()
            props = [
                (split_path(channel.path)[1], slice(*span))
                for channel, span in zip(own, zip([0, *ends], ends, strict=False), strict=True)
            ]
            limits = np.concatenate([_limits(obj, character, channel, bound) for channel in own])
            values = np.concatenate([channel.values for channel in own], axis=1)
            parts[bone] = KeyedPart(
                bone, limb, bone if alone else limb, tuple(numbers), tuple(props), limits, values, moves
            )
    return parts


def _limits(obj: Object, character: Character, channel: Channel, bound: Bound) -> np.ndarray:
    """Return the error that matters of each column of a channel `(n,)`."""
    (bone, prop), width = split_path(channel.path), channel.values.shape[1]
    size = (
        float(np.linalg.norm(character.skeleton.to_world[:3, 0]))
        if bone
        else bpy.context.scene.unit_settings.scale_length
    )
    if prop == LOCATION:
        return np.full(width, bound.metres / size)
    radians = (
        min(bound.radians, bound.metres / max(obj.data.bones[bone].length * size, TINY))
        if bone in obj.data.bones
        else bound.radians
    )
    if prop == "rotation_quaternion":
        return np.full(width, radians / QUATERNION_RADIANS)
    if prop.startswith("rotation") or prop == "scale":
        return np.full(width, radians)
    return np.full(width, radians * max(float(np.ptp(channel.values)), channel.still))
