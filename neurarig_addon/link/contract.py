"""The meaning of a frame's numbers, by the names of a profile's inputs: ranges, the body, and the clock.

A client sends the time within the stride or, like the original's engine, the duration of a frame.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

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


_BONE, _SPACING = re.compile(r"bone_l\d", re.I), re.compile("spacing", re.I)
_CLOCKS, _DELTA_CLOCK, _ACCUMULATED = ("t_cycle", "delta_time"), "delta_time", "t_accumulated"
# Part of an input's name -> smallest and largest value served. Wide enough for an ant and for a giant; values
# outside are errors of
# units (centimetres for metres, milliseconds for seconds) or noise.
_RANGES = (
    (re.compile("velocity|speed", re.I), -100.0, 100.0),  # m/s
    (_BONE, 1e-3, 100.0),  # m
    (_SPACING, -100.0, 100.0),  # m
    (re.compile("offset", re.I), -16.0, 16.0),  # cycles
    (re.compile("|".join((*_CLOCKS, _ACCUMULATED))), 0.0, 1e7),  # s
    (re.compile("dilation", re.I), 0.0, 1e3),
)
_ANY_NUMBER = 1e6


class Contract:
    """The checks of a frame, and the indices of its body and its clock.

    `input_names` `(n,)`; `body`: indices of the character's bone lengths and spacings; `clock`,
    `accumulated`: indices of `t_cycle` and `t_accumulated`, or None if the profile has no such input;
    `timeless` `(n,)` bool: all the others; `sends_deltas`: the profile defines its clock as the duration of a
    frame.
    """

    def __init__(self, input_names: Sequence[str]):
        self.input_names = tuple(input_names)
        self.low, self.high = np.array([_range(name) for name in self.input_names]).reshape(-1, 2).T
        self.body = np.array(
            [n for n, name in enumerate(self.input_names) if _BONE.search(name) or _SPACING.search(name)],
            dtype=int,
        )
        self.clock = next((n for n, name in enumerate(self.input_names) if name in _CLOCKS), None)
        self.accumulated = self.input_names.index(_ACCUMULATED) if _ACCUMULATED in self.input_names else None
        self.timeless = np.array(
            [n not in (self.clock, self.accumulated) for n in range(len(self.input_names))], dtype=bool
        )
        self.sends_deltas = self.clock is not None and self.input_names[self.clock] == _DELTA_CLOCK

    def check(self, inputs: np.ndarray) -> None:
        """Raise PacketError, naming the input, if a finite frame `(n,)` has a number outside its range."""
        wrong = (inputs < self.low) | (inputs > self.high)
        if wrong.any():
            n = int(np.flatnonzero(wrong)[0])
            limits = f"{self.low[n]:g} and {self.high[n]:g}"
            raise PacketError(
                Refusal.RANGE,
                f"The input '{self.input_names[n]}' is {inputs[n]:g}; send it between {limits}, in SI units.",
            )


def _range(name: str) -> tuple[float, float]:
    return next(
        ((low, high) for pattern, low, high in _RANGES if pattern.search(name)), (-_ANY_NUMBER, _ANY_NUMBER)
    )


class TimeMode(StrEnum):
    """The meaning of a client's `t_cycle`: the time within the stride, or the duration of one frame, to be
    summed here.

    AUTO decides per frame: a started walk has a `t_accumulated`, and the original's engine leaves it at 0.
    """

    AUTO = "auto"
    DELTA = "delta"
    CYCLE = "cycle"


class WalkClock:
    """The time of one client.

    It counts strides, not seconds: each frame adds its share of a stride, so the walk does not jump when
    speed changes the stride
    time.  The original, which divides the sum of all seconds by the newest stride time, does jump.
    """

    def __init__(self) -> None:
        self.mode = TimeMode.AUTO
        self._seconds = 0.0
        self._strides = 0.0
        self._manner, self._stride = b"", None  # the newest inputs without their times, and their stride time

    def inputs_of(
        self, sent: np.ndarray, contract: Contract, stride_time: Callable[[np.ndarray], float | None]
    ) -> np.ndarray:
        """Return the inputs of a sent frame `(n,)`: the same numbers, with the contract's times in place of
        the frame's duration.

        `stride_time` returns the seconds of a stride, or None if unknown; then `t_cycle` is the sum of all.
        """
        if contract.clock is None or not self._sums(sent, contract):
            return sent
        inputs = sent.copy()
        delta = sent[contract.clock]
        self._seconds += delta
        inputs[contract.clock] = self._seconds
        if contract.accumulated is not None:
            inputs[contract.accumulated] = self._seconds
        stride = self._stride_of(inputs, contract, stride_time)
        if stride is not None:
            self._strides = (self._strides + delta / stride) % 1.0
            inputs[contract.clock] = self._strides * stride
        return inputs

    def forget_stride_time(self) -> None:
        """Forget the stride time, since another profile has other ones."""
        self._manner, self._stride = b"", None

    def _stride_of(
        self, inputs: np.ndarray, contract: Contract, stride_time: Callable[[np.ndarray], float | None]
    ) -> float | None:
        """Return the stride time, computed again only when an input other than the time has changed."""
        manner = inputs[contract.timeless].tobytes()
        if manner != self._manner:
            self._manner, self._stride = manner, stride_time(inputs)
        return self._stride

    def _sums(self, sent: np.ndarray, contract: Contract) -> bool:
        if contract.sends_deltas or self.mode is TimeMode.DELTA:
            return True
        return self.mode is TimeMode.AUTO and (
            contract.accumulated is None or sent[contract.accumulated] == 0.0
        )
