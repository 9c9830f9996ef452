"""When in an act: from the seconds in which it plays to the seconds in which it is filed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..easing import cubic, hermite, piece, rising_slopes, running
from .act import Act


@dataclass(frozen=True)
class Score:
    """Moments of an act `(n,)`, as filed and as `played`, both rising; between them the pace changes
    smoothly."""

    filed: np.ndarray
    played: np.ndarray

    @classmethod
    def of(
        cls,
        act: Act,
        held: float,
        fps: float,
        flight: tuple[float, float, float] | None = None,
        pace: float = 1.0,
    ) -> "Score":
        """Return when an act plays that is held for so many seconds and lasts whole frames.

        `flight`: seconds of pushing off, in the air, and of landing, in place of those filed. `pace`: how
        many seconds it plays for each that is filed, where it is not held.
        """
        filed, lasts = [0.0, act.seconds], [pace * act.seconds]
        if act.flight is not None:
            off, down = act.flight
            filed = [0.0, off, down, act.seconds]
            lasts = list(flight or (off, down - off, act.seconds - down))
        elif act.hold is not None:
            begin, end = act.hold
            filed = [0.0, begin, end, act.seconds]
            lasts = [pace * begin, held or end - begin, pace * (act.seconds - end)]
            if begin == 0.0 or end == act.seconds:
                raise ValueError("an act cannot be held at its very beginning or end")
        whole = np.ceil(sum(lasts) * fps - 1e-6) / fps
        lasts[-1] += whole - sum(lasts)
        return cls(np.array(filed), running(lasts))

    @property
    def seconds(self) -> float:
        """How long it plays."""
        return float(self.played[-1])

    def filed_at(self, played: np.ndarray) -> np.ndarray:
        """Return the filed seconds `(f,)` after seconds of play."""
        return cubic(self.played, self.filed, self._slopes, played)

    def played_at(self, filed: float) -> float:
        """Return when a filed moment is played."""
        if filed <= self.filed[0] or filed >= self.filed[-1] or filed in self.filed:
            return float(np.interp(filed, self.filed, self.played))
        row = int(piece(self.filed, filed))
        begin, width = float(self.played[row]), float(self.played[row + 1] - self.played[row])
        ends = self.filed[row], self._slopes[row] * width, self.filed[row + 1], self._slopes[row + 1] * width
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if hermite(np.asarray(middle), *ends) < filed else (low, middle)
        return begin + low * width

    @cached_property
    def _slopes(self) -> np.ndarray:
        return rising_slopes(self.played, self.filed)
