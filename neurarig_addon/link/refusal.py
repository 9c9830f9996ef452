"""Why a packet was not served: the reasons that the server counts and shows."""

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
