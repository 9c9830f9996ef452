"""What is seen of head, chest, toes and collar bones is what anybody would measure on them."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.detection.conventions import NameVotes
from neurarig_addon.core.detection.ends import (
    collar_candidates,
    collar_evidence,
    toe_candidates,
    toe_evidence,
)
from neurarig_addon.core.detection.figure import Figure
from neurarig_addon.core.detection.head import distinct_joints
from neurarig_addon.core.detection.trunk import chest_evidence, find_trunk

from . import skeletons as made
from .plain_figure import ARM, LEG, SEEN, Seen, with_bones

OF_HEAD = {
    "height": 0.6 / LEG, "below the top": 0.0, "below the hips": 0.0, "ahead": 0.0, "off the middle": 0.0,
    "deforms": 1.0,
    "nothing below": 1.0, "one end below": 0.0, "much below": 0.0, "pairs below": 0.0, "hub on the way": 1.0,
    "arms' carrier on the way": 1.0, "joints on the way": 4.0, "at the carrier": 0.0,
    "first past the carrier": 0.0,
    "second past the carrier": 1.0, "many past the carrier": 0.0, "last gap": 0.1 / LEG, "next gap": 0.0,
    "last gap longer": 0.0,
    "last gap shorter": np.log(3.0), "next gap longer": 0.0, "next gap shorter": 0.0, "turns": 0.0,
}  # fmt: skip


OF_CHEST = {
    "height": 0.2 / LEG, "below the top": 0.4 / LEG, "nothing below": 0.0, "one end below": 0.0,
    "much below": np.log(19.0),
    "pairs below": np.log(3.0), "joints on the way": 2.0, "at the carrier": 1.0,
    "first past the carrier": 0.0, "last gap": 0.1 / LEG,
    "next gap": np.hypot(0.05, 0.2) / LEG,
}  # fmt: skip


@pytest.mark.parametrize(("bone", "what", "seen"), [
    *(("head", what, seen) for what, seen in OF_HEAD.items()),
    *(("chest", what, seen) for what, seen in OF_CHEST.items()),
])  # fmt: skip
def test_heads_of_round_numbers(bone, what, seen):
    assert SEEN.of_head(what, bone) == pytest.approx(seen, abs=1e-9)


def test_where_the_spine_may_end_of_round_numbers():
    """Of a way of two bones: nowhere, after the chest, after the neck."""
    seen = {
        what: SEEN.of_chest(what, "chest", "neck")
        for what in chest_evidence(SEEN.figure, [2, 3, 4], SEEN.pair, SEEN.arm_pair)
    }
    for what, wanted in {
        "no spine": (1, 0, 0), "no neck": (0, 0, 1), "one neck bone": (0, 1, 0), "two neck bones": (1, 0, 0),
        "many neck bones": (0, 0, 0),
        "carries the arms": (0, 1, 0), "below what carries the arms": (1, 0, 0),
        "far below what carries the arms": (0, 0, 0),
        "above what carries the arms": (0, 0, 1), "nearest below the shoulders": (0, 1, 0),
        "nearest below, carrier elsewhere": (0, 0, 0),
        "away from the shoulders": (0.4 / LEG, 0.2 / LEG, 0.1 / LEG),
        "above the shoulders": (0, 0, 0.1 / LEG),
        "above where the arms hang": (0, 0, 1),
    }.items():  # fmt: skip
        assert seen[what] == pytest.approx(wanted, abs=1e-9), what
    assert SEEN.of_chest("far below what carries the arms", "root", "hips", "chest") == [2, 1, 0, 0]
    assert SEEN.of_chest("many neck bones", "root", "hips", "chest", "neck") == [1, 1, 0, 0, 0]
    lonely = chest_evidence(
        SEEN.figure, [SEEN.row[bone] for bone in ("hips", "chest", "neck", "head")], SEEN.pair, None
    )
    assert lonely["no arms, one left"].tolist() == [0, 0, 1, 0]
    assert lonely["no arms, two left"].tolist() == [0, 1, 0, 0]
    assert lonely["no arms, more left"].tolist() == [1, 0, 0, 0]
    elsewhere = SEEN.of_chest("nearest below, carrier elsewhere", "hips", "neck")
    assert elsewhere == [0, 1, 0] and SEEN.of_chest("carries the arms", "hips", "neck") == [0, 0, 0]


def test_names_say_where_the_spine_ends_by_what_they_call_both_sides_of_it():
    chain = [SEEN.row[bone] for bone in ("hips", "chest", "neck", "head")]
    votes = {"spine.1": chain[0], "spine.2": chain[1], "neck": chain[2]}
    seen = chest_evidence(replace(SEEN.figure, names=NameVotes("", votes)), chain, SEEN.pair, SEEN.arm_pair)
    assert seen["tables agree"].tolist() == [1, 2, 3, 2] and seen["tables differ"].tolist() == [2, 1, 0, 1]


@pytest.mark.parametrize(
    ("deforming", "left"),
    [((0, 1, 1), ("twin", "far")), ((1, 1, 1), ("near", "far")), ((1, 0, 0), ("near", "far"))],
)
def test_of_bones_at_one_joint_the_first_that_deforms_is_taken(deforming, left):
    table = {
        name: (None, (0, 0, height), (0, 0, 2))
        for name, height in (("near", 1.0), ("twin", 1.0), ("far", 1.5))
    }
    subject = made.skeleton(table)
    figure = Figure(replace(subject, deform=np.array(deforming, dtype=bool)))
    rows = [subject.index[name] for name in ("near", "twin", "far")]
    assert tuple(subject.names[row] for row in distinct_joints(figure, rows)) == left


def test_a_toe_is_seen_from_the_ankle():
    figure, row = SEEN.figure, SEEN.row
    limb, points, ahead = SEEN.pair.rows[0], SEEN.pair.points[0], np.array([0.0, -1.0, 0.0])
    side = figure.skeleton.names[limb[0]][-2:]
    assert toe_candidates(figure, limb, points, set()) == [row["toe" + side]]
    assert toe_candidates(figure, limb, points, {row["toe" + side]}) == []
    seen = {
        what: float(values[0])
        for what, values in toe_evidence(figure, limb, points, ahead, [row["toe" + side]]).items()
    }
    wanted = {
        "candidate": 1.0, "ahead": 0.15 / LEG, "behind": 0.0, "very near": 0.0, "aside": 0.0,
        "low": 0.1 / LEG, "above the ankle": 0.0,
        "share of the reach": 1.0, "second joint": 0.0, "third joint": 0.0, "deforms": 1.0,
        "nothing below": 1.0, "one end below": 0.0,
        "own length": 0.1 / LEG, "foot's tail here": 1.0, "siblings": 0.0,
    }  # fmt: skip
    assert {what: seen[what] for what in wanted} == pytest.approx(wanted, abs=1e-9)
    behind = toe_evidence(figure, limb, points, -ahead, [row["toe" + side]])
    assert behind["behind"] == 1.0 and behind["ahead"] == pytest.approx(-0.15 / LEG)
    across = toe_evidence(figure, limb, points, np.array([1.0, 0.0, 0.0]), [row["toe" + side]])
    assert across["aside"] == pytest.approx(0.15 / LEG) and across["ahead"] == pytest.approx(0.0)


def test_toes_behind_toes_are_second_and_third_joints():
    more = {
        f"toe_{k}_l": (
            f"toe_{k - 1}_l" if k > 1 else "toe_l",
            (0.1, -0.15 - 0.05 * k, 0),
            (0.1, -0.2 - 0.05 * k, 0),
        )
        for k in (1, 2, 3)
    }
    seen = Seen(with_bones(**more, little_l=("foot_l", (0.15, -0.1, 0.15), (0.15, -0.15, 0))))
    limb, points, ahead = seen.pair.rows[0], seen.pair.points[0], np.array([0.0, -1.0, 0.0])
    side = seen.figure.skeleton.names[limb[0]][-2:]
    rows = [seen.row[name + side] for name in ("toe", "toe_1", "toe_2", "little")]
    assert sorted(toe_candidates(seen.figure, limb, points, set())) == sorted(rows), (
        "the fourth joint is no toe"
    )
    told = toe_evidence(seen.figure, limb, points, ahead, rows)
    assert told["second joint"].tolist() == [0, 1, 0, 0] and told["third joint"].tolist() == [0, 0, 1, 0]
    assert told["siblings"] == pytest.approx([np.log(2), 0, 0, np.log(2)]) and told[
        "one end below"
    ].tolist() == [0, 0, 1, 0]
    assert told["share of the reach"] == pytest.approx([0.6, 0.8, 1.0, 0.4]) and told[
        "above the ankle"
    ].tolist() == [0, 0, 0, 1]
    assert told["aside"] == pytest.approx([0, 0, 0, 0.05 / LEG]) and told["low"] == pytest.approx(
        [0.1 / LEG] * 3 + [0]
    )


def test_a_collar_bone_is_seen_from_the_upper_arm():
    seen = Seen(
        with_bones(
            helper_l=("collar_l", (0.19, 0, 1.4), (0.2, 0, 1.4)),
            upper_l=("helper_l", (0.2, 0, 1.4), (0.5, 0, 1.4)),
        )
    )
    top = int(seen.arm_pair.rows[0, 0])
    side = seen.figure.skeleton.names[top][-2:]
    rows = collar_candidates(seen.figure, seen.arm_pair, top)
    assert rows == [seen.row["helper" + side], seen.row["collar" + side]]
    told = collar_evidence(seen.figure, seen.arm_pair, top, rows)
    for what, wanted in {
        "off the middle": (0.95, 0.25), "far": (0.01 / ARM, 0.15 / ARM), "very near": (1, 0),
        "outward": (1, 1), "steps up": (0, 1),
        "first from the trunk": (0, 1), "deforms": (1, 1), "candidate": (1, 1),
    }.items():  # fmt: skip
        assert told[what] == pytest.approx(wanted), what


def test_how_a_table_and_words_name_an_end_is_seen():
    limb, points, toe = (
        SEEN.pair.rows[0],
        SEEN.pair.points[0],
        SEEN.row["toe_" + SEEN.figure.skeleton.names[SEEN.pair.rows[0, 0]][-1]],
    )
    for votes, wanted in (
        ({"toe.L": toe}, (1, 0, 0)),
        ({"foot.L": toe}, (0, 1, 0)),
        ({"toe.R": 1}, (0, 0, 1)),
        ({}, (0, 0, 0)),
    ):
        figure = replace(SEEN.figure, names=NameVotes("", votes))
        seen = toe_evidence(figure, limb, points, np.array([0.0, -1.0, 0.0]), [toe])
        assert (
            tuple(
                float(seen[what][0])
                for what in ("named by table", "named otherwise by table", "table names another")
            )
            == wanted
        )


TRUNKS: dict[str, tuple[dict, str, tuple[str, ...], tuple[str, ...]]] = {
    "a plain one": ({}, "hips", ("chest",), ("neck",)),
    "a spine beside the pelvis": ({"chest": ("root", (0, 0, 1.2), (0, 0, 1.5))}, "hips", ("chest",),
        ("neck",)),
    "thighs on the root": ({"thigh_l": ("root", (0.1, 0, 1.0), (0.1, 0, 0.6))}, "hips", ("chest",),
        ("neck",)),
    "a root on the floor that carries all": (
        {"thigh_l": ("root", (0.1, 0, 1.0), (0.1, 0, 0.6)), "hips": ("root", (0, 0, 1.05), (0, 0, 1.2))},
        "hips", ("chest",), ("neck",)
    ),
    "a hub above, and the pelvis below it": (
        {"belly": ("root", (0, 0, 1.15), (0, 0, 1.2)), "hips": ("belly", (0, 0, 1.0), (0, 0, 0.9)),
         "chest": ("belly", (0, 0, 1.3), (0, 0, 1.5))},
        "hips", ("chest",), ("neck",)
    ),
    "thighs on a spine that starts above the hips": (
        {"low": ("root", (0, 0, 1.0), (0, 0, 1.1)), "hips": ("low", (0, 0, 1.1), (0, 0, 1.2))}, "low",
        ("hips", "chest"), ("neck",)
    ),
    "two bones at one joint": (
        {"copy": ("hips", (0, 0, 1.2), (0, 0, 1.3)), "chest": ("copy", (0, 0, 1.2), (0, 0, 1.5))}, "hips",
        ("copy",), ("neck",)
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TRUNKS)
def test_the_pelvis_is_where_the_trunk_turns_up_and_the_spine_goes_on_from_there(case):
    change, pelvis, spine, neck = TRUNKS[case]
    seen = Seen(with_bones(**change))
    trunk = find_trunk(seen.figure, seen.pair, seen.arm_pair, seen.used)
    assert trunk is not None
    names = seen.figure.skeleton.names
    assert names[trunk.pelvis] == pelvis and names[trunk.head] == "head"
    assert tuple(names[row] for row in (*trunk.spine, *trunk.neck)) == (*spine, *neck)


@pytest.mark.parametrize("bone", ["chest", "neck", "head"])
@pytest.mark.parametrize("gap", ["last gap", "next gap"])
def test_a_gap_is_longer_or_shorter_than_the_one_before(gap, bone):
    """Never both, and by no more than a factor of twenty."""
    longer, shorter = (SEEN.of_head(f"{gap} {how}", bone) for how in ("longer", "shorter"))
    assert min(longer, shorter) == 0.0 and max(longer, shorter) < 3.1
