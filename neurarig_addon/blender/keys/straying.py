"""How far a character strays with other keys: predicted while that says too far, evaluated before it is believed to be near enough."""

from collections.abc import Generator, Sequence

import numpy as np

from ...core.keys.deviation import Deviation, Seen, deviation
from ...core.keys.limbs import TRUNK
from ...core.keys.prediction import Prediction
from ..animation.keyframes import Channel
from .trial import KeyTrial

RADIANS_PER_METRE = np.radians(0.5) / 0.005  # half a degree is allowed with 5 mm
SLIP_PER_METRE = 0.2  # 1 mm is allowed with 5 mm


class Straying:
    """A character's deviation from how it is seen with `dense` values of channels.

    `off`: the last one, of the evaluated character if it was within the bound.
    """

    def __init__(
        self,
        trial: KeyTrial,
        prediction: Prediction | None,
        channels: Sequence[Channel],
        wanted: Seen,
        planted: np.ndarray,
    ) -> None:
        self._trial, self._prediction, self._channels, self._planted = trial, prediction, channels, planted
        self._wanted = wanted.first(trial.measured)
        self._seen, self._played = wanted, [channel.values for channel in channels]
        self.off = self._compared(wanted)

    def past(self, values: Sequence[np.ndarray], limbs: Sequence[str], metres: float) -> Generator[None, None, dict[str, np.ndarray]]:
        """Return each limb's deviation `(f,)` in multiples of the bound; `limbs` of the measured bones.

        Only what is evaluated counts as within the bound.  If that is past it though predicted not to be, there are no more predictions.
        """
        if self._prediction is not None:
            yield
            self.off = self._compared(self._prediction.seen(values))
            found = limbs_past(self.off, limbs, metres)
            if worst(found) > 1.0:
                return found
        self._seen = yield from self._trial.play_again(self._channels, self._played, values, self._seen)
        self._played = list(values)
        self.off = self._compared(self._seen)
        found = limbs_past(self.off, limbs, metres)
        if worst(found) > 1.0:
            self._prediction = None
        return found

    def _compared(self, seen: Seen) -> Deviation:
        return deviation(self._wanted, seen.first(self._trial.measured), self._planted)


def worst(past: dict[str, np.ndarray]) -> float:
    """Return the greatest of the limbs' deviations."""
    return max(float(each.max(initial=0.0)) for each in past.values())


def limbs_past(off: Deviation, limbs: Sequence[str], metres: float) -> dict[str, np.ndarray]:
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
