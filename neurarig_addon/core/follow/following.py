"""The bones of chains, bent as their springs say, over whatever else poses them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from ..character.motion import Posed
from ..easing import smoothstep
from ..geometry.rotation import from_rotation_vector, norms, transposed
from ..posing.channels import Channels, Property, from_mode, in_mode, rotation_path
from .capsules import turned_out
from .chains import HangingChain
from .follow import Answer, Drives, Grid, Sampled
from .kinds import Manner, kinds
from .springs import Springs

TurnedBy = Callable[[np.ndarray], np.ndarray]
KNOT_S = 0.25  # seconds between the manners of keyed sliders, between which the answers go over
_ANSWERS = 16  # of other manners that are kept


class FollowBone(NamedTuple):
    """A bone that follows: its `name`, its rotation `mode`, its `axes` at rest `(3, 3)` in the walk frame."""

    name: str
    mode: str
    axes: np.ndarray


@dataclass(frozen=True, eq=False)
class Hanging:
    """What hangs on a character: `chains` with their `manners`, their `bones` one after the other, and how
    the user turns these, `turned(frames)` `(f, bones, 3, 3)`. `keyed`: the manners at a frame where sliders
    are keyed, None where none is."""

    chains: tuple[HangingChain, ...]
    manners: tuple[Manner, ...]
    bones: tuple[FollowBone, ...]
    turned: TurnedBy
    keyed: Callable[[float], tuple[Manner, ...]] | None = None

    def following(self, sampled: Sampled, grid: Grid, leg: float, looks: float = 0.0) -> "Following":
        """Return how it follows a motion; see `follow.Drives`, `follow.Answer`."""
        drives = Drives(sampled, [chain.holder for chain in self.chains], grid)

        @lru_cache(_ANSWERS)
        def answer(manners: tuple[Manner, ...]) -> Answer:
            return Answer(self.springs(manners), drives, leg, looks)

        return Following(self, answer, grid, leg)

    def springs(self, manners: Sequence[Manner]) -> list[Springs]:
        """Return the springs of its chains in some manners."""
        return [
            Springs(chain.joints, chain.holder, kinds()[chain.kind], manner)
            for chain, manner in zip(self.chains, manners, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class Following:
    """What hangs on a character, as it follows one motion. A keyed slider counts at any time as if it had
    always been so."""

    hanging: Hanging
    answer: Callable[[tuple[Manner, ...]], Answer]
    grid: Grid
    leg: float

    @cached_property
    def _bent(self) -> tuple[np.ndarray, np.ndarray]:
        """The axes about which each joint bends `(bones, 3, 2)`, in the walk frame, and the most that it does
        `(bones,)`, radians."""
        springs = self.hanging.springs(self.hanging.manners)
        limits = [each.kind.limit for each in springs for _ in each.ways]
        return np.concatenate([each.axes for each in springs]), np.array(limits)

    @cached_property
    def _own(self) -> np.ndarray:
        return np.array([bone.axes for bone in self.hanging.bones])

    def _bends(self, frames: np.ndarray) -> np.ndarray:
        """Return how far joints bend `(f, bones, 2)`."""
        keyed = self.hanging.keyed
        if keyed is None:
            return self.answer(self.hanging.manners).bends(frames)
        apart = KNOT_S * self.grid.fps
        at = frames / apart
        knots = np.floor(at)
        found = np.empty((len(frames), len(self.hanging.bones), 2))
        for knot in np.unique(knots).tolist():
            here = knots == knot
            before, after = (
                self.answer(keyed(each * apart)).bends(frames[here]) for each in (knot, knot + 1.0)
            )
            found[here] = before + smoothstep(at[here] - knot)[:, None, None] * (after - before)
        return found

    def bent(self, frames: np.ndarray) -> np.ndarray:
        """Return how each bone turns in its joint `(f, bones, 3)`: rotation vectors in the walk frame's
        axes, as at rest."""
        axes, limits = self._bent
        vectors = np.einsum("fbi,bai->fba", self._bends(frames), axes)
        size = np.maximum(norms(vectors) / limits, 1e-9)
        return vectors * (np.tanh(size) / size)[..., None]

    def over(self, channels: Channels, pose: Posed) -> Channels:
        """Return channels of a pose with what follows added to the bones that they turn, and to the others as
        the user turns them."""
        frames = np.asarray(pose.frames, dtype=float)
        vectors = np.einsum("fba,bac->fbc", self.bent(frames), self._own)
        below = _below(channels, self.hanging.bones, self.hanging.turned(frames))
        turns = self._own @ (below @ from_rotation_vector(vectors)) @ transposed(self._own)
        turns = turned_out(self.hanging.chains, turns, pose.motions, self.leg)
        return _with_turns(channels, self.hanging.bones, transposed(self._own) @ turns @ self._own)


def _below(channels: Channels, bones: Sequence[FollowBone], turned: np.ndarray) -> np.ndarray:
    """Return how bones are turned `(f, bones, 3, 3)` without following: as in channels, else as `turned`."""
    known = _columns(channels)
    for mode, rows in _by_mode(bones):
        if rows := [row for row in rows if bones[row].name in known]:
            values = np.stack([channels.values[:, known[bones[row].name]] for row in rows], axis=1)
            turned[:, rows] = from_mode(values, mode)
    return turned


def _columns(channels: Channels) -> dict[str, slice]:
    """Return the columns of the bones' rotations."""
    return {prop.bone: prop.columns for prop in channels.properties if prop.mode}


def _with_turns(channels: Channels, bones: Sequence[FollowBone], turns: np.ndarray) -> Channels:
    """Return channels with rotations of bones `(f, bones, 3, 3)`."""
    known = _columns(channels)
    values, column = channels.values.copy(), channels.values.shape[1]
    properties, blocks = list(channels.properties), [values]
    for mode, rows in _by_mode(bones):
        found = in_mode(turns[:, rows], mode)
        for row, block in zip(rows, found.swapaxes(0, 1), strict=True):
            name = bones[row].name
            if name in known:
                values[:, known[name]] = block
            else:
                columns = slice(column, column := column + block.shape[1])
                properties.append(Property(name, rotation_path(mode), mode, columns))
                blocks.append(block)
    return Channels(tuple(properties), np.concatenate(blocks, axis=1))


def _by_mode(bones: Sequence[FollowBone]) -> Iterator[tuple[str, list[int]]]:
    """Yield the rotation modes of bones, with their rows."""
    for mode in dict.fromkeys(bone.mode for bone in bones):
        yield mode, [row for row, bone in enumerate(bones) if bone.mode == mode]
