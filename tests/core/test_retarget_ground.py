"""What stands and on what, how the pelvis follows, what carries the travel: small scenes whose answers are known."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z
from neurarig_addon.core.ground.feet import Feet, angles_of
from neurarig_addon.core.ground.pivots import FLAT, SWING
from neurarig_addon.core.ground.sole import Sole
from neurarig_addon.core.retarget.belt import belt_velocity
from neurarig_addon.core.retarget.bridge import bridged
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.feet import calibrated, read_feet
from neurarig_addon.core.retarget.floor import floor_plane, lowest_frequent
from neurarig_addon.core.retarget.foothold import Footholds, mean_over, suited
from neurarig_addon.core.retarget.ground import find_ground, floor_between, pointing
from neurarig_addon.core.retarget.hands import spaced
from neurarig_addon.core.retarget.legs import within_reach
from neurarig_addon.core.retarget.pelvis import carried, drop, nearer, smoothed
from neurarig_addon.core.retarget.report import clip_report
from neurarig_addon.core.retarget.root import ground_motion, smooth
from tests.core import retarget_bodies as given
from tests.core import skeletons as made

FPS, FRAMES = 60.0, 120
HUMAN = given.human()
BODY, LEG = HUMAN.body, HUMAN.body.leg_length
LEVEL = np.tile(np.eye(3), (FRAMES, 1, 1))


def standing() -> dict[str, Motion]:
    """Return two seconds of standing at rest."""
    return {role: Motion(LEVEL, np.tile(HUMAN.rest_head(role), (FRAMES, 1)), HUMAN.rest_head(role)) for role in HUMAN.roles.bones}


def moved(motions: dict[str, Motion], stems: tuple[str, ...], way: np.ndarray) -> dict[str, Motion]:
    """Return motions of which some are moved by `(f, 3)`."""
    return {role: given.shifted(motion, way) if role.startswith(stems) else motion for role, motion in motions.items()}


def path(**axes: np.ndarray) -> np.ndarray:
    """Return a way `(f, 3)` of which some axes are given, in leg lengths."""
    way = np.zeros((FRAMES, 3))
    for axis, values in axes.items():
        way[:, "xyz".index(axis)] = LEG * values
    return way


def during(first: int, last: int, fade: int = 4) -> np.ndarray:
    """Return 1 from a frame to another, 0 elsewhere, going over in `fade` frames."""
    return np.interp(np.arange(FRAMES), [first - fade, first, last, last + fade], [0.0, 1.0, 1.0, 0.0])


def spans(motions: dict[str, Motion], point: str) -> list[list[int]]:
    return find_contacts(HUMAN, motions, FPS).intervals[point].tolist()


def test_who_stands_still_stands_on_heels_and_balls():
    for point in ("heel.L", "ball.L", "heel.R", "ball.R"):
        assert spans(standing(), point) == [[0, FRAMES - 1]]


def test_a_foot_that_is_lifted_leaves_the_ground_and_the_other_does_not():
    lifted = moved(standing(), ("foot.L", "toe.L"), path(z=0.3 * during(40, 80), x=0.1 * np.sin(np.arange(FRAMES)) * during(40, 80)))
    for point in ("heel.L", "ball.L"):
        (first, last), (again, end) = spans(lifted, point)
        assert first == 0 and 34 <= last <= 39 and 81 <= again <= 86 and end == FRAMES - 1
    assert spans(lifted, "heel.R") == [[0, FRAMES - 1]]


@pytest.mark.parametrize("height", [0.15, 0.4])
def test_a_foot_that_rests_on_a_box_stands_where_the_other_one_is_in_the_air(height):
    """On the box, and while it bears; a foot that is merely held up beside one that stands does not."""
    on_box = moved(standing(), ("foot.L", "toe.L"), path(z=height * during(30, 200)))
    bears = moved(
        on_box, ("foot.R", "toe.R"), path(z=(0.1 + height) * during(60, 100), x=0.5 * np.sin(np.arange(FRAMES)) * during(60, 100))
    )
    assert len(spans(bears, "heel.L")) == 2 and spans(bears, "heel.L")[1][0] < 45
    assert len(spans(on_box, "heel.L")) == 1 and spans(on_box, "heel.L")[0][1] < 35


def test_a_foot_that_lies_on_its_side_does_not_stand():
    tipped = standing()
    for side in "LR":
        foot = tipped[f"foot.{side}"]
        tipped[f"foot.{side}"] = Motion(about_x(np.full(FRAMES, np.radians(70.0))), foot.position, foot.rest)
    assert not find_contacts(HUMAN, tipped, FPS).intervals["heel.L"].size
    leaning = standing()
    foot = leaning["foot.L"]
    leaning["foot.L"] = Motion(about_x(np.full(FRAMES, np.radians(20.0))), foot.position, foot.rest)
    assert spans(leaning, "ball.L") or spans(leaning, "heel.L")


def test_a_touch_of_two_frames_is_none_and_a_gap_of_two_is_none():
    air = 0.3 * np.ones(FRAMES)
    air[60:62] = 0.0
    assert not spans(moved(standing(), ("foot.L", "toe.L"), path(z=air)), "heel.L")
    jolt = np.zeros(FRAMES)
    jolt[60:62] = 0.07
    assert spans(moved(standing(), ("foot.L", "toe.L"), path(z=jolt)), "heel.L") == [[0, FRAMES - 1]]


def test_how_high_a_point_stands_is_counted_from_where_it_usually_does():
    """A sole that is thicker than the other's is no foot in the air, and leaves the ground where the other one would."""
    thick = path(z=0.025 + 0.045 * during(40, 80, 12))
    assert spans(moved(standing(), ("foot.L", "toe.L"), thick), "heel.L") == [[0, FRAMES - 1]]
    assert spans(moved(standing(), ("foot.L", "toe.L"), path(z=0.045 * during(40, 80, 12))), "heel.L") == [[0, FRAMES - 1]]
    assert len(spans(moved(standing(), ("foot.L", "toe.L"), path(z=0.025 + 0.07 * during(40, 80, 12))), "heel.L")) == 2


