"""Properties of a run: flight in every step, free fall in it, feet planted whatever the speed, and a change
from a walk within a step."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import FLAT, SWING
from neurarig_addon.core.character.body import LEFT
from neurarig_addon.core.gait.body.flight import Pushes, spring_rise
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.kinds.gait_change import RUNS_FROM, WALKS_FROM, running_share
from neurarig_addon.core.gait.kinds.law import natural_run_speed
from neurarig_addon.core.gait.kinds.natural import GRAVITY, SOLE_LEG_SHARE, speed_of
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk, walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.path.curve import Curve
from tests.core.walk_grounds import greatest_kick
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip
from tests.core.walk_paths import circle
from tests.core.walkers import BODY, BY_SPEED, RUNNING, WALKING

SPEEDS = (2.0, 2.7, 3.5, 4.5, 5.5, 7.0, 9.0)
FRAMES = np.arange(0.0, 60.0, 0.25)
CLOCK = Clock(fps=60.0, start=0.0)
NOTHING_M = 1e-9


def run(
    speed: float, frames: np.ndarray = FRAMES, gait: Gait = RUNNING, clock: Clock = CLOCK, **sliders: float
):
    return walk(BODY, StyleTrack(Style(speed=speed, **sliders)), clock, frames, gait)


@pytest.mark.parametrize(
    ("begins", "lasts"),
    [
        ([0.0, 0.5], [0.17, 0.17]),
        ([0.0, 0.55], [0.6, 0.5]),
        ([0.0, 0.35], [0.4, 0.45]),
        ([0.0, 0.2, 0.5, 0.7], [0.2] * 4),
    ],
)
def test_a_body_on_springs_meets_free_fall_in_height_and_speed(begins, lasts):
    period, n = 0.7, 20_000
    cycles = np.arange(2 * n) / n
    pushes = Pushes(np.array(begins), np.array(lasts), np.ones(len(begins)))
    height = spring_rise(cycles, pushes, period)
    rate = np.diff(height) / (period / n)
    assert np.abs(np.diff(height)).max() < 1e-3 and np.abs(np.diff(rate)).max() < 0.01
    assert height[n] == pytest.approx(height[0], abs=1e-12)
    force = np.diff(rate) / (period / n) / GRAVITY + 1.0
    assert force[:n].mean() == pytest.approx(1.0, abs=1e-3), "on average legs carry the body's weight"
    stands = np.any(
        [(cycles - one) % 1.0 < long + 1e-3 for one, long in zip(begins, lasts, strict=True)], axis=0
    )
    assert_allclose(force[:n][~stands[1 : n + 1]], 0.0, atol=1e-3)


@pytest.mark.parametrize("speed", SPEEDS)
def test_every_step_has_a_flight_and_free_fall_in_it(speed):
    clock = Clock(fps=240.0, start=0.0, whole_frames=False)
    pose = run(speed, np.arange(0.0, 400.0), clock=clock)
    flying = (pose.pivot == SWING).all(axis=1)
    steps = np.floor(2.0 * pose.phase[:, LEFT])
    inner = range(int(steps[0]) + 1, int(steps[-1]))
    assert all(flying[steps == step].any() for step in inner), "both feet are off the ground in every step"
    hips = 0.5 * (pose.motions["thigh.L"].position + pose.motions["thigh.R"].position)[:, 2]
    fall = np.diff(hips, 2) * 240.0**2
    deep = flying[:-2] & flying[1:-1] & flying[2:]
    # The hip joints turn a little with the pelvis.
    assert np.median(fall[deep]) == pytest.approx(-GRAVITY, rel=0.15)


@pytest.mark.parametrize("speed", [0.5, *SPEEDS])
def test_feet_are_planted_and_legs_do_not_stretch(speed):
    pose = run(speed)
    assert greatest_slip(BODY, pose) < NOTHING_M
    assert deepest(BODY, pose) < NOTHING_M
    assert greatest_reach(BODY, pose) <= 0.999


@pytest.mark.parametrize("scale", [0.4, 1.0])
@pytest.mark.parametrize("fps", [24, 25, 30, 48, 50, 60])
def test_a_natural_run_loops_on_whole_frames(scale, fps):
    body = human_body(scale=scale)
    speed = natural_run_speed(body.leg_length, fps)
    pose = walk(body, StyleTrack(Style(speed=speed)), Clock(fps=fps), np.arange(1.0, 60.0), RUNNING)
    cycle = pose.period[0] * fps
    assert cycle == pytest.approx(round(cycle), abs=1e-6)
    if scale >= 1.0:
        assert round(cycle) % 2 == 0, "half a loop is a whole number of frames, where that is no strain"
    assert 0.5 < speed / np.sqrt(GRAVITY * SOLE_LEG_SHARE * body.leg_length) < 1.5


def keyed(*keys: tuple[float, float], rate: int = 4) -> StyleTrack:
    """Return a track whose speed goes through keys of (frame, m/s), on a grid of quarter frames."""
    frames, speeds = np.array(keys).T
    grid = np.arange(frames[0], frames[-1] + 0.5 / rate, 1.0 / rate)
    return StyleTrack(Style(), {"speed": (grid, np.interp(grid, frames, speeds))})


SPRINT = keyed(
    (0, 0.0), (60, 1.3), (150, 1.3), (210, 3.5), (300, 3.5), (360, 7.0), (420, 7.0), (560, 0.0), (600, 0.0)
)


def test_whoever_gets_faster_changes_within_one_step():
    clock = Clock(fps=60.0, start=0.0)
    frames = np.arange(0.0, 600.0, 0.5)
    pose = walk(BODY, SPRINT, clock, frames, BY_SPEED)
    assert (
        greatest_slip(BODY, pose) < NOTHING_M
        and deepest(BODY, pose) < NOTHING_M
        and greatest_reach(BODY, pose) <= 0.999
    )
    walks = pose.duty.mean(axis=1) > 0.5
    changes = np.flatnonzero(np.diff(walks.astype(int)))
    assert len(changes) == 2, "to a run and back"
    row = np.random.default_rng(3).permutation(len(frames))[:20]
    for one in row:
        alone = walk(BODY, SPRINT, clock, frames[one : one + 1], BY_SPEED)
        for role, motion in pose.motions.items():
            assert_allclose(alone.motions[role].position[0], motion.position[one], atol=1e-9)


def drawn(seed: int) -> StyleTrack:
    """Return a speed that goes from standing to others and back, 1 to 4 m/s each second."""
    rng, keys, speed = np.random.default_rng(seed), [(0.0, 0.0)], 0.0
    while keys[-1][0] < 600.0:
        keys.append((keys[-1][0] + rng.uniform(20.0, 90.0), speed))
        wanted = float(rng.choice([0.0, 1.3, 2.0, 2.3, 3.5, 5.0, 7.0]))
        keys.append((keys[-1][0] + max(10.0, 60.0 * abs(wanted - speed) / rng.uniform(1.0, 4.0)), wanted))
        speed = wanted
    return keyed(*keys)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "track", [SPRINT, *(drawn(seed) for seed in range(5))], ids=["sprint", *map(str, range(5))]
)
def test_no_change_of_speed_drives_knees_much_harder_than_a_run_does(track):
    frames = np.arange(0.0, track.curves["speed"][0][-1])
    natural = max(greatest_kick(run(speed, np.arange(0.0, 120.0)), 60.0) for speed in (3.5, 5.0, 7.0))
    pose = walk(BODY, track, CLOCK, frames, BY_SPEED)
    assert greatest_kick(pose, 60.0) < 1.5 * natural
    assert greatest_slip(BODY, pose) < NOTHING_M and greatest_reach(BODY, pose) <= 0.999


def test_the_change_takes_from_one_heel_strike_to_the_next():
    seconds = np.arange(0.0, 10.0, 0.01)
    speed = np.interp(seconds, [0.0, 3.0, 7.0, 10.0], [1.0, 3.0, 3.0, 1.0])
    strikes = np.arange(0.05, 10.0, 0.4)
    share = running_share(speed, seconds, (2.1, 2.0), lambda _: strikes)
    first, last = seconds[np.argmax(share > 0.0)], seconds[np.argmax(share >= 1.0)]
    assert np.isclose(strikes, first, atol=0.011).any() and last - first == pytest.approx(0.4, abs=0.02)
    assert share[0] == 0.0 and share[-1] == 0.0 and share[500] == 1.0


def test_between_the_limits_everyone_goes_on_as_before():
    slow, fast = (speed_of(vhat, BODY.leg_length) for vhat in (WALKS_FROM, RUNS_FROM))
    between = 0.5 * (slow + fast)
    frames = np.arange(0.0, 400.0)
    clock = Clock(fps=60.0, start=0.0)
    from_walk = walk(BODY, keyed((0, 1.0), (200, between), (400, between)), clock, frames, BY_SPEED)
    from_run = walk(BODY, keyed((0, 3.0), (200, between), (400, between)), clock, frames, BY_SPEED)
    assert from_walk.duty[-1].max() > 0.5 > from_run.duty[-1].max()


def test_by_speed_is_the_walk_or_the_run_where_it_never_changes():
    for speed, gait in ((1.2, WALKING), (4.0, RUNNING)):
        either, own = run(speed, gait=BY_SPEED), run(speed, gait=gait)
        for role, motion in own.motions.items():
            assert_allclose(either.motions[role].position, motion.position, atol=1e-4, err_msg=role)


@pytest.mark.parametrize(("speed", "radius"), [(3.0, 10.0), (3.0, 5.0), (6.0, 20.0), (6.0, 10.0)])
def test_who_runs_round_a_bend_leans_in_as_a_whole_until_weight_and_turn_balance(speed, radius):
    pose = walk(
        BODY, StyleTrack(Style(speed=speed)), CLOCK, np.arange(0.0, 240.0, 0.5), RUNNING, circle(radius)
    )
    wanted = np.degrees(np.arctan(pose.ground_speed.mean() ** 2 / radius / GRAVITY))
    hips = 0.5 * (pose.motions["thigh.L"].position + pose.motions["thigh.R"].position)
    trunk = pose.motions["neck"].position - hips
    leans = [float(np.degrees(np.arctan2(part[:, 1].mean(), part[:, 2].mean()))) for part in (hips, trunk)]
    assert leans == pytest.approx([wanted, wanted], abs=2.0)
    assert greatest_slip(BODY, pose) < NOTHING_M and deepest(BODY, pose) < NOTHING_M


@pytest.mark.parametrize("gait", [RUNNING, BY_SPEED], ids=["run", "by speed"])
@pytest.mark.parametrize("metres", np.arange(12.0, 14.4, 0.3).tolist())
def test_a_run_ends_with_both_feet_down_side_by_side_wherever_that_is(gait, metres):
    path = Curve.through(np.array([[0.0, 0.0, 0.0], [metres, 0.0, 0.0]]), BODY.leg_length, starts=True)
    who = Walker.of(BODY, StyleTrack(Style(speed=3.3)), Clock(), gait, path, LEVEL)
    stands = walked(who, np.array([24.0 * who.rhythm.rests.begin[-1] + 60.0]))
    assert (stands.pivot == FLAT).all()
    left, right = (stands.motions[f"foot.{side}"].position[0] for side in "LR")
    assert_allclose(left[[0, 2]], right[[0, 2]], atol=1e-4)
