"""Trial of keys on a copy of the character: how far it strays with them from how it is seen with dense
ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.keys.deviation import Deviation, SeenMotion, deviation
from ...core.skeleton.roles import SIDES, sided
from ..animation.curve_pose import split_path
from ..animation.keyframes import SWITCHES, Channel
from ..animation.steps import Steps
from ..character.controls.probing.bench import Bench
from ..character.controls.probing.read_rig import direct_sources, needed_for
from ..character.legs import FEET, LEGS, CarriedPoints
from ..character.read_armature import skin_bones
from .hanging import PLACE, SOLE, TURN
from .parts import Bound

CHANGED = 1e-9  # values that differ by no more are not evaluated again
BEYOND = (*(sided("hand", side) for side in SIDES), "head")  # what these carry follows them: fingers, a face

SAMPLES = 8  # frames on which it is looked at what head and hands carry
STIFF = 1e-4  # radians and leg lengths: bones that move no more relative to one another are one piece


def at_rows(channels: Sequence[Channel], values: Sequence[np.ndarray], rows: np.ndarray) -> Iterator[Channel]:
    """Yield channels with the rows of these values `(f, n)`."""
    for channel, each in zip(channels, values, strict=True):
        yield replace(channel, values=each[rows] if len(each) > 1 else each)


class KeyTrial:
    """A bench on which a character's channels at `frames` `(f,)` are played, without what head and hands
    carry.

    `bones`: those seen, first the `measured` ones, which deform the skin, then others with keys of their own,
    and those above. `soles`: the bones that carry each foot's tip.
    """

    def __init__(
        self,
        bench: Bench,
        obj: bpy.types.Object,
        character: Character,
        channels: Sequence[Channel],
        frames: np.ndarray,
    ) -> None:
        self._bench, self._frames = bench, frames
        switched = any(channel.group == SWITCHES and len(channel.values) > 1 for channel in channels)
        sources, driven = (
            direct_sources(bench.obj, switched),
            {split_path(channel.path)[0] for channel in channels},
        )
        measured = (skin_bones(obj) or set(bench.obj.pose.bones.keys())) - self._carried_bones(
            character, channels, sources
        )
        names = bench.obj.pose.bones.keys()
        posed = [bone for bone in bench.obj.pose.bones if bone.name in measured | driven]
        others = {bone.name for each in posed for bone in (each, *each.parent_recursive)} - measured
        self.bones = [
            *(name for name in names if name in measured),
            *(name for name in names if name in others),
        ]
        self.measured = len(measured)
        self._carried = CarriedPoints(obj, character.body, character.roles)
        carriers = [name for names in self._carried.bones for name in names]
        self.soles = [names[FEET][-1] for names in self._carried.bones]
        read = direct_sources(bench.obj, switches=True)  # drivers that read a bone that is gone fall silent
        bench.strip(needed_for({*self.bones, *carriers}, read))
        rows = {name: row for row, name in enumerate(bench.obj.pose.bones.keys())}
        self._rows = np.array([rows[name] for name in self.bones])
        self._lengths = np.array([bench.obj.pose.bones[name].bone.length for name in self.bones])
        self._carriers = np.array([[rows[name] for name in names] for names in self._carried.bones])
        self._metre = bpy.context.scene.unit_settings.scale_length

    def unseen(self) -> SeenMotion:
        """Return the frames with nothing seen yet."""
        frames, bones, legs = len(self._frames), len(self.bones), len(self.soles)
        heads, tails, feet, legs = (
            np.zeros((frames, *shape)) for shape in ((bones, 3), (bones, 3), (legs, 3, 3), (legs, 3, 3))
        )
        return SeenMotion(heads, tails, np.tile(np.eye(3), (frames, bones, 1, 1)), feet, legs)

    def play(
        self, channels: Sequence[Channel], values: Sequence[np.ndarray], seen: SeenMotion, rows: np.ndarray
    ) -> Steps[SeenMotion]:
        """Return `seen` with the character seen anew on some frames, with these values of channels, `(f, n)`
        each; yields the share done."""
        found = SeenMotion(
            *(each.copy() for each in (seen.heads, seen.tails, seen.turns, seen.feet, seen.legs))
        )
        played = self._bench.played(self._frames[rows], at_rows(channels, values, rows)) if len(rows) else ()
        for number, (row, matrices) in enumerate(zip(rows, played, strict=True)):
            self._look(found, row, matrices)
            yield number / len(rows)
        return found

    def _carried_bones(
        self, character: Character, channels: Sequence[Channel], sources: Mapping[str, set[str]]
    ) -> set[str]:
        """Return the bones that head and hands carry: their children, and what moves with the same controls
        and never relative to them."""
        skeleton, posed = character.skeleton, self._bench.obj.pose.bones
        ends = {name for role in BEYOND if (name := character.roles.get(role)) and name in posed}
        found = {
            name
            for row, name in enumerate(skeleton.names)
            if ends & {skeleton.names[above] for above in skeleton.ancestors(row)}
        }
        moving = {
            split_path(channel.path)[0]
            for channel in channels
            if np.ptp(channel.values, axis=0).max() > channel.still
        }
        rows = np.unique(np.linspace(0, len(self._frames) - 1, SAMPLES).astype(int))
        seen = np.array(
            list(
                self._bench.played(
                    self._frames[rows], at_rows(channels, [each.values for each in channels], rows)
                )
            )
        )
        small = STIFF * np.append(
            np.ones(3), character.body.leg_length * np.linalg.norm(character.body.walk_to_armature[:3, 0])
        )
        for end in ends:
            relative = np.linalg.solve(seen[:, [posed.find(end)]], seen)
            still = (np.ptp(relative, axis=0)[:, :3] < small).all(axis=(1, 2))
            movers = needed_for({end}, sources) & moving
            followers = {bone.name for bone, follows in zip(posed, still, strict=True) if follows} - {end}
            found |= {name for name in followers if needed_for({name}, sources) & moving == movers}
        return found

    def _look(self, seen: SeenMotion, row: int, matrices: np.ndarray) -> None:
        world = self._bench.world()
        axes, origin = self._metre * world[:3, :3], self._metre * world[:3, 3]
        posed = matrices[self._rows]
        ends = posed[:, :3, 3], posed[:, :3, 3] + posed[:, :3, 1] * self._lengths[:, None]
        seen.heads[row], seen.tails[row] = (end @ axes.T + origin for end in ends)
        turned = world[:3, :3] @ posed[:, :3, :3]
        seen.turns[row] = turned / np.maximum(np.linalg.norm(turned, axis=-2, keepdims=True), 1e-12)
        carried = self._carried.on(matrices[self._carriers]) @ axes.T + origin
        seen.feet[row], seen.legs[row] = carried[:, FEET], carried[:, LEGS]


class Straying:
    """A character's deviation `off` from how it is seen with dense values of channels, the last one; `rows`:
    where it is looked at."""

    def __init__(
        self,
        trial: KeyTrial,
        channels: Sequence[Channel],
        wanted: SeenMotion,
        planted: np.ndarray,
        rows: np.ndarray,
        bound: Bound,
    ) -> None:
        self._trial, self._channels, self._planted, self._rows, self._bound = (
            trial,
            channels,
            planted,
            rows,
            bound,
        )
        self._wanted = wanted.first(trial.measured)
        self._seen, self._played = wanted, [channel.values for channel in channels]
        self.off = self._compared(wanted)

    def look(self, values: Sequence[np.ndarray]) -> Steps[None]:
        """See the character anew with these values of channels; yields the share done."""
        changed = np.zeros(len(self._seen.heads), dtype=bool)
        for old, new in zip(self._played, values, strict=True):
            changed |= np.broadcast_to((np.abs(new - old) > CHANGED).any(axis=1), len(changed))
        rows = np.intersect1d(self._rows, np.flatnonzero(changed))
        self._seen = yield from self._trial.play(self._channels, values, self._seen, rows)
        self._played = list(values)
        self.off = self._compared(self._seen)

    def past(self) -> Iterator[tuple[str, str, np.ndarray]]:
        """Yield what strays, a bone by its place, its tip or its axes, and each foot by its sole: `(f,)` in
        multiples of the bound."""
        off, bound = self.off, self._bound
        turned = np.maximum(np.radians(off.degrees) / bound.radians, off.tails / bound.metres)
        for row, bone in enumerate(self._trial.bones[: self._trial.measured]):
            yield bone, PLACE, off.heads[:, row] / bound.metres
            yield bone, TURN, turned[:, row]
        for side, bone in enumerate(self._trial.soles):
            yield bone, SOLE, np.maximum(off.soles[:, side] / bound.metres, off.slip[:, side] / bound.slip)

    def _compared(self, seen: SeenMotion) -> Deviation:
        return deviation(self._wanted, seen.first(self._trial.measured), self._planted, self._bound.lasting)
