"""A character folded in any way at rest, without a pose in which it stands, is stood up by what is known of
people."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.geometry.rotation import UP, about_x, about_y, about_z, normalized
from neurarig_addon.core.skeleton.roles import SIDES, RoleMap, sided
from neurarig_addon.core.skeleton.skeleton import Skeleton
from neurarig_addon.core.skeleton.standing_pose import solved, stands, stood
from tests.refusals import refuses

from . import skeletons as made

UPRIGHT = made.skeleton(made.biped())
ROLES = detect(UPRIGHT)
TURNS = {"X": about_x, "Y": about_y, "Z": about_z}


def folded(turns: dict[str, tuple[str, float]], to_world: np.ndarray | None = None) -> Skeleton:
    """Return the human at rest with roles' bones, and all below them, turned in degrees about an axis of the
    world, parents last."""
    rest, moved = UPRIGHT.rest, np.tile(np.eye(4), (len(UPRIGHT.names), 1, 1))
    wanted = {ROLES.bones[role]: turn for role, turn in turns.items()}
    for row, parent in enumerate(UPRIGHT.parents):
        moved[row] = moved[parent] if parent >= 0 else np.eye(4)
        if UPRIGHT.names[row] in wanted:
            axis, degrees = wanted[UPRIGHT.names[row]]
            turn, at = np.eye(4), rest[row, :3, 3]
            turn[:3, :3] = TURNS[axis](np.radians(degrees))
            turn[:3, 3] = at - turn[:3, :3] @ at
            moved[row] = moved[row] @ turn
    there = np.eye(4) if to_world is None else to_world
    scale = np.cbrt(np.linalg.det(there[:3, :3]))
    placed = np.linalg.inv(there) @ moved @ rest
    placed[:, :3, :3] *= scale
    return replace(UPRIGHT, rest=placed, lengths=UPRIGHT.lengths / scale, to_world=there)


def both(part: str, axis: str, degrees: float) -> dict[str, tuple[str, float]]:
    return {sided(part, side): (axis, degrees) for side in SIDES}


CASES = {
    "kneels": both("shin", "X", 90.0),
    "squats": both("thigh", "X", -80.0) | both("shin", "X", 130.0) | both("foot", "X", -50.0),
    "sits": both("thigh", "X", -90.0) | both("shin", "X", 90.0),
    "one leg up": {"thigh.L": ("X", -60.0), "shin.L": ("X", 80.0)},
    "in mid-stride": {"thigh.L": ("X", -30.0), "thigh.R": ("X", 30.0)},
    "curled up on its side": {"pelvis": ("Y", 90.0)} | both("thigh", "X", -90.0) | both("shin", "X", 110.0),
}


def joints(skeleton: Skeleton, part: str) -> np.ndarray:
    return np.array([skeleton.heads[skeleton.index[ROLES.bones[sided(part, side)]]] for side in SIDES])


@pytest.mark.parametrize("in_centimetres", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_who_is_folded_is_stood_up_in_one_piece(case: str, in_centimetres: bool) -> None:
    to_world = np.eye(4)
    if in_centimetres:
        to_world[:3, :3] = 0.01 * about_x(np.array(np.pi / 2))
    skeleton = folded(CASES[case], to_world)
    assert not stands(skeleton, ROLES)
    up = stood(skeleton, ROLES, solved(skeleton, ROLES))
    assert stands(up, ROLES)
    rows = np.array([up.index[bone] for role, bone in ROLES.bones.items() if bone and role != "pelvis"])
    parents = up.parents[rows]
    lengths = [np.linalg.norm(one.heads[rows] - one.heads[parents], axis=1) for one in (up, UPRIGHT)]
    assert_allclose(*lengths, atol=1e-9)
    hip, knee, ankle = (joints(up, part) for part in ("thigh", "shin", "foot"))
    assert_allclose(normalized(knee - hip), [-UP, -UP], atol=1e-6)
    assert_allclose(normalized(ankle - knee), [-UP, -UP], atol=1e-6)
    ahead = np.cross(normalized((hip[0] - hip[1]) * [1.0, 1.0, 0.0]), UP)
    assert (normalized((joints(up, "toe") - ankle) * [1.0, 1.0, 0.0]) @ ahead > 0.95).all()
    body, upright = (
        Character.of(skeleton, ROLES, standing=solved(skeleton, ROLES)).body,
        Character.of(UPRIGHT, ROLES).body,
    )
    assert_allclose(body.ankle[:, 2], upright.ankle[:, 2], atol=0.05)
    assert_allclose(body.leg_length, upright.leg_length, atol=0.01)
    assert_allclose(body.head[2], upright.head[2], atol=0.08)


def test_it_stands_on_the_ground_of_its_origin() -> None:
    skeleton = folded(CASES["kneels"])
    up = stood(skeleton, ROLES, solved(skeleton, ROLES))
    rows = [up.index[ROLES.bones[role]] for role in ("foot.L", "toe.L")]
    assert abs(np.concatenate([up.heads[rows], up.tails[rows]])[:, 2].min()) < 1e-9


def test_without_a_knee_nothing_is_made_up() -> None:
    assert (
        solved(UPRIGHT, RoleMap({role: bone for role, bone in ROLES.bones.items() if role != "shin.L"})) == {}
    )


@pytest.mark.parametrize("case", ["kneels", "one leg up", "curled up on its side"])
def test_names_say_which_legs_are_folded(case: str) -> None:
    found = detect(folded(CASES[case]))
    legs = {sided(part, side) for part in ("thigh", "shin", "foot") for side in SIDES}
    assert {role: found.bones.get(role) for role in legs} == {role: ROLES.bones[role] for role in legs}


def test_without_names_one_folded_leg_is_refused() -> None:
    skeleton = folded(CASES["one leg up"])
    with refuses("leg"):
        detect(replace(skeleton, names=tuple(f"b{row}" for row in range(len(skeleton.names)))))
