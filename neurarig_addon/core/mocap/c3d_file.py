"""Reading recorded points from C3D files, which optical systems write (The C3D File Format User Guide,
c3d.org).

Blocks of 512 bytes: a header, the parameters, and the frames. A frame holds four numbers per point (x, y, z,
and one that is negative
if the point was not seen), then the samples of the analog channels, which are skipped. The numbers are 16-bit
integers in steps of
`POINT:SCALE`, or reals if that is negative.

Header and parameters repeat each other, and programs fill them in differently. Whatever a file says is
checked against its length.
"""

import math
from pathlib import Path
from typing import BinaryIO, NoReturn

import numpy as np

from ..errors import NeuraRigError
from .c3d_parameters import Parameters, Processor
from .markers import MOST_MARKERS, Markers, are_blank, are_seen

BLOCK = 512  # bytes
MOST_PLACES = 16_000_000  # points x frames: 384 MB
_OF_POINTS = 0x50  # second byte of a file of points
_MOST_BLOCKS = 255  # of the parameter section
_FULL = 0xFFFF  # frames, or points: the most that 16 bits count
_READ_AT_ONCE = 2**23  # bytes
_METRES = {
    "mm": 0.001,
    "cm": 0.01,
    "dm": 0.1,
    "m": 1.0,
    "in": 0.0254,
    "inch": 0.0254,
    "inches": 0.0254,
    "ft": 0.3048,
}
_METRES |= {
    "millimeters": 0.001,
    "millimetres": 0.001,
    "centimeters": 0.01,
    "centimetres": 0.01,
    "meters": 1.0,
    "metres": 1.0,
}
# Vicon's models store angles, forces ... as points, and name them in these lists.
_NO_PLACES = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS")


def read_c3d(path: Path) -> Markers:
    """Return the points of a .c3d file; raises NeuraRigError, naming the file, if it is not one or is
    damaged, OSError if unreadable."""
    with path.open("rb") as file:
        return _Recording(path, file).markers()


