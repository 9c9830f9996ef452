"""Real-time inference of a trained rule, any profile's inputs to its outputs, one character or many, in
numpy; and its weights file.

The file names its inputs and outputs, and everything is checked before use.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from ..errors import NeuraRigError
from ..files import json_text
from ..files.whole_file import written_whole
from ..network.mlp import Mlp
from ..network.safetensors import content_of_weights, pack_tensors, take_layers, take_tensor, unpack_tensors
from .stream_inputs import StreamInputs
from .view_features import feature_names, view_features, with_products
from .walk_curves import Bend, Group, Pieces, StrideClock, WalkCurves

FORMAT, VERSION = "neurarig-rule-network", "1"
_MOST_INPUTS, _MOST_OUTPUTS, _MOST_PIECES, _MOST_LAYERS = 64, 512, 32, 8
_LARGEST, _SMALLEST_SCALE, _LARGEST_POWER = 1e6, 1e-6, 8.0
_take = partial(take_tensor, largest=_LARGEST)
_PER_FEATURE = ("low", "high", "mean", "scale")


@dataclass(frozen=True)
class SolverWeights:
    """A trained rule; arrays float32.

    `profile`, `profile_version`: the rule it learned. `low`, `high` `(features,)`: the trained range, to
    which features are clamped.
    `mean`, `scale`: the network sees (feature - mean) / scale.
    `trunk`: layers `(weight (outputs, inputs), bias)` with ELU after each; may be empty.
    `heads`: one `(weight, bias)` per group, from features, their products and the trunk's last layer to
    coefficients (piece, function,
    column).
    """

    profile: str
    profile_version: str
    curves: WalkCurves
    low: np.ndarray
    high: np.ndarray
    mean: np.ndarray
    scale: np.ndarray
    trunk: tuple[tuple[np.ndarray, np.ndarray], ...]
    heads: tuple[tuple[np.ndarray, np.ndarray], ...]


def known_size(features: int, hidden: int) -> int:
    """Return the size of the heads' input: the features, the products of any two, and the trunk's last
    layer."""
    return features + features * (features + 1) // 2 + hidden


def describe(profile: str, profile_version: str, curves: WalkCurves) -> dict[str, str]:
    """Return the metadata of a file: everything but the arrays; raises NeuraRigError if the rule's period is
    not a product of powers."""
    clock = curves.clock
    if not isinstance(clock, StrideClock):
        raise NeuraRigError(
            f"The period of '{profile}' is not a product of powers of speed and leg, the only kind that a"
            " network can hold."
        )
    groups = [{"side": g.side, "edges": g.pieces.edges, "columns": g.columns} for g in curves.groups]
    return {
        "format": FORMAT,
        "version": VERSION,
        "profile": profile,
        "profile_version": profile_version,
        "inputs": json.dumps(curves.places.names),
        "features": json.dumps(feature_names(curves)),
        "outputs": str(curves.outputs),
        "clock": json.dumps([clock.seconds, clock.speed_power, clock.leg_power, *clock.other_powers]),
        "bends": json.dumps([[bend.speed, bend.leg_power] for bend in curves.bends]),
        "groups": json.dumps(groups),
    }


def pack_solver_weights(weights: SolverWeights) -> bytes:
    """Return a trained rule as the content of a file."""
    tensors = {f"feature.{name}": getattr(weights, name) for name in _PER_FEATURE}
    for kind, layers in (("trunk", weights.trunk), ("head", weights.heads)):
        for n, (weight, bias) in enumerate(layers):
            tensors[f"{kind}{n}.weight"], tensors[f"{kind}{n}.bias"] = weight, bias
    return pack_tensors(describe(weights.profile, weights.profile_version, weights.curves), tensors)


def write_solver_weights(path: str | os.PathLike, weights: SolverWeights) -> None:
    """Write a trained rule for `read_solver_weights`."""
    with written_whole(Path(path)) as unfinished:
        unfinished.write_bytes(pack_solver_weights(weights))


def read_solver_weights(path: str | os.PathLike, inputs: Sequence[str] | None = None) -> SolverWeights:
    """Read a trained rule; raises NeuraRigError, naming the file, if this version cannot run it or it takes
    other `inputs`."""
    return unpack_solver_weights(content_of_weights(path), Path(path).name, inputs)


def unpack_solver_weights(content: bytes, name: str, inputs: Sequence[str] | None = None) -> SolverWeights:
    """Return the trained rule in the content of a file; raises NeuraRigError, naming it, like
    `read_solver_weights`."""
    metadata, tensors = unpack_tensors(content, name)
    try:
        weights = _checked(metadata, tensors)
        if inputs is not None and tuple(inputs) != weights.curves.places.names:
            raise ValueError(f"it reads {_difference(weights.curves.places.names, tuple(inputs))}")
    except (ValueError, TypeError, KeyError, RecursionError, NeuraRigError) as error:
        raise NeuraRigError(
            f"'{name}' does not fit this profile or version: {error}; train on the profile again."
        ) from None
    return weights


def _difference(stored: tuple[str, ...], profile: tuple[str, ...]) -> str:
    if len(stored) != len(profile):
        return f"{len(stored)} inputs and the profile has {len(profile)}"
    n = next(n for n, names in enumerate(zip(stored, profile, strict=True)) if names[0] != names[1])
    return f"'{stored[n]}' as input {n}, and the profile has '{profile[n]}' there"


def _checked(metadata: dict[str, str], tensors: dict[str, np.ndarray]) -> SolverWeights:
    for name, expected in (("format", FORMAT), ("version", VERSION)):
        if metadata.get(name) != expected:
            raise ValueError(f"its {name} is not '{expected}'")
    missing = {
        "profile",
        "profile_version",
        "inputs",
        "features",
        "outputs",
        "clock",
        "bends",
        "groups",
    } - metadata.keys()
    if missing:
        raise ValueError(f"its metadata lacks '{min(missing)}'")
    curves = curves_described(metadata)
    features = feature_names(curves)
    if tuple(json_text.parsed(metadata["features"])) != features:
        raise ValueError("its features are not the ones that this version computes")
    low, high, mean, scale = (_take(tensors, f"feature.{name}", (len(features),)) for name in _PER_FEATURE)
    trunk = take_layers(tensors, "trunk", len(features), _MOST_LAYERS, _LARGEST)
    known = known_size(len(features), len(trunk[-1][1]) if trunk else 0)
    heads = tuple(_take_head(tensors, n, group, known) for n, group in enumerate(curves.groups))
    if tensors:
        raise ValueError(f"it holds '{min(tensors)}', which this version does not know")
    if not ((low <= high).all() and (scale >= _SMALLEST_SCALE).all()):
        raise ValueError("its normalisation is not valid")
    return SolverWeights(
        metadata["profile"], metadata["profile_version"], curves, low, high, mean, scale, trunk, heads
    )


def curves_described(metadata: Mapping[str, str]) -> WalkCurves:
    """Return the curves described by the metadata of `describe`; raises ValueError or NeuraRigError if it is
    invalid."""
    names, outputs = json_text.parsed(metadata["inputs"]), int(metadata["outputs"][:9])
    if not (
        isinstance(names, list)
        and len(names) <= _MOST_INPUTS
        and all(isinstance(name, str) for name in names)
    ):
        raise ValueError("its inputs are not a list of names")
    places = StreamInputs.named(names)
    seconds, *powers = _numbers(
        json_text.parsed(metadata["clock"]), 3 + len(places.others), 3 + len(places.others)
    )
    if not (0.0 < seconds < _LARGEST and all(abs(power) <= _LARGEST_POWER for power in powers)):
        raise ValueError("its clock is not valid")
    clock = StrideClock(places, seconds, powers[0], powers[1], tuple(powers[2:]))
    stored = json_text.parsed(metadata["groups"])
    if not (isinstance(stored, list) and 1 <= outputs <= _MOST_OUTPUTS and len(stored) <= outputs):
        raise ValueError("its outputs or their groups are not valid")
    groups = tuple(_group(entry) for entry in stored)
    if sorted(column for group in groups for column in group.columns) != list(range(outputs)):
        raise ValueError("its groups do not share out the outputs")
    return WalkCurves(places, clock, outputs, groups, _bends(json_text.parsed(metadata["bends"])))


def _bends(stored: object) -> tuple[Bend, ...]:
    if not (isinstance(stored, list) and len(stored) <= _MOST_PIECES):
        raise ValueError("its bends are not a list")
    bends = tuple(Bend(*_numbers(entry, 2, 2)) for entry in stored)
    if not all(bend.speed > 0.0 and abs(bend.leg_power) <= _LARGEST_POWER for bend in bends):
        raise ValueError("its bends are not valid")
    return bends


def _group(entry: object) -> Group:
    if not isinstance(entry, dict) or set(entry) != {"side", "edges", "columns"}:
        raise ValueError("a group of outputs is not described by side, edges and columns")
    side, edges, columns = entry["side"], _numbers(entry["edges"], 0, _MOST_PIECES), entry["columns"]
    if type(side) is not int or side not in (0, 1):
        raise ValueError("the side of a group is neither 0 nor 1")
    if not all(0.0 <= edge < 1.0 for edge in edges) or any(a + 1e-6 > b for a, b in pairwise(edges)):
        raise ValueError("the edges of a group do not rise from 0 to 1")
    if not (isinstance(columns, list) and columns and all(type(n) is int for n in columns)):
        raise ValueError("the columns of a group are not whole numbers")
    return Group(side, Pieces(tuple(edges)), tuple(columns))


def _numbers(found: object, least: int, most: int) -> list[float]:
    if not (isinstance(found, list) and least <= len(found) <= most):
        raise ValueError("a list of numbers has the wrong length")
    if not all(type(value) in (int, float) and abs(value) <= _LARGEST for value in found):
        raise ValueError("a number is missing or not finite")
    return [float(value) for value in found]


def _take_head(
    tensors: dict[str, np.ndarray], n: int, group: Group, known: int
) -> tuple[np.ndarray, np.ndarray]:
    size = group.pieces.count * group.pieces.functions * len(group.columns)
    return _take(tensors, f"head{n}.weight", (size, known)), _take(tensors, f"head{n}.bias", (size,))


class Solver:
    """A network whose outputs are coefficients of the rule's curves, evaluated at the phase, so every stride
    closes."""

    def __init__(self, weights: SolverWeights):
        self.weights = weights
        self.curves: WalkCurves = weights.curves
        self._trunk = Mlp(weights.trunk) if weights.trunk else None
        self._heads = [
            _Head(group, *head) for group, head in zip(self.curves.groups, weights.heads, strict=True)
        ]

    @classmethod
    def load(cls, path: str | os.PathLike, inputs: tuple[str, ...] | None = None) -> "Solver":
        """Read a weights file; raises NeuraRigError, naming the file, if it is unusable or made for other
        `inputs`."""
        return cls(read_solver_weights(path, inputs))

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(n, outputs)` for inputs `(n, inputs)`, or `(outputs,)` for `(inputs,)`; metres and
        radians."""
        inputs = np.asarray(inputs, dtype=float)
        rows = np.atleast_2d(inputs)
        known = self._known(rows)
        phases = self.curves.phases(rows)
        found = np.zeros((len(rows), self.curves.outputs))
        for head in self._heads:
            head.write(known[head.side], phases[head.side], found)
        return found if inputs.ndim > 1 else found[0]

    def _known(self, rows: np.ndarray) -> np.ndarray:
        """Return the heads' input `(2, n, known)` float32: features, their products, and the trunk's output
        for the features."""
        weights = self.weights
        features = np.clip(view_features(self.curves, rows), weights.low, weights.high)
        features = ((features - weights.mean) / weights.scale).astype(np.float32)
        known = with_products(features)
        return (
            known
            if self._trunk is None
            else np.concatenate([known, _elu(self._trunk.forward(features))], axis=-1)
        )


