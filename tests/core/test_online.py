"""The online learner: what it learned holds for frames that the stream never had."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.contract.inputs import ELEVEN_INPUTS
from neurarig_addon.core.learned.discovery import curves_of
from neurarig_addon.core.learned.online import OnlineBrain
from neurarig_addon.core.learned.stream_inputs import StreamInputs
from neurarig_addon.core.learned.walk_curves import RuleClock, StrideClock, WalkCurves
from neurarig_addon.core.logic.profile import FOLDER, Profile
from tests.core.walker_streams import held_out, stream
from tests.refusals import refuses

PLAIN = Profile.load(FOLDER / "1_plain_biped.json")
CURVES = curves_of(PLAIN)


def taught(brain: OnlineBrain, profile: Profile, rows: np.ndarray) -> list[float]:
    """Return the loss of every frame before it was taught."""
    return [brain.train(row, target) for row, target in zip(rows, profile.evaluate(rows), strict=True)]


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize(("varying", "frames"), [(False, 160), (True, 400)])
def test_holds_for_phases_and_speeds_never_seen(seed: int, varying: bool, frames: int) -> None:
    rows = stream(CURVES, seed, varying)
    unseen = held_out(CURVES, rows, 2_000, seed)
    brain = OnlineBrain(CURVES)
    taught(brain, PLAIN, rows[:frames])
    assert np.abs(brain.predict(unseen) - PLAIN.evaluate(unseen)).max() < 1e-4
    taught(brain, PLAIN, rows[frames:])
    assert 0.1 * np.mean((brain.predict(unseen) - PLAIN.evaluate(unseen)) ** 2) < (1e-6 if varying else 1e-8)


@pytest.mark.parametrize("seed", range(1, 4))
def test_converges_by_what_it_predicts_and_not_by_what_it_was_just_told(seed: int) -> None:
    rows = stream(CURVES, seed, varying=False)
    brain = OnlineBrain(CURVES)
    cycle = round(float(CURVES.clock.periods(rows[:1])[1, 0]) * 60.0)
    count = 0
    while not brain.converged and count < len(rows):
        brain.train(rows[count], PLAIN.evaluate(rows[count : count + 1])[0])
        count += 1
    assert cycle < count < 4 * cycle
    unseen = held_out(CURVES, rows, 500, seed)
    assert np.abs(brain.predict(unseen) - PLAIN.evaluate(unseen)).max() < 1e-3


def test_another_speed_or_body_is_not_converged_and_the_first_is_remembered() -> None:
    rows, other = stream(CURVES, 1, varying=False), stream(CURVES, 2, varying=False)
    brain = OnlineBrain(CURVES)
    taught(brain, PLAIN, rows[:300])
    assert brain.converged
    faster = rows[:1].copy()
    faster[:, CURVES.places.velocity] *= 1.2
    brain.predict(faster)
    assert not brain.converged
    brain.train(other[0], PLAIN.evaluate(other[:1])[0])
    assert not brain.converged
    unseen = held_out(CURVES, rows, 100, 1)
    assert np.abs(brain.predict(unseen) - PLAIN.evaluate(unseen)).max() < 1e-4
    brain.reset()
    assert np.abs(brain.predict(unseen)).max() == 0.0


def test_small_batches_teach_what_single_frames_do() -> None:
    rows = stream(CURVES, 3, varying=False, frames=160)
    one, many = OnlineBrain(CURVES), OnlineBrain(CURVES)
    losses = taught(one, PLAIN, rows)
    batches = [many.train(rows[n : n + 8], PLAIN.evaluate(rows[n : n + 8])) for n in range(0, 160, 8)]
    assert batches == pytest.approx(np.reshape(losses, (-1, 8)).mean(axis=1), rel=1e-6, abs=1e-20)
    unseen = held_out(CURVES, rows, 200, 3)
    assert np.abs(one.predict(unseen) - many.predict(unseen)).max() < 1e-9


def test_standing_still_proves_nothing() -> None:
    rows = stream(CURVES, 1, varying=False)
    rows[:] = rows[0]
    brain = OnlineBrain(CURVES)
    taught(brain, PLAIN, rows)
    assert not brain.converged


def test_a_rule_that_nobody_described_is_learned_from_its_stream() -> None:
    """Without the profile: halves of the cycle, and a period that the engine knows."""
    curves = WalkCurves.plain(StrideClock(StreamInputs.named(PLAIN.inputs), 1.35, -0.5, 0.5))
    rows = stream(curves, 1, varying=True, frames=500)
    brain = OnlineBrain(curves)
    taught(brain, PLAIN, rows)
    unseen = held_out(curves, rows, 500, 1)
    assert np.abs(brain.predict(unseen) - PLAIN.evaluate(unseen)).max() < 1e-4


def test_the_curves_of_a_profile_are_found_from_outside() -> None:
    assert isinstance(CURVES.clock, StrideClock)
    assert np.allclose(
        [CURVES.clock.seconds, CURVES.clock.speed_power, CURVES.clock.leg_power], [1.35, -0.5, 0.5]
    )
    assert {(group.side, group.pieces.edges) for group in CURVES.groups} == {
        (1, (0.0, 0.5)),
        (0, (0.0, 0.5)),
        (1, ()),
    }
    strut = curves_of(Profile.load(FOLDER / "2_cartoon_strut.json"))
    assert {group.pieces.edges for group in strut.groups} == {
        (0.0, 0.108, 0.36, 0.6),
        (0.0, 0.36, 0.6, 0.8),
        (),
    }
    assert [(bend.speed, bend.leg_power) for bend in strut.bends] == [(2.0, 0.0), (2.25, 1.0)]


def test_a_period_goes_by_powers_of_the_size_of_its_inputs() -> None:
    """Seconds x velocity^power x leg^power x others^powers, whatever the signs of speed and others; a leg
    each."""
    names = (*ELEVEN_INPUTS, "turn")
    places = StreamInputs.named(names)
    row = np.ones((1, len(names)))
    row[0, places.velocity], row[0, places.others[0]] = 2.0, 3.0
    row[0, [places.thighs[0], places.shins[0]]], row[0, [places.thighs[1], places.shins[1]]] = 0.4, 0.5
    clock = StrideClock(places, 0.7, -0.5, 0.5, (0.25,))
    expected = 0.7 * 2.0**-0.5 * np.array([[0.8], [1.0]]) ** 0.5 * 3.0**0.25
    assert_allclose(clock.periods(row), expected)
    row[0, [places.velocity, places.others[0]]] *= -1.0
    assert_allclose(clock.periods(row), expected)


def test_a_period_that_is_no_product_of_powers_is_asked_of_the_profile() -> None:
    text = json.dumps(json.loads(PLAIN.to_json())).replace(
        "gait_scale * stride_len / max(velocity, 1e-6)", "0.4 + L / max(velocity, 0.1)"
    )
    profile = Profile.from_json(text)
    curves = curves_of(profile)
    assert isinstance(curves.clock, RuleClock)
    rows = stream(curves, 1, varying=False, frames=200)
    brain = OnlineBrain(curves)
    taught(brain, profile, rows)
    unseen = held_out(curves, rows, 500, 1)
    assert np.abs(brain.predict(unseen) - profile.evaluate(unseen)).max() < 1e-4


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("T_gait", "Takt", "has no T_gait"),
        ("offset, 1)", "2 * offset, 1)", "phase is not fmod"),
        ("gait_scale * stride_len / max(velocity, 1e-6)", "0 - 1", "not a positive number"),
        ("bone_l2_left", "calf", "no input called 'bone_l2_left'"),
    ],
)
def test_a_profile_without_a_cycle_to_learn_is_refused(old: str, new: str, sentence: str) -> None:
    profile = Profile.from_json(json.dumps(json.loads(PLAIN.to_json())).replace(old, new))
    with refuses(sentence):
        curves_of(profile)


def test_frames_that_make_no_sense_are_refused() -> None:
    brain = OnlineBrain(CURVES)
    for inputs in (np.ones(10), np.full(11, np.nan)):
        with refuses("11 finite inputs"):
            brain.predict(inputs)
    with refuses("30 finite targets"):
        brain.train(stream(CURVES, 1, varying=False)[0], np.full(30, np.inf))


def test_inputs_are_found_by_name_in_any_order() -> None:
    names = (
        "t_cycle",
        "Spacing_L",
        "Spacing_R",
        "offset_l",
        "offset_r",
        "bone_l2_l",
        "bone_l2_r",
        "bone_l1_l",
        "bone_l1_r",
        "Speed",
    )
    places = StreamInputs.named(names)
    assert (places.time, places.velocity, places.spacings, places.thighs) == (0, 9, (1, 2), (7, 8))
    assert StreamInputs.named(ELEVEN_INPUTS).others == ()
