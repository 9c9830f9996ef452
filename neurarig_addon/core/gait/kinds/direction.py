"""A gait in any direction: forward, backward and sideways.

Walking backward is the forward walk reversed in time (Lee 2013), in shorter strides, with longer contacts
(Laufer 2005). Sidesteps open and close the legs on flat feet, which move as in both; quick ones cross them,
the trailing leg behind, as
recorded strafes do. Chest, head and arms swing as ahead, or both would cancel.  Directions in between are
mixtures.

On four legs a backward walk is a rein-back: small steps in diagonal pairs, the hind foot of each a little
first. Sideways, each pair of legs opens and closes in the beat of a walk.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...character.body import LEFT, RIGHT
from ...contract.channels import CHANNELS, SLICES
from ...contract.inputs import VELOCITY, legs_of
from ...easing import smooth_between
from ...geometry.rotation import TINY
from .gait import Gait, Styling
from .law import GaitLaw
from .natural import GRAVITY, dimensionless_speed

QUICKER_CROSSED = 0.4  # of the speed, that curves are those of a quicker walk where legs cross
# Dimensionless speeds from which on legs begin to cross and do; the power of the direction's sine by which
# they do; how many leg lengths strides are then: at speed 1, and the power of speed with which they grow.
CROSSES, SQUARELY, CROSSED = (0.345, 0.415), 24, (2.1, 0.7)
# cycles after the hind foot of its side at which a fore foot falls in a rein-back: after the diagonal one
REINED = 0.54
UPPER_BODY = np.array([channel.startswith(("chest", "head", "arm")) for channel in CHANNELS])


@dataclass(frozen=True)
class Sidling:
    """How a kind of body goes backward and sideways.

    `back`, `aside`: stride lengths as a share of a forward walk's at the speed divided by that share, so the
    cadence is that of the faster forward walk. `curves_back`, `curves_aside`: the speed of the forward walk
    whose curves are used, as a share of the own. `widest`: leg lengths, sideways strides are shorter.
    `flatter`: share of the feet's pitch removed in sidesteps; `stiller_back`, `stiller_aside`: the same for
    the arm swing. `upper` `(46,)`: channels that go as ahead.
    """

    back: float
    aside: float
    curves_back: float
    curves_aside: float
    widest: float
    flatter: float
    stiller_back: float
    stiller_aside: float
    upper: np.ndarray


ON_TWO_LEGS = Sidling(0.7, 0.36, 0.9, 0.8, 0.75, 0.7, 0.35, 0.7, UPPER_BODY)
ON_FOUR_LEGS = Sidling(0.3, 0.3, 1.6, 2.0, 0.65, 0.0, 0.0, 0.0, np.zeros(len(CHANNELS), dtype=bool))
# roots of the Froude number up to which a body on four legs goes backward, and sideways
FASTEST_BACK, FASTEST_ASIDE = 0.22, 0.16


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
    if gait.fore is not None:
        fore = _any_way(gait.fore, ON_FOUR_LEGS)
        return replace(_any_way(gait, ON_FOUR_LEGS), fore=fore)
    return _any_way(gait, ON_TWO_LEGS)


def _any_way(gait: Gait, manner: Sidling) -> Gait:
    both, styling = AnyWay(gait, manner), gait.styling and AnyWayStyled(gait.styling)
    return replace(gait, shapes=both, law=both, styling=styling)


def reined_back(falls: np.ndarray, back: np.ndarray) -> np.ndarray:
    """Return by how many cycles feet of each pair are ahead `(2, knots, 2)`, from those going ahead and the
    shares `(knots,)` of going back."""
    return falls + back[:, None] * (np.array([0.0, -REINED])[:, None, None] - falls)


def fastest_on_four_legs(way: np.ndarray, hips: float) -> np.ndarray:
    """Return the speed in m/s `(...)` up to which a body with hips of a height goes in directions in radians
    from straight ahead."""
    _, back, aside = shares_of(way)
    return np.sqrt(GRAVITY * hips) / np.maximum(back / FASTEST_BACK + aside / FASTEST_ASIDE, TINY)


class AnyWay:
    """Shapes and law of a gait whose slow inputs end in one more column: the direction, in radians left of
    straight ahead."""

    def __init__(self, gait: Gait, manner: Sidling = ON_TWO_LEGS) -> None:
        self.gait, self.manner = gait, manner
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
        wide = self._shorter(slow, self.manner.aside)
        wide = wide / (1.0 + (wide / (self.manner.widest * legs_of(slow))) ** 4) ** 0.25
        return (
            ahead * self.gait.law.stride(slow[..., :-1])
            + back * self._shorter(slow, self.manner.back)
            + aside * wide
        )

    def _shorter(self, slow: np.ndarray, share: float) -> np.ndarray:
        return share * self.gait.law.stride(_at_speed(slow, 1.0 / share))

    def of_curves(self, slow: np.ndarray) -> np.ndarray:
        """Return the slow inputs of the forward walk whose curves a walk in another direction uses."""
        own, (ahead, back, aside) = self.manner, shares_of(slow[..., -1])
        quicker = QUICKER_CROSSED * crossing(slow) * (1.0 - self.running(slow))
        return _at_speed(slow, ahead + own.curves_back * back + (own.curves_aside + quicker) * aside)

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """See GaitLaw."""
        return self.gait.law.duty(self.of_curves(slow), which)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw; walking backward has the hips behind. On four legs see `behind`."""
        if self.manner is ON_FOUR_LEGS:
            return np.zeros(slow.shape[:-1])
        ahead, back, _ = shares_of(slow[..., -1])
        return (ahead - back) * self.gait.law.lead(self.of_curves(slow))

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """See GaitShape; backward, a landing foot is a lifting one reversed in time."""
        curves, (ahead, back, aside) = self.of_curves(slow), shares_of(slow[..., -1])
        right, left = (self.gait.natural_duty(curves, side) for side in (RIGHT, LEFT))
        both = ((ahead, 1.0, phase_right, phase_left), (back, 0.0, right - phase_right, left - phase_left))
        values = np.zeros((1, len(CHANNELS)))
        for share, upper, at_right, at_left in both:
            if share.any() or aside.any():
                all_shares = share[:, None] + aside[:, None] * np.where(self.manner.upper, upper, 0.5)
                values = values + all_shares * self.gait.shapes.sample(curves, at_right, at_left)
        values[:, SLICES["pelvis"].start] += self.lead(slow) - self.gait.law.lead(curves)
        flatter = self.manner.flatter * aside * (1.0 - crossing(slow))
        for foot in ("foot_r", "foot_l", "ball_r", "ball_l"):
            values[:, SLICES[foot].start + 3] *= 1.0 - flatter
        for arm in ("arm_r", "arm_l"):
            values[:, SLICES[arm].start] *= (
                1.0 - self.manner.stiller_back * back - self.manner.stiller_aside * aside
            )
        return values


def manner_of(law: GaitLaw) -> Sidling:
    """Return how a body goes backward and sideways."""
    return law.manner if isinstance(law, AnyWay) else ON_TWO_LEGS


def behind(law: GaitLaw, slow: np.ndarray) -> np.ndarray:
    """Return metres `(...)` that prints are behind hips which are ahead of them wherever they go: those of
    four legs. See `GaitLaw.lead` for others."""
    if manner_of(law) is not ON_FOUR_LEGS or not isinstance(law, AnyWay):
        return np.zeros(slow.shape[:-1])
    return law.gait.law.lead(law.of_curves(slow))


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
