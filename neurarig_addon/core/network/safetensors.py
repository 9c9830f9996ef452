"""A strict reader and a writer of the safetensors format, for float32 arrays only.

A file is the length of the header (8 bytes, little-endian), the header in JSON, then the data. Nothing in it
is ever executed.
"""

import json
import os
from collections.abc import Mapping
from math import prod
from pathlib import Path

import numpy as np

from ..errors import NeuraRigError
from ..files import json_text
from ..files.given_file import content_of
from ..files.whole_file import written_whole

MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_HEADER_BYTES = 64 * 1024
_LENGTH_BYTES = 8
_FLOAT_BYTES = 4
_LONGEST_NAME, _MOST_DIGITS = 64, 18


def read_tensors(path: str | os.PathLike) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """Return the metadata and the finite float32 arrays of a file.

    Raises NeuraRigError, naming the file, for anything but a complete, well-formed file within the size
    limits.
    """
    return unpack_tensors(content_of_weights(path), Path(path).name)


def content_of_weights(path: str | os.PathLike) -> bytes:
    """Return the bytes of a weights file; raises NeuraRigError, naming it, if it cannot be read or is too
    large."""
    return content_of(Path(path), MAX_FILE_BYTES, "choose weights of this add-on, or install it again")


def unpack_tensors(content: bytes, name: str) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """Return the metadata and arrays in the content of a file called `name`; raises NeuraRigError like
    `read_tensors`."""
    try:
        header, start = _header(content)
        metadata = _metadata(header.pop("__metadata__", {}))
        return metadata, _tensors(header, content[start:])
    except ValueError as error:
        raise NeuraRigError(f"'{name}' is not a usable weights file: {error}.") from None


def write_tensors(
    path: str | os.PathLike, metadata: Mapping[str, str], tensors: Mapping[str, np.ndarray]
) -> None:
    """Write float32 arrays; a reader sees either the old file or the complete new one."""
    with written_whole(Path(path)) as unfinished:
        unfinished.write_bytes(pack_tensors(metadata, tensors))


def pack_tensors(metadata: Mapping[str, str], tensors: Mapping[str, np.ndarray]) -> bytes:
    """Return float32 arrays as the content of a file."""
    header: dict[str, object] = {"__metadata__": dict(metadata)}
    blocks, end = [], 0
    for name, tensor in tensors.items():
        block = np.ascontiguousarray(tensor, dtype="<f4").tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(np.shape(tensor)),
            "data_offsets": [end, end + len(block)],
        }
        blocks.append(block)
        end += len(block)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the data starts on a multiple of 8
    return len(text).to_bytes(_LENGTH_BYTES, "little") + text + b"".join(blocks)


def take_tensor(
    tensors: dict[str, np.ndarray], name: str, shape: tuple[int, ...], largest: float
) -> np.ndarray:
    """Remove one array from those that were read, and return it.

    Raises ValueError if it is missing, has another shape, or holds a number larger than `largest` in
    magnitude.
    """
    tensor = tensors.pop(name, None)
    if tensor is None:
        raise ValueError(f"'{name}' is missing")
    if tensor.shape != shape:
        raise ValueError(f"'{name}' has the shape {tensor.shape} instead of {shape}")
    if np.abs(tensor).max(initial=0.0) > largest:
        raise ValueError(f"'{name}' holds a number beyond {largest:g}")
    return tensor


def take_layers(
    tensors: dict[str, np.ndarray], name: str, inputs: int, most: int, largest: float
) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Remove up to `most` layers of a name that take so many inputs, and return their weights and biases;
    raises ValueError likewise."""
    layers: list[tuple[np.ndarray, np.ndarray]] = []
    while f"{name}{len(layers)}.weight" in tensors and len(layers) < most:
        layer = f"{name}{len(layers)}"
        outputs = len(tensors[f"{layer}.weight"]) if tensors[f"{layer}.weight"].ndim else 0
        shapes = {"weight": (outputs, inputs), "bias": (outputs,)}
        weight, bias = (
            take_tensor(tensors, f"{layer}.{part}", shape, largest) for part, shape in shapes.items()
        )
        layers.append((weight, bias))
        inputs = outputs
    return tuple(layers)


def _header(content: bytes) -> tuple[dict, int]:
    """Return the header and the offset of the data."""
    if len(content) < _LENGTH_BYTES:
        raise ValueError("it is too short")
    length = int.from_bytes(content[:_LENGTH_BYTES], "little")
    if length > MAX_HEADER_BYTES:
        raise ValueError(f"its header claims {length} bytes, more than {MAX_HEADER_BYTES}")
    if len(content) < _LENGTH_BYTES + length:
        raise ValueError("its header is cut off")
    try:
        text = content[_LENGTH_BYTES : _LENGTH_BYTES + length].decode("utf-8")
        header = json_text.parsed(text, object_pairs_hook=_without_repeats, parse_int=_whole_number)
    except (json.JSONDecodeError, RecursionError):
        raise ValueError("its header is not JSON, or nested too deeply") from None
    except UnicodeError:
        raise ValueError("its header is not UTF-8") from None
    if not isinstance(header, dict):
        raise ValueError("its header is not a table")
    return header, _LENGTH_BYTES + length


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("its header names something twice")
    if any(len(name) > _LONGEST_NAME for name in table):
        raise ValueError("a name in its header is too long")
    return table


def _whole_number(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError("a number in its header is too long")
    return int(digits)


def _metadata(found: object) -> dict[str, str]:
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise ValueError("its metadata is not a table of texts")
    return found


def _tensors(header: dict[str, object], numbers: bytes) -> dict[str, np.ndarray]:
    """Return the arrays; they must fill `numbers` without gap or overlap."""
    tensors: dict[str, np.ndarray] = {}
    entries = sorted(
        ((*_extent(name, entry), name) for name, entry in header.items()), key=lambda item: item[:2]
    )
    reached = 0
    for begin, end, shape, name in entries:
        if begin != reached or end > len(numbers):
            raise ValueError(f"{name!r} does not lie where it should; the file may be cut off")
        reached = end
        tensor = np.frombuffer(numbers[begin:end], dtype="<f4").astype(np.float32).reshape(shape)
        if not np.isfinite(tensor).all():
            raise ValueError(f"{name!r} holds a number that is not finite")
        tensors[name] = tensor
    if reached != len(numbers):
        raise ValueError("it holds numbers that its header does not name")
    return tensors


def _extent(name: str, entry: object) -> tuple[int, int, tuple[int, ...]]:
    """Return an array's first and end byte, and its shape."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise ValueError(f"{name!r} is not described by dtype, shape and data_offsets")
    shape, offsets = entry["shape"], entry["data_offsets"]
    if entry["dtype"] != "F32":
        raise ValueError(f"{name!r} is not made of 32-bit floats")
    if not (_are_counts(shape) and _are_counts(offsets) and len(offsets) == 2 and len(shape) <= 2):
        raise ValueError(f"the shape or place of {name!r} makes no sense")
    begin, end = offsets
    if end - begin != _FLOAT_BYTES * prod(shape):
        raise ValueError(f"the size of {name!r} does not fit its shape")
    return begin, end, tuple(shape)


def _are_counts(found: object) -> bool:
    """Return whether a value is a list of integers from 0 to the largest file size (True is not an integer
    here)."""
    return isinstance(found, list) and all(type(n) is int and 0 <= n <= MAX_FILE_BYTES for n in found)
