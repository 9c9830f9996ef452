"""The contact report, measured on the evaluated pose as Blender shows the character."""

from collections.abc import Generator

import bpy
import numpy as np

from ...core.gait.report import contact_report
from ..animation.evaluated_pose import seen
from ..animation.scratch import alone
from ..character import carry
from ..character.carried_points import CARRIERS, FEET, LEGS, CarriedPoints
from ..character.in_one_piece import DeformingBones
from . import source as walk_source
from .ground import deck
from .walk import WalkSource


def measure_steps(context: bpy.types.Context, obj: bpy.types.Object, frames: np.ndarray) -> Generator[float, None, dict]:
    """Return the contact report of a walk, live or baked, over consecutive frames `(f,)`; yields the share done.

    The scene's frame is restored.  Raises NeuraRigError if the rig cannot walk.
    """
    scene = context.scene
    source = walk_source.source_of(obj, scene)
    pose = source.pose(frames)
    points = np.empty((len(frames), 2, len(CARRIERS), 3))
    carried = CarriedPoints(obj, source.body, source.roles)
    deforming = DeformingBones(obj, scene, source.roles, len(frames))
    carrier = deck.of(obj)
    with alone(scene, obj, *([carrier] if carrier else [])) as passing:
        for row, frame in enumerate(frames):
            evaluated = seen(passing, obj, frame)
            points[row] = carried.evaluated(evaluated)
            deforming.look(row, evaluated)
            if carrier:
                points[row] = _on_deck(
                    _from_origin(evaluated, obj, points[row]), obj, deck.place_at(carrier, passing.view_layers[0].depsgraph)
                )
            elif source.travels_with == "OBJECT" and source.turns:
                points[row] = _from_origin(evaluated, obj, points[row])
            elif source.travels_with == "OBJECT":
                points[row] += _object_travel(evaluated, obj)
            yield (row + 1) / len(frames)
    points = _in_walk_frame(points, source)
    if source.travels_with:
        points = pose.root.seen(points)
    return contact_report(points[:, :, FEET], points[:, :, LEGS], source.body, pose, source.clock.fps, deforming.judged(), source.ground)


def _from_origin(evaluated: bpy.types.Object, obj: bpy.types.Object, points: np.ndarray) -> np.ndarray:
    """Return points `(..., 3)` of the evaluated object in the armature space of its origin."""
    moved = np.linalg.inv(np.array(carry.origin(obj))) @ np.array(evaluated.matrix_basis)
    return points @ moved[:3, :3].T + moved[:3, 3]


def _on_deck(points: np.ndarray, obj: bpy.types.Object, place: np.ndarray) -> np.ndarray:
    """Return points `(..., 3)` in the armature space of the origin, as if the deck had not moved."""
    back = np.linalg.inv(deck.step_of(obj, place))
    return points @ back[:3, :3].T + back[:3, 3]


def _object_travel(evaluated: bpy.types.Object, obj: bpy.types.Object) -> np.ndarray:
    """Return how far the evaluated object is from the walk's origin, in armature space `(3,)`."""
    origin = np.array(carry.origin(obj).translation)
    basis = np.array(evaluated.matrix_basis)
    return np.linalg.solve(basis[:3, :3], basis[:3, 3] - origin)


def _in_walk_frame(points: np.ndarray, source: WalkSource) -> np.ndarray:
    """Return armature-space points `(..., 3)` in the walk frame, metres, without the user's placement of the character."""
    to_walk = np.linalg.inv(source.rig.placement @ source.body.walk_to_armature)
    return points @ to_walk[:3, :3].T + to_walk[:3, 3]