def test_a_foot_that_is_dragged_along_does_not_stand():
    """Slowly, and never lifted: where it moves it is not held."""
    dragged = moved(standing(), ("foot.L", "toe.L"), path(x=np.interp(np.arange(FRAMES), [40, 90], [0.0, 0.25])))
    frames = np.zeros(FRAMES, dtype=bool)
    for first, last in spans(dragged, "heel.L"):
        frames[first : last + 1] = True
    assert frames[:35].all() and frames[95:].all() and frames[45:85].mean() < 0.1
    assert spans(dragged, "heel.R") == [[0, FRAMES - 1]]


def test_a_foot_that_sways_about_its_place_stands():
    """To both sides of it by less than it may stray, quickly at times: that is noise, or a weight that shifts."""
    swaying = moved(standing(), ("foot.L", "toe.L"), path(x=0.07 * np.cos(6.0 * np.arange(FRAMES) / FPS)))
    assert spans(swaying, "heel.L") == spans(swaying, "ball.L") == [[0, FRAMES - 1]]


def test_a_hand_on_the_ground_stands_though_nothing_moves():
    low = moved(standing(), ("hand.L",), np.tile([0.0, 0.0, 0.05 * LEG - HUMAN.rest_head("hand.L")[2]], (FRAMES, 1)))
    assert spans(low, "hand.L") == [[0, FRAMES - 1]] and not spans(low, "hand.R")


def test_a_hand_that_stays_for_a_moment_only_does_not_stand():
    sway = path(x=0.6 * np.sin(np.arange(FRAMES) / 8.0))
    held = {role: motion if role.startswith(("foot", "toe")) else given.shifted(motion, sway) for role, motion in standing().items()}
    assert not spans(held, "hand.L")
    stopped = sway.copy()
    stopped[40:50] = sway[40]
    stopped[50:] += sway[40] - sway[50]
    assert not spans(moved(standing(), ("hand.L",), stopped), "hand.L")


def test_a_belt_goes_as_most_of_what_is_low_does():
    """One foot is carried along all the time; the other half of the time, and slips a little for the rest."""
    seconds = np.arange(FRAMES) / FPS
    left = np.outer(-1.4 * seconds, [1.0, 0.0, 0.0])
    right = np.outer(-1.4 * np.minimum(seconds, 1.0) - 1.0 * np.maximum(seconds - 1.0, 0.0), [1.0, 0.0, 0.0])
    carried_along = moved(moved(standing(), ("foot.L", "toe.L"), left), ("foot.R", "toe.R"), right)
    np.testing.assert_allclose(belt_velocity(BODY, carried_along, FPS), [-1.4, 0.0], atol=0.01)
    travelling = {role: given.shifted(motion, left) for role, motion in carried_along.items()}
    assert not belt_velocity(BODY, travelling, FPS).any()


