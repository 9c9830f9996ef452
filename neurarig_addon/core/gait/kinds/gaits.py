"""The gaits that an animator can choose, one row each: for settings, scripts, the command line, reports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .bounce import GALLOP, HOP_ON_BOTH, HOP_ON_ONE, SKIP, Bounce


@dataclass(frozen=True)
class GaitChoice:
    """A gait to choose: its `label`, what it is `about`, and what somebody `does` in it, empty where feet alone tell a walk from a run.

    `bounce`: its contacts and curves, given the leading and the hopping foot; None for what has a network and a law of its own.
    """

    label: str
    about: str
    does: str = ""
    bounce: Callable[[str, str], Bounce] | None = None


GAITS: Mapping[str, GaitChoice] = {
    "WALK": GaitChoice("Walk", "Walk at any speed"),
    "RUN": GaitChoice("Run", "Run, from a slow jog to a sprint"),
    "BY_SPEED": GaitChoice("By Speed", "Walk when slow, run when fast, and change within a step"),
    "SKIP": GaitChoice("Skip", "Step and hop on one foot, then on the other", "skips", lambda lead, hop_on: SKIP),
    "GALLOP": GaitChoice(
        "Gallop", "One foot always leads, as children gallop", "gallops", lambda lead, hop_on: replace(GALLOP, mirrored=lead == "LEFT")
    ),
    "HOP": GaitChoice(
        "Hop",
        "Hop on one foot, or on both",
        "hops",
        lambda lead, hop_on: HOP_ON_BOTH if hop_on == "BOTH" else replace(HOP_ON_ONE, mirrored=hop_on == "RIGHT"),
    ),
}


def bounce_of(gait: str, lead: str, hop_on: str) -> Bounce | None:
    """Return the bounce of a gait by name, leading foot and hopping foot; None for a walk or a run."""
    bounce = GAITS[gait].bounce if gait in GAITS else None
    return None if bounce is None else bounce(lead, hop_on)
