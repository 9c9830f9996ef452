"""The roles of a biped, in the order in which they are listed."""

import pytest

from neurarig_addon.core.skeleton.roles import EYES, RoleMap, all_roles


def test_every_role_is_listed_once_trunk_first_then_left_then_right_and_eyes_last() -> None:
    *listed, left_eye, right_eye = all_roles(spine_bones=2, neck_bones=2)
    assert (left_eye, right_eye) == EYES
    assert listed[:6] == ["pelvis", "spine.1", "spine.2", "neck", "neck.2", "head"]
    left, right = (listed[6 + half * (len(listed) - 6) // 2 :][: (len(listed) - 6) // 2] for half in (0, 1))
    assert [role.removesuffix(".L") for role in left] == [role.removesuffix(".R") for role in right]
    assert {"thigh.L", "toe.L", "clavicle.L", "hand.L"} <= set(left) and len(set(listed)) == len(listed)


def test_a_list_of_roles_has_its_eyes_apart_and_is_the_same_list_again() -> None:
    listed = {role: f"bone of {role}" for role in all_roles(spine_bones=2)}
    roles = RoleMap.of(listed)
    assert tuple(roles.eyes) == EYES and not set(EYES) & set(roles.bones) and roles.listed == listed
    assert all(
        roles.get(role) == bone and roles.has(role) for role, bone in listed.items()
    ) and not roles.has("tail")


@pytest.mark.parametrize("count", [0, 1, 3])
def test_spine_and_neck_are_numbered_from_below(count: int) -> None:
    bones = {f"spine.{number + 1}": f"s{number}" for number in range(count)} | {
        "neck": "n",
        "neck.2": "n2",
        "neck.4": "no",
    }
    roles = RoleMap(bones)
    assert roles.spine() == [f"s{number}" for number in range(count)] and roles.neck() == ["n", "n2"]
