"""The gaits that an animator can choose, one row each: for settings, scripts, the command line, reports."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...character.body import Body
from ...errors import NeuraRigError
from ...skeleton.roles import BIPED, BIRD, QUADRUPED
from . import birds, four_legs
from . import bounce as bouncing
from .gait import Gait
from .natural import GRAVITY

ANIMALS = {QUADRUPED: four_legs.LAWS, BIRD: birds.LAWS}  # the laws of their gaits
OF = {BIPED: "on two legs", QUADRUPED: "on four legs", BIRD: "of birds"}


@dataclass(frozen=True)
class GaitChoice:
    """A gait to choose: its `label`, what it is `about`, and what somebody `does` in it, empty where feet
    alone tell a walk from a run; which `kinds` of characters have it."""

    label: str
    about: str
    does: str = ""
    kinds: tuple[str, ...] = (BIPED,)


GAITS: Mapping[str, GaitChoice] = {
    "WALK": GaitChoice("Walk", "Walk at any speed", kinds=(BIPED, QUADRUPED, BIRD)),
    "RUN": GaitChoice("Run", "Run, from a slow jog to a sprint", kinds=(BIPED, BIRD)),
    "BY_SPEED": GaitChoice(
        "By Speed", "Walk when slow, run or trot and gallop when fast", kinds=(BIPED, QUADRUPED, BIRD)
    ),
    "SKIP": GaitChoice("Skip", "Step and hop on one foot, then on the other", "skips"),
    "GALLOP": GaitChoice(
        "Gallop",
        "One foot always leads, as children gallop, or the gallop of an animal",
        "gallops",
        (BIPED, QUADRUPED),
    ),
    "HOP": GaitChoice("Hop", "Hop on one foot, or on both", "hops", (BIPED, BIRD)),
    "AMBLE": GaitChoice(
        "Amble", "Four even beats, quicker than a walk, on four legs", "ambles", (QUADRUPED,)
    ),
    "PACE": GaitChoice(
        "Pace", "Legs of one side together, as camels go, on four legs", "paces", (QUADRUPED,)
    ),
    "TROT": GaitChoice("Trot", "Diagonal legs together, on four legs", "trots", (QUADRUPED,)),
    "CANTER": GaitChoice("Canter", "Three beats and a flight, on four legs", "canters", (QUADRUPED,)),
    "BOUND": GaitChoice(
        "Bound", "Both hind legs, then both fore legs, as hares and squirrels go", "bounds", (QUADRUPED,)
    ),
}


def gaits_of(kind: str) -> list[str]:
    """Return the gaits that a kind of character has; an animal's from slow to fast, then By Speed."""
    names = [name for name, choice in GAITS.items() if kind in choice.kinds]
    if kind == BIPED:
        return names
    return sorted(names, key=lambda name: (name == "BY_SPEED", quicker(name, kind)))


def require_kind(gait: str, kind: str) -> None:
    """Raise NeuraRigError, naming those to choose, for a gait that a kind of character does not have."""
    if kind not in GAITS[gait].kinds:
        others = ", ".join(GAITS[name].label for name in gaits_of(kind))
        raise NeuraRigError(f"{GAITS[gait].label} is no gait {OF[kind]}. Set Gait to one of these: {others}.")


def animal_gait(name: str, body: Body, right_leads: bool = False, fore_limps: bool = False) -> Gait:
    """Return a gait of an animal; for the last two see `four_legged_gait`."""
    if body.kind == BIRD:
        return birds.bird_gait(body, name)
    return four_legs.four_legged_gait(name, body, right_leads, fore_limps)


def walking_speed(body: Body) -> float:
    """Return an animal's natural walking speed in m/s."""
    return float(np.sqrt(ANIMALS[body.kind]["WALK"].froude * GRAVITY * body.hip[:, 2].mean()))


def quicker(name: str, kind: str) -> float:
    """Return the natural speed of an animal's gait as a multiple of the walk's; 1 for one that it lacks."""
    laws = ANIMALS[kind]
    return float(np.sqrt(laws[name].froude / laws["WALK"].froude)) if name in laws else 1.0


def bounce_of(gait: str, lead: str, hop_on: str) -> "bouncing.Bounce | None":
    """Return the bounce of a gait by name, leading foot and hopping foot; None for a walk or a run."""
    match gait:
        case "SKIP":
            return bouncing.bounces()["skip"]
        case "GALLOP":
            return replace(bouncing.bounces()["gallop"], mirrored=lead == "LEFT")
        case "HOP":
            return (
                bouncing.bounces()["hop_on_both"]
                if hop_on == "BOTH"
                else replace(bouncing.bounces()["hop_on_one"], mirrored=hop_on == "RIGHT")
            )
    return None
