"""Motions that go on by themselves: what the network sees is the motion, and what it adds changes nothing
before it."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.ikrig.encoding import CHAINS, LIMBS, Encoding
from neurarig_addon.core.ikrig.resample import resample, sampled
from neurarig_addon.core.sequence import network as net
from neurarig_addon.core.sequence.continuation import Continuation, continued
from neurarig_addon.core.sequence.network import (
    SequenceWish,
    bundled,
    read_weights,
    write_weights,
)
from neurarig_addon.core.sequence.roll_out import roll_out
from neurarig_addon.core.sequence.rows import COLUMNS, RATE, Rows, encoding_of, placed, rows_of
from neurarig_addon.core.sequence.start import standing
from neurarig_addon.core.sequence.stride import last_stride, repeated
from tests.refusals import refuses

from . import retarget_bodies as made

STRAIGHT = Continuation(4.0)


@pytest.fixture(scope="module")
def walk() -> Encoding:
    """Return five seconds of our own walk of a made-up human, with contacts."""
    return resample(made.encoded_walk(5.0), RATE)


def test_rows_and_back_are_the_same_motion(walk):
    rows = rows_of(walk)
    before = walk.heading[0] - rows.steps[0, 2]
    back = encoding_of(rows, np.zeros(2), float(before), "walk")
    way = back.ground - back.ground[0]
    assert (
        np.abs(way - (walk.ground - walk.ground[0])).max() < 1e-9
        and np.abs(back.heading - walk.heading).max() < 1e-9
    )
    for name in CHAINS:
        for part in ("effector", "orientation"):
            one, other = getattr(walk.chains[name], part), getattr(back.chains[name], part)
            assert np.minimum(np.abs(one - other), np.abs(one + other)).max() < 1e-6, (name, part)


def test_a_body_without_arms_is_refused_by_the_chain(walk):
    bare = replace(
        walk, chains={name: chain for name, chain in walk.chains.items() if not name.startswith("arm")}
    )
    with refuses(r"'walk' has no 'arm\.L'"):
        continued(bare, STRAIGHT)


def test_the_last_stride_is_found_and_repeats(walk):
    rows = rows_of(walk)
    known = rows[:90]
    stride = last_stride(known)
    assert stride.off < 5e-3
    again = repeated(known, stride, 30)
    assert np.abs(again.poses - rows.poses[90:120]).max() < 0.06 and last_stride(rows[:15]).frames == 0


def test_steps_lead_where_they_were_taken_from():
    quarter = placed(np.tile([0.1, 0.0, np.pi / 60.0], (30, 1)))[-1]
    radius = 0.1 / (2.0 * np.sin(np.pi / 120.0))
    assert quarter[2] == pytest.approx(np.pi / 2.0)
    assert quarter[0] == pytest.approx(quarter[1], rel=0.06) and quarter[0] == pytest.approx(radius, rel=0.05)


def test_what_was_stays_to_the_bit_and_what_comes_is_as_long_as_asked(walk):
    for fps in (24.0, 30.0, 60.0):
        clip = resample(walk, fps)
        longer = continued(clip, STRAIGHT)
        assert len(longer) == len(clip) + round(4.0 * fps) and longer.fps == fps
        assert np.array_equal(longer.ground[: len(clip)], clip.ground) and np.array_equal(
            longer.frames[: len(clip)], clip.frames
        )
        for name, chain in clip.chains.items():
            assert np.array_equal(longer.chains[name].effector[: len(clip)], chain.effector)
        for role, turns in clip.extras.items():
            assert np.array_equal(longer.extras[role][: len(clip)], turns)


def test_nothing_jumps_where_the_clip_ends(walk):
    longer, end = continued(walk, STRAIGHT), len(walk)
    for name in CHAINS:
        change = np.linalg.norm(np.diff(longer.chains[name].effector, axis=0), axis=1)
        assert change[end - 2 : end + 3].max() < 1.6 * change[: end - 1].max() + 2e-2, name
    for role in walk.extras:
        inner = np.abs(np.sum(longer.extras[role][end - 1] * longer.extras[role][end]))
        assert inner > np.cos(np.radians(8.0)), role


@pytest.mark.parametrize("turn", [0.0, 30.0, -45.0])
def test_a_walk_turns_as_told(walk, turn):
    longer = continued(walk, Continuation(10.0, 1.0, np.radians(turn)))
    assert np.degrees(longer.heading[-1] - longer.heading[-151]) / 5.0 == pytest.approx(turn, abs=6.0)


def test_it_stops_in_two_steps_and_begins_again_with_true_steps(walk):
    told = np.repeat([1.0, 0.0, 1.0], [60, 90, 120])
    longer = continued(walk, Continuation(9.0, told))
    begin = len(walk)
    pace = np.linalg.norm(np.diff(longer.ground, axis=0), axis=1) * RATE
    assert pace[begin + 60 + 40 : begin + 148].max() < 0.1 * pace[:begin].mean()
    for side in "LR":
        swings = longer.chains[f"leg.{side}"].effector[:, 0]
        assert np.ptp(swings[begin + 190 : begin + 270]) > 0.7 * np.ptp(swings[begin - 60 : begin]), side
        lifts = longer.contacts.intervals[f"ball.{side}"]
        assert ((lifts[:, 1] > begin + 145) & (lifts[:, 1] < begin + 200)).any(), side


def test_a_body_that_only_stood_begins_to_walk(walk):
    still = standing().past
    rolled = roll_out(bundled(), still, lambda frame, place: SequenceWish(np.array([1.2, 0.0]), 0.0), 120)
    for side in "LR":
        assert np.ptp(rolled.poses[60:, COLUMNS[f"leg.{side}", "effector"]][:, 0]) > 0.35
    assert placed(rolled.steps)[-1, 0] > 3.0


def test_a_clip_may_be_too_short_and_a_continuation_too_long(walk):
    short = continued(walk, STRAIGHT)
    two = resample(replace(short, contacts=type(short.contacts)()), 1.0)
    with refuses("up to 3600 seconds"):
        continued(walk, Continuation(1e5))
    first = Encoding(
        "two", 30.0, two.frames[:2], two.ground[:2], two.heading[:2],
        {name: type(chain)(chain.root[:2], chain.effector[:2], chain.up[:2], chain.orientation[:2]) for name,
        chain in two.chains.items()},
    )  # fmt: skip
    with refuses("'two' is too short to be continued"):
        continued(first, STRAIGHT)
    assert len(continued(sampled(walk, np.arange(4.0), RATE), STRAIGHT)) == 4 + 4.0 * RATE


def test_a_wish_is_fulfilled_whatever_the_network_predicts():
    rng = np.random.default_rng(3)
    for turn in (-2.0, 0.0, 0.7, 3.0):
        wish = SequenceWish(rng.normal(size=2), turn)
        way = placed(wish.fulfilled(0.02 * rng.normal(size=(net.AHEAD, 3))))[-1]
        assert way[:2] == pytest.approx(wish.place) and np.angle(
            np.exp(1j * (way[2] - turn))
        ) == pytest.approx(0.0, abs=1e-9)


def test_manner_height_and_speed_of_a_walk_do_not_fade(walk):
    """A minute later they are those of the clip; of a stride that is not known whole, too."""
    for known in (walk, sampled(walk, np.arange(len(walk) - 30.0, len(walk)), RATE)):
        longer = rows_of(continued(known, Continuation(60.0)))
        before, after = rows_of(walk), longer[len(longer) - 150 :]
        for limb in LIMBS:
            ahead = COLUMNS[limb, "effector"].start
            swing = np.ptp(before.poses[:, ahead])
            assert np.ptp(after.poses[:, ahead]) == pytest.approx(swing, rel=0.2), limb
        assert abs(after.poses[:, 0].mean() - before.poses[:, 0].mean()) < 0.02
        assert placed(after.steps)[-1, 0] / 5.0 == pytest.approx(placed(before.steps)[-1, 0] / 5.0, rel=0.05)


def test_the_network_is_small_and_answers_for_any_past():
    network = bundled()
    assert network.weights.count <= 800_000
    still = Rows(np.tile(network.weights.mean.astype(float), (2, 1)), np.zeros((2, 3)), np.ones((2, 4)))
    ahead = network.ahead(still)
    assert np.isfinite(ahead.poses).all() and len(ahead) == net.AHEAD


def test_weights_are_checked(tmp_path):
    good = bundled().weights
    path = tmp_path / "sequence.safetensors"
    write_weights(path, good)
    assert np.array_equal(read_weights(path).basis, good.basis)
    layers = ((good.layers[0][0][:, :-1], good.layers[0][1]), *good.layers[1:])
    for wrong in (
        replace(good, mean=good.mean[1:]),
        replace(good, layers=layers),
        replace(good, gap=()),
        replace(good, scale=0.0 * good.scale),
    ):
        write_weights(path, wrong)
        with refuses(r"'sequence\.safetensors' is not a usable weights file"):
            read_weights(path)
