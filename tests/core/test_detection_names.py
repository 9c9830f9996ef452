"""What names say: words alone, however they are written, and a table of a rig's names, whatever else the rig
has."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.detection.conventions import name_votes
from neurarig_addon.core.detection.words import PARTS, word_votes
from neurarig_addon.core.skeleton.skeleton import Skeleton

from . import skeletons as made
from .skeletons import EXPECTED

MEANT = {
    "Thigh": "thigh", "thigh_01": "thigh", "LeftUpLeg": "thigh", "upleg": "thigh", "shinbone": "shin",
    "Foot.L": "foot", "ToeBase": "toe",
    "clav": "clavicle", "clavi": "clavicle", "forea": "forearm", "upperarm": "upper_arm",
    "UpperArmTwist": "upper_arm", "Neck1": "neck",
    "spine3": "spine", "pelvisroot": "pelvis", "skirt_01": "other", "tail": "other", "hairfront": "other",
}  # fmt: skip


@pytest.mark.parametrize("name", MEANT)
def test_words_are_heard_written_apart_joined_counted_put_together_or_shortened(name):
    votes = word_votes([name, "bcdf", "ghjk", "mnpq"])[0]  # what all names of a rig share says nothing
    assert [*PARTS, "other"][int(votes.argmax())] == MEANT[name] and votes.max() > 1.0
    assert np.abs(votes).max() <= 4.0


@pytest.mark.parametrize("name", ["xyz", "th", "bcdfgh", "7", ""])
def test_what_is_no_word_says_nothing(name):
    assert not word_votes([name]).any()


def unreal(**renamed: str) -> Skeleton:
    table = made.biped()
    subject = made.skeleton(table)
    return replace(subject, names=tuple(renamed.get(name, name) for name in subject.names))


def said(subject: Skeleton) -> dict[str, str]:
    return {role: subject.names[row] for role, row in name_votes(subject).rows.items()}


def test_a_table_names_every_role_of_its_rig():
    assert said(unreal()) == EXPECTED


@pytest.mark.parametrize("prefix", ["mixamorig:", "Char01_", "x "])
def test_what_all_names_share_is_passed_over(prefix):
    subject = unreal()
    shared = replace(subject, names=tuple(prefix + name for name in subject.names))
    assert said(shared) == {role: prefix + bone for role, bone in EXPECTED.items()}


def test_a_few_known_names_are_no_convention():
    subject = unreal()
    kept = {"thigh_l", "thigh_r", "head"}
    rare = replace(
        subject, names=tuple(name if name in kept else f"qx{k}wz" for k, name in enumerate(subject.names))
    )
    assert name_votes(rare).rows == {} and name_votes(rare).convention == ""


def test_of_two_layers_of_like_names_the_one_that_deforms_is_meant():
    table = made.biped()
    copies = {
        f"CTRL_{name}": (f"CTRL_{up}" if up else None, head, tail) for name, (up, head, tail) in table.items()
    }
    subject = made.skeleton({**copies, **table})
    subject = replace(subject, deform=np.array([not name.startswith("CTRL_") for name in subject.names]))
    assert said(subject) == EXPECTED


def test_a_spine_has_as_many_links_as_the_rig_carries_its_arms_by():
    table = {**made.biped(), "spine_03": ("spine_02", (0, 0.03, 1.3), (0, 0.03, 1.4))}
    table["clavicle_l"] = ("spine_03", *made.biped()["clavicle_l"][1:])
    order = [
        "root",
        "pelvis",
        "spine_01",
        "spine_02",
        "spine_03",
        *(name for name in table if name not in (*made.TRUNK, "spine_03")),
    ]
    order = [*order[:5], "neck_01", "head", *order[5:]]
    assert said(made.skeleton({name: table[name] for name in order}))["spine.3"] == "spine_03"


def test_names_that_mean_the_second_half_of_a_limb_give_the_first() -> None:
    """Auto-Rig Pro's `stretch` is the whole of a limb in what it exports, and its second half in the rig
    itself."""
    names = {
        "thigh": "thigh_{}.{s}",
        "calf": "leg_{}.{s}",
        "upperarm": "arm_{}.{s}",
        "lowerarm": "forearm_{}.{s}",
    }
    others = {
        "foot": "foot", "ball": "toes_01", "hand": "hand", "clavicle": "shoulder", "pelvis": "root",
        "neck_01": "neck", "root": "c_traj",
    }  # fmt: skip
    table: made.Table = {}
    for name, (parent, head, tail) in made.biped(arms_down_deg=40.0).items():
        stem, side = (name[:-2], name[-1]) if name[-2:] in ("_l", "_r") else (name, "x")
        above_stem, above_side = (
            (parent[:-2], parent[-1]) if parent and parent[-2:] in ("_l", "_r") else (parent or "", "x")
        )
        halves = ("stretch", "twist") if stem in ("calf", "lowerarm") else ("twist", "stretch")
        last = "twist" if above_stem in ("calf", "lowerarm") else "stretch"
        above = (
            names.get(above_stem, others.get(above_stem, above_stem) + ".{s}").format(last, s=above_side)
            if parent
            else None
        )
        if stem in names:
            middle = tuple((np.array(head) + np.array(tail)) / 2.0)
            first, second = (names[stem].format(half, s=side) for half in halves)
            table |= {first: (above, head, middle), second: (first, middle, tail)}
        else:
            table[f"{others.get(stem, stem)}.{side}"] = (above, head, tail)
    roles = made.found(made.skeleton(table), False)
    assert {roles["thigh.L"], roles["thigh.R"]} == {"thigh_twist.l", "thigh_twist.r"}
    assert (roles["upper_arm.L"], roles["forearm.L"], roles["clavicle.L"]) == (
        "arm_twist.l",
        "forearm_stretch.l",
        "shoulder.l",
    )
    assert (roles["shin.L"], roles["foot.L"]) == ("leg_stretch.l", "foot.l")
