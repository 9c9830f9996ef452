"""A pose that is known on whole frames, as a motion at any time: repeated, or gone on beyond its ends."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..character.motion import Motion, Posed
from ..geometry.rotation import from_rotation_vector, rotated, rotation_vector
from ..posing.channels import Channels
from .follow import Grid, Sampled, motion_of
from .following import Following, Hanging

SETTLES_S = 0.2  # seconds in which what moves at the ends of a clip comes to rest beyond them


def followed_rows(
    hanging: Hanging | None, channels: Channels, pose: Posed, fps: float, leg: float, repeats: bool = False
) -> Channels:
    """Return channels of a pose on consecutive whole frames with those of what follows it; `repeats`: its
    last frame is its first one, farther on."""
    if hanging is None or len(pose.frames) < 2:
        return channels
    return following_rows(hanging, pose, fps, leg, repeats).over(channels, pose)


def following_rows(hanging: Hanging, pose: Posed, fps: float, leg: float, repeats: bool = False) -> Following:
    """Return how what hangs on a character follows a pose on consecutive whole frames."""
    grid = Grid(fps, 1, len(pose.frames) - 1 if repeats else 0)
    holders = tuple(dict.fromkeys(chain.holder for chain in hanging.chains))
    sampled = _repeated(pose, holders) if repeats else _gone_on(pose, holders, fps)
    return hanging.following(sampled, grid, leg)


def _repeated(pose: Posed, holders: Sequence[str]) -> Sampled:
    """Return a pose that repeats from where it has come to."""
    count, first, root = len(pose.frames) - 1, float(pose.frames[0]), pose.root
    turn = root.rotation[-1] @ root.rotation[0].T
    shift = root.position[-1] - turn @ root.position[0]

    def sampled(frames: np.ndarray) -> Mapping[str, Motion]:
        laps, rows = np.divmod(np.rint(frames - first).astype(int), count)
        turns, shifts = np.empty((len(laps), 3, 3)), np.empty((len(laps), 3))
        for lap in np.unique(laps).tolist():
            turns[laps == lap], shifts[laps == lap] = _lap(turn, shift, lap)
        found = {}
        for holder in holders:
            motion = root.holding(motion_of(pose.motions, holder))[rows]
            place = rotated(turns, motion.position) + shifts
            found[holder] = Motion(turns @ motion.rotation, place, motion.rest)
        return found

    return sampled


def _lap(turn: np.ndarray, shift: np.ndarray, laps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rotation and the shift of a number of laps, also of fewer than none."""
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = turn, shift
    found = np.linalg.matrix_power(whole, laps)
    return found[:3, :3], found[:3, 3]


def _gone_on(pose: Posed, holders: Sequence[str], fps: float) -> Sampled:
    """Return a pose whose root goes straight on beyond both ends, while all else comes to rest."""
    first, last = float(pose.frames[0]), float(pose.frames[-1])

    def sampled(frames: np.ndarray) -> Mapping[str, Motion]:
        rows = np.rint(np.clip(frames, first, last) - first).astype(int)
        beyond = (frames - np.clip(frames, first, last)) / fps
        root = _beyond(pose.root, rows, beyond, fps, goes_on=True)
        return {
            holder: root.holding(_beyond(motion_of(pose.motions, holder), rows, beyond, fps, goes_on=False))
            for holder in holders
        }

    return sampled


def _beyond(motion: Motion, rows: np.ndarray, beyond: np.ndarray, fps: float, goes_on: bool) -> Motion:
    """Return a motion at rows `(f,)`, and `beyond` these by seconds `(f,)`; `goes_on`: it moves on evenly."""
    rested = np.sign(beyond) * SETTLES_S * (1.0 - np.exp(-np.abs(beyond) / SETTLES_S))
    at_end = (beyond > 0.0).astype(int)
    ends = [(1, 0), (-1, -2)]
    speeds = np.stack([motion.position[later] - motion.position[sooner] for later, sooner in ends]) * fps
    steps = [motion.rotation[later] @ motion.rotation[sooner].T for later, sooner in ends]
    rates = rotation_vector(np.stack(steps)) * fps
    way = (beyond if goes_on else rested)[:, None] * speeds[at_end]
    turn = from_rotation_vector(rested[:, None] * rates[at_end])
    return Motion(turn @ motion.rotation[rows], motion.position[rows] + way, motion.rest)
