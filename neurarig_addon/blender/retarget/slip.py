"""Measuring a retargeted clip on the evaluated pose: slip, penetration and reach as Blender shows the character."""

from collections.abc import Generator

import bpy
import numpy as np

from ...core.retarget.options import Root
from ...core.retarget.report import clip_report
from ..animation.evaluated_pose import seen
from ..animation.scratch import alone
from ..character import carry, stiff_legs
from ..character.carried_points import CARRIERS, FEET, LEGS, CarriedPoints
from ..character.in_one_piece import DeformingBones
from .clip import TargetClip


def measure_steps(context: bpy.types.Context, obj: bpy.types.Object, clip: TargetClip) -> Generator[float, None, dict]:
    """Return the contact report of a clip playing on an object; yields the share done; the scene's frame is restored afterwards."""
    body, rig = clip.target.character.body, clip.target.rig
    carried = CarriedPoints(obj, body, clip.target.character.roles)
    points = np.empty((len(clip.frames), 2, len(CARRIERS), 3))
    deforming = DeformingBones(obj, context.scene, clip.target.character.roles, len(clip.frames))
    to_origin = np.linalg.inv(np.array(carry.origin(obj)))
    with alone(context.scene, obj) as passing:
        for row, frame in enumerate(clip.frames):
            evaluated = seen(passing, obj, int(frame))
            points[row] = carried.evaluated(evaluated)
            deforming.look(row, evaluated)
            if clip.root is Root.OBJECT:
                points[row] = _moved(points[row], to_origin @ np.array(evaluated.matrix_basis))
            yield (row + 1) / len(clip.frames)
    points = _moved(points, np.linalg.inv(rig.placement @ body.walk_to_armature))
    if clip.root is Root.IN_PLACE:  # with the travel that is left out of the character
        left_out = clip.retargeted.pose.root
        points = np.einsum("fij,fspj->fspi", left_out.rotation, points - left_out.rest) + left_out.position[:, None, None]
    retargeted = clip.retargeted
    report = clip_report(points[:, :, FEET], points[:, :, LEGS], body, retargeted.pivots, retargeted.fps, deforming.judged())
    return report | ({"cure": cure} if (cure := stiff_legs.sentence(obj)) else {})


def _moved(points: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    return points @ matrix[:3, :3].T + matrix[:3, 3]
