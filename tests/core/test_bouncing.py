"""Properties of skips, gallops and hops: who touches the ground when, free fall between, feet planted
whatever is asked."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.kinds.bouncing_gait import bouncing_gait
from neurarig_addon.core.gait.kinds.natural import GRAVITY
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL, Surface
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.path.path import STRAIGHT
from tests.core.bounces import BOUNCES, CLOCK, FINE, GALLOP, HOP_ON_BOTH, NOTHING_M, SKIP, bounced, natural
from tests.core.walk_grounds import greatest_kick, kerb, over_ground
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip
from tests.core.walk_paths import circle
from tests.core.walkers import BODY, RUNNING
from tests.refusals import refuses

ALL = pytest.mark.parametrize("bounce", BOUNCES.values(), ids=BOUNCES)
MOST_KICK = 1250.0  # rad/s^2 of a knee, in starts and stops; a run at 3 m/s has 770


def landings(pose: WalkPose) -> str:
    """Return which feet come down, in their order."""
    stands = pose.pivot != SWING
    found = [
        (row, "LR"[side])
        for side in (LEFT, RIGHT)
        for row in np.flatnonzero(~stands[:-1, side] & stands[1:, side])
    ]
    return "".join(side for _, side in sorted(found))


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("skip", "LRRL"),
        ("gallop", "LR"),
        ("gallop, left foot first", "RL"),
        ("hop on the left foot", "L"),
        ("hop on the right foot", "R"),
    ],
)
def test_feet_come_down_in_the_order_of_the_gait(name, order):
    found = landings(bounced(BOUNCES[name], np.arange(0.0, 1200.0), FINE))
    assert len(found) >= 2 * len(order) and found in (order * len(found)) + order * 2
    assert any((order * len(found))[shift:].startswith(found) for shift in range(len(order)))


def test_a_gallop_has_its_flight_after_the_foot_that_leads():
    pose = bounced(GALLOP, np.arange(0.0, 1200.0), FINE)
    stands = pose.pivot != SWING
    begins = {side: np.flatnonzero(~stands[:-1, side] & stands[1:, side]) for side in (LEFT, RIGHT)}
    apart = [
        float((begins[RIGHT][begins[RIGHT] > row][0] - row) / 240.0 / pose.period[0])
        for row in begins[LEFT][:-1]
    ]
    assert apart == pytest.approx([0.33] * len(apart), abs=0.02)
    ahead = (
        pose.root.holding(pose.motions["foot.R"]).position[:, 0]
        - pose.root.holding(pose.motions["foot.L"]).position[:, 0]
    )
    assert ahead[stands.all(axis=1)].min() > 0.2, "the leading foot is ahead while both stand"


def test_who_hops_on_both_feet_sets_them_down_together_and_beside_each_other():
    pose = bounced(HOP_ON_BOTH, np.arange(0.0, 400.0), FINE)
    assert (pose.pivot[:, LEFT] == pose.pivot[:, RIGHT]).all()
    feet = [pose.motions[f"foot.{side}"].position[:, 1] for side in "LR"]
    assert (feet[0] - feet[1]).min() > 0.08


@ALL
def test_there_is_a_flight_with_free_fall_in_it_and_legs_carry_the_weight(bounce):
    pose = bounced(bounce, np.arange(0.0, 960.0), FINE)
    hips = pose.motions["pelvis"].position[:, 2]
    flying = (pose.pivot == SWING).all(axis=1)
    assert 0.15 < flying.mean() < 0.6
    fall = np.diff(hips, 2) * 240.0**2
    deep = flying[:-2] & flying[1:-1] & flying[2:]
    assert np.median(fall[deep]) == pytest.approx(-GRAVITY, rel=0.12)
    assert 0.07 < np.ptp(hips) < 0.2


@ALL
@pytest.mark.parametrize("pace", [0.2, 0.6, 1.0, 1.5])
def test_feet_are_planted_and_legs_do_not_stretch(bounce, pace):
    pose = bounced(bounce, np.arange(0.0, 120.0, 0.25), pace=pace)
    assert (
        greatest_slip(BODY, pose) < NOTHING_M
        and deepest(BODY, pose) < NOTHING_M
        and greatest_reach(BODY, pose) <= 0.999
    )


@pytest.mark.few(12)
@ALL
@pytest.mark.parametrize(
    "sliders",
    [
        {"asymmetry": 0.8},
        {"bounce": 1.5},
        {"stride": 1.3},
        {"duty_factor": 0.8},
        {"duty_factor": 1.3},
        {"variation": 1.0},
        {"energy": 1.0},
    ],
    ids=str,
)
def test_sliders_leave_feet_planted(bounce, sliders):
    pose = bounced(bounce, np.arange(0.0, 300.0), **sliders)
    assert (
        greatest_slip(BODY, pose) < NOTHING_M
        and deepest(BODY, pose) < NOTHING_M
        and greatest_reach(BODY, pose) <= 0.999
    )


@ALL
@pytest.mark.parametrize("scale", [0.4, 1.6])
def test_bodies_of_other_sizes_do_it_as_well(bounce, scale):
    body = human_body(scale=scale)
    pose = bounced(bounce, np.arange(0.0, 150.0), body=body)
    assert (
        greatest_slip(body, pose) < NOTHING_M
        and deepest(body, pose) < NOTHING_M
        and greatest_reach(body, pose) <= 0.999
    )


def keyed(*keys: tuple[float, float]) -> StyleTrack:
    frames, speeds = np.array(keys).T
    grid = np.arange(frames[0], frames[-1] + 0.125, 0.25)
    return StyleTrack(Style(), {"speed": (grid, np.interp(grid, frames, speeds))})


def run_kick() -> float:
    """Return the greatest knee acceleration of a run, in rad/s^2, which a bounce is held to."""
    return greatest_kick(
        walk(BODY, StyleTrack(Style(speed=3.0)), CLOCK, np.arange(0.0, 120.0), RUNNING), 60.0
    )


@ALL
def test_knees_are_no_harder_driven_than_in_a_run_and_little_harder_in_starts_and_stops(bounce):
    speed = natural(bounce)
    assert greatest_kick(bounced(bounce, np.arange(0.0, 120.0)), 60.0) < run_kick()
    track = keyed((0, 0.0), (30, 0.0), (90, speed), (300, speed), (360, 0.0), (500, 0.0))
    pose = walk(BODY, track, CLOCK, np.arange(0.0, 500.0), bouncing_gait(bounce))
    assert (
        greatest_slip(BODY, pose) < NOTHING_M
        and deepest(BODY, pose) < NOTHING_M
        and greatest_reach(BODY, pose) <= 0.999
    )
    assert greatest_kick(pose, 60.0) < MOST_KICK
    carried = bouncing_gait(bounce).law.contacts.carried
    stands = (pose.pivot[[0, 20, 480, 499]] != SWING)[:, [side for side in (LEFT, RIGHT) if side != carried]]
    assert stands.all(), "who stands has down what ever stands"


@ALL
def test_a_loop_closes(bounce):
    pose = bounced(bounce, np.arange(0.0, 240.0))
    period = round(float(pose.period[0]) * 60.0)
    for role, motion in pose.motions.items():
        assert_array_equal(motion.position[:period], motion.position[period : 2 * period], err_msg=role)
    assert pose.phase[period, LEFT] - pose.phase[0, LEFT] == pytest.approx(2.0 if bounce is SKIP else 1.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [("gallop", "gallop, left foot first"), ("hop on the left foot", "hop on the right foot")],
)
def test_left_and_right_are_mirrored(one, other):
    clock = replace(FINE, fps=60.0)
    first, second = BOUNCES[one], BOUNCES[other]
    apart = bouncing_gait(second).law.contacts.apart
    period = float(bounced(first, np.zeros(1), clock).period[0]) * 60.0
    shifted = np.arange(100.0, 160.0)
    pose, mirror = bounced(first, shifted, clock), bounced(second, shifted - apart * period, clock)
    for role, image in (
        ("foot.L", "foot.R"),
        ("foot.R", "foot.L"),
        ("hand.L", "hand.R"),
        ("pelvis", "pelvis"),
    ):
        assert_allclose(
            pose.motions[role].position * [1.0, -1.0, 1.0],
            mirror.motions[image].position,
            atol=1e-6,
            err_msg=role,
        )


def test_a_skip_is_the_same_on_both_sides_half_a_cycle_later():
    clock = replace(FINE, fps=60.0)
    period = float(bounced(SKIP, np.zeros(1), clock).period[0]) * 60.0
    frames = np.arange(100.0, 180.0)
    pose, later = bounced(SKIP, frames, clock), bounced(SKIP, frames + 0.5 * period, clock)
    for role in ("foot", "hand", "shin"):
        assert_allclose(
            pose.motions[f"{role}.L"].position * [1.0, -1.0, 1.0],
            later.motions[f"{role}.R"].position,
            atol=1e-6,
            err_msg=role,
        )


@ALL
def test_bends_and_hills_are_gone_over(bounce):
    pose = bounced(bounce, np.arange(0.0, 240.0), path=circle(3.0))
    assert (
        greatest_slip(BODY, pose) < NOTHING_M
        and deepest(BODY, pose) < NOTHING_M
        and greatest_reach(BODY, pose) <= 0.999
    )
    hills = Surface(lambda places: 0.12 * np.sin(0.9 * places[:, 0]) * np.cos(0.7 * places[:, 1]))
    pose = walk(
        BODY,
        StyleTrack(Style(speed=natural(bounce))),
        CLOCK,
        np.arange(0.0, 240.0),
        bouncing_gait(bounce),
        STRAIGHT,
        hills,
    )
    assert greatest_slip(BODY, pose) < NOTHING_M and greatest_reach(BODY, pose) <= 0.999
    standing = np.stack([BODY.heel[:, 2], BODY.ball[:, 2], BODY.toe[:, 2]], axis=-1)
    assert (over_ground(pose, hills) - standing).min() > -1e-6


@pytest.mark.parametrize("name", ["skip", "gallop", "hop on the left foot"])
def test_stairs_and_kerbs_are_refused_in_a_sentence(name):
    gait = bouncing_gait(BOUNCES[name])
    with refuses(r"cannot use stairs, kerbs or gaps.*set Gait to Walk or Run"):
        Walker.of(BODY, StyleTrack(Style(speed=1.5)), CLOCK, gait, STRAIGHT, kerb(0.15))
    with refuses("always faces the way it goes"):
        Walker.of(BODY, StyleTrack(Style(speed=1.5, facing=30.0)), CLOCK, gait, STRAIGHT, LEVEL)
