"""Steps blocked in a few poses: the strides that lead to them are those of the walk, and it goes on as a walk
does."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.ikrig.encoding import Contacts, Encoding, mirror
from neurarig_addon.core.ikrig.resample import resample, sampled
from neurarig_addon.core.sequence.blocking import flowing
from neurarig_addon.core.sequence.continuation import Continuation, continued
from neurarig_addon.core.sequence.figure import figure
from neurarig_addon.core.sequence.rows import RATE, rows_of
from neurarig_addon.core.sequence.stride import REMEMBERED, last_stride
from tests.refusals import refuses

from . import retarget_bodies as made

FPS = 24.0


@pytest.fixture(scope="module")
def walk() -> Encoding:
    """Return six seconds of our own walk of a made-up human, with contacts, at FPS."""
    return resample(made.encoded_walk(6.0), FPS)


@pytest.fixture(scope="module")
def step(walk) -> tuple[int, int]:
    """Return the rows on which the left heel, and after it the right one, comes down."""
    left = int(next(first for first, _ in walk.contacts.intervals["heel.L"] if first > FPS))
    return left, int(next(first for first, _ in walk.contacts.intervals["heel.R"] if first > left))


def blocked(walk: Encoding, rows: np.ndarray, is_held: bool = False) -> Encoding:
    """Return a walk of which only the poses on some rows are left, each held, or eased into the next."""
    keyed = sampled(replace(walk, contacts=Contacts()), rows.astype(float), FPS)
    at = np.interp(np.arange(rows[-1] - rows[0] + 1.0), rows - rows[0], np.arange(len(rows)))
    share = at % 1.0
    eased_at = np.floor(at) + (0.0 if is_held else share * share * (3.0 - 2.0 * share))
    return sampled(keyed, eased_at, FPS)


def poses_at(step: tuple[int, int], shares: list[float]) -> np.ndarray:
    return np.round(step[0] + np.array(shares) * (step[1] - step[0])).astype(int)


SHARES = [
    [0.0, 1.0],
    [0.0, 0.5, 1.0],
    [0.0, 0.25, 0.5, 1.0],
    [0.0, 0.5],
    [0.0, 1.0, 2.0],
    [0.0, 0.5, 1.0, 1.5],
]


@pytest.mark.parametrize("shares", SHARES)
def test_the_strides_before_poses_are_those_of_the_walk(walk, step, shares):
    rows = poses_at(step, shares)
    past = flowing(blocked(walk, rows), rows - rows[0])[1]
    seen = rows_of(past)
    assert len(past) == REMEMBERED and past.fps == RATE
    assert last_stride(seen).frames == pytest.approx(2.0 * (step[1] - step[0]) / FPS * RATE, abs=2.5)
    assert np.abs(seen.poses[-1] - rows_of(walk).poses[rows[-1]]).max() < 1e-6, "they end with the last pose"
    speed = np.linalg.norm(past.ground[-1] - past.ground[0]) / (len(past) - 1) * RATE
    real = np.linalg.norm(walk.ground[-1] - walk.ground[0]) / (len(walk) - 1) * FPS
    assert speed == pytest.approx(real, rel=0.05)
    assert abs(np.degrees(np.mean(past.heading))) < 3.0, "straight on"
    for side in "LR":
        assert len(past.contacts.intervals[f"heel.{side}"]) >= 1


@pytest.mark.few(4)
@pytest.mark.parametrize("is_held", [False, True])
@pytest.mark.parametrize("shares", SHARES)
def test_poses_go_on_as_the_walk_does(walk, step, shares, is_held):
    rows = poses_at(step, shares)
    clip = blocked(walk, rows, is_held)
    longer = continued(clip, Continuation(6.0, poses=rows - rows[0]))
    seen = rows_of(resample(longer, RATE))[-150:]
    real = rows_of(resample(walk, RATE)).poses
    nearest = [np.sqrt(np.mean((real - pose) ** 2, axis=1)).min() for pose in seen.poses[::5]]
    assert np.mean(nearest) < 0.02, "metres a number: as near to the walk as the walk that goes on"
    speed = np.linalg.norm(longer.ground[-1] - longer.ground[len(clip)]) / (len(longer) - len(clip) - 1) * FPS
    assert speed * figure().hips_height == pytest.approx(1.28, rel=0.08)


def test_rough_poses_in_other_timing_go_on_too(walk, step):
    rows = poses_at(step, [0.0, 0.5, 1.0])
    keyed = sampled(replace(walk, contacts=Contacts()), rows.astype(float), FPS)
    rough = np.random.default_rng(0)
    chains = {}
    for name, chain in keyed.chains.items():
        chains[name] = replace(chain, effector=chain.effector + rough.normal(0.0, 0.02, chain.effector.shape))
    slow = sampled(replace(keyed, chains=chains), np.linspace(0.0, 2.0, 19), FPS)
    longer = continued(slow, Continuation(8.0, poses=np.array([0, 9, 18])))
    speed = np.linalg.norm(longer.ground[-1] - longer.ground[18]) / (len(longer) - 19) * FPS
    own = np.linalg.norm(slow.ground[-1] - slow.ground[0]) / 18 * FPS
    assert speed == pytest.approx(own, rel=0.15)
    assert all((longer.contacts.intervals[f"heel.{side}"][:, 0] > 18).sum() >= 4 for side in "LR")


@pytest.mark.parametrize("is_held", [False, True])
def test_a_clip_flows_through_its_poses_into_what_follows(walk, step, is_held):
    rows = poses_at(step, [0.0, 0.5, 1.0])
    clip, rows = blocked(walk, rows, is_held), rows - rows[0]
    found, past = flowing(clip, rows)
    assert np.array_equal(found.frames, clip.frames) and found.extras.keys() == clip.extras.keys()
    assert np.abs(found.ground[rows] - clip.ground[rows]).max() < 1e-9
    for name, chain in clip.chains.items():
        assert np.abs(found.chains[name].effector[rows] - chain.effector[rows]).max() < 1e-9
        inner = np.sum(found.chains[name].orientation[rows] * chain.orientation[rows], axis=1)
        assert np.abs(inner).min() > 1.0 - 1e-9
    pace = np.linalg.norm(np.diff(found.ground, axis=0), axis=1)
    assert pace.max() < 1.25 * pace.min(), "evenly, whatever the keys did"
    longer = continued(clip, Continuation(2.0, poses=rows))
    pace = np.linalg.norm(np.diff(longer.ground, axis=0), axis=1)
    assert pace[rows[-1] - 2 : rows[-1] + 4].max() < 1.35 * pace.mean()
    assert np.abs(past.ground[-1] - clip.ground[-1]).max() < 1e-9


def test_poses_in_metres_and_inside_of_a_longer_clip_flow_too(walk, step):
    rows = poses_at(step, [0.0, 0.5, 1.0])
    clip, rows = blocked(walk, rows), rows - rows[0]
    height = clip.measures.hips_height
    metres = flowing(replace(clip, ground=clip.ground * height, normalised=False), rows)[0]
    assert np.abs(metres.ground - flowing(clip, rows)[0].ground * height).max() < 1e-9
    held = sampled(clip, np.clip(np.arange(len(clip) + 20.0) - 5.0, 0.0, len(clip) - 1.0), FPS)
    found, past = flowing(held, rows + 5)
    pace = np.linalg.norm(np.diff(found.ground, axis=0), axis=1)
    assert pace.max() < 1.3 * pace.min() and np.abs(past.ground[-1] - found.ground[-1]).max() < 1e-9


def test_a_mirrored_step_goes_on_mirrored(walk, step):
    rows = poses_at(step, [0.0, 0.5, 1.0])
    clip = blocked(walk, rows)
    one, other = flowing(clip, rows - rows[0])[1], flowing(mirror(clip), rows - rows[0])[1]
    assert (
        np.abs(one.ground - other.ground * [1.0, -1.0]).max() < 1e-6
        and np.abs(one.heading + other.heading).max() < 1e-6
    )


def test_poses_on_the_spot_are_refused(walk, step):
    rows = poses_at(step, [0.0, 0.5, 1.0])
    clip = blocked(walk, rows)
    with refuses(
        r"The 3 poses of 'walk' stay on the spot, so no walk follows from them\. Move the hips",
    ):
        continued(replace(clip, ground=0.0 * clip.ground), Continuation(4.0, poses=rows - rows[0]))
