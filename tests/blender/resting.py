"""Humans whose rest pose does not stand: lying, sitting, broken; and how one is posed as another rests."""

from dataclasses import replace

import bpy
import numpy as np
from mathutils import Matrix, Vector

from tests.rigs import Bone, biped, build, make_active

BONES = [bone.name for bone in biped()]


def turned(table: list[Bone], names: tuple[str, ...], axis: str, degrees: float) -> list[Bone]:
    """Return a table with bones, and all below them, turned about their heads by an axis of the world."""
    for name in names:
        head = Vector(next(bone.head for bone in table if bone.name == name))
        turn = (
            Matrix.Translation(head)
            @ Matrix.Rotation(np.radians(degrees), 4, axis)
            @ Matrix.Translation(-head)
        )
        below = {name}
        for bone in table:
            below |= {bone.name} if bone.parent in below else set()
        table = [moved(bone, turn) if bone.name in below else bone for bone in table]
    return table


def moved(bone: Bone, matrix: Matrix) -> Bone:
    return replace(bone, head=tuple(matrix @ Vector(bone.head)), tail=tuple(matrix @ Vector(bone.tail)))


def lying(axis: str, degrees: float, table: list[Bone] | None = None) -> list[Bone]:
    """Return a human turned as a whole about the origin."""
    return [moved(bone, Matrix.Rotation(np.radians(degrees), 4, axis)) for bone in table or biped()]


def sitting() -> list[Bone]:
    thighs = turned(biped(), ("LeftUpLeg", "RightUpLeg"), "X", -90.0)
    return turned(thighs, ("LeftLeg", "RightLeg"), "X", 90.0)


def broken() -> list[Bone]:
    """Return a human with one leg pulled up and its trunk bent forward."""
    leg = turned(turned(biped(), ("LeftUpLeg",), "X", -60.0), ("LeftLeg",), "X", 80.0)
    return turned(leg, ("Spine",), "X", 30.0)


def gaps(joints: np.ndarray) -> np.ndarray:
    """Return the distances between all joints `(frames, bones, bones)`: how a character is posed, wherever it
    stands."""
    heads = joints[:, :, 0]
    return np.linalg.norm(heads[:, :, None] - heads[:, None], axis=-1)


def posed_as(obj: bpy.types.Object, table: list[Bone]) -> None:
    """Pose a human as another stands at rest."""
    guide = build(table, "Guide")
    for bone in (bone.name for bone in table):
        bpy.context.view_layer.update()
        obj.pose.bones[bone].matrix = guide.pose.bones[bone].matrix
    bpy.data.objects.remove(guide)
    bpy.context.view_layer.update()
    make_active(obj)
