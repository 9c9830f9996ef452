"""Clips that walk in place: the ground under them moves like a treadmill's belt, and is brought to rest."""

from collections.abc import Mapping

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from .contacts import foot_points

LOWEST = 0.06  # leg lengths above a foot point's lowest place: below this it is mostly on the ground
ALIKE = 0.25  # leg lengths per second: velocities closer than this belong to one belt
MOST = 0.25  # share of the low moments that the belt must explain
AT_LEAST = 0.35  # leg lengths per second: a slower belt is just imprecise contacts
STAYS = 0.15  # share of the belt's speed: a body that travels faster walks through the world
ROUNDS = 8


def belt_velocity(body: Body, motions: Mapping[str, Motion], fps: float) -> np.ndarray:
    """Return the velocity `(2,)` in m/s of the ground under a clip: 0 unless the body stays in place while low feet move.

    The most common velocity of low foot points, found by mean shift; for a travelling clip it is 0.
    """
    leg = body.leg_length
    places = foot_points(body, motions)
    if len(places) < 3:
        return np.zeros(2)
    velocity = np.gradient(places[..., :2], axis=0) * fps
    low = places[..., 2] < np.percentile(places[..., 2], 2.0, axis=0) + LOWEST * leg
    samples = velocity[low]
    centre = np.median(samples, axis=0)
    near = np.linalg.norm(samples - centre, axis=-1) < 2.0 * ALIKE * leg
    for _ in range(ROUNDS):
        if near.any():
            centre = samples[near].mean(axis=0)
        near = np.linalg.norm(samples - centre, axis=-1) < ALIKE * leg
    pelvis = motions["pelvis"].position
    travel = np.linalg.norm(pelvis[-1, :2] - pelvis[0, :2]) * fps / (len(pelvis) - 1)
    speed = float(np.linalg.norm(centre))
    return centre if near.mean() > MOST and speed > AT_LEAST * leg and travel < STAYS * speed else np.zeros(2)


def off_the_belt(motions: Mapping[str, Motion], velocity: np.ndarray, fps: float) -> dict[str, Motion]:
    """Return motions over still ground, given the ground's `velocity` `(2,)` in m/s."""
    seconds = np.arange(len(motions["pelvis"].position)) / fps
    way = np.column_stack([-seconds[:, None] * velocity, np.zeros(len(seconds))])
    return {role: Motion(motion.rotation, motion.position + way, motion.rest) for role, motion in motions.items()}
