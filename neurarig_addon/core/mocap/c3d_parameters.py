"""How a C3D file stores numbers, and its section of parameters (The C3D File Format User Guide, c3d.org).

The section is a chain of records, groups and parameters, each with the offset to the next. A parameter has a
type (text,
bytes, 16-bit integers, reals) and up to seven dimensions; the first changes fastest.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

_TEXT, _BYTES, _INTEGERS, _REALS = -1, 1, 2, 4  # types of parameters: bytes per element, -1 for text
_HEAD = 4  # bytes before the first record
_MOST_TEXTS = 0xFFFF  # the most points that a file can hold
_VAX_BIAS = 128 + 24  # of the exponent, and as the 24 bits of the mantissa are read as an integer

Buffer = bytes | memoryview | np.ndarray


class Processor(Enum):
    """The kind of machine that wrote a file, which decides how its numbers are stored."""

    INTEL = 84
    DEC = 85
    MIPS = 86

    @property
    def order(self) -> str:
        """The byte order, in numpy's spelling."""
        return ">" if self is Processor.MIPS else "<"

    def integers(self, data: Buffer, signed: bool = True) -> np.ndarray:
        """Return the 16-bit integers `(n,)` in bytes."""
        return np.frombuffer(data, f"{self.order}{'i' if signed else 'u'}2")

    def reals(self, data: Buffer) -> np.ndarray:
        """Return the 32-bit reals `(n,)` in bytes; DEC's are VAX F_floating, with swapped words."""
        if self is not Processor.DEC:
            return np.frombuffer(data, f"{self.order}f4")
        words = np.frombuffer(data, "<u2").astype(np.uint32)
        bits = words[0::2] << 16 | words[1::2]
        exponent = (bits >> 23 & 0xFF).astype(np.int32)
        size = np.ldexp((bits & 0x7FFFFF | 0x800000).astype(float), exponent - _VAX_BIAS)
        return np.where(exponent == 0, 0.0, np.where(bits >> 31, -size, size))


@dataclass(frozen=True)
class Parameter:
    """One parameter as stored: `kind` (-1, 1, 2, 4), `dimensions` (the first changes fastest), and its
    bytes."""

    kind: int
    dimensions: tuple[int, ...]
    data: Buffer
    processor: Processor

    def numbers(self, signed: bool = False) -> np.ndarray:
        """Return the numbers `(n,)`, none for a text; integers are counts, so unsigned."""
        if self.kind == _REALS:
            return self.processor.reals(self.data)
        if self.kind == _INTEGERS:
            return self.processor.integers(self.data, signed)
        return np.frombuffer(self.data if self.kind == _BYTES else b"", "i1" if signed else "u1")

    def texts(self) -> list[str]:
        """Return the texts without their padding; none for numbers."""
        length = self.dimensions[0] if self.dimensions else 1
        if self.kind != _TEXT or not length:
            return []
        pieces = (self.data[first : first + length] for first in range(0, len(self.data), length))
        return [bytes(piece).decode("utf-8", errors="replace").strip(" \0\t\r\n") for piece in pieces]


@dataclass(frozen=True)
class Parameters:
    """The parameters of a file by group and name (`POINT`, `RATE`)."""

    found: Mapping[tuple[str, str], Parameter]

    @classmethod
    def of(cls, section: bytes, processor: Processor) -> "Parameters":
        """Read the parameter section, up to the first damaged record."""
        groups: dict[int, str] = {}
        members: dict[tuple[int, str], Parameter] = {}
        left = memoryview(section)[_HEAD:]  # no copies: damaged records may overlap
        while len(left) > 2:
            letters, group = np.frombuffer(left[:2], "i1").tolist()
            # negative length: locked
            name, left = bytes(left[2 : 2 + abs(letters)]), left[2 + abs(letters) :]
            if not letters or len(left) < 2:
                break
            key = name.decode("ascii", errors="replace").strip().upper()
            if group < 0:
                groups[-group] = key
            elif parameter := _parameter(left[2:], processor):
                members.setdefault((group, key), parameter)
            # Unsigned, although the guide says signed: 255 labels of 255 letters do not fit a signed offset.
            way = int(processor.integers(left[:2], signed=False)[0])
            if way < 2:
                break
            left = left[way:]
        return cls(
            {
                (groups[group], name): parameter
                for (group, name), parameter in members.items()
                if group in groups
            }
        )

    def numbers(self, group: str, name: str, signed: bool = False) -> list[float]:
        """Return the finite numbers of a parameter, none if it does not exist."""
        parameter = self.found.get((group, name))
        return (
            [number for number in parameter.numbers(signed).tolist() if math.isfinite(number)]
            if parameter
            else []
        )

    def number(self, group: str, name: str, signed: bool = False) -> float:
        """Return the first number of a parameter, 0 if there is none."""
        return next(iter(self.numbers(group, name, signed)), 0.0)

    def count(self, group: str, name: str) -> int:
        """Return a parameter that is a count, 0 if it is missing or negative."""
        return max(int(self.number(group, name)), 0)

    def texts(self, group: str, name: str) -> list[str]:
        """Return the texts of a parameter and of its continuations (`LABELS2`, `LABELS3` ...)."""
        found: list[str] = []
        following = 1
        while len(found) < _MOST_TEXTS and (
            parameter := self.found.get((group, f"{name}{following}" if following > 1 else name))
        ):
            found += parameter.texts()
            following += 1
        return found


def _parameter(record: memoryview, processor: Processor) -> Parameter | None:
    """Return the parameter in a record after its name, None if it is cut off or of no known type."""
    if len(record) < 2:
        return None
    kind = int(np.frombuffer(record[:1], "i1")[0])
    first = 2 + record[1]
    dimensions = tuple(record[2:first])
    size = abs(kind) * math.prod(dimensions)
    if kind not in (_TEXT, _BYTES, _INTEGERS, _REALS) or len(record) < first + size:
        return None
    return Parameter(kind, dimensions, record[first : first + size], processor)
