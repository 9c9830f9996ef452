"""Recorded poses as training data: rotations of the 22 joints, the bodies they were recorded on, and which
people train, validate and test.

The split is by CMU subject number, never by clip: two clips of one person share the body and the habits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...core.body.stoop import STOOPS, STRAIGHT, StoopHabit
from ...core.character.character import Character
from ...core.files import json_text
from ...core.geometry.rotation import about_z, norms, rotated
from ...core.neural.analytic.figure_shape import FigureShape
from ...core.neural.likely.pose_prior import PosePrior
from ...core.neural.point_body import PointBody
from ...core.neural.points import INDEX, PARENTS
from ...core.skeleton.roles import SIDES
from ..recordings import RecordingFile, manifest_rows

TRAINING, VALIDATION, TEST = "training", "validation", "test"

# For testing, never trained or tuned on. Each walks and does something else, and none of it was chosen for
# being easy:
# 2 walks, jogs, fights with a sword, boxes, jumps, bends down and washes; 5 walks and dances ballet; 17
# sneaks and boxes;
# 131 walks, turns, hops, ducks, jumps and stops.  About 355 s.
TEST_SUBJECTS = ("2", "5", "17", "131")
# For choosing epochs, widths, loss weights, and the prior weights of the baselines; the shipped network may
# learn from them at the end,
# once its recipe is fixed. 11 kicks a ball; 49 runs, leaps, dances, balances and does acrobatics; 91 walks in
# several moods. About 277 s.
VALIDATION_SUBJECTS = ("11", "49", "91")
# The others, about 1 700 s: among them 1 (climbing), 14 (everyday life), 16 (locomotion), 29 (mime), 60/61
# and 94 (dances).


def _part_of(subject: str) -> str:
    """Return the part of the split that a subject is in."""
    if subject in TEST_SUBJECTS:
        return TEST
    return VALIDATION if subject in VALIDATION_SUBJECTS else TRAINING


def recordings(folder: Path, part: str | None = None) -> list[RecordingFile]:
    """Return the files listed in the folder's manifest, in its order; of one part of the split if `part` is
    given."""
    found = [
        RecordingFile(folder / row["file"], row["subject"], row["group"], float(row["unit_to_m"]))
        for row in manifest_rows(folder)
    ]
    return [one for one in found if part in (None, _part_of(one.subject))]


RATE = 30.0  # frames/s kept: neighbours at a higher rate add nothing new
# radians: a frame is used once some joint has turned by this since the last used one
NEW_POSE = np.radians(4.0)


@dataclass(frozen=True)
class PoseSet:
    """Poses of several bodies, all float32, in each body's walk frame.

    `rotations` `(n, 22, 3, 3)`: away from the reference pose.  `points` `(n, 27, 3)`: as recorded, metres.
    `previous` `(n,)`: row of the pose 1/30 s before, the row itself for the first one of a clip.
    `body` `(n,)`: row of `offsets`. `offsets` `(bodies, 27, 3)`: of `PointBody`. `heights` `(bodies,)`
    metres.
    `fresh` `(m,)`: the rows that differ enough from the previous fresh one.
    """

    rotations: np.ndarray
    points: np.ndarray
    previous: np.ndarray
    body: np.ndarray
    offsets: np.ndarray
    heights: np.ndarray
    fresh: np.ndarray


@dataclass(frozen=True)
class PoseClip:
    """One clip: its body, its points `(f, 27, 3)` in metres and its joints' rotations `(f, 22, 3, 3)`, at
    about 30 frames/s."""

    recording: RecordingFile
    body: PointBody
    points: np.ndarray
    rotations: np.ndarray


def read_clip(recording: RecordingFile) -> PoseClip:
    """Return one recording as points and rotations; raises NeuraRigError if the file cannot be read or is
    damaged."""
    clip = recording.clip()
    clip = clip.rows(slice(None, None, max(1, round(clip.fps / RATE))))
    character = Character.of(clip.skeleton)
    motions = character.motions(clip)
    body = PointBody.of(character, motions)
    return PoseClip(recording, body, body.points(motions), body.rotations(motions))


def gather(clips: Sequence[PoseClip]) -> PoseSet:
    """Return the poses of some clips as one set of arrays."""
    lengths = np.array([len(clip.points) for clip in clips])
    starts = np.cumsum(lengths) - lengths
    previous = np.concatenate(
        [start + np.maximum(np.arange(length) - 1, 0) for start, length in zip(starts, lengths, strict=True)]
    )
    rotations = np.concatenate([clip.rotations for clip in clips]).astype(np.float32)
    return PoseSet(
        rotations=rotations,
        points=np.concatenate([clip.points for clip in clips]).astype(np.float32),
        previous=previous,
        body=np.repeat(np.arange(len(clips)), lengths),
        offsets=np.stack([clip.body.offsets for clip in clips]).astype(np.float32),
        heights=np.array([clip.body.height for clip in clips], np.float32),
        fresh=np.concatenate(
            [start + fresh_rows(clip.rotations) for start, clip in zip(starts, clips, strict=True)]
        ),
    )


def rest_points(poses: PoseSet) -> np.ndarray:
    """Return the bodies' points in the reference pose `(bodies, 27, 3)`, metres."""
    rests = poses.offsets.astype(float)
    for point in range(1, rests.shape[1]):
        rests[:, point] += rests[:, PARENTS[point]]
    return rests


