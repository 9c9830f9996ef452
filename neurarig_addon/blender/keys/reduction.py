"""Few keys in place of many: poses on shared frames, and more of them where the character would stray.

What decides is the evaluated character: on a copy, how far its bones and its planted feet are from how they
are seen with dense keys.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Object

from ...core.character.character import Character
from ...core.keys.deviation import TRUNK, SeenMotion, limb_of_bones
from ..animation import keyframes
from ..animation.keyframes import Channel, Keyed
from ..animation.steps import Steps, part_of
from ..character.controls.probing.bench import bench
from ..live.memory import Memory
from .fitting import FittedPoses, KeyMoments
from .hanging import HangingBones
from .parts import Bound, parts_of
from .trial import KeyTrial, Straying

ROUNDS = 24  # of more poses; each round halves the gaps that are past the bound
LEFT, ROUND = 0.6, 0.8  # shares of the work: what the rounds take of all, and each leaves to the next
# share of the worst error of bones that may be to blame for what strays: those with more get the pose
TO_BLAME = 0.95
LONGEST = 2000  # frames that are remembered


@dataclass(frozen=True)
class Reduction:
    """Few keys, the numbers of few and dense keys, and the greatest deviations: millimetres, degrees,
    millimetres of slip."""

    keyed: list[Keyed]
    keys: int
    dense: int
    off_mm: float
    off_degrees: float
    slip_mm: float


@dataclass(frozen=True)
class _Last:
    """What was reduced last of a character, and what that became: a walk that is baked again is mostly the
    same."""

    task: tuple[str, float, bool, np.ndarray, Sequence[Channel]]
    found: Reduction

    def is_of(
        self, attachment: str, metres: float, loop: bool, frames: np.ndarray, channels: Sequence[Channel]
    ) -> bool:
        """Return whether a task is the same, but for what differs with the frame that is shown: rounding."""
        *before, at, known = self.task
        if (
            before != [attachment, metres, loop]
            or len(known) != len(channels)
            or not np.array_equal(at, frames)
        ):
            return False
        return all(_is_same(one, other) for one, other in zip(known, channels, strict=True))


def _is_same(one: Channel, other: Channel) -> bool:
    return (
        one.path == other.path
        and one.values.shape == other.values.shape
        and bool((np.abs(one.values - other.values) <= one.still).all())
    )


_last: Memory[_Last] = Memory()


def reduce_steps(
    obj: Object,
    character: Character,
    frames: np.ndarray,
    channels: Sequence[Channel],
    moments: KeyMoments | Callable[[SeenMotion], KeyMoments],
    metres: float,
    set_up: Callable[[Object], None] = lambda _: None,
) -> Steps[Reduction]:
    """Return few keys for channels of a character at `frames` `(f,)`; yields the share done, and changes
    nothing.

    `moments`: if not known, a function that returns them from the character as seen with dense keys.
    `metres`: allowed deviation of a
    joint.  `set_up`: prepares a copy of the character for the channels.
    """
    loop, last = isinstance(moments, KeyMoments) and moments.loop, _last.get(obj)
    task = obj.neurarig.attachment, metres, loop, frames, channels
    if last is not None and isinstance(moments, KeyMoments) and last.is_of(*task):
        yield 1.0
        return last.found
    of_bones = limb_of_bones(character)
    with bench(obj) as copy:
        set_up(copy.obj)
        trial = KeyTrial(copy, obj, character, channels, frames)
        dense, rows = [channel.values for channel in channels], np.arange(len(frames))
        if isinstance(moments, KeyMoments):  # poses are as they were
            rows = np.setdiff1d(rows, moments.every_pose)
        wanted = yield from part_of(trial.play(channels, dense, trial.unseen(), rows), 0.0, 0.3)
        moments = moments if isinstance(moments, KeyMoments) else moments(wanted)
        timing = bpy.context.scene.render
        bound = Bound.of(metres, moments.recorded, timing.fps / timing.fps_base)
        parts = parts_of(obj, character, channels, bound, moments.recorded)
        chain = HangingBones(obj, character, parts, wanted, trial.bones) if moments.recorded else None
        poses = FittedPoses(frames, channels, parts, moments, chain)
        yield from part_of(poses.fit(), 0.3, 1.0 - LEFT)
        straying = Straying(trial, channels, wanted, moments.planted, rows, bound)
        for number in range(ROUNDS + 1):
            begins, seen, ends = (1.0 - LEFT * ROUND ** (number + part) for part in (0.0, 0.5, 1.0))
            yield from part_of(straying.look(poses.values()), begins, seen)
            past = [(bone, by, off) for bone, by, off in straying.past() if off.max(initial=0.0) > 1.0]
            if not past or not _added(poses, past, of_bones):
                break
            yield from part_of(poses.fit(), seen, ends)
        off = straying.off
    keyed = poses.keyed()
    found = Reduction(
        keyed,
        keyframes.count(keyed),
        poses.dense(keyed),
        1e3 * float(off.metres.max(initial=0.0)),
        float(off.degrees.max(initial=0.0)),
        1e3 * float(off.slip.max()),
    )
    if len(frames) <= LONGEST:
        _last[obj] = _Last(task, found)
    return found


def _added(
    poses: FittedPoses, past: Sequence[tuple[str, str, np.ndarray]], of_bones: Mapping[str, str]
) -> bool:
    """Give the bones that are to blame for what strays more poses, or all that may be; return whether there
    was room for any."""
    errors = {bone: poses.error(bone) for bone in poses.parts}
    every: dict[str, np.ndarray] = {}
    blamed: dict[str, np.ndarray] = {}
    for bone, by, strayed in past:
        movers = poses.movers(bone, of_bones.get(bone, TRUNK), by)
        worst = np.maximum.reduce([errors[mover] for mover in movers]) if movers else strayed
        for mover in movers:
            every[mover] = np.maximum(every.get(mover, 0.0), strayed)
            its = np.where(errors[mover] >= TO_BLAME * worst, strayed, 0.0)
            blamed[mover] = np.maximum(blamed.get(mover, 0.0), its)
    return poses.add(blamed) or poses.add(every)
