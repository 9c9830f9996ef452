"""What each slider does to the walk, and which way: measured on the pose, against the same walk with the
slider in its middle."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.character.body import LEFT
from neurarig_addon.core.contract.channels import CHANNELS, SLICES
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.individual import individual
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import rotation_vector, yaw_of
from neurarig_addon.core.report.jolts import slip_of
from tests.core.walk_styles import keyed
from tests.core.walkers import BODY, HUMAN

CLOCK = Clock(whole_frames=False)
FRAMES = np.arange(0.0, 60.0, 0.25)


@cache
def walking(slider: str = "speed", value: float = 1.3) -> WalkPose:
    """Return a walk at 1.3 m/s with one slider elsewhere."""
    return walk(BODY, StyleTrack(Style(**{"speed": 1.3, slider: value})), CLOCK, FRAMES, HUMAN)


def pitch(pose: WalkPose, role: str) -> np.ndarray:
    """Return how far a bone leans forward `(frames,)` in radians."""
    return np.arcsin(-pose.motions[role].rotation[:, 2, 0])


def yaw(pose: WalkPose, role: str) -> np.ndarray:
    return yaw_of(pose.motions[role].rotation)


def roll(pose: WalkPose, role: str) -> np.ndarray:
    rotation = pose.motions[role].rotation
    return np.arctan2(rotation[:, 2, 1], rotation[:, 2, 2])


def mid_swing_height(pose: WalkPose) -> float:
    share = (pose.phase[:, LEFT] % 1.0 - pose.duty[:, LEFT]) / (1.0 - pose.duty[:, LEFT])
    return float(pose.motions["foot.L"].position[(share > 0.4) & (share < 0.6), 2].mean())


def elbow(pose: WalkPose, side: str = "L") -> np.ndarray:
    """Return how far an elbow is bent `(frames,)` in radians."""
    upper, fore, hand = (pose.motions[f"{part}.{side}"].position for part in ("upper_arm", "forearm", "hand"))
    first, second = fore - upper, hand - fore
    return np.arccos(
        np.sum(first * second, axis=-1) / np.linalg.norm(first, axis=-1) / np.linalg.norm(second, axis=-1)
    )


def arm(pose: WalkPose, axis: int) -> np.ndarray:
    return (pose.motions["hand.L"].position - pose.motions["upper_arm.L"].position)[:, axis]


MEASURES: dict[str, Callable[[WalkPose], float]] = {
    "stride": lambda pose: pose.stride[0],
    "foot height in the air": mid_swing_height,
    "feet apart": lambda pose: np.mean(
        (pose.motions["foot.L"].position - pose.motions["foot.R"].position)[:, 1]
    ),
    "toes out": lambda pose: np.mean(yaw(pose, "foot.L") - yaw(pose, "foot.R")),
    "bounce": lambda pose: np.ptp(pose.motions["pelvis"].position[:, 2]),
    "sway": lambda pose: np.ptp(pose.motions["pelvis"].position[:, 1]),
    "hip twist": lambda pose: np.ptp(yaw(pose, "pelvis")),
    "hip list": lambda pose: np.ptp(roll(pose, "pelvis")),
    "chest twist": lambda pose: np.ptp(yaw(pose, "spine.3")),
    "chest list": lambda pose: np.ptp(roll(pose, "spine.3")),
    "lean": lambda pose: np.mean(pitch(pose, "spine.3")),
    "arm swing": lambda pose: np.ptp(arm(pose, 0)),
    "arms off the body": lambda pose: np.mean(arm(pose, 1)),
    "elbows bent": lambda pose: np.mean(elbow(pose)),
    "head leans with the chest": lambda pose: np.mean(pitch(pose, "head")),
    "crouch": lambda pose: -np.mean(pose.motions["pelvis"].position[:, 2]),
    "time on the ground": lambda pose: np.mean(pose.duty),
    "heel rise": lambda pose: np.max(pitch(pose, "foot.L")[pose.pivot[:, LEFT] != SWING]),
}
# What is more (+) or less (-) with a slider at one of its ends than in its middle.
MOVES = {
    (
        "energy",
        1.0,
    ): (
        "+stride +foot height in the air +bounce +hip twist +chest twist -lean +arm swing +elbows bent +heel"
        " rise"
    ),
    (
        "energy",
        -1.0,
    ): (
        "-stride -foot height in the air -hip twist -chest twist +lean -arm swing -elbows bent +crouch -heel"
        " rise +head leans with the chest"
    ),
    (
        "weight",
        1.0,
    ): (
        "-stride +feet apart +toes out +bounce +sway +hip list +chest list +lean -arm swing +arms off the"
        " body +crouch +time on the ground -heel rise"
    ),
    ("weight", -1.0): "+stride -sway -hip list -chest list -time on the ground",
    ("lean", 10.0): "+lean",
    ("crouch", 0.1): "+crouch",
    ("twist", 2.0): "+hip twist +chest twist -bounce -arms off the body",
    ("list", 2.0): "+hip list +chest list",
    ("sway", 2.0): "+sway",
    ("bounce", 1.5): "+bounce",
    ("bounce", 0.5): "-bounce",
    ("foot_splay", 10.0): "+toes out +feet apart",
    ("stance_width", 2.0): "+feet apart +sway +bounce",
    ("arm_swing", 1.5): "+arm swing +elbows bent -arms off the body",
    ("arm_spread", 10.0): "+arms off the body",
    ("elbow_bend", 10.0): "+elbows bent -arm swing -arms off the body",
    ("stride", 0.8): "-stride -bounce -arms off the body +elbows bent",
    ("cadence", 1.25): "-stride -bounce -arms off the body +elbows bent",
    ("duty_factor", 1.1): "+time on the ground -foot height in the air +bounce -hip twist -hip list",
    ("step_height", 2.0): "+foot height in the air -bounce",
    ("head_bob", 1.0): "+head leans with the chest",
}
MACROS = ("energy", "weight")


@pytest.mark.parametrize(("slider", "value", "sign", "measure"), [
    (slider, value, word[0], word[1:]) for (slider, value),
    words in MOVES.items() for word in re.split(" (?=[+-])", words)
])  # fmt: skip
def test_a_slider_moves_the_walk_the_way_its_name_says(slider, value, sign, measure):
    middle, end = MEASURES[measure](walking()), MEASURES[measure](walking(slider, value))
    change = (end - middle) * (1.0 if sign == "+" else -1.0)
    assert change > 0.01 * abs(middle) + 1e-4, f"{measure}: {middle} to {end}"


@pytest.mark.parametrize(("slider", "value"), [end for end in MOVES if end[0] not in MACROS])
def test_a_slider_leaves_alone_what_is_not_its_own(slider, value):
    for measure, of in MEASURES.items():
        if measure not in MOVES[slider, value]:
            assert of(walking(slider, value)) == pytest.approx(of(walking()), rel=0.03, abs=0.005), measure


SCALED = {"bounce": "bounce", "sway": "sway", "twist": "hip twist", "list": "hip list"}


@pytest.mark.parametrize("slider", SCALED)
def test_a_factor_is_one_where_legs_are_bent_enough_to_let_it(slider):
    still, half, natural, twice = (
        MEASURES[SCALED[slider]](crouched(**{slider: much})) for much in (0.0, 0.5, 1.0, 2.0)
    )
    assert [still, half, twice] == pytest.approx([0.0, 0.5 * natural, 2.0 * natural], abs=0.07 * natural)


def test_less_bounce_rises_less_and_more_falls_lower():
    """Both legs reach the lowest height, in double support; a standing leg is straight at the highest."""
    flat, natural, springy = (
        crouched(bounce=much).motions["pelvis"].position[:, 2] for much in (0.5, 1.0, 1.5)
    )
    assert flat.min() == pytest.approx(natural.min(), abs=1e-3) and flat.max() < natural.max() - 0.01
    assert springy.max() == pytest.approx(natural.max(), abs=1e-3) and springy.min() < natural.min() - 0.01


def crouched(**style: float) -> WalkPose:
    """Return a walk whose legs are bent enough to reach whatever is asked of the pelvis."""
    return walk(BODY, StyleTrack(Style(speed=1.3, crouch=0.1, **style)), CLOCK, FRAMES, HUMAN)


@pytest.mark.parametrize("seed", [0, 2, 8])
def test_the_sides_of_somebody_differ_about_the_walk_that_sliders_make_of_the_traits(seed):
    """Left and right habits cancel in the mean of both sides; traits are logarithms of factors, or
    degrees."""
    traits = individual(seed).traits
    sliders = {
        name: trait if name in ("lean", "elbow_bend", "foot_splay") else float(np.exp(trait))
        for name, trait in traits.items()
    }
    who = walk(BODY, StyleTrack(Style(speed=1.3, individual=1.0), person=seed), CLOCK, FRAMES, HUMAN)
    same = walk(BODY, StyleTrack(Style(speed=1.3, **sliders)), CLOCK, FRAMES, HUMAN)
    for measure in (
        "stride",
        "feet apart",
        "toes out",
        "sway",
        "hip twist",
        "hip list",
        "chest twist",
        "chest list",
        "time on the ground",
    ):
        assert MEASURES[measure](who) == pytest.approx(MEASURES[measure](same), rel=0.02), measure
    bends, swings = (
        [np.mean([of(pose, side) for side in "LR"]) for pose in (who, same)] for of in (mean_elbow, log_swing)
    )
    assert abs(bends[0] - bends[1]) < np.radians(0.4) and abs(swings[0] - swings[1]) < 0.02
    assert (
        abs(mean_elbow(who, "L") - mean_elbow(who, "R")) > np.radians(2.0)
        and abs(log_swing(who, "L") - log_swing(who, "R")) > 0.15
    )


def mean_elbow(pose: WalkPose, side: str) -> float:
    return float(np.mean(elbow(pose, side)))


def log_swing(pose: WalkPose, side: str) -> float:
    """Return the logarithm of how far an upper arm swings, in radians."""
    way = pose.motions[f"forearm.{side}"].position - pose.motions[f"upper_arm.{side}"].position
    return float(np.log(np.ptp(np.arctan2(way[:, 0], -way[:, 2]))))


@pytest.mark.parametrize("value", [-1.0, 0.0, 0.02])
def test_no_slider_makes_the_walk_stand_on_the_spot(value):
    """A stride of nothing would be steps without end; no legs take more than 1.6 x sqrt(g / leg) of them a
    second."""
    pose = walking("stride", value)
    assert 2.0 / pose.period[0] == pytest.approx(1.6 * np.sqrt(9.81 / (1.09 * BODY.leg_length)), rel=0.05)


def test_the_elbow_slider_counts_degrees():
    straight, bent = elbow(walking("elbow_bend", 20.0)), elbow(walking("elbow_bend", 50.0))
    assert_allclose(bent - straight, np.radians(30.0), atol=1e-6)


def test_arms_that_swing_less_bend_their_elbows_less_but_are_not_stiff():
    still, natural, wide = (elbow(walking("arm_swing", swing)) for swing in (0.0, 1.0, 1.5))
    assert 0.25 * np.ptp(natural) < np.ptp(still) < 0.5 * np.ptp(natural)
    assert 1.2 * np.ptp(natural) < np.ptp(wide) < 1.5 * np.ptp(natural)


UPPER = ("spine.1", "spine.3", "head", "clavicle.L", "upper_arm.L", "forearm.R", "hand.L")


@pytest.mark.parametrize("influence", [0.0, 0.25, 0.9])
def test_influence_is_the_share_of_the_walk_that_is_left(influence):
    """The legs walk more slowly by it, the upper body is turned that share of the way from rest."""
    slow = walk(BODY, StyleTrack(Style(speed=1.3 * influence)), CLOCK, FRAMES, HUMAN).motions
    part = walk(BODY, StyleTrack(Style(speed=1.3, influence=influence)), CLOCK, FRAMES, HUMAN).motions
    for side in "LR":
        for role in (f"thigh.{side}", f"shin.{side}", f"foot.{side}", f"toe.{side}"):
            assert_allclose(part[role].position, slow[role].position, atol=1e-12, err_msg=role)
            assert_allclose(part[role].rotation, slow[role].rotation, atol=1e-12, err_msg=role)
    for role in UPPER:
        assert_allclose(
            rotation_vector(part[role].rotation), influence * rotation_vector(slow[role].rotation), atol=1e-6
        )


@pytest.mark.parametrize("speed", [0.7, 1.3, 1.8])
def test_feet_stay_where_they_stand_while_the_influence_is_keyed(speed):
    frames = np.arange(1.0, 160.0)
    track = keyed("influence", [20, 50, 90, 130], [0.0, 1.0, 1.0, 0.0], speed=speed)
    pose = walk(BODY, track, CLOCK, frames, HUMAN)
    feet = [pose.root.holding(pose.motions[f"foot.{side}"]) for side in "LR"]
    toes = [pose.root.holding(pose.motions[f"toe.{side}"]) for side in "LR"]
    for row in range(2):
        points = np.stack(
            [
                feet[row].carry(BODY.heel[row]),
                toes[row].carry(BODY.ball[row]),
                toes[row].carry(BODY.toe[row]),
            ],
            axis=1,
        )
        assert slip_of(points, pose.pivot[:, row]).max() < 1e-6
    hips = pose.root.carried(pose.motions["pelvis"].position[:, None])[:, 0]
    assert hips[-1, 0] - hips[0, 0] > 0.5 * speed * 80 / 24  # and it went somewhere
    assert np.abs(np.diff(hips[frames > 145], axis=0)).max() < 5e-3  # it stands
    for role in UPPER:
        assert np.abs(pose.motions[role].rotation[frames <= 20] - np.eye(3)).max() < 1e-9


@pytest.mark.parametrize(("slider", "value"), [("energy", -1.0), ("weight", 1.0), ("crouch", 0.05)])
def test_who_is_tired_or_heavy_stands_lower(slider, value):
    upright, low = (
        walk(BODY, StyleTrack(style), CLOCK, FRAMES[:1], HUMAN)
        for style in (Style(speed=0.0), Style(speed=0.0, **{slider: value}))
    )
    assert MEASURES["crouch"](low) > MEASURES["crouch"](upright) + 0.005 * BODY.leg_length


def test_a_walker_who_is_not_planted_bends_the_toes_as_the_curves_say():
    class Bent:
        def sample(self, slow, phase_right, phase_left):
            values = np.zeros((len(phase_right), len(CHANNELS)))
            for foot, pitched in (("foot_l", 0.3), ("foot_r", -0.2), ("ball_l", -0.5), ("ball_r", 0.1)):
                values[:, SLICES[foot].start + 3] = pitched
            return values

    pose = walk(BODY, StyleTrack(Style(speed=1.3)), CLOCK, FRAMES, Gait(Bent(), planted=False))
    for side, foot, bend in (("L", 0.3, -0.5), ("R", -0.2, 0.1)):
        assert_allclose(pitch(pose, f"foot.{side}"), foot, atol=1e-9)
        assert_allclose(pitch(pose, f"toe.{side}"), foot + bend, atol=1e-9)
    stiff = walk(
        replace(BODY, toe_joint=np.full((2, 3), np.nan)),
        StyleTrack(Style(speed=1.3)),
        CLOCK,
        FRAMES,
        Gait(Bent(), planted=False),
    )
    assert "toe.L" not in stiff.motions


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_a_stepped_key_acts_on_the_swing_that_is_under_way(share):
    """A step height keyed from within a swing, constant, to after its landing raises that swing and no
    other."""
    frames = np.arange(1.0, 90.0, 0.25)
    plain = walk(BODY, StyleTrack(Style(speed=1.2)), CLOCK, frames, HUMAN)
    left = plain.phase[:, 0]
    lift, landing = (float(np.interp(phase, left, frames)) for phase in (1.0 + plain.duty[0, 0], 2.0))
    begins = lift + share * (landing - lift)
    keys = np.array([begins - 1e-3, begins, landing - 1e-3, landing])
    raised = walk(
        BODY,
        StyleTrack(Style(speed=1.2), {"step_height": (keys, np.array([1.0, 2.0, 2.0, 1.0]))}),
        CLOCK,
        frames,
        HUMAN,
    )
    higher = raised.motions["foot.L"].position[:, 2] - plain.motions["foot.L"].position[:, 2]
    swing = (frames > lift) & (frames < landing)
    assert higher[swing].max() > 0.03
    assert np.abs(higher[~swing]).max() < 1e-3  # the pelvis that carries both feet rises a little
    assert np.abs(raised.motions["foot.R"].position - plain.motions["foot.R"].position).max() < 1e-3
