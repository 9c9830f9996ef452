"""Styles on other bodies move the legs as recorded; what recorded people have in common; what strides differ
by is not learned."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.character.body import Body
from neurarig_addon.core.contract.channels import CHANNELS
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_z
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.styles.body_fit import fitted, on_body
from neurarig_addon.core.styles.cycle import mean_cycle
from neurarig_addon.core.styles.learn import learned
from neurarig_addon.core.styles.learned_style import AHEAD, LearnedStyle, common_manner, from_json, to_json
from neurarig_addon.core.styles.likeness import stride_of
from neurarig_addon.core.styles.recording import record_motions
from neurarig_addon.core.styles.styled_gait import in_styles
from neurarig_addon.core.waves import fourier_basis
from neurarig_addon.training.styles.people import mirrored
from tests.core.retarget_bodies import bodies
from tests.core.style_clips import HUMAN, SOMEHOW, style_of, walked
from tests.core.walk_measures import deepest, greatest_slip, knee_angle
from tests.core.walkers import WALKING

ADULT = human_body("A")
FRAMES = np.arange(0.0, 121.0, 0.5)


@cache
def somehow() -> LearnedStyle:
    return style_of(walked(SOMEHOW))


def knees_off(style: LearnedStyle, body: Body, wanted: LearnedStyle) -> float:
    """Return how far the knees of a body's walk in a style are off the recorded ones, in degrees RMS."""
    pose = stride_of(body, in_styles(WALKING, [style]), style.vhat)
    found = np.stack([np.degrees(knee_angle(pose, side)) for side in "LR"], -1)
    assert wanted.bends is not None
    bends = [
        np.degrees(fourier_basis(pose.phase[:, side]) @ terms) for side, terms in enumerate(wanted.bends)
    ]
    return float(np.sqrt(np.mean((found - np.stack(bends, -1)) ** 2)))


def thighs_off(style: LearnedStyle, body: Body, wanted: LearnedStyle) -> float:
    """Return the same for the thighs, seen from the side."""
    pose = stride_of(body, in_styles(WALKING, [style]), style.vhat)
    thighs = np.stack(
        [pose.motions[f"shin.{side}"].position - pose.motions[f"thigh.{side}"].position for side in "LR"], 1
    )
    assert wanted.thighs is not None
    swings = [fourier_basis(pose.phase[:, side]) @ terms for side, terms in enumerate(wanted.thighs)]
    return float(
        np.degrees(
            np.sqrt(np.mean((np.arctan2(thighs[..., 0], -thighs[..., 2]) - np.stack(swings, -1)) ** 2))
        )
    )


def legs_off(style: LearnedStyle, body: Body, wanted: LearnedStyle) -> float:
    return float(np.hypot(knees_off(style, body, wanted), thighs_off(style, body, wanted)))


def with_feet(length: float) -> Body:
    """Return the adult on soles `length` times as long."""
    return replace(
        ADULT,
        **{name: getattr(ADULT, name) * [length, 1.0, 1.0] for name in ("heel", "ball", "toe", "toe_joint")},
    )


def test_the_recorded_legs_are_kept_with_a_style():
    style = somehow()
    assert style.bends is not None and style.thighs is not None
    assert knees_off(style, HUMAN.body, style) < 3.0
    assert thighs_off(style, HUMAN.body, style) < 3.0
    again = from_json(to_json(style), "a test")
    assert again.bends is not None and again.thighs is not None
    assert_allclose(again.bends, style.bends, atol=1e-4)
    assert_allclose(again.thighs, style.thighs, atol=1e-4)


@pytest.mark.few
@pytest.mark.parametrize("place", ["pelvis", "left print", "swing"])
def test_legs_swing_as_recorded_wherever_a_style_puts_feet(place):
    style = somehow()
    prints, curves = style.prints.copy(), style.curves.copy()
    prints[0, AHEAD] += 0.06 * (place == "left print")
    curves[CHANNELS.index("foot_r.x"), 4] += 0.2 * (place == "swing")
    curves[CHANNELS.index("pelvis.x"), 0] += 0.06 * (place == "pelvis")
    spoiled = replace(style, prints=prints, curves=curves)
    assert legs_off(spoiled, ADULT, style) > 4.0
    assert legs_off(fitted(spoiled, ADULT, WALKING), ADULT, style) < 0.6 * legs_off(spoiled, ADULT, style)


