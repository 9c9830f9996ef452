"""Spine, neck, head and arms of figures that are built differently: the bone that an animator would say, with
and without names."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.detection.detect import detect_biped
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z
from tests.core.numbered_spines import with_spine
from tests.refusals import refuses

from . import skeletons as made
from .skeletons import EXPECTED, found, scrambled

LIMBS = {role: bone for role, bone in EXPECTED.items() if role[-2:] in (".L", ".R")}


@pytest.mark.few(4)
@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("bones", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("necks", [1, 2])
def test_a_trunk_of_any_number_of_bones_is_found_whole(bones, necks, scramble):
    table, roles = with_spine(bones, necks)
    assert found(made.skeleton(table), scramble) == roles


@pytest.mark.few(3)
@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("rise", [0.0, 1.0, -3.0])
@pytest.mark.parametrize("hair", [False, True])
def test_how_high_a_figure_was_modelled_does_not_matter(rise, hair, scramble):
    """Some files have the hips at the origin, some the feet, and some neither; hair to the knees is no leg in
    any of them."""
    table, roles = with_spine(3)
    if hair:
        strand: made.Table = {}
        for k in range(6):
            start, end = ((0.1 + 0.02 * at, 0.05, 1.65 - 0.25 * at) for at in (k, k + 1))
            strand[f"hair_{k}_l"] = (f"hair_{k - 1}_l" if k else "head", start, end)
        table = {**table, **made.both(strand)}
    moved = {
        name: (parent, *((x, y, z + rise) for x, y, z in ends)) for name, (parent, *ends) in table.items()
    }
    assert found(made.skeleton(moved), scramble) == roles


@pytest.mark.parametrize("bones", [1, 2, 3])
def test_arms_that_hang_on_the_neck_leave_the_chest_below_it(bones):
    """A Biped of 3ds Max hangs its clavicles on the neck."""
    table, roles = with_spine(bones)
    for side in "lr":
        table[f"clavicle_{side}"] = ("neck_01", *table[f"clavicle_{side}"][1:])
    assert found(made.skeleton(table), True) == roles


def test_a_chest_that_reaches_above_the_shoulders_is_still_the_chest():
    """The bone that carries the arms begins below them: it is of the spine, whatever the one above it is
    called."""
    table, roles = with_spine(4)
    for side in "lr":
        table[f"clavicle_{side}"] = ("spine_03", *table[f"clavicle_{side}"][1:])
    shape = found(made.skeleton(table), True)
    assert {role: shape.get(role) for role in LIMBS} == LIMBS
    assert [shape[f"spine.{n}"] for n in (1, 2, 3)] == ["spine_01", "spine_02", "spine_03"]
    assert shape["head"] == roles["head"] and "neck_01" in (shape["neck"], shape.get("neck.2"))


@pytest.mark.parametrize("deforming_first", [False, True])
@pytest.mark.parametrize("limbs_on", ["", "ctl_"])
def test_where_a_control_and_a_bone_share_a_joint_the_bone_that_deforms_is_taken(deforming_first, limbs_on):
    """At the pelvis and along spine and neck, whichever of the two carries the other."""
    table, roles = with_spine(3)
    doubled: made.Table = {}
    for name, (parent, head, tail) in table.items():
        if name.startswith(("pelvis", "spine", "neck")):
            first, second = (name, f"ctl_{name}") if deforming_first else (f"ctl_{name}", name)
            above = (
                f"ctl_{parent}"
                if deforming_first and parent and parent.startswith(("pelvis", "spine", "neck"))
                else parent
            )
            doubled[first], doubled[second] = (above, head, tail), (first, head, tail)
        else:
            on_trunk = parent is not None and parent.startswith(("pelvis", "spine", "neck"))
            doubled[name] = (f"{limbs_on}{parent}" if on_trunk else parent, head, tail)
    subject = made.skeleton(doubled)
    subject = replace(subject, deform=np.array([not name.startswith("ctl_") for name in subject.names]))
    assert found(subject, True) == roles


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0])
def test_where_feet_and_knees_say_nothing_the_face_says_where_the_front_is(turn):
    """A doll with straight limbs, its feet pointing at the ground; eyes and a jaw stand before its head."""
    doll: made.Table = {}
    for name, (parent, *ends) in made.biped(toes=False).items():
        doll[name] = (parent, *((x, 0.0, z) for x, _, z in ends))
    for name, x, z in (("eye_l", 0.03, 1.66), ("eye_r", -0.03, 1.66), ("jaw", 0.0, 1.6)):
        doll[name] = ("head", (x, -0.08, z), (x, -0.1, z))
    doll = {name: bone for name, bone in doll.items() if not name.startswith(("index", "pinky"))}
    shape = found(made.skeleton(made.turned(doll, turn)), True)
    assert {role: shape.get(role) for role in ("thigh.L", "thigh.R")} == {
        "thigh.L": "thigh_l",
        "thigh.R": "thigh_r",
    }


def strips(distance: float, feet: bool) -> made.Table:
    """Return a human, `distance` metres behind whom hangs a second pair of what could be legs, carried by the
    pelvis."""
    second: made.Table = {}
    for name, (parent, *ends) in made.LEG.items():
        if feet or name.startswith(("thigh", "calf")):
            second[f"back_{name}"] = (
                f"back_{parent}" if parent != "pelvis" else parent,
                *(made.moved(point, distance) for point in ends),
            )
    if not feet:
        second["back_foot_l"] = ("back_calf_l", second["back_calf_l"][2], (0.1, 0.03 + distance, 0.02))
    return {**made.biped(), **made.both(second)}


@pytest.mark.parametrize("scramble", [False, True])
def test_cloth_behind_the_legs_is_no_second_pair_but_legs_that_near_are(scramble):
    """Half a leg's length behind: with feet it is a four-legged thing, without it is a coat."""
    assert {
        role: bone
        for role, bone in found(made.skeleton(strips(0.5, False)), scramble).items()
        if role in LIMBS
    } == LIMBS
    with refuses("more than two legs"):
        detect_biped(scrambled(made.skeleton(strips(0.5, True)))[0])


