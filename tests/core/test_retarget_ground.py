"""What stands, since when, and on what floor: small scenes whose answers are known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import FLAT, SWING, Feet
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.foothold import Footholds
from neurarig_addon.core.retarget.ground import (
    find_ground,
    floor_between,
    floor_plane,
    lowest_frequent,
    pointing,
)
from neurarig_addon.core.retarget.source import belt_velocity
from neurarig_addon.core.retarget.travel import ground_motion
from tests.core import retarget_bodies as given
from tests.core.standing_clips import BODY, FPS, FRAMES, HUMAN, LEG, moved, standing


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
    lifted = moved(
        standing(),
        ("foot.L", "toe.L"),
        path(z=0.3 * during(40, 80), x=0.1 * np.sin(np.arange(FRAMES)) * during(40, 80)),
    )
    for point in ("heel.L", "ball.L"):
        (first, last), (again, end) = spans(lifted, point)
        assert first == 0 and 34 <= last <= 39 and 81 <= again <= 86 and end == FRAMES - 1
    assert spans(lifted, "heel.R") == [[0, FRAMES - 1]]


@pytest.mark.parametrize("height", [0.15, 0.4])
def test_a_foot_that_rests_on_a_box_stands_where_the_other_one_is_in_the_air(height):
    """On the box, and while it bears; a foot that is merely held up beside one that stands does not."""
    on_box = moved(standing(), ("foot.L", "toe.L"), path(z=height * during(30, 200)))
    bears = moved(
        on_box,
        ("foot.R", "toe.R"),
        path(z=(0.1 + height) * during(60, 100), x=0.5 * np.sin(np.arange(FRAMES)) * during(60, 100)),
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
    """A sole that is thicker than the other's is no foot in the air, and leaves the ground where the other
    one would."""
    thick = path(z=0.025 + 0.045 * during(40, 80, 12))
    assert spans(moved(standing(), ("foot.L", "toe.L"), thick), "heel.L") == [[0, FRAMES - 1]]
    assert spans(moved(standing(), ("foot.L", "toe.L"), path(z=0.045 * during(40, 80, 12))), "heel.L") == [
        [0, FRAMES - 1]
    ]
    assert (
        len(
            spans(moved(standing(), ("foot.L", "toe.L"), path(z=0.025 + 0.07 * during(40, 80, 12))), "heel.L")
        )
        == 2
    )


def test_a_foot_that_is_dragged_along_does_not_stand():
    """Slowly, and never lifted: where it moves it is not held."""
    dragged = moved(
        standing(), ("foot.L", "toe.L"), path(x=np.interp(np.arange(FRAMES), [40, 90], [0.0, 0.25]))
    )
    frames = np.zeros(FRAMES, dtype=bool)
    for first, last in spans(dragged, "heel.L"):
        frames[first : last + 1] = True
    assert frames[:35].all() and frames[95:].all() and frames[45:85].mean() < 0.1
    assert spans(dragged, "heel.R") == [[0, FRAMES - 1]]


def test_a_hand_on_the_ground_stands_though_nothing_moves():
    low = moved(
        standing(), ("hand.L",), np.tile([0.0, 0.0, 0.05 * LEG - HUMAN.rest_head("hand.L")[2]], (FRAMES, 1))
    )
    assert spans(low, "hand.L") == [[0, FRAMES - 1]] and not spans(low, "hand.R")


def test_a_belt_goes_as_most_of_what_is_low_does():
    """One foot is carried along all the time; the other half of the time, and slips a little for the rest."""
    seconds = np.arange(FRAMES) / FPS
    left = np.outer(-1.4 * seconds, [1.0, 0.0, 0.0])
    right = np.outer(-1.4 * np.minimum(seconds, 1.0) - 1.0 * np.maximum(seconds - 1.0, 0.0), [1.0, 0.0, 0.0])
    carried_along = moved(moved(standing(), ("foot.L", "toe.L"), left), ("foot.R", "toe.R"), right)
    assert_allclose(belt_velocity(BODY, carried_along, FPS), [-1.4, 0.0], atol=0.01)
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
    aside = np.resize([0.1, -0.1], 80)  # one foot rolls lower, on a way that goes aside too
    way = np.column_stack([along - aside, along + aside, 0.1 * aside])
    assert np.abs(floor_plane(way, 0.9)[1:]).max() < 2e-3


def holding(hold: np.ndarray, ground: np.ndarray, tiptoe: np.ndarray) -> Footholds:
    """Return footholds at heights, on the spot."""
    shape = hold.shape
    feet = Feet(np.zeros((*shape, 3)), np.tile(np.eye(3), (*shape, 1, 1)), np.tile(np.eye(3), (*shape, 1, 1)))
    return Footholds(feet, np.where(hold >= 0, FLAT, SWING), hold, ground, tiptoe)


def grounded(
    left: list[tuple[float, float]], right: list[tuple[float, float]]
) -> tuple[Footholds, np.ndarray]:
    """Return footholds of ten frames each, as (height, tiptoe) in leg lengths, and the heights that are found
    for them."""
    hold = np.stack(
        [np.repeat(np.arange(len(left)), 10), len(left) + np.repeat(np.arange(len(right)), 10)], axis=1
    )
    given_as = np.array([left, right])
    ground, tiptoe = (np.repeat(given_as[..., n].T, 10, axis=0) for n in (0, 1))
    holds = holding(hold, LEG * ground, tiptoe)
    found = find_ground(holds, np.zeros((*hold.shape, 3)), LEG, 0.25)
    assert_allclose(found.height - found.lift, holds.ground - found.plane[0], atol=1e-9)
    return holds, found.height[::10] / LEG


def test_heights_near_the_floor_are_the_floor_and_steps_are_steps():
    flat = [(0.0, 0.0)] * 4
    for rise, told in ((0.04, 0.0), (0.1, 0.1), (0.3, 0.3), (-0.1, 0.0)):
        _, found = grounded([*flat, (rise, 0.0)], [*flat, (0.0, 0.0)])
        assert_allclose(found[4], [told, 0.0], atol=0.01)
    _, found = grounded([*flat, (-0.4, 0.0)], [*flat, (0.0, 0.0)])
    assert_allclose(found[:, 0], [0.4, 0.4, 0.4, 0.4, 0.0], atol=0.01)  # a pit becomes the floor
    _, found = grounded([*flat, (0.15, 0.9)], [*flat, (0.0, 0.0)])
    assert_allclose(found[4], 0.0, atol=0.01)  # on tiptoe, which is higher on a longer foot


def test_a_foot_that_points_at_the_ground_beside_one_that_bears_is_not_pulled_down():
    flat = [(0.0, 0.0)] * 4
    for height, tiptoe, beside, told in (
        (0.1, 0.9, 0.0, True),
        (0.1, 0.2, 0.0, False),
        (0.0, 0.9, 0.0, False),
        (0.1, 0.9, 0.9, False),
    ):
        left, right = [*flat, (height, tiptoe)], [*flat, (0.0, beside)]
        holds, _ = grounded(left, right)
        found = find_ground(holds, np.zeros((50, 2, 3)), LEG, 0.25)
        assert pointing(holds, found, LEG)[45, 0] == told
        assert not pointing(holds, found, LEG)[:40].any()


def test_the_floor_under_a_foot_in_the_air_is_the_lower_of_both_footholds():
    stands = np.array([1, 1, 0, 0, 1, 0, 1, 0], dtype=bool)[:, None].repeat(2, axis=1)
    stands[:, 1] = False
    height = np.array([0.3, 0.3, 9.0, 9.0, 0.1, 9.0, 0.5, 9.0])[:, None].repeat(2, axis=1)
    assert_allclose(floor_between(height, stands)[:, 0], [0.3, 0.3, 0.1, 0.1, 0.1, 0.1, 0.5, 0.5])
    assert not floor_between(height, stands)[:, 1].any()


def test_the_ground_under_a_body_has_its_heading_and_its_place():
    heading = np.radians(np.linspace(0.0, 120.0, FRAMES))
    pelvis = standing()["pelvis"]
    place = np.column_stack(
        [np.linspace(0.0, 2.0, FRAMES), np.linspace(0.0, -1.0, FRAMES), 0.05 * np.sin(np.arange(FRAMES))]
    )
    turned = Motion(
        about_z(heading) @ about_y(np.full(FRAMES, 0.2)),
        place + (about_z(heading) @ pelvis.rest),
        pelvis.rest,
    )
    for smoothing in (0.0, 0.05):
        root = ground_motion(turned, smoothing, FPS)
        assert_allclose(root.position, place * [1.0, 1.0, 0.0], atol=1e-6)
        assert_allclose(root.rotation, about_z(heading), atol=1e-6)
    back = root.seeing(turned)
    assert_allclose(back.position[:, :2], np.tile(pelvis.rest[:2], (FRAMES, 1)), atol=1e-6)
    assert_allclose(back.rotation, about_y(np.full(FRAMES, 0.2)), atol=1e-6)
