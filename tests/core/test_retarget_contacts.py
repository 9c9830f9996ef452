"""Clips on other bodies: what stands stays where it is, steps keep their height, and the report measures
it."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.body.feet import BALL, FLAT, HEEL, SWING, TOE, Feet
from neurarig_addon.core.body.sole import Sole
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import about_y, about_z
from neurarig_addon.core.ikrig.encode import encode_motions
from neurarig_addon.core.ikrig.encoding import Contacts, Encoding
from neurarig_addon.core.report.clip_report import carried_points, clip_report
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.foothold import footholds
from neurarig_addon.core.retarget.ground import find_ground
from neurarig_addon.core.retarget.hands import kept_in_place
from neurarig_addon.core.retarget.options import RetargetOptions, Root
from neurarig_addon.core.retarget.retarget import planted, retarget
from neurarig_addon.core.retarget.source import encode_clip
from tests.core import retarget_bodies as given


def encoded(character: Character, motions: dict[str, Motion]) -> Encoding:
    """Return motions of a character with their contacts."""
    frames = np.arange(1.0, len(motions["pelvis"].position) + 1.0)
    encoding = encode_motions(character, motions, frames, given.FPS)
    return replace(encoding, contacts=find_contacts(character, motions, given.FPS))


def test_what_carries_the_travel_does_not_change_the_motion():
    source, clip = given.recorded("walk", "cmu_16_19")
    human, encoding = given.human(), encode_clip(source, clip)
    whole = retarget(encoding, human).pose.motions
    for root in (Root.BONE, Root.OBJECT, Root.IN_PLACE):
        found = retarget(encoding, human, RetargetOptions(root=root))
        for role, motion in found.pose.in_world().items():
            assert_allclose(motion.position, whole[role].position, atol=1e-9, err_msg=role)
            assert_allclose(motion.rotation, whole[role].rotation, atol=1e-9, err_msg=role)
        pelvis = found.pose.motions["pelvis"]
        assert np.abs(pelvis.position[:, :2]).max() < 0.1 < np.ptp(whole["pelvis"].position[:, 0])
        assert_array_equal(found.pose.root.position[:, 2], 0.0)
    exact = retarget(encoding, human, RetargetOptions(root=Root.IN_PLACE, root_smoothing_s=0.0)).pose.motions[
        "pelvis"
    ]
    assert_allclose(exact.position[:, :2], np.broadcast_to(exact.rest[:2], (len(clip), 2)), atol=1e-9)


def test_a_step_keeps_its_height_and_noise_does_not():
    human = given.human()
    sole, leg = Sole.of(human.body), human.body.leg_length
    frames = 40
    standing = np.zeros((frames, 2), dtype=bool)
    standing[:15, 0] = standing[10:25, 1] = standing[25:, 0] = True
    height = np.where(np.arange(frames)[:, None] < 20, [[0.0, 0.02 * leg]], [[0.3 * leg, 0.02 * leg]])
    ankle = (
        np.zeros((frames, 2, 3))
        + sole.ankle * [0.0, 0.0, 1.0]
        + np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]])
    )
    ankle[..., 2] += height + 0.77
    level = np.broadcast_to(np.eye(3), (frames, 2, 3, 3))
    holds = footholds(sole, Feet(ankle, level, level), np.repeat(standing[..., None], 2, axis=-1), given.FPS)
    ground = find_ground(holds, sole.heights(Feet(ankle, level, level)), leg, sole.length)
    assert_allclose(
        ground.height[standing[:, 0], 0],
        np.where(np.flatnonzero(standing[:, 0]) < 15, 0.0, 0.3 * leg),
        atol=0.03 * leg,
    )
    assert not ground.height[:, 1].any()
    assert ground.plane[0] == pytest.approx(0.77, abs=0.03 * leg)


@pytest.mark.parametrize("body", ["human", "no toes", "clown"])
def test_whatever_a_standing_foot_does_its_pivots_stay(body):
    """Feet that pitch, bank and turn at random while they are told to stand."""
    character = given.bodies()[body]
    sole = Sole.of(character.body)
    draw = np.random.default_rng(4)
    frames = 200
    time = np.linspace(0.0, 2.0 * np.pi, frames)[:, None]
    pitch = 0.7 * np.sin(time * [3.0, 2.0] + draw.uniform(0.0, 6.0, 2)) + 0.2
    turn = about_z(1.5 * np.sin(time * [2.0, 1.0])) @ about_y(pitch)
    standing = np.ones((frames, 2), dtype=bool)
    ankle = draw.normal(0.0, 0.02, (frames, 2, 3))
    holds = footholds(sole, Feet(ankle, turn, turn), np.repeat(standing[..., None], 2, axis=-1), given.FPS)
    points = sole.points(holds.feet)
    for pivots, point in (((HEEL, FLAT), 0), ((FLAT, BALL), 1), ((TOE,), 2)):
        both = np.isin(holds.pivot[1:], pivots) & np.isin(holds.pivot[:-1], pivots)
        steps = np.diff(points[:, :, point], axis=0)[both]
        assert not len(steps) or np.abs(steps).max() < 1e-9
    assert (sole.heights(holds.feet) - holds.ground[..., None]).min() > -1e-9
    assert len(np.unique(holds.pivot)) >= 3


def test_a_planted_hand_stays_and_bones_keep_their_length():
    human = given.human()
    motions, _ = given.generated(human, elbow_bend=50.0)
    rows = np.array([[20, 35], [90, 100]])
    # A hand that stays in the world while the body walks on is out of reach before long: it slows the body's
    # way to a tenth.
    way = np.outer(
        -0.9 * (motions["pelvis"].position[:, 0] - motions["pelvis"].position[0, 0]), [1.0, 0.0, 0.0]
    )
    slow = {role: given.shifted(motion, way) for role, motion in motions.items()}
    found = kept_in_place(human, slow, Contacts({"hand.L": rows}), given.FPS)
    for first, last in rows:
        assert np.ptp(found["hand.L"].position[first : last + 1], axis=0).max() < 1e-9
    body = human.body
    for start, end, length in (
        ("upper_arm", "forearm", body.elbow - body.shoulder),
        ("forearm", "hand", body.wrist - body.elbow),
    ):
        apart = np.linalg.norm(found[f"{end}.L"].position - found[f"{start}.L"].position, axis=-1)
        assert_allclose(apart, np.linalg.norm(length[0]), atol=1e-9)
        carried = found[f"{start}.L"].carry(human.rest_head(f"{end}.L"))
        assert_allclose(carried, found[f"{end}.L"].position, atol=1e-9)
    assert_array_equal(found["hand.R"].position, slow["hand.R"].position)


def test_a_clip_without_any_contact_stands_on_the_ground():
    human = given.human()
    motions, _ = given.generated(human)
    high = {role: given.shifted(motion, np.array([0.0, 0.0, 3.0])) for role, motion in motions.items()}
    found, pivots = planted(human, high, Contacts({}), given.FPS)
    feet, *_ = carried_points(human, found)
    assert (pivots == SWING).all()
    assert 0.0 <= feet[..., 2].min() < 0.02 * human.body.leg_length


def test_the_report_tells_slip_and_penetration():
    human = given.human()
    motions, _ = given.generated(human)
    found = retarget(encoded(human, motions), human)
    feet, legs, head = carried_points(human, found.pose.in_world())
    feet[60:, 0, :, 0] += 0.02
    feet[..., 2] -= 0.003
    report = clip_report(feet, legs, head, human.body, found.pivots, found.fps, np.arange(len(feet)))
    assert report["slip_mm"]["L"]["max"] == pytest.approx(20.0, abs=1e-3) or found.pivots[60, 0] == SWING
    assert report["penetration_mm"] == pytest.approx(3.0, abs=0.01)
    assert set(report["past_limits"]) >= {"penetration_mm"}
