"""Recorded poses of people, each on the own body scaled to one height, without near repeats."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import in_parents
from neurarig_addon.training.pose.poses import PoseClip, read_clip, recordings
from tests.shared_data import find_shared

HEIGHT = 1.75  # metres from ball to top of the head: what a millimetre in the table refers to
APART = np.radians(5.0)  # RMS over the joints: poses nearer than this count once


@dataclass(frozen=True)
class Poses:
    """Poses of one body: `rotations` `(n, 22, 3, 3)` away from the reference pose and the pelvis' place
    `root` `(n, 3)`, metres."""

    body: PointBody
    rotations: np.ndarray
    root: np.ndarray

    def __len__(self) -> int:
        return len(self.rotations)

    def rows(self, chosen: np.ndarray | slice) -> "Poses":
        """Return some of the poses."""
        return Poses(self.body, self.rotations[chosen], self.root[chosen])

    def on(self, body: PointBody) -> "Poses":
        """Return the same rotations on another body."""
        return Poses(body, self.rotations, self.root)

    @property
    def points(self) -> np.ndarray:
        """Return the places of the points `(n, 27, 3)`."""
        return self.body.forward(self.rotations, self.root)


def mocap_folder(named: Path | None = None) -> Path:
    """Return the folder of the motion capture: the one that is named, else `data/mocap` of the shared
    data."""
    folder = named or find_shared("data", "mocap")
    if folder is None:
        raise SystemExit(
            "The motion capture is missing; name its folder with --data, or the shared data with"
            " NEURARIG_SHARED."
        )
    return folder


def recorded(folder: Path, part: str, every: int = 1) -> list[Poses]:
    """Return one part of the split clip by clip, every n-th of 30 frames a second."""
    return [_poses(read_clip(recording), every) for recording in recordings(folder, part)]


def distinct(clips: list[Poses], per_body: int | None = None, seed: int = 0) -> list[Poses]:
    """Return for each body the poses that are all APART from each other, at most `per_body` drawn from them
    at random."""
    rotations = np.concatenate([clip.rotations for clip in clips])
    chosen = spread(in_parents(rotations)[:, 1:].reshape(len(rotations), -1), APART, seed)
    found: dict[bytes, list[Poses]] = {}
    for clip, rows in _in_clips(clips, np.sort(chosen)):
        found.setdefault(clip.body.rest.tobytes(), []).append(clip.rows(rows))
    return [_sample(joined(group), per_body, seed) for group in found.values()]


def joined(parts: list[Poses]) -> Poses:
    """Return poses of one body one after the other."""
    return Poses(
        parts[0].body,
        np.concatenate([part.rotations for part in parts]),
        np.concatenate([part.root for part in parts]),
    )


def _sample(poses: Poses, count: int | None, seed: int) -> Poses:
    return poses.rows(np.sort(np.random.default_rng(seed).permutation(len(poses))[:count]))


def spread(features: np.ndarray, apart: float, seed: int) -> np.ndarray:
    """Return rows of joint rotations `(n, joints * 9)` of which no two are nearer than `apart` (RMS angle in
    radians), greedily.

    A small angle a between rotations is a distance of sqrt(2) a between their matrices.
    """
    features = np.asarray(features, dtype=np.float32)
    nearest = np.sqrt(2.0 * features.shape[1] / 9.0) * apart
    left = np.random.default_rng(seed).permutation(len(features))
    kept = []
    while len(left):
        kept.append(left[0])
        left = left[np.linalg.norm(features[left] - features[left[0]], axis=-1) > nearest]
    return np.array(kept, dtype=int)


def _in_clips(clips: list[Poses], chosen: np.ndarray) -> Iterator[tuple[Poses, np.ndarray]]:
    """Yield each clip with those of its rows that are among the `chosen` rows of all clips together."""
    first = 0
    for clip in clips:
        inside = chosen[(chosen >= first) & (chosen < first + len(clip))] - first
        if len(inside):
            yield clip, inside
        first += len(clip)


def _poses(clip: PoseClip, every: int) -> Poses:
    """Return the poses of a clip with its body scaled to HEIGHT."""
    scale = HEIGHT / clip.body.height
    body = replace(clip.body, rest=scale * clip.body.rest, at_rest=scale * clip.body.at_rest)
    return Poses(body, clip.rotations[::every], scale * clip.points[::every, 0])