class _Head:
    """The coefficients of one group."""

    def __init__(self, group: Group, weight: np.ndarray, bias: np.ndarray):
        self.side, self._pieces, self._columns = group.side, group.pieces, list(group.columns)
        shape = (group.pieces.count, group.pieces.functions * len(group.columns))
        # (pieces, known, coefficients of a piece)
        self._weight = np.ascontiguousarray(weight.reshape(*shape, -1).swapaxes(1, 2))
        self._bias = bias.reshape(shape)

    def write(self, known: np.ndarray, phases: np.ndarray, found: np.ndarray) -> None:
        """Fill in the group's columns of outputs `(n, outputs)` from the head's input `(n, known)` at phases
        `(n,)`."""
        piece, values = self._pieces.at(phases)
        for n in set(piece.tolist()):
            rows = np.flatnonzero(piece == n)
            coefficients = known[rows] @ self._weight[n]
            coefficients += self._bias[n]
            shaped = coefficients.reshape(len(rows), self._pieces.functions, len(self._columns))
            found[rows[:, None], self._columns] = np.matmul(values[rows, None, :], shaped)[:, 0]


def _elu(rows: np.ndarray) -> np.ndarray:
    return np.where(rows > 0.0, rows, np.expm1(np.minimum(rows, 0.0)))
