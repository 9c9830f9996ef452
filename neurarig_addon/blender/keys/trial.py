"""Trial of keys on a copy of the character: how far it strays with them from how it is seen with dense ones."""

from collections.abc import Collection, Generator, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.keys.deviation import TRUNK, Deviation, Seen, deviation
from ...core.skeleton.roles import SIDES, sided
from ..animation.keyframes import Channel
from ..character.controls.probing.bench import Bench
from ..character.controls.probing.read_rig import direct_sources, needed_for
from ..character.legs import FEET, CarriedPoints
from ..character.read_armature import skin_bones

CHANGED = 1e-9  # values that differ by no more are not evaluated again
BEYOND = (*(sided("hand", side) for side in SIDES), "head")  # what these carry follows them: fingers, a face

Steps = Generator[None, None, Seen]
RADIANS_PER_METRE = np.radians(0.5) / 0.005  # half a degree is allowed with 5 mm
SLIP_PER_METRE = 0.2  # 1 mm is allowed with 5 mm


class KeyTrial:
    """A bench on which a character's channels at `frames` `(f,)` are played, without the mechanism of what head and hands carry.

    `bones`: those seen, first the `measured` ones, which deform the skin, then others with keys of their own (`driven`).
    """

    def __init__(self, bench: Bench, obj: bpy.types.Object, character: Character, driven: Collection[str], frames: np.ndarray) -> None:
        self._bench, self._frames = bench, frames
        posed = bench.obj.pose.bones
        carrying = (skin_bones(obj) or set(posed.keys())) - _carried(character)
        names = posed.keys()
        measured = [name for name in names if name in carrying]
        self.measured = len(measured)
        self.bones = [*measured, *(name for name in names if name in driven and name not in carrying)]
        rows = {name: row for row, name in enumerate(names)}
        self._rows = np.array([rows[name] for name in self.bones])
        self._lengths = np.array([posed[name].bone.length for name in self.bones])
        self._carried = CarriedPoints(obj, character.body, character.roles)
        self._carriers = np.array([[rows[name] for name in names] for names in self._carried.bones])
        self._metre = bpy.context.scene.unit_settings.scale_length
        carriers = (name for names in self._carried.bones for name in names)
        bench.lighten(needed_for({*self.bones, *carriers}, direct_sources(bench.obj)))

    def unseen(self) -> Seen:
        """Return the frames with nothing seen yet."""
        frames, bones = len(self._frames), len(self.bones)
        heads, tails, feet = (np.zeros((frames, *shape)) for shape in ((bones, 3), (bones, 3), (2, 3, 3)))
        return Seen(heads, tails, np.tile(np.eye(3), (frames, bones, 1, 1)), feet)

    def play(self, channels: Sequence[Channel], values: Sequence[np.ndarray], seen: Seen, rows: np.ndarray) -> Steps:
        """Return `seen` with the character seen anew on some frames, with these values of channels, `(f, n)` each; yields after each."""
        found = Seen(*(each.copy() for each in (seen.heads, seen.tails, seen.turns, seen.feet)))
        if len(rows):
            with_values = (
                replace(channel, values=each[rows] if len(each) > 1 else each) for channel, each in zip(channels, values, strict=True)
            )
            for row, matrices in zip(rows, self._bench.played(self._frames[rows], with_values), strict=True):
                self._look(found, row, matrices)
                yield
        return found

    def _look(self, seen: Seen, row: int, matrices: np.ndarray) -> None:
        world = self._bench.world()
        axes, origin = self._metre * world[:3, :3], self._metre * world[:3, 3]
        posed = matrices[self._rows]
        ends = posed[:, :3, 3], posed[:, :3, 3] + posed[:, :3, 1] * self._lengths[:, None]
        seen.heads[row], seen.tails[row] = (end @ axes.T + origin for end in ends)
        turned = world[:3, :3] @ posed[:, :3, :3]
        seen.turns[row] = turned / np.maximum(np.linalg.norm(turned, axis=-2, keepdims=True), 1e-12)
        seen.feet[row] = self._carried.on(matrices[self._carriers])[:, FEET] @ axes.T + origin


def _carried(character: Character) -> set[str]:
    """Return the bones that head and hands carry."""
    skeleton, ends = character.skeleton, {character.roles.get(role) for role in BEYOND}
    return {name for row, name in enumerate(skeleton.names) if ends & {skeleton.names[above] for above in skeleton.ancestors(row)}}


class Straying:
    """A character's deviation `off` from how it is seen with dense values of channels, the last one; `rows`: where it is looked at."""

    def __init__(self, trial: KeyTrial, channels: Sequence[Channel], wanted: Seen, planted: np.ndarray, rows: np.ndarray) -> None:
        self._trial, self._channels, self._planted, self._rows = trial, channels, planted, rows
        self._wanted = wanted.first(trial.measured)
        self._seen, self._played = wanted, [channel.values for channel in channels]
        self.off = self._compared(wanted)

    def past(self, values: Sequence[np.ndarray], limbs: Sequence[str], metres: float) -> Generator[None, None, dict[str, np.ndarray]]:
        """Return each limb's deviation `(f,)` in multiples of the bound; `limbs` of the measured bones."""
        changed = np.zeros(len(self._seen.heads), dtype=bool)
        for old, new in zip(self._played, values, strict=True):
            changed |= np.broadcast_to((np.abs(new - old) > CHANGED).any(axis=1), len(changed))
        rows = np.intersect1d(self._rows, np.flatnonzero(changed))
        self._seen = yield from self._trial.play(self._channels, values, self._seen, rows)
        self._played = list(values)
        self.off = self._compared(self._seen)
        return _limbs_past(self.off, limbs, metres)

    def _compared(self, seen: Seen) -> Deviation:
        return deviation(self._wanted, seen.first(self._trial.measured), self._planted)


def worst(past: dict[str, np.ndarray]) -> float:
    """Return the greatest of the limbs' deviations."""
    return max(float(each.max(initial=0.0)) for each in past.values())


def _limbs_past(off: Deviation, limbs: Sequence[str], metres: float) -> dict[str, np.ndarray]:
    """Return each limb's deviation `(f,)` in multiples of the bound; `limbs` of the bones."""
    degrees = np.degrees(RADIANS_PER_METRE * metres)
    bones = np.maximum(off.metres / metres, off.degrees / degrees)
    past = {limb: np.zeros(len(bones)) for limb in (TRUNK, *limbs)}
    for limb, strayed in zip(limbs, bones.T, strict=True):
        past[limb] = np.maximum(past[limb], strayed)
    for side, letter in enumerate("LR"):
        leg = f"leg.{letter}"
        past[leg] = np.maximum(past.get(leg, 0.0), off.slip[:, side] / (SLIP_PER_METRE * metres))
    return past
