"""What limbs follow: directions are copied exactly, places where a hand has to do with one, and feet stand in
any case."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import between, normalized, turned_towards
from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.encode import encode_motions
from neurarig_addon.core.ikrig.encoding import ARMS, LIMBS, Contacts, Encoding
from neurarig_addon.core.ikrig.layout import from_rows, to_rows
from neurarig_addon.core.report.clip_report import carried_points, clip_report
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.feet import standing_of, touching_frames
from neurarig_addon.core.retarget.options import Follow, RetargetOptions, directed
from neurarig_addon.core.retarget.retarget import retarget
from tests.core import retarget_bodies as given

BONES = (("upper_arm", "forearm", "hand"), ("thigh", "shin", "foot"))
OTHERS = ("child", "giant", "clown", "ape")


def walked() -> tuple[dict[str, Motion], Encoding]:
    """Return a human's walk, and the same encoded with its contacts."""
    human = given.human()
    motions, _ = given.generated(human, arm_swing=1.4)
    encoding = encode_motions(
        human, motions, np.arange(1.0, len(motions["pelvis"].position) + 1.0), given.FPS
    )
    return motions, replace(encoding, contacts=find_contacts(human, motions, given.FPS))


def directions(motions: dict[str, Motion], part: int) -> np.ndarray:
    """Return where both bones of both limbs point `(f, 2, 2, 3)`: side, bone."""
    sides = []
    for side in "LR":
        places = np.stack([motions[f"{role}.{side}"].position for role in BONES[part]], axis=1)
        sides.append(normalized(np.diff(places, axis=1)))
    return np.stack(sides, axis=1)


