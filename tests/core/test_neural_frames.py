"""Bone-aligned frames: exact both ways on any tree of bones, twist apart from swing."""

import numpy as np
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.neural.frames import BoneFrames, shortest_turn
from neurarig_addon.core.skeleton.skeleton import Skeleton
from tests.core.bone_trees import (
    carried,
    frames_of_armature,
    from_basis,
    from_local,
    primary_children,
    swing,
    to_axes,
    to_basis,
    to_local,
    twist_angle,
    twisted,
)
from tests.core.neural_rigs import random_turns
from tests.core.skeletons import Table, skeleton

# A tree with everything that a rig may have: three children, a bone without length, one that turns straight
# back, leaves.
TREE: Table = {
    "root": (None, (0, 0, 0), (0, 0, 0.5)),
    "left": ("root", (0.2, 0, 0), (0.2, 0, -0.6)),
    "right": ("root", (-0.2, 0, 0), (-0.2, 0, -0.6)),
    "middle": ("root", (0, 0, 0.5), (0, 0.1, 1.0)),
    "point": ("middle", (0, 0.1, 1.0), (0, 0.1, 1.0)),
    "after": ("point", (0, 0.1, 1.0), (0, 0.3, 1.2)),
    "back": ("after", (0, 0.3, 1.2), (0, 0.1, 1.0)),
    "leaf": ("left", (0.2, 0, -0.6), (0.4, 0.1, -0.9)),
}
SIDE, UP = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def tree(rolls: bool = True) -> Skeleton:
    return skeleton(TREE, rolls=np.random.default_rng(5) if rolls else None)


def frames_of(subject: Skeleton) -> BoneFrames:
    return frames_of_armature(subject, SIDE, UP)


def test_there_and_back_is_exact() -> None:
    rng = np.random.default_rng(0)
    frames = frames_of(tree())
    local = random_turns(rng, (1000, len(TREE)), np.pi)
    axes = from_local(frames, local)
    aligned = frames.to_aligned(axes)
    assert np.abs(to_local(frames, to_axes(frames, aligned)) - local).max() < 1e-9
    assert np.abs(from_basis(frames, to_basis(frames, axes)) - axes).max() < 1e-9
    single = to_axes(frames, aligned.astype(np.float32)).astype(np.float32)
    assert np.abs(to_local(frames, single) - local).max() < 1e-5
    assert_allclose(frames.to_aligned(frames.rest), frames.aligned, atol=1e-12)
    assert_allclose(to_basis(frames, frames.rest), np.broadcast_to(np.eye(3), frames.rest.shape), atol=1e-12)


def test_frames_are_rotations_along_the_bones_free_of_rolls_and_scale() -> None:
    subject = tree()
    frames = frames_of(subject)
    assert_allclose(
        frames.aligned @ rotation.transposed(frames.aligned),
        np.broadcast_to(np.eye(3), (len(TREE), 3, 3)),
        atol=1e-12,
    )
    assert np.linalg.det(frames.aligned).min() > 0.0
    for name in ("left", "middle", "after", "back", "leaf"):
        row = subject.index[name]
        along = rotation.normalized(subject.tails[row] - subject.heads[row])
        assert_allclose(frames.directions[row], along, atol=1e-9)
    assert_allclose(frames.directions[subject.index["point"]], frames.directions[subject.index["middle"]])
    assert_allclose(frames_of(tree(rolls=False)).aligned, frames.aligned, atol=1e-9)
    large = skeleton(
        {
            name: (up, tuple(90.0 * np.array(a)), tuple(90.0 * np.array(b)))
            for name, (up, a, b) in TREE.items()
        }
    )
    assert_allclose(frames_of(large).aligned, frames.aligned, atol=1e-9)


def test_a_bone_that_does_not_move_in_its_parent_is_carried() -> None:
    frames = frames_of(tree())
    local = random_turns(np.random.default_rng(3), (len(TREE),), np.pi)
    still_in_parent = carried(frames, from_local(frames, local))
    for row in range(len(TREE)):
        still = local.copy()
        still[row] = to_local(frames, frames.rest)[row]
        assert_allclose(still_in_parent[row], frames.to_aligned(from_local(frames, still))[row], atol=1e-9)


def test_the_primary_child() -> None:
    subject = tree()
    primary = primary_children(subject.heads, subject.tails, subject.parents)
    assert subject.names[primary[subject.index["root"]]] == "middle"
    assert primary[subject.index["leaf"]] == -1
    # Heads equally far from the tail: the one with more bones below, then the first.
    heads = np.array([[0, 0, 0], [1, 0, 1], [-1, 0, 1], [-1, 0, 2.0]])
    tails = heads + [0, 0, 1.0]
    assert primary_children(heads, tails, np.array([-1, 0, 0, 2]))[0] == 2
    assert primary_children(heads[:3], tails[:3], np.array([-1, 0, 0]))[0] == 1


def test_twist_moves_no_child_along_the_bone_and_is_read_back() -> None:
    rng = np.random.default_rng(2)
    frames = frames_of(tree())
    axes = from_local(frames, random_turns(rng, (300, len(TREE)), 2.0))
    swung = swing(carried(frames, axes), frames.to_aligned(axes)[..., 1])
    angle = rng.uniform(-np.pi, np.pi, swung.shape[:2])
    aligned = twisted(swung, angle)
    assert_allclose(aligned[..., 1], swung[..., 1], atol=1e-12)
    difference = twist_angle(carried(frames, axes), aligned) - angle
    assert np.abs(np.sin(difference / 2.0)).max() < 1e-7


def test_opposite_directions_turn_half_a_circle_about_the_hinge() -> None:
    rng = np.random.default_rng(3)
    start = rotation.normalized(rng.normal(size=(100, 3)))
    hinge = rotation.normalized(np.cross(start, rng.normal(size=(100, 3))))
    for off in (0.0, 1e-9, 1e-5, 1e-3):
        end = rotation.normalized(-start + off * np.cross(start, hinge))
        turn = shortest_turn(start, end, hinge)
        assert_allclose((turn @ start[..., None])[..., 0], end, atol=1e-9)
        assert_allclose(turn @ rotation.transposed(turn), np.broadcast_to(np.eye(3), turn.shape), atol=1e-9)
    assert_allclose((shortest_turn(start, -start, hinge) @ hinge[..., None])[..., 0], hinge, atol=1e-9)
