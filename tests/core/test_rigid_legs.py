"""Legs that can neither bend nor stretch: hips go over them as on compasses, and feet stay where they
stand."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import Feet
from neurarig_addon.core.body.legs import POLE_DISTANCE, leg_motions
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.gait.inputs.proportions import EXCHANGE
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.skeleton.roles import SIDES
from tests.core.walk_measures import deepest, greatest_slip, toe_clearance
from tests.core.walk_styles import WALKS
from tests.core.walkers import BODY, WALKING

FRAMES = np.arange(0.0, 121.0, 0.25)
SPEEDS = (0.4, 0.9, 1.3, 1.7)
NOTHING_M = 1e-9
# Metres: where a short step ends beside the other foot, a leg passes below its hip just before it stands;
# sharp corners cross legs.
GRAZES, IN_CORNERS = 0.0012, 0.004


def rigid(body: Body) -> Body:
    """Return a body whose legs are single bones that nothing stretches."""
    return replace(body, knee=0.5 * (body.hip + body.ankle), one_bone_legs=True, rigid_legs=True)


def scaled(part: tuple[str, ...], size: list[float], about: np.ndarray) -> Body:
    body = BODY
    return replace(body, **{name: about + (getattr(body, name) - about) * size for name in part})


FEET = ("heel", "ball", "toe", "toe_joint")
LEGS = ("hip", "ankle", *FEET)
UNDER_ANKLES = BODY.ankle * [1.0, 1.0, 0.0]
BODIES = {
    "adult": BODY,
    "wide hips": scaled(LEGS, [1.0, 2.0, 1.0], np.zeros(3)),
    "narrow hips": scaled(LEGS, [1.0, 0.3, 1.0], np.zeros(3)),
    "no toes": replace(BODY, toe_joint=np.full((2, 3), np.nan)),
    "long feet": scaled(FEET, [1.6, 1.0, 1.0], UNDER_ANKLES),
    "short feet": scaled(FEET, [0.6, 1.0, 1.0], UNDER_ANKLES),
    "hardly any feet": scaled(FEET, [0.15, 1.0, 1.0], UNDER_ANKLES),
}


def stretched(body: Body, pose: WalkPose) -> float:
    """Return the most by which the distance from hip to ankle is another than the leg's length, in metres."""
    legs = [pose.motions[f"foot.{side}"].position - pose.motions[f"thigh.{side}"].position for side in SIDES]
    return max(
        float(np.abs(np.linalg.norm(leg, axis=1) - np.linalg.norm(body.ankle - body.hip, axis=1)[0]).max())
        for leg in legs
    )


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("name", BODIES)
def test_legs_keep_their_length_feet_their_places_and_swings_clear_the_ground(name, speed):
    body = rigid(BODIES[name])
    pose = walk(body, StyleTrack(Style(speed=speed)), Clock(), FRAMES, WALKING)
    assert stretched(body, pose) < 1e-5 and greatest_slip(body, pose) < NOTHING_M
    assert deepest(body, pose) < 0.001 * body.leg_length
    assert toe_clearance(body, pose) > 0.01


@pytest.mark.few(10)
@pytest.mark.parametrize("name", WALKS)
def test_they_do_so_whatever_the_sliders(name):
    body = rigid(BODY)
    pose = walk(body, WALKS[name], Clock(), FRAMES, WALKING)
    assert stretched(body, pose) < 1e-4 and greatest_slip(body, pose) < NOTHING_M
    assert deepest(body, pose) < GRAZES


@pytest.mark.parametrize("speed", SPEEDS)
def test_hips_rise_over_each_leg_and_never_jerk(speed):
    """Over a leg r long, with steps of s, an arc is r - sqrt(r^2 - s^2 / 4) high; the exchange rounds its
    lowest part off."""
    body, fps = rigid(BODY), 240.0
    pose = walk(body, StyleTrack(Style(speed=speed)), Clock(fps=fps), np.arange(1.0, 700.0), WALKING)
    height, step = pose.motions["pelvis"].position[:, 2], 0.5 * float(pose.stride.mean())
    arc = body.leg_length - np.sqrt(body.leg_length**2 - 0.25 * step**2)
    assert 0.5 * arc < np.ptp(height) < 1.3 * arc
    # Without the exchange the hips would turn from falling to rising at once; evenly over all of it, this
    # many m/s2 would do.
    evenly = 2.0 * speed * 0.5 * step / (body.leg_length - arc) / (EXCHANGE * 2.0 * step / speed)
    assert np.abs(np.diff(height, n=2)).max() * fps**2 < 3.5 * evenly


def test_other_legs_walk_as_before():
    """Legs of one bone that a control layer stretches are no compasses."""
    body = replace(rigid(BODY), rigid_legs=False)
    assert stretched(body, walk(body, StyleTrack(Style(speed=1.3)), Clock(), FRAMES, WALKING)) > 0.01


@pytest.mark.parametrize("turn", [0.0, 0.6, -0.6])
def test_the_pole_of_a_knee_lies_before_it_where_the_knee_points_and_rests_where_it_is_at_rest(turn: float):
    body = BODY
    upright, flat = np.broadcast_to(np.eye(3), (1, 2, 3, 3)), np.broadcast_to(np.eye(3), (2, 2, 3, 3))
    forward = np.broadcast_to([np.cos(turn), np.sin(turn), 0.0], (1, 2, 3))
    motions = leg_motions(body, body.hip[None], Feet(body.ankle[None], upright, upright), forward, flat)
    for row, side in enumerate(SIDES):
        pole, knee = motions[f"knee.{side}"], motions[f"shin.{side}"].position
        away = pole.position - knee
        assert_allclose(np.linalg.norm(away, axis=-1), POLE_DISTANCE * body.leg_length, rtol=1e-9)
        assert (away[:, :2] @ forward[0, 0, :2] > 0.9 * POLE_DISTANCE * body.leg_length).all()
        assert_allclose(pole.rest - body.knee[row], [POLE_DISTANCE * body.leg_length, 0.0, 0.0], atol=1e-9)
        if turn == 0.0:
            assert_allclose(pole.position[0], pole.rest, atol=0.03 * body.leg_length)
