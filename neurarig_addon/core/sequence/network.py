"""The network that predicts the next second of a motion, and its weights.

It sees the last half second, what the same body did a stride ago in the same phase, its manner, and what is
wished; it answers with how far
the next second is from both: going on as now, and as a stride ago. Poses are given as their main components,
time as cosines. A wish is
fulfilled by construction: the network moves the body as it goes with that way.
"""

import os
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from ..errors import NeuraRigError
from ..geometry.rotation import wrapped
from ..network.mlp import Mlp
from ..network.safetensors import read_tensors, take_layers, take_tensor, write_tensors
from .rows import FEET, WIDTH, Rows, placed, seen_from, turned
from .stride import NONE, REMEMBERED, LastStride, last_stride, repeated

BUNDLED = Path(__file__).resolve().parents[2] / "data" / "weights" / "sequence.safetensors"
SEEN, AHEAD = 15, 30  # frames of the past in detail, and of the future
COMPONENTS = 40  # of a pose
# columns of signals
WAY, PLANTED = slice(COMPONENTS, COMPONENTS + 3), slice(COMPONENTS + 3, COMPONENTS + 3 + len(FEET))
SIGNALS = PLANTED.stop
PAST_TERMS, STRIDE_TERMS, TERMS = 6, 6, 10  # cosines in time
WISHES = 4  # place after a second, forward and left in metres; sine and cosine of the turn: all 0 for no wish
INPUTS = SIGNALS * (PAST_TERMS + 2 + STRIDE_TERMS + 2) + 4 + WISHES
OUTPUTS = SIGNALS * (TERMS + 1)
GOES_ON = 3.0  # frames in which a velocity fades
SLOW, _STRIDE_TAKES_OVER = 3.0, 4.0  # frames in which predictions and the last stride come in
QUICK = 4.0  # scale of the last change of a frame
STRANGE, STRANGER = 0.3, 10.0  # metres a column: the most that a stride may be off; scale
BEYOND = 0.7  # share of the velocity of what the components leave out that goes on
# of what fills a gap: the terms of time on each frame, and the answer for it
GAP_SLOWNESS, GAP_WAVES = np.array([1.5, 3.0, 6.0, 12.0, 24.0, 48.0]), np.arange(1.0, 7.0)
GAP_INPUTS = 2 * (INPUTS + COMPONENTS + len(GAP_SLOWNESS) + len(GAP_WAVES)) + 1
GAP_OUTPUTS = 3 * COMPONENTS + 3 + len(FEET)
_SIZES = {"layers": (INPUTS, OUTPUTS), "gap": (GAP_INPUTS, GAP_OUTPUTS)}
_FORMAT, _LARGEST, _MOST_LAYERS = "neurarig-sequence-5", 1e4, 8


Layers = tuple[tuple[np.ndarray, np.ndarray], ...]


@dataclass(frozen=True)
class SequenceWeights:
    """`mean` `(WIDTH,)` and `basis` `(COMPONENTS, WIDTH)` of poses; `scale` `(SIGNALS,)`: of what is told;
    `layers`: of the Mlp that goes on; `gap`: of the one that fills what is missing (`gap`)."""

    mean: np.ndarray
    basis: np.ndarray
    scale: np.ndarray
    layers: Layers
    gap: Layers = ()

    @property
    def count(self) -> int:
        """The number of learned parameters."""
        return sum(weight.size + bias.size for weight, bias in (*self.layers, *self.gap))


def write_weights(path: str | os.PathLike, weights: SequenceWeights) -> None:
    """Write weights to a file."""
    tensors = {name: getattr(weights, name) for name in ("mean", "basis", "scale")}
    for name in _SIZES:
        for n, (weight, bias) in enumerate(getattr(weights, name)):
            tensors |= {f"{name}.{n}.weight": weight, f"{name}.{n}.bias": bias}
    write_tensors(path, {"format": _FORMAT}, tensors)


