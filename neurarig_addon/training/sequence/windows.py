"""Recorded motions as lessons: what was seen, what the body did a stride ago, and what came next."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...core.character.character import Character
from ...core.ikrig.encoding import CHAINS, Encoding, mirror
from ...core.ikrig.resample import resample, sampled
from ...core.retarget.source import encode_clip
from ...core.sequence.network import AHEAD, SEEN
from ...core.sequence.rows import PARTS, RATE, Rows, rows_of
from ...core.sequence.stride import REMEMBERED, LastStride, last_stride
from ..recordings import RecordingFile, manifest_rows

STEADY, OTHER, LANE, RUN, REST, PLANNED = "steady walks", "other walks", "lanes", "runs", "rest", "planned"
SHARES = {
    STEADY: 0.11,
    OTHER: 0.28,
    LANE: 0.16,
    RUN: 0.06,
    REST: 0.19,
    PLANNED: 0.2,
}  # of the lessons; groups without recordings leave theirs
TEMPI = (1.0, 0.85, 1.15)
LANES = "cmu_105"  # one man, back and forth between poses, in many manners
_LEAST = SEEN + AHEAD  # frames


def recordings(folder: Path) -> list[RecordingFile]:
    """Return the whole-body recordings that a folder's manifest lists and that travel; raises NeuraRigError
    if it cannot be read."""
    found = []
    for row in manifest_rows(folder):
        name = row.get("file") or row["clip"]
        subject = (
            row["subject"]
            if row["subject"].startswith("cmu_") or not row["subject"][:1].isdigit()
            else f"cmu_{row['subject']}"
        )
        if row.get("in_place") != "1" and not name.startswith("lowerbody"):
            found.append(
                RecordingFile(folder / name, subject, _group(row, name, subject), float(row["unit_to_m"]))
            )
    return found


def encoded(recording: RecordingFile) -> Encoding:
    """Return a recorded motion at RATE, with its contacts."""
    clip = recording.clip()
    return resample(encode_clip(Character.of(clip.skeleton), clip), RATE)


def _group(row: dict[str, str], name: str, subject: str) -> str:
    if row.get("steady_straight") == "1":
        return STEADY
    if subject == LANES:
        return LANE
    kind = row.get("group") or name.split("/")[0]
    return {"walk": OTHER, "run": RUN}.get(kind, REST)


@dataclass(frozen=True)
class Windows:
    """All frames of all motions, and where in them a lesson can be.

    `poses` `(f, WIDTH)`, `steps` `(f, 3)`, `contacts` `(f, 4)`: float32. `last` `(n,)`: the row of the last
    frame seen.
    `first` `(n,)`: of its motion. `stride`, `off` `(n,)`: as Stride has them. `room` `(n,)`: frames that
    follow.
    `is_planned` `(n,)`: it is no recording.
    `weight` `(n,)`: how often it is drawn.
    """

    poses: np.ndarray
    steps: np.ndarray
    contacts: np.ndarray
    last: np.ndarray
    first: np.ndarray
    stride: np.ndarray
    off: np.ndarray
    room: np.ndarray
    is_planned: np.ndarray
    weight: np.ndarray

    @classmethod
    def of(cls, chosen: Sequence[RecordingFile], planned: Iterable[Rows] = ()) -> "Windows":
        """Return the lessons of recordings, of their mirror images, of both at other tempi, and of planned
        motions."""
        recorded = [(one.group, motion) for one in chosen for motion in motions(one)]
        return cls.of_motions([*recorded, *((PLANNED, motion) for motion in planned)])

    @classmethod
    def of_motions(cls, motions: Sequence[tuple[str, Rows]]) -> "Windows":
        """Return the lessons of motions, each with its group."""
        starts = np.cumsum([0, *(len(motion) for _, motion in motions)])
        found = []
        for (group, motion), start in zip(motions, starts, strict=False):
            for at in range(SEEN - 1, len(motion) - AHEAD):
                stride = stride_at(motion, at)
                found.append((start + at, start, stride.frames, stride.off, len(motion) - 1 - at, group))
        last, first, frames, off, room, groups = (np.array(column) for column in zip(*found, strict=True))
        weight = np.select(
            [groups == group for group in SHARES],
            [share / max(np.sum(groups == group), 1) for group, share in SHARES.items()],
        )
        parts = (
            np.concatenate([getattr(motion, part) for _, motion in motions]).astype(np.float32)
            for part in PARTS
        )
        return cls(*parts, last, first, frames, off.astype(np.float32), room, groups == PLANNED, weight)


def stride_at(motion: Rows, at: int) -> LastStride:
    """Return the last stride of a motion as it is known on a frame."""
    return last_stride(motion[max(at + 1 - REMEMBERED, 0) : at + 1])


def motions(recording: RecordingFile) -> Iterator[Rows]:
    """Yield a recording and its mirror image, at all tempi, where they are long enough."""
    encoding = encoded(recording)
    if any(chain not in encoding.chains for chain in CHAINS):
        return
    for tempo in TEMPI:
        played = (
            encoding if tempo == 1.0 else sampled(encoding, np.arange(0.0, len(encoding) - 1.0, tempo), RATE)
        )
        if len(played) >= _LEAST:
            yield rows_of(played)
            yield rows_of(mirror(played))
