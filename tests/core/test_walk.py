"""Properties of the walk: planted feet whatever the sliders and the network say, and a pose that is a
function of the frame alone."""

import numpy as np
import pytest

from neurarig_addon.core.body.feet import BALL, FLAT, SWING
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.contract.channels import CHANNELS
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import natural_speed, walk
from neurarig_addon.core.geometry.rotation import yaw_of
from neurarig_addon.core.human.adult import human_body
from tests.core.walk_measures import (
    carried,
    deepest,
    greatest_reach,
    greatest_slip,
    knee_angle,
    toe_clearance,
)
from tests.core.walk_styles import WALKS, keyed
from tests.core.walkers import BODY, HUMAN, WALKING

FRAMES = np.arange(0.0, 121.0, 0.25)
# 1e-9 m: what double precision leaves of a sum of metres.
NOTHING_M = 1e-9


class Noise:
    """Weights gone mad: any smooth periodic curves, so large that only construction can keep the feet
    planted."""

    def sample(self, slow, phase_right, phase_left):
        rng = np.random.default_rng(7)
        size, turn = rng.normal(0.0, 0.12, (2, 3, len(CHANNELS))), rng.uniform(0.0, 1.0, (3, len(CHANNELS)))
        total = np.zeros((len(phase_right), len(CHANNELS)))
        for phase, part in ((phase_right, size[0]), (phase_left, size[1])):
            for order in range(3):
                total += part[order] * np.sin(
                    2 * np.pi * ((order + 1) * np.asarray(phase)[:, None] + turn[order])
                )
        return total


@pytest.mark.few(24)
@pytest.mark.parametrize("network", [HUMAN, PLAIN, Gait(Noise())], ids=["human", "plain", "noise"])
@pytest.mark.parametrize("name", WALKS)
def test_feet_are_planted_whatever_the_sliders_and_the_network(name, network):
    pose = walk(BODY, WALKS[name], Clock(), FRAMES, network)
    assert greatest_slip(BODY, pose) < NOTHING_M
    assert deepest(BODY, pose) < NOTHING_M
    assert all(
        np.isfinite(motion.position).all() and np.isfinite(motion.rotation).all()
        for motion in pose.motions.values()
    )


@pytest.mark.parametrize("name", WALKS)
def test_no_leg_stretches_and_no_knee_flips(name):
    pose = walk(BODY, WALKS[name], Clock(), FRAMES, HUMAN)
    assert greatest_reach(BODY, pose) <= 0.999
    for side in "LR":
        hip, knee, ankle = (pose.motions[f"{part}.{side}"].position for part in ("thigh", "shin", "foot"))
        bend = np.cross(knee - hip, ankle - knee)[:, 1]
        assert (bend > 0.0).all(), "the knee bends forward at every frame"


@pytest.mark.parametrize("fps", [24, 25, 30, 60])
def test_natural_walk_loops_on_whole_even_frames_and_clears_the_ground(fps):
    speed = natural_speed(BODY, fps)
    frames = np.arange(1.0, 4 * fps)
    pose = walk(BODY, StyleTrack(Style(speed=speed)), Clock(fps=fps), frames, HUMAN)
    cycle = pose.period[0] * fps
    assert cycle == pytest.approx(round(cycle), abs=1e-6) and round(cycle) % 2 == 0
    assert toe_clearance(BODY, pose) >= 0.010
    whole = int(round(cycle))
    for motion in pose.motions.values():
        assert np.abs(motion.position[whole:] - motion.position[:-whole]).max() < 1e-9
        assert np.abs(motion.rotation[whole:] - motion.rotation[:-whole]).max() < 1e-8


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name",
    [
        "speed 0.9",
        "speed 1.3",
        "speed 1.7",
        "speed keyed 0.6 to 1.8",
        "start and stop",
        "stop and go",
        "weight 1.0",
        "asymmetry 1.0",
    ],
)
def test_velocities_are_continuous(name):
    """Ankles and pelvis have no jump in velocity: halving the time step halves the largest change of
    velocity."""
    changes = []
    for step in (1 / 16, 1 / 32):
        pose = walk(BODY, WALKS[name], Clock(), np.arange(5.0, 95.0, step), WALKING)
        paths = [pose.motions[role].position for role in ("foot.L", "foot.R", "pelvis", "hand.L")]
        changes.append(max(np.abs(np.diff(path, 2, axis=0) / step).max() for path in paths))
    assert changes[1] < 0.62 * changes[0]


