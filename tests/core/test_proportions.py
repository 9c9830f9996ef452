"""Bodies that are no adult's: planted all the same, and without knees at the chest, legs like a V or arms
that throw the body about."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from tests.core.walk_grounds import flight, over_ground
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip, knee_angle
from tests.core.walkers import BODY, HUMAN, RUNNING

FRAMES = np.arange(0.0, 121.0, 0.25)


def with_feet(size: float, toes: bool = True) -> Body:
    """Return the adult with feet `size` times as long, the ankle as high as before."""

    def longer(points: np.ndarray) -> np.ndarray:
        return points * [size, 1.0, 1.0]

    joint = longer(BODY.toe_joint) if toes else np.full((2, 3), np.nan)
    return replace(
        BODY, heel=longer(BODY.heel), ball=longer(BODY.ball), toe=longer(BODY.toe), toe_joint=joint
    )


def with_hips(width: float) -> Body:
    """Return the adult with hips and legs `width` times as far apart."""

    def wider(points: np.ndarray) -> np.ndarray:
        return points * [1.0, width, 1.0]

    legs = ("hip", "knee", "ankle", "heel", "ball", "toe", "toe_joint")
    return replace(BODY, **{name: wider(getattr(BODY, name)) for name in legs})


BODIES = {
    "half feet": with_feet(0.5),
    "clown's feet": with_feet(3.0),
    "long feet in one piece": with_feet(2.5, toes=False),
    "no heel": replace(BODY, heel=BODY.heel * [-0.4, 1.0, 1.0]),
    "wide hips": with_hips(5.0),
}

WIDE = with_hips(9.0)
LONG = with_feet(2.5, toes=False)
FEET = ("heel", "ball", "toe", "toe_joint")
WIDE_AND_LONG = replace(
    WIDE, **{name: np.where([False, True, False], getattr(WIDE, name), getattr(LONG, name)) for name in FEET}
)


def steady(body: Body, speed: float = 1.3) -> WalkPose:
    return walk(body, StyleTrack(Style(speed=speed)), Clock(), FRAMES, HUMAN)


@pytest.mark.parametrize("speed", [0.0, 0.4, 1.3, 2.2])
@pytest.mark.parametrize("name", BODIES)
def test_any_body_is_planted(name: str, speed: float) -> None:
    pose = steady(BODIES[name], speed)
    assert greatest_slip(BODIES[name], pose) < 1e-9
    assert deepest(BODIES[name], pose) < 1e-9
    assert greatest_reach(BODIES[name], pose) <= 0.999


@pytest.mark.parametrize("name", ["clown's feet", "long feet in one piece"])
def test_long_feet_do_not_bring_the_knees_to_the_chest(name: str) -> None:
    bent, adults = (knee_angle(steady(body), "L").max() for body in (BODIES[name], BODY))
    assert bent < adults + np.radians(15.0)


def test_short_feet_bend_the_leg_behind_and_do_not_make_it_a_stilt() -> None:
    """At toe-off an adult's knee is bent by 36 degrees; with feet of three quarters it was 13 with pelvis and
    strides as theirs."""
    pose = steady(with_feet(0.75))
    leaving = np.abs(pose.phase[:, 0] % 1.0 - pose.duty[:, 0]) < 0.02
    assert np.degrees(knee_angle(pose, "L")[leaving].mean()) > 18.0


def test_on_shorter_feet_steps_are_shorter_and_lift_sooner() -> None:
    """As far as the feet roll less: an adult's take an eighth of the way that the hips go over them."""
    adult, half, clown = (steady(body) for body in (BODY, with_feet(0.5), with_feet(3.0)))
    assert clown.stride == pytest.approx(adult.stride, rel=1e-3) and clown.duty == pytest.approx(
        adult.duty, rel=1e-3
    )
    for name in ("stride", "duty"):
        share = getattr(half, name) / getattr(adult, name)
        assert share.min() > 0.88 and share.max() < 0.975
    still = [steady(body, 0.0).duty for body in (with_feet(0.5), BODY)]
    assert still[0] == pytest.approx(still[1])


