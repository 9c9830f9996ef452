"""Looking around while walking: mostly ahead, sometimes aside or at the ground, the head before the chest.

A table of looks, drawn once by a seed and repeated, so that the head's direction depends on time alone.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .manner import Posture
from .style import StyleTrack

# For an adult: seconds of a look aside, and ahead before it; degrees of a look, standard deviation and limit.
ASIDE_S, AHEAD_S = (0.7, 1.8), (1.2, 4.0)
YAW, MOST_YAW, DOWN, PITCH = 19.0, 38.0, 4.0, 5.0  # looks aside also go a little down
INCLINED = 0.12  # a turned head is tilted
TURNS_S, TURNS_S_DEGREE = 0.22, 0.009  # seconds of a head turn, and more for a wide one
CHEST_FOLLOWS, CHEST_LATER_S = 0.12, 0.2


@dataclass(frozen=True)
class Looks:
    """A seeded way to look around, repeated after a `period` in seconds; `tempo`: relative to an adult's times."""

    seed: int
    period: float
    tempo: float

    def at(self, seconds: np.ndarray, much: np.ndarray) -> Posture:
        """Return what looking around adds at times `(f,)`, scaled by `much` `(f,)` (1 = as people do)."""
        yaw, pitch = much * self._turned(seconds)
        later = much * self._turned(seconds - CHEST_LATER_S * self.tempo)[0]
        return Posture.of(len(seconds), head_yaw=yaw, head_pitch=pitch, head_roll=-INCLINED * yaw, chest_yaw=CHEST_FOLLOWS * later)

    def _turned(self, seconds: np.ndarray) -> np.ndarray:
        """Return the looks' yaw and pitch `(2, f)` at times `(f,)`, in radians."""
        begins, places = drawn_looks(self.seed, self.period, self.tempo)
        into = np.mod(seconds, self.period)
        look = np.searchsorted(begins, into, side="right") - 1
        now, before = places[:, look], places[:, look - 1]
        takes = TURNS_S + TURNS_S_DEGREE * np.degrees(np.hypot(*(now - before)))
        share = np.clip((into - begins[look]) / (self.tempo * takes), 0.0, 1.0)
        return before + (now - before) * share**3 * (10.0 - 15.0 * share + 6.0 * share * share)


@lru_cache(maxsize=64)
def drawn_looks(seed: int, period: float, tempo: float) -> tuple[np.ndarray, np.ndarray]:
    """Return when the looks of a period begin `(n,)` in seconds, the first at 0, and their yaw and pitch `(2, n)` in radians.

    They alternate ahead and aside; a period too short for a look aside has none.
    """
    draw = np.random.default_rng([seed, 1])
    lasts = tempo * np.array([draw.uniform(*span) for _ in range(2 + int(period / tempo)) for span in (AHEAD_S, ASIDE_S)])
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
