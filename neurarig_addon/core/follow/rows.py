"""A pose that is known on whole frames, as a motion at any time: repeated, or gone on beyond its ends."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..character.motion import Motion, Posed
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
    """Return a pose that repeats from where it has come to; it goes straight on."""
    count, first, root = len(pose.frames) - 1, float(pose.frames[0]), pose.root

    def sampled(frames: np.ndarray) -> Mapping[str, Motion]:
        laps, rows = np.divmod(np.rint(frames - first).astype(int), count)
        way = laps[:, None] * (root.position[-1] - root.position[0])
        return {holder: root.holding(motion_of(pose.motions, holder))[rows].moved(way) for holder in holders}

    return sampled


def _gone_on(pose: Posed, holders: Sequence[str], fps: float) -> Sampled:
    """Return a pose whose root goes straight on beyond both ends, while all else comes to rest."""
    first, last = float(pose.frames[0]), float(pose.frames[-1])

    def sampled(frames: np.ndarray) -> Mapping[str, Motion]:
        rows = np.rint(np.clip(frames, first, last) - first).astype(int)
        beyond = (frames - np.clip(frames, first, last))[:, None] / fps
        rested = np.sign(beyond) * SETTLES_S * (1.0 - np.exp(-np.abs(beyond) / SETTLES_S))
        root = pose.root[rows].moved(beyond * _speeds(pose.root, beyond, fps))
        found = {}
        for holder in holders:
            motion = motion_of(pose.motions, holder)
            found[holder] = root.holding(motion[rows].moved(rested * _speeds(motion, beyond, fps)))
        return found

    return sampled


def _speeds(motion: Motion, beyond: np.ndarray, fps: float) -> np.ndarray:
    """Return how fast a motion is at the end of it `(f, 3)` that times are `beyond` `(f, 1)`."""
    place = motion.position
    return fps * np.where(beyond < 0.0, place[1] - place[0], place[-1] - place[-2])
