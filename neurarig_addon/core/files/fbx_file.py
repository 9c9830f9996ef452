"""Checks a binary FBX before import: the importer makes as many properties of a node, and unpacks as much, as
the file says."""

import struct
from pathlib import Path

from ..errors import NeuraRigError
from .given_file import LARGEST_SCENE, content_of

_MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"
_HEADER = len(_MAGIC) + 4  # magic and version
_WIDE = 7500  # from this version on nodes have 64-bit counts
_LEAST = 2  # bytes of a property: its type, and a value
# allowed bytes unpacked per byte of file, as flat curves need; bytes that are always allowed
_TIMES, _SMALL = 100, 256 << 20


def require_sound(path: Path) -> None:
    """Raise NeuraRigError for a file that cannot be read or is too large, and for a binary FBX that claims
    more than it can hold."""
    content = content_of(path, LARGEST_SCENE, "export it without its textures")
    if not content.startswith(_MAGIC):
        return
    try:
        unpacked = _unpacked(content)
    except (struct.error, IndexError):
        unpacked = None
    if unpacked is None or unpacked > max(_SMALL, _TIMES * len(content)):
        raise NeuraRigError(f"'{path.name}' is damaged or cut off; export it again.")


def _unpacked(content: bytes) -> int | None:
    """Return the unpacked bytes of the file's arrays, None if a node is not as large as it says."""
    node = struct.Struct("<QQQB" if struct.unpack_from("<I", content, len(_MAGIC))[0] >= _WIDE else "<IIIB")
    becomes, ends, place = 0, [len(content)], _HEADER
    while ends:
        if place + node.size > ends[-1]:
            if len(ends) > 1 and place != ends[-1]:
                return None
            place = ends.pop()
            continue
        end, count, length, name = node.unpack_from(content, place)
        if end == 0:  # the end of its siblings
            place = ends.pop()
            continue
        first = place + node.size + name
        if not first + length <= end <= ends[-1] or count * _LEAST > length:
            return None
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
