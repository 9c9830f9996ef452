"""Recorded motions as lessons: what was seen, what the body did a stride ago, and what came next."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...core.character.character import Character
from ...core.gait.kinds.gait import Gait
from ...core.gait.kinds.gait_change import BySpeed
from ...core.gait.kinds.law import RUN as RUN_LAW
from ...core.gait.sliders.style import Clock, Style, StyleTrack
from ...core.gait.synthesis import walk
from ...core.human.gait_network import BUNDLED_RUN, GaitNetwork
from ...core.ikrig.encoding import CHAINS, Encoding, mirror
from ...core.ikrig.resample import resample, sampled
from ...core.path.curve import Curve
from ...core.retarget.source import encode_clip
from ...core.sequence.figure import figure
from ...core.sequence.network import AHEAD, SEEN
from ...core.sequence.rows import PARTS, RATE, Rows, rows_of
from ...core.sequence.start import rows_of_walk
from ...core.sequence.stride import REMEMBERED, LastStride, last_stride
from ...core.styles.persons import manner_of
from ...core.styles.styled_gait import in_styles
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


SECONDS = 20.0
WALKS, RUNS = (0.6, 2.1), (2.3, 4.2)  # m/s
_LASTS = (1.5, 6.0)  # seconds of one speed
_CHANGES = (0.6, 1.4)  # seconds in which a speed becomes another: people stop in two steps
# shares of spans that stand; of motions that run, and that walk and run
_STANDS, _RUNS, _BOTH = 0.3, 0.4, 0.12
# shares of motions that go straight, and of the others that go round in one bend
_STRAIGHT, _ROUND = 0.2, 0.3
_SHARPEST = 1.9  # radians a second: about what people turn while they go on
_PEOPLE = 100_000  # seeds of individuals
_SPREAD = {
    "energy": 0.35,
    "weight": 0.35,
    "arm_swing": 0.3,
    "bounce": 0.25,
    "stride": 0.08,
    "lean": 3.0,
    "elbow_bend": 12.0,
    "arm_spread": 4.0,
}
_FACTORS = ("arm_swing", "bounce", "stride")


def planned(count: int, seed: int) -> Iterator[Rows]:
    """Yield planned motions of the figure, each of another person."""
    draw = np.random.default_rng(seed)
    natural, running = Gait(GaitNetwork.load()), Gait(GaitNetwork.load(BUNDLED_RUN), RUN_LAW)
    for _ in range(count):
        person = int(draw.integers(_PEOPLE))
        kind = draw.random()
        if kind < _RUNS:
            gait, (low, high) = running, RUNS
        elif kind < _RUNS + _BOTH:
            either = BySpeed(natural, running)
            gait, (low, high) = Gait(either, either), (WALKS[0], RUNS[1])
        else:
            gait, (low, high) = natural, WALKS
        yield _planned(in_styles(gait, (), manner_of(person)), person, low, high, draw)


def _planned(gait: Gait, person: int, slowest: float, fastest: float, draw: np.random.Generator) -> Rows:
    frames = np.arange(int(SECONDS * RATE))
    speeds = _speeds(slowest, fastest, draw)
    sliders = {
        name: (name in _FACTORS) + spread * float(np.clip(draw.standard_normal(), -2.0, 2.0))
        for name, spread in _SPREAD.items()
    }
    track = StyleTrack(
        Style(variation=1.0, individual=1.0, **sliders),
        {"speed": speeds},
        seed=int(draw.integers(1000)),
        strides_seed=int(draw.integers(1000)),
        person=person,
    )
    way = float(np.trapezoid(speeds[1], speeds[0]) / RATE)
    body = figure().character.body
    path = (
        {}
        if draw.random() < _STRAIGHT
        else {"path": Curve.through(_line(way + 5.0, fastest, draw), body.leg_length)}
    )
    pose = walk(body, track, Clock(RATE, 0.0), frames, gait, **path)
    return rows_of_walk(pose)


def _speeds(slowest: float, fastest: float, draw: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return frames and speeds in m/s: held for some seconds each, then changed as quickly as people do, some
    to a stand."""
    at, frames, speeds = 0.0, [], []
    while at < SECONDS:
        speed = 0.0 if draw.random() < _STANDS else float(draw.uniform(slowest, fastest))
        lasts = float(draw.uniform(*_LASTS))
        frames += [at, at + lasts]
        speeds += [speed, speed]
        at += lasts + float(draw.uniform(*_CHANGES))
    return np.array(frames) * RATE, np.array(speeds)


def _line(length: float, fastest: float, draw: np.random.Generator) -> np.ndarray:
    """Return points `(n, 3)` of a way that bends to and fro."""
    step = 0.25
    count = int(np.ceil(length / step)) + 1
    sharpest = _SHARPEST / max(fastest, 1.0)  # radians a metre
    knots = np.arange(0.0, count + 8.0, 8.0)
    bends = draw.uniform(-sharpest, sharpest, len(knots)) * (draw.random(len(knots)) < 0.6)
    curvature = (
        np.full(count, bends[0]) if draw.random() < _ROUND else np.interp(np.arange(count), knots, bends)
    )
    heading = np.cumsum(curvature * step)
    steps = step * np.stack([np.cos(heading), np.sin(heading), 0.0 * heading], axis=1)
    return np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