def test_a_style_that_knows_only_its_knees_is_fitted_too():
    style, body = replace(somehow(), thighs=None), with_feet(0.75)
    assert knees_off(fitted(style, body, WALKING), body, style) < 0.9 * knees_off(style, body, style)


@pytest.mark.parametrize("raised", [0.02, 0.05])
def test_knees_bend_as_recorded_whatever_the_height_of_the_pelvis(raised):
    spoiled = somehow().curves.copy()
    spoiled[CHANNELS.index("pelvis.z"), 0] += raised
    style = replace(somehow(), curves=spoiled)
    before, after = (knees_off(one, ADULT, style) for one in (style, fitted(style, ADULT, WALKING)))
    assert before > 4.5 and after < 0.6 * before


@pytest.mark.parametrize("name", ["child", "giant", "ape"])
def test_a_fit_never_makes_legs_worse(name):
    body = bodies()[name].body
    assert (
        legs_off(fitted(somehow(), body, WALKING), body, somehow())
        <= legs_off(somehow(), body, somehow()) + 1e-9
    )


def test_a_style_without_recorded_knees_stays_as_it_is():
    style = replace(somehow(), bends=None)
    assert fitted(style, ADULT, WALKING) is style
    assert on_body(WALKING, ADULT, WALKING) is WALKING


def test_what_strides_differ_by_is_not_learned():
    recorded = record_motions(HUMAN, walked(SOMEHOW), 60.0)
    draw = np.random.default_rng(4)
    motions = walked(SOMEHOW)
    head = motions["head"]
    frames = np.arange(len(head.position))
    # another look in every stride
    turned = np.interp(frames, frames[::35], draw.normal(0.0, 0.4, len(frames[::35])))
    motions["head"] = replace(head, rotation=about_z(turned) @ head.rotation)
    shaken = learned(record_motions(HUMAN, motions, 60.0), WALKING, "Shaken")
    mean = mean_cycle(record_motions(HUMAN, motions, 60.0)).channels
    column = CHANNELS.index("head.yaw")
    shown = float(np.sqrt(np.mean((mean[:, column] - mean_cycle(recorded).channels[:, column]) ** 2)))
    kept = float(np.sqrt(shaken.curves[column, 0] ** 2 + 0.5 * (shaken.curves[column, 2:] ** 2).sum()))
    assert shown > 0.05
    assert kept < 0.9 * shown


def somebody(much: float, **sliders: float) -> WalkPose:
    gait = in_styles(WALKING, [somehow()], common_manner())
    return walk(
        ADULT,
        StyleTrack(Style(**{"speed": 1.3, "individual": much, "style_1": 0.0} | sliders), person=3),
        Clock(),
        FRAMES,
        gait,
    )


def test_nobody_has_the_common_manner_and_a_style_replaces_it():
    mean, nobody = walk(ADULT, StyleTrack(Style(speed=1.3)), Clock(), FRAMES, WALKING), somebody(0.0)
    for role, motion in mean.motions.items():
        assert_allclose(nobody.motions[role].position, motion.position, atol=1e-9)
    sad = walk(
        ADULT,
        StyleTrack(Style(speed=1.3, individual=1.0, style_1=1.0), person=3),
        Clock(),
        FRAMES,
        in_styles(WALKING, [somehow()]),
    )
    both = somebody(1.0, style_1=1.0)
    assert_allclose(both.motions["pelvis"].position, sad.motions["pelvis"].position, atol=1e-9)


def test_the_strength_of_a_style_is_not_that_of_people():
    whole, without = somebody(1.0), somebody(1.0, style_legs=0.0, style_trunk=0.0)
    assert_array_equal(whole.motions["pelvis"].position, without.motions["pelvis"].position)


def test_the_common_manner_favours_no_side():
    common, other = common_manner(), mirrored(common_manner())
    assert_allclose(common.curves, other.curves, atol=2e-4)
    assert_allclose(common.duty, other.duty, atol=1e-4)
    assert common.beat == 0.0


def test_people_are_planted():
    pose = somebody(1.0)
    assert greatest_slip(ADULT, pose) < 2e-4 * ADULT.leg_length
    assert deepest(ADULT, pose) < 1e-3 * ADULT.leg_length