def test_of_four_legs_without_feet_none_is_cloth():
    stilts = {
        name: bone for name, bone in strips(0.5, False).items() if not name.startswith(("foot", "ball"))
    }
    for side, sign in (("l", 1.0), ("r", -1.0)):
        stilts[f"foot_{side}"] = (f"calf_{side}", stilts[f"calf_{side}"][2], (0.1 * sign, 0.03, 0.02))
    with refuses(r"more than two legs|feet"):
        detect_biped(scrambled(made.skeleton(stilts))[0])


def test_a_pelvis_that_deforms_the_other_way_round_is_the_pelvis() -> None:
    """Older Rigify rigs have a control that hangs down from the waist, and below it a bone that deforms, from
    the crotch up."""
    table = made.biped()
    waist, crotch = (0.0, 0.02, 1.06), (0.0, 0.02, 0.9)
    table["pelvis"] = ("root", waist, crotch)
    table["deform"] = ("pelvis", crotch, waist)
    table = {
        name: ("deform" if name == "spine_01" else parent, head, tail)
        for name, (parent, head, tail) in table.items()
    }
    order = {name: table[name] for name in ("root", "pelvis", "deform", *table)}
    subject = made.skeleton(order)
    subject = replace(subject, deform=np.array([name not in ("root", "pelvis") for name in subject.names]))
    shape = found(subject, True)
    assert shape["pelvis"] == "deform" and shape["spine.1"] == "spine_01"


@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("with_hips", [False, True])
def test_keypoints_whose_legs_hang_on_a_neck_are_a_body(with_hips, scramble):
    """As pose estimators give them: one bone for each point, on the point, which points nowhere."""
    up = np.array([0.0, 0.0, 0.05])

    def point(parent, x, y, z):
        return parent, (x, y, z), tuple(np.array([x, y, z]) + up)

    left = {
        "hip_l": point("midhip" if with_hips else "neck", 0.1, 0.0, 0.92),
        "knee_l": point("hip_l", 0.1, -0.02, 0.5),
        "ankle_l": point("knee_l", 0.1, 0.0, 0.08), "shoulder_l": point("neck", 0.17, 0.0, 1.44),
        "elbow_l": point("shoulder_l", 0.2, 0.0, 1.15), "wrist_l": point("elbow_l", 0.2, -0.05, 0.9),
    }  # fmt: skip
    middle = {"neck": point("", 0.0, 0.0, 1.45), "nose": point("neck", 0.0, -0.1, 1.6)}
    middle |= {"midhip": point("neck", 0.0, 0.0, 0.93)} if with_hips else {}
    roles = found(made.skeleton({**middle, **made.both(left)}), scramble)
    assert roles["pelvis"] == ("midhip" if with_hips else "neck")
    assert [roles[f"{part}.L"] for part in ("thigh", "shin", "foot")] == ["hip_l", "knee_l", "ankle_l"]


def test_arms_are_alike_on_both_sides_of_a_walker_who_rests_in_mid_stride():
    """Files without a skin rest in a frame of their motion, in which a shoulder may mirror the other arm
    better than its own does."""
    draw = np.random.default_rng(47)
    for _ in range(40):
        table, roles = with_spine(3)
        for side in "lr":
            table[f"clavicle_{side}"] = ("neck_01", *table[f"clavicle_{side}"][1:])
            for bone, most in (("clavicle", 15.0), ("upperarm", 60.0), ("lowerarm", 60.0)):
                table = turned(table, f"{bone}_{side}", np.radians(draw.uniform(-most, most, 3)))
        bones = made.skeleton(table)
        got = found(bones, False)
        arms = {
            role: bone
            for role, bone in roles.items()
            if role.split(".")[0] in ("upper_arm", "forearm", "hand")
        }
        assert {role: got.get(role) for role in arms} == arms


def turned(table: made.Table, top: str, angles: np.ndarray) -> made.Table:
    """Return a bone table in which a bone and all below it are turned about its head by angles about x, y and
    z."""
    turn, pivot, below = (
        about_x(angles[0]) @ about_y(angles[1]) @ about_z(angles[2]),
        np.array(table[top][1]),
        {top},
    )
    for name, (parent, *_) in table.items():
        below |= {name} if parent in below else set()
    moved = {
        name: (table[name][0], *(tuple(pivot + turn @ (np.array(end) - pivot)) for end in table[name][1:]))
        for name in below
    }
    return {**table, **moved}