def test_the_floor_is_low_and_common():
    draw = np.random.default_rng(3)
    for often, rare, floor in ((60, 30, -0.4), (60, 10, 0.9)):
        heights = np.concatenate([draw.normal(0.9, 0.002, often), draw.normal(-0.4, 0.002, rare)])
        assert lowest_frequent(heights, 0.02) == pytest.approx(floor, abs=0.01)
    assert lowest_frequent(np.array([0.3]), 0.02) == pytest.approx(0.3)


def test_a_floor_tilts_only_where_feet_tell_and_never_as_a_ramp_does():
    along = np.linspace(0.0, 6.0, 80)
    for axis in (0, 1):
        places = np.zeros((80, 3))
        places[:, axis] = along
        for slope, told in ((0.02, 0.02), (-0.03, -0.03), (0.04, 0.04)):
            places[:, 2] = 0.1 + slope * along
            plane = floor_plane(places, 0.9)
            assert plane[1 + axis] == pytest.approx(told, abs=2e-3) and plane[2 - axis] == 0.0
            assert plane[0] == pytest.approx(0.1, abs=6e-3)
        places[:, 2] = 0.3 * along
        assert abs(floor_plane(places, 0.9)[1 + axis]) <= np.tan(np.radians(2.5)) + 1e-12
    short = np.column_stack([0.1 * along, np.zeros(80), 0.1 + 0.02 * 0.1 * along])
    assert not floor_plane(short, 0.9)[1:].any()


