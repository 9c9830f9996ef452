"""A numpy function as an ONNX graph: arrays that write down what is done to them.

numpy hands what it does with a `Noted` array to that array (`__array_ufunc__`, `__array_function__`), which
does it with its value and notes the node. So a graph is what the function does, and nothing is written twice.
What depends on values has to be `np.where`: a `Noted` array is neither true nor false.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.errors import NeuraRigError

_OPSET, _IR = 18, 9  # what engines of 2023 and later read
_NODES = {  # those that are not called as in numpy
    "subtract": "Sub", "multiply": "Mul", "divide": "Div", "power": "Pow", "remainder": "Mod",
    "negative": "Neg", "absolute": "Abs", "minimum": "Min", "maximum": "Max", "rint": "Round",
    "less_equal": "LessOrEqual", "greater_equal": "GreaterOrEqual", "invert": "Not",
    "bitwise_and": "And", "bitwise_or": "Or", "matmul": "MatMul",
}  # fmt: skip
_REDUCED = {"sum": "ReduceSum", "mean": "ReduceMean", "min": "ReduceMin", "max": "ReduceMax"}
_MOVED = ("copy", "reshape", "transpose")  # methods that only move numbers, and functions
_MOVES = (
    np.broadcast_to, np.column_stack, np.concatenate, np.hstack, np.moveaxis, np.ravel, np.roll, np.stack,
    np.vstack, np.lib.stride_tricks.sliding_window_view,
)  # fmt: skip
_FLAT = np.array([-1])


class OnnxGraph:
    """The nodes that have been noted so far, and the constants that they need.

    Raises NeuraRigError without the package onnx.
    """

    def __init__(self) -> None:
        try:
            import onnx
        except ImportError:
            raise NeuraRigError("The package 'onnx' is missing: python -m pip install onnx.") from None
        self._onnx, self._nodes, self._inputs = onnx, [], []
        self._constants: dict[tuple, Any] = {}

    def input(self, name: str, value: np.ndarray) -> "Noted":
        """Return an input of the graph, with a value to try it with."""
        self._inputs.append(self._described(name, value))
        return Noted(self, value, name)

    def add(self, kind: str, *given: str, **attributes: Any) -> str:
        """Note a node, and return the name of what it gives."""
        name = f"{kind}_{len(self._nodes)}"
        self._nodes.append(self._onnx.helper.make_node(kind, given, [name], **attributes))
        return name

    def cast(self, name: str, kind: np.dtype) -> str:
        """Return the name of the same, of another kind of numbers."""
        return self.add("Cast", name, to=self._onnx.helper.np_dtype_to_tensor_dtype(kind))

    def kept(self, value: np.ndarray) -> str:
        """Return the name of a constant; equal ones are kept once."""
        key = value.dtype.str, value.shape, value.tobytes()
        if key not in self._constants:
            name = f"constant_{len(self._constants)}"
            self._constants[key] = self._onnx.numpy_helper.from_array(value, name)
        return self._constants[key].name

    def write(
        self, path: str | os.PathLike, outputs: Mapping[str, "Noted"], metadata: Mapping[str, str]
    ) -> None:
        """Write the graph with some outputs."""
        helper = self._onnx.helper
        for name, noted in outputs.items():
            self._nodes.append(helper.make_node("Identity", [noted.named()], [name]))
        described = [self._described(name, noted.value) for name, noted in outputs.items()]
        constants = [*self._constants.values()]
        graph = helper.make_graph(self._nodes, "neurarig", self._inputs, described, constants)
        opset = helper.make_opsetid("", _OPSET)
        model = helper.make_model(graph, opset_imports=[opset], ir_version=_IR)
        helper.set_model_props(model, metadata)
        self._onnx.save(model, str(path))

    def _described(self, name: str, value: np.ndarray) -> Any:
        kind = self._onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
        return self._onnx.helper.make_tensor_value_info(name, kind, value.shape)


class Noted(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that notes what is done to it: its `value`, and its name in the graph; constants have none."""

    def __init__(self, graph: OnnxGraph, value: Any, name: str | None = None) -> None:
        self._graph, self.value, self._name = graph, np.asarray(value), name

    def named(self, kind: np.dtype | None = None) -> str:
        """Return its name in the graph, of another kind of numbers if given."""
        kind = kind or self.dtype
        if self._name is None:
            return self._graph.kept(self.value.astype(kind))
        return self._name if kind == self.dtype else self._graph.cast(self._name, kind)

    def astype(self, kind: Any) -> "Noted":
        """Return it with another kind of numbers."""
        value = self.value.astype(kind)
        return Noted(self._graph, value, self.named(value.dtype))

    def __getattr__(self, name: str) -> Any:
        if name in ("shape", "dtype", "ndim"):
            return getattr(self.value, name)
        if name == "T":
            return self.transpose()
        if name in _MOVED:
            return lambda *how: self._moved(lambda places: getattr(places, name)(*how))
        if name == "any":
            return lambda axis=None: self.astype(int).max(axis).astype(bool)
        if name not in _REDUCED:
            raise AttributeError(name)
        return lambda axis=None, keepdims=False: self._reduced(name, axis, keepdims)

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator["Noted"]:
        return (self[row] for row in range(len(self)))

    def __bool__(self) -> bool:
        raise TypeError("a graph cannot branch on a value: use np.where")

    def __getitem__(self, at: Any) -> "Noted":
        if not isinstance(at, Noted):
            return self._moved(lambda places: places[at])
        name = self._graph.add("Gather", self.named(), at.named(), axis=0)
        return Noted(self._graph, self.value[at.value], name)

    def __setitem__(self, at: Any, values: Any) -> None:
        places = np.arange(self.value.size).reshape(self.shape)[at]
        values = np.broadcast_to(self._as_noted(values).astype(self.dtype), places.shape).reshape(-1)
        flat = self._graph.add(
            "ScatterElements", self.reshape(-1).named(), self._graph.kept(places.reshape(-1)), values.named()
        )
        value = self.value.copy()
        value[at] = values.value.reshape(places.shape)
        self.value, self._name = (
            value,
            Noted(self._graph, value.reshape(-1), flat).reshape(value.shape).named(),
        )

    def _as_noted(self, other: Any) -> "Noted":
        return other if isinstance(other, Noted) else Noted(self._graph, other)

    def _moved(self, act: Callable[[np.ndarray], np.ndarray]) -> "Noted":
        return self._gathered([self], lambda places: act(places[0]))

    def _gathered(self, parts: Sequence["Noted"], act: Callable[[list[np.ndarray]], np.ndarray]) -> "Noted":
        """Return the numbers of some arrays where an action moves their places to."""
        kind, ends = (
            np.result_type(*(part.value for part in parts)),
            np.cumsum([part.value.size for part in parts]),
        )
        places = np.split(np.arange(ends[-1]), ends[:-1])
        moved = np.asarray(act([own.reshape(part.shape) for own, part in zip(places, parts, strict=True)]))
        flat = [self._graph.add("Reshape", part.named(kind), self._graph.kept(_FLAT)) for part in parts]
        name = self._graph.add("Concat", *flat, axis=0) if len(flat) > 1 else flat[0]
        if np.array_equal(moved.reshape(-1), np.arange(ends[-1])):
            name = self._graph.add("Reshape", name, self._graph.kept(np.array(moved.shape, dtype=np.int64)))
        else:
            name = self._graph.add("Gather", name, self._graph.kept(moved))
        return Noted(
            self._graph, np.concatenate([part.value.reshape(-1) for part in parts])[moved].astype(kind), name
        )

    def _node(self, kind: str, value: Any, of: np.dtype, *given: Any, **attributes: Any) -> "Noted":
        """Return what a node gives for arrays of one kind of numbers."""
        names = [self._as_noted(one).named(of) for one in given]
        return Noted(self._graph, value, self._graph.add(kind, *names, **attributes))

    def _reduced(self, how: str, axis: int | None, keepdims: bool) -> "Noted":
        value = np.asarray(getattr(self.value, how)(axis=axis, keepdims=keepdims))
        axes = self._graph.kept(np.atleast_1d(np.arange(self.ndim) if axis is None else axis))
        name = self._graph.add(_REDUCED[how], self.named(value.dtype), axes, keepdims=int(keepdims))
        return Noted(self._graph, value, name)

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, out: Any = None, **how: Any) -> Any:
        if ufunc in _WRITTEN:
            return _WRITTEN[ufunc](*given)
        if method == "reduce" and ufunc is np.add:
            return given[0].sum(**how)
        if method == "accumulate" and ufunc is np.logical_and:
            return np.cumsum(~given[0], axis=0) == 0
        values = [one.value if isinstance(one, Noted) else one for one in given]
        value = np.asarray(ufunc(*values))
        of = np.result_type(*values) if value.dtype == bool else value.dtype
        name = ufunc.__name__
        found = self._node(_NODES.get(name, name.title()), value, of, *given)
        if out:
            out[0].value, out[0]._name = found.value, found._name
        return out[0] if out else found

    def __array_function__(self, act: Any, types: Any, given: Any, how: Mapping[str, Any]) -> Any:
        if act in _WRITTEN:
            return _WRITTEN[act](*given, **how)
        if act not in _MOVES:
            return getattr(given[0], act.__name__)(*given[1:], **how)
        if isinstance(given[0], list | tuple):
            return self._gathered(
                [*map(self._as_noted, given[0])], lambda places: act(places, *given[1:], **how)
            )
        return given[0]._moved(lambda places: act(places, *given[1:], **how))