def test_runs_on_shorter_feet_are_as_long_with_a_shorter_stance_and_springs_that_know_of_it() -> None:
    half, adult = (
        walk(body, StyleTrack(Style(speed=3.5)), Clock(fps=240.0), FRAMES, RUNNING)
        for body in (with_feet(0.5), BODY)
    )
    assert half.stride == pytest.approx(adult.stride)
    assert (half.duty / adult.duty).min() > 0.88 and (half.duty / adult.duty).max() < 0.975
    hips, flies = (
        (0.5 * sum(half.motions[f"thigh.{side}"].position for side in "LR"))[:, 2],
        (half.pivot == SWING).all(axis=1),
    )
    fall = np.diff(hips, 2) * (240.0 / 0.25) ** 2
    falls = flies[:-2] & flies[1:-1] & flies[2:]
    assert falls.sum() > 20 and np.median(fall[falls]) == pytest.approx(-9.81, rel=0.2)


@pytest.mark.parametrize("name", ["half feet", "no heel"])
def test_who_stands_is_not_lowered(name: str) -> None:
    still, adults = (steady(body, 0.0).motions["pelvis"].position[:, 2] for body in (BODIES[name], BODY))
    assert np.abs(still - adults).max() < 1e-9


def test_legs_under_wide_hips_do_not_slant_like_a_v() -> None:
    body = BODIES["wide hips"]
    hip = body.hip[0, 1] - steady(body).motions["foot.L"].position[:, 1].mean()
    assert hip / body.leg_length < 0.16


@pytest.mark.parametrize("speed", [2.0, 3.5, 5.5])
def test_runners_on_hips_wider_apart_than_legs_are_long_reach_the_ground(speed: float) -> None:
    """With feet on nearly one line, as other runners have them, legs would lie almost flat, and slip by a
    tenth of their length."""
    pose = walk(WIDE, StyleTrack(Style(speed=speed)), Clock(fps=60.0), FRAMES, RUNNING)
    assert greatest_slip(WIDE, pose) < 1e-9 and deepest(WIDE, pose) < 1e-9
    inward = np.abs(pose.motions["thigh.L"].position - pose.motions["foot.L"].position)[:, 1]
    assert inward.max() < 0.4 * WIDE.leg_length


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("riser", "tread", "count", "askew"),
    [
        (-0.16, 0.37, 1, 15.0),
        (-0.15, 0.36, 2, -30.0),
        (-0.16, 0.41, 7, 0.0),
        (0.12, 0.4, 6, 10.0),
        (-0.12, 0.37, 6, 15.0),
        (-0.15, 0.3, 7, -17.0),
    ],
)
@pytest.mark.parametrize(
    "body", [BODY, WIDE, LONG, WIDE_AND_LONG], ids=["adult", "wide hips", "long feet", "both"]
)
def test_feet_of_any_build_keep_clear_of_noses(
    body: Body, riser: float, tread: float, count: int, askew: float
) -> None:
    """A nose crossed askew is elsewhere under each foot, and under tip and heel; the ball of a foot in one
    piece may graze it."""
    ground, clock = flight(riser, tread, 3.0, count, np.radians(askew)), Clock(whole_frames=False)
    pose = walk(body, StyleTrack(Style(speed=1.2)), clock, np.arange(1.0, 200.0, 0.25), HUMAN, ground=ground)
    assert greatest_slip(body, pose) < 1e-9
    assert over_ground(pose, ground, body).min() > -1e-3 * body.leg_length


def test_long_arms_swing_through_a_smaller_angle() -> None:
    """On twice the arm the hand would go twice as far."""
    long_arms = replace(BODY, elbow=2.0 * BODY.elbow - BODY.shoulder, wrist=2.0 * BODY.wrist - BODY.shoulder)

    def way(body: Body) -> float:
        motions = steady(body).motions
        return float(np.ptp(motions["hand.L"].position[:, 0] - motions["upper_arm.L"].position[:, 0]))

    assert way(long_arms) < 1.35 * way(BODY)


def test_hands_pass_the_thighs_of_wide_hips() -> None:
    """Hips a third wider than the shoulders, legs under them: the wrists stay outside the hip joints."""
    motions = steady(with_hips(2.5)).motions
    for side, outward in (("L", 1.0), ("R", -1.0)):
        assert (
            outward * (motions[f"hand.{side}"].position - motions[f"thigh.{side}"].position)[:, 1]
        ).min() > 0.0


def test_arms_down_to_the_ground_are_carried_bent() -> None:
    """An ape's arms: twice an adult's and more, longer than its shoulders are high."""
    ape = replace(
        BODY, elbow=3.0 * BODY.elbow - 2.0 * BODY.shoulder, wrist=3.0 * BODY.wrist - 2.0 * BODY.shoulder
    )
    motions = steady(ape, 0.6).motions
    assert min(motions[f"hand.{side}"].position[:, 2].min() for side in "LR") > 0.1
