"""What `core.sequence` does as ONNX graphs for other engines, which need nothing else: the next second from
the past, and a body that is told speed and turn, with its feet on the ground."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.sequence.footing import LevelGround
from ...core.sequence.lower_body import feet_of
from ...core.sequence.network import AHEAD, WISHES, SequenceNetwork, SequenceWeights, SequenceWish
from ...core.sequence.roll_out import EVERY, Rolling
from ...core.sequence.rows import COLUMNS, FEET, PARTS, RATE, WIDTH, Rows
from ...core.sequence.stream import Stream, StreamMoment, ToldCourse
from ...core.sequence.stride import REMEMBERED, StrideLoop
from ..onnx_graph import OnnxGraph

_PARTS = (WIDTH, 3, len(FEET))  # columns of poses, steps and contacts
METADATA = {
    "format": "neurarig-sequence-engine-4",
    "rate": str(RATE),
    "past": str(REMEMBERED),
    "ahead": str(AHEAD),
    "every": str(EVERY),
    "columns": json.dumps(dict(zip(("poses", "steps", "contacts"), _PARTS, strict=True))),
    "chains": json.dumps({" ".join(part): [at.start, at.stop] for part, at in COLUMNS.items()}),
}


def export_network(path: str | os.PathLike, weights: SequenceWeights) -> None:
    """Write a graph of `SequenceNetwork.ahead`: `past`, `first`, `predicted` and `wish` to `ahead`
    (docs/internals/sequence.md)."""
    network, graph = SequenceNetwork(weights), OnnxGraph()
    known = np.ones((1, REMEMBERED, sum(_PARTS)), dtype=np.float32)
    past, first = (_rows(graph.input(name, known)[0]) for name in ("past", "first"))
    predicted = graph.input("predicted", known[:, 0, 0])[0]
    wish = graph.input("wish", known[:, 0, :WISHES])[0]
    wishes = None, SequenceWish(wish[:2], np.arctan2(wish[2], wish[3]))
    manner = network.manner(first)
    free, led = (_columns(network.ahead(past, each, manner, predicted)) for each in wishes)
    ahead = np.where(np.abs(wish).sum() > 0.0, led, free)
    graph.write(path, {"ahead": ahead[None].astype(np.float32)}, METADATA)


def _rows(columns: Any) -> Rows:
    poses, contacts = _PARTS[0], -_PARTS[-1]
    return Rows(columns[:, :poses], columns[:, poses:contacts], columns[:, contacts:])


def _columns(rows: Rows) -> Any:
    return np.concatenate([getattr(rows, part) for part in PARTS], axis=1)


def export_stream(path: str | os.PathLike, weights: SequenceWeights) -> None:
    """Write a graph of `Stream.frame`: `state` and `told` to `next_state` and the next frames
    (docs/internals/sequence.md)."""
    stream, graph = Stream(network=SequenceNetwork(weights)), OnnxGraph()
    for _ in range(EVERY):  # it begins standing
        stream.frame(0.0, 0.0)
    begin, at = _state(stream), 1
    state, told = graph.input("state", begin), graph.input("told", np.zeros(2))
    state = np.where(state[0] > 0.0, state, begin)

    def taken(part: Any) -> Any:
        nonlocal at
        like = np.asarray(part)
        at += like.size
        return state[at - like.size : at].reshape(like.shape).astype(like.dtype)

    _changed(stream, taken)
    frames = [shown(stream.frame(*told)) for _ in range(EVERY)]
    found = {name: np.stack([frame[name] for frame in frames]) for name in frames[0]}
    graph.write(path, {"next_state": _state(stream)} | found, METADATA)


def shown(moment: StreamMoment) -> dict[str, Any]:
    """Return what an engine is told of a moment, by name."""
    body = moment.footing.body
    feet = feet_of(body.feet[0])
    return {
        "root": moment.root,
        "pelvis": body.pelvis[0],
        "pelvis_turn": body.turn[0],
        "hips": body.hips[0],
        "ankles": feet.ankle,
        "foot_turns": feet.turn,
        "toe_turns": feet.toe,
        "pivots": moment.footing.pivot,
        "poses": moment.row.poses[0],
        "headings": moment.place[2],
    }


def _changed(part: Any, change: Callable[[Any], Any]) -> Any:
    """Return a part of a stream with all numbers of its state changed."""
    if isinstance(part, Rows):
        return Rows(*(change(getattr(part, name)) for name in PARTS))
    if isinstance(part, StrideLoop):
        return replace(part, rows=_changed(part.rows, change), off=change(part.off))
    if isinstance(part, Stream | ToldCourse | Rolling | LevelGround):
        for name, value in vars(part).items():
            setattr(part, name, _changed(value, change))
        return part
    return change(part) if hasattr(part, "dtype") or isinstance(part, float | int) else part


def _state(stream: Stream) -> Any:
    """Return the state of a stream `(n,)`: 1, then all its numbers."""
    found = [np.ones(1)]

    def noted(part: Any) -> Any:
        found.append(np.ravel(part).astype(float))
        return part

    _changed(stream, noted)
    return np.concatenate(found)
