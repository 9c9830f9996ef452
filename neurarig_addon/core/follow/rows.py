"""A pose that is known on whole frames, as a motion at any time: repeated, or gone on beyond its ends."""

import numpy as np

from ..character.motion import Motion, Posed
from ..posing.channels import Channels
from .follow import Grid, motion_of
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
    """Return how what hangs on a character follows a pose on consecutive whole frames.

    One that `repeats` begins anew where it has come to. Beyond the ends of another its root goes straight on,
    while all else comes to rest.
    """
    count, first, root = len(pose.frames) - 1, float(pose.frames[0]), pose.root
    motions = {chain.holder: motion_of(pose.motions, chain.holder) for chain in hanging.chains}

    def sampled(frames: np.ndarray) -> dict[str, Motion]:
        at = np.rint(frames - first).astype(int)
        laps, rows = np.divmod(at, count) if repeats else (np.zeros_like(at), np.clip(at, 0, count))
        beyond = (at - rows - laps * count)[:, None] / fps
        rested = np.sign(beyond) * SETTLES_S * (1.0 - np.exp(-np.abs(beyond) / SETTLES_S))
        way = laps[:, None] * (root.position[-1] - root.position[0]) + beyond * _speeds(root, beyond, fps)
        gone = root[rows].moved(way)
        return {
            holder: gone.holding(motion[rows].moved(rested * _speeds(motion, beyond, fps)))
            for holder, motion in motions.items()
        }

    return hanging.following(sampled, Grid(fps, 1, count if repeats else 0), leg)


def _speeds(motion: Motion, beyond: np.ndarray, fps: float) -> np.ndarray:
    """Return how fast a motion is at the end of it `(f, 3)` that times are `beyond` `(f, 1)`."""
    place = motion.position
    return fps * np.where(beyond < 0.0, place[1] - place[0], place[-1] - place[-2])