def test_a_higher_step_lifts_the_knee_in_front():
    """Twice the step height: in mid swing the foot is a tenth of the leg higher, just after toe-off no more
    than a hundredth."""
    natural, high = (
        walk(BODY, StyleTrack(Style(step_height=height)), Clock(), FRAMES, HUMAN) for height in (1.0, 2.0)
    )
    share = (natural.phase[:, LEFT] % 1.0 - natural.duty[:, LEFT]) / (1.0 - natural.duty[:, LEFT])
    higher = (high.motions["foot.L"].position - natural.motions["foot.L"].position)[:, 2] / BODY.leg_length
    assert higher[(share > 0.4) & (share < 0.6)].min() > 0.1
    assert np.abs(higher[share < 0.08]).max() < 0.012


def test_who_limps_leans_over_the_sore_leg_while_it_bears():
    pose = walk(BODY, StyleTrack(Style(asymmetry=1.0)), Clock(), FRAMES, HUMAN)
    sideways = np.arcsin(pose.motions["spine.3"].rotation[:, 2, 1])  # positive: to the right
    sore, other = pose.phase[:, RIGHT] % 1.0, pose.phase[:, LEFT] % 1.0
    assert sideways[(sore > 0.2) & (sore < 0.4)].min() > sideways[(other > 0.2) & (other < 0.4)].max()


def test_arms_are_held_off_the_body():
    close, wide = (
        walk(BODY, StyleTrack(Style(arm_spread=spread)), Clock(), FRAMES, HUMAN).motions
        for spread in (0.0, 30.0)
    )
    for side, outward in (("L", 1.0), ("R", -1.0)):
        assert (outward * (wide[f"hand.{side}"].position - close[f"hand.{side}"].position)[:, 1]).min() > 0.15


def test_who_sets_out_from_standing_lifts_the_heel_and_does_not_lunge():
    """The foot that stood when the speed was 0 leaves the ground as in a walk; where it stayed flat, the
    pelvis sank by a quarter leg."""
    pose = walk(BODY, WALKS["start and stop"], Clock(), np.arange(0.0, 100.0, 0.25), HUMAN)
    height = pose.motions["pelvis"].position[:, 2]
    steady = walk(BODY, StyleTrack(Style(speed=1.4)), Clock(), FRAMES, HUMAN).motions["pelvis"].position[:, 2]
    assert height.min() > steady.min() - 0.045 * BODY.leg_length
    for row in (LEFT, RIGHT):
        first = np.flatnonzero(pose.pivot[:, row] == SWING)[0]
        assert set(pose.pivot[:first, row]) >= {FLAT, BALL}


@pytest.mark.parametrize("speed", [0.2, 0.6, 1.3, 2.2])
@pytest.mark.parametrize("network", [WALKING, PLAIN], ids=["network", "plain"])
def test_the_root_is_under_the_hips(network, speed):
    """Over a cycle the hips are on the whole where they are at rest, or a game character's root would run
    behind it."""
    pose = walk(BODY, StyleTrack(Style(speed=speed)), Clock(), FRAMES, network)
    cycle = (pose.phase[:, LEFT] >= 0.0) & (pose.phase[:, LEFT] < 1.0)
    hips = sum(pose.motions[role].position[cycle, 0].mean() for role in ("thigh.L", "thigh.R")) / 2.0
    assert abs(hips - BODY.hip[:, 0].mean()) < 0.012 * BODY.leg_length


@pytest.mark.parametrize("speed", [0.5, 0.9, 1.3, 1.7, 2.1])
def test_the_hips_go_as_evenly_as_those_of_people(speed):
    """In 42 recorded walks hips go 0.32 to 0.58 m/s faster in double support than in mid-stance, 28 to 50 mm
    back and forth."""
    clock = Clock(fps=240.0)
    pose = walk(BODY, StyleTrack(Style(speed=speed)), clock, np.arange(480.0, 960.0), WALKING)
    ahead = 0.5 * (pose.motions["thigh.L"].position + pose.motions["thigh.R"].position)[:, 0]
    assert 0.02 < np.ptp(ahead) / BODY.leg_length < 0.06
    assert 0.2 < np.ptp(np.diff(ahead) * clock.fps) < 0.6
    foremost = pose.phase[np.argmax(ahead), LEFT] % 0.5
    assert 0.1 < foremost < 0.25, "after the double support in which they go fastest"


