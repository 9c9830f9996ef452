"""Rotations: axioms on random turns, and the conventions that the rest of the code relies on."""

import numpy as np
import pytest

from neurarig_addon.core.geometry import rotation

RNG = np.random.default_rng(3)


def random_turns(count: int = 200) -> np.ndarray:
    """Return rotations of all sizes, half turns and near-nothings among them."""
    quaternion = RNG.normal(size=(count, 4))
    quaternion[:10, 0] = 0.0
    quaternion[10:20, 1:] *= 1e-9
    return rotation.from_quaternion(quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True))


def test_quaternion_round_trip():
    turns = random_turns()
    assert np.abs(rotation.from_quaternion(rotation.to_quaternion(turns)) - turns).max() < 1e-12


def test_axis_angle_is_the_rotation_vector_back():
    turns = random_turns()
    vector = rotation.rotation_vector(turns)
    angle = np.linalg.norm(vector, axis=1)
    assert np.abs(rotation.from_axis_angle(rotation.normalized(vector), angle) - turns).max() < 1e-7


def test_between_takes_one_direction_to_the_other_by_the_shortest_turn():
    start, end = RNG.normal(size=(2, 100, 3))
    end[:5] = -start[:5]
    end[5:10] = start[5:10]
    turn = rotation.between(start, end)
    assert (
        np.abs(np.einsum("nij,nj->ni", turn, rotation.normalized(start)) - rotation.normalized(end)).max()
        < 1e-7
    )
    angle = np.linalg.norm(rotation.rotation_vector(turn), axis=1)
    expected = np.arccos(
        np.clip(np.sum(rotation.normalized(start) * rotation.normalized(end), axis=1), -1, 1)
    )
    assert np.abs(angle - expected).max() < 1e-6


def test_euler_order_and_signs():
    pitch, yaw, roll = RNG.uniform(-1.5, 1.5, (3, 50))
    in_order = rotation.about_z(yaw) @ rotation.about_y(pitch) @ rotation.about_x(roll)
    assert np.abs(rotation.from_euler(pitch, yaw, roll) - in_order).max() < 1e-14
    toes_down = rotation.from_euler(np.array(0.3), np.array(0.0), np.array(0.0)) @ np.array([1.0, 0.0, 0.0])
    assert toes_down[2] < 0.0


def test_frame_is_orthonormal_and_right_handed():
    frames = rotation.frame(*RNG.normal(size=(2, 100, 3)))
    assert np.abs(frames @ rotation.transposed(frames) - np.eye(3)).max() < 1e-12
    assert np.abs(np.linalg.det(frames) - 1.0).max() < 1e-12


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_part_way_divides_the_angle(share):
    start, end = random_turns(), random_turns()
    part = rotation.part_way(start, end, np.full(len(start), share))
    whole = np.linalg.norm(rotation.rotation_vector(rotation.transposed(start) @ end), axis=1)
    gone = np.linalg.norm(rotation.rotation_vector(rotation.transposed(start) @ part), axis=1)
    assert np.abs(gone - share * whole).max() < 1e-6
