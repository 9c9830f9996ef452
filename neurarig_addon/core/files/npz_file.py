"""Reading untrusted .npz and .npy files of plain numbers and words, and writing them.

The headers of all arrays are read before any is unpacked, and must not exceed what the file is worth
(`given_file`). numpy's own
reader takes as much memory as a header asks for, and raises whatever its parts raise.
"""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np

from .given_file import worth
from .whole_file import written_whole

LARGEST = 2**30  # bytes of a file
_MOST_ENTRIES = 64
_LONGEST_DIRECTORY = 2**16  # bytes of the list of entries at a zip file's end
_END, _END_SIZE, _LONGEST_COMMENT = b"PK\5\6", 22, 2**16
# Errors that zip readers raise for damaged archives.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    RuntimeError,
    ValueError,
    ArithmeticError,
)
_DAMAGED = "it is damaged or cut off"
# An array file: magic, version, length of the header, and the header, a Python dictionary of three entries.
_MAGIC, _LONGEST_HEADER = b"\x93NUMPY", 10_000
_LENGTHS = {b"\1\0": "<H", b"\2\0": "<I"}
_KIND = re.compile(r"""['"]descr['"]: ?['"]([<>=|]?[fiubUS]\d{1,7})['"]""")
_ORDER = re.compile(r"""['"]fortran_order['"]: ?(True|False)""")
_SHAPE = re.compile(r"""['"]shape['"]: ?\(([\d, L]{0,200})\)""")
_SIZE = re.compile(r"\d{1,18}L?", re.ASCII)
_NUMBER_BYTES = 8  # of any number after reading
_LAST_LETTER, _NO_LETTERS = 0x10FFFF, (0xD800, 0xDFFF)


class UnfitError(Exception):
    """Why a file cannot be used, as part of a sentence."""


@dataclass(frozen=True)
class _Stored:
    """An array as described by its header; `opened` opens what it is stored in, and `start` is where its
    content begins there."""

    opened: Callable[[], IO[bytes]]
    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype
    start: int

    @property
    def elements(self) -> int:
        return prod(self.shape)

    @property
    def becomes(self) -> int:
        """Bytes of the array in memory, at the width its numbers will have."""
        return self.elements * max(self.dtype.itemsize, _NUMBER_BYTES)


def array_names(path: Path) -> list[str]:
    """Return the names of the arrays in a file; raises UnfitError if it is not an .npz, OSError if it cannot
    be read."""
    try:
        with _opened(path) as archive:
            return [entry.filename.removesuffix(".npy") for entry in archive.infolist()]
    except _DAMAGE:
        raise UnfitError(_DAMAGED) from None


def read_arrays(path: Path, wanted: Collection[str] | None = None) -> dict[str, np.ndarray]:
    """Return the arrays of a file by name, all or the existing ones of `wanted`; they are read-only.

    Raises UnfitError if they are damaged, exceed what the file is worth or hold objects, OSError if the file
    cannot be read.
    """
    try:
        with _opened(path) as archive:
            named = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
            entries = {name: entry for name, entry in named.items() if wanted is None or name in wanted}
            if len(entries) > _MOST_ENTRIES:
                raise UnfitError("it holds more arrays than any motion needs")
            stored = {name: _entry(archive, entry) for name, entry in entries.items()}
            if sum(array.becomes for array in stored.values()) > worth(path.stat().st_size):
                raise UnfitError("it unpacks to more than a motion in a file of its size")
            return {name: _content(array) for name, array in stored.items()}
    except _DAMAGE:
        raise UnfitError(_DAMAGED) from None


def read_array(path: Path) -> np.ndarray:
    """Return the array of an .npy file, read-only; raises as `read_arrays`."""
    try:
        stored = _header(lambda: path.open("rb"))
        if stored.becomes > worth(path.stat().st_size):
            raise UnfitError(_DAMAGED)
        return _content(stored)
    except _DAMAGE:
        raise UnfitError(_DAMAGED) from None


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays by name; raises NeuraRigError if the file cannot be written."""
    packed = io.BytesIO()  # in memory, as on a full disk closing the archive would fail a second time
    np.savez_compressed(packed, **arrays)
    with written_whole(path) as unfinished:
        unfinished.write_bytes(packed.getbuffer())


def _opened(path: Path) -> zipfile.ZipFile:
    """Open an archive; raises UnfitError if its list of entries is longer than a motion needs."""
    with path.open("rb") as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(max(size - _END_SIZE - _LONGEST_COMMENT, 0))
        end = file.read()
    at = end.rfind(_END)
    listed = int.from_bytes(end[at + 12 : at + 16], "little") if at >= 0 else 0
    if listed > _LONGEST_DIRECTORY or end.rfind(b"PK\6\7") >= 0:
        raise UnfitError("it holds more arrays than any motion needs, or is packed in an unusual way")
    return zipfile.ZipFile(path)


def _entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> _Stored:
    """Return the array of an entry; raises UnfitError unless it is of plain numbers or words."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnfitError("it is packed in an unusual way")
    if entry.header_offset < 0:  # counted back from a misplaced list of entries
        raise UnfitError(_DAMAGED)
    return _header(lambda: archive.open(entry))


def _header(opened: Callable[[], IO[bytes]]) -> _Stored:
    with opened() as file:
        begin = file.read(len(_MAGIC) + 6 + _LONGEST_HEADER)
    width = _LENGTHS.get(begin[6:8])
    if not begin.startswith(_MAGIC) or width is None:
        raise UnfitError("it was written by a newer numpy" if begin.startswith(_MAGIC) else _DAMAGED)
    first = 8 + struct.calcsize(width)
    start = first + struct.unpack(width, begin[8:first])[0]
    text = begin[first:start].decode("latin-1")
    kind, order, shape = _KIND.search(text), _ORDER.search(text), _SHAPE.search(text)
    if start > len(begin) or order is None or shape is None:
        raise UnfitError(_DAMAGED)
    if kind is None:
        raise UnfitError("it holds objects, not numbers")
    sizes = [size.strip() for size in shape[1].split(",") if size.strip()]
    if not all(map(_SIZE.fullmatch, sizes)):
        raise UnfitError(_DAMAGED)
    return _Stored(
        opened, tuple(int(size.rstrip("L")) for size in sizes), order[1] == "True", _dtype(kind[1]), start
    )


def _dtype(kind: str) -> np.dtype:
    try:
        found = np.dtype(kind)
    except TypeError:
        found = None
    if found is None or (found.kind in "fiu" and found.itemsize > _NUMBER_BYTES):
        raise UnfitError(f"it holds numbers of an unknown kind ({kind})")
    return found


def _content(stored: _Stored) -> np.ndarray:
    """Return one array; raises UnfitError if it is not as large as its header says."""
    size = stored.dtype.itemsize * stored.elements
    with stored.opened() as file:
        file.read(stored.start)
        content = file.read(size + 1)
    if len(content) != size:
        raise UnfitError(_DAMAGED)
    if stored.dtype.kind == "U":
        _check_letters(np.frombuffer(content, stored.dtype.str[0].replace("=", "<") + "u4"))
    found = np.frombuffer(content, stored.dtype) if content else np.zeros(stored.elements, stored.dtype)
    return found.reshape(stored.shape, order="F" if stored.fortran else "C")


def _check_letters(letters: np.ndarray) -> None:
    """Raise UnfitError for invalid code points, which cannot be text."""
    if ((letters > _LAST_LETTER) | ((letters >= _NO_LETTERS[0]) & (letters <= _NO_LETTERS[1]))).any():
        raise UnfitError(_DAMAGED)