def test_left_and_right_are_mirror_images_half_a_cycle_apart():
    clock = Clock(fps=24.0, start=0.0)
    pose = walk(BODY, StyleTrack(Style(speed=natural_speed(BODY, 24))), clock, np.arange(0.0, 96.0), HUMAN)
    half = int(round(pose.period[0] * 24)) // 2
    mirror = np.array([1.0, -1.0, 1.0])
    for left, right in (
        ("foot.L", "foot.R"),
        ("shin.L", "shin.R"),
        ("hand.L", "hand.R"),
        ("pelvis", "pelvis"),
        ("head", "head"),
    ):
        assert (
            np.abs(pose.motions[left].position[:-half] - pose.motions[right].position[half:] * mirror).max()
            < 1e-9
        )


def test_standing_still_is_exact():
    pose = walk(BODY, StyleTrack(Style(speed=0.0, idle=0.0)), Clock(), FRAMES, HUMAN)
    for motion in pose.motions.values():
        assert np.ptp(motion.position, axis=0).max() < 1e-12
    assert not (pose.pivot == SWING).any()
    assert greatest_reach(BODY, pose) <= 0.999


def test_a_walker_who_stops_puts_the_foot_down():
    pose = walk(BODY, WALKS["speed keyed to a stop"], Clock(), np.arange(70.0, 100.0), HUMAN)
    for row, side in ((LEFT, "L"), (RIGHT, "R")):
        heel = carried(pose.motions[f"foot.{side}"], BODY.heel[row])[:, 2]
        assert heel.max() < 0.02


@pytest.mark.parametrize("frame", range(50, 74, 3))
def test_who_comes_to_rest_has_both_feet_down(frame):
    stopping = keyed("speed", [20, frame], [1.3, 0.0])
    assert not (walk(BODY, stopping, Clock(), np.arange(frame, frame + 20.0), HUMAN).pivot == SWING).any()


def test_the_network_owns_the_motion_and_not_the_contacts():
    human, plain = (
        walk(BODY, StyleTrack(Style(speed=1.3)), Clock(), FRAMES, network) for network in (HUMAN, PLAIN)
    )
    assert np.abs(human.motions["pelvis"].position - plain.motions["pelvis"].position).max() > 0.005
    assert np.abs(knee_angle(human, "L") - knee_angle(plain, "L")).max() > np.radians(5.0)
    standing = (human.pivot == plain.pivot) & (human.pivot == 2)
    assert standing.any()
    for row, side in ((LEFT, "L"), (RIGHT, "R")):
        both = standing[:, row]
        apart = human.motions[f"foot.{side}"].position[both] - plain.motions[f"foot.{side}"].position[both]
        assert np.abs(apart).max() < NOTHING_M


@pytest.mark.parametrize("arms", ["A", "T", "DOWN"])
def test_arms_come_down_to_the_sides_from_any_rest_pose(arms):
    body = human_body(arms)
    pose = walk(body, StyleTrack(Style(speed=1.3)), Clock(), FRAMES, HUMAN)
    reference = walk(human_body("DOWN"), StyleTrack(Style(speed=1.3)), Clock(), FRAMES, HUMAN)
    for side in "LR":
        hand = pose.motions[f"hand.{side}"].position
        assert np.abs(hand - reference.motions[f"hand.{side}"].position).max() < 0.02
        assert (hand[:, 2] < 1.1).all()


def test_arms_swing_against_the_legs_and_the_chest_against_the_pelvis():
    pose = walk(BODY, StyleTrack(Style(speed=1.3)), Clock(), FRAMES, HUMAN)
    hand = pose.motions["hand.L"].position[:, 0] - pose.motions["upper_arm.L"].position[:, 0]
    foot = pose.motions["foot.L"].position[:, 0]
    assert np.corrcoef(hand, foot)[0, 1] < -0.8

    # Recorded chests turn half way between with the pelvis and against it; animators draw them against it.
    turned = [yaw_of(pose.motions[role].rotation) for role in ("pelvis", "spine.3")]
    assert np.corrcoef(*turned)[0, 1] < 0.0
    assert np.ptp(pose.motions["head"].rotation[:, 2, 0]) < np.radians(4.0)
