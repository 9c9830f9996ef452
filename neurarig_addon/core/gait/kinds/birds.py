"""Gaits of birds: one pair of limbs of three segments that walks, runs or hops, and its laws.

Speeds count as Froude numbers v² / (g h), h the height of the hips. Strides and duty factors follow guinea
fowl and other ground birds: they change smoothly from walks to runs, which at first never leave the ground
(Gatesy and Biewener 1991, Gatesy 1999, Daley and Birn-Jeffery 2018, Bishop et al. 2018); hops are runs with
both feet at once, whose rate hardly changes (magpies: Verstappen and Aerts 2000). The curves of joints were
drawn by hand after descriptions of these, quails and jackdaws (Stoessel and Fischer 2012).
"""

from collections.abc import Mapping

from ...character.body import LEFT, RIGHT, Body
from ...memory import remembered
from ...shipped import DATA
from .contacts import TURNS, Contact, CycleContacts
from .four_legs import BY_SPEED, CURVE_DUTY, WALK, FourLegs, girdle_gaits, limits_of, suited
from .gait import Gait
from .gait_change import BySpeed

STORE = DATA / "birds.json"
RUN, HOP = "RUN", "HOP"
NOTHING = (0.0, 0.0)  # there are no fore legs
LAWS: Mapping[str, FourLegs] = {
    name: FourLegs(stride, (duty, duty), NOTHING, 0.0, froude)
    for name, stride, duty, froude in (
        (WALK, (2.45, 0.3), (0.5, -0.15), 0.2),
        (RUN, (2.5, 0.3), (0.46, -0.18), 0.9),
        (HOP, (2.4, 0.45), (0.42, -0.1), 0.8),
    )
}
TOGETHER = CycleContacts((Contact(LEFT, 0.0), Contact(RIGHT, 0.0)), rest=0.05, every=1.0)
CHANGES = (
    (0.9, 0.75),
)  # Froude numbers above which a walk becomes a run and below which a run becomes a walk


@remembered(objects=1)
def bird_gait(body: Body, name: str) -> Gait:
    """Return a gait of a bird."""
    if name == BY_SPEED:
        both = BySpeed(*(bird_gait(body, one) for one in (WALK, RUN)), changes_at=limits_of(body, CHANGES))
        return Gait(both, both, curve_duty=CURVE_DUTY)
    contacts = TOGETHER if name == HOP else TURNS
    return suited(body, LAWS[name], girdle_gaits(STORE)[name], 0.0, contacts=contacts)
