"""How the pelvis follows standing feet, and what soles and arms do: small scenes whose answers are known."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.body.feet import SWING, Feet, angles_of
from neurarig_addon.core.body.legs import within_reach
from neurarig_addon.core.body.pelvis import BRAKES, EASES
from neurarig_addon.core.body.sole import Sole
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z
from neurarig_addon.core.report.clip_report import clip_report
from neurarig_addon.core.retarget.feet import calibrated, read_feet
from neurarig_addon.core.retarget.foothold import suited
from neurarig_addon.core.retarget.hands import spaced
from neurarig_addon.core.retarget.swing import bridged
from neurarig_addon.core.retarget.travel import carried, reaching
from tests.core import skeletons as made
from tests.core.standing_clips import BODY, FPS, FRAMES, HUMAN, LEG, LEVEL, moved, standing


def at(height: float, aside: float = 0.1) -> np.ndarray:
    """Return both of a pair of points `(f, 2, 3)` so high, and so far aside."""
    return np.tile([[0.0, aside, height], [0.0, -aside, height]], (FRAMES, 1, 1))


def way(height: float, ankles: np.ndarray, standing: np.ndarray) -> np.ndarray:
    """Return the way of a pelvis that stands upright with hips so high."""
    place = np.zeros((FRAMES, 3)) + BODY.pelvis - BODY.hip.mean(axis=0) + [0.0, 0.0, height]
    pelvis = Motion(np.tile(np.eye(3), (FRAMES, 1, 1)), place, BODY.pelvis)
    return reaching(BODY, pelvis, ankles, standing, FPS)


def test_a_pelvis_comes_down_to_feet_that_stand_and_to_no_others():
    long = BODY.thigh_length[0] + BODY.shin_length[0]
    both = np.ones((FRAMES, 2), dtype=bool)
    near, far = at(1.0 - 0.9 * long), at(1.0 - 1.05 * long)
    assert np.abs(way(1.0, near, both)).max() < 1e-9
    down = -way(1.0, far, both)[:, 2]
    assert (down > 0.05 * long).all() and (down < 0.08 * long).all()
    assert np.abs(way(1.0, far, ~both)).max() < 1e-9
    one = far.copy()
    one[:60] = near[:60]
    down = -way(1.0, one, both)[:, 2]
    assert (down[60:] > 0.05 * long).all() and (np.diff(down) >= -1e-9).all() and down[30] < 1e-9
    bends = np.diff(down, 2) * FPS**2
    assert bends.max() < 1.1 * BRAKES and bends.min() > -1.1 * EASES * BRAKES / (BRAKES - EASES)


def test_a_pelvis_goes_over_to_a_foot_far_aside():
    """Of the two sides what is equal cancels; a foot in the air does not count."""
    long = BODY.thigh_length[0] + BODY.shin_length[0]
    stands = np.tile([True, False], (FRAMES, 1))
    ankles = at(0.3)
    ankles[:, 0, 1] += 1.2 * long
    reach = np.sqrt((0.9975 * long) ** 2 - (0.4 * long) ** 2)
    goes = way(0.4 * long + 0.3, ankles, stands)
    assert goes[:, 1] == pytest.approx(1.2 * long + 0.1 - BODY.hip[0, 1] - reach, abs=0.02 * long)
    assert not way(0.4 * long + 0.3, ankles, ~stands)[:, :2].any()
    ankles[:, 1, 1] -= 1.2 * long
    assert_allclose(way(0.4 * long + 0.3, ankles, stands | True)[:, :2], 0.0, atol=1e-12)


def test_a_pelvis_rises_with_the_feet_that_bear_it():
    lift = np.tile([0.2, 0.0], (FRAMES, 1))
    level, toes = np.zeros((FRAMES, 2)), np.tile([0.9, 0.0], (FRAMES, 1))
    left, both = np.tile([True, False], (FRAMES, 1)), np.ones((FRAMES, 2), dtype=bool)
    assert_allclose(carried(lift, level, left, FPS), 0.2, atol=1e-9)
    assert_allclose(carried(lift, level, both, FPS), 0.1, atol=1e-3)
    assert (carried(lift, toes, both, FPS) < 0.01).all()
    gap = left & ((np.arange(FRAMES) < 30) | (np.arange(FRAMES) > 90))[:, None]
    assert_allclose(carried(lift, level, gap, FPS), 0.2, atol=1e-9)
    assert not carried(lift, level, ~both, FPS).any()


def test_a_foot_in_the_air_comes_within_reach_and_one_that_is_stays():
    long = BODY.thigh_length[0] + BODY.shin_length[0]
    hips = at(1.0)
    for share, told in ((0.5, 0.5), (0.99, 0.99), (1.2, None), (3.0, None)):
        found = within_reach(BODY, hips, hips - [0.0, 0.0, share * long])
        distance = np.linalg.norm(found - hips, axis=-1) / long
        if told:
            assert_allclose(distance, told, rtol=1e-9)
        else:
            assert (distance > 0.9975).all() and (distance < 0.9989).all()
        assert_allclose(found[..., :2], hips[..., :2])


@pytest.mark.parametrize("out_deg", [-15.0, 25.0])
def test_feet_are_read_from_the_reference_pose_however_they_are_turned_at_rest(out_deg):
    """In the reference pose they point ahead: the turn from there is what a clip tells, and an ankle stays
    where it is carried."""
    table = made.biped()
    for side, sign in (("l", 1.0), ("r", -1.0)):
        pivot = np.array(table[f"foot_{side}"][1])
        for bone in (f"foot_{side}", f"ball_{side}"):
            parent, *ends = table[bone]
            table[bone] = (
                parent,
                *(
                    tuple(pivot + about_z(np.radians(sign * out_deg)) @ (np.array(end) - pivot))
                    for end in ends
                ),
            )
    character = Character.of(made.skeleton(table))
    turn = about_z(0.3) @ about_y(0.4)
    motions = {
        role: Motion(
            np.tile(
                (turn if role.startswith(("foot", "toe")) else np.eye(3)) @ character.reference[role],
                (2, 1, 1),
            ),
            np.tile(character.rest_head(role), (2, 1)),
            character.rest_head(role),
        )
        for role in character.roles.bones
        if role in character.reference
    }
    feet = read_feet(character, motions)
    assert_allclose(feet.turn, np.broadcast_to(turn, (2, 2, 3, 3)), atol=1e-9)
    assert_allclose(feet.toe, np.broadcast_to(turn, (2, 2, 3, 3)), atol=1e-9)
    assert np.abs(character.reference["foot.L"] - np.eye(3)).max() > 0.1, "turned at rest"


def test_of_two_soles_only_the_long_one_tips_less():
    sole = Sole.of(BODY)
    long = np.where([[True], [False]], sole.joint * [3.0 * LEG / sole.joint[0, 0], 1.0, 1.0], sole.joint)
    turn = np.tile(about_z(0.4) @ about_y(-0.5), (FRAMES, 2, 1, 1))
    found = suited(replace(sole, joint=long), Feet(np.zeros((FRAMES, 2, 3)), turn, turn), LEG)
    assert_allclose(found.turn[:, 1], turn[:, 1], atol=1e-12)
    pitch = angles_of(about_z(0.4).T @ found.turn).pitch
    assert (pitch[:, 0] < -0.01).all() and (pitch[:, 0] > 0.5 * pitch[:, 1]).all()


def test_feet_that_rest_banked_are_level_where_they_stand():
    """A foot that is never seen flat is banked as the other one is, mirrored."""
    turn = np.tile(np.eye(3), (FRAMES, 2, 1, 1))
    turn[:, 0], turn[:, 1] = about_x(0.2) @ about_y(0.1), about_x(-0.2) @ about_y(0.1)
    feet = Feet(np.zeros((FRAMES, 2, 3)), turn, turn)
    flat = np.zeros((FRAMES, 2), dtype=bool)
    assert_array_equal(calibrated(feet, flat, FPS).turn, turn)
    for seen in ([0], [1], [0, 1]):
        flat = np.zeros((FRAMES, 2), dtype=bool)
        flat[20:40, seen] = True
        assert_allclose(calibrated(feet, flat, FPS).turn, np.tile(np.eye(3), (FRAMES, 2, 1, 1)), atol=3e-3)
        assert_allclose(calibrated(feet, flat, FPS).toe, np.tile(np.eye(3), (FRAMES, 2, 1, 1)), atol=3e-3)


def test_raised_arms_are_spread_less_than_hanging_ones():
    hanging = standing()
    raised = moved(standing(), ("forearm", "hand"), np.zeros((FRAMES, 3)))
    for side in "LR":
        shoulder = HUMAN.rest_head(f"upper_arm.{side}")
        for part, length in (("forearm", 0.3), ("hand", 0.55)):
            rest = HUMAN.rest_head(f"{part}.{side}")
            hanging[f"{part}.{side}"] = Motion(
                LEVEL, np.tile(shoulder - [0.0, 0.0, length], (FRAMES, 1)), rest
            )
            raised[f"{part}.{side}"] = Motion(
                LEVEL, np.tile(shoulder + [0.0, 0.0, length], (FRAMES, 1)), rest
            )
    for side, sign in (("L", 1.0), ("R", -1.0)):
        down = spaced(hanging, 0.2)[f"hand.{side}"].position - hanging[f"hand.{side}"].position
        assert_allclose(
            down,
            np.tile([0.0, sign * 0.55 * np.sin(0.2), 0.55 * (1.0 - np.cos(0.2))], (FRAMES, 1)),
            atol=1e-9,
        )
        assert_allclose(
            spaced(raised, 0.2)[f"hand.{side}"].position, raised[f"hand.{side}"].position, atol=1e-9
        )
        level = spaced(standing(), 0.2)[f"upper_arm.{side}"].rotation
        assert_allclose(level, np.tile(about_x(sign * 0.1), (FRAMES, 1, 1)), atol=0.01)


def test_one_side_of_a_bridge_that_is_never_held_again_fades_away():
    offset = np.full((FRAMES, 1), 0.4)
    held = np.arange(FRAMES) < 30
    found = bridged(offset, held, FPS, 0.5)[:, 0]
    assert (found[:30] == 0.4).all() and (np.diff(found[29:]) <= 1e-12).all() and not found[60:].any()
    assert_allclose(bridged(offset, held[::-1], FPS, 0.5)[::-1, 0], found, atol=1e-12)
    assert 0.19 < found[44] < 0.21, "half of it in half the time"


def test_a_report_of_legs_that_have_no_knee_says_nothing_of_reach():
    points = np.zeros((5, 2, 3, 3))
    report = clip_report(points, points, points[:, 0, 0], BODY, np.full((5, 2), SWING), FPS, np.arange(5))
    assert (
        report["reach"] == 0.0
        and report["slip_mm"]["L"] == {"max": None, "p95": None}
        and report["penetration_mm"] == 0.0
    )
    size = LEG / 0.9
    limits = {"slip_mm": 0.5 * size, "penetration_mm": size, "reach": 0.999, "integrity_percent": 1.0}
    assert {name: report["limits"][name] for name in limits} == pytest.approx(limits)
