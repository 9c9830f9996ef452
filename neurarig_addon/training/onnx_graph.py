"""A numpy function as an ONNX graph: arrays that write down what is done to them.

numpy hands what it does with a `Noted` array to that array (`__array_ufunc__`, `__array_function__`), which
does it with its value and notes the node. So a graph is what the function does, and nothing is written twice.
What depends on values has to be `np.where`: a `Noted` array is neither true nor false.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

_OPSET, _IR = 18, 9  # what engines of 2023 and later read
_NODES = {  # those that are not called as in numpy
    "subtract": "Sub", "multiply": "Mul", "divide": "Div", "power": "Pow", "remainder": "Mod",
    "negative": "Neg", "absolute": "Abs", "minimum": "Min", "maximum": "Max", "rint": "Round",
    "less_equal": "LessOrEqual", "greater_equal": "GreaterOrEqual", "invert": "Not",
    "bitwise_and": "And", "bitwise_or": "Or", "matmul": "MatMul",
}  # fmt: skip
_REDUCED = ("sum", "mean", "min", "max")
_MOVED = ("copy", "reshape", "transpose")  # methods that only move numbers, and functions
_MOVES = (
    np.broadcast_to, np.column_stack, np.concatenate, np.hstack, np.moveaxis, np.ravel, np.roll, np.stack,
    np.vstack, np.lib.stride_tricks.sliding_window_view,
)  # fmt: skip


class OnnxGraph:
    """The nodes that have been noted so far, and the constants that they need."""

    def __init__(self) -> None:
        self._nodes, self._inputs = [], []
        self._constants: dict[tuple, Any] = {}

    def input(self, name: str, value: np.ndarray) -> "Noted":
        """Return an input of the graph, with a value to try it with."""
        self._inputs.append(_described(name, value))
        return Noted(self, value, name)

    def add(self, kind: str, *given: str, **attributes: Any) -> str:
        """Note a node, and return the name of what it gives."""
        name = f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, given, [name], **attributes))
        return name

    def kept(self, value: Any) -> str:
        """Return the name of a constant; equal ones are kept once."""
        value = np.asarray(value)
        key = value.dtype, value.shape, value.tobytes()
        new = numpy_helper.from_array(value, f"constant_{len(self._constants)}")
        return self._constants.setdefault(key, new).name

    def write(
        self, path: str | os.PathLike, outputs: Mapping[str, "Noted"], metadata: Mapping[str, str]
    ) -> None:
        """Write the graph with some outputs."""
        self._nodes += [
            helper.make_node("Identity", [noted.named()], [name]) for name, noted in outputs.items()
        ]
        described = [_described(name, noted.value) for name, noted in outputs.items()]
        constants = [*self._constants.values()]
        graph = helper.make_graph(self._nodes, "neurarig", self._inputs, described, constants)
        opset = helper.make_opsetid("", _OPSET)
        model = helper.make_model(graph, opset_imports=[opset], ir_version=_IR)
        helper.set_model_props(model, metadata)
        onnx.save(model, str(path))


class Noted(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that notes what is done to it: its `value`, and its name in the graph; constants have none."""

    def __init__(self, graph: OnnxGraph, value: Any, name: str | None = None) -> None:
        self._graph, self.value, self._name = graph, np.asarray(value), name

    def named(self, kind: np.dtype | None = None) -> str:
        """Return its name in the graph, of another kind of numbers if given."""
        kind = kind or self.dtype
        if self._name is None:
            return self._graph.kept(self.value.astype(kind))
        to = helper.np_dtype_to_tensor_dtype(kind)
        return self._name if kind == self.dtype else self._graph.add("Cast", self._name, to=to)

    def astype(self, kind: Any) -> "Noted":
        """Return it with another kind of numbers."""
        value = self.value.astype(kind)
        return Noted(self._graph, value, self.named(value.dtype))

    def __getattr__(self, name: str) -> Any:
        if name in _MOVED:
            return lambda *how: self._moved(lambda places: getattr(places, name)(*how))
        if name == "any":
            return lambda axis=None: self.astype(int).max(axis).astype(bool)
        if name in _REDUCED:
            return lambda axis=None, keepdims=False: self._reduced(name, axis, keepdims)
        return self.transpose() if name == "T" else getattr(self.value, name)

    def __len__(self) -> int:
        return len(self.value)

    def __bool__(self) -> bool:
        raise TypeError("a graph cannot branch on a value: use np.where")

    def __getitem__(self, at: Any) -> "Noted":
        if not isinstance(at, Noted):
            return self._moved(lambda places: places[at])
        name = self._graph.add("Gather", self.named(), at.named(), axis=0)
        return Noted(self._graph, self.value[at.value], name)

    def __setitem__(self, at: Any, values: Any) -> None:
        places = np.arange(self.value.size).reshape(self.shape)[at]
        values = np.broadcast_to(self._as_noted(values).astype(self.dtype), places.shape)
        value, add = self.value.copy(), self._graph.add
        value[at] = values.value
        rows = self._graph.kept(places.reshape(-1))
        flat = add("ScatterElements", self.reshape(-1).named(), rows, values.reshape(-1).named())
        self.value, self._name = value, add("Reshape", flat, self._graph.kept(value.shape))

    def _as_noted(self, other: Any) -> "Noted":
        return other if isinstance(other, Noted) else Noted(self._graph, other)

    def _moved(self, act: Callable[[np.ndarray], np.ndarray]) -> "Noted":
        return self._gathered([self], lambda places: act(places[0]))

    def _gathered(self, parts: Sequence["Noted"], act: Callable[[list[np.ndarray]], np.ndarray]) -> "Noted":
        """Return the numbers of some arrays where an action moves their places to."""
        kind, ends = np.result_type(*(part.value for part in parts)), np.cumsum([part.size for part in parts])
        places = np.split(np.arange(ends[-1]), ends[:-1])
        moved = np.asarray(act([own.reshape(part.shape) for own, part in zip(places, parts, strict=True)]))
        graph, values = self._graph, np.concatenate([part.value.reshape(-1) for part in parts])
        flat = [graph.add("Reshape", part.named(kind), graph.kept([-1])) for part in parts]
        name = graph.add("Concat", *flat, axis=0)
        return Noted(graph, values[moved].astype(kind), graph.add("Gather", name, graph.kept(moved)))

    def _node(self, kind: str, value: Any, of: np.dtype, *given: Any, **attributes: Any) -> "Noted":
        """Return what a node gives for arrays of one kind of numbers."""
        names = [self._as_noted(one).named(of) for one in given]
        return Noted(self._graph, value, self._graph.add(kind, *names, **attributes))

    def _reduced(self, how: str, axis: int | None, keepdims: bool) -> "Noted":
        value = np.asarray(getattr(self.value, how)(axis=axis, keepdims=keepdims))
        axes = self._graph.kept(np.atleast_1d(np.arange(self.ndim) if axis is None else axis))
        name = self._graph.add(f"Reduce{how.title()}", self.named(value.dtype), axes, keepdims=int(keepdims))
        return Noted(self._graph, value, name)

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, out: Any = None, **how: Any) -> Any:
        if ufunc in _WRITTEN:
            return _WRITTEN[ufunc](*given)
        if method == "reduce" and ufunc is np.add:
            return given[0].sum(**how)
        if method == "accumulate" and ufunc is np.logical_and:
            return np.cumsum(~given[0], axis=0) == 0
        values = [getattr(one, "value", one) for one in given]
        value, name = np.asarray(ufunc(*values)), ufunc.__name__
        of = np.result_type(*values) if value.dtype == bool else value.dtype
        found = self._node(_NODES.get(name, name.title()), value, of, *given)
        if out:
            out[0].value, out[0]._name = found.value, found._name
        return out[0] if out else found

    def __array_function__(self, act: Any, types: Any, given: Any, how: Mapping[str, Any]) -> Any:
        if act in _WRITTEN:
            return _WRITTEN[act](*given, **how)
        if act is np.where:
            return self._chosen(*map(self._as_noted, given))
        if act not in _MOVES:
            return getattr(given[0], act.__name__)(*given[1:], **how)
        if isinstance(given[0], list | tuple):
            parts = [*map(self._as_noted, given[0])]
            return self._gathered(parts, lambda places: act(places, *given[1:], **how))
        return given[0]._moved(lambda places: act(places, *given[1:], **how))

    def _chosen(self, condition: "Noted", one: "Noted", other: "Noted") -> "Noted":
        value = np.where(condition.value, one.value, other.value)
        if value.dtype == bool:
            return self._chosen(condition, one.astype(int), other.astype(int)).astype(bool)
        names = condition.named(), one.named(value.dtype), other.named(value.dtype)
        return Noted(self._graph, value, self._graph.add("Where", *names))


