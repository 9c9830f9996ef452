"""What stands in the scene of a recipe: stairs, a box and a table, an armchair, a puddle, a hill, a way."""

from collections.abc import Sequence

import bpy
import numpy as np

from demo import course

RISER_M, TREAD_M, STEPS = 0.16, 0.30, 5
ROUND = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)


def stairs() -> bpy.types.Object:
    """Add a floor with steps that lead up to a landing, as one mesh."""
    noses = -1.4 - TREAD_M * np.arange(STEPS)
    # of the foot and the edge of each step, then of the landing
    along = np.append(np.repeat(noses, 2), noses[-1] - 3.0)
    height = RISER_M * np.append(np.stack([np.arange(STEPS), np.arange(1, STEPS + 1)], axis=1).ravel(), STEPS)
    y, x = np.meshgrid(along, np.linspace(-0.6, 0.6, 9), indexing="ij")
    mesh = course.grid_mesh(
        "Stairs", np.stack([x, y, np.broadcast_to(height[:, None], x.shape)], axis=-1), sides=True
    )
    return linked(bpy.data.objects.new("Stairs", mesh))


def mound(x: float, y: float, radius: float, height: float) -> bpy.types.Object:
    """Add a low round hill that rises gently out of the floor."""
    share, turn = np.meshgrid(np.linspace(0.0, 1.0, 17), np.append(ROUND, 2.0 * np.pi), indexing="ij")
    up = height * np.cos(0.5 * np.pi * share) ** 2
    mesh = course.grid_mesh(
        "Mound",
        np.stack([x + radius * share * np.cos(turn), y + radius * share * np.sin(turn), up], axis=-1),
    )
    mesh.shade_smooth()
    return linked(bpy.data.objects.new("Mound", mesh))


def box_and_table() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Add a box on the way, and a table across it farther on."""
    box = block("Box", (-0.19, -1.34, 0.0), (0.19, -1.06, 0.26))
    return box, block("Table", (-0.5, -3.6, 0.7), (0.5, -2.9, 0.74))


def armchair() -> bpy.types.Object:
    """Add an armchair that faces where the walk comes from."""
    parts = [
        block("Chair", (-0.26, -2.5, 0.36), (0.26, -2.0, 0.44)),
        block("Back", (-0.26, -2.54, 0.36), (0.26, -2.48, 0.95)),
        block("Left Arm", (0.25, -2.5, 0.3), (0.31, -2.05, 0.64)),
        block("Right Arm", (-0.31, -2.5, 0.3), (-0.25, -2.05, 0.64)),
    ]
    with bpy.context.temp_override(active_object=parts[0], selected_editable_objects=parts):
        bpy.ops.object.join()
    return parts[0]


def block(name: str, low: Sequence[float], high: Sequence[float]) -> bpy.types.Object:
    """Add a box between two corners; its origin is in its middle."""
    low, high = np.array(low, float), np.array(high, float)
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * (
        high - low
    )
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(
        corners.tolist(),
        [],
        [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)],
    )
    box = linked(bpy.data.objects.new(name, mesh))
    box.location = (low + high) / 2.0
    bpy.context.view_layer.update()
    return box


def disc(name: str, x: float, y: float, radius: float) -> bpy.types.Object:
    """Add something round and flat that lies on the floor."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(
        [(x + radius * np.cos(turn), y + radius * np.sin(turn), 0.002) for turn in ROUND],
        [],
        [tuple(range(len(ROUND)))],
    )
    return linked(bpy.data.objects.new(name, mesh))


def linked(obj: bpy.types.Object) -> bpy.types.Object:
    """Return an object, now in the scene."""
    bpy.context.scene.collection.objects.link(obj)
    return obj
