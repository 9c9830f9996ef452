"""Bodies of points for the record's poses, and poses drawn for them."""

from functools import cache

import numpy as np

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry.rotation import about_y, about_z
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.core.neural_rigs import local_pose, possible
from tests.core.record.motions import crooked

FRAMES = 4
LACKING = {
    "hands": ("hand",),
    "arms": ("clavicle", "upper_arm", "forearm", "hand"),
    "feet": ("foot", "toe"),
    "shins": ("shin", "foot", "toe"),
    "neck": ("neck",),
}


@cache
def subject(build: str = "three spine bones", lacking: str = "") -> PointBody:
    """Return a body whose every bone is elsewhere by a little."""
    whole = crooked(7, build)
    kept = {role: bone for role, bone in whole.roles.bones.items() if role.partition(".")[0] not in LACKING.get(lacking, ())}
    return PointBody.of(Character.of(whole.skeleton, RoleMap(kept)))


def bent(seed: int, frames: int = FRAMES) -> np.ndarray:
    """Return poses `(f, 22, 3, 3)` as people have them, more or less."""
    draw = np.random.default_rng(seed)
    turns = local_pose(draw, frames, 0.25)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        turns[:, INDEX[f"knee.{side}"]] = turns[:, INDEX[f"hip.{side}"]] @ about_y(draw.uniform(0.1, 1.2, frames))
        turns[:, INDEX[f"elbow.{side}"]] = turns[:, INDEX[f"shoulder.{side}"]] @ about_z(-sign * draw.uniform(0.1, 1.5, frames))
    return about_z(draw.uniform(-2.0, 2.0, frames))[:, None] @ turns


def posed(body: PointBody, seed: int, frames: int = FRAMES) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rotations, the pelvis' place and the points of poses that a body can have."""
    rotations = possible(body, bent(seed, frames))
    root = np.random.default_rng(seed).normal(size=(frames, 3)) * 0.3 + [0.0, 0.0, 0.9]
    return rotations, root, body.forward(rotations, root)
