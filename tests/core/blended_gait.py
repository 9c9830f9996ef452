"""Several gaits at once: blended in their curves and laws, never in poses, so that feet stay planted."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.kinds.contacts import CycleContacts, natural_phase
from neurarig_addon.core.gait.kinds.gait import Gait


def blended(parts: Sequence[tuple[Gait, float]]) -> Gait:
    """Return the blend of `parts` by weight; weights need not sum to 1.

    Feet are planted if any part plants them.
    """
    weighty = [(gait, weight) for gait, weight in parts if weight > 0.0]
    if len(weighty) == 1:
        return weighty[0][0]
    blend = _Blend(tuple(gait for gait, _ in weighty), np.array([weight for _, weight in weighty]))
    return Gait(blend, blend, planted=any(gait.planted for gait in blend.gaits))


class _Blend:
    """Shapes and law of weighted gaits, each sampled as far into its stance or swing as the blend is."""

    def __init__(self, gaits: tuple[Gait, ...], weights: np.ndarray) -> None:
        self.gaits, self.weights = gaits, weights / weights.sum()

    @property
    def least_duty(self) -> float:
        """See GaitLaw."""
        return float(self.weights @ [gait.law.least_duty for gait in self.gaits])

    @property
    def most_duty(self) -> float:
        """See GaitLaw."""
        return float(self.weights @ [gait.law.most_duty for gait in self.gaits])

    @property
    def longest_stride(self) -> float:
        """See GaitLaw."""
        return float(self.weights @ [gait.law.longest_stride for gait in self.gaits])

    @property
    def runs(self) -> bool:
        """See GaitLaw."""
        return any(gait.law.runs for gait in self.gaits)

    @property
    def changes_at(self) -> tuple[tuple[float, float], ...]:
        """See GaitLaw."""
        return next((gait.law.changes_at for gait in self.gaits if gait.law.changes_at), ())

    @property
    def contacts(self) -> CycleContacts:
        """See GaitLaw; those of the first part, as gaits with other contacts are not mixed."""
        return self.gaits[0].law.contacts

    @property
    def cornered(self) -> bool:
        """See GaitLaw; curves warped to another duty factor have corners too."""
        return any(gait.law.cornered for gait in self.gaits) or not self._is_of_one_law

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self._mean([gait.law.stride(slow) for gait in self.gaits])

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """See GaitLaw."""
        return self._mean([gait.law.duty(slow, which) for gait in self.gaits])

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self._mean([gait.law.lead(slow) for gait in self.gaits])

    def running(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self._mean([gait.law.running(slow) for gait in self.gaits])

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """See GaitShape."""
        if self._is_of_one_law:
            return self._mean([gait.shapes.sample(slow, phase_right, phase_left) for gait in self.gaits])
        right, left = (self.duty(slow, side) for side in (RIGHT, LEFT))
        found = []
        for gait in self.gaits:
            own_right, own_left = (gait.law.duty(slow, side) for side in (RIGHT, LEFT))
            at_right, at_left = (
                natural_phase(phase_right, right, own_right),
                natural_phase(phase_left, left, own_left),
            )
            found.append(gait.shapes.sample(slow, at_right, at_left))
        return self._mean(found)

    @cached_property
    def _is_of_one_law(self) -> bool:
        return all(gait.law is self.gaits[0].law for gait in self.gaits)

    def _mean(self, values: Sequence[np.ndarray]) -> np.ndarray:
        return np.tensordot(self.weights, np.array(values), axes=1)
