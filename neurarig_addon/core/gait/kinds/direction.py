"""A gait in any direction: forward, backward and sideways.

Walking backward is the forward walk reversed in time (Lee 2013), in shorter strides, with longer contacts
(Laufer 2005). Sidesteps open and close the legs on flat feet, which move as in both; quick ones cross them,
the trailing leg behind, as
recorded strafes do. Chest, head and arms swing as ahead, or both would cancel.  Directions in between are
mixtures.
"""

import numpy as np

from ...character.body import LEFT, RIGHT
from ...contract.channels import CHANNELS, SLICES
from ...contract.inputs import VELOCITY, legs_of
from ...easing import smooth_between
from .gait import Gait, Styling
from .natural import dimensionless_speed

# Stride lengths backward and sideways, as a share of a forward walk's at the speed divided by that share:
# so the cadence is that of the faster forward walk. The curves are those of the slower forward walk with
# strides of that length.
SHORTER_BACK, SHORTER_ASIDE = 0.7, 0.36
CURVES_BACK, CURVES_ASIDE, QUICKER_CROSSED = 0.9, 0.8, 0.4
WIDEST = 0.75  # leg lengths: sideways strides are shorter
# Dimensionless speeds from which on legs begin to cross and do; the power of the direction's sine by which
# they do; how many leg lengths strides are then: at speed 1, and the power of speed with which they grow.
CROSSES, SQUARELY, CROSSED = (0.345, 0.415), 24, (2.1, 0.7)
FLATTER = 0.7  # share of the feet's pitch removed in sidesteps
STILLER_BACK, STILLER_ASIDE = 0.35, 0.7  # the same for the arm swing
UPPER_BODY = np.array([channel.startswith(("chest", "head", "arm")) for channel in CHANNELS])


def shares_of(way: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the shares of forward, backward and sideways `(...)`, which sum to 1, for directions in radians
    from straight ahead."""
    cos = np.cos(way)
    return np.maximum(cos, 0.0) ** 2, np.minimum(cos, 0.0) ** 2, np.sin(way) ** 2


def crossing(slow: np.ndarray) -> np.ndarray:
    """Return how far legs cross `(...)`, 0 to 1, for slow inputs `(..., n)` that end in the direction."""
    fast = dimensionless_speed(slow[..., VELOCITY], legs_of(slow))
    return smooth_between(fast, *CROSSES) * np.sin(slow[..., -1]) ** SQUARELY


def any_way(gait: Gait) -> Gait:
    """Return a gait that can go in any direction."""
    both = AnyWay(gait)
    return Gait(
        both, both, gait.planted, None if gait.styling is None else AnyWayStyled(gait.styling), gait.take
    )


class AnyWay:
    """Shapes and law of a gait whose slow inputs end in one more column: the direction, in radians left of
    straight ahead."""

    def __init__(self, gait: Gait) -> None:
        self.gait = gait
        law = gait.law
        self.least_duty, self.most_duty, self.longest_stride = (
            law.least_duty,
            law.most_duty,
            law.longest_stride,
        )
        self.cornered, self.runs, self.changes_at = law.cornered, law.runs, law.changes_at
        self.contacts = law.contacts

    def running(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self.gait.law.running(slow[..., :-1])

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        ahead, back, aside = shares_of(slow[..., -1])
        wide = self._shorter(slow, SHORTER_ASIDE)
        wide = wide / (1.0 + (wide / (WIDEST * legs_of(slow))) ** 4) ** 0.25
        return (
            ahead * self.gait.law.stride(slow[..., :-1])
            + back * self._shorter(slow, SHORTER_BACK)
            + aside * wide
        )

    def _shorter(self, slow: np.ndarray, share: float) -> np.ndarray:
        return share * self.gait.law.stride(_at_speed(slow, 1.0 / share))

    def _of_curves(self, slow: np.ndarray) -> np.ndarray:
        """Return the slow inputs of the forward walk whose curves a walk in another direction uses."""
        ahead, back, aside = shares_of(slow[..., -1])
        quicker = QUICKER_CROSSED * crossing(slow) * (1.0 - self.running(slow))
        return _at_speed(slow, ahead + CURVES_BACK * back + (CURVES_ASIDE + quicker) * aside)

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """See GaitLaw."""
        return self.gait.law.duty(self._of_curves(slow), which)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw; walking backward has the hips behind."""
        ahead, back, _ = shares_of(slow[..., -1])
        return (ahead - back) * self.gait.law.lead(self._of_curves(slow))

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """See GaitShape; backward, a landing foot is a lifting one reversed in time."""
        curves, (ahead, back, aside) = self._of_curves(slow), shares_of(slow[..., -1])
        right, left = (self.gait.law.duty(curves, side) for side in (RIGHT, LEFT))
        both = ((ahead, 1.0, phase_right, phase_left), (back, 0.0, right - phase_right, left - phase_left))
        values = np.zeros((1, len(CHANNELS)))
        for share, upper, at_right, at_left in both:
            if share.any() or aside.any():
                all_shares = share[:, None] + aside[:, None] * np.where(UPPER_BODY, upper, 0.5)
                values = values + all_shares * self.gait.shapes.sample(curves, at_right, at_left)
        values[:, SLICES["pelvis"].start] += self.lead(slow) - self.gait.law.lead(curves)
        flatter = FLATTER * aside * (1.0 - crossing(slow))
        for foot in ("foot_r", "foot_l", "ball_r", "ball_l"):
            values[:, SLICES[foot].start + 3] *= 1.0 - flatter
        for arm in ("arm_r", "arm_l"):
            values[:, SLICES[arm].start] *= 1.0 - STILLER_BACK * back - STILLER_ASIDE * aside
        return values


class AnyWayStyled:
    """The styling of a gait whose slow inputs end in one more column."""

    def __init__(self, styling: Styling) -> None:
        self.styling, self.sliders = styling, styling.sliders
        self.columns, self.beat = styling.columns, styling.beat  # whatever the direction

    def knees(self, slow: np.ndarray, phase: np.ndarray) -> np.ndarray:
        """See Styling."""
        return self.styling.knees(slow[..., :-1], phase)

    def prints(self, slow: np.ndarray) -> np.ndarray:
        """See Styling; metres ahead are along the direction of travel."""
        prints = self.styling.prints(slow[..., :-1]).copy()
        ahead, back, _ = shares_of(slow[..., -1])
        prints[..., 0] *= (ahead - back)[..., None]
        return prints


def _at_speed(slow: np.ndarray, factor: np.ndarray | float) -> np.ndarray:
    """Return slow inputs of a forward walk at a multiple of the speed."""
    inner = slow[..., :-1].copy()
    inner[..., VELOCITY] *= factor
    return inner
