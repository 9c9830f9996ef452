"""A motion at another frame rate: its frames are on the way between the old ones, what is planted stays
planted."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.ikrig.encode import encode
from neurarig_addon.core.ikrig.encoding import Contacts, Encoding
from neurarig_addon.core.ikrig.layout import to_rows
from neurarig_addon.core.ikrig.resample import resample
from tests.refusals import refuses

from . import ikrig_clips as clips

PLANTED = {"heel.L": np.array([[0, 4], [9, 12]]), "ball.R": np.array([[3, 3]])}


@pytest.fixture(scope="module")
def motion() -> Encoding:
    """Return 13 frames at 24 a second, from frame 5 on."""
    subject = clips.made_character()
    found = encode(subject, clips.swaying(subject, frames=13))
    return replace(found, fps=24.0, frames=5.0 + np.arange(13.0), contacts=Contacts(PLANTED))


def spans(motion: Encoding, point: str) -> list[list[int]]:
    return motion.contacts.intervals[point].tolist()


def test_the_same_rate_is_the_same_motion(motion):
    assert resample(motion, 24.0) is motion
    assert resample(motion, 24.0 * (1.0 + 1e-9)) is motion


def test_twice_the_rate_keeps_every_frame_and_puts_one_half_way_between(motion):
    twice = resample(motion, 48.0)
    assert (twice.fps, len(twice), twice.frames[0], twice.frames[-1]) == (48.0, 25, 5.0, 29.0)
    rows, old = to_rows(twice), to_rows(motion)
    assert_allclose(rows[::2], old, atol=1e-9)
    assert_allclose(twice.ground[1::2], (motion.ground[:-1] + motion.ground[1:]) / 2.0, atol=1e-12)
    for name, chain in motion.chains.items():
        assert_allclose(
            twice.chains[name].effector[1::2], (chain.effector[:-1] + chain.effector[1:]) / 2.0, atol=1e-12
        )
        between, turns = twice.chains[name].orientation[1::2], chain.orientation
        before, after = (np.abs(np.sum(between * row, axis=-1)) for row in (turns[:-1], turns[1:]))
        assert_allclose(before, after, atol=1e-9)
    assert spans(twice, "heel.L") == [[0, 8], [18, 24]] and spans(twice, "ball.R") == [[6, 6]]
    again = resample(twice, 24.0)
    assert_allclose(to_rows(again), old, atol=1e-9)
    assert spans(again, "heel.L") == PLANTED["heel.L"].tolist()


def test_a_lower_rate_keeps_frames_that_fall_together_and_contacts_that_have_one(motion):
    third = resample(motion, 8.0)
    assert_allclose(to_rows(third), to_rows(motion)[::3], atol=1e-9)
    assert spans(third, "heel.L") == [[0, 1], [3, 4]] and spans(third, "ball.R") == [[1, 1]]
    half = resample(motion, 12.0)
    assert spans(half, "ball.R") == [], "between two frames"
    assert len(resample(motion, 7.0)) == 4, "the last frame is not passed"


def test_turns_take_the_short_way_whatever_their_quaternions_signs(motion):
    signs = np.where(np.arange(13) % 3 == 1, -1.0, 1.0)[:, None]
    chains = {
        name: replace(chain, orientation=chain.orientation * signs) for name, chain in motion.chains.items()
    }
    flipped = replace(
        motion, chains=chains, extras={role: turns * signs for role, turns in motion.extras.items()}
    )
    found, plain = resample(flipped, 60.0), resample(motion, 60.0)
    pairs = [(found.chains[name].orientation, plain.chains[name].orientation) for name in plain.chains]
    for one, other in pairs + [(found.extras[role], plain.extras[role]) for role in plain.extras]:
        assert_allclose(np.linalg.norm(one, axis=-1), 1.0, atol=1e-12)
        assert_allclose(np.abs(np.sum(one * other, axis=-1)), 1.0, atol=1e-9)


def test_more_frames_than_a_scene_can_have_are_refused(motion):
    with refuses("correct its frame rate"):
        resample(motion, 24.0 * 1_048_574)


@pytest.mark.parametrize("frames", [4, 13])
def test_places_are_on_the_way_and_turns_stay_turns(frames):
    subject = clips.made_character()
    found = resample(
        replace(encode(subject, clips.swaying(subject, frames=frames, size=3.0)), fps=24.0), 60.0
    )
    for name, chain in found.chains.items():
        assert chain.root.shape == (len(found), 3 if name == "spine" else 4)
        for turns in (chain.orientation, *([] if name == "spine" else [chain.root])):
            assert_allclose(np.linalg.norm(turns, axis=-1), 1.0, atol=1e-12)
