"""Where the IK Rig's formulas end: straight and overstretched limbs, out of reach, bodies that lack parts."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry import limb
from neurarig_addon.core.geometry.rotation import about_y, about_z, from_axis_angle, normalized
from neurarig_addon.core.ikrig import encoding, layout, trunk
from neurarig_addon.core.ikrig.anatomy import Anatomy
from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.encode import encode, encode_motions
from neurarig_addon.core.ikrig.encoding import CHAINS, Contacts, Encoding
from neurarig_addon.core.ikrig.layout import from_rows, to_rows
from tests.refusals import refuses

from . import ikrig_clips as clips

DRAW = np.random.default_rng(11)


def lengths_of(*lines: np.ndarray) -> list[np.ndarray]:
    return [np.linalg.norm(line, axis=-1) for line in lines]


def test_two_bones_meet_the_effector_on_the_side_of_the_pole():
    root, effector, pole = DRAW.normal(size=(3, 500, 3)) * [[[0.5]], [[0.5]], [[1.0]]]
    upper, lower = 1.1, 0.8
    middle, end = limb.two_bones(root, effector, pole, upper, lower, np.array([0.0, 0.0, -1.0]))
    distance = np.linalg.norm(effector - root, axis=-1)
    within = (distance < upper + lower) & (distance > upper - lower)
    first, second = lengths_of(middle - root, end - middle)
    assert_allclose(first, upper, atol=1e-9)
    assert_allclose(second, lower, atol=1e-9)
    assert_allclose(end[within], effector[within], atol=1e-9)
    assert (np.sum((middle - root) * limb.across(pole, normalized(effector - root)), axis=-1) >= -1e-9).all()
    # Out of reach: in line with the effector, on its side of the root.
    assert_allclose(normalized(end - root)[~within], normalized(effector - root)[~within], atol=1e-9)


@pytest.mark.parametrize("upper, lower", [(1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)])
def test_two_bones_without_length_or_distance_are_defined(upper, lower):
    zero = np.zeros((3, 3))
    for effector, pole in (
        (zero, zero),
        (zero, zero + [1.0, 0, 0]),
        (zero + [0, 0, -0.7], zero + [0, 0, 1.0]),
    ):
        middle, end = limb.two_bones(zero, effector, pole, upper, lower, np.array([0.0, 0.0, -3.0]))
        first, second = lengths_of(middle, end - middle)
        assert_allclose(first, upper, atol=1e-9)
        assert_allclose(second, lower, atol=1e-9)


@pytest.mark.parametrize("bones", [0, 1, 2, 3, 5, 8])
def test_a_row_of_bones_ends_where_it_can(bones):
    rest = np.column_stack([DRAW.uniform(-0.02, 0.02, (bones, 2)), DRAW.uniform(0.08, 0.15, bones)])
    frames = 50
    start = from_axis_angle(normalized(DRAW.normal(size=(frames, 3))), DRAW.uniform(0.0, 0.5, frames))
    end = start @ from_axis_angle(normalized(DRAW.normal(size=(frames, 3))), DRAW.uniform(0.0, 0.8, frames))
    reach = (start @ rest.sum(axis=0)) * DRAW.uniform(0.8, 0.95, (frames, 1))
    share = trunk.shares(np.append(np.linalg.norm(rest, axis=-1), 0.1))[:-1]
    bent = trunk.bend(rest, start, end, share, reach, DRAW.normal(size=(frames, 3)))
    ends = sum((turn @ bone for turn, bone in zip(bent, rest, strict=True)), np.zeros((frames, 3)))
    assert len(bent) == bones
    if bones == 1:
        assert_allclose(normalized(ends), normalized(reach), atol=1e-9)
    elif bones > 1:
        assert_allclose(ends, reach, atol=1e-9)


def test_a_row_takes_the_turn_evenly():
    """Half way up, half of the turn between the ends has been made, however many bones make it."""
    for bones in (2, 4, 8):
        rest = np.tile([0.0, 0.0, 0.5 / bones], (bones, 1))
        start, end = np.eye(3)[None], about_z(np.array([1.0]))
        bent = trunk.bend(
            rest,
            start,
            end,
            trunk.shares(np.full(bones, 0.1)),
            np.array([[0.0, 0.0, 0.5]]),
            np.array([[-1.0, 0.0, 0.0]]),
        )
        assert_allclose(bent[bones // 2 - 1], about_z(np.array([0.5])), atol=1e-9)


@pytest.mark.parametrize(
    "lengths",
    [
        (0.1, 0.1),
        (0.1, 0.1, 0.1, 0.1),
        (0.3, 0.1, 0.1),
        (0.1, 0.1, 0.1, 0.3),
        (0.0, 0.2, 0.1, 0.1),
        (0.05,) * 8,
    ],
)
def test_a_straight_row_bends_at_the_joint_that_halves_it_best(lengths):
    rest = np.outer(lengths, [0.0, 0.0, 1.0])
    still, reach = np.eye(3)[None], np.array([[0.0, 0.0, 0.8 * sum(lengths)]])
    bent = trunk.bend(
        rest, still, still, trunk.shares(np.array(lengths)), reach, np.array([[-1.0, 0.0, 0.0]])
    )
    halves = np.abs(np.cumsum(lengths)[:-1] - sum(lengths) / 2.0)
    joint = next(row for row in range(1, len(lengths)) if np.abs(bent[row] - bent[0]).max() > 0.1)
    assert halves[joint - 1] == pytest.approx(halves.min())
    for row, turn in enumerate(bent):
        assert_allclose(turn, bent[0] if row < joint else bent[-1], atol=1e-12)


def knee_bends(angles: np.ndarray) -> tuple[Character, dict[str, Motion]]:
    """Return a standing body whose left knee bends by each angle (radians), negative the wrong way, at frames
    `(f,)`."""
    subject = clips.made_character()
    clip = clips.swaying(subject, frames=len(angles), size=0.0)
    motions = subject.motions(clip)
    straight = subject.reference["thigh.L"], subject.reference["shin.L"]
    thigh = Motion(about_y(-angles / 2.0) @ straight[0], motions["thigh.L"].position, motions["thigh.L"].rest)
    shin = Motion(
        about_y(angles / 2.0) @ straight[1], thigh.carry(subject.rest_head("shin.L")), motions["shin.L"].rest
    )
    foot = Motion(motions["foot.L"].rotation, shin.carry(subject.rest_head("foot.L")), motions["foot.L"].rest)
    toe = Motion(motions["toe.L"].rotation, foot.carry(subject.rest_head("toe.L")), motions["toe.L"].rest)
    return subject, motions | {"thigh.L": thigh, "shin.L": shin, "foot.L": foot, "toe.L": toe}


@pytest.mark.parametrize("flat", [False, True], ids=["all", "86 floats"])
def test_a_knee_that_goes_through_straight_to_the_wrong_side_and_back(flat):
    """Its bones come back within a millimetre and never turn round, with and without what the 86 floats leave
    out."""
    angles = np.radians(10.0) * np.cos(np.linspace(0.0, 4.0 * np.pi, 400)) + np.radians(2.0)
    subject, motions = knee_bends(angles)
    encoding = encode_motions(subject, motions, np.arange(400.0), 60.0)
    pose = decode(from_rows(to_rows(encoding), 60.0) if flat else encoding, subject)
    assert clips.far(motions, pose, ["shin.L", "foot.L"]).max() < 1.0
    assert clips.turned(motions, pose, ["thigh.L", "shin.L", "foot.L"]).max() < 1.0


def test_out_of_reach_is_straight_towards_the_effector():
    subject = clips.made_character()
    encoding = encode(subject, clips.swaying(subject, frames=5))
    leg = encoding.chains["leg.L"]
    effector = normalized(leg.effector) * 1.5
    pose = decode(
        replace(encoding, chains=dict(encoding.chains) | {"leg.L": replace(leg, effector=effector)}), subject
    )
    hip, knee, ankle = (pose[f"{part}.L"].position for part in ("thigh", "shin", "foot"))
    assert_allclose(normalized(knee - hip), normalized(ankle - hip), atol=1e-4)
    assert_allclose(
        np.linalg.norm(ankle - hip, axis=-1), Anatomy.of(subject).chains["leg.L"].length, rtol=1e-9
    )


def legs_in_one_place() -> np.ndarray:
    """Return floats whose left leg's root is turned to where the right one's is."""
    subject = clips.made_character()
    left, right = (normalized(Anatomy.of(subject).chains[leg].root_direction) for leg in ("leg.L", "leg.R"))
    row = np.zeros(86)
    row[30:34] = layout.to_maya(encoding.shortest(left, right[None]))[0]
    return row


@pytest.mark.parametrize(
    "row", [np.zeros(86), np.ones(86), np.full(86, 1e6), legs_in_one_place(), *DRAW.normal(size=(5, 86))]
)
def test_any_floats_make_a_pose_of_rotations(row):
    """A network may give anything: zero quaternions, up vectors along the limb, effectors far away."""
    subject = clips.made_character()
    pose = decode(from_rows(np.stack([row, row]), 30.0), subject)
    for role, motion in pose.items():
        squared = motion.rotation @ np.swapaxes(motion.rotation, -1, -2)
        assert_allclose(squared, np.broadcast_to(np.eye(3), squared.shape), atol=1e-6, err_msg=role)
        assert np.isfinite(motion.position).all() and (np.linalg.det(motion.rotation) > 0.0).all()


def test_bodies_that_lack_parts():
    """What a body lacks is left out; what its motion does not tell, another body keeps as it is."""
    whole = clips.made_character()
    clip = clips.swaying(whole)
    for parts in (
        ("toe",),
        ("clavicle",),
        ("neck",),
        ("neck", "head"),
        ("hand",),
        ("spine",),
        ("foot", "toe"),
        ("shin",),
    ):
        lacking = clips.without(whole, *parts)
        encoding = encode(lacking, clip)
        own, other = decode(encoding, lacking), decode(encode(whole, clip), lacking)
        assert set(other) == {role for role in lacking.roles.bones if lacking.row(role) is not None}, parts
        assert set(own) == set(other), parts
        # A joint that is not among the roles is taken to be rigid; what moved with it cannot come back.
        arms = [] if parts[0] in ("clavicle", "spine") else ["upper_arm.R", "forearm.R"]
        legs = [] if parts == ("shin",) else ["shin.L", "foot.L"]
        back = [role for role in ("pelvis", "thigh.L", *legs, *arms) if role in own]
        assert clips.far(lacking.motions(clip), own, back).max() < 1.0, parts
        told = decode(encoding, whole)
        assert {"pelvis", "thigh.L", "foot.R", "toe.L", "upper_arm.L", "hand.L"} <= set(told), parts
        assert ("head" in told) == (parts != ("neck", "head"))


def small(**changes) -> Encoding:
    subject = clips.made_character()
    return replace(encode(subject, clips.swaying(subject, frames=4)), **changes)


@pytest.mark.parametrize("changes, words", [
    ({"fps": 0.0}, "frames a second"),
    ({"heading": np.zeros(3)}, "the heading"),
    ({"ground": np.full((4, 2), np.nan)}, "NaN"),
    ({"chains": {}}, "lacks the chain 'spine'"),
    ({"extras": {"tail": np.zeros((4, 4))}}, "'tail'"),
    ({"contacts": Contacts({"heel.L": np.array([[2, 9]])})}, "after its last row"),
])  # fmt: skip
def test_an_encoding_is_checked(changes, words):
    with refuses(words) as refusal:
        small(**changes)
    assert str(refusal.value).count(".") <= 2 and "\n" not in str(refusal.value)


@pytest.mark.parametrize("spans", [[[3, 2]], [[-1, 2]], [1, 2], [[0.5, 2.0]]])
def test_contacts_are_checked(spans):
    with refuses(r"heel\.L"):
        Contacts({"heel.L": np.array(spans)})
    with refuses("nose"):
        Contacts({"nose": np.zeros((0, 2), int)})


def test_chains_are_all_there():
    assert set(small().chains) == set(CHAINS)
