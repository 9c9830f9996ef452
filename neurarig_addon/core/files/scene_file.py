"""Checks an FBX or a glTF before import: the importer makes as many properties of a node, and unpacks as many
numbers, as the file says, those of a glTF's accessor every time it is used."""

import json
import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import NeuraRigError
from . import json_text
from .given_file import LARGEST_SCENE, content_of, size_of

_FBX = b"Kaydara FBX Binary  \x00\x1a\x00"
_FBX_HEADER = len(_FBX) + 4  # magic and version
_WIDE = 7500  # from this version on nodes have 64-bit counts
_LEAST = 2  # bytes of a property: its type, and a value
_GLB, _JSON = b"glTF", b"JSON"
_GLB_HEADER = struct.Struct("<12xI4s")  # of a .glb, with the head of its first chunk
_PARTS = 10**7  # most parts of the JSON: as in a scene of 10 000 bones and 100 clips
_LONGEST_PATH = 4096
_COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_NUMBER = 8  # bytes
_ESCAPED = re.compile(rb"%([0-9a-fA-F]{2})")  # an escaped byte in a path
_Content = Mapping[str, Any]


def require_sound(path: Path) -> None:
    """Raise NeuraRigError for a file that cannot be read or is too large, for one that claims more than
    it can hold, and for a glTF with a cycle among its nodes."""
    content = content_of(path, LARGEST_SCENE, "export it without its textures")
    try:
        if path.suffix.lower() == ".fbx":
            # a text holds what it says; flat curves unpack to a hundred times their size
            most = max(256 << 20, 100 * len(content))
            is_sound = not content.startswith(_FBX) or _of_arrays(content) <= most
        else:
            scene = _scene(content)
            size = len(content) + sum(size_of(path.parent / name, LARGEST_SCENE) for name in _files(scene))
            _require_trees(scene)
            # packed numbers become eight bytes each, some several times; always allowed: 2 s of the importer
            is_sound = _of_accessors(scene) <= max(2 << 20, 32 * size)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError, struct.error):
        is_sound = False
    if not is_sound:
        raise NeuraRigError(f"'{path.name}' is damaged or cut off; export it again.")


def _of_arrays(content: bytes) -> int:
    """Return the unpacked bytes of the arrays of a binary FBX; raises ValueError if a node is not as large as
    it says."""
    node = struct.Struct("<QQQB" if struct.unpack_from("<I", content, len(_FBX))[0] >= _WIDE else "<IIIB")
    becomes, ends, place = 0, [len(content)], _FBX_HEADER
    while ends:
        if place + node.size > ends[-1]:
            if len(ends) > 1 and place != ends[-1]:
                raise ValueError("a node is not as large as it says")
            place = ends.pop()
            continue
        end, count, length, name = node.unpack_from(content, place)
        if end == 0:  # the end of its siblings
            place = ends.pop()
            continue
        first = place + node.size + name
        if not first + length <= end <= ends[-1] or count * _LEAST > length:
            raise ValueError("a node is not as large as it says")
        becomes += _arrays(content, first, count)
        place = first + length
        ends.append(end)
    return becomes


def _arrays(content: bytes, place: int, count: int) -> int:
    """Return the unpacked bytes of the arrays among `count` properties."""
    sizes, becomes = {"Y": 2, "B": 1, "C": 1, "Z": 1, "I": 4, "F": 4, "D": 8, "L": 8}, 0
    strides = {"f": 4, "i": 4, "d": 8, "l": 8, "b": 1, "c": 1}
    for _ in range(count):
        kind = chr(content[place])
        place += 1
        if kind in strides:
            elements, _, length = struct.unpack_from("<III", content, place)
            becomes += elements * strides[kind]
            place += 12 + length
        elif kind in "SR":
            place += 4 + struct.unpack_from("<I", content, place)[0]
        else:
            place += sizes.get(kind, len(content))
    return becomes


def _scene(content: bytes) -> _Content:
    if content.startswith(_GLB):
        length, kind = _GLB_HEADER.unpack_from(content)
        content = content[_GLB_HEADER.size : _GLB_HEADER.size + length]
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


def _of_accessors(scene: _Content) -> int:
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
