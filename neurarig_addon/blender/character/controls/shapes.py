"""The controls' wire shapes: small meshes outside any scene, shared by all characters, removed with the last
one."""

import math

import bpy

MARK = "neurarig_shape"
ROUND = 32  # corners of a circle


def shape(kind: str) -> bpy.types.Object:
    """Return the mesh object of a shape: `circle`, `box`, `foot`, `arrow` or `roll`, of about one bone
    length."""
    for obj in bpy.data.objects:
        if obj.get(MARK) == kind and obj.library is None:
            return obj
    points, edges = _WIRES[kind]()
    mesh = bpy.data.meshes.new(f"NR-shape-{kind}")
    mesh.from_pydata(points, edges, [])
    obj = bpy.data.objects.new(mesh.name, mesh)
    obj[MARK] = kind
    return obj


def remove_unused() -> None:
    """Remove shapes that no bone uses any more."""
    for obj in [obj for obj in bpy.data.objects if MARK in obj and obj.users == 0 and obj.library is None]:
        mesh = obj.data
        bpy.data.objects.remove(obj)
        if mesh.users == 0:
            bpy.data.meshes.remove(mesh)


def _loop(points: list[tuple[float, float, float]]) -> tuple[list, list]:
    return points, [(n, (n + 1) % len(points)) for n in range(len(points))]


def _circle() -> tuple[list, list]:
    turns = [2.0 * math.pi * n / ROUND for n in range(ROUND)]
    return _loop([(math.cos(turn), math.sin(turn), 0.0) for turn in turns])


def _box() -> tuple[list, list]:
    points = [(x, y, z) for x in (-0.9, 0.9) for y in (-0.6, 0.6) for z in (-0.35, 0.35)]
    edges = [(a, b) for a in range(8) for b in range(a) if bin(a ^ b).count("1") == 1]
    return points, edges


def _foot() -> tuple[list, list]:
    """A sole seen from above, heel at the back, one bone length from ankle to toe tip."""
    right = [(0.0, 1.0), (0.22, 0.9), (0.34, 0.6), (0.28, 0.2), (0.22, -0.2), (0.12, -0.36), (0.0, -0.4)]
    left = [(-x, y) for x, y in reversed(right[1:-1])]
    return _loop([(x, y, 0.0) for x, y in right + left])


def _arrow() -> tuple[list, list]:
    """A small pyramid that points back at the knee."""
    points = [(0.0, -1.5, 0.0), (0.5, 0.5, 0.5), (-0.5, 0.5, 0.5), (-0.5, 0.5, -0.5), (0.5, 0.5, -0.5)]
    return points, [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4), (4, 1)]


def _roll() -> tuple[list, list]:
    """A ring about the x axis, seen from the side."""
    return _loop([(0.0, y, z) for y, z, _ in _circle()[0]])


_WIRES = {"circle": _circle, "box": _box, "foot": _foot, "arrow": _arrow, "roll": _roll}