def _described(name: str, value: np.ndarray) -> Any:
    kind = helper.np_dtype_to_tensor_dtype(value.dtype)
    return helper.make_tensor_value_info(name, kind, value.shape)


def _cumsum(of: Noted, axis: int = 0) -> Noted:
    value = np.cumsum(of.value, axis=axis)
    name = of._graph.add("CumSum", of.named(value.dtype), of._graph.kept(axis))
    return Noted(of._graph, value, name)


def _arctan2(y: Any, x: Any) -> Noted:
    """Return angles, as exact as floats: ONNX Runtime has no arctangents of doubles."""
    across, along = np.abs(y), np.abs(x)
    slope = np.minimum(across, along) / np.maximum(np.maximum(across, along), 1e-300)
    near = np.arctan(slope.value).astype(np.float32)
    angle = slope._node("Atan", near, near.dtype, slope).astype(float)
    angle = np.where(across > along, 0.5 * np.pi - angle, angle)
    angle = np.where(x < 0.0, np.pi - angle, angle)
    return np.where(y < 0.0, -angle, angle)


_WRITTEN: dict[Any, Callable[..., Noted]] = {
    np.cumsum: _cumsum,
    np.argmin: lambda of: of._node("ArgMin", np.argmin(of.value), of.dtype, of, keepdims=0),
    np.arctan2: _arctan2,
    np.arcsin: lambda x: _arctan2(x, np.sqrt(1.0 - x * x)),
    np.unwrap: lambda of, axis: of,  # no foot turns half round against the hips
    np.einsum: lambda _, one, other: (one * other).sum(axis=-1),
    np.clip: lambda x, low, high: np.minimum(np.maximum(x, low), high),
    np.zeros_like: lambda of, shape: Noted(of._graph, np.zeros(shape)),
}
