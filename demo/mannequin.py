"""A body around a rig, and a mannequin's around a generated Rigify human: convex parts melted into one skin,
with automatic weights."""

from collections.abc import Sequence
from dataclasses import dataclass

import bmesh
import bpy
import numpy as np

VOXEL_M = 0.018
SMOOTHING_STEPS = 6
SPHERE_SEGMENTS, SPHERE_RINGS = 16, 10
TRUNK_COLOUR, LEFT_COLOUR, RIGHT_COLOUR = np.array(
    [[0.80, 0.78, 0.74], [0.90, 0.36, 0.13], [0.12, 0.36, 0.64]]
)
BLEND = (0.35, 0.65)  # a limb's share of a vertex's weight between which the colours blend

Radii = tuple[float, float, float]


@dataclass(frozen=True)
class Ball:
    """An ellipsoid at `along` (0 head .. 1 tail) of a bone, `shift` away from it; metres, armature axes (the
    character faces -Y)."""

    bone: str
    along: float
    radii: Radii
    shift: Radii = (0.0, 0.0, 0.0)


Part = tuple[Ball, ...]  # their convex hull

TRUNK = (
    (Ball("DEF-spine", 0.2, (0.16, 0.115, 0.11)), Ball("DEF-spine", 0.9, (0.14, 0.1, 0.09))),
    (Ball("DEF-spine", 0.8, (0.138, 0.098, 0.09)), Ball("DEF-spine.001", 0.9, (0.145, 0.1, 0.09))),
    (
        Ball("DEF-spine.001", 0.7, (0.14, 0.1, 0.09)),
        Ball("DEF-spine.003", 0.1, (0.18, 0.125, 0.12)),
        Ball("DEF-spine.003", 0.55, (0.16, 0.095, 0.08)),
    ),
    (Ball("DEF-spine.003", 0.6, (0.13, 0.08, 0.07)), Ball("DEF-spine.004", 0.4, (0.062, 0.062, 0.04))),
    (Ball("DEF-spine.004", 0.0, (0.062, 0.064, 0.05)), Ball("DEF-spine.006", 0.1, (0.058, 0.062, 0.05))),
    (
        Ball("DEF-spine.006", 0.6, (0.088, 0.108, 0.1)),
        Ball("DEF-spine.006", 0.12, (0.055, 0.068, 0.05), (0.0, -0.04, 0.0)),
    ),
)
CALF, ANKLE_BACK = (0.0, 0.018, 0.0), (0.0, 0.012, 0.0)
HEEL, BALL_OF_FOOT, TOES = (0.0, 0.036, -0.05), (0.0, 0.0, 0.012), (0.0, 0.0, 0.006)
LIMBS = (
    (
        Ball("DEF-thigh", 0.0, (0.098, 0.108, 0.1), (0.008, 0.012, 0.0)),
        Ball("DEF-thigh", 0.6, (0.095, 0.1, 0.08)),
    ),
    (Ball("DEF-thigh", 0.5, (0.095, 0.1, 0.08)), Ball("DEF-thigh.001", 0.95, (0.066, 0.071, 0.06))),
    (
        Ball("DEF-shin", 0.0, (0.064, 0.068, 0.06)),
        Ball("DEF-shin", 0.55, (0.063, 0.07, 0.08), CALF),
        Ball("DEF-shin.001", 0.2, (0.05, 0.053, 0.05), ANKLE_BACK),
    ),
    (
        Ball("DEF-shin", 0.8, (0.053, 0.056, 0.06), ANKLE_BACK),
        Ball("DEF-shin.001", 0.95, (0.041, 0.047, 0.045)),
    ),
    (
        Ball("DEF-foot", 0.0, (0.041, 0.05, 0.045), (0.0, 0.01, -0.01)),
        Ball("DEF-foot", 0.0, (0.038, 0.042, 0.035), HEEL),
        Ball("DEF-toe", 0.0, (0.05, 0.045, 0.032), BALL_OF_FOOT),
    ),
    (
        Ball("DEF-foot", 0.0, (0.038, 0.042, 0.032), HEEL),
        Ball("DEF-toe", 0.0, (0.05, 0.045, 0.032), BALL_OF_FOOT),
        Ball("DEF-toe", 0.75, (0.046, 0.035, 0.022), TOES),
    ),
    (
        Ball("DEF-shoulder", 0.2, (0.07, 0.07, 0.055), (0.03, 0.06, -0.05)),
        Ball("DEF-shoulder", 0.75, (0.055, 0.062, 0.055), (0.0, 0.0, -0.02)),
        Ball("DEF-upper_arm", 0.05, (0.074, 0.07, 0.072)),
    ),
    (
        Ball("DEF-upper_arm", 0.05, (0.07, 0.067, 0.07)),
        Ball("DEF-upper_arm.001", 0.3, (0.053, 0.056, 0.053)),
        Ball("DEF-upper_arm.001", 1.0, (0.042, 0.046, 0.042)),
    ),
    (
        Ball("DEF-forearm", 0.0, (0.043, 0.047, 0.043)),
        Ball("DEF-forearm", 0.5, (0.048, 0.049, 0.046)),
        Ball("DEF-forearm.001", 1.0, (0.029, 0.035, 0.029)),
    ),
    (
        Ball("DEF-hand", 0.1, (0.026, 0.037, 0.028)),
        Ball("DEF-hand", 1.1, (0.021, 0.048, 0.029)),
        Ball("DEF-hand", 2.1, (0.017, 0.036, 0.021)),
    ),
)


def add_mannequin(rig: bpy.types.Object) -> bpy.types.Object:
    """Return a skinned body for a generated Rigify human that stands unscaled at the origin."""
    return add_body(rig, "Mannequin", TRUNK, LIMBS, VOXEL_M)


