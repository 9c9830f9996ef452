"""The bones of chains, bent as their springs say, over whatever else poses them."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..character.motion import Posed
from ..easing import smoothstep
from ..geometry.rotation import from_rotation_vector, norms, transposed
from ..posing.channels import Channels, Property, from_mode, in_mode, rotation_path
from .capsules import turned_out
from .chains import HangingChain
from .follow import Answer, Drives, Grid, Sampled, Sprung
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
        return Following(self, Drives(sampled, [chain.holder for chain in self.chains], grid), leg, looks)

    def bound(self, manners: Sequence[Manner]) -> list[Sprung]:
        """Return the springs of its chains in some manners."""
        return [
            Sprung(chain.holder, Springs(chain.joints[:-1], chain.joints[1:], kinds()[chain.kind], manner))
            for chain, manner in zip(self.chains, manners, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class Following:
    """What hangs on a character, as it follows one motion. A keyed slider counts at any time as if it had
    always been so."""

    hanging: Hanging
    drives: Drives
    leg: float
    looks: float

    @cached_property
    def _bound(self) -> list[Sprung]:
        return self.hanging.bound(self.hanging.manners)

    @cached_property
    def _answers(self) -> "OrderedDict[tuple[Manner, ...], Answer]":
        return OrderedDict()

    @cached_property
    def _axes(self) -> np.ndarray:
        """The axes about which each joint bends `(bones, 3, 2)`, in the walk frame."""
        return np.concatenate([each.springs.axes for each in self._bound])

    @cached_property
    def _limits(self) -> np.ndarray:
        """The most that each joint bends `(bones,)`, radians."""
        return np.concatenate(
            [np.full(len(each.springs.heads), each.springs.kind.limit) for each in self._bound]
        )

    @cached_property
    def _own(self) -> np.ndarray:
        return np.array([bone.axes for bone in self.hanging.bones])

    def _answer(self, manners: tuple[Manner, ...]) -> Answer:
        if manners not in self._answers:
            self._answers[manners] = Answer(self.hanging.bound(manners), self.drives, self.leg, self.looks)
            if len(self._answers) > _ANSWERS:
                self._answers.popitem(last=False)
        return self._answers[manners]

    def _bends(self, frames: np.ndarray) -> np.ndarray:
        """Return how far joints bend `(f, bones, 2)`."""
        keyed = self.hanging.keyed
        if keyed is None:
            return self._answer(self.hanging.manners).bends(frames)
        at = frames / (KNOT_S * self.drives.grid.fps)
        knots = np.floor(at)
        found = np.empty((len(frames), len(self.hanging.bones), 2))
        for knot in np.unique(knots).tolist():
            here = knots == knot
            before, after = (
                self._answer(keyed(each * KNOT_S * self.drives.grid.fps)).bends(frames[here])
                for each in (knot, knot + 1.0)
            )
            found[here] = before + smoothstep(at[here] - knot)[:, None, None] * (after - before)
        return found

    def bent(self, frames: np.ndarray) -> np.ndarray:
        """Return how each bone turns in its joint `(f, bones, 3)`: rotation vectors in the walk frame's
        axes, as at rest."""
        vectors = np.einsum("fbi,bai->fba", self._bends(frames), self._axes)
        size = norms(vectors) / self._limits
        return vectors * np.where(size > 1e-9, np.tanh(size) / np.maximum(size, 1e-9), 1.0)[..., None]

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
    known = {prop.bone: prop for prop in channels.properties if prop.mode}
    for row, bone in enumerate(bones):
        if bone.name in known:
            own = known[bone.name]
            turned[:, row] = from_mode(channels.values[:, own.columns], own.mode)
    return turned


def _with_turns(channels: Channels, bones: Sequence[FollowBone], turns: np.ndarray) -> Channels:
    """Return channels with rotations of bones `(f, bones, 3, 3)`."""
    known: Mapping[str, Property] = {prop.bone: prop for prop in channels.properties if prop.mode}
    values, column = channels.values.copy(), channels.values.shape[1]
    properties, blocks = list(channels.properties), [values]
    for row, bone in enumerate(bones):
        own = known.get(bone.name)
        if own is not None:
            values[:, own.columns] = in_mode(turns[:, row], own.mode)
            continue
        block = in_mode(turns[:, row], bone.mode)
        properties.append(
            Property(bone.name, rotation_path(bone.mode), bone.mode, slice(column, column + block.shape[1]))
        )
        blocks.append(block)
        column += block.shape[1]
    return Channels(tuple(properties), np.concatenate(blocks, axis=1))
