"""The last stride of a motion: how many frames ago the body was last in the phase in which it is now."""

from dataclasses import dataclass

import numpy as np

from .rows import Rows, placed, turned

ALIKE = 8  # frames that are compared
SHORTEST, LONGEST = 12, 48  # frames of a stride
REMEMBERED = LONGEST + ALIKE  # frames that are looked at
NO_STRIDE = 30  # frames that tell the pace of a motion without a stride


@dataclass(frozen=True)
class LastStride:
    """`frames`: how long the last stride took, 0 if none is seen; `off`: how unlike the same phase of both
    is, metres a column."""

    frames: int
    off: float


NONE, ANOTHER = (
    LastStride(0, 9.0),
    LastStride(1, 0.03),
)  # none; one that is not in the past but counts as if it were


def last_stride(rows: Rows) -> LastStride:
    """Return the stride after which the last frames of a motion look most like they did before."""
    poses = rows.poses
    longest = min(LONGEST, len(poses) - ALIKE)
    if longest < SHORTEST:
        return NONE
    recent = poses[-ALIKE:]
    # earliest first
    before = np.lib.stride_tricks.sliding_window_view(
        poses[len(poses) - ALIKE - longest : -SHORTEST], ALIKE, axis=0
    )
    off = np.sqrt(np.mean((before.transpose(0, 2, 1) - recent) ** 2, axis=(1, 2)))
    best = int(np.argmin(off[::-1]))
    return LastStride(SHORTEST + best, float(off[::-1][best]))


def last_pace(rows: Rows) -> tuple[np.ndarray, float]:
    """Return the mean step `(3,)` of the last stride, seen from its mean heading, and the course that it
    leaves the last frame on.

    Hips turn to and fro in every stride, so the body's own heading is none. A motion without a stride: of its
    last second at most.
    """
    frames = last_stride(rows).frames or min(len(rows), NO_STRIDE)
    since = placed(rows.steps[-frames:])
    mean = float(np.mean(since[:, 2]))
    step = np.array([*turned(since[-1, :2] / frames, -mean), since[-1, 2] / frames])
    return step, mean - 0.5 * float(since[-1, 2])


def repeated(rows: Rows, stride: LastStride, count: int) -> Rows:
    """Return the next frames as the last stride has them; a motion without one stays as it is, and goes on as
    it last went."""
    if not stride.frames:
        return rows[np.full(count, len(rows) - 1)]
    return rows[len(rows) - stride.frames + np.arange(count) % stride.frames]
