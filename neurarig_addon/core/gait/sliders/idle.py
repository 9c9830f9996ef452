"""What a body does by itself: it sways, breathes and shifts its weight in standstills, and looks around while
it walks.

Each is drawn once by a seed and repeats after whole periods, so that it depends on time alone.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...easing import smootherstep
from .manner import Posture
from .style import Clock, StyleTrack

# seconds per loop for the adult leg from hip to ankle; scales with sqrt(leg), as pendulums do
LOOP_S, ADULT_LEG = 32.0, 0.845
# Periods per loop: sway at 0.2 to 0.5 Hz, breath at 0.25 Hz, weight shifts and looks every 10 to 30 s.
SWAYS, BREATHS, SHIFTS, LOOKS = (7, 17), (8, 9), (1, 4), (2, 7)
# RMS sway of quiet standing in leg lengths: 5 mm ahead, 3 mm aside.
SWAY_AHEAD, SWAY_ASIDE = 0.006, 0.0036
BREATH = np.radians(0.8)
SEEDS_KEPT = 256  # a crowd's
SHIFT, SHIFT_ROLL, SHIFT_SHARP = 0.022, np.radians(2.5), 2.2
LOOK_YAW, LOOK_PITCH, CHEST_FOLLOWS = np.radians(9.0), np.radians(1.5), 0.15
# Looks while walking, for an adult: seconds of a look aside, and ahead before it; degrees of a look, standard
# deviation and limit.
ASIDE_S, AHEAD_S = (0.7, 1.8), (1.2, 4.0)
YAW, MOST_YAW, DOWN, PITCH = 19.0, 38.0, 4.0, 5.0  # looks aside also go a little down
INCLINED = 0.12  # a turned head is tilted
TURNS_S, TURNS_S_DEGREE = 0.22, 0.009  # seconds of a head turn, and more for a wide one
CHEST_TURNS_TOO, CHEST_LATER_S = 0.12, 0.2


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
    """Return the six waves of a seed: sway ahead and aside, breath, weight, looks and nods, each as `_wave`
    takes it."""
    draw = np.random.default_rng(seed)
    waves = (SWAYS, 3), (SWAYS, 3), (BREATHS, 1), (SHIFTS, 2), (LOOKS, 3), (LOOKS, 2)
    return tuple(
        (draw.choice(np.arange(*times), count, replace=False), draw.uniform(0.0, 2.0 * np.pi, count))
        for times, count in waves
    )


def _wave(turn: np.ndarray, often: np.ndarray, begun: np.ndarray) -> np.ndarray:
    """Return a sum `(f,)` of sines with RMS 1, each with its whole number of periods per loop and the phase
    that it begins with."""
    return np.sqrt(2.0 / len(often)) * sum(
        np.sin(number * turn + phase) for number, phase in zip(often, begun, strict=True)
    )


@dataclass(frozen=True)
class Looks:
    """A seeded way to look around, repeated after a `period` in seconds; `tempo`: relative to an adult's
    times."""

    seed: int
    period: float
    tempo: float

    def at(self, seconds: np.ndarray, much: np.ndarray) -> Posture:
        """Return what looking around adds at times `(f,)`, scaled by `much` `(f,)` (1 = as people do)."""
        yaw, pitch = much * self._turned(seconds)
        later = much * self._turned(seconds - CHEST_LATER_S * self.tempo)[0]
        return Posture.of(
            len(seconds),
            head_yaw=yaw,
            head_pitch=pitch,
            head_roll=-INCLINED * yaw,
            chest_yaw=CHEST_TURNS_TOO * later,
        )

    def _turned(self, seconds: np.ndarray) -> np.ndarray:
        """Return the looks' yaw and pitch `(2, f)` at times `(f,)`, in radians."""
        begins, places = _drawn_looks(self.seed, self.period, self.tempo)
        into = np.mod(seconds, self.period)
        look = np.searchsorted(begins, into, side="right") - 1
        now, before = places[:, look], places[:, look - 1]
        takes = TURNS_S + TURNS_S_DEGREE * np.degrees(np.hypot(*(now - before)))
        return before + (now - before) * smootherstep((into - begins[look]) / (self.tempo * takes))


@lru_cache(maxsize=64)
def _drawn_looks(seed: int, period: float, tempo: float) -> tuple[np.ndarray, np.ndarray]:
    """Return when the looks of a period begin `(n,)` in seconds, the first at 0, and their yaw and pitch `(2,
    n)` in radians.

    They alternate ahead and aside; a period too short for a look aside has none.
    """
    draw = np.random.default_rng([seed, 1])
    lasts = tempo * np.array(
        [draw.uniform(*span) for _ in range(2 + int(period / tempo)) for span in (AHEAD_S, ASIDE_S)]
    )
    pairs = int(np.searchsorted(np.cumsum(lasts)[1::2], period, side="right"))
    if not pairs:
        return np.zeros(1), np.zeros((2, 1))
    lasts = lasts[: 2 * pairs] * period / lasts[: 2 * pairs].sum()
    yaw = np.clip(draw.normal(0.0, YAW, pairs), -MOST_YAW, MOST_YAW)
    places = np.zeros((2, 2 * pairs))
    places[:, 1::2] = np.radians([yaw, DOWN + draw.normal(0.0, PITCH, pairs)])
    return np.concatenate([[0.0], np.cumsum(lasts)[:-1]]), places


def looks_around(track: StyleTrack) -> bool:
    """Return whether there is any looking around."""
    keyed = track.curves.get("look_around")
    return bool((track.constant.look_around if keyed is None else keyed[1].max()) > 0.0)
