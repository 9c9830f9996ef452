"""Few keys in place of many: poses on shared frames, and more of them where the character would stray.

What decides is the evaluated character: on a copy, how far its bones and its planted feet are from how they are seen with dense keys.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.keys.deviation import TRUNK, Seen, limb_of_bones
from ..animation import keyframes
from ..animation.keyframes import Channel, Keyed
from ..character.controls.probing.bench import bench
from ..live.memory import Memory
from .fitting import Moments, Poses
from .trial import RADIANS_PER_METRE, KeyTrial, Straying, worst

Value = TypeVar("Value")
ROUNDS = 24  # of more poses; each round halves the gaps that are past the bound
TO_BLAME = 0.5  # share of a limb's error at which the trunk, by its own, gets the pose instead
LONGEST = 2000  # frames that are remembered


@dataclass(frozen=True)
class Reduction:
    """Few keys, the numbers of few and dense keys, and the greatest deviations: millimetres, degrees, millimetres of slip."""

    keyed: list[Keyed]
    keys: int
    dense: int
    off_mm: float
    off_degrees: float
    slip_mm: float


@dataclass(frozen=True)
class _Last:
    """What was reduced last of a character, and what that became: a walk that is baked again is mostly the same."""

    task: tuple[str, float, bool, np.ndarray, Sequence[Channel]]
    found: Reduction

    def is_of(self, attachment: str, metres: float, loop: bool, frames: np.ndarray, channels: Sequence[Channel]) -> bool:
        """Return whether a task is the same, but for what differs with the frame that is shown: rounding."""
        *before, at, known = self.task
        if before != [attachment, metres, loop] or len(known) != len(channels) or not np.array_equal(at, frames):
            return False
        return all(_is_same(one, other) for one, other in zip(known, channels, strict=True))


def _is_same(one: Channel, other: Channel) -> bool:
    return (
        one.path == other.path and one.values.shape == other.values.shape and bool((np.abs(one.values - other.values) <= one.still).all())
    )


_last: Memory[_Last] = Memory()


def reduce_steps(
    obj: bpy.types.Object,
    character: Character,
    frames: np.ndarray,
    channels: Sequence[Channel],
    moments: Moments | Callable[[Seen], Moments],
    metres: float,
    set_up: Callable[[bpy.types.Object], None] = lambda _: None,
) -> Generator[float, None, Reduction]:
    """Return few keys for channels of a character at `frames` `(f,)`; yields the share done, and changes nothing.

    `moments`: if not known, a function that returns them from the character as seen with dense keys.  `metres`: allowed deviation of a
    joint.  `set_up`: prepares a copy of the character for the channels.
    """
    loop, last = isinstance(moments, Moments) and moments.loop, _last.get(obj)
    task = obj.neurarig.attachment, metres, loop, frames, channels
    if last is not None and isinstance(moments, Moments) and last.is_of(*task):
        yield 1.0
        return last.found
    of_bones = limb_of_bones(character)
    with bench(obj) as copy:
        set_up(copy.obj)
        trial = KeyTrial(copy, obj, character, channels, frames)
        dense, rows = [channel.values for channel in channels], np.arange(len(frames))
        if isinstance(moments, Moments):  # poses are as they were
            rows = np.setdiff1d(rows, moments.every_pose)
        wanted = yield from _sharing(trial.play(channels, dense, trial.unseen(), rows), 0.0)
        moments = moments if isinstance(moments, Moments) else moments(wanted)
        poses = Poses(obj, character, frames, channels, moments, (metres, metres * RADIANS_PER_METRE))
        straying = Straying(trial, channels, wanted, moments.planted, rows)
        limbs = [of_bones[name] for name in trial.bones[: trial.measured]]
        for number in range(ROUNDS + 1):
            steps = straying.past(poses.values(), limbs, metres)
            past = yield from _sharing(steps, min(0.4 + 0.1 * number, 0.9))
            if worst(past) <= 1.0 or not _added(poses, past):
                break
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


def _added(poses: Poses, past: dict[str, np.ndarray]) -> bool:
    """Give limbs that stray more poses, or the trunk that carries them if it is to blame; return whether there was room for any."""
    trunk = poses.errors(TRUNK)
    blamed = np.zeros(len(trunk))
    added = False
    for limb, strayed in past.items():
        own = poses.errors(limb) if limb != TRUNK else trunk
        carried = (strayed > 1.0) & (limb != TRUNK) & (trunk > TO_BLAME * np.maximum(own, 1e-9))
        blamed = np.maximum(blamed, np.where(carried, strayed, 0.0))
        if limb in poses.limbs and limb != TRUNK:
            added |= poses.add(limb, np.where(carried, 0.0, strayed))
    if TRUNK in poses.limbs:
        added |= poses.add(TRUNK, np.maximum(blamed, past.get(TRUNK, blamed)))
    return added or any(limb in poses.limbs and poses.add(limb, strayed) for limb, strayed in past.items())


def _sharing(steps: Generator[None, None, Value], share: float) -> Generator[float, None, Value]:
    """Run steps that yield no share of their own, yielding `share`."""
    try:
        while True:
            next(steps)
            yield share
    except StopIteration as finished:
        return finished.value