class _Recording:
    """An open C3D file: its header as `words` and `reals`, its `parameters`, and where and how its points are
    stored."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path, self.file = path, file
        header = file.read(BLOCK)
        file.seek(max(header[0] - 1, 1) * BLOCK if header else 0)
        section = file.read(_MOST_BLOCKS * BLOCK)
        processors = {processor.value: processor for processor in Processor}
        if (
            len(header) < BLOCK
            or header[1] != _OF_POINTS
            or len(section) < BLOCK
            or section[3] not in processors
        ):
            raise NeuraRigError(
                f"'{path.name}' is not a complete C3D file of recorded points. Export it again."
            )
        self.processor = processors[section[3]]
        # The section's first two bytes mean nothing; the third counts its blocks, but some programs leave it
        # 0.
        self.parameters = Parameters.of(section[: (section[2] or _MOST_BLOCKS) * BLOCK], self.processor)
        self.words, self.reals = self.processor.integers(header, signed=False), self.processor.reals(header)
        self.points = min(self.parameters.count("POINT", "USED") or int(self.words[1]), _FULL)
        self.scale = self.parameters.number("POINT", "SCALE", signed=True) or float(self.reals[3])
        if not math.isfinite(self.scale) or self.scale == 0.0:
            self.fail("it does not give the scale of its points")
        # PhoeniX leaves the parameter 0.
        self.first = ((self.parameters.count("POINT", "DATA_START") or int(self.words[8])) - 1) * BLOCK
        self.room = path.stat().st_size - self.first
        if self.first < BLOCK or self.room < 4 * self.width * self.points:
            self.fail("its points are not where it says")

    def fail(self, what: str) -> NoReturn:
        raise NeuraRigError(f"'{self.path.name}' is damaged: {what}; copy it again or export it again.")

    def markers(self) -> Markers:
        """Read the points."""
        names = self.labels()
        others = {name for group in _NO_PLACES for name in self.parameters.texts("POINT", group)}
        rows = [row for row, name in enumerate(names) if name not in others]
        if not rows:
            raise NeuraRigError(f"'{self.path.name}' holds no points; export it with its markers.")
        if len(rows) > MOST_MARKERS:
            raise NeuraRigError(f"'{self.path.name}' has more than {MOST_MARKERS} points; export fewer.")
        rate = self.parameters.number("POINT", "RATE") or float(self.reals[5])
        return Markers(
            self.path.stem,
            rate if math.isfinite(rate) else 0.0,
            tuple(names[row] for row in rows),
            self.places(rows),
            _METRES.get(self.word("UNITS")),
            self.up(),
        )

    def labels(self) -> list[str]:
        """Return a name for every point; a file may have fewer labels than points, or more, and empty
        ones."""
        labels = self.parameters.texts("POINT", "LABELS")[: self.points]
        labels += [""] * (self.points - len(labels))
        return [name or f"point {number}" for number, name in enumerate(labels, 1)]

    def up(self) -> str | None:
        """Return the axis that points up on the screen (`z`, `-y`), None if not given."""
        axis = self.word("Y_SCREEN").removeprefix("+")
        return axis if axis in ("x", "y", "z", "-x", "-y", "-z") else None

    def word(self, name: str) -> str:
        """Return a one-word parameter of the points, empty if there is none."""
        return next(iter(self.parameters.texts("POINT", name)), "").lower()

    def places(self, rows: list[int]) -> np.ndarray:
        """Return the places of points `(f, n, 3)`, NaN where unseen."""
        frames, stride = self.layout()
        if frames * len(rows) > MOST_PLACES:
            raise NeuraRigError(
                f"'{self.path.name}' has {frames} frames of {len(rows)} points; cut it into shorter clips."
            )
        found = np.empty((frames, len(rows), 3))
        seen = np.empty((frames, len(rows)), dtype=bool)
        self.file.seek(self.first)
        at_once = max(_READ_AT_ONCE // stride, 1)
        for first in range(0, frames, at_once):
            some = slice(first, min(first + at_once, frames))
            numbers = self.numbers(some.stop - first, stride)[:, rows]
            with np.errstate(invalid="ignore"):  # NaN stays NaN
                found[some], seen[some] = numbers[..., :3], ~(numbers[..., 3] < 0.0)
        if not seen.any():  # SIMI marks every seen point as unseen
            seen = found.any(axis=-1)
        if self.scale > 0.0:
            found *= self.scale
        found[~(seen & are_seen(found))] = np.nan
        found[are_blank(found)] = np.nan
        return found

    def numbers(self, frames: int, stride: int) -> np.ndarray:
        """Read the next frames of `stride` bytes and return the four numbers of every point `(frames, points,
        4)`, as stored."""
        data = self.file.read(frames * stride)
        if len(data) < frames * stride:
            self.fail("it ends before its last frame")
        of_points = (
            np.frombuffer(data, np.uint8).reshape(frames, stride)[:, : 4 * self.points * self.width].ravel()
        )
        read = self.processor.integers(of_points) if self.scale > 0.0 else self.processor.reals(of_points)
        return read.reshape(frames, self.points, 4)

    @property
    def width(self) -> int:
        """Bytes of a number."""
        return 2 if self.scale > 0.0 else 4

    def layout(self) -> tuple[int, int]:
        """Return the number of frames and the bytes of each: the layout that ends with the file, or else the
        likeliest that fits."""
        counts = self.frames()
        fitting = []
        for stride in (self.width * (4 * self.points + samples) for samples in self.analog()):
            held = self.room // stride
            # ezc3d writes 65535 for longer recordings, and no other number.
            more = [held] if max(counts, default=0) == _FULL and (held - _FULL) * stride >= BLOCK else []
            fitting += [(frames, stride) for frames in more + counts if frames <= held]
        if not fitting:
            self.fail("it ends before its last frame")
        return next((layout for layout in fitting if self.room - math.prod(layout) < BLOCK), fitting[0])

    def frames(self) -> list[int]:
        """Return the possible numbers of frames, likeliest first.

        16 bits count to 65535. Longer recordings have that in POINT:FRAMES, and the true number in
        LONG_FRAMES (C-Motion), in twice
        16 bits for the first and last frame of the TRIAL (Vicon), or as a real.
        """
        labels = self.parameters.count("POINT", "FRAMES")
        longer = [self.parameters.count("POINT", "LONG_FRAMES")]
        ends = [self.parameters.numbers("TRIAL", f"ACTUAL_{end}_FIELD") for end in ("START", "END")]
        if all(ends):
            first, last = (
                int(sum(word * 65536.0**power for power, word in enumerate(end[:2]))) for end in ends
            )
            longer.append(last - first + 1)
        header = int(self.words[4]) - int(self.words[3]) + 1
        return [
            frames
            for frames in ([*longer, labels, header] if labels == _FULL else [labels, *longer, header])
            if frames > 0
        ]

    def analog(self) -> list[int]:
        """Return the possible numbers of analog samples per frame, likeliest first."""
        header = int(self.words[2])
        channels = self.parameters.count("ANALOG", "USED")
        rates = [self.parameters.number(group, "RATE") for group in ("ANALOG", "POINT")]
        if not channels:
            return [0, header]
        return [channels * round(rates[0] / rates[1]), header] if min(rates) > 0.0 else [header]
