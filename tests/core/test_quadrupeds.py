"""Animals on four legs, and birds: which bone plays which role."""

from neurarig_addon.core.skeleton.roles import BIRD, QUADRUPED, RoleMap, all_roles, carrier_role


def test_each_kind_of_character_has_its_roles_and_nothing_hangs_on_a_tail_or_an_ear():
    animal = all_roles(3, kind=QUADRUPED, tail_bones=2)
    assert set(animal) - set(all_roles(3)) == {"fingers.L", "fingers.R", "tail.1", "tail.2", "ear.L", "ear.R"}
    assert set(all_roles(3)) - set(all_roles(3, kind=BIRD, tail_bones=2)) == {
        f"{part}.{side}" for part in ("clavicle", "upper_arm", "forearm", "hand") for side in "LR"
    }
    roles = RoleMap({role: role for role in animal}, kind=QUADRUPED)
    assert roles.tail() == ["tail.1", "tail.2"]
    carriers = {role: carrier_role(roles, role) for role in animal}
    assert not {role for role in carriers.values() if role.startswith("ear")} | {"tail.2"} & {
        *carriers.values()
    }
    wanted = {"tail.1": "pelvis", "tail.2": "tail.1", "ear.L": "head", "fingers.R": "hand.R"}
    assert wanted.items() <= carriers.items()
