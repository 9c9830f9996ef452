"""Encoding and decoding: the same body gets its motion back, and how a body is built leaves no trace."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.encode import encode
from neurarig_addon.core.ikrig.encoding import CHAINS, Encoding
from neurarig_addon.core.ikrig.layout import from_rows, to_rows

from . import ikrig_clips as clips
from . import skeletons as made

# A steady walk, uneven ground, a turn, a run.
WALKS = ["cmu_02_01", "cmu_03_01", "cmu_16_17", "cmu_35_17"]
ENDS = ["head", "foot.L", "foot.R", "hand.L", "hand.R"]
LIMBS = [
    f"{part}.{side}"
    for side in "LR"
    for part in ("thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand")
]


@pytest.mark.parametrize("name", WALKS)
def test_the_same_body_gets_its_motion_back(name):
    character, clip = clips.walk(name)
    before, after = character.motions(clip), decode(encode(character, clip), character)
    trunk = [role for role in before if role.startswith(("spine", "neck", "head", "clavicle", "pelvis"))]
    assert set(after) == set(before)
    assert clips.far(before, after, LIMBS).mean(axis=1).max() < 1.0
    assert clips.far(before, after, trunk).mean(axis=1).max() < 10.0
    assert clips.turned(before, after, [*ENDS, "spine.3", "pelvis"]).max() < 0.01


@pytest.mark.parametrize("name", WALKS[::2])
def test_86_floats_alone_bring_back_the_joints(name):
    """Hips, limbs and trunk; shoulders are told by a direction only, so what hangs on them is as far off as a
    clavicle slides."""
    character, clip = clips.walk(name)
    encoding = encode(character, clip)
    before, after = character.motions(clip), decode(from_rows(to_rows(encoding), clip.fps), character)
    legs = [role for role in LIMBS if role.startswith(("thigh", "shin", "foot"))]
    assert clips.far(before, after, [*legs, "pelvis", "spine.3", "neck", "head"]).max() < 2.0
    assert clips.far(before, after, ["upper_arm.L", "forearm.L", "hand.L", "hand.R"]).max() < 15.0
    assert clips.turned(before, after, [*ENDS, "pelvis"]).max() < 0.01


def test_a_made_up_body_that_bends_every_joint_gets_its_motion_back():
    character = clips.made_character()
    clip = clips.swaying(character)
    before, after = character.motions(clip), decode(encode(character, clip), character)
    assert clips.far(before, after, [role for role in LIMBS if role in before]).max() < 1e-6
    assert (
        clips.turned(
            before, after, [role for role in before if not role.startswith(("spine.1", "neck"))]
        ).max()
        < 1e-6
    )


@pytest.mark.parametrize(
    "known, unknown",
    [("upper_arm", "forearm"), ("forearm", "upper_arm"), ("thigh", "shin"), ("shin", "thigh")],
)
def test_of_a_limb_the_bone_that_is_told_of_is_turned_as_told(known, unknown):
    character = clips.made_character()
    clip = clips.swaying(character)
    encoding = encode(character, clip)
    extras = {role: turns for role, turns in encoding.extras.items() if not role.startswith(unknown)}
    found, told = decode(replace(encoding, extras=extras), character), character.motions(clip)
    assert clips.turned(told, found, [f"{known}.L", f"{known}.R"]).max() < 1e-6
    assert clips.far(told, found, [f"{unknown}.L", f"{unknown}.R"]).max() < 1e-6


@pytest.fixture(scope="module")
def original() -> Encoding:
    return encode(*clips.walk(WALKS[0]))


def assert_same_chains(found: Encoding, wanted: Encoding, tolerance: float = 1e-6) -> None:
    for name in CHAINS:
        for part in ("root", "effector", "up", "orientation"):
            first, second = getattr(found.chains[name], part), getattr(wanted.chains[name], part)
            assert_allclose(first, second, atol=tolerance, err_msg=f"{name} {part}")


def assert_same(found: Encoding, wanted: Encoding) -> None:
    assert_same_chains(found, wanted)
    assert_allclose(found.ground, wanted.ground, atol=1e-6)
    assert_allclose(found.heading, wanted.heading, atol=1e-6)


def test_scale_place_and_facing_of_the_armature_do_not_matter(original):
    _, clip = clips.walk(WALKS[0])
    other = clips.placed(clip, made.object_matrix(3.7, False, 110.0, (4.0, -2.0, 1.0)))
    assert_same(encode(clips.Character.of(other.skeleton), other), original)


def test_any_rest_pose_encodes_the_same_pose_alike():
    """Arms down or out at rest: the same posture has the same effectors and poles."""
    out, down = clips.made_character(), clips.made_character(made.biped(arms_down_deg=50.0))
    clip = clips.swaying(out)
    first, second = encode(out, clip), encode(down, replace(clip, skeleton=down.skeleton))
    for name in CHAINS:
        assert_allclose(second.chains[name].effector, first.chains[name].effector, atol=1e-6)
        assert_allclose(second.chains[name].up, first.chains[name].up, atol=1e-6)


@pytest.mark.parametrize(
    "table", [made.biped(), made.biped(toes=False, arms_down_deg=45.0), made.scaled(made.biped(), 0.05)]
)
def test_on_another_body_the_bones_hang_together(table):
    """Every bone begins where the one above carries it, whoever moved; hips and effectors are where the
    body's proportions put them."""
    source, clip = clips.walk(WALKS[0])
    target = clips.made_character(table)
    pose = decode(encode(source, clip), target)
    above = {
        "thigh": "pelvis",
        "shin": "thigh",
        "foot": "shin",
        "toe": "foot",
        "forearm": "upper_arm",
        "hand": "forearm",
    }
    for side in "LR":
        for part, parent in above.items():
            role, holder = f"{part}.{side}", "pelvis" if parent == "pelvis" else f"{parent}.{side}"
            if role in pose:
                assert_allclose(
                    pose[holder].carry(target.rest_head(role)), pose[role].position, atol=1e-9, err_msg=role
                )
    for role, holder in (
        ("spine.1", "pelvis"),
        ("spine.2", "spine.1"),
        ("neck", "spine.2"),
        ("head", "neck"),
    ):
        assert_allclose(
            pose[holder].carry(target.rest_head(role)), pose[role].position, atol=1e-9, err_msg=role
        )
    ratio = target.body.leg_length / source.body.leg_length
    travelled = [np.ptp(motion["pelvis"].position[:, 0]) for motion in (pose, source.motions(clip))]
    assert travelled[0] / travelled[1] == pytest.approx(ratio, rel=0.1)


