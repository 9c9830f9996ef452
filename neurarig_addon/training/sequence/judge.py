"""How far predictions are off on recordings: the network's, and those of baselines that anybody can have."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.ikrig.decode import decode
from ...core.ikrig.encoding import CHAINS, Encoding
from ...core.sequence.figure import figure
from ...core.sequence.network import AHEAD, SEEN, SequenceNetwork, SequenceWish
from ...core.sequence.rows import RATE, Rows, encoding_of, rows_of
from ...core.sequence.stride import repeated
from ..recordings import RecordingFile
from .windows import encoded, stride_at

HORIZONS = (80, 160, 320, 560, 1000)  # milliseconds
NETWORK, WISHED = "network", "network, told the place and turn after a second"
STANDS, GOES_ON, STRIDE = "zero velocity", "constant velocity", "last stride repeated"
BASELINES = (STANDS, GOES_ON, STRIDE)
EVERY = 5  # frames between windows
_HISTORY = 44  # frames before a window's first: strides are known; fewer in clips that are too short for that


@dataclass(frozen=True)
class Errors:
    """Mean errors of one kind of prediction on one group of motions, millimetres, after each of HORIZONS;
    `windows`: how many."""

    group: str
    prediction: str
    millimetres: np.ndarray
    windows: int

    def line(self) -> str:
        """Return a line of a Markdown table."""
        return (
            f"| {self.group} ({self.windows} windows) | {self.prediction} |"
            f" {', '.join(f'{one:.0f}' for one in self.millimetres)} |"
        )

    @classmethod
    def merged(cls, errors: Iterable["Errors"]) -> "list[Errors]":
        """Return one entry for each group and prediction, over all windows."""
        found: dict[tuple[str, str], list[Errors]] = defaultdict(list)
        for one in errors:
            found[one.group, one.prediction].append(one)
        sums = {key: sum(each.windows for each in ones) for key, ones in found.items()}
        means = {
            key: sum(each.windows * each.millimetres for each in ones) / max(sums[key], 1)
            for key, ones in found.items()
        }
        return [cls(*key, means[key], sums[key]) for key in found]


def judge(network: SequenceNetwork, chosen: Sequence[RecordingFile]) -> list[Errors]:
    """Return the errors of the network and of the baselines on recordings, by group."""
    found: dict[tuple[str, str], list[np.ndarray]] = defaultdict(list)
    for recording in chosen:
        encoding = encoded(recording)
        if any(chain not in encoding.chains for chain in CHAINS):
            continue
        for prediction, off in _on(network, encoding):
            found[recording.group, prediction].append(off)
    return [
        Errors(group, prediction, np.mean(off, axis=0), len(off))
        for (group, prediction), off in found.items()
    ]


def _on(network: SequenceNetwork, encoding: Encoding) -> list[tuple[str, np.ndarray]]:
    """Return for each window of a motion and each prediction its errors after HORIZONS."""
    motion = rows_of(encoding)
    found = []
    for at in range(first_window(motion), len(motion) - AHEAD, EVERY):
        known, comes = motion[: at + 1], motion[at + 1 : at + 1 + AHEAD]
        truth = places(comes)
        here = places(replace(known[-1:], steps=np.zeros((1, 3))))
        before = places(replace(known[-2:], steps=np.array([[0.0] * 3, known.steps[-1]])))
        change = before[1] - before[0]
        cos, sin = np.cos(-known.steps[-1, 2]), np.sin(-known.steps[-1, 2])
        change = change @ np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
        predictions = {
            STANDS: np.repeat(here, AHEAD, axis=0),
            GOES_ON: here + change * (np.arange(AHEAD) + 1.0)[:, None, None],
            STRIDE: places(repeated(known, stride_at(motion, at), AHEAD)),
            NETWORK: places(network.ahead(known)),
            WISHED: places(network.ahead(known, SequenceWish.of(comes.steps))),
        }
        for name, predicted in predictions.items():
            off = _between_frames(predicted - truth)
            found.append((name, 1e3 * np.linalg.norm(off, axis=-1).mean(axis=-1)))
    return found


def first_window(motion: Rows) -> int:
    """Return the last frame that is seen in a motion's first window."""
    return max(SEEN - 1, min(_HISTORY, len(motion) - AHEAD - 1))


def _between_frames(values: np.ndarray) -> np.ndarray:
    """Return values `(AHEAD, ...)` of the next second's frames at HORIZONS."""
    at = np.array(HORIZONS) * RATE / 1000.0 - 1.0
    before = np.minimum(at.astype(int), AHEAD - 2)
    share = (at - before).reshape(-1, *[1] * (values.ndim - 1))
    return values[before] + share * (values[before + 1] - values[before])


def places(rows: Rows) -> np.ndarray:
    """Return the figure's joints `(f, j, 3)` in metres, seen from the frame before the first."""
    motions = decode(encoding_of(rows, np.zeros(2), 0.0, "window"), figure().character)
    return np.stack([motion.position for motion in motions.values()], axis=1)
