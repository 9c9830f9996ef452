"""A second that is missing within a motion: both parts stay, nothing jumps, and a walk walks on."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.ikrig.encoding import CHAINS, Contacts, Encoding
from neurarig_addon.core.ikrig.resample import resample, sampled
from neurarig_addon.core.sequence.fill import filled
from tests.refusals import refuses

from . import retarget_bodies as made


@pytest.fixture(scope="module")
def walk() -> Encoding:
    """Return five seconds of our own walk of a made-up human, with contacts."""
    return made.encoded_walk(5.0)


def without(clip: Encoding, first: int, last: int) -> Encoding:
    """Return a clip that goes straight from one of its rows to another, as keys with nothing between them
    do."""
    rows = np.arange(float(len(clip)))
    inner = slice(first + 1, last)
    straight = sampled(clip, np.array([float(first), float(last)]), clip.fps)
    rows[inner] = np.nan
    between = sampled(straight, np.arange(1, last - first) / (last - first), clip.fps)
    chains = {}
    for name, chain in clip.chains.items():
        parts = {part: getattr(chain, part).copy() for part in ("root", "effector", "up", "orientation")}
        for part, values in parts.items():
            values[inner] = getattr(between.chains[name], part)
        chains[name] = replace(chain, **parts)
    ground, heading = clip.ground.copy(), clip.heading.copy()
    ground[inner], heading[inner] = between.ground, between.heading
    extras = {role: turns.copy() for role, turns in clip.extras.items()}
    for role, turns in extras.items():
        turns[inner] = between.extras[role]
    return replace(clip, chains=chains, ground=ground, heading=heading, extras=extras)


def off(one: Encoding, other: Encoding, rows: slice) -> float:
    """Return how far wrists, ankles and hips of two clips are apart, in chain lengths and hips heights."""
    apart = [
        np.linalg.norm(one.chains[name].effector - other.chains[name].effector, axis=1)[rows]
        for name in CHAINS
    ]
    return float(np.mean([*apart, np.linalg.norm(one.ground - other.ground, axis=1)[rows]]))


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0])
def test_a_missing_part_of_a_walk_is_walked(walk: Encoding, fps: float) -> None:
    clip = resample(walk, fps)
    first, last = round(2.0 * fps), round(2.7 * fps)
    gone = without(clip, first, last)
    found = filled(gone, first, last)
    inner = slice(first + 1, last)
    assert off(found, clip, inner) < 0.7 * off(gone, clip, inner)
    assert np.array_equal(found.ground[: first + 1], clip.ground[: first + 1]) and np.array_equal(
        found.ground[last:], clip.ground[last:]
    )
    kicks = np.linalg.norm(np.diff(found.ground, n=2, axis=0), axis=1) * fps**2
    assert kicks[first - 2 : last].max() < 10.0, "hips heights a second squared"
    for name in CHAINS:
        change = np.linalg.norm(np.diff(found.chains[name].effector, axis=0), axis=1)
        assert change[first - 1 : last + 1].max() < 1.5 * change[:first].max() + 1e-2, name
    for side in "LR":
        spans = found.contacts.intervals[f"ball.{side}"]
        assert ((spans[:, 0] > first - fps) & (spans[:, 1] < last + fps)).any()


def test_hands_are_free_and_what_the_chains_leave_out_turns_evenly(walk: Encoding) -> None:
    first, last = 120, 150
    found = filled(without(walk, first, last), first, last)
    for turns in found.extras.values():
        inner = np.abs(np.sum(turns[first:last] * turns[first + 1 : last + 1], axis=1))
        assert inner.min() > np.cos(np.radians(25.0))
    assert len(found) == len(walk) and found.normalised == walk.normalised


def test_a_single_pose_after_the_gap_is_reached(walk: Encoding) -> None:
    short = sampled(walk, np.arange(151.0), walk.fps)
    found = filled(without(short, 120, 150), 120, 150)
    assert np.array_equal(found.ground[150], short.ground[150])
    assert np.linalg.norm(np.diff(found.ground[118:], axis=0), axis=1).max() < 0.06


def test_contacts_may_be_unknown(walk: Encoding) -> None:
    assert filled(replace(walk, contacts=Contacts()), 120, 150).contacts.intervals


def test_what_cannot_be_filled_is_refused(walk: Encoding) -> None:
    with refuses("name a first and a later last one"):
        filled(walk, 60, 48)
    with refuses("Up to 2 seconds"):
        filled(walk, 100, 230)
    with refuses("Too little of 'walk' comes before"):
        filled(walk, 5, 30)
    assert filled(walk, 48, 49) is walk