def test_elbows_bend_about_the_hinges_of_the_body_that_gets_the_motion():
    """CMU's upper arms lie 30 degrees off the shared reference pose about themselves; another body's do not
    come out twisted."""
    source, clip = clips.walk(WALKS[0])
    encoding = encode(source, clip)
    assert encoding.measures is not None and np.degrees(encoding.measures.rolls["arm.R"]) == pytest.approx(
        30.0, abs=2.0
    )
    target = clips.made_character()
    pose = decode(encoding, target)
    upper = pose["upper_arm.R"].rotation @ target.reference["upper_arm.R"].T
    forearm = np.einsum("fji,fj->fi", upper, pose["hand.R"].position - pose["forearm.R"].position)
    # from forward, where the reference pose's elbow bends to
    off = np.degrees(np.arctan2(np.abs(forearm[:, 2]), forearm[:, 0]))
    assert off.max() < 5.0


def test_a_body_at_rest_stays_at_rest_on_any_other():
    """The reference pose is the same pose on every body: bent necks and leaning spines stay as they are."""
    source = clips.made_character(made.biped(arms_down_deg=0.0))
    hunched = made.biped()
    hunched["spine_02"] = (hunched["spine_02"][0], (0, 0.10, 1.20), hunched["spine_02"][2])
    hunched["spine_01"] = (hunched["spine_01"][0], hunched["spine_01"][1], (0, 0.10, 1.20))
    target = clips.made_character(hunched)
    still = clips.swaying(source, frames=2, size=0.0)
    pose = decode(encode(source, still), target)
    for role in ("spine.1", "spine.2", "neck", "head"):
        assert_allclose(pose[role].rotation[0], np.eye(3), atol=1e-6, err_msg=role)


def test_travel_in_metres_stays_in_metres():
    source, clip = clips.walk(WALKS[0])
    target = clips.made_character(made.scaled(made.biped(), 2.0))
    pose = decode(encode(source, clip, normalised=False), target)
    start = target.body.pelvis[:2] - source.body.pelvis[:2]
    assert_allclose(
        pose["pelvis"].position[:, :2], source.motions(clip)["pelvis"].position[:, :2] + start, atol=1e-9
    )


def test_without_arms_there_are_no_arm_chains():
    character, clip = clips.walk(WALKS[0])
    encoding = encode(clips.without(character, "clavicle", "upper_arm", "forearm", "hand"), clip)
    assert set(encoding.chains) == {"spine", "neck", "leg.L", "leg.R"}
    pose = decode(encoding, clips.made_character())
    assert "head" in pose and "hand.L" not in pose
