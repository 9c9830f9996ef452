"""Which bones are the eyes: by the names of many rigs, at the head, as a pair; never controls, lids or
brows."""

import pytest

from neurarig_addon.core.detection.detect import detect
from tests.core.numbered_spines import with_spine

from . import skeletons as made

NAMES = [
    "Eye_{}",
    "eye.{}",
    "{}Eye",
    "CC_Base_{}_Eye",
    "J_Adj_{}_FaceEye",
    "mixamorig:{}Eye",
    "{}_eye_jnt",
    "eyeball_{}",
    "DEF-eye.{}",
]
BESIDE = ["eyelid_{}", "brow_{}", "EyeTarget_{}", "eye_socket_{}", "master_eye_{}", "eyelash_{}"]
Y, Z = -0.08, 1.66  # in front of the head's joint, at half its height


def with_eyes(
    name: str, left: str = "L", right: str = "R", place: tuple[float, float, float] = (0.032, Y, Z)
) -> made.Table:
    """Return a figure with a bone of this name, {} for the side, on both sides of its head."""
    x, y, z = place
    sides = ((left, x), (right, -x))
    return with_spine(3)[0] | {
        name.format(side): ("head", (at, y, z), (at, y - 0.02, z)) for side, at in sides
    }


@pytest.mark.few(2)
@pytest.mark.parametrize("name", NAMES)
def test_eyes_are_found_by_the_names_of_many_rigs_and_change_nothing_else(name):
    left, right = ("Left", "Right") if name.endswith("{}Eye") else ("L", "R")
    found = detect(made.skeleton(with_eyes(name, left, right)))
    assert found.eyes == {"eye.L": name.format(left), "eye.R": name.format(right)}
    assert found.bones == detect(made.skeleton(with_spine(3)[0])).bones
    assert found.get("eye.L") == name.format(left) and found.has("eye.R") and "eye.L" in found.listed


@pytest.mark.parametrize("name", BESIDE)
def test_what_is_beside_an_eye_is_none(name):
    assert not detect(made.skeleton(with_eyes(name))).eyes
    both = with_eyes(name, place=(0.03, Y - 0.01, Z + 0.02)) | {
        bone: row for bone, row in with_eyes("eye_{}").items() if bone.startswith("eye_") and bone[4:] in "LR"
    }
    assert detect(made.skeleton(both)).eyes == {"eye.L": "eye_L", "eye.R": "eye_R"}


def test_sides_are_those_of_the_legs_whatever_the_names_say():
    assert detect(made.skeleton(with_eyes("eye_{}", "R", "L"))).eyes == {"eye.L": "eye_R", "eye.R": "eye_L"}


@pytest.mark.parametrize(
    "place",
    [(0.032, -0.6, Z), (0.032, Y, 1.1), (0.0, Y, Z)],
    ids=["controls in front of the face", "at the chest", "on top of each other"],
)
def test_a_pair_that_cannot_be_eyes_is_none(place):
    assert not detect(made.skeleton(with_eyes("eye_{}", place=place))).eyes


def test_one_eye_is_none_and_two_layers_give_the_bones_that_deform():
    one = {bone: row for bone, row in with_eyes("eye_{}").items() if bone != "eye_R"}
    assert not detect(made.skeleton(one)).eyes
    layers = with_eyes("eye_{}") | with_eyes("DEF-eye.{}") | with_eyes("MCH-eye.{}")
    assert detect(made.skeleton(layers)).eyes == {"eye.L": "DEF-eye.L", "eye.R": "DEF-eye.R"}