def _where(condition: Any, one: Any, other: Any) -> Noted:
    noted = next(each for each in (condition, one, other) if isinstance(each, Noted))
    condition, one, other = map(noted._as_noted, (condition, one, other))
    value = np.where(condition.value, one.value, other.value)
    if value.dtype == bool:
        return _where(condition, one.astype(int), other.astype(int)).astype(bool)
    names = condition.named(), one.named(value.dtype), other.named(value.dtype)
    return Noted(noted._graph, value, noted._graph.add("Where", *names))


def _cumsum(of: Noted, axis: int = 0) -> Noted:
    value = np.cumsum(of.value, axis=axis)
    name = of._graph.add("CumSum", of.named(value.dtype), of._graph.kept(np.array(axis)))
    return Noted(of._graph, value, name)


def _arctan2(y: Any, x: Any) -> Noted:
    """Return angles; a step of Newton's makes doubles of the floats that ONNX Runtime has."""
    across, along = np.abs(y), np.abs(x)
    slope = np.minimum(across, along) / np.maximum(np.maximum(across, along), 1e-300)
    near = np.arctan(slope.value).astype(np.float32)
    angle = slope._node("Atan", near, near.dtype, slope).astype(float)
    angle = angle + np.cos(angle) * (slope * np.cos(angle) - np.sin(angle))
    angle = np.where(across > along, 0.5 * np.pi - angle, angle)
    angle = np.where(x < 0.0, np.pi - angle, angle)
    return np.where(y < 0.0, -angle, angle)


def _unwrap(of: Noted, axis: int) -> Noted:
    turns = np.cumsum(np.rint((of[1:] - of[:-1]) / (2.0 * np.pi)), axis=axis)
    return of - 2.0 * np.pi * np.concatenate([0.0 * of[:1], turns])


_WRITTEN: dict[Any, Callable[..., Noted]] = {
    np.where: _where,
    np.cumsum: _cumsum,
    np.argmin: lambda of: of._node("ArgMin", np.argmin(of.value), of.dtype, of, keepdims=0),
    np.arctan2: _arctan2,
    np.arcsin: lambda x: _arctan2(x, np.sqrt(1.0 - x * x)),
    np.unwrap: _unwrap,
    np.einsum: lambda _, one, other: (one * other).sum(axis=-1),
    np.clip: lambda x, low, high: np.minimum(np.maximum(x, low), high),
    np.round: np.rint,
    np.zeros_like: lambda of, shape: Noted(of._graph, np.zeros(shape)),
}
