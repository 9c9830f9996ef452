"""Characters whose frames are compared, however they were reached."""

from collections.abc import Callable

import bpy
import numpy as np

from neurarig_addon.blender import api
from tests.blender.moving import (
    FIRST,
    LAST,
)
from tests.blender.walking import played, seen, walker
from tests.rigs import biped, build

SAME = 1e-5  # metres, of a character of its own size; they grow to twice that
SCRUBBED = (32, 3, 20, 7, 13, 1, 28, 12.5, 20)


def walks(**settings: object) -> Callable[[], bpy.types.Object]:
    return lambda: walker(**settings)


def follows(root: str = "IN_PLACE") -> bpy.types.Object:
    source = walker("Source", mode="TRAVEL")
    obj = build(biped(), "Hero")
    api.bake_walk(source, frame_start=FIRST, frame_end=LAST)
    api.link_retarget(obj, source=source, root=root)
    return obj


CHARACTERS = {
    "in place": walks(),
    "travelling": walks(mode="TRAVEL"),
    "root bone": walks(mode="TRAVEL", travel_with="BONE"),
    "fk": walks(controls="FK"),
    "linked": follows,
}


def _same_however_reached(obj: bpy.types.Object) -> np.ndarray:
    frames = np.array([*range(FIRST, LAST + 1)], dtype=float)
    forward = played(obj, frames)
    for frame in SCRUBBED:
        now = seen(obj, frame)
        if not frame % 1:
            assert np.abs(now - forward[int(frame) - FIRST]).max() < SAME, frame
        assert np.abs(seen(obj, frame) - now).max() < SAME, frame
    return forward
