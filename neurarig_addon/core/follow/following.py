"""The bones of chains, bent as their springs say, over whatever else poses them."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..character.motion import Posed, RolePose
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
    the user turns these, `turned(frames)` `(f, bones, 3, 3)`; `is_still`: always so. `keyed`: the manners at
    a frame where sliders are keyed, None where none is."""

    chains: tuple[HangingChain, ...]
    manners: tuple[Manner, ...]
    bones: tuple[FollowBone, ...]
    turned: TurnedBy
    is_still: bool = False
    keyed: Callable[[float], tuple[Manner, ...]] | None = None

    def following(self, sampled: Sampled, grid: Grid, leg: float, looks: float = 0.0) -> "Following":
        """Return how it follows a motion; see `follow.Drives`, `follow.Answer`."""
        return Following(self, Drives(sampled, [chain.holder for chain in self.chains], grid), leg, looks)

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
    drives: Drives
    leg: float
    looks: float

    @cached_property
    def _answers(self) -> "OrderedDict[tuple[Manner, ...], Answer]":
        return OrderedDict()

    @cached_property
    def _bent(self) -> tuple[np.ndarray, np.ndarray]:
        """The axes about which each joint bends `(bones, 3, 2)`, in the walk frame, and the most that it does
        `(bones,)`, radians."""
        springs = self.hanging.springs(self.hanging.manners)
        limits = [np.full(len(each.ways), each.kind.limit) for each in springs]
        return np.concatenate([each.axes for each in springs]), np.concatenate(limits)

    @cached_property
    def _own(self) -> np.ndarray:
        return np.array([bone.axes for bone in self.hanging.bones])

    def _answer(self, manners: tuple[Manner, ...]) -> Answer:
        if manners not in self._answers:
            self._answers[manners] = Answer(self.hanging.springs(manners), self.drives, self.leg, self.looks)
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
        axes, limits = self._bent
        vectors = np.einsum("fbi,bai->fba", self._bends(frames), axes)
        size = norms(vectors) / limits
        return vectors * np.where(size > 1e-9, np.tanh(size) / np.maximum(size, 1e-9), 1.0)[..., None]

    def over(self, channels: Channels, pose: Posed, is_plain: bool = False) -> Channels:
        """Return channels of a pose with what follows added to the bones that they turn, and to the others as
        the user turns them; `is_plain`: it is that of the motion, without anything over it."""
        turns = self._repeated(channels, pose) if is_plain and self._repeats else self._turned(channels, pose)
        return _with_turns(channels, self.hanging.bones, turns)

    def _turned(self, channels: Channels, pose: Posed) -> np.ndarray:
        """Return how the bones are turned `(f, bones, 3, 3)`, about their own axes."""
        frames = np.asarray(pose.frames, dtype=float)
        vectors = np.einsum("fba,bac->fbc", self.bent(frames), self._own)
        below = _below(channels, self.hanging.bones, self.hanging.turned(frames))
        turns = self._own @ (below @ from_rotation_vector(vectors)) @ transposed(self._own)
        turns = turned_out(self.hanging.chains, turns, pose.motions, self.leg)
        return transposed(self._own) @ turns @ self._own

    @property
    def _repeats(self) -> int:
        """Return the whole frames after which all turns repeat, 0 if they do not."""
        is_still = self.hanging.is_still and self.hanging.keyed is None
        frames, rest = divmod(self.drives.grid.period, self.drives.grid.per)
        return frames if is_still and not rest else 0

    @cached_property
    def _known(self) -> dict[int, np.ndarray]:
        """The turns of frames of the period, as they were asked for."""
        return {}

    def _repeated(self, channels: Channels, pose: Posed) -> np.ndarray:
        frames = np.asarray(pose.frames)
        phases = (np.rint(frames).astype(int) % self._repeats).tolist()
        if not (frames == np.rint(frames)).all():
            return self._turned(channels, pose)
        rows = [phases.index(phase) for phase in dict.fromkeys(phases) if phase not in self._known]
        if rows:
            some = replace(channels, values=channels.values[rows])
            found = self._turned(some, RolePose.rows_of(pose, np.array(rows)))
            self._known.update((phases[row], turn) for row, turn in zip(rows, found, strict=True))
        return np.stack([self._known[phase] for phase in phases])


def _below(channels: Channels, bones: Sequence[FollowBone], turned: np.ndarray) -> np.ndarray:
    """Return how bones are turned `(f, bones, 3, 3)` without following: as in channels, else as `turned`."""
    known = {prop.bone: prop.columns for prop in channels.properties if prop.mode}
    for mode, rows in _by_mode([bone if bone.name in known else None for bone in bones]):
        values = np.stack([channels.values[:, known[bones[row].name]] for row in rows], axis=1)
        turned[:, rows] = from_mode(values, mode)
    return turned


def _with_turns(channels: Channels, bones: Sequence[FollowBone], turns: np.ndarray) -> Channels:
    """Return channels with rotations of bones `(f, bones, 3, 3)`."""
    known = {prop.bone: prop.columns for prop in channels.properties if prop.mode}
    values, column = channels.values.copy(), channels.values.shape[1]
    properties, blocks = list(channels.properties), [values]
    for mode, rows in _by_mode(bones):
        found = in_mode(turns[:, rows], mode)
        for row, block in zip(rows, found.swapaxes(0, 1), strict=True):
            bone = bones[row]
            if bone.name in known:
                values[:, known[bone.name]] = block
                continue
            columns = slice(column, column + block.shape[1])
            properties.append(Property(bone.name, rotation_path(mode), mode, columns))
            blocks.append(block)
            column = columns.stop
    return Channels(tuple(properties), np.concatenate(blocks, axis=1))


def _by_mode(bones: Sequence[FollowBone | None]) -> Iterator[tuple[str, list[int]]]:
    """Yield the rotation modes of bones, None for those that do not count, with their rows."""
    for mode in dict.fromkeys(bone.mode for bone in bones if bone):
        yield mode, [row for row, bone in enumerate(bones) if bone and bone.mode == mode]
