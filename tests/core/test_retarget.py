"""Clips on other bodies: planted, within reach, and still the same motion."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.body.feet import SWING, angles_of
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.ikrig.encode import encode_motions
from neurarig_addon.core.ikrig.encoding import Encoding
from neurarig_addon.core.report.clip_report import carried_points, clip_report
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.feet import read_feet
from neurarig_addon.core.retarget.options import RetargetOptions, Root
from neurarig_addon.core.retarget.retarget import Retargeted, retarget
from neurarig_addon.core.retarget.source import encode_clip
from tests.core import retarget_bodies as given

# A walk on a floor that tilts, a walk with a turn of 90 degrees, uneven ground, a run; jumps, a dance,
# balancing on one leg.
CLIPS = [
    ("walk", "cmu_02_01"),
    ("walk", "cmu_16_19"),
    ("walk", "cmu_03_01"),
    ("walk", "cmu_16_35"),
    ("pose", "cmu_14_06"),
    ("pose", "cmu_05_18"),
    ("pose", "cmu_49_13"),
]
SLIP = 1e-3  # of the leg


def encoded(character: Character, motions: dict[str, Motion]) -> Encoding:
    """Return motions of a character with their contacts."""
    frames = np.arange(1.0, len(motions["pelvis"].position) + 1.0)
    encoding = encode_motions(character, motions, frames, given.FPS)
    return replace(encoding, contacts=find_contacts(character, motions, given.FPS))


def reported(character: Character, found: Retargeted) -> dict:
    """Return the clip's report from the pose itself."""
    frames = np.arange(len(found.pivots))
    return clip_report(
        *carried_points(character, found.pose.in_world()), character.body, found.pivots, found.fps, frames
    )


def assert_planted(character: Character, found: Retargeted) -> None:
    """Feet do not slip or sink, legs do not stretch, and nothing is NaN."""
    report = reported(character, found)
    leg_mm = 1e3 * character.body.leg_length
    assert max(side["max"] or 0.0 for side in report["slip_mm"].values()) < 1e-6 * leg_mm
    assert report["penetration_mm"] < SLIP * leg_mm
    assert report["reach"] < 1.0
    assert report["past_limits"] == []
    for role, motion in found.pose.motions.items():
        assert np.isfinite(motion.rotation).all() and np.isfinite(motion.position).all(), role


def knees(motions: dict[str, Motion]) -> np.ndarray:
    """Return how far the knees are bent `(f, 2)` in radians."""
    found = []
    for side in "LR":
        hip, knee, ankle = (motions[f"{part}.{side}"].position for part in ("thigh", "shin", "foot"))
        found.append(np.arccos(np.clip(np.sum(unit(knee - hip) * unit(ankle - knee), axis=-1), -1.0, 1.0)))
    return np.stack(found, axis=1)


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector, axis=-1, keepdims=True)


def acceleration(places: np.ndarray) -> float:
    """Return the 99th percentile of accelerations of `(f, 3)`, without a unit."""
    return float(np.percentile(np.linalg.norm(np.diff(places, n=2, axis=0), axis=-1), 99.0))


@pytest.mark.few(4)
@pytest.mark.parametrize("body", list(given.bodies()))
@pytest.mark.parametrize(("group", "name"), CLIPS)
def test_a_recorded_clip_is_planted_on_any_body(group, name, body):
    source, clip = given.recorded(group, name)
    target = given.bodies()[body]
    found = retarget(encode_clip(source, clip), target)
    assert_planted(target, found)
    before, after = source.motions(clip), found.pose.in_world()
    assert np.abs(knees(after) - knees(before)).mean() < np.radians(12.0)
    size = source.body.leg_length / target.body.leg_length
    for role in ("thigh.L", "foot.L", "foot.R", "hand.L"):
        # who kneels or dances on the toes of another foot moves it more
        limit = 2.0 if group == "walk" else 4.0
        assert size * acceleration(after[role].position) < limit * acceleration(before[role].position), role


@pytest.mark.parametrize("frames", [1, 2, 3, 7])
def test_the_shortest_clips_are_clips(frames):
    motions, _ = given.generated(given.human(), frames=frames)
    for root in Root:
        found = retarget(encoded(given.human(), motions), given.bodies()["child"], RetargetOptions(root=root))
        assert all(np.isfinite(motion.position).all() for motion in found.pose.motions.values())
        assert len(found.pivots) == frames


@pytest.mark.parametrize("lacking", ["toe", "foot", "neck", "clavicle", "hand", "forearm"])
def test_a_body_that_lacks_something_walks(lacking):
    human = given.human()
    roles = {role: bone for role, bone in human.roles.bones.items() if role.partition(".")[0] != lacking}
    target = Character.of(human.skeleton, replace(human.roles, bones=roles))
    motions, _ = given.generated(human)
    assert_planted(target, retarget(encoded(human, motions), target))


def test_on_the_same_body_a_planted_walk_stays_as_it_is():
    human = given.human()
    motions, pose = given.generated(human)
    found = retarget(encoded(human, motions), human)
    after, leg = found.pose.in_world(), human.body.leg_length
    for role in (
        "pelvis",
        "head",
        *(f"{part}.{side}" for side in "LR" for part in ("shin", "foot", "forearm", "hand")),
    ):
        assert np.linalg.norm(after[role].position - motions[role].position, axis=-1).mean() < 0.04 * leg, (
            role
        )
    assert ((found.pivots != SWING) == (pose.pivot != SWING)).mean() > 0.94


def test_without_contacts_the_legs_follow_the_source():
    human = given.human()
    motions, _ = given.generated(human)
    after = retarget(encoded(human, motions), human, RetargetOptions(contacts=False)).pose.in_world()
    up = np.array([0.0, 0.0, after["pelvis"].position[0, 2] - motions["pelvis"].position[0, 2]])
    for role in ("thigh.L", "shin.L", "foot.L", "shin.R", "hand.R"):
        # soles keep off the ground
        np.testing.assert_allclose(after[role].position, motions[role].position + up, atol=0.02, err_msg=role)


def test_turning_feet_turn():
    source, clip = given.recorded("walk", "cmu_16_19")
    child = given.bodies()["child"]
    found = retarget(encode_clip(source, clip), child)
    before, after = (
        angles_of(read_feet(who, motions).turn).heading
        for who, motions in ((source, source.motions(clip)), (child, found.pose.in_world()))
    )
    assert np.abs((after[-1] - after[0]) - (before[-1] - before[0])).max() < np.radians(25.0)
    assert np.abs(before[-1] - before[0]).min() > np.radians(60.0)


def test_travel_is_scaled_by_legs_and_stride():
    human, giant = given.human(), given.bodies()["giant"]
    motions, _ = given.generated(human)
    encoding = encoded(human, motions)

    def travelled(**options: float) -> float:
        place = retarget(encoding, giant, RetargetOptions(**options)).pose.motions["pelvis"].position
        return float(place[-1, 0] - place[0, 0]) / float(np.ptp(motions["pelvis"].position[:, 0]))

    legs = giant.body.leg_length / human.body.leg_length
    assert travelled() == pytest.approx(legs, rel=1e-3)
    assert travelled(stride=0.9) == pytest.approx(0.9 * legs, rel=1e-3)
