"""Standing is never still: quiet sway, breath, weight shifts from leg to leg, looks around.

Each motion is a sum of a few sines with seeded phases and whole numbers of periods per loop: a function of time that repeats.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .manner import Posture
from .style import Clock

LOOP_S, ADULT_LEG = 32.0, 0.845  # seconds per loop for the adult leg from hip to ankle; scales with sqrt(leg), as pendulums do
# Periods per loop: sway at 0.2 to 0.5 Hz, breath at 0.25 Hz, weight shifts and looks every 10 to 30 s.
SWAYS, BREATHS, SHIFTS, LOOKS = (7, 17), (8, 9), (1, 4), (2, 7)
# RMS sway of quiet standing in leg lengths: 5 mm ahead, 3 mm aside.
SWAY_AHEAD, SWAY_ASIDE = 0.006, 0.0036
BREATH = np.radians(0.8)
SEEDS_KEPT = 256  # a crowd's
SHIFT, SHIFT_ROLL, SHIFT_SHARP = 0.022, np.radians(2.5), 2.2
LOOK_YAW, LOOK_PITCH, CHEST_FOLLOWS = np.radians(9.0), np.radians(1.5), 0.15


def idle_loop(clock: Clock, leg_length: float) -> float:
    """Return the idle loop in seconds, a whole number of frames where the clock asks for it."""
    seconds = LOOP_S * float(np.sqrt(leg_length / ADULT_LEG))
    return max(1.0, np.round(seconds * clock.fps)) / clock.fps if clock.whole_frames else seconds


@dataclass(frozen=True)
class Idle:
    """One seeded way to stand; `loop`: seconds, `leg`: metres."""

    seed: int
    loop: float
    leg_length: float

    def at(self, seconds: np.ndarray, much: np.ndarray) -> Posture:
        """Return what idling adds at times `(f,)`, scaled by `much` `(f,)` (1 = as people do)."""
        turn = 2.0 * np.pi * seconds / self.loop
        ahead, aside, breath, shift, look, nod = (_wave(turn, *drawn) for drawn in _drawn(self.seed))
        weight = np.tanh(SHIFT_SHARP * shift) * much
        glance = look**3 / 2.0 * much  # mostly ahead, sometimes aside
        return Posture.of(
            len(seconds),
            ahead=SWAY_AHEAD * self.leg_length * ahead * much,
            aside=SWAY_ASIDE * self.leg_length * aside * much + SHIFT * self.leg_length * weight,
            pelvis_roll=SHIFT_ROLL * weight,
            chest_roll=-0.5 * SHIFT_ROLL * weight,
            chest_pitch=-BREATH * breath * much,
            chest_yaw=CHEST_FOLLOWS * LOOK_YAW * glance,
            head_yaw=LOOK_YAW * glance,
            head_pitch=LOOK_PITCH * nod * much,
        )


@lru_cache(maxsize=SEEDS_KEPT)
def _drawn(seed: int) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return the six waves of a seed: sway ahead and aside, breath, weight, looks and nods, each as `_wave` takes it."""
    draw = np.random.default_rng(seed)
    waves = (SWAYS, 3), (SWAYS, 3), (BREATHS, 1), (SHIFTS, 2), (LOOKS, 3), (LOOKS, 2)
    return tuple((draw.choice(np.arange(*times), count, replace=False), draw.uniform(0.0, 2.0 * np.pi, count)) for times, count in waves)


def _wave(turn: np.ndarray, often: np.ndarray, begun: np.ndarray) -> np.ndarray:
    """Return a sum `(f,)` of sines with RMS 1, each with its whole number of periods per loop and the phase that it begins with."""
    return np.sqrt(2.0 / len(often)) * sum(np.sin(number * turn + phase) for number, phase in zip(often, begun, strict=True))