def angles(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the angles between directions, degrees."""
    return np.degrees(2.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(first - second, axis=-1), 0.0, 1.0)))


@pytest.mark.parametrize("body", OTHERS)
def test_directions_are_those_of_the_source_on_any_body(body):
    motions, encoding = walked()
    found = decode(encoding, given.bodies()[body], {name: np.ones(len(encoding)) for name in LIMBS})
    for part in (0, 1):
        assert angles(directions(motions, part), directions(found, part)).max() < 1e-4


@pytest.mark.parametrize("body", OTHERS)
def test_a_limb_half_way_lies_between_its_place_and_its_directions(body):
    _, encoding = walked()
    target = given.bodies()[body]
    first, middle, last = (
        directions(decode(encoding, target, {name: np.full(len(encoding), share) for name in LIMBS}), 0)
        for share in (0.0, 0.5, 1.0)
    )
    whole = angles(first, last)
    assert_allclose(angles(first, middle), 0.5 * whole, atol=1e-5)
    assert_allclose(angles(middle, last), 0.5 * whole, atol=1e-5)
    assert_allclose(first, directions(decode(encoding, target), 0), atol=1e-12)


@pytest.mark.few(4)
@pytest.mark.parametrize("follow", list(Follow))
@pytest.mark.parametrize("body", OTHERS)
def test_feet_stand_whatever_their_legs_follow(body, follow):
    _, encoding = walked()
    target = given.bodies()[body]
    found = retarget(encoding, target, RetargetOptions(follow=follow))
    report = clip_report(
        *carried_points(target, found.pose.in_world()),
        target.body,
        found.pivots,
        found.fps,
        np.arange(len(found.pivots)),
    )
    assert (
        report["past_limits"] == []
        and max(side["max"] for side in report["slip_mm"].values()) < 1e-6 * 1e3 * target.body.leg_length
    )


@pytest.mark.parametrize("body", ["human", "ape"])
def test_arms_that_touch_nothing_and_legs_in_the_air_point_as_the_source_s_do(body):
    """The legs within what footholds of other feet take; with places they are farther off."""
    motions, encoding = walked()
    target = given.bodies()[body]
    flying = ~standing_of(touching_frames(encoding.contacts, len(encoding)))
    off = {}
    for follow in (Follow.AUTO, Follow.PLACES):
        found = retarget(encoding, target, RetargetOptions(follow=follow)).pose.in_world()
        arms, legs = (angles(directions(motions, part), directions(found, part)) for part in (0, 1))
        off[follow] = arms.mean(), legs[flying].mean()
    assert off[Follow.AUTO][0] < 1e-3 and off[Follow.AUTO][1] < 1.5
    assert body == "human" or off[Follow.PLACES][0] > 1.0


def test_what_tells_no_directions_goes_by_places():
    """The 86 floats hold where hands and feet are, and to which side elbows and knees point."""
    _, encoding = walked()
    bare = from_rows(to_rows(encoding), given.FPS)
    target = given.bodies()["child"]
    ways = [retarget(bare, target, RetargetOptions(follow=follow)).pose.motions for follow in Follow]
    for role, motion in ways[0].items():
        for other in ways[1:]:
            assert_array_equal(motion.position, other[role].position)


def arms_down(character: Character, frames: int) -> dict[str, Motion]:
    """Return a pose that stands for `frames` with both wrists wide apart and high over the floor."""
    found = {
        "pelvis": Motion(
            np.tile(np.eye(3), (frames, 1, 1)),
            np.tile(character.body.pelvis, (frames, 1)),
            character.body.pelvis,
        )
    }
    for row, side in enumerate("LR"):
        found[f"hand.{side}"] = Motion(
            np.tile(np.eye(3), (frames, 1, 1)), np.tile(character.body.wrist[row], (frames, 1)), np.zeros(3)
        )
    return found


def shares(
    motions: dict[str, Motion], contacts: Contacts, follow: Follow = Follow.AUTO
) -> dict[str, np.ndarray]:
    return directed(follow, given.human(), motions, contacts, given.FPS)


def test_auto_goes_by_places_where_a_hand_stands_and_by_directions_elsewhere():
    frames, human = 240, given.human()
    found = shares(arms_down(human, frames), Contacts({"hand.L": np.array([[100, 140]])}))
    left, right = (found[name] for name in ARMS)
    assert (
        (left[118:123] < 1e-9).all()
        and (left[:60] == 1.0).all()
        and (left[180:] == 1.0).all()
        and (right == 1.0).all()
    )
    assert np.abs(np.diff(left)).max() < 0.1  # no arm leaps from the one to the other


def test_auto_goes_by_places_for_hands_that_hold_each_other_or_lean_on_the_floor():
    frames, human = 120, given.human()
    clasped, low = arms_down(human, frames), arms_down(human, frames)
    clasped["hand.R"] = given.shifted(clasped["hand.L"], np.array([0.0, -0.1 * human.body.leg_length, 0.0]))
    low["hand.R"] = given.shifted(
        low["hand.R"], np.array([0.0, 0.0, -low["hand.R"].position[0, 2] + 0.05 * human.body.leg_length])
    )
    assert all((shares(clasped, Contacts())[name] < 1e-9).all() for name in ARMS)
    assert (shares(low, Contacts())["arm.L"] == 1.0).all() and (shares(low, Contacts())["arm.R"] < 1e-9).all()


def test_a_choice_of_the_animator_s_is_not_weighed():
    motions, held = arms_down(given.human(), 30), Contacts({"hand.L": np.array([[0, 29]])})
    assert all((share == 1.0).all() for share in shares(motions, held, Follow.DIRECTIONS).values())
    assert shares(motions, held, Follow.PLACES) == {}


def test_a_line_turns_the_shortest_way_and_keeps_its_length():
    rng = np.random.default_rng(4)
    line, towards = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
    assert_allclose(turned_towards(line, towards, np.zeros(50)), line, atol=1e-12)
    assert_allclose(normalized(turned_towards(line, towards, np.ones(50))), normalized(towards), atol=1e-12)
    half = turned_towards(line, towards, np.full(50, 0.5))
    assert_allclose(np.linalg.norm(half, axis=-1), np.linalg.norm(line, axis=-1))
    twice = (between(line, half) @ normalized(half)[..., None])[..., 0]
    assert_allclose(twice, normalized(towards), atol=1e-9)
