"""A curve object's first spline as points: Bezier, NURBS or poly, open or closed."""

from itertools import pairwise

import bpy
import numpy as np
from mathutils.geometry import interpolate_bezier

RESOLUTION = 32  # points per segment of a Bezier curve, and per span of a NURBS curve


def line_of(curve: bpy.types.Curve) -> tuple[np.ndarray, bool]:
    """Return the points `(n, 3)` of the first spline with any length, and whether it is closed; no points without one."""
    for spline in curve.splines:
        points = _bezier(spline) if spline.type == "BEZIER" else _poly(spline)
        if len(points) > 1:
            return (_nurbs(spline, points) if spline.type == "NURBS" else points[:, :3]), spline.use_cyclic_u
    return np.zeros((0, 3)), False


def line_of_edges(mesh: bpy.types.Mesh) -> tuple[np.ndarray, bool]:
    """Return the points `(n, 3)` of a mesh's first line of edges, and whether it is closed: a curve after its modifiers."""
    points, edges = np.empty(3 * len(mesh.vertices), dtype=np.float32), np.empty(2 * len(mesh.edges), dtype=np.int32)
    mesh.vertices.foreach_get("co", points)
    mesh.edges.foreach_get("vertices", edges)
    beside: dict[int, list[int]] = {}
    for first, second in edges.reshape(-1, 2).tolist():
        beside.setdefault(first, []).append(second)
        beside.setdefault(second, []).append(first)
    if not beside:
        return np.zeros((0, 3)), False
    line = [next((row for row in sorted(beside) if len(beside[row]) == 1), min(beside))]
    seen = set(line)
    while onward := [row for row in beside[line[-1]] if row not in seen]:
        line.append(onward[0])
        seen.add(onward[0])
    return points.reshape(-1, 3)[line].astype(float), len(line) > 2 and line[0] in beside[line[-1]]


def _poly(spline: bpy.types.Spline) -> np.ndarray:
    """Return the points `(n, 4)`; the last column is the weight."""
    return np.array([point.co[:] for point in spline.points], dtype=float).reshape(-1, 4)


def _bezier(spline: bpy.types.Spline) -> np.ndarray:
    """Return the points `(n, 3)` of a Bezier spline."""
    points = [*spline.bezier_points, *([spline.bezier_points[0]] if spline.use_cyclic_u else [])]
    parts = [
        interpolate_bezier(first.co, first.handle_right, second.handle_left, second.co, RESOLUTION + 1)[:-1]
        for first, second in pairwise(points)
    ]
    ends = [] if spline.use_cyclic_u or not points else [[points[-1].co]]
    # As tuples: numpy would ask Blender for each number of a vector.
    return np.array([point.to_tuple() for part in (*parts, *ends) for point in part], dtype=float).reshape(-1, 3)


def _nurbs(spline: bpy.types.Spline, control: np.ndarray) -> np.ndarray:
    """Return the points `(n, 3)` of a NURBS spline with control points `(m, 4)`, by de Boor's recursion on weighted points."""
    order = min(spline.order_u, len(control))
    if spline.use_cyclic_u:
        control = np.concatenate([control, control[: order - 1]])
    count = len(control)
    knots = np.arange(count + order, dtype=float)
    if spline.use_endpoint_u and not spline.use_cyclic_u:
        knots = np.clip(knots, order - 1, count)
    spans = count - order + 1
    at = np.linspace(knots[order - 1], knots[count], RESOLUTION * spans + 1)
    at = at[:-1] if spline.use_cyclic_u else at
    span = np.clip(np.searchsorted(knots, at, side="right") - 1, order - 1, count - 1)
    weighted = np.concatenate([control[:, :3] * control[:, 3:], control[:, 3:]], axis=1)
    held = [weighted[span - order + 1 + row] for row in range(order)]
    for level in range(1, order):
        for row in range(order - 1, level - 1, -1):
            low, high = knots[span - order + 1 + row], knots[span + 1 + row - level]
            share = ((at - low) / np.maximum(high - low, 1e-12))[:, None]
            held[row] = (1.0 - share) * held[row - 1] + share * held[row]
    return held[-1][:, :3] / held[-1][:, 3:]