def figure_shape(poses: PoseSet) -> FigureShape:
    """Return the statistics of how the trunks of recorded poses bend."""
    rows, rests = poses.fresh, rest_points(poses)
    return FigureShape.of(
        poses.points[rows].astype(float), rests[poses.body[rows]], poses.heights[poses.body[rows]]
    )


def pose_prior(poses: PoseSet) -> PosePrior:
    """Return the prior of poses."""
    return PosePrior.of(poses.rotations[poses.fresh].astype(float))


def fresh_rows(rotations: np.ndarray, least: float = NEW_POSE) -> np.ndarray:
    """Return the rows of `(f, 22, 3, 3)` in which some joint has turned by `least` radians since the last
    such row."""
    rows = [0]
    chord = np.sqrt(8.0) * np.sin(least / 2.0)
    for row in range(1, len(rotations)):
        if np.linalg.norm(rotations[row] - rotations[rows[-1]], axis=(-1, -2)).max() > chord:
            rows.append(row)
    return np.array(rows)


_ROWS = np.arange(0.0, 0.76, 0.15)  # metres: depths of the table, beyond what shoulders alone do
_SHOULDERS_DO = 0.15  # metres: hands so deep hardly move hips and trunk
_WIDE = 0.06  # metres: standard deviation of the depths that count for a row
_FULL = 6.0  # frames: a clip that has so many at a depth counts half
# metres: ankles and balls of who stands are lower than this above where they usually stand, and as level
_LOW, _LEVEL = 0.07, 0.06
_STILL = 0.35  # m/s: feet that are slower stand
_TOGETHER, _WIDEST = 0.35, 0.7  # metres: how far apart feet stand at most, ahead and aside
_ARM = 0.985  # of an arm's length: as far as a hand reaches from a standing body
_AHEAD = 0.1  # metres: hands that reach are at least so far ahead of the ankles
_SEAT = 0.25  # metres: whose pelvis is farther behind the ankles sits
_HIGH = 0.9  # leg lengths of hips above ankles: who bows keeps them as high
_STANDING = 3.0  # percentile of a clip's heights at which feet stand
_SHOULDERS, _HIPS, _ANKLES, _BALLS = (
    [INDEX[f"{name}.{side}"] for side in SIDES] for name in ("shoulder", "hip", "ankle", "ball")
)


def stoop_habit(clips: Iterable[PoseClip], lowest: float = 0.0) -> StoopHabit:
    """Return the mean over clips of how people who stand reach down, each clip counting by how long it shows
    each depth.

    `lowest`: leg lengths of hips above ankles; who is lower does not count.
    """
    sums, weights = np.zeros((len(_ROWS), 5)), np.zeros((len(_ROWS), 1))
    for clip in clips:
        depths, measures = _reaching(clip)
        depths, measures = (values[measures[:, 0] >= lowest] for values in (depths, measures))
        rows = np.where(_ROWS > 0.0, _ROWS + _SHOULDERS_DO, 0.0)[:, None]
        near = np.exp(-0.5 * ((depths - rows) / _WIDE) ** 2)
        count = near.sum(axis=1, keepdims=True)
        share = count / (count + _FULL)
        sums += share * (near @ measures) / np.maximum(count, 1e-9)
        weights += share
    shown = weights[:, 0] > 0.0
    return StoopHabit(_ROWS[shown], *(sums[shown] / weights[shown]).T)


