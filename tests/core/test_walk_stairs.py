"""Up and down stairs that nobody has announced: a foot on every tread, clear of every nose, on nothing that
is not there."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.ground.surface import Surface
from neurarig_addon.core.path.path import STRAIGHT
from tests.core.stair_walks import NATURAL, prints_in_order, walked, walker
from tests.core.walk_grounds import RISER, flight, greatest_kick, hangs_over, kerb, over_ground, stairs
from tests.core.walk_measures import greatest_reach, greatest_slip
from tests.core.walk_paths import circle, line
from tests.core.walkers import BODY, WALKING

STAIRS = {
    f"{degrees} degrees {way}": stairs(degrees, sign)
    for degrees in (24, 33, 42)
    for way, sign in (("up", 1.0), ("down", -1.0))
}


@pytest.mark.parametrize("name", STAIRS)
def test_every_tread_has_one_print_and_the_feet_take_turns(name):
    places = prints_in_order(walker(STAIRS[name]), 11.0)
    level = np.round(places[:, 2] / RISER).astype(int) * (1 if "up" in name else -1)
    assert_allclose(places[:, 2], np.sign(places[:, 2]) * RISER * level, atol=1e-9)
    assert [int((level == tread).sum()) for tread in range(1, 10)] == [1] * 9
    rows = [int(np.flatnonzero(level == tread)[0]) for tread in range(1, 10)]
    assert np.diff(rows).tolist() == [1] * 8


@pytest.mark.parametrize("name", STAIRS)
def test_feet_stand_still_on_ground_and_swing_clear_of_noses(name):
    pose = walked(STAIRS[name], frames=np.arange(1.0, 320.0, 0.25))
    assert greatest_slip(BODY, pose) < 1e-9 and greatest_reach(BODY, pose) <= 0.999
    assert over_ground(pose, STAIRS[name]).min() > -1e-3
    assert hangs_over(pose, STAIRS[name]) <= 0.3
    assert greatest_kick(pose, 96.0) < 1.6 * NATURAL


def test_stairs_of_any_size_anywhere():
    """Drawn at random: risers of 12 to 20 cm, treads of 17 to 40 cm, one to a dozen, up and down, at several
    speeds."""
    draw, kicks = np.random.default_rng(7), []
    for _ in range(14):
        riser, tread, start = draw.uniform(0.12, 0.2), draw.uniform(0.17, 0.4), draw.uniform(2.5, 4.5)
        ground = flight(riser * draw.choice([-1.0, 1.0]), tread, start, int(draw.integers(2, 12)))
        pose = walked(ground, speed=draw.uniform(0.8, 1.5))
        assert greatest_slip(BODY, pose) < 1e-9 and greatest_reach(BODY, pose) <= 0.999
        assert over_ground(pose, ground).min() > -1e-3 and hangs_over(pose, ground) <= 0.3
        kicks.append(greatest_kick(pose, 48.0))
    assert np.median(kicks) < 1.0 * NATURAL and max(kicks) < 2.0 * NATURAL


@pytest.mark.parametrize("name", STAIRS)
def test_the_body_goes_on_over_both_ends_of_a_flight(name):
    """What stairs ask of hips fades where they end; it was counted as a hill's there, and hips came back by
    up to 1.5 m/s."""
    pose = walked(STAIRS[name], frames=np.arange(1.0, 320.0, 0.25))
    hips = pose.root.holding(pose.motions["pelvis"]).carry(BODY.hip.mean(axis=0))[:, 0]
    assert (np.diff(hips) * 96.0).min() > -0.45


def test_who_stops_on_the_last_step_is_not_slowed_twice():
    """For the stairs and for the stop: the slower of both counts."""
    ground, end = flight(RISER, 0.3, 4.0, 2), 4.6
    path = line((0.0, 0.0), (end, 0.0))
    pose = walked(ground, path, np.arange(1.0, 300.0, 0.25))
    there = (
        pose.frames[np.argmax(pose.root.position[:, 0] > end - 1e-3)]
        - pose.frames[np.argmax(pose.root.position[:, 0] > 4.0)]
    )
    assert 1.0 < there / 24.0 < 2.2


@pytest.mark.parametrize(("land", "ways"), [(1.5, (1, 1)), (1.5, (-1, -1)), (2.0, (1, -1)), (3.0, (1, 1))])
def test_landings_are_walked(land, ways):
    """Speed and steps are a flight's on its treads only: they were all over a landing, 0.4 m/s in steps of a
    tread."""
    edges = 4.0 + np.concatenate([0.28 * np.arange(6), 0.28 * (np.arange(6) + 5) + land])
    rises = np.repeat(np.array(ways) * RISER, 6)
    who = walker(Surface(lambda places: ((places[:, :1] > edges) * rises).sum(axis=1)), speed=1.3)
    middle = 0.5 * (edges[5] + edges[6])
    assert np.interp(middle, who.rhythm.distance, who.rhythm.speed) > 0.85 * 1.3
    along = prints_in_order(who, 24.0)[:, 0]
    assert np.median(np.diff(along[(along > edges[5]) & (along < edges[6])])) > 0.45


@pytest.mark.parametrize("height", [0.1, -0.15, 0.2])
def test_a_kerb_is_walked_over_at_speed(height):
    rhythm = walker(kerb(height), speed=1.3).rhythm
    assert rhythm.speed[(rhythm.distance > 2.0) & (rhythm.distance < 6.0)].min() > 0.8 * 1.3


@pytest.mark.parametrize(("name", "seconds"), [("33 degrees up", 1.42), ("33 degrees down", 1.24)])
def test_on_stairs_people_are_slower_and_a_stride_is_two_treads(name, seconds):
    """1.3 to 1.5 s up and 1.1 to 1.3 s down for a cycle (Riener 2002)."""
    pose = walked(STAIRS[name])
    on_it = np.flatnonzero(np.abs(pose.root.position[:, 0] - 5.2) < 0.5)
    assert_allclose(pose.stride[on_it], 2.0 * RISER / np.tan(np.radians(33.0)), rtol=0.01)
    assert_allclose(pose.period[on_it], seconds, rtol=0.02)
    assert pose.ground_speed[0] == pytest.approx(1.2) and pose.ground_speed[-1] == pytest.approx(1.2)


@pytest.mark.parametrize("way", ["up", "down"])
def test_whole_feet_on_the_way_up_and_toes_over_the_edge_on_the_way_down(way):
    """10 to 25 % of the sole over the edge where treads are longer than feet; the forefoot touches first."""
    ground = STAIRS[f"24 degrees {way}"]
    pose = walked(ground)
    assert (hangs_over(pose, ground) == 0.0) if way == "up" else (0.1 < hangs_over(pose, ground) < 0.25)
    foot = pose.root.holding(pose.motions["foot.L"])
    on_it = np.abs(pose.root.position[:, 0] - 5.6) < 0.7
    pitch = np.degrees(np.arcsin(-foot.rotation[:, 2, 0]))
    landing = on_it & (pose.phase[:, 0] % 1.0 < 0.02)
    assert landing.any() and pitch[landing].min() > (-1.0 if way == "up" else 8.0)


def test_low_steps_are_taken_two_at_a_time_on_the_way_up():
    treads = walker(flight(0.1, 0.3, 4.0, 8)).treads
    assert treads.flights[0].tread == pytest.approx(0.6, abs=5e-3) and len(treads.flights[0].prints) == 4
    assert walker(flight(0.15, 0.3, 4.0, 8)).treads.flights[0].tread == pytest.approx(0.3, abs=5e-3)


def test_stairs_of_any_size_that_are_crossed_askew():
    """Drawn at random: turned by up to 50 degrees, straight ahead and in bends."""
    draw = np.random.default_rng(3)
    for row in range(12):
        riser, tread, count = (
            draw.uniform(0.12, 0.2) * draw.choice([-1.0, 1.0]),
            draw.uniform(0.25, 0.4),
            int(draw.integers(2, 9)),
        )
        path, turned = (circle(draw.uniform(4.0, 8.0)), 0.5) if row % 2 else (STRAIGHT, 0.0)
        ground = flight(riser, tread, 3.0, count, draw.uniform(-50.0, 50.0) * np.pi / 180.0 + turned)
        pose = walked(ground, path, np.arange(1.0, 170.0, 0.5), speed=draw.uniform(0.8, 1.3))
        assert greatest_slip(BODY, pose) < 1e-9 and over_ground(pose, ground).min() > -1e-3


@pytest.mark.parametrize(
    ("riser", "tread", "count", "radius", "at", "askew"),
    [(0.175, 0.366, 4, 8.92, 3.63, -46.0), (0.194, 0.226, 7, 2.77, 2.5, -5.0)],
)
def test_toes_find_room_on_treads_that_are_crossed_askew_in_a_bend(riser, tread, count, radius, at, askew):
    """Feet were moved to where their tips touched the riser ahead, or planned there as if the path were
    straight: 60 and 173 mm in it."""
    turned = np.arcsin(at / radius)
    across = turned + np.radians(askew)
    start = at * np.cos(across) + radius * (1.0 - np.cos(turned)) * np.sin(across)
    ground = flight(riser, tread, start, count, across)
    pose = walked(ground, circle(radius), np.arange(1.0, 170.0, 0.5), speed=0.9)
    assert greatest_slip(BODY, pose) < 1e-9 and over_ground(pose, ground).min() > -1e-3
    assert greatest_kick(pose, 48.0) < 2.0 * NATURAL


def test_stairs_are_found_at_the_end_of_a_long_path():
    who = walker(flight(0.17, 0.3, 290.0, 6), line((0.0, 0.0), (300.0, 0.0)))
    assert [len(each.prints) for each in who.treads.flights] == [6]


def test_a_closed_path_goes_up_and_down_lap_by_lap():
    ground = Surface(
        lambda places: (
            np.clip(np.floor(np.minimum(places[:, 1] - 1.0, 7.0 - places[:, 1]) / 0.35) + 1.0, 0.0, 4.0)
            * 0.16
        )
    )
    pose = walked(ground, circle(4.0), np.arange(1.0, 1300.0, 1.0))
    assert greatest_slip(BODY, pose) < 1e-9
    assert over_ground(pose, ground).min() > -1e-3, "toes clear risers that are crossed askew in the bend"
    assert pose.root.position[:, 2].max() == pytest.approx(0.64, abs=1e-6)


def test_stairs_wait_for_who_stops_on_the_way():
    grid = np.arange(1.0, 500.0, 0.25)
    speed = np.interp(grid, [60.0, 75.0, 100.0, 115.0], [1.2, 0.0, 0.0, 1.2])
    ground = stairs(33.0, start=5.0)
    pose = walk(
        BODY,
        StyleTrack(Style(), {"speed": (grid, speed)}),
        Clock(),
        np.arange(1.0, 400.0),
        WALKING,
        STRAIGHT,
        ground,
    )
    assert greatest_slip(BODY, pose) < 1e-9 and over_ground(pose, ground).min() > -1e-3
