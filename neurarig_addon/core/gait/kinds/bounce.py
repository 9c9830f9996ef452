"""Skipping, galloping and hopping as data: the order of contacts, how feet land and leave, what the body does.

No recordings of skipping were used.  Contact and flight times follow published figures for skipping and children's gallop
(Minetti 1998, Fiers et al. 2013: the leading foot strikes a third of a cycle after the trailing one; each stands for about a fifth
of a second; the flight follows the leading foot).  The curves were drawn by hand.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...character.body import LEFT, RIGHT
from .contacts import Contact, Contacts

Knots = tuple[tuple[float, float], ...]
Waves = tuple[float, ...]
RESTS = 0.05  # cycles after the last foot of a step has landed


@dataclass(frozen=True)
class Footfall:
    """A foot from one contact to its next, as knots of smooth curves.

    `rolls`: degrees of pitch over the share of the stance, heel up positive.  Over the share of the swing: `turns`, degrees of
    pitch; `ahead` and `up`, leg lengths added to the straight path.
    """

    rolls: Knots
    turns: Knots
    ahead: Knots = ((0.0, 0.0), (1.0, 0.0))
    up: Knots = ((0.0, 0.0), (1.0, 0.0))


@dataclass(frozen=True)
class Bounce:
    """A gait that bounces.

    `footfalls`: of each contact, in the order of `Contacts.which`.  `body`: per channel, in leg lengths and degrees, over the cycle from
    the left foot's first contact: the mean, then cosine and sine of each harmonic.  `carried`: the same for a foot that never stands, by
    axis.  `vhat`: natural dimensionless speed; `rate`: cycles at that speed, x sqrt(leg / g), and `quickens`, its slope over vhat.
    `lead`: leg lengths the hips are ahead of the prints.  `mirrored`: left and right are swapped.
    """

    contacts: Contacts
    footfalls: tuple[Footfall, ...]
    body: Mapping[str, Waves]
    vhat: float
    rate: float
    quickens: float
    lead: float
    carried: Mapping[str, Waves] = field(default_factory=dict)
    mirrored: bool = False


def _both_arms(**axes: Waves) -> dict[str, Waves]:
    """Return channels of both arms, the right one half a cycle later."""
    found = {}
    for axis, waves in axes.items():
        turned = [value if row == 0 or ((row + 1) // 2) % 2 == 0 else -value for row, value in enumerate(waves)]
        found |= {f"arm_l.{axis}": waves, f"arm_r.{axis}": tuple(turned)}
    return found


# A step and a hop on one foot, then on the other.
_LANDS_FROM_A_HOP = Footfall(
    rolls=((0.0, 13.0), (0.25, 1.5), (0.5, 0.0), (0.75, 12.0), (1.0, 38.0)),
    turns=((0.0, 38.0), (0.22, 55.0), (0.5, 24.0), (0.78, 2.0), (1.0, -6.0)),
    ahead=((0.0, 0.0), (0.25, 0.02), (0.5, 0.24), (0.8, 0.12), (1.0, 0.0)),
    up=((0.0, 0.0), (0.22, 0.15), (0.5, 0.3), (0.8, 0.09), (1.0, 0.0)),
)
_STEPS_AND_PUSHES = Footfall(
    rolls=((0.0, -6.0), (0.2, 0.0), (0.5, 0.5), (0.75, 19.0), (1.0, 52.0)),
    turns=((0.0, 52.0), (0.4, 46.0), (0.8, 20.0), (1.0, 13.0)),
    up=((0.0, 0.0), (0.5, 0.05), (1.0, 0.0)),
)
SKIP = Bounce(
    contacts=Contacts(
        cycle=(
            Contact(LEFT, 0.0, lasts=0.18, ahead=-0.03, bears=1.05),
            Contact(RIGHT, 0.5, lasts=0.18, ahead=-0.03, bears=1.05),
            Contact(LEFT, 0.68, lasts=0.17, ahead=0.08),
            Contact(RIGHT, 1.18, lasts=0.17, ahead=0.08),
        ),
        rest=0.18 + RESTS,
        every=0.5,
    ),
    footfalls=(_LANDS_FROM_A_HOP, _LANDS_FROM_A_HOP, _STEPS_AND_PUSHES, _STEPS_AND_PUSHES),
    body={
        "pelvis.y": (0.0, 0.015, -0.008),
        "pelvis.z": (-0.05,),
        "pelvis.pitch": (6.0,),
        "pelvis.yaw": (0.0, 6.2, -3.4),
        "pelvis.roll": (0.0, -3.0, 1.6),
        "chest.pitch": (5.0, 0.0, 0.0, -2.0, 0.0),
        "chest.yaw": (0.0, -7.0, 3.9),
        "head.pitch": (-2.0, 0.0, 0.0, 1.5, 0.0),
    }
    | _both_arms(flexion=(2.0, 36.0, -20.0), abduction=(7.0,), rotation=(12.0,), elbow=(48.0, 14.0, -8.0)),
    vhat=0.65,
    rate=0.278,
    quickens=0.03,
    lead=0.1,
)

# One foot always leads, as when children gallop; here the right one.
GALLOP = Bounce(
    contacts=Contacts(
        cycle=(Contact(LEFT, 0.0, lasts=0.4, ahead=-0.03), Contact(RIGHT, 0.33, lasts=0.38, ahead=0.05)),
        rest=0.33 + RESTS,
        every=1.0,
    ),
    footfalls=(
        Footfall(
            rolls=((0.0, 9.0), (0.25, 1.0), (0.5, 0.5), (0.75, 14.0), (1.0, 40.0)),
            turns=((0.0, 40.0), (0.35, 26.0), (0.7, 5.0), (1.0, 9.0)),
            up=((0.0, 0.0), (0.55, 0.1), (1.0, 0.0)),
        ),
        Footfall(
            rolls=((0.0, -8.0), (0.2, 0.0), (0.5, 0.5), (0.75, 18.0), (1.0, 50.0)),
            turns=((0.0, 50.0), (0.3, 32.0), (0.7, 0.0), (1.0, -8.0)),
            ahead=((0.0, 0.0), (0.6, 0.12), (1.0, 0.0)),
            up=((0.0, 0.0), (0.4, 0.16), (1.0, 0.0)),
        ),
    ),
    body={
        "pelvis.z": (-0.08,),
        "pelvis.pitch": (6.0, 2.0, 0.0),
        "pelvis.yaw": (9.0, 2.0, 4.0),
        "pelvis.roll": (0.0, 2.0, 1.0),
        "chest.pitch": (6.0, -3.0, 1.0),
        "chest.yaw": (-3.0, -2.0, -4.0),
        "head.pitch": (-2.0, 1.0, 0.0),
        "arm_l.flexion": (6.0, 8.0, 22.0),
        "arm_r.flexion": (6.0, -6.0, -17.0),
        "arm_l.abduction": (11.0,),
        "arm_r.abduction": (11.0,),
        "arm_l.rotation": (14.0,),
        "arm_r.rotation": (14.0,),
        "arm_l.elbow": (58.0, 3.0, 9.0),
        "arm_r.elbow": (58.0, -3.0, -8.0),
    },
    vhat=0.72,
    rate=0.6,
    quickens=0.1,
    lead=0.1,
)

_HOPS = Footfall(
    rolls=((0.0, 12.0), (0.25, 1.5), (0.55, 0.5), (0.78, 15.0), (1.0, 42.0)),
    turns=((0.0, 42.0), (0.4, 38.0), (0.8, 18.0), (1.0, 12.0)),
    ahead=((0.0, 0.0), (0.6, 0.05), (1.0, 0.0)),
    up=((0.0, 0.0), (0.5, 0.03), (1.0, 0.0)),
)
_HOPPING_TRUNK: dict[str, Waves] = {
    "pelvis.z": (-0.015,),
    "pelvis.pitch": (8.0, 3.0, 1.0),
    "chest.pitch": (8.0, 4.0, 3.0),
    "head.pitch": (-3.0,),
}
HOP_ON_BOTH = Bounce(
    contacts=Contacts(cycle=(Contact(LEFT, 0.0, lasts=0.5), Contact(RIGHT, 0.0, lasts=0.5)), rest=RESTS, every=1.0),
    footfalls=(_HOPS, _HOPS),
    body=_HOPPING_TRUNK
    | {
        f"arm_{side}.{axis}": waves
        for side in "lr"
        for axis, waves in {"flexion": (2.0, -8.0, -24.0), "abduction": (10.0,), "rotation": (12.0,), "elbow": (62.0, 4.0, -10.0)}.items()
    },
    vhat=0.34,
    rate=0.64,
    quickens=0.05,
    lead=0.07,
)

# On the left foot.
HOP_ON_ONE = Bounce(
    contacts=Contacts(
        cycle=(Contact(LEFT, 0.0, lasts=0.55), Contact(RIGHT, 0.0, lasts=0.55, bears=0.0)), rest=RESTS, every=1.0, carried=RIGHT
    ),
    footfalls=(_HOPS, _HOPS),
    body=_HOPPING_TRUNK
    | {
        "pelvis.y": (0.02,),
        "pelvis.roll": (-4.0,),
        "chest.roll": (3.0,),
        "arm_l.flexion": (4.0, -6.0, -16.0),
        "arm_r.flexion": (10.0, -5.0, -14.0),
        "arm_l.abduction": (16.0,),
        "arm_r.abduction": (18.0,),
        "arm_l.rotation": (10.0,),
        "arm_r.rotation": (10.0,),
        "arm_l.elbow": (55.0, 3.0, -8.0),
        "arm_r.elbow": (60.0, 3.0, -8.0),
    },
    vhat=0.34,
    rate=0.66,
    quickens=0.05,
    lead=0.07,
    carried={"x": (-0.26, 0.02, 0.03), "z": (0.28, -0.02, -0.04), "pitch": (62.0, 4.0, 6.0)},
)