def read_weights(path: str | os.PathLike) -> SequenceWeights:
    """Read and check a weights file; raises NeuraRigError, naming the file, if it is unusable."""
    metadata, tensors = read_tensors(path)
    try:
        if metadata.get("format") != _FORMAT:
            raise ValueError("it is not of this network")
        shapes = {"mean": (WIDTH,), "basis": (COMPONENTS, WIDTH), "scale": (SIGNALS,)}
        arrays = {name: take_tensor(tensors, name, shape, _LARGEST) for name, shape in shapes.items()}
        if not (arrays["scale"] > 0.0).all():
            raise ValueError("'scale' is not above zero")
        layers, gap = (_take_layers(tensors, name) for name in _SIZES)
        return SequenceWeights(**arrays, layers=layers, gap=gap)
    except ValueError as error:
        raise NeuraRigError(f"'{Path(path).name}' is not a usable weights file: {error}.") from None


def _take_layers(tensors: dict[str, np.ndarray], name: str) -> Layers:
    inputs, outputs = _SIZES[name]
    layers = take_layers(tensors, f"{name}.", inputs, _MOST_LAYERS, _LARGEST)
    if not layers or len(layers[-1][1]) != outputs:
        raise ValueError(f"its '{name}' do not give {outputs} numbers")
    return layers


def cosines(frames: int, terms: int) -> np.ndarray:
    """Return the first cosines over some frames `(frames, terms)`, a constant first."""
    return np.cos(np.pi * (np.arange(frames)[:, None] + 0.5) * np.arange(terms) / frames)


_ALL = np.arange(AHEAD) + 1.0


def fading(frames: np.ndarray = _ALL) -> np.ndarray:
    """Return how far a velocity of one a frame leads in some frames `(n,)` until it has faded."""
    return GOES_ON * coming_in(GOES_ON, frames)


def coming_in(slowness: float, frames: np.ndarray = _ALL) -> np.ndarray:
    """Return a share that rises in some frames `(n,)` from 0 to 1."""
    return 1.0 - np.exp(-frames / slowness)


ANSWERS = cosines(AHEAD, TERMS) * coming_in(SLOW)[:, None]  # what the network's terms stand for
PAST = cosines(SEEN, PAST_TERMS) * 2.0 / SEEN
ONCE = cosines(AHEAD, STRIDE_TERMS) * 2.0 / AHEAD
TAKES_OVER = coming_in(_STRIDE_TAKES_OVER)[:, None]
SPREAD = coming_in(SLOW) / coming_in(SLOW).sum()  # of what the way has to change by, over the second


@dataclass(frozen=True)
class SequenceWish:
    """What is wished of the next second: the place `(2,)` forward and left in metres of the figure, and the
    turn to the left, radians."""

    place: np.ndarray
    turn: float

    @classmethod
    def between(cls, place: np.ndarray, goal: np.ndarray) -> "SequenceWish":
        """Return the wish to come from a place to a goal, both x, y and heading `(3,)`."""
        way = seen_from(place, goal)
        return cls(way[:2], way[2])

    def numbers(self) -> np.ndarray:
        """Return the wish as the network is told it `(WISHES,)`."""
        return np.hstack([self.place, np.sin(self.turn), np.cos(self.turn)])

    def fulfilled(self, steps: np.ndarray) -> np.ndarray:
        """Return steps `(AHEAD, 3)` that lead where it says; what they lack is spread over the second."""
        lacks = self.turn - placed(steps)[-1, 2]
        turns = steps[:, 2] + SPREAD * wrapped(lacks)
        way = np.column_stack([steps[:, :2], turns])
        lacks = SPREAD[:, None] * (self.place - placed(way)[-1, :2])
        way[:, :2] += turned(lacks, turns - np.cumsum(turns))
        return way


