"""Hands, chest and head at places of their own over a walk: what they reach, what gives way, and what
stays."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.body.hold import Hold, held
from neurarig_addon.core.body.reaching import places, reaching
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import from_euler, normalized, rotation_vector, transposed
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.skeleton.roles import SIDES, sided

FRAMES = np.arange(1.0, 31.0)
COLLARS = np.array([[-0.02, 0.03, 1.40], [-0.02, -0.03, 1.40]])
BODY = replace(human_body(), clavicle=COLLARS)
WALK = walk(BODY, StyleTrack(Style(speed=1.3)), Clock(), FRAMES).motions
LEGS = ("pelvis", *(sided(part, side) for part in ("thigh", "shin", "foot", "toe", "knee") for side in SIDES))
ALL, NONE = np.ones(len(FRAMES)), np.zeros(len(FRAMES))
WITHIN = {
    "ahead": (0.35, 0.2, 1.2),
    "across": (0.3, -0.1, 1.3),
    "up": (0.1, 0.35, 1.85),
    "low": (0.25, 0.3, 0.9),
    "far": (0.65, 0.2, 1.4),
}


def at(*place: float) -> np.ndarray:
    return np.tile(np.array(place), (len(FRAMES), 1))


def apart(first: Mapping[str, Motion], second: Mapping[str, Motion], roles: tuple[str, ...]) -> float:
    return max(
        max(
            np.abs(first[r].rotation - second[r].rotation).max(),
            np.abs(first[r].position - second[r].position).max(),
        )
        for r in roles
    )


def turned_deg(now: np.ndarray, before: np.ndarray) -> np.ndarray:
    return np.degrees(np.linalg.norm(rotation_vector(now @ transposed(before)), axis=-1))


@pytest.mark.parametrize("where", WITHIN)
def test_a_hand_is_where_it_is_wanted_and_legs_walk_on(where: str) -> None:
    holds = [Hold("wrist.L", at(*WITHIN[where]), ALL)]
    found = reaching(BODY, WALK, holds)
    assert np.abs(places(BODY, found, ["wrist.L"])["wrist.L"] - holds[0].place).max() < 1e-9
    assert apart(found, WALK, LEGS) == 0.0


@pytest.mark.parametrize("where", WITHIN)
def test_arms_stay_in_one_piece_whatever_they_reach(where: str) -> None:
    found = reaching(
        BODY, WALK, [Hold("wrist.L", at(*WITHIN[where]), ALL), Hold("wrist.R", at(0.2, -0.4, 1.0), ALL)]
    )
    chest = found["spine.3"]
    for row, side in enumerate(SIDES):
        clavicle, upper, forearm, hand = (
            found[sided(part, side)] for part in ("clavicle", "upper_arm", "forearm", "hand")
        )
        assert np.abs(clavicle.carry(BODY.clavicle[row]) - chest.carry(BODY.clavicle[row])).max() < 1e-9
        assert np.abs(clavicle.rotation @ transposed(clavicle.rotation) - np.eye(3)).max() < 1e-9
        assert np.abs(clavicle.carry(BODY.shoulder[row]) - upper.position).max() < 1e-9
        assert np.abs(upper.carry(BODY.elbow[row]) - forearm.position).max() < 1e-9
        assert np.abs(forearm.carry(BODY.wrist[row]) - hand.position).max() < 1e-9


def test_no_share_is_the_walk() -> None:
    holds = [
        Hold("wrist.L", at(0.6, 0.2, 1.4), NONE),
        Hold("spine3", at(0.3, 0.0, 1.2), NONE),
        Hold("head", at(0.3, 0.0, 1.4), NONE),
    ]
    assert apart(reaching(BODY, WALK, holds), WALK, tuple(WALK)) < 1e-9


def test_the_trunk_helps_only_where_arm_and_shoulder_do_not_reach() -> None:
    near, far = (
        reaching(BODY, WALK, [Hold("wrist.L", at(x, 0.2, 1.4), ALL)])["spine.3"].rotation for x in (0.4, 0.75)
    )
    before = WALK["spine.3"].rotation
    assert turned_deg(near, before).max() < 0.1 and turned_deg(far, before).min() > 10.0


def test_what_hangs_on_the_trunk_keeps_it_still() -> None:
    found = reaching(BODY, WALK, [Hold("wrist.L", at(0.75, 0.2, 1.4), ALL, leans=False)])
    assert apart(found, WALK, ("spine.1", "spine.2", "spine.3", "head")) == 0.0


WIDE = np.array([0.3, 0.32, 0.3])  # metres: half a belly


@pytest.mark.parametrize("where", [(0.42, 0.05, 1.1), (0.42, -0.05, 1.2), (0.38, 0.15, 1.0)])
def test_forearms_go_round_a_round_belly_as_smoothly_as_hands(where: tuple[float, float, float]) -> None:
    ball = normalized(np.random.default_rng(0).normal(size=(400, 3)))
    belly = BODY.spine[1] + WIDE * ball
    round_body = replace(BODY, skin={"pelvis": belly, "forearm.L": BODY.elbow[0] + 0.04 * ball})
    share = np.linspace(0.0, 1.0, len(FRAMES))
    plain, found = (reaching(body, WALK, [Hold("wrist.L", at(*where), share)]) for body in (BODY, round_body))
    inside = []
    for each in (plain, found):
        elbow, wrist = each["forearm.L"].position[-1], each["hand.L"].position[-1]
        forearm = each["pelvis"].seen((elbow + np.linspace(0.0, 1.0, 9)[:, None] * (wrist - elbow))[None])
        inside.append(np.linalg.norm((forearm[0] - BODY.spine[1]) / WIDE, axis=1).min())
    assert inside[0] < 1.0 < inside[1]
    assert np.abs(np.diff(found["forearm.L"].position, 2, axis=0)).max() < 0.03


def test_trunks_lean_no_farther_than_people() -> None:
    found = reaching(BODY, WALK, [Hold("wrist.L", at(2.0, 1.5, 0.2), ALL)])
    turn = rotation_vector(found["spine.3"].rotation @ transposed(WALK["spine.3"].rotation))
    assert (
        np.degrees(np.abs(turn[:, 2])).max() <= 35.0
        and np.degrees(np.linalg.norm(turn, axis=-1)).max() <= 65.0
    )


def test_a_hand_turns_as_it_is_wanted_and_the_forearm_takes_half_of_the_twist() -> None:
    place = at(0.35, 0.2, 1.2)
    plain = reaching(BODY, WALK, [Hold("wrist.L", place, ALL)])
    wanted = from_euler(0.3 * ALL, 0.8 * ALL, -0.5 * ALL)
    turned = reaching(BODY, WALK, [Hold("wrist.L", place, ALL, wanted, ALL)])
    assert np.abs(turned["hand.L"].rotation - wanted).max() < 1e-9
    assert np.abs(turned["hand.L"].position - place).max() < 1e-9
    along = plain["hand.L"].position - plain["forearm.L"].position
    axis = rotation_vector(turned["forearm.L"].rotation @ transposed(plain["forearm.L"].rotation))
    assert np.linalg.norm(np.cross(axis, along), axis=-1).max() < 1e-9  # about itself, and no more


def test_nothing_jumps_while_a_goal_moves() -> None:
    """Nothing of the upper body turns more than 20 degrees within a centimetre, in and out of reach."""
    rng, count = np.random.default_rng(5), 800
    still = {
        role: Motion(m.rotation[:1].repeat(count, 0), m.position[:1].repeat(count, 0), m.rest)
        for role, m in WALK.items()
    }
    for _ in range(25):
        start, end = rng.uniform([0.0, -0.3, 0.7], [0.8, 0.9, 2.0], (2, 3))
        way = start + (end - start) * np.linspace(0.0, 1.0, count)[:, None]
        found = reaching(BODY, still, [Hold("wrist.L", way, np.ones(count))])
        step_cm = 100.0 * np.linalg.norm(end - start) / (count - 1)
        # a hand in the armpit may turn the arm
        near = np.linalg.norm(way - found["upper_arm.L"].position, axis=-1) < 0.3
        for role in ("spine.3", "clavicle.L", "upper_arm.L", "forearm.L"):
            turned = turned_deg(found[role].rotation[1:], found[role].rotation[:-1])
            assert (turned / step_cm)[~near[1:]].max(initial=0.0) < 20.0, (role, start, end)


def test_chest_and_head_go_towards_their_holds() -> None:
    for point in ("spine3", "head"):
        holds = [Hold(point, at(0.1, 0.05, 1.3) if point == "spine3" else at(0.25, 0.1, 1.45), ALL)]
        found, hinge = reaching(BODY, WALK, holds), WALK["spine.1"].position
        ways = [
            normalized(place - hinge)
            for place in (holds[0].place, *(places(BODY, m, [point])[point] for m in (WALK, found)))
        ]
        off_deg = [np.degrees(np.arccos(np.einsum("fi,fi->f", ways[0], way))) for way in ways[1:]]
        assert (off_deg[1] < 0.4 * off_deg[0]).all()
        assert apart(found, WALK, LEGS) == 0.0


def test_a_range_is_held_wholly_and_eased() -> None:
    share = held(np.array([0.0, 5.0, 7.5, 10.0, 15.0, 20.0, 22.5, 25.0, 40.0]), 10.0, 20.0, 5.0, 5.0)
    assert np.allclose(share, [0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0])
    assert list(held(np.array([9.0, 10.0, 20.0, 21.0]), 10.0, 20.0, 0.0, 0.0)) == [0.0, 1.0, 1.0, 0.0]
