"""Why packets were not served, and the running totals of a server."""

from dataclasses import dataclass, field
from enum import StrEnum

from ..core.errors import NeuraRigError


class Refusal(StrEnum):
    """A reason to drop a packet."""

    LENGTH = "wrong length"
    HEADER = "unknown header"
    NOT_FINITE = "not finite"
    RANGE = "out of range"
    JSON = "unreadable handshake"
    MISFIT = "rig that does not fit"
    CROWDED = "too many clients"
    UNANSWERABLE = "no finite answer"


class PacketError(NeuraRigError):
    """A packet that is not served; one sentence for the author of the sender."""

    def __init__(self, refusal: Refusal, sentence: str):
        super().__init__(sentence)
        self.refusal = refusal


@dataclass(slots=True)
class Counts:
    """Running totals, of packets unless noted otherwise."""

    packets: int = 0
    pings: int = 0
    handshakes: int = 0
    frames: int = 0
    drives: int = 0
    answers: int = 0
    targets: int = 0
    forgotten: int = 0  # clients that fell silent
    unsent: int = 0  # answers that the system did not send
    refused: dict[Refusal, int] = field(default_factory=lambda: dict.fromkeys(Refusal, 0))

    @property
    def all_refused(self) -> int:
        """The packets that were not served."""
        return sum(self.refused.values())

    def refusals(self) -> str:
        """Return the reasons for refusal with their counts, the most frequent first; '' if nothing was
        refused."""
        found = sorted(((number, reason) for reason, number in self.refused.items() if number), reverse=True)
        return ", ".join(f"{number} {reason}" for number, reason in found)