class SequenceNetwork:
    """The network, ready to predict; it keeps no state."""

    def __init__(self, weights: SequenceWeights) -> None:
        self.weights = weights
        self._mean, self._basis = weights.mean.astype(float), weights.basis.astype(float)
        self._scale = weights.scale.astype(float)
        self._mlp = Mlp(weights.layers)

    @cached_property
    def gap(self) -> Mlp:
        """What fills gaps; see `gap`."""
        return Mlp(self.weights.gap)

    def ahead(
        self,
        past: Rows,
        wish: SequenceWish | None = None,
        manner: np.ndarray | None = None,
        predicted: int = 0,
    ) -> Rows:
        """Return the next AHEAD frames of a motion of at least two; `past`: the last ones, two seconds or
        more if there are.

        `manner`: as `manner` returns it; None: that of `past`. `predicted`: how many of the last frames are
        predictions themselves.
        """
        told, seen, before = self.told(past, last_stride(past), wish, manner, predicted)
        answer = self._mlp.forward(told[None].astype(np.float32))[0].astype(float)
        signals = answered(answer, seen, before) * self._scale
        left_out = self._left_out(past.poses[-2:])
        beyond = left_out[1] + BEYOND * fading()[:, None] * (left_out[1] - left_out[0])
        steps = signals[:, WAY] if wish is None else wish.fulfilled(signals[:, WAY])
        return Rows(
            self._mean + signals[:, :COMPONENTS] @ self._basis + beyond,
            steps,
            np.clip(signals[:, PLANTED], 0.0, 1.0),
        )

    def told(
        self,
        past: Rows,
        stride: LastStride,
        wish: SequenceWish | None,
        manner: np.ndarray | None = None,
        predicted: int = 0,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what a network is told `(INPUTS,)` of a past whose last stride is known, and the signals in
        it; see `inputs`."""
        seen, before = (self.signals(rows) for rows in (_last(past, SEEN), repeated(past, stride, AHEAD)))
        moves = self.manner(past) if manner is None else manner
        wished = np.zeros(WISHES) if wish is None else wish.numbers()
        return inputs(seen, before, stride, moves, predicted, wished), seen, before

    def manner(self, rows: Rows) -> np.ndarray:
        """Return how a body moves at the end of some rows, the mean of its signals and how far they go from
        it `(2, SIGNALS)`."""
        signals = self.signals(_last(rows, min(len(rows), REMEMBERED)))
        middle = signals.mean(axis=0)
        return np.stack([middle, np.sqrt(np.mean((signals - middle) ** 2, axis=0))])

    def signals(self, rows: Rows) -> np.ndarray:
        """Return the components of poses, the way made and the contacts, `(f, SIGNALS)`, about 1 in size."""
        return (
            np.concatenate([(rows.poses - self._mean) @ self._basis.T, rows.steps, rows.contacts], axis=1)
            / self._scale
        )

    def _left_out(self, poses: np.ndarray) -> np.ndarray:
        away = poses - self._mean
        return away - away @ self._basis.T @ self._basis


def inputs(
    seen: np.ndarray,
    once: np.ndarray,
    stride: LastStride,
    manner: np.ndarray,
    predicted: int,
    wish: np.ndarray,
) -> np.ndarray:
    """Return what the network is told `(INPUTS,)`, of signals `(SEEN, SIGNALS)` seen and `(AHEAD, SIGNALS)`
    of a stride ago.

    `manner` `(2, SIGNALS)`: as it was before what is predicted began, so that it stays.
    """
    last = seen[-1]
    known = [
        STRANGER * np.minimum(stride.off, STRANGE),
        1.0 * (stride is not NONE),
        np.minimum(predicted, SEEN) / SEEN,
        0.0,  # kept of an older network
    ]
    parts = (
        (seen - last).T @ PAST,
        last,
        QUICK * (last - seen[-2]),
        (once - last).T @ ONCE,
        manner,
        np.stack(known),
        wish,
    )
    return np.concatenate([np.ravel(part) for part in parts])


def answered(answer: np.ndarray, seen: np.ndarray, once: np.ndarray) -> np.ndarray:
    """Return the signals `(AHEAD, SIGNALS)` for an answer `(OUTPUTS,)`: between going on as now and as a
    stride ago, and what is added."""
    trust = TAKES_OVER / (1.0 + np.exp(-answer[SIGNALS * TERMS :]))
    goes_on = seen[-1] + (seen[-1] - seen[-2]) * fading()[:, None]
    return (
        (1.0 - trust) * goes_on + trust * once + ANSWERS @ answer[: SIGNALS * TERMS].reshape(SIGNALS, TERMS).T
    )


def _last(past: Rows, count: int) -> Rows:
    """Return the last frames of a motion; a shorter one stands before its first."""
    return past[np.maximum(np.arange(len(past) - count, len(past)), 0)]


@cache
def bundled() -> SequenceNetwork:
    """Return the network that comes with the add-on."""
    return SequenceNetwork(read_weights(BUNDLED))