def habits_text(clips: Sequence[PoseClip]) -> str:
    """Return how people reach down, and how those do whose legs stay straight, as in the add-on's data."""
    habits = {STOOPS: stoop_habit(clips), STRAIGHT: stoop_habit(clips, _HIGH)}
    tables = {
        name: {part: json_text.rounded(row, 3) for part, row in habit._asdict().items()}
        for name, habit in habits.items()
    }
    return json_text.lines(tables)


def _reaching(clip: PoseClip) -> tuple[np.ndarray, np.ndarray]:
    """Return the depths `(f,)` of the lower hand and the measures `(f, 5)`, as in `StoopHabit`, of the frames
    in which a person stands."""
    size = clip.body.size
    rest = clip.body.rest / size
    places = clip.points / size
    frames = _stands(places)
    points, ways = _from_ankles(places[frames], clip.rotations[frames])
    ankles = rest[[INDEX["ankle.L"], INDEX["ankle.R"]]].mean(axis=0)
    depths, hands = [], []
    for side in SIDES:
        shoulder, elbow, wrist = (INDEX[f"{part}.{side}"] for part in ("shoulder", "elbow", "wrist"))
        arm = norms(rest[elbow] - rest[shoulder]) + norms(rest[wrist] - rest[elbow])
        line = points[:, wrist] - (rest[shoulder] - ankles)
        far = norms(line)
        depths.append(np.maximum(far - _ARM * arm, 0.0) * np.maximum(-line[:, 2], 0.0) / far)
        hands.append(points[:, wrist, 0])
    deepest = np.argmax(depths, axis=0)
    apart = np.abs(points[:, _ANKLES[0]] - points[:, _ANKLES[1]])
    reach = (apart[:, 0] < _TOGETHER) & (apart[:, 1] < _WIDEST) & (points[:, 0, 0] > -_SEAT)
    reach &= np.array(hands)[deepest, np.arange(len(points))] > _AHEAD
    leg = norms(rest[INDEX["knee.L"]] - rest[INDEX["hip.L"]]) + norms(
        rest[INDEX["ankle.L"]] - rest[INDEX["knee.L"]]
    )
    hips, shoulders = points[:, _HIPS].mean(axis=1), points[:, _SHOULDERS].mean(axis=1)
    line = shoulders - hips
    leans = [
        np.arctan2(line[:, 0], line[:, 2]),
        *(_pitch(ways[:, INDEX[name]]) for name in ("pelvis", "head")),
    ]
    trunk, pelvis, head = np.degrees(leans)
    measures = np.stack([hips[:, 2] / leg, -hips[:, 0] / leg, pelvis, trunk, head], axis=1)
    return np.max(depths, axis=0)[reach], measures[reach]


def _from_ankles(points: np.ndarray, rotations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return points and rotations relative to the middle of the ankles, the feet pointing ahead."""
    ankles, balls = points[:, _ANKLES].mean(axis=1), points[:, _BALLS].mean(axis=1)
    way = balls - ankles
    back = about_z(-np.arctan2(way[:, 1], way[:, 0]))[:, None]
    return rotated(back, points - ankles[:, None]), back @ rotations


def _stands(points: np.ndarray) -> np.ndarray:
    """Return in which frames of points `(f, 27, 3)` in place a person stands on both feet `(f,)`."""
    ankles, balls = points[:, _ANKLES], points[:, _BALLS]
    feet = np.concatenate([ankles, balls], axis=1)
    above = feet[..., 2] - np.percentile(feet[..., 2], _STANDING, axis=0)
    speed = norms(np.gradient(ankles, 1.0 / RATE, axis=0))
    return (
        (above < _LOW).all(axis=1)
        & (speed < _STILL).all(axis=1)
        & (np.abs(ankles[:, 0, 2] - ankles[:, 1, 2]) < _LEVEL)
    )


def _pitch(rotations: np.ndarray) -> np.ndarray:
    """Return how far rotations lean forward `(f,)`, radians."""
    return np.arctan2(rotations[:, 0, 2], rotations[:, 2, 2])
