"""Ground that moves, without Blender: where it takes what lies on it, and what is no climb."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import Feet, angles_of
from neurarig_addon.core.gait.feet.stance import HEADING, stood
from neurarig_addon.core.gait.steps.footing import lifted_until, unlifted
from neurarig_addon.core.geometry.rotation import about_z
from neurarig_addon.core.ground.moving_ground import TURN, FootCarry, MovingPart, MovingTerrain

SQUARE = np.array([[-5.0, -5.0, 0.0], [5.0, -5.0, 0.0], [5.0, 5.0, 0.0], [-5.0, 5.0, 0.0]])
CORNERS, RIM = np.array([[0, 1, 2], [0, 2, 3]]), np.array([[0, 1], [1, 2], [2, 3], [3, 0]])
COUNT = 50


def placed(
    places: np.ndarray | None = None, turns: np.ndarray | None = None, points: np.ndarray | None = None
) -> MovingTerrain:
    """Return a square that is in places `(k, 3)`, turned to the left by angles `(k,)`, its points `(k, 4, 3)`
    moved."""
    matrices = np.tile(np.eye(4), (COUNT, 1, 1))
    if places is not None:
        matrices[:, :3, 3] = places
    if turns is not None:
        matrices[:, :3, :3] = about_z(turns)
    part = MovingPart(matrices, SQUARE[None] if points is None else points, CORNERS, RIM)
    return MovingTerrain((), (part,), 10, 10.0, 0.4)


def rising() -> MovingTerrain:
    """Return a lift that comes up 2 cm a frame."""
    return placed(np.arange(COUNT)[:, None] * [0.0, 0.0, 0.02])


def test_the_ground_is_as_it_is_on_each_frame_and_stays_so_before_and_after():
    ground, frames = rising(), np.array([0.0, 10.0, 35.0, 59.0, 80.0])
    assert_allclose(ground.at(frames).height(np.zeros((5, 3))), [0.0, 0.0, 0.5, 0.98, 0.98])
    assert ground.height(np.zeros(2)) == 0.0, "who does not say when means the start"


def test_what_lies_on_a_turning_plate_turns_with_it():
    turns = np.linspace(0.0, 1.0, COUNT)
    points = np.array([[1.0, 0.0, 0.0], [1.2, 0.1, 0.0]])
    moved = placed(turns=turns).taken(points, 0, np.arange(COUNT))
    assert_allclose(moved, points @ np.swapaxes(about_z(turns), -1, -2), atol=1e-12)


def test_a_foot_on_a_turning_plate_heads_where_it_turns():
    angle, values = np.array([[0.3, -0.2]]), np.zeros((1, 2, 9))
    values[..., TURN][..., 2] = angle
    state = np.zeros((1, 2, 8))
    state[..., HEADING] = 0.1
    carried = stood(state, np.zeros((1, 2)), np.zeros((1, 2))).carried(FootCarry(values))
    assert_allclose(carried.heading, 0.1 + angle, atol=1e-12)
    assert_allclose(angles_of(carried.feet.turn).heading, carried.heading, atol=1e-12)


def test_what_lies_on_a_mesh_that_bends_goes_with_its_triangle():
    points = np.tile(SQUARE, (COUNT, 1, 1))
    points[:, 1, 2] = np.linspace(0.0, 1.0, COUNT)  # one corner comes up
    lies = np.array([[5.0, -5.0, 0.0], [-5.0, 5.0, 0.0], [2.0, -2.0, 0.0]])
    moved = placed(points=points).taken(lies, 0, np.array([COUNT - 1]))[0]
    assert_allclose(moved - lies, [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.4]], atol=1e-9)


def test_what_lies_beside_it_stays():
    lies = np.array([[9.0, 0.0, 0.0], [9.1, 0.0, 0.0]])
    assert (rising().taken(lies, 0, np.arange(COUNT)) == lies).all()


def test_nobody_climbs_in_a_lift_and_a_step_in_it_is_one():
    ground, touched = rising(), np.array([[12.0, 20.0], [28.0, 36.0], [44.0, 52.0]])
    place = np.zeros((3, 2, 3))
    place[..., 2] = 0.02 * (touched - 10.0)
    flat = lifted_until(ground.at(touched), place, touched)
    assert np.ptp(unlifted(place[..., 2], flat)) == 0.0
    place[1:, :, 2] += 0.15  # onto a box in it
    onto = unlifted(place[..., 2], lifted_until(ground.at(touched), place, touched))
    assert onto[1, 0] - onto[0, 1] == pytest.approx(0.15, abs=1e-9)


def test_climbs_are_the_same_from_wherever_they_are_counted():
    ground, touched = rising(), np.arange(12.0, 44.0, 4.0).reshape(4, 2)
    place = np.random.default_rng(3).normal(size=(4, 2, 3)) * 0.1
    place[..., 2] += 0.02 * (touched - 10.0)
    whole = unlifted(place[..., 2], lifted_until(ground.at(touched), place, touched))
    later = unlifted(place[1:, :, 2], lifted_until(ground.at(touched[1:]), place[1:], touched[1:]))
    assert (np.diff(whole[1:].reshape(-1)) == np.diff(later.reshape(-1))).all(), "to the bit"


def test_points_that_are_carried_come_back():
    draw = np.random.default_rng(5)
    carry = FootCarry(draw.normal(size=(4, 2, 9)) * 0.3)
    turn = about_z(draw.normal(size=(4, 2)))
    feet = Feet(draw.normal(size=(4, 2, 3)), turn, turn)
    assert_allclose(carry.back(carry.feet(feet).ankle[:, :, None])[:, :, 0], feet.ankle, atol=1e-12)
