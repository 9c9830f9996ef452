"""A refusal names the bone that it is about: whoever reads it finds that bone and can mend it."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from neurarig_addon.core.detection.detect import check, detect
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.refusals import refuses

from . import skeletons as made
from .skeletons import EXPECTED

LEGS = ("thigh", "calf", "foot", "ball")


def refusal(table: made.Table, scramble: bool = False) -> tuple[str, list[str]]:
    """Return the sentence with which a figure of any size is refused, and the bones that it names."""
    sentences = set()
    for size in (1.0, 0.01, 100.0):
        subject = made.skeleton(made.scaled(table, size))
        subject, back = (
            made.scrambled(subject) if scramble else (subject, {name: name for name in subject.names})
        )
        with refuses() as error:
            detect(subject)
        said = str(error.value)
        for named in re.findall(r"'([^']+)'", said):
            said = said.replace(f"'{named}'", f"'{back[named]}'")
        sentences.add(said)
    assert len(sentences) == 1, sentences
    sentence = sentences.pop()
    return sentence, re.findall(r"'([^']+)'", sentence)


def without(*stems: str) -> made.Table:
    return {name: bone for name, bone in made.biped().items() if not name.startswith(stems)}


@pytest.mark.parametrize("scramble", [False, True])
def test_of_six_legs_the_tops_of_two_pairs_are_named(scramble):
    sentence, bones = refusal(made.six_legs(), scramble)
    assert "more than two legs" in sentence
    assert {bone.removeprefix("fore").removeprefix("middle")[:5] for bone in bones} == {"thigh"}
    assert len(set(bones)) == 2


@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("side", ["l", "r"])
def test_of_one_leg_its_thigh_is_named(side, scramble):
    table = {
        name: bone
        for name, bone in made.biped().items()
        if not (name.startswith(LEGS) and name.endswith(f"_{side}"))
    }
    sentence, bones = refusal(table, scramble)
    assert "Only one leg" in sentence and bones == [f"thigh_{'r' if side == 'l' else 'l'}"]


def flat_shin(short: str) -> made.Table:
    table = made.biped()
    for side in "lr":
        hip, knee, ankle = (table[f"{bone}_{side}"][1] for bone in ("thigh", "calf", "foot"))
        joint = hip if short == "thigh" else ankle
        table[f"thigh_{side}"] = ("pelvis", hip, joint)
        table[f"calf_{side}"] = (
            f"thigh_{side}",
            joint,
            ankle if short == "thigh" else (knee[0], knee[1], 0.085),
        )
    return table


def test_a_bone_without_length_is_named_whichever_it_is():
    """By hand: detection may see other legs where a thigh has no length."""
    for short, bone in (("thigh", "thigh_l"), ("calf", "calf_l")):
        with refuses(f"'{bone}' has no length"):
            check(made.skeleton(flat_shin(short)), RoleMap(EXPECTED))


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize(("part", "stem"), [("shin", "calf"), ("foot", "foot")])
def test_a_part_that_one_leg_lacks_is_asked_for_by_the_bone_of_the_other(part, stem, side):
    other = "R" if side == "L" else "L"
    roles = {role: bone for role, bone in EXPECTED.items() if role not in (f"{part}.{side}", f"toe.{side}")}
    with refuses() as error:
        check(made.skeleton(made.biped()), RoleMap(roles))
    said = str(error.value)
    assert f"{part}.{side}" in said and (part == "shin" or f"'{stem}_{other.lower()}'" in said)


def test_arms_may_differ_and_legs_may_end_at_the_ankle():
    roles = {role: bone for role, bone in EXPECTED.items() if role not in ("hand.L", "forearm.L", "toe.R")}
    check(made.skeleton(made.biped()), RoleMap(roles))
    check(
        made.skeleton(made.biped()),
        RoleMap({role: bone for role, bone in EXPECTED.items() if role.split(".")[0] not in ("foot", "toe")}),
    )


@pytest.mark.parametrize(
    ("upper", "lower"),
    [("thigh", "calf"), ("calf", "foot"), ("foot", "ball"), ("upperarm", "lowerarm"), ("lowerarm", "hand")],
)
def test_a_bone_below_the_other_side_is_named_with_what_it_hangs_on(upper, lower):
    part = {"calf": "shin", "ball": "toe", "lowerarm": "forearm"}.get(lower, lower)
    swapped = EXPECTED | {f"{part}.L": f"{lower}_r", f"{part}.R": f"{lower}_l"}
    with refuses() as error:
        check(made.skeleton(made.biped()), RoleMap(swapped))
    assert set(re.findall(r"'([^']+)'", str(error.value))) in (
        {f"{upper}_l", f"{lower}_l"},
        {f"{upper}_r", f"{lower}_r"},
    )


def test_both_roles_of_one_bone_are_named():
    with refuses() as error:
        check(made.skeleton(made.biped()), RoleMap(EXPECTED | {"hand.L": "head"}))
    assert (
        "'head' plays both" in str(error.value)
        and "hand.L" in str(error.value)
        and " head" in str(error.value)
    )


@pytest.mark.parametrize("folded_deg", [0.0, 60.0, 120.0, 160.0])
def test_shins_may_fold_far_but_not_back_along_the_thigh(folded_deg):
    table, angle = made.biped(), np.radians(folded_deg)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        hip, knee = (sign * 0.1, 0.0, 0.93), (sign * 0.1, 0.0, 0.5)
        ankle = (sign * 0.1, 0.41 * np.sin(angle), 0.5 - 0.41 * np.cos(angle))
        table[f"thigh_{side}"] = ("pelvis", hip, knee)
        table[f"calf_{side}"] = (f"thigh_{side}", knee, ankle)
        table[f"foot_{side}"] = (f"calf_{side}", ankle, (ankle[0], ankle[1] - 0.1, ankle[2]))
    subject = made.skeleton(table)
    if folded_deg < 143.0:
        check(subject, RoleMap(EXPECTED))
    else:
        with refuses("'foot_l' lies above the knee 'calf_l'"):
            check(subject, RoleMap(EXPECTED))


def test_too_few_bones_name_the_first():
    subject = made.skeleton(
        {"frame": (None, (0, 0, 0), (0, 0, 2)), "leaf": ("frame", (0.1, 0, 1), (1, 0, 1))}
    )
    with refuses("'frame' is the first"):
        detect(subject)
    with refuses("no bone is the first"):
        detect(
            replace(
                subject,
                names=(),
                parents=subject.parents[:0],
                rest=subject.rest[:0],
                lengths=subject.lengths[:0],
                deform=subject.deform[:0],
            )
        )


@pytest.mark.parametrize("scramble", [False, True])
def test_a_helper_at_the_knee_is_no_bone_without_length(scramble):
    table = made.biped()
    for side in "lr":
        _, head, tail = table[f"calf_{side}"]
        foot = table.pop(f"foot_{side}"), table.pop(f"ball_{side}")
        table[f"helper_{side}"] = (f"calf_{side}", head, tail)
        table[f"foot_{side}"], table[f"ball_{side}"] = (f"helper_{side}", *foot[0][1:]), foot[1]
    roles = made.found(made.skeleton(table), scramble)
    assert (
        roles["shin.L"] in ("calf_l", "helper_l")
        and roles["foot.L"] == "foot_l"
        and roles["thigh.R"] == "thigh_r"
    )


def flattened(table: made.Table, share: float, parts: tuple[str, ...] = ("",)) -> made.Table:
    """Return a table whose bones with a name of these parts start so far from their parents, as a share, and
    keep their lengths."""
    heads: dict[str | None, np.ndarray] = {}
    found: made.Table = {}
    for name, (parent, head, tail) in table.items():
        away = np.array(head) - np.array(table[parent][1] if parent else head)
        heads[name] = heads.get(parent, np.array(head)) + away * (share if name.startswith(parts) else 1.0)
        found[name] = (parent, tuple(heads[name]), tuple(heads[name] + np.array(tail) - np.array(head)))
    return found


@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("noise", [0.0, 1e-4])
def test_a_rest_pose_without_offsets_is_called_collapsed(noise: float, scramble: bool) -> None:
    rng, table = np.random.default_rng(3), flattened(made.biped(), 0.0)
    shifts = {name: noise * rng.normal(size=3) for name in table}
    apart = {
        name: (parent, tuple(head + shifts[name]), tuple(tail + shifts[name]))
        for name, (parent, head, tail) in table.items()
    }
    sentence, _ = refusal(apart, scramble)
    assert (
        sentence.startswith("The rest pose is collapsed: all bones start where ") and "Edit Mode" in sentence
    )


def test_a_person_without_legs_is_not_collapsed() -> None:
    assert "collapsed" not in refusal(without(*LEGS))[0]


def chained(names: list[str], points: list[tuple[float, float, float]]) -> made.Table:
    return {
        name: (above, *ends)
        for name, above, ends in zip(names, [None, *names], pairwise(points), strict=False)
    }


SNAKE = chained(
    [*(f"spine{k}" for k in range(9)), "neck", "head"], [(0.0, 2.0 - 0.3 * k, 0.1) for k in range(12)]
)
FISH = chained(["tail", "spine", "chest", "head"], [(0.0, y, 0.5) for y in (1.0, 0.5, 0.0, -0.4, -0.8)])
CAR = {"chassis": (None, (0.0, 1.0, 0.5), (0.0, -1.0, 0.5))}
LIMBS = {
    "a snake": (SNAKE, {}),
    "a fish": (FISH, {"fin": ("chest", (0.1, 0.0, 0.4), (0.4, 0.1, 0.2))}),
    "a car": (
        CAR,
        {
            "wheel": ("chassis", (0.7, -0.8, 0.3), (0.9, -0.8, 0.3)),
            "rear": ("chassis", (0.7, 0.8, 0.3), (0.9, 0.8, 0.3)),
        },
    ),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("kind", LIMBS)
def test_what_lies_is_said_to_have_no_legs(kind, scramble):
    """A neck, a fin or a chassis is no leg, however few other bones could be one."""
    trunk, left = LIMBS[kind]
    sides = {
        f"{name}.{side}": (above, *((s * x, y, z) for x, y, z in ends))
        for name, (above, *ends) in left.items()
        for side, s in (("L", 1), ("R", -1))
    }
    sentence, _ = refusal({**trunk, **sides}, scramble)
    assert sentence.startswith("No two mirrored legs reach the ground below")
