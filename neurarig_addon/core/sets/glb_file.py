"""A character's clips added to its GLB: glTF 2.0, in https://registry.khronos.org/glTF/specs/2.0."""

import json
import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..geometry.rotation import from_quaternion

_HEAD, _CHUNK = struct.Struct("<4sII"), struct.Struct("<I4s")  # magic, version, size; size, kind
_FLOAT, _KINDS = 5126, {1: "SCALAR", 3: "VEC3", 4: "VEC4"}

Moves = Sequence[tuple[str, np.ndarray]]


def with_clips(content: bytes, clips: Iterable[tuple[str, float, Moves]]) -> bytes:
    """Return a GLB with clips besides: each a name, frames per second, and bones with their own rotations
    `(frames, 4)`, w first, or places `(frames, 3)`, away from the rest pose in which the GLB has them."""
    begins = _HEAD.size + _CHUNK.size
    ends = begins + _CHUNK.unpack_from(content, _HEAD.size)[0]
    scene = json.loads(content[begins:ends])
    buffer = scene.setdefault("buffers", [{"byteLength": 0}])[0]
    binary = bytearray(content[ends + _CHUNK.size :][: buffer["byteLength"]])
    # children stand before their parents: the bone of a name, and not the armature that is called so too
    bones = {node["name"]: row for row, node in reversed([*enumerate(scene["nodes"])]) if "mesh" not in node}

    def stored(values: np.ndarray, **known: Any) -> int:
        """Return the number of a new accessor."""
        views, accessors = (scene.setdefault(name, []) for name in ("bufferViews", "accessors"))
        binary.extend(bytes(-len(binary) % 4))
        data = values.astype("<f4").tobytes()
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        binary.extend(data)
        made = {"bufferView": len(views) - 1, "componentType": _FLOAT, "count": len(values)}
        accessors.append(made | {"type": _KINDS[values.size // len(values)]} | known)
        return len(accessors) - 1

    for name, fps, moves in clips:
        seconds = (np.arange(len(moves[0][1])) / fps).astype(np.float32)
        times = stored(seconds, min=[0.0], max=[float(seconds[-1])])
        channels, samplers = [], []
        for bone, rows in moves:
            path, values = _from_rest(scene["nodes"][bones[bone]], rows)
            channels.append({"sampler": len(samplers), "target": {"node": bones[bone], "path": path}})
            samplers.append({"input": times, "output": stored(values)})
        scene.setdefault("animations", []).append({"name": name, "channels": channels, "samplers": samplers})
    buffer["byteLength"] = len(binary)
    text = json.dumps(scene, ensure_ascii=False, separators=(",", ":")).encode()
    chunks = _chunk(b"JSON", text, b" ") + _chunk(b"BIN\0", bytes(binary), b"\0")
    return _HEAD.pack(b"glTF", 2, _HEAD.size + len(chunks)) + chunks


def _chunk(kind: bytes, data: bytes, filler: bytes) -> bytes:
    data += filler * (-len(data) % 4)
    return _CHUNK.pack(len(data), kind) + data


def _from_rest(node: dict[str, Any], rows: np.ndarray) -> tuple[str, np.ndarray]:
    """Return what of a node moves, and its values: rotations with w last."""
    *turn, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    if rows.shape[1] == 3:
        return "translation", node.get("translation", np.zeros(3)) + rows @ from_quaternion(
            np.array([w, *turn])
        ).T
    own, still = rows[:, 1:], rows[:, :1]
    turned = w * own + still * turn + np.cross(turn, own)
    return "rotation", np.concatenate([turned, w * still - own @ np.reshape(turn, (3, 1))], axis=1)
