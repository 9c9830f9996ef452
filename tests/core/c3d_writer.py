"""C3D files as capture systems write them, after The C3D File Format User Guide (c3d.org)."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

BLOCK = 512
INTEL, DEC, MIPS = 84, 85, 86
# texts; 16-bit integers or reals of any shape, the first dimension of which changes fastest
Value = Sequence[str] | np.ndarray


@dataclass
class C3D:
    """A file of points `places` `(f, n, 3)`, NaN where unseen, in units of the file.

    `reals`: floating-point, not 16-bit integers in steps of `scale`. `analog` `(f, samples, channels)`.
    `parameters` (None: left out) and
    `header`, word (from 1) -> number, replace or add to the usual ones.
    """

    places: np.ndarray
    labels: Sequence[str]
    processor: int = INTEL
    reals: bool = True
    scale: float = 0.1
    fps: float = 120.0
    analog: np.ndarray | None = None
    parameters: Mapping[str, Value | None] = field(default_factory=dict)
    header: Mapping[int, int] = field(default_factory=dict)
    parameter_block: int = 2

    def to_bytes(self) -> bytes:
        """Return what the file holds."""
        frames, points = self.places.shape[:2]
        samples, channels = (1, 0) if self.analog is None else self.analog.shape[1:]
        usual: dict[str, Value | None] = {
            "POINT:USED": integers(points), "POINT:FRAMES": integers(min(frames, 65535)),
            "POINT:SCALE": reals(self.signed_scale),
            "POINT:RATE": reals(self.fps), "POINT:DATA_START": integers(0), "POINT:LABELS": self.labels[:255],
            "POINT:UNITS": ["mm"],
            "ANALOG:USED": integers(channels), "ANALOG:RATE": reals(self.fps * samples),
        }  # fmt: skip
        for more in range(255, len(self.labels), 255):
            usual[f"POINT:LABELS{1 + more // 255}"] = self.labels[more : more + 255]
        parameters = {
            name: value for name, value in (usual | dict(self.parameters)).items() if value is not None
        }
        first = self.parameter_block + len(self.section(parameters)) // BLOCK
        if "POINT:DATA_START" not in self.parameters:
            parameters["POINT:DATA_START"] = integers(first)
        words = {
            2: points,
            3: samples * channels,
            4: 1,
            5: min(frames, 65535),
            9: first,
            10: samples,
            **self.header,
        }
        header = bytearray(BLOCK * (self.parameter_block - 1))
        for word, number in words.items():
            header[2 * word - 2 : 2 * word] = self.integer(number)
        header[12:16], header[20:24] = self.real(self.signed_scale), self.real(self.fps)
        header[:2] = self.parameter_block, 0x50
        return bytes(header) + self.section(parameters) + filled(self.data())

    @property
    def signed_scale(self) -> float:
        return -self.scale if self.reals else self.scale

    def section(self, parameters: Mapping[str, Value]) -> bytes:
        """Return the section of parameters; each group comes after its members, which is allowed."""
        records, groups = [], sorted({name.partition(":")[0] for name in parameters})
        for name, value in parameters.items():
            group, _, name = name.partition(":")
            records.append((name, 1 + groups.index(group), self.parameter(value)))
        records += [(group, -1 - number, b"\0") for number, group in enumerate(groups)]
        found = b""
        for number, (name, group, data) in enumerate(records):
            way = 2 + len(data) if number + 1 < len(records) else 0
            letters = -len(name) if number % 2 else len(name)  # every other one is locked
            found += struct.pack("bb", letters, group) + name.encode() + self.integer(way) + data
        found = b"\0\0" + bytes([-(-(4 + len(found)) // BLOCK), self.processor]) + found
        return filled(found)

    def parameter(self, value: Value) -> bytes:
        """Return a parameter without its name, with an empty description."""
        if isinstance(value, np.ndarray):
            kind = 4 if value.dtype.kind == "f" else 2
            shape = value.shape
            data = b"".join(
                self.real(number) if kind == 4 else self.integer(number)
                for number in value.ravel(order="F").tolist()
            )
        else:
            texts = [text.encode() for text in value]
            kind, shape = -1, (max(map(len, texts), default=0), len(texts))
            data = b"".join(text.ljust(shape[0]) for text in texts)
        return struct.pack("bB", kind, len(shape)) + bytes(shape) + data + b"\0"

    def data(self) -> bytes:
        """Return the frames."""
        seen = np.isfinite(self.places).all(axis=-1, keepdims=True)
        numbers = np.where(seen, self.places if self.reals else self.places / self.scale, 0.0)
        numbers = np.concatenate([numbers, np.where(seen, 0x0302, -1.0)], axis=-1).reshape(
            len(self.places), -1
        )
        if self.analog is not None:
            numbers = np.concatenate([numbers, self.analog.reshape(len(numbers), -1)], axis=1)
        if not self.reals:
            return np.rint(numbers).astype(f"{'>' if self.processor == MIPS else '<'}i2").tobytes()
        if self.processor != DEC:
            return numbers.astype(f"{'>' if self.processor == MIPS else '<'}f4").tobytes()
        # VAX: words swapped, exponents 2 higher
        return (4.0 * numbers).astype("<f4").view("<u2").reshape(-1, 2)[:, ::-1].tobytes()

    def integer(self, number: float) -> bytes:
        return struct.pack(">H" if self.processor == MIPS else "<H", int(number) & 0xFFFF)

    def real(self, number: float) -> bytes:
        if self.processor == DEC:
            low, high = struct.unpack("<HH", struct.pack("<f", 4.0 * number))
            return struct.pack("<HH", high, low)
        return struct.pack(">f" if self.processor == MIPS else "<f", number)


def integers(*numbers: int) -> np.ndarray:
    """Return a parameter of 16-bit integers: a number, or a row of them."""
    return np.array(numbers[0] if len(numbers) == 1 else numbers, dtype=np.uint16)


def reals(number: float) -> np.ndarray:
    """Return a parameter of one real."""
    return np.array(number, dtype=np.float32)


def filled(data: bytes) -> bytes:
    """Return data filled up to whole blocks."""
    return data + bytes(-len(data) % BLOCK)
