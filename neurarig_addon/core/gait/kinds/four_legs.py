"""Gaits on four legs: two pairs of limbs that bounce or walk, one behind the other, and their laws.

Speeds count as Froude numbers v² / (g h), h the height of the hips. Laws: strides after Alexander and Jayes
(1983), for trots as ten Labradors have it (Humphries et al. 2020); duty factors of six retrievers
(Catavitello et al. 2015) and these, by Froude as in Charles et al. (2025) and in horses (Robilliard et al.
2007); how much later a fore foot strikes than the hind one of its side: dogs (Maes et al. 2008), horses
(Serra Braganca et al. 2020).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...character.body import Body
from ...contract.inputs import VELOCITY
from ...easing import smooth_between
from ...shipped import DATA
from .bounce import Bounce, bounces
from .bouncing_gait import BouncingLaw, BouncingShapes
from .gait import Gait
from .natural import GRAVITY

STORE = DATA / "four_legs.json"
WALK, TROT, CANTER, GALLOP = "WALK", "TROT", "CANTER", "GALLOP"
# metres of hip height up to which an animal walks as dogs and cats do, and from which on as horses
SMALL, LARGE = 0.7, 1.1
RESTING, GOING = 0.002, 0.02  # Froude numbers between which a gait fades to rest
STANDING_DUTY = 0.8


class FourLegs(NamedTuple):
    """The law of a gait on four legs, its factors at a Froude number of 1 and their exponents.

    `stride`: hip heights. `duty`: of hind and fore legs. `behind`: cycles by which a fore foot strikes after
    the hind one of its side, of small and of large animals, and `sooner`, what that loses as the root of
    Froude grows. `froude`: the natural one.
    """

    stride: tuple[float, float]
    duty: tuple[tuple[float, float], tuple[float, float]]
    behind: tuple[float, float]
    sooner: float
    froude: float


LAWS: Mapping[str, FourLegs] = {
    WALK: FourLegs((2.4, 0.34), ((0.469, -0.14), (0.484, -0.14)), (0.19, 0.27), 0.08, 0.23),
    TROT: FourLegs((2.2, 0.4), ((0.42, -0.11), (0.459, -0.13)), (0.448, 0.5), 0.0, 0.9),
    CANTER: FourLegs((2.35, 0.4), ((0.4, -0.14), (0.4, -0.14)), (0.3, 0.3), 0.0, 2.0),
    GALLOP: FourLegs((2.3, 0.42), ((0.4, -0.2), (0.4, -0.2)), (0.55, 0.55), 0.0, 4.5),
}
HIND, FORE = range(2)


@dataclass(frozen=True)
class FourLaw:
    """The law of the hind or fore legs of one body; see `GaitLaw`.

    `hips`: their height; `leads`: metres that the hips are ahead of the prints.
    """

    legs: FourLegs
    bounce: Bounce
    girdle: int
    hips: float
    leads: float
    large: float
    least_duty = 0.15
    most_duty = 0.85
    longest_stride = 9.0
    cornered = True
    runs = False
    changes_at = None

    @property
    def contacts(self):
        """The order of contacts."""
        return self.bounce.contacts

    def froude(self, slow: np.ndarray) -> np.ndarray:
        """Return Froude numbers `(...)`."""
        return slow[..., VELOCITY] ** 2 / (GRAVITY * self.hips)

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        factor, power = self.legs.stride
        return factor * self.hips * np.maximum(self.froude(slow), 1e-9) ** power

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """See GaitLaw."""
        factor, power = self.legs.duty[self.girdle]
        froude = self.froude(slow)
        moving = np.clip(factor * np.maximum(froude, 1e-4) ** power, self.least_duty, STANDING_DUTY)
        share = smooth_between(froude, RESTING, GOING)
        return STANDING_DUTY + share * (moving - STANDING_DUTY) + 0.0 * np.asarray(which)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return np.full(slow.shape[:-1], self.leads)

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return 0 `(...)`: its own curves rise and fall."""
        return np.zeros(slow.shape[:-1])

    def behind(self, speed: np.ndarray) -> np.ndarray:
        """Return by how many cycles `(...)` a fore foot strikes after the hind one of its side, at speeds in
        m/s; standing feet are down together."""
        small, large = self.legs.behind
        froude = speed**2 / (GRAVITY * self.hips)
        late = small + self.large * (large - small) - self.legs.sooner * np.sqrt(froude)
        rests = np.round(2.0 * small) / 2.0
        return rests + smooth_between(froude, RESTING, GOING) * (np.maximum(late, 0.08) - rests)


class FourShapes(BouncingShapes):
    """The curves of the hind or fore legs of one body; see GaitShape."""

    def __init__(self, law: FourLaw) -> None:
        self.bounce, self.law = law.bounce, _Sized(law)


class _Sized(BouncingLaw):
    """What curves ask of the law: how fast it goes for the gait, and where the hips are."""

    def __init__(self, law: FourLaw) -> None:
        super().__init__(law.bounce)
        self.own = law

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        return self.own.duty(slow, which)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        return self.own.lead(slow)

    def bouncing(self, slow: np.ndarray) -> np.ndarray:
        return smooth_between(self.own.froude(slow), RESTING, GOING)

    def vhat(self, slow: np.ndarray) -> np.ndarray:
        return np.sqrt(self.own.froude(slow) / self.own.legs.froude) * self.bounce.vhat


def four_legged_gait(name: str, body: Body) -> Gait:
    """Return a gait of a body on four legs."""
    legs, store, hips = LAWS[name], bounces(STORE), float(body.hip[:, 2].mean())
    large = float(smooth_between(np.array(hips), SMALL, LARGE))

    def girdle(which: int, pair: Body, part: str) -> FourLaw:
        bounce = store[f"{name.lower()}.{part}"]
        under = float((pair.hip - pair.ankle)[:, 0].mean())
        return FourLaw(legs, bounce, which, hips, under + bounce.lead * pair.leg_length, large)

    hind, fore = girdle(HIND, body, "hind"), girdle(FORE, body.front, "fore")
    return Gait(FourShapes(hind), hind, fore=Gait(FourShapes(fore), fore), behind=fore.behind)


def walking_speed(body: Body) -> float:
    """Return a body's natural walking speed in m/s."""
    return float(np.sqrt(LAWS[WALK].froude * GRAVITY * body.hip[:, 2].mean()))


def quicker(name: str) -> float:
    """Return a gait's natural speed as a multiple of the walk's."""
    return float(np.sqrt(LAWS[name].froude / LAWS[WALK].froude)) if name in LAWS else 1.0
