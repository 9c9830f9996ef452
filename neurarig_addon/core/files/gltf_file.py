"""Checks a glTF before import: the importer unpacks as many numbers of an accessor as the file says, every
time it is used."""

import json
import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import NeuraRigError
from . import json_text
from .given_file import LARGEST_SCENE, content_of, size_of

_MAGIC, _JSON = b"glTF", b"JSON"
_HEADER = struct.Struct("<12xI4s")  # of a .glb, with the head of its first chunk
_PARTS = 10**7  # most parts of the JSON: as in a scene of 10 000 bones and 100 clips
# Allowed bytes unpacked per byte of file: packed numbers become eight each, and some are used several times.
# Bytes that are always allowed: 2 seconds of the importer.
_TIMES, _SMALL = 32, 2 << 20
_LONGEST_PATH = 4096
_COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_NUMBER = 8  # bytes
_ESCAPED = re.compile(rb"%([0-9a-fA-F]{2})")  # an escaped byte in a path
_Content = Mapping[str, Any]


def require_sound(path: Path) -> None:
    """Raise NeuraRigError for a .glb or .gltf that claims more than it can hold, or with a cycle among its
    nodes."""
    content = content_of(path, LARGEST_SCENE, "export it without its textures")
    try:
        scene = _scene(content)
        beside = sum(size_of(path.parent / name, LARGEST_SCENE) for name in _files(scene))
        _require_trees(scene)
        is_sound = _becomes(scene) <= max(_SMALL, _TIMES * (len(content) + beside))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError, struct.error):
        is_sound = False
    if not is_sound:
        raise NeuraRigError(f"'{path.name}' is damaged or cut off; export it again.")


def _scene(content: bytes) -> _Content:
    if content.startswith(_MAGIC):
        length, kind = _HEADER.unpack_from(content)
        content = content[_HEADER.size : _HEADER.size + length]
        if kind != _JSON or len(content) != length:
            raise ValueError("the first chunk is not its JSON")
    if sum(map(content.count, (b",", b"[", b"{"))) > _PARTS:
        raise ValueError("too many parts")
    scene = json_text.parsed(content)
    json.dumps(scene, allow_nan=False)
    return scene


def _files(scene: _Content) -> Iterator[str]:
    """Yield the names of the other files that a scene reads."""
    for buffer in scene.get("buffers", []):
        uri = buffer.get("uri", "data:")
        if not uri.startswith("data:"):
            if len(uri) > _LONGEST_PATH:
                raise ValueError("no path is so long")
            yield _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), uri.encode()).decode()


def _require_trees(scene: _Content) -> None:
    """Raise ValueError if a node has two parents, or is its own descendant."""
    nodes = scene.get("nodes", [])
    parents: dict[int, int] = {}
    for number, node in enumerate(nodes):
        for child in node.get("children", []):
            if child in parents or not 0 <= child < len(nodes):
                raise ValueError("a node has two parents")
            parents[child] = number
    below = [number for number in range(len(nodes)) if number not in parents]
    reached = 0
    while below:
        reached += 1
        below += nodes[below.pop()].get("children", [])
    if reached != len(nodes):
        raise ValueError("nodes go round in a circle")


def _becomes(scene: _Content) -> int:
    """Return the unpacked bytes of a scene's accessors, each counted as often as it is used."""
    sizes = [_size(accessor) for accessor in scene.get("accessors", [])]
    return sum(sizes[number] for number in _used(scene) if number is not None)


def _size(accessor: _Content) -> int:
    count = accessor["count"]
    if not isinstance(count, int) or count < 0:
        raise ValueError("a count is none")
    return count * _COMPONENTS[accessor["type"]] * _NUMBER


def _used(scene: _Content) -> Iterator[int | None]:
    for animation in scene.get("animations", []):
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            yield from (sampler["input"], sampler["output"])
    for mesh in scene.get("meshes", []):
        for primitive in mesh["primitives"]:
            yield primitive.get("indices")
            for attributes in (primitive["attributes"], *primitive.get("targets", [])):
                yield from attributes.values()
    for skin in scene.get("skins", []):
        yield skin.get("inverseBindMatrices")
