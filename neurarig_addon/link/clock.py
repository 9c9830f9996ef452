"""The time of a client's walk, whether it sends the time within the stride or, like the original's engine, the duration of a frame."""

from collections.abc import Callable
from enum import StrEnum

import numpy as np

from .contract import Contract


class TimeMode(StrEnum):
    """The meaning of a client's `t_cycle`: the time within the stride, or the duration of one frame, to be summed here.

    AUTO decides per frame: a started walk has a `t_accumulated`, and the original's engine leaves it at 0.
    """

    AUTO = "auto"
    DELTA = "delta"
    CYCLE = "cycle"


class WalkClock:
    """The time of one client.

    It counts strides, not seconds: each frame adds its share of a stride, so the walk does not jump when speed changes the stride
    time.  The original, which divides the sum of all seconds by the newest stride time, does jump.
    """

    def __init__(self) -> None:
        self.mode = TimeMode.AUTO
        self._seconds = 0.0
        self._strides = 0.0
        self._manner, self._stride = b"", None  # the newest inputs without their times, and their stride time

    def inputs_of(self, sent: np.ndarray, contract: Contract, stride_time: Callable[[np.ndarray], float | None]) -> np.ndarray:
        """Return the inputs of a sent frame `(n,)`: the same numbers, with the contract's times in place of the frame's duration.

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

    def _stride_of(self, inputs: np.ndarray, contract: Contract, stride_time: Callable[[np.ndarray], float | None]) -> float | None:
        """Return the stride time, computed again only when an input other than the time has changed."""
        manner = inputs[contract.timeless].tobytes()
        if manner != self._manner:
            self._manner, self._stride = manner, stride_time(inputs)
        return self._stride

    def _sums(self, sent: np.ndarray, contract: Contract) -> bool:
        if contract.sends_deltas or self.mode is TimeMode.DELTA:
            return True
        return self.mode is TimeMode.AUTO and (contract.accumulated is None or sent[contract.accumulated] == 0.0)
