"""The points of the feet that touch the ground, on the exported bones."""

from typing import Any

import bpy
import numpy as np

from ...core.files.json_text import rounded
from ...core.sets.clip import FEET
from ..character.legs import CARRIERS, CarriedPoints
from ..walk.walk import WalkSource
from .skeleton import FORWARD, GameSkeleton

POINTS = ("heel", "ball", "toe")


def soles_of(obj: bpy.types.Object, source: WalkSource, skeleton: GameSkeleton) -> dict[str, Any]:
    """Return for each foot its heel, ball and toe tip: the exported `bone` that carries it, and where it is
    `at` rest.

    In metres: to the left, ahead, up; no point for a foot none of whose bones is exported.
    """
    carried, role_of = (
        CarriedPoints(obj, source.body, source.roles),
        {name: role for role, name in source.roles.bones.items()},
    )
    found: dict[str, Any] = {}
    for side, foot in enumerate(FEET):
        for column, point in enumerate(CARRIERS):
            bone = carried.bones[side][column]
            if point in POINTS and (name := skeleton.roles.get(role_of[bone])):
                rest = np.array(obj.data.bones[bone].matrix_local, dtype=float)
                place = skeleton.from_armature @ rest @ np.append(carried.local[side, column], 1.0)
                ahead, left, up = FORWARD.T @ place[:3] / skeleton.metre
                found.setdefault(foot, {})[point] = {
                    "bone": name,
                    "at": rounded(np.array([left, ahead, up]), 5),
                }
    return found
