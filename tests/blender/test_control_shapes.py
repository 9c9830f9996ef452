"""What controls look like: whole wires of the size of what they move."""

import bpy
import numpy as np
import pytest

from tests.blender.controlling import TABLES, Walker, settled


def wires(obj: bpy.types.Object) -> dict[str, bpy.types.Object]:
    """Return the shapes that the controls of a character show, by name."""
    shown = [bone.custom_shape for bone in obj.pose.bones if bone.custom_shape is not None]
    return {shape.name: shape for shape in shown if "neurarig_shape" in shape}


def test_every_shape_is_one_whole_wire(fresh_file: None) -> None:
    """No loose end, no line twice, nothing apart from the rest; left and right alike."""
    shapes = wires(Walker(settled(TABLES["t_pose"]())).obj)
    assert len(shapes) >= 3
    for name, shape in shapes.items():
        edges = [tuple(edge.vertices) for edge in shape.data.edges]
        count = len(shape.data.vertices)
        assert len({frozenset(edge) for edge in edges}) == len(edges) and all(a != b for a, b in edges), name
        degree = np.bincount(np.array(edges).ravel(), minlength=count)
        assert (degree >= 2).all(), name
        together = {0}
        for _ in range(count):
            together |= {end for edge in edges if together & set(edge) for end in edge}
        assert together == set(range(count)), name
        points = np.array([vertex.co for vertex in shape.data.vertices])
        mirrored = points * [-1.0, 1.0, 1.0]
        assert all(np.linalg.norm(points - point, axis=1).min() < 1e-6 for point in mirrored), name


def test_a_box_has_twelve_edges_along_its_axes(fresh_file: None) -> None:
    shapes = wires(Walker(settled(TABLES["t_pose"]())).obj)
    boxes = [shape for shape in shapes.values() if len(shape.data.vertices) == 8]
    assert boxes
    for box in boxes:
        ends = np.array([[box.data.vertices[end].co for end in edge.vertices] for edge in box.data.edges])
        assert len(ends) == 12 and (np.count_nonzero(np.ptp(ends, axis=1) > 1e-6, axis=1) == 1).all()


@pytest.mark.parametrize("name", ["t_pose", "a_pose_no_toes", "fbx", "scaled_up"])
def test_the_control_of_a_foot_is_as_long_as_the_foot(fresh_file: None, name: str) -> None:
    """From above the ankle to the tip of the toes, whatever the size of the armature."""
    walker = Walker(settled(TABLES[name]()))
    body = walker.body
    for row, side in enumerate("LR"):
        foot = np.linalg.norm((body.toe[row] - body.ankle[row])[:2]) / body.metres_per_unit
        controls = [
            bone
            for bone in walker.obj.data.bones
            if bone.name.startswith("NR-") and "foot" in bone.name.lower() and bone.name.endswith(side)
        ]
        assert any(bone.length == pytest.approx(foot, rel=1e-4) for bone in controls), {
            bone.name: bone.length for bone in controls
        }
