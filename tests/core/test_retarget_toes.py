"""What toes do in the air: clear of the floor, bent no farther than toes bend."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import Feet, angles_of
from neurarig_addon.core.body.sole import Sole
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z
from neurarig_addon.core.ikrig.encoding import Contacts
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.feet import read_feet
from neurarig_addon.core.retarget.foothold import TOES_BEND, bend_of, suited
from neurarig_addon.core.retarget.retarget import planted
from neurarig_addon.core.retarget.swing import cleared
from tests import cases
from tests.core import retarget_bodies as given

SEED = 47


def flying(character: Character, foot_pitch: float, toe_pitch: float, height: float) -> tuple[Sole, Feet]:
    """Return feet in the air: pitches in degrees, toes down positive; the joint of the toes `height` metres
    up."""
    sole = Sole.of(character.body)
    turn, toe = (
        np.broadcast_to(about_y(np.radians(angle)), (9, 2, 3, 3)) for angle in (foot_pitch, toe_pitch)
    )
    feet = Feet(np.zeros((9, 2, 3)), turn, toe)
    up = height - sole.joints(feet)[..., 2]
    return sole, Feet(feet.ankle + up[..., None] * [0.0, 0.0, 1.0], turn, toe)


def clear_of_the_floor(character: Character, sole: Sole, feet: Feet, floor: float = 0.0) -> Feet:
    nowhere = np.zeros((9, 2), dtype=bool)
    return cleared(sole, feet, nowhere, np.full((9, 2), floor), character.body.leg_length, given.FPS)


@pytest.mark.parametrize("floor", [0.0, 0.3])
@pytest.mark.parametrize("body", ["human", "giant", "clown"])
@pytest.mark.parametrize("toe_pitch", [15.0, 35.0, 60.0])
def test_toes_that_point_into_the_ground_bend_up_before_the_foot_is_raised(body, toe_pitch, floor):
    """The tips come to the floor and no higher, the foot keeps its place and its turn."""
    character = given.bodies()[body]
    sole = Sole.of(character.body)
    tip, ball = sole.toe[0], sole.joint[0]
    length = np.hypot(*(tip - ball)[[0, 2]])
    # High enough for the ball, and lower than these toes are long.
    _, feet = flying(
        character, 20.0, toe_pitch, floor + ball[2] + 0.4 * length * np.sin(np.radians(toe_pitch))
    )
    assert (sole.points(feet)[:, :, 2, 2] < floor).all()
    after = clear_of_the_floor(character, sole, feet, floor)
    tips = sole.points(after)[:, :, 2, 2] - tip[2] - floor
    assert (tips > -1e-9).all() and (tips < length * np.sin(np.radians(4.0))).all()
    assert_allclose(after.turn, feet.turn, atol=1e-12)
    raised = after.ankle[..., 2] - feet.ankle[..., 2]
    assert (raised < 0.01 * character.body.leg_length).all()


def test_toes_clear_of_the_ground_are_left_alone():
    human = given.human()
    for toe_pitch in (-30.0, 0.0, 40.0):
        sole, feet = flying(human, 10.0, toe_pitch, 0.25)
        after = clear_of_the_floor(human, sole, feet)
        assert_allclose(after.toe, feet.toe, atol=1e-12)
        assert_allclose(after.ankle, feet.ankle, atol=1e-12)


def test_a_foot_that_flies_along_the_floor_is_raised_the_more_the_farther_it_is_from_where_it_stands():
    human = given.human()
    sole, feet = flying(human, 0.0, 0.0, Sole.of(human.body).joint[0, 2])
    raised = []
    for stands in (np.zeros(9, dtype=bool), np.arange(9) < 2, np.arange(9) > 6):
        standing = np.stack([stands, stands], axis=1)
        after = cleared(sole, feet, standing, np.zeros((9, 2)), human.body.leg_length, given.FPS)
        raised.append((after.ankle - feet.ankle)[:, 0, 2])
    never, before, behind = raised
    assert_allclose(never, never[0], atol=1e-12)
    assert (
        (before[:2] == 0.0).all()
        and 0.0 < before[2] < 0.05 * never[0]
        and (np.diff(before[1:]) > 0.0).all()
        and before[8] < never[0]
    )
    assert_allclose(behind, before[::-1], atol=1e-12)


@pytest.mark.parametrize("foot_pitch", [60.0, 80.0])
def test_toes_bend_up_as_far_as_toes_do_and_then_the_foot_is_raised(foot_pitch):
    human = given.human()
    sole, feet = flying(human, foot_pitch, foot_pitch, 0.02)
    after = clear_of_the_floor(human, sole, feet)
    bend = angles_of(feet.turn).pitch - angles_of(after.toe).pitch
    assert_allclose(bend, TOES_BEND, atol=1e-9)
    assert (sole.heights(after) > -1e-9).all()
    assert (after.ankle[..., 2] > feet.ankle[..., 2]).all()


@pytest.mark.parametrize("contacts", [True, False])
@pytest.mark.parametrize("body", ["human", "giant", "clown"])
def test_toes_bend_to_the_same_side_however_the_body_lies(body, contacts):
    """Drawn bodies that lie, lean or hang upside down, the lowest foot on the floor: a bend is by the foot's
    own axes."""
    character = given.bodies()[body]
    draw = np.random.default_rng(SEED)
    for _ in range(cases.some(60)):
        turn = (
            about_z(draw.uniform(-3.1, 3.1))
            @ about_y(np.radians(draw.uniform(-150.0, 150.0)))
            @ about_x(np.radians(draw.uniform(-40.0, 40.0)))
        )
        stretched, bent = (
            np.radians(draw.uniform(-20.0, 65.0)),
            draw.choice([-1.0, 1.0]) * np.radians(draw.uniform(15.0, 35.0)),
        )
        motions = lying(character, turn, stretched, bent)
        feet = suited(Sole.of(character.body), read_feet(character, motions), character.body.leg_length)
        if abs(angles_of(feet.turn).pitch[0, 0]) < np.radians(75.0):
            continue  # its sole faces the floor, on which toes lie
        planted_at = find_contacts(character, motions, given.FPS) if contacts else Contacts()
        found = bend_of(read_feet(character, planted(character, motions, planted_at, given.FPS)[0]))
        assert_allclose(found, bend_of(feet), atol=np.radians(14.0))


def lying(character: Character, turn: np.ndarray, stretched: float, bent: float) -> dict[str, Motion]:
    """Return a still body turned as a whole, feet stretched and toes bent down by radians, its lowest foot on
    the floor."""
    pelvis = character.body.pelvis
    motions = {}
    for role in character.roles.bones:
        part = (
            stretched + (bent if role.startswith("toe") else 0.0) if role.startswith(("foot", "toe")) else 0.0
        )
        rest, heading = character.rest_head(role), character.reference[role]
        about = heading.T @ about_y(part) @ heading if part else np.eye(3)
        motions[role] = Motion(
            np.tile(turn @ about, (30, 1, 1)), np.tile(turn @ (rest - pelvis), (30, 1)), rest
        )
    for side in "LR" if "toe.L" in motions else "":  # toes sit on feet that are stretched
        foot, toe = motions[f"foot.{side}"], motions[f"toe.{side}"]
        motions[f"toe.{side}"] = Motion(toe.rotation, foot.carry(toe.rest), toe.rest)
    lowest = Sole.of(character.body).heights(read_feet(character, motions)).min()
    return {role: given.shifted(motion, np.array([[0.0, 0.0, -lowest]])) for role, motion in motions.items()}


@pytest.mark.parametrize("body", ["human", "no toes"])
@pytest.mark.parametrize("pitch", [95.0, 130.0, -100.0])
def test_feet_that_lie_stay_where_they_lie_while_the_body_rocks(body, pitch):
    """On its belly or its back: one point of each foot, the one that the pivot names, does not slip."""
    character = given.bodies()[body]
    motions = {}
    for step in range(30):
        rocks = np.radians([12.0 * np.sin(0.3 * step), pitch + 6.0 * np.sin(0.2 * step), 0.0])
        pose = lying(character, about_y(rocks[1]) @ about_x(rocks[0]), np.radians(40.0), np.radians(20.0))
        for role, motion in pose.items():
            motions.setdefault(role, []).append((motion.rotation[0], motion.position[0], motion.rest))
    motions = {
        role: Motion(np.array([r for r, *_ in rows]), np.array([p for _, p, _ in rows]), rows[0][2])
        for role, rows in motions.items()
    }
    everywhere = np.array([[0, 29]])
    contacts = Contacts({f"{point}.{side}": everywhere for point in ("heel", "ball") for side in "LR"})
    found, pivots = planted(character, motions, contacts, given.FPS)
    points = Sole.of(character.body).points(read_feet(character, found))
    row = np.choose(pivots[1:] - 1, [0, 1, 1, 2])
    moved = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    assert np.take_along_axis(moved, row[..., None], axis=2).max() < 0.005, (
        "legs that are stretched out reach no farther"
    )
