"""The gaits that an animator can choose, one row each: for settings, scripts, the command line, reports."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...errors import NeuraRigError
from . import bounce as bouncing


@dataclass(frozen=True)
class GaitChoice:
    """A gait to choose: its `label`, what it is `about`, and what somebody `does` in it, empty where feet
    alone tell a walk from a run; on how many `legs`."""

    label: str
    about: str
    does: str = ""
    legs: tuple[int, ...] = (2,)


GAITS: Mapping[str, GaitChoice] = {
    "WALK": GaitChoice("Walk", "Walk at any speed", legs=(2, 4)),
    "RUN": GaitChoice("Run", "Run, from a slow jog to a sprint"),
    "BY_SPEED": GaitChoice("By Speed", "Walk when slow, run or trot and gallop when fast", legs=(2, 4)),
    "SKIP": GaitChoice("Skip", "Step and hop on one foot, then on the other", "skips"),
    "GALLOP": GaitChoice(
        "Gallop", "One foot always leads, as children gallop, or the gallop of an animal", "gallops", (2, 4)
    ),
    "HOP": GaitChoice("Hop", "Hop on one foot, or on both", "hops"),
    "TROT": GaitChoice("Trot", "Diagonal legs together, on four legs", "trots", (4,)),
    "CANTER": GaitChoice("Canter", "Three beats and a flight, on four legs", "canters", (4,)),
}


def require_legs(gait: str, legs: int) -> None:
    """Raise NeuraRigError, naming those to choose, for a gait that a body on so many legs does not have."""
    if legs not in GAITS[gait].legs:
        others = ", ".join(choice.label for choice in GAITS.values() if legs in choice.legs)
        raise NeuraRigError(
            f"{GAITS[gait].label} is no gait on {'four' if legs == 4 else 'two'} legs. Set Gait to one of"
            f" these: {others}."
        )


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
