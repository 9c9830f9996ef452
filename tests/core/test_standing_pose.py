"""How a character stands whose rest pose does not."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z, orthonormal
from neurarig_addon.core.skeleton.clip import Clip
from neurarig_addon.core.skeleton.standing_pose import as_in, raised, soles_stood, stands, stood
from tests.refusals import refuses

from . import skeletons as made

UPRIGHT = made.skeleton(made.biped())
ROLES = detect(UPRIGHT)
TURNS = {
    "back": about_x(np.array(-np.pi / 2)),
    "side": about_y(np.array(np.pi / 2)),
    "head": about_x(np.array(np.pi)),
}


def turned(turn: np.ndarray, to_world: np.ndarray | None = None):
    """Return the human turned about its origin at rest; on an object with another matrix it lies in the world
    as on this one."""
    matrix = np.eye(4)
    matrix[:3, :3] = turn
    there = np.eye(4) if to_world is None else to_world
    rest = np.linalg.inv(there) @ matrix @ UPRIGHT.rest
    rest[:, :3, :3] = orthonormal(rest[:, :3, :3])
    return replace(
        UPRIGHT, rest=rest, lengths=UPRIGHT.lengths / np.cbrt(np.linalg.det(there[:3, :3])), to_world=there
    )


def bent():
    """Return the human sitting: thighs ahead, shins down."""
    rest, moved = UPRIGHT.rest.copy(), np.tile(np.eye(4), (len(UPRIGHT.names), 1, 1))
    for row, parent in enumerate(UPRIGHT.parents):
        moved[row] = moved[parent] if parent >= 0 else np.eye(4)
        angle = {"thigh": -np.pi / 2, "calf": np.pi / 2}.get(UPRIGHT.names[row].split("_")[0])
        if angle is not None:
            turn, at = np.eye(4), moved[row] @ np.append(rest[row, :3, 3], 1.0)
            turn[:3, :3] = about_x(np.array(angle))
            turn[:3, 3] = at[:3] - turn[:3, :3] @ at[:3]
            moved[row] = turn @ moved[row]
    return replace(UPRIGHT, rest=moved @ rest)


def apart(skeleton) -> np.ndarray:
    """Return the distances between all joints but the root's, which stays where it is."""
    heads = skeleton.heads[1:]
    return np.linalg.norm(heads[:, None] - heads[None], axis=2)


@pytest.mark.parametrize(
    "to_world",
    [np.eye(4), made.object_matrix(0.01), made.object_matrix(2.0, turn_deg=90.0)],
    ids=["1", "cm", "turned"],
)
@pytest.mark.parametrize("way", TURNS)
def test_who_lies_is_raised_as_a_whole(way: str, to_world: np.ndarray) -> None:
    lying = turned(TURNS[way], to_world)
    assert not stands(lying, ROLES)
    up = stood(lying, ROLES, raised(lying, ROLES))
    assert stands(up, ROLES)
    assert_allclose(up.heads[:, 2], UPRIGHT.heads[:, 2], atol=1e-9)
    assert_allclose(apart(up), apart(UPRIGHT), atol=1e-9)


def test_who_stands_is_left_alone_and_who_sits_cannot_be_raised() -> None:
    assert stands(UPRIGHT, ROLES) and raised(UPRIGHT, ROLES) == {} and stood(UPRIGHT, ROLES, {}) is UPRIGHT
    assert not stands(bent(), ROLES) and raised(bent(), ROLES) == {}


def test_a_leg_that_is_bent_alone_does_not_stand() -> None:
    rows = [row for row, name in enumerate(UPRIGHT.names) if name in ("calf_l", "foot_l", "ball_l")]
    turn, at = np.eye(4), UPRIGHT.rest[UPRIGHT.index["calf_l"], :3, 3]
    turn[:3, :3] = about_x(np.radians(70.0))
    turn[:3, 3] = at - turn[:3, :3] @ at
    rest = UPRIGHT.rest.copy()
    rest[rows] = turn @ rest[rows]
    assert not stands(replace(UPRIGHT, rest=rest), ROLES)


def test_of_a_clip_the_frame_counts_in_which_it_stands() -> None:
    sitting = bent()
    poses = [sitting, turned(about_z(np.array(0.7))), sitting]
    axes = np.stack([pose.rest[:, :3, :3] for pose in poses])
    heads = np.stack([pose.heads + [3.0, 1.0, 0.0] for pose in poses])
    clip = Clip("sits", sitting, 24.0, np.arange(3.0), axes, heads)
    up = stood(sitting, ROLES, as_in(clip, sitting, ROLES))
    assert stands(up, ROLES)
    assert_allclose(apart(up), apart(UPRIGHT), atol=1e-9)
    assert_allclose(
        up.heads[UPRIGHT.index["pelvis"], :2], UPRIGHT.heads[UPRIGHT.index["pelvis"], :2], atol=1e-9
    )
    assert as_in(Clip("sits", sitting, 24.0, np.arange(2.0), axes[::2], heads[::2]), sitting, ROLES) == {}
    other = np.arange(len(sitting.names))[::-1]  # a clip read with its bones in another order says the same
    parents = np.where(sitting.parents[other] < 0, -1, len(other) - 1 - sitting.parents[other])
    names = tuple(sitting.names[row] for row in other)
    backwards = replace(
        sitting, names=names, parents=parents, rest=sitting.rest[other], lengths=sitting.lengths[other]
    )
    again = as_in(
        Clip("sits", backwards, 24.0, np.arange(3.0), axes[:, other], heads[:, other]), sitting, ROLES
    )
    assert_allclose(stood(sitting, ROLES, again).rest, up.rest, atol=1e-9)


def test_the_character_is_measured_as_it_stands_and_soles_go_with_its_feet() -> None:
    sole = np.array([[0.1, 0.05, 0.0], [0.1, -0.2, 0.0], [0.06, 0.0, 0.0], [0.14, 0.0, 0.0]])
    soles = {"L": sole, "R": sole * [-1.0, 1.0, 1.0]}
    upright = Character.of(UPRIGHT, ROLES, soles)
    lying = turned(TURNS["back"])
    flat = {side: points @ TURNS["back"].T for side, points in soles.items()}
    found = Character.of(lying, ROLES, flat)
    for name in ("hip", "knee", "ankle", "heel", "ball", "toe", "shoulder", "wrist", "head"):
        assert_allclose(getattr(found.body, name), getattr(upright.body, name), atol=1e-9, err_msg=name)
    assert set(found.standing) == set(ROLES.bones) and upright.standing == {}
    assert_allclose(soles_stood(soles, {})["L"], sole)


def test_what_neither_stands_nor_can_be_raised_is_refused_with_the_remedy() -> None:
    with refuses("pose it standing"):
        Character.of(turned(about_x(np.array(-np.pi / 2))), ROLES, standing={})
