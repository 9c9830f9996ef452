"""Reading .npz files that anybody may have written: plain numbers and words, and no more of them than the file says.

numpy's own reader takes as much memory as a header asks for, and raises whatever its parts raise.
"""

import struct
import tokenize
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path

import numpy as np

LARGEST = 2**30  # bytes that arrays unpack to
_MOST_ENTRIES = 64
# What the readers of zip archives and of numpy's headers raise on damaged ones.
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError, EOFError, LookupError, RuntimeError, MemoryError)
_DAMAGE += (ValueError, ArithmeticError, SyntaxError)
_DAMAGED = "it is damaged or cut off"


class UnfitError(Exception):
    """Why a file cannot be used, as part of a sentence."""


def array_names(path: Path) -> list[str]:
    """Return the names of the arrays in a file; raises UnfitError where it is no .npz, OSError as files do."""
    try:
        with zipfile.ZipFile(path) as archive:
            return [entry.filename.removesuffix(".npy") for entry in archive.infolist()]
    except _DAMAGE:
        raise UnfitError(_DAMAGED) from None


def read_arrays(path: Path, wanted: Collection[str] | None = None) -> dict[str, np.ndarray]:
    """Return the arrays of a file by name, all or those `wanted` that are there; they cannot be written to.

    Raises UnfitError where they are damaged, too large or hold objects, OSError as files do.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            named = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
            entries = {name: entry for name, entry in named.items() if wanted is None or name in wanted}
            if len(entries) > _MOST_ENTRIES or sum(entry.file_size for entry in entries.values()) > LARGEST:
                raise UnfitError("it unpacks to more than any motion needs")
            return {name: _array(archive, entry) for name, entry in entries.items()}
    except _DAMAGE:
        raise UnfitError(_DAMAGED) from None


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    """Return one array, which must hold plain numbers or words and be as large as it says."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnfitError("it is packed in an unusual way")
    with archive.open(entry) as file:
        version = np.lib.format.read_magic(file)
        if version not in ((1, 0), (2, 0)):
            raise UnfitError("it was written by a newer numpy")
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = read(file)
        if dtype.kind not in "fiubUS":
            raise UnfitError("it holds objects, not numbers")
        content = file.read()
    if len(content) != dtype.itemsize * int(np.prod([float(size) for size in shape])):
        raise UnfitError(_DAMAGED)
    return np.frombuffer(content, dtype=dtype).reshape(shape, order="F" if fortran else "C") if content else np.zeros(shape, dtype)
