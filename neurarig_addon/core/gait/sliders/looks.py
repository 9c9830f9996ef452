"""Who walks looks around: ahead most of the time, now and then aside or at the ground, the head before the chest.

A table of looks, drawn once by a seed and repeated: where the head points depends on the time alone.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .manner import Posture
from .style import StyleTrack

# Of an adult: seconds that a look aside lasts, and the one ahead before it; degrees of a look, as a standard deviation and at most.
ASIDE_S, AHEAD_S = (0.7, 1.8), (1.2, 4.0)
YAW, MOST_YAW, DOWN, PITCH = 19.0, 38.0, 4.0, 5.0  # people look a little down when they look aside
INCLINED = 0.12  # a head that turns is inclined with it
TURNS_S, TURNS_S_DEGREE = 0.22, 0.009  # a head takes so long for a turn, and longer for a wide one
CHEST_FOLLOWS, CHEST_LATER_S = 0.12, 0.2


@dataclass(frozen=True)
class Looks:
    """One of many ways to look around: drawn by a seed, repeated after a `period` in seconds; `tempo`: of an adult's times."""

    seed: int
    period: float
    tempo: float

    def at(self, seconds: np.ndarray, much: np.ndarray) -> Posture:
        """Return what looking adds at times `(f,)`, `much` `(f,)` times as far as people look."""
        yaw, pitch = much * self._turned(seconds)
        later = much * self._turned(seconds - CHEST_LATER_S * self.tempo)[0]
        return Posture.of(len(seconds), head_yaw=yaw, head_pitch=pitch, head_roll=-INCLINED * yaw, chest_yaw=CHEST_FOLLOWS * later)

    def _turned(self, seconds: np.ndarray) -> np.ndarray:
        """Return yaw and pitch `(2, f)` of the looks at times `(f,)`, in radians."""
        begins, places = drawn_looks(self.seed, self.period, self.tempo)
        into = np.mod(seconds, self.period)
        look = np.searchsorted(begins, into, side="right") - 1
        now, before = places[:, look], places[:, look - 1]
        takes = TURNS_S + TURNS_S_DEGREE * np.degrees(np.hypot(*(now - before)))
        share = np.clip((into - begins[look]) / (self.tempo * takes), 0.0, 1.0)
        return before + (now - before) * share**3 * (10.0 - 15.0 * share + 6.0 * share * share)


@lru_cache(maxsize=64)
def drawn_looks(seed: int, period: float, tempo: float) -> tuple[np.ndarray, np.ndarray]:
    """Return when looks of a period begin `(n,)` in seconds, the first at 0, and their yaw and pitch `(2, n)` in radians.

    Ahead and aside by turns; a period that is too short for one look aside has none.
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
    """Say whether somebody looks around at any time."""
    keyed = track.curves.get("look_around")
    return bool((track.constant.look_around if keyed is None else keyed[1].max()) > 0.0)
