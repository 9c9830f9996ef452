"""A standing human, and parts of it moved."""

import numpy as np

from neurarig_addon.core.character.motion import Motion
from tests.core import retarget_bodies as given

FPS, FRAMES = 60.0, 120
HUMAN = given.human()
BODY, LEG = HUMAN.body, HUMAN.body.leg_length
LEVEL = np.tile(np.eye(3), (FRAMES, 1, 1))


def standing() -> dict[str, Motion]:
    """Return two seconds of standing at rest."""
    return {
        role: Motion(LEVEL, np.tile(HUMAN.rest_head(role), (FRAMES, 1)), HUMAN.rest_head(role))
        for role in HUMAN.roles.bones
    }


def moved(motions: dict[str, Motion], stems: tuple[str, ...], way: np.ndarray) -> dict[str, Motion]:
    """Return motions of which some are moved by `(f, 3)`."""
    return {
        role: given.shifted(motion, way) if role.startswith(stems) else motion
        for role, motion in motions.items()
    }
