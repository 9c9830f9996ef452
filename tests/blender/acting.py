"""Things for acts, and the acts of a walk."""

from pathlib import Path

import bpy
import numpy as np

from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.core.acts.program import Program
from tests.blender.leading import mesh

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
FACES = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])

Sizes = tuple[float, float, float]


def boxes(name: str, parts: list[tuple[Sizes, Sizes]], place: Sizes, turn: float = 0.0) -> bpy.types.Object:
    """Return an object of boxes, each with its middle and its size, at a place and turned about z."""
    corners = np.concatenate([CORNERS * size + np.array(middle) for middle, size in parts])
    found = mesh(name, corners, np.concatenate([FACES + 8 * number for number in range(len(parts))]))
    found.location, found.rotation_euler.z = place, turn
    bpy.context.view_layer.update()
    return found


def box(name: str, middle: Sizes, size: Sizes) -> bpy.types.Object:
    """Return a box object; the character walks along -Y."""
    return boxes(name, [((0.0, 0.0, 0.0), size)], middle)


def armchair(name: str, place: tuple[float, float], faces: float) -> bpy.types.Object:
    """Return an armchair whose seat is 0.45 m high, on the ground at a place, that faces so many radians from
    +X."""
    parts = [
        ((0.0, 0.0, 0.225), (0.5, 0.5, 0.45)),
        ((-0.23, 0.0, 0.7), (0.05, 0.5, 0.5)),
        ((0.02, 0.29, 0.33), (0.45, 0.08, 0.66)),
        ((0.02, -0.29, 0.33), (0.45, 0.08, 0.66)),
    ]
    return boxes(name, parts, (*place, 0.0), faces)


def program_of(obj: bpy.types.Object) -> Program:
    found = walk_source.source_of(obj, bpy.context.scene).program
    assert found is not None
    return found


def where(thing: bpy.types.Object, frame: float) -> np.ndarray:
    """Return the world matrix `(4, 4)` of a thing on a frame."""
    bpy.context.scene.frame_set(int(frame))
    return np.array(thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)


def empty(name: str) -> bpy.types.Object:
    made = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(made)
    return made


def instanced(part: bpy.types.Object, _: Path) -> bpy.types.Object:
    """Return an instance of a collection that holds only a part."""
    held = bpy.data.collections.new(f"Of {part.name}")
    bpy.context.scene.collection.objects.unlink(part)
    held.objects.link(part)
    made = empty(f"Instance of {part.name}")
    made.instance_type, made.instance_collection = "COLLECTION", held
    return made


def parent(part: bpy.types.Object, _: Path) -> bpy.types.Object:
    part.parent = empty(f"Holds {part.name}")
    return part.parent
