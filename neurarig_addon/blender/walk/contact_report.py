"""Measuring a walk on the evaluated pose: the numbers of the contact report as Blender shows the character."""

from collections.abc import Generator

import bpy
import numpy as np

from ...core.body import Body
from ...core.gait.report import contact_report
from ...core.roles import SIDES, RoleMap, sided
from ..animation.alone import alone
from ..animation.seen_pose import seen
from ..character import carry, record
from ..character.controls.attachment import standing_in
from ..character.in_one_piece import DeformingBones
from . import deck
from . import source as walk_source
from .walk import WalkSource

# Which bone carries which of the body's points; where the rig lacks it, the next.  The ball lies under the toe joint and belongs to the
# toes: they press flat while the heel rises.
CARRIERS = {
    "heel": ("foot", "shin", "thigh"),
    "ball": ("toe", "foot", "shin", "thigh"),
    "toe": ("toe", "foot", "shin", "thigh"),
    "hip": ("thigh",),
    "knee": ("shin", "thigh"),
    "ankle": ("foot", "shin", "thigh"),
}
FEET, LEGS = slice(0, 3), slice(3, 6)


def measure_steps(context: bpy.types.Context, obj: bpy.types.Object, frames: np.ndarray) -> Generator[float, None, dict]:
    """Return the contact report of a walk, live or baked, over consecutive frames `(f,)`; yields the share done.

    The scene's frame is afterwards as before.  Raises NeuraRigError where the rig cannot walk.
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
            elif source.travels_with == "OBJECT" and source.path.turns:
                points[row] = _from_origin(evaluated, obj, points[row])
            elif source.travels_with == "OBJECT":
                points[row] += _object_travel(evaluated, obj)
            yield (row + 1) / len(frames)
    points = _in_walk_frame(points, source)
    if source.travels_with:
        points = pose.root.seen(points)
    return contact_report(points[:, :, FEET], points[:, :, LEGS], source.body, pose, source.clock.fps, deforming.judged(), source.ground)


class CarriedPoints:
    """The body's contact points and leg joints, each fixed to its bone as at rest, or as the character stands."""

    def __init__(self, obj: bpy.types.Object, body: Body, roles: RoleMap) -> None:
        self.bones = [[_carrier(roles, parts, side) for parts in CARRIERS.values()] for side in SIDES]
        standing = standing_in(record.attachment(obj))
        moves = {roles.get(role): move for role, move in standing.items()}
        rest = np.array([[moves.get(name, np.eye(4)) @ obj.data.bones[name].matrix_local for name in names] for names in self.bones])
        points = np.stack([getattr(body, name) for name in CARRIERS], axis=1) @ body.walk_to_armature[:3, :3].T
        points = points + body.walk_to_armature[:3, 3] - rest[..., :3, 3]
        self.local = np.einsum("spji,spj->spi", rest[..., :3, :3], points)  # rest axes are orthonormal

    def evaluated(self, obj: bpy.types.Object) -> np.ndarray:
        """Return the points `(2, points, 3)` in armature space of an evaluated object."""
        bones = obj.pose.bones
        posed = np.array([[bones[name].matrix for name in names] for names in self.bones])
        return np.einsum("spij,spj->spi", posed[..., :3, :3], self.local) + posed[..., :3, 3]


def _carrier(roles: RoleMap, parts: tuple[str, ...], side: str) -> str:
    return next(bone for part in parts if (bone := roles.get(sided(part, side))))


def _from_origin(evaluated: bpy.types.Object, obj: bpy.types.Object, points: np.ndarray) -> np.ndarray:
    """Return points `(..., 3)` of the evaluated object in the armature space of its origin."""
    moved = np.linalg.inv(np.array(carry.origin(obj))) @ np.array(evaluated.matrix_basis)
    return points @ moved[:3, :3].T + moved[:3, 3]


def _on_deck(points: np.ndarray, obj: bpy.types.Object, place: np.ndarray) -> np.ndarray:
    """Return points `(..., 3)` in the armature space of the origin as if what carries the character had not moved."""
    back = np.linalg.inv(deck.step_of(obj, place))
    return points @ back[:3, :3].T + back[:3, 3]


def _object_travel(evaluated: bpy.types.Object, obj: bpy.types.Object) -> np.ndarray:
    """Return how far the evaluated object is from the walk's origin, in armature space `(3,)`."""
    origin = np.array(carry.origin(obj).translation)
    basis = np.array(evaluated.matrix_basis)
    return np.linalg.solve(basis[:3, :3], basis[:3, 3] - origin)


def _in_walk_frame(points: np.ndarray, source: WalkSource) -> np.ndarray:
    """Return armature-space points `(..., 3)` in the walk frame, metres; the user's placement of the character is taken off."""
    to_walk = np.linalg.inv(source.rig.placement @ source.body.walk_to_armature)
    return points @ to_walk[:3, :3].T + to_walk[:3, 3]
