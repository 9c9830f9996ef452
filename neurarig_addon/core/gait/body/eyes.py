"""Eyes: they go ahead of a head that turns, and to what it looks at, both within limits, and never cross."""

import numpy as np

from ...character.body import LEFT, RIGHT, Body
from ...character.motion import Motion
from ...easing import smoothstep, within
from ...geometry.rotation import from_euler, rotated, transposed
from ...skeleton.roles import SIDES, sided
from ..inputs.gaze import Sight
from ..steps.sideways import SIDE_SIGN

# Limits of eyes in the head: aside, up and down, and each towards the nose.
MOST_ASIDE, MOST_UP_AND_DOWN, MOST_INWARD = np.radians([30.0, 22.0, 7.0])
NEAREST = 0.15  # leg lengths: what is nearer to the eyes has no direction
FAR = 1.0  # leg lengths: how far ahead of an eye the control lies that it points at; nearer, a neck off by millimetres turns the eye


def eye_motions(body: Body, head: Motion, sight: Sight, influence: np.ndarray) -> dict[str, Motion]:
    """Return the motions of both eyes, carried by the head, and of the points `gaze.L` and `gaze.R` that they look at.

    `influence` `(f,)`: 1 as they look, 0 at rest.
    """
    joints = np.stack([head.carry(joint) for joint in body.eye], axis=1)
    yaw, pitch = _turned(rotated(transposed(head.rotation)[:, None], sight.place[:, None] - joints), sight, body.leg_length)
    found: dict[str, Motion] = {}
    for row, side in enumerate(SIDES):
        turn = head.rotation @ from_euler(influence * pitch, influence * yaw[:, row], 0.0 * pitch)
        found[sided("eye", side)] = Motion(turn, joints[:, row], body.eye[row])
        found[sided("gaze", side)] = Motion(turn, joints[:, row] + FAR * body.leg_length * turn[:, :, 0], body.eye[row])
    return found


def _turned(way: np.ndarray, sight: Sight, leg_length: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the eyes' yaw `(f, 2)` and pitch `(f,)` in the head, from the ways `(f, 2, 3)` in its axes from them to what is seen."""
    yaw, across = np.arctan2(way[..., 1], way[..., 0]), np.hypot(way[..., 0], way[..., 1])
    pitch = np.arctan2(-way[..., 2], np.maximum(across, 1e-9)).mean(axis=1)
    sees = sight.sees * smoothstep(across.min(axis=1) / (NEAREST * leg_length))
    aside = sees * yaw.mean(axis=1) + (1.0 - sees) * sight.yaw
    inward = sees * np.maximum(0.5 * (yaw[:, RIGHT] - yaw[:, LEFT]), 0.0)
    yaw = within(aside, MOST_ASIDE)[:, None] - SIDE_SIGN * within(inward, MOST_INWARD)[:, None]
    return yaw, within(sees * pitch + (1.0 - sees) * sight.pitch, MOST_UP_AND_DOWN)