def add_body(
    rig: bpy.types.Object, name: str, trunk: Sequence[Part], limbs: Sequence[Part], voxel_m: float
) -> bpy.types.Object:
    """Return a skinned body for a rig that stands unscaled at the origin, its limbs on both sides; nothing
    finer than `voxel_m` is kept."""
    mesh = bpy.data.meshes.new(name)
    body = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(body)
    shape = bmesh.new()
    for part in [*trunk, *(on_side(part, side) for part in limbs for side in ("L", "R"))]:
        add_hull(shape, [ball_points(rig, ball) for ball in part])
    shape.to_mesh(mesh)
    shape.free()
    melt(body, voxel_m)
    skin(body, rig)
    paint(body)
    return body


def on_side(part: Part, side: str) -> Part:
    """Return a limb's part on the left, or its mirror image on the right."""
    flip = 1.0 if side == "L" else -1.0
    return tuple(
        Ball(f"{named(ball.bone, side)}", ball.along, ball.radii, (flip * ball.shift[0], *ball.shift[1:]))
        for ball in part
    )


def named(bone: str, side: str) -> str:
    """Return Rigify's name of a bone on one side: the side comes before the number."""
    stem, dot, number = bone.partition(".")
    return f"{stem}.{side}{dot}{number}"


def ball_points(rig: bpy.types.Object, ball: Ball) -> np.ndarray:
    """Return points `(n, 3)` on an ellipsoid; nothing is below the ground."""
    bone = rig.data.bones[ball.bone]
    centre = np.array(bone.head_local.lerp(bone.tail_local, ball.along)) + ball.shift
    meridians = np.linspace(0.0, 2.0 * np.pi, SPHERE_SEGMENTS, endpoint=False)
    around, up = np.meshgrid(meridians, np.linspace(-np.pi / 2, np.pi / 2, SPHERE_RINGS))
    unit = np.stack([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)], -1).reshape(-1, 3)
    points = centre + unit * ball.radii
    points[:, 2] = np.maximum(points[:, 2], 0.0)
    return points


def add_hull(shape: bmesh.types.BMesh, clouds: list[np.ndarray]) -> None:
    """Add the convex hull of some clouds of points."""
    vertices = [shape.verts.new(point) for point in np.concatenate(clouds)]
    hull = bmesh.ops.convex_hull(shape, input=vertices)
    inside = {
        element
        for element in hull["geom_interior"] + hull["geom_unused"]
        if isinstance(element, bmesh.types.BMVert)
    }
    bmesh.ops.delete(shape, geom=list(inside), context="VERTS")


def melt(body: bpy.types.Object, voxel_m: float) -> None:
    """Make one smooth closed surface of the overlapping parts."""
    body.data.remesh_voxel_size = voxel_m
    activate(body)
    bpy.ops.object.voxel_remesh()
    smooth = body.modifiers.new("Smooth", "SMOOTH")
    smooth.factor, smooth.iterations = 0.5, SMOOTHING_STEPS
    bpy.ops.object.modifier_apply(modifier=smooth.name)
    points = np.empty(3 * len(body.data.vertices), np.float32)
    body.data.vertices.foreach_get("co", points)
    points[2::3] = np.maximum(points[2::3], 0.0)  # smoothing rounds the soles, no more
    body.data.vertices.foreach_set("co", points)
    body.data.polygons.foreach_set("use_smooth", np.ones(len(body.data.polygons), bool))


def skin(body: bpy.types.Object, rig: bpy.types.Object) -> None:
    """Bind the body to the rig by bone heat."""
    activate(body)
    rig.select_set(True)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    body.modifiers[-1].use_deform_preserve_volume = True


def activate(obj: bpy.types.Object) -> None:
    """Make an object the only selected one."""
    for other in bpy.context.view_layer.objects:
        other.select_set(False)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj


def paint(body: bpy.types.Object) -> None:
    """Colour the left limbs warm and the right ones cool, so that the legs can be told apart from the side.

    The colours are the mesh's attribute "Colour", blended like the weights.
    """
    groups = [limb_side(group.name) for group in body.vertex_groups]
    shares = np.zeros((len(body.data.vertices), 2))
    for row, vertex in enumerate(body.data.vertices):
        for entry in vertex.groups:
            if groups[entry.group] is not None:
                shares[row, groups[entry.group]] += entry.weight
    shares = np.clip((shares - BLEND[0]) / (BLEND[1] - BLEND[0]), 0.0, 1.0)
    colours = (
        TRUNK_COLOUR
        + shares[:, :1] * (LEFT_COLOUR - TRUNK_COLOUR)
        + shares[:, 1:] * (RIGHT_COLOUR - TRUNK_COLOUR)
    )
    attribute = body.data.attributes.new("Colour", "FLOAT_COLOR", "POINT")
    attribute.data.foreach_set(
        "color", np.column_stack([colours, np.ones(len(colours))]).astype(np.float32).ravel()
    )
    body.data.materials.append(coloured_material(attribute.name))


def limb_side(group: str) -> int | None:
    """Return 0 or 1 for a bone of a left or right arm or leg, None for the trunk's bones."""
    if not any(
        part in group
        for part in (
            "thigh",
            "shin",
            "foot",
            "toe",
            "upper_arm",
            "forearm",
            "hand",
            "f_",
            "fingers",
            "thumb",
            "palm",
        )
    ):
        return None
    return 0 if ".L" in group else 1


def coloured_material(attribute: str) -> bpy.types.Material:
    """Return a matte material with the colours of a mesh attribute."""
    material = bpy.data.materials.new("Body")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    surface, colour = nodes["Principled BSDF"], nodes.new("ShaderNodeAttribute")
    colour.attribute_name = attribute
    material.node_tree.links.new(colour.outputs["Color"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = 0.55
    return material
