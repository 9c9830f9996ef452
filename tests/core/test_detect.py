"""Roles are found from names and from shape, whatever the object's transform; what cannot walk is refused in
a sentence."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.detection.detect import check, detect
from neurarig_addon.core.detection.remembered import roles_of
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.refusals import refuses

from . import skeletons as made
from .skeletons import EXPECTED, found

LEGS = {
    role: bone
    for role, bone in EXPECTED.items()
    if role.split(".")[0] in ("pelvis", "thigh", "shin", "foot", "toe")
}


@pytest.mark.few(4)
@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("arms_down", [0.0, 45.0, 80.0])
@pytest.mark.parametrize("turn", [0.0, 37.0, 90.0, 180.0, 250.0])
def test_every_role_is_found_in_any_pose_of_the_arms_and_any_facing(scramble, arms_down, turn):
    table = made.turned(made.biped(arms_down_deg=arms_down), turn)
    assert found(made.skeleton(table, rolls=np.random.default_rng(1)), scramble) == EXPECTED


@pytest.mark.few(3)
@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("laid", [False, True])
def test_object_scale_rotation_and_place_do_not_matter(scramble, scale, laid):
    matrix = made.object_matrix(scale, laid, turn_deg=20.0, at=(3.0, -2.0, 5.0))
    assert found(made.skeleton(made.biped(), matrix), scramble) == EXPECTED


@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("size", [0.01, 100.0])
def test_size_of_the_character_does_not_matter(scramble, size):
    assert found(made.skeleton(made.scaled(made.biped(), size)), scramble) == EXPECTED


@pytest.mark.parametrize("scramble", [False, True])
def test_legs_are_found_among_twist_and_leaf_bones(scramble):
    roles = found(made.skeleton(made.with_twists(made.biped(arms_down_deg=40.0))), scramble)
    assert {role: roles.get(role) for role in LEGS} == LEGS


@pytest.mark.parametrize("scramble", [False, True])
def test_a_foot_without_toes_has_no_toe_role(scramble):
    roles = found(made.skeleton(made.biped(toes=False)), scramble)
    assert {role for role in EXPECTED if role not in roles} == {"toe.L", "toe.R"}


def test_feet_that_hang_on_the_root_belong_to_their_shins():
    table = made.biped()
    for side in "lr":
        table[f"foot_{side}"] = ("root", *table[f"foot_{side}"][1:])
    roles = found(made.skeleton(table), scramble=True)
    assert {role: roles.get(role) for role in LEGS} == LEGS


@pytest.mark.parametrize("turn", [0.0, 30.0])
def test_a_lying_figure_is_mapped_too(turn):
    lying = replace(
        made.skeleton(made.biped(arms_down_deg=45.0)),
        to_world=made.object_matrix(quarter_x=True, turn_deg=turn),
    )
    assert found(lying, scramble=True) == EXPECTED


def test_shape_decides_where_names_lie_about_sides():
    table = made.biped()
    swap = {
        name: name[:-2] + {"_l": "_r", "_r": "_l"}[name[-2:]] if name[-2:] in ("_l", "_r") else name
        for name in table
    }
    lying = {
        swap[name]: (swap.get(parent or "") or None, head, tail)
        for name, (parent, head, tail) in table.items()
    }
    roles = detect(made.skeleton(lying))
    assert roles.get("thigh.L") == "thigh_r" and roles.get("hand.L") == "hand_r"


def test_a_limb_layer_that_deforms_wins_over_its_controls():
    table = made.biped()
    controls = {f"ctl_{name}": (f"ctl_{parent}" if parent in made.both(made.LEG) else parent, head, tail)
                for name, (parent, head, tail) in made.both(made.LEG).items()}  # fmt: skip
    subject = made.skeleton({**table, **controls})
    subject = replace(subject, deform=np.array([not name.startswith("ctl_") for name in subject.names]))
    roles = found(subject, scramble=True)
    assert {role: roles.get(role) for role in LEGS} == LEGS


def without(table, *prefixes):
    return {name: bone for name, bone in table.items() if not name.startswith(prefixes)}


def flat_shin():
    table = made.biped()
    for side in "lr":
        knee, ankle = table[f"calf_{side}"][1], table[f"foot_{side}"][1]
        table[f"thigh_{side}"] = ("pelvis", table[f"thigh_{side}"][1], ankle)
        table[f"calf_{side}"] = (f"thigh_{side}", ankle, (knee[0], knee[1], 0.085))
    return table


REFUSED = {
    "six legs": (made.six_legs(), "more than two legs"),
    "no legs": (without(made.biped(), "thigh", "calf", "foot", "ball"), "legs"),
    "one leg": ({n: b for n, b in made.biped().items() if n not in ("thigh_r", "calf_r", "foot_r", "ball_r")},
        "Only one leg"),
    "an arm": (made.ARM | {"spine_02": (None, (0, 0, 1.2), (0, 0, 1.4))}, "legs"),
    "a door": ({"frame": (None, (0, 0, 0), (0, 0, 2)), "leaf": ("frame", (0.1, 0, 1), (1, 0, 1)),
        "knob": ("leaf", (1, 0, 1), (1, 0.1, 1))},
               "too few bones"),
    "a shin without length": (flat_shin(), "no length"),
}  # fmt: skip


@pytest.mark.few(4)
@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_walk_is_refused_in_one_sentence(case, scramble):
    table, words = REFUSED[case]
    subject = made.skeleton(
        dict(sorted(table.items(), key=lambda item: item[1][0] is not None)) if case == "an arm" else table
    )
    subject = made.scrambled(subject)[0] if scramble else subject
    with refuses(words) as refusal:
        detect(subject)
    sentence = str(refusal.value)
    assert "'" in sentence and sentence.endswith(".") and sentence.count(". ") == 0


def test_an_armature_without_bones_is_refused():
    with refuses():
        detect(made.skeleton({}))


CORRECTIONS = {
    "missing": ({"thigh.L": ""}, "thigh.L"),
    "unknown": ({"thigh.L": "nowhere"}, "nowhere"),
    "doubled": ({"shin.L": "thigh_l"}, "thigh_l"),
    "mixed sides": ({"shin.L": "calf_r", "shin.R": "calf_l"}, "other side"),
    "one shin": ({"shin.L": ""}, "calf_r"),
    "foot above the knee": ({"foot.L": "spine_02", "spine.2": ""}, "above the knee"),
}


@pytest.mark.parametrize("case", CORRECTIONS)
def test_check_names_the_bone_of_a_wrong_correction(case):
    change, words = CORRECTIONS[case]
    with refuses(words):
        check(made.skeleton(made.biped()), RoleMap({**EXPECTED, **change}))


def test_check_accepts_what_detect_finds():
    check(made.skeleton(made.biped()), RoleMap(EXPECTED))


def test_what_is_remembered_is_of_the_same_skeleton():
    """Another name, another place of a bone and another object's matrix are other questions."""
    named = made.skeleton(made.biped())
    nameless = replace(named, names=tuple(f"b{row}" for row in range(len(named.names))))
    mirrored = replace(
        nameless, rest=np.diag([-1.0, 1.0, 1.0, 1.0]) @ nameless.rest @ np.diag([-1.0, 1.0, 1.0, 1.0])
    )
    back_to_front = replace(nameless, to_world=np.diag([-1.0, 1.0, 1.0, 1.0]))
    asked = [named, nameless, mirrored, back_to_front]
    assert [roles_of([each]) for each in asked * 2] == [detect(each) for each in asked * 2]
    assert roles_of([nameless]) != roles_of([mirrored])
    assert roles_of([replace(named, rest=named.rest.copy())]) is roles_of([named])
