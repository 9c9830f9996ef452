"""Parts of the body that trail the walk: hips behind the feet, chest behind the hips, arms behind the chest, hands behind the arms.

A late part follows the walk's curves some frames behind.  Feet are never late, so they stay planted; neither is the
height of the hips, which the legs determine.  A person's habits can delay chest and arms too.
"""

from collections.abc import Callable

import numpy as np

from ...contract.channels import BLOCKS, CHANNELS
from ..moments import Moments
from ..sliders.manner import person_of
from ..walker import Walker

TWICE = 4.0 * np.pi  # a cycle has two contacts
SIDEWAYS_AND_TURNS = ("y", "pitch", "yaw", "roll")


def _columns(*blocks: str, axes: tuple[str, ...] = ()) -> list[int]:
    return [CHANNELS.index(f"{block}.{axis}") for block in blocks for axis in axes or BLOCKS[block]]


# Each slider and the channels it delays; the channels of later sliders are delayed by as much again.
HIPS, CHEST, ARMS = _columns("pelvis", axes=SIDEWAYS_AND_TURNS), _columns("chest"), _columns("arm_l", "arm_r")
PARTS = {"drag_hips": HIPS, "drag_chest": CHEST, "drag_arms": ARMS}
SLIDERS = (*PARTS, "drag_hands", "slow_in")


def dragged(walker: Walker, at: Moments, sample: Callable[[np.ndarray], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the gait's channels `(f, 46)` with delayed parts, and the channels at the moment the hands follow.

    `sample`: gives the channels for a delay in cycles `(f, 2)` of the left and right foot.
    """
    track, frames = walker.track, at.frames
    values, late = sample(np.zeros((len(frames), 2))), np.zeros(len(frames))
    who, much = person_of(track, frames)
    if not (much.any() or any(track.at(slider, frames).any() for slider in SLIDERS)):
        return values, values
    slow_in = np.clip(track.at("slow_in", frames), -1.0, 1.0)

    by_habit = much[:, None] * who.habits.late

    def so_late(lingers: bool) -> np.ndarray:
        delay = walker.rhythm.phases_at(at.seconds) - walker.rhythm.phases_at(at.seconds - late / walker.clock.fps)
        lag = slow_in / TWICE * np.sin(TWICE * (at.phase[:, 0] - delay[:, 0])) if lingers else np.zeros(len(frames))
        delay = delay + lag[:, None] + (by_habit if lingers else 0.0)
        return sample(delay) if delay.any() else values

    found = values.copy()
    for slider, columns in PARTS.items():
        late = late + track.at(slider, frames)
        found[:, columns] = so_late(lingers=columns is not HIPS)[:, columns]
    late = late + track.at("drag_hands", frames)
    return found, so_late(lingers=True)