def test_a_mean_over_footholds_is_of_each_alone():
    hold = np.array([[0, 2], [0, 2], [-1, 2], [1, -1]])
    values = np.array([[1.0, 5.0], [3.0, 7.0], [9.0, 9.0], [4.0, 8.0]])
    np.testing.assert_allclose(mean_over(hold, values), [[2.0, 7.0], [2.0, 7.0], [0.0, 7.0], [4.0, 0.0]])
    weight = np.array([[3.0, 1.0], [1.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    np.testing.assert_allclose(mean_over(hold, values, weight), [[1.5, 5.0], [1.5, 5.0], [0.0, 5.0], [4.0, 0.0]])


def holding(hold: np.ndarray, ground: np.ndarray, tiptoe: np.ndarray) -> Footholds:
    """Return footholds at heights, on the spot."""
    shape = hold.shape
    feet = Feet(np.zeros((*shape, 3)), np.tile(np.eye(3), (*shape, 1, 1)), np.tile(np.eye(3), (*shape, 1, 1)))
    return Footholds(feet, np.where(hold >= 0, FLAT, SWING), hold, ground, tiptoe)


def grounded(left: list[tuple[float, float]], right: list[tuple[float, float]]) -> tuple[Footholds, np.ndarray]:
    """Return footholds of ten frames each, as (height, tiptoe) in leg lengths, and the heights that are found for them."""
    hold = np.stack([np.repeat(np.arange(len(left)), 10), len(left) + np.repeat(np.arange(len(right)), 10)], axis=1)
    given_as = np.array([left, right])
    ground, tiptoe = (np.repeat(given_as[..., n].T, 10, axis=0) for n in (0, 1))
    holds = holding(hold, LEG * ground, tiptoe)
    found = find_ground(holds, np.zeros((*hold.shape, 3)), LEG, 0.25)
    np.testing.assert_allclose(found.height - found.lift, holds.ground - found.plane[0], atol=1e-9)
    return holds, found.height[::10] / LEG


def test_heights_near_the_floor_are_the_floor_and_steps_are_steps():
    flat = [(0.0, 0.0)] * 4
    for rise, told in ((0.04, 0.0), (0.1, 0.1), (0.3, 0.3), (-0.1, 0.0)):
        _, found = grounded([*flat, (rise, 0.0)], [*flat, (0.0, 0.0)])
        np.testing.assert_allclose(found[4], [told, 0.0], atol=0.01)
    _, found = grounded([*flat, (-0.4, 0.0)], [*flat, (0.0, 0.0)])
    np.testing.assert_allclose(found[:, 0], [0.4, 0.4, 0.4, 0.4, 0.0], atol=0.01)  # a pit becomes the floor
    _, found = grounded([*flat, (0.15, 0.9)], [*flat, (0.0, 0.0)])
    np.testing.assert_allclose(found[4], 0.0, atol=0.01)  # on tiptoe, which is higher on a longer foot


def test_a_foot_that_points_at_the_ground_beside_one_that_bears_is_not_pulled_down():
    flat = [(0.0, 0.0)] * 4
    for height, tiptoe, beside, told in ((0.1, 0.9, 0.0, True), (0.1, 0.2, 0.0, False), (0.0, 0.9, 0.0, False), (0.1, 0.9, 0.9, False)):
        left, right = [*flat, (height, tiptoe)], [*flat, (0.0, beside)]
        holds, _ = grounded(left, right)
        found = find_ground(holds, np.zeros((50, 2, 3)), LEG, 0.25)
        assert pointing(holds, found, LEG)[45, 0] == told
        assert not pointing(holds, found, LEG)[:40].any()


def test_the_floor_under_a_foot_in_the_air_is_the_lower_of_both_footholds():
    stands = np.array([1, 1, 0, 0, 1, 0, 1, 0], dtype=bool)[:, None].repeat(2, axis=1)
    stands[:, 1] = False
    height = np.array([0.3, 0.3, 9.0, 9.0, 0.1, 9.0, 0.5, 9.0])[:, None].repeat(2, axis=1)
    np.testing.assert_allclose(floor_between(height, stands)[:, 0], [0.3, 0.3, 0.1, 0.1, 0.1, 0.1, 0.5, 0.5])
    assert not floor_between(height, stands)[:, 1].any()


def test_averages_leave_what_is_constant_and_what_is_straight():
    values = np.column_stack([np.full(50, 3.0), np.arange(50.0)])
    np.testing.assert_allclose(smoothed(values, 0.1, FPS)[8:-8], values[8:-8], atol=1e-12)
    np.testing.assert_allclose(smooth(values, 4.0), values, atol=1e-9)
    np.testing.assert_array_equal(smooth(values, 0.0), values)
    bump = np.zeros((41, 1))
    bump[20] = 1.0
    for spread in (smoothed(bump, 0.1, FPS), smooth(bump, 2.0)):
        assert spread.sum() == pytest.approx(1.0) and spread.argmax() == 20 and spread[20] < 0.4
        np.testing.assert_allclose(spread, spread[::-1], atol=1e-12)
    assert (smooth(bump, 2.0)[20] / smooth(bump, 2.0)[22]) == pytest.approx(np.exp(0.5))


def test_the_ground_under_a_body_has_its_heading_and_its_place():
    heading = np.radians(np.linspace(0.0, 120.0, FRAMES))
    pelvis = standing()["pelvis"]
    place = np.column_stack([np.linspace(0.0, 2.0, FRAMES), np.linspace(0.0, -1.0, FRAMES), 0.05 * np.sin(np.arange(FRAMES))])
    turned = Motion(about_z(heading) @ about_y(np.full(FRAMES, 0.2)), place + (about_z(heading) @ pelvis.rest), pelvis.rest)
    for smoothing in (0.0, 0.05):
        root = ground_motion(turned, smoothing, FPS)
        np.testing.assert_allclose(root.position, place * [1.0, 1.0, 0.0], atol=1e-6)
        np.testing.assert_allclose(root.rotation, about_z(heading), atol=1e-6)
    back = root.seeing(turned)
    np.testing.assert_allclose(back.position[:, :2], np.tile(pelvis.rest[:2], (FRAMES, 1)), atol=1e-6)
    np.testing.assert_allclose(back.rotation, about_y(np.full(FRAMES, 0.2)), atol=1e-6)


def at(height: float, aside: float = 0.1) -> np.ndarray:
    """Return both of a pair of points `(f, 2, 3)` so high, and so far aside."""
    return np.tile([[0.0, aside, height], [0.0, -aside, height]], (FRAMES, 1, 1))


def test_a_pelvis_comes_down_to_feet_that_stand_and_to_no_others():
    long = BODY.thigh_length[0] + BODY.shin_length[0]
    height = np.full(FRAMES, 1.0)
    both = np.ones((FRAMES, 2), dtype=bool)
    hips, near, far = at(1.0), at(1.0 - 0.9 * long), at(1.0 - 1.05 * long)
    assert np.abs(drop(height, hips, near, both, BODY, FPS)).max() < 1e-9
    down = drop(height, hips, far, both, BODY, FPS)
    assert (down > 0.05 * long).all() and (down < 0.08 * long).all()
    assert np.abs(drop(height, hips, far, ~both, BODY, FPS)).max() < 1e-9
    one = far.copy()
    one[:60] = near[:60]
    down = drop(height, hips, one, both, BODY, FPS)
    assert (down[60:] > 0.05 * long).all() and (np.diff(down) >= -1e-12).all() and down[40] < 1e-9


def test_a_pelvis_goes_over_to_a_foot_far_aside_only_in_a_squat():
    """Of the two sides what is equal cancels; a foot in the air does not count."""
    long = BODY.thigh_length[0] + BODY.shin_length[0]
    stands = np.tile([True, False], (FRAMES, 1))
    hips, ankles = at(0.4 * long + 0.3), at(0.3)
    ankles[:, 0, 1] += 1.2 * long
    way = nearer(hips, ankles, stands, BODY, FPS)
    reach = np.sqrt((0.9975 * long) ** 2 - (0.4 * long) ** 2)
    np.testing.assert_allclose(way, np.tile([0.0, 1.2 * long - reach, 0.0], (FRAMES, 1)), atol=1e-9)
    assert not nearer(hips, ankles, ~stands, BODY, FPS).any()
    ankles[:, 1, 1] -= 1.2 * long
    np.testing.assert_allclose(nearer(hips, ankles, stands | True, BODY, FPS), 0.0, atol=1e-12)


def test_a_pelvis_rises_with_the_feet_that_bear_it():
    lift = np.tile([0.2, 0.0], (FRAMES, 1))
    level, toes = np.zeros((FRAMES, 2)), np.tile([0.9, 0.0], (FRAMES, 1))
    left, both = np.tile([True, False], (FRAMES, 1)), np.ones((FRAMES, 2), dtype=bool)
    np.testing.assert_allclose(carried(lift, level, left, FPS), 0.2, atol=1e-9)
    np.testing.assert_allclose(carried(lift, level, both, FPS), 0.1, atol=1e-3)
    assert (carried(lift, toes, both, FPS) < 0.01).all()
    gap = left & ((np.arange(FRAMES) < 30) | (np.arange(FRAMES) > 90))[:, None]
    np.testing.assert_allclose(carried(lift, level, gap, FPS), 0.2, atol=1e-9)
    assert not carried(lift, level, ~both, FPS).any()


def test_a_foot_in_the_air_comes_within_reach_and_one_that_is_stays():
    long = BODY.thigh_length[0] + BODY.shin_length[0]
    hips = at(1.0)
    for share, told in ((0.5, 0.5), (0.99, 0.99), (1.2, None), (3.0, None)):
        found = within_reach(BODY, hips, hips - [0.0, 0.0, share * long])
        distance = np.linalg.norm(found - hips, axis=-1) / long
        if told:
            np.testing.assert_allclose(distance, told)
        else:
            assert (distance > 0.9975).all() and (distance < 0.9988).all()
        np.testing.assert_allclose(found[..., :2], hips[..., :2])


@pytest.mark.parametrize("out_deg", [-15.0, 25.0])
def test_feet_are_read_from_the_reference_pose_however_they_are_turned_at_rest(out_deg):
    """In the reference pose they point ahead: the turn from there is what a clip tells, and an ankle stays where it is carried."""
    table = made.biped()
    for side, sign in (("l", 1.0), ("r", -1.0)):
        pivot = np.array(table[f"foot_{side}"][1])
        for bone in (f"foot_{side}", f"ball_{side}"):
            parent, *ends = table[bone]
            table[bone] = (parent, *(tuple(pivot + about_z(np.radians(sign * out_deg)) @ (np.array(end) - pivot)) for end in ends))
    character = Character.of(made.skeleton(table))
    turn = about_z(0.3) @ about_y(0.4)
    motions = {
        role: Motion(
            np.tile((turn if role.startswith(("foot", "toe")) else np.eye(3)) @ character.reference[role], (2, 1, 1)),
            np.tile(character.rest_head(role), (2, 1)),
            character.rest_head(role),
        )
        for role in character.roles.bones
        if role in character.reference
    }
    feet = read_feet(character, motions)
    np.testing.assert_allclose(feet.turn, np.broadcast_to(turn, (2, 2, 3, 3)), atol=1e-9)
    np.testing.assert_allclose(feet.toe, np.broadcast_to(turn, (2, 2, 3, 3)), atol=1e-9)
    assert np.abs(character.reference["foot.L"] - np.eye(3)).max() > 0.1, "turned at rest"


def test_of_two_soles_only_the_long_one_tips_less():
    sole = Sole.of(BODY)
    long = np.where([[True], [False]], sole.joint * [3.0 * LEG / sole.joint[0, 0], 1.0, 1.0], sole.joint)
    turn = np.tile(about_z(0.4) @ about_y(-0.5), (FRAMES, 2, 1, 1))
    found = suited(replace(sole, joint=long), Feet(np.zeros((FRAMES, 2, 3)), turn, turn), LEG)
    np.testing.assert_allclose(found.turn[:, 1], turn[:, 1], atol=1e-12)
    pitch = angles_of(about_z(0.4).T @ found.turn).pitch
    assert (pitch[:, 0] < -0.01).all() and (pitch[:, 0] > 0.5 * pitch[:, 1]).all()


def test_feet_that_rest_banked_are_level_where_they_stand():
    """A foot that is never seen flat is banked as the other one is, mirrored."""
    turn = np.tile(np.eye(3), (FRAMES, 2, 1, 1))
    turn[:, 0], turn[:, 1] = about_x(0.2) @ about_y(0.1), about_x(-0.2) @ about_y(0.1)
    feet = Feet(np.zeros((FRAMES, 2, 3)), turn, turn)
    flat = np.zeros((FRAMES, 2), dtype=bool)
    np.testing.assert_array_equal(calibrated(feet, flat, FPS).turn, turn)
    for seen in ([0], [1], [0, 1]):
        flat = np.zeros((FRAMES, 2), dtype=bool)
        flat[20:40, seen] = True
        np.testing.assert_allclose(calibrated(feet, flat, FPS).turn, np.tile(np.eye(3), (FRAMES, 2, 1, 1)), atol=3e-3)
        np.testing.assert_allclose(calibrated(feet, flat, FPS).toe, np.tile(np.eye(3), (FRAMES, 2, 1, 1)), atol=3e-3)


def test_raised_arms_are_spread_less_than_hanging_ones():
    hanging = standing()
    raised = moved(standing(), ("forearm", "hand"), np.zeros((FRAMES, 3)))
    for side in "LR":
        shoulder = HUMAN.rest_head(f"upper_arm.{side}")
        for part, length in (("forearm", 0.3), ("hand", 0.55)):
            rest = HUMAN.rest_head(f"{part}.{side}")
            hanging[f"{part}.{side}"] = Motion(LEVEL, np.tile(shoulder - [0.0, 0.0, length], (FRAMES, 1)), rest)
            raised[f"{part}.{side}"] = Motion(LEVEL, np.tile(shoulder + [0.0, 0.0, length], (FRAMES, 1)), rest)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        down = spaced(hanging, 0.2)[f"hand.{side}"].position - hanging[f"hand.{side}"].position
        np.testing.assert_allclose(down, np.tile([0.0, sign * 0.55 * np.sin(0.2), 0.55 * (1.0 - np.cos(0.2))], (FRAMES, 1)), atol=1e-9)
        np.testing.assert_allclose(spaced(raised, 0.2)[f"hand.{side}"].position, raised[f"hand.{side}"].position, atol=1e-9)
        level = spaced(standing(), 0.2)[f"upper_arm.{side}"].rotation
        np.testing.assert_allclose(level, np.tile(about_x(sign * 0.1), (FRAMES, 1, 1)), atol=0.01)


def test_one_side_of_a_bridge_that_is_never_held_again_fades_away():
    offset = np.full((FRAMES, 1), 0.4)
    held = np.arange(FRAMES) < 30
    found = bridged(offset, held, FPS, 0.5)[:, 0]
    assert (found[:30] == 0.4).all() and (np.diff(found[29:]) <= 1e-12).all() and not found[60:].any()
    np.testing.assert_allclose(bridged(offset, held[::-1], FPS, 0.5)[::-1, 0], found, atol=1e-12)
    assert 0.19 < found[44] < 0.21, "half of it in half the time"


def test_a_report_of_legs_that_have_no_knee_says_nothing_of_reach():
    points = np.zeros((5, 2, 3, 3))
    report = clip_report(points, points, BODY, np.full((5, 2), SWING), FPS)
    assert report["reach"] == 0.0 and report["slip_mm"]["L"] == {"max": None, "p95": None} and report["penetration_mm"] == 0.0
    size = LEG / 0.9
    assert report["limits"] == pytest.approx({"slip_mm": 0.5 * size, "penetration_mm": size, "reach": 0.999, "integrity_percent": 1.0})
