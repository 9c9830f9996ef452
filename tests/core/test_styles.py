"""Learned styles: what is learned from a known walk is that walk, on any body; what is no walk is refused;
feet stay planted."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_z
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.styles.learned_style import (
    LARGEST_FILE,
    LearnedStyle,
    read_style,
    write_style,
)
from neurarig_addon.core.styles.likeness import apart, stride_of, walked_angles
from neurarig_addon.core.styles.read_channels import knees_of
from neurarig_addon.core.styles.recording import as_long, record_motions
from neurarig_addon.core.styles.styled_gait import in_styles
from tests.core.retarget_bodies import bodies
from tests.core.spoiled_walks import backwards, galloping, jumping, one_legged, still, turning
from tests.core.style_clips import HUMAN, SOMEHOW, style_of, walked
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip
from tests.core.walk_styles import WALKS
from tests.core.walkers import WALKING
from tests.refusals import refuses

LIMPING = Style(speed=1.0, asymmetry=1.0)
ADULT = human_body("A")


@cache
def somehow() -> LearnedStyle:
    return style_of(walked(SOMEHOW))


@cache
def limping() -> LearnedStyle:
    return style_of(walked(LIMPING))


@pytest.mark.few
@pytest.mark.parametrize("manner", [SOMEHOW, LIMPING, Style(speed=1.3)])
def test_who_learns_a_known_walk_walks_it(manner):
    style = style_of(walked(manner))
    wanted = walked_angles(HUMAN.body, WALKING, 0.0, manner)
    assert apart(wanted, walked_angles(HUMAN.body, in_styles(WALKING, [style]), style.vhat)) < 1.4


@pytest.mark.few
@pytest.mark.parametrize("name", ["child", "giant", "tiny"])
def test_a_style_is_the_same_on_other_bodies(name):
    body = bodies()[name].body
    there = walked_angles(body, in_styles(WALKING, [somehow()]), somehow().vhat)
    here = walked_angles(HUMAN.body, in_styles(WALKING, [somehow()]), somehow().vhat)
    assert apart(here, there) < 0.4 * apart(here, walked_angles(body, WALKING, somehow().vhat))


def test_a_limp_stays_on_its_leg():
    assert limping().duty[0] - limping().duty[1] > 0.08
    assert limping().beat == pytest.approx(0.05, abs=0.015)
    pose = stride_of(ADULT, in_styles(WALKING, [limping()]), limping().vhat)
    assert pose.duty[0, 0] - pose.duty[0, 1] > 0.08


@pytest.mark.few(8)
@pytest.mark.parametrize("name", [*list(WALKS)[::3], "stop and go", "start and stop"])
@pytest.mark.parametrize("weights", [(1.0, 0.0), (1.5, 1.0)])
def test_feet_stay_planted_in_styles(name, weights):
    track = replace(
        WALKS[name], constant=replace(WALKS[name].constant, style_1=weights[0], style_2=weights[1])
    )
    pose = walk(ADULT, track, Clock(), np.arange(0.0, 91.0, 0.5), in_styles(WALKING, [somehow(), limping()]))
    assert greatest_slip(ADULT, pose) < 1e-9
    assert deepest(ADULT, pose) < 1e-9
    assert greatest_reach(ADULT, pose) <= 0.999


def test_curves_and_law_are_linear_in_the_weights():
    gait = in_styles(WALKING, [somehow(), None, limping()])
    own = np.array([1.0, 0.44, 0.44, 0.0, 0.08, 0.44, 0.44, 0.0, 0.08])
    phase = np.linspace(0.0, 1.0, 7)

    def both(*weights: float) -> tuple[np.ndarray, float]:
        slow = np.concatenate([own, weights, np.ones(4)])[None]
        return gait.shapes.sample(slow, phase + 0.5, phase), float(gait.law.stride(slow)[0])

    (none, short), (one, first), (two, second), (half, mixed) = (
        both(*weights) for weights in ((0, 0), (1, 0), (0, 1), (0.5, 0.25))
    )
    assert_allclose(half, none + 0.5 * (one - none) + 0.25 * (two - none), atol=1e-12)
    assert mixed == pytest.approx(short + 0.5 * (first - short) + 0.25 * (second - short))


def test_the_strength_of_a_part_is_of_that_part():
    gait = in_styles(WALKING, [somehow()])
    track = StyleTrack(Style(speed=0.9, style_arms=0.0))
    styled, plain = (walk(ADULT, track, Clock(), np.arange(0.0, 30.0), one) for one in (gait, WALKING))
    whole = walk(ADULT, StyleTrack(Style(speed=0.9)), Clock(), np.arange(0.0, 30.0), gait)
    bent = [
        np.linalg.norm(pose.motions["hand.L"].position - pose.motions["upper_arm.L"].position, axis=-1).mean()
        for pose in (styled, plain, whole)
    ]
    assert bent[0] == pytest.approx(bent[1], abs=0.01) and bent[2] < bent[1] - 0.05
    assert (
        styled.motions["pelvis"].position[:, 2].mean() < plain.motions["pelvis"].position[:, 2].mean() - 0.05
    )


@pytest.mark.parametrize("away", [-200.0, -90.0, -10.0, 0.0, 25.0, 150.0, 190.0])
def test_knees_point_outward_of_half_way_between_pelvis_and_foot_by_less_than_half_a_turn(away):
    pelvis, heading = np.radians(20.0), np.radians([40.0, -40.0])
    knees = 0.5 * (pelvis + heading) + np.radians(away)
    forward = np.stack([np.cos(knees), np.sin(knees), np.zeros(2)], axis=-1)
    outward = (away + 180.0) % 360.0 - 180.0
    found = knees_of(forward[None], about_z(np.array([pelvis])), heading[None])
    assert_allclose(np.degrees(found), [[outward, -outward]], atol=1e-9)


@pytest.mark.few
@pytest.mark.parametrize("fps", [24.0, 30.0, 120.0])
def test_the_frame_rate_does_not_matter(fps):
    style = style_of(walked(SOMEHOW, fps), fps)
    angles, same = (
        walked_angles(ADULT, in_styles(WALKING, [one]), somehow().vhat) for one in (style, somehow())
    )
    assert apart(angles, same) < 2.0


def test_one_cycle_on_the_spot_is_enough_and_a_metre_off_the_ground_does_not_matter():
    seconds = float(stride_of(HUMAN.body, WALKING, 0.0, SOMEHOW).period[0])
    fps = 60.0 / seconds
    pose = stride_of(HUMAN.body, WALKING, 0.0, SOMEHOW)
    rows = np.append(np.round(np.linspace(0.0, 100.0, 61))[:-1].astype(int), 0)
    loop = {
        role: Motion(motion.rotation[rows], motion.position[rows] + [0.0, 0.0, 1.0], motion.rest)
        for role, motion in pose.motions.items()
        if not role.startswith("knee.")
    }
    style = style_of(loop, fps)
    assert style.vhat == pytest.approx(somehow().vhat, rel=0.05)
    assert apart(*(walked_angles(ADULT, in_styles(WALKING, [one]), 0.3) for one in (style, somehow()))) < 3.0


def test_a_cycle_repeated_with_its_travel_is_the_walk_that_it_was_cut_from():
    clock = Clock(60.0, 0.0)
    cycle = round(float(stride_of(HUMAN.body, WALKING, 0.0, SOMEHOW).period[0]) * clock.fps)
    pose = walk(HUMAN.body, StyleTrack(SOMEHOW), clock, np.arange(0.0, 4.0 * cycle), WALKING)
    whole = {role: pose.root.holding(motion) for role, motion in pose.motions.items()}
    cut = {
        role: Motion(motion.rotation[: cycle + 1], motion.position[: cycle + 1], motion.rest)
        for role, motion in whole.items()
    }
    for role, motion in as_long(cut, clock.fps, HUMAN.body.leg_length).items():
        assert_allclose(motion.position, whole[role].position, atol=1e-9)
        assert_allclose(motion.rotation, whole[role].rotation, atol=1e-9)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (still, "does not walk"),
        (backwards, "backward, or its left and right are swapped"),
        (one_legged, "one leg|do not take turns"),
        (jumping, "jumps|do not take turns"),
        (galloping, "jumps: both feet land at about the same time"),
        (turning, "turns"),
        (
            lambda motions: {
                role: Motion(part.rotation[:40], part.position[:40], part.rest)
                for role, part in motions.items()
            },
            "whole stride",
        ),
    ],
)
def test_what_is_no_steady_walk_is_refused_in_one_sentence(spoil, says):
    with refuses(says) as refused:
        record_motions(HUMAN, spoil(walked(SOMEHOW)), 60.0)
    assert str(refused.value).count(".") == 1


def test_a_skeleton_without_feet_is_refused():
    motions = {role: part for role, part in walked(SOMEHOW).items() if not role.startswith(("foot", "toe"))}
    with refuses("knees and feet"):
        record_motions(HUMAN, motions, 60.0)


def test_a_file_holds_the_style(tmp_path):
    path = tmp_path / "known.json"
    write_style(path, limping())
    assert path.stat().st_size < LARGEST_FILE
    back = read_style(path)
    assert back.name == limping().name
    for name in ("gains", "curves", "knees", "duty", "prints", "stride", "lead", "beat", "vhat"):
        assert_allclose(getattr(back, name), getattr(limping(), name), atol=6e-5)
