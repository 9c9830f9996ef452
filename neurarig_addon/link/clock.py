"""The time of a client's walk, whether it sends the time inside the stride or, as the original's engine does, the time of a frame."""

from collections.abc import Callable
from enum import StrEnum

import numpy as np

from .contract import Contract


class TimeMode(StrEnum):
    """What a client's `t_cycle` is: the time inside the stride, or the time of one frame, to be summed up here.

    AUTO tells frame by frame: a walk that has begun has a `t_accumulated`, and the original's engine leaves it at 0.
    """

    AUTO = "auto"
    DELTA = "delta"
    CYCLE = "cycle"


class WalkClock:
    """The time of one client.

    It counts strides, not seconds: each frame adds its own share of a stride, so the walk does not jump where speed changes the stride
    time.  The original, which divides the sum of all seconds by the newest stride time, does jump.
    """

    def __init__(self) -> None:
        self.mode = TimeMode.AUTO
        self._seconds = 0.0
        self._strides = 0.0
        self._manner, self._stride = b"", None  # the newest inputs but their times, and the stride time of those

    def inputs_of(self, sent: np.ndarray, contract: Contract, stride_time: Callable[[np.ndarray], float | None]) -> np.ndarray:
        """Return what a frame `(n,)` means: the same numbers, with times as the contract has them instead of the time of a frame.

        `stride_time` gives the seconds of a stride, or None where nobody knows them; then `t_cycle` is the sum of all.
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
        """Ask anew, since another profile has other stride times."""
        self._manner, self._stride = b"", None

    def _stride_of(self, inputs: np.ndarray, contract: Contract, stride_time: Callable[[np.ndarray], float | None]) -> float | None:
        """Return the stride time, asking only when something else than the time has changed."""
        manner = inputs[contract.timeless].tobytes()
        if manner != self._manner:
            self._manner, self._stride = manner, stride_time(inputs)
        return self._stride

    def _sums(self, sent: np.ndarray, contract: Contract) -> bool:
        if contract.sends_deltas or self.mode is TimeMode.DELTA:
            return True
        return self.mode is TimeMode.AUTO and (contract.accumulated is None or sent[contract.accumulated] == 0.0)
