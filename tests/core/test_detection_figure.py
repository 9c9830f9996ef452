"""What is seen of a whole figure: its joints, its floor, its left, its feet, and what else stands beside
it."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.detection.figure import Figure
from neurarig_addon.core.detection.head import head_candidates
from neurarig_addon.core.detection.legs import foot_joints, foot_reach
from neurarig_addon.core.detection.sides import first_is_left

from . import skeletons as made
from .plain_figure import LEG, PLAIN, SEEN, Seen, with_bones

OF_BIPED = {
    "rivals": 0.0, "joints above the hips": 20 / 29, "joints below the ankles": 0.0,
    "deep below the feet": 0.1 / LEG, "no trunk": 0.0,
    "no head": 0.0, "head above the hips": 0.6 / LEG, "head ahead of the hips": 0.0, "spine": 1.0,
    "arms": 1.0, "always": 1.0,
    "long body": -2.0, "wide body": np.log(1.54 / 1.6),
    "legs: ankle above floor": 0.1 / LEG,
}  # fmt: skip


@pytest.mark.parametrize("what", OF_BIPED)
def test_a_biped_of_round_numbers(what):
    assert SEEN.of_biped(what) == pytest.approx(OF_BIPED[what], abs=1e-9)


@pytest.mark.parametrize("up", [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.3, -0.5, 0.7]])
def test_who_lies_is_seen_as_standing(up):
    lying = Figure(SEEN.figure.skeleton, up=np.array(up) / np.linalg.norm(up))
    for points, seen in ((lying.skeleton.heads, lying.heads), (lying.skeleton.tails, lying.tails)):
        assert_allclose(seen[:, 2], points @ lying.up, atol=1e-12)
        assert_allclose(np.linalg.norm(seen, axis=-1), np.linalg.norm(points, axis=-1), atol=1e-12)


def at(table: made.Table, place: made.Point) -> made.Table:
    """Return the figure standing elsewhere."""
    x, y, z = place
    moved: made.Table = {}
    for name, (up, head, tail) in table.items():
        moved[name] = up, (head[0] + x, head[1] + y, head[2] + z), (tail[0] + x, tail[1] + y, tail[2] + z)
    return moved


@pytest.mark.few(2)
@pytest.mark.parametrize("first", ["l", "r"])
@pytest.mark.parametrize("turn", [0.0, 100.0, 200.0])
def test_left_is_where_feet_knees_elbows_and_faces_say(first, turn):
    """Each sign by itself, against the front view that speaks for the other side where the figure is turned
    away."""
    flat = {
        "foot_l": ("shin_l", (0.1, 0, 0.1), (0.1, 0, 0)),
        "toe_l": ("foot_l", (0.1, 0, 0), (0.1, 0, -0.1)),
    }
    signs = {
        "feet": {},
        "knees": flat | {"shin_l": ("thigh_l", (0.1, -0.05, 0.6), (0.1, 0, 0.1))},
        "elbows": flat | {"fore_l": ("upper_l", (0.5, 0.05, 1.4), (0.7, 0, 1.4))},
        "head": flat | {"head": ("neck", (0, -0.5, 1.6), (0, -0.5, 1.8))},
        "face": flat | {"eye_l": ("head", (0.03, -0.1, 1.6), (0.03, -0.2, 1.6))},
    }
    for sign, change in signs.items():
        seen = Seen(at(made.turned(with_bones(**change), turn), (5.0 * np.sin(turn), -7.0, 0.0)))
        pair = (
            seen.pair
            if seen.figure.skeleton.names[seen.pair.rows[0, 0]][-1] == first
            else seen.pair.swapped()
        )
        assert first_is_left(seen.figure, pair, seen.arm_pair, seen.row["head"], 0.0) == (first == "l"), sign


def test_names_tell_left_only_where_the_body_does_not():
    flat = with_bones(
        foot_l=("shin_l", (0.1, 0, 0.1), (0.1, 0, 0)), toe_l=("foot_l", (0.1, 0, 0), (0.1, 0, -0.1))
    )
    for table, wanted in ((flat, {-1.0: False, 1.0: True}), (PLAIN, {-1.0: True, 1.0: True})):
        seen = Seen(table)
        pair = (
            seen.pair
            if seen.figure.skeleton.names[seen.pair.rows[0, 0]].endswith("_l")
            else seen.pair.swapped()
        )
        assert {named: first_is_left(seen.figure, pair, None, -1, named) for named in wanted} == wanted


TREE: made.Table = {
    "root": (None, (0, 0, 0), (0, 0, 0.5)),
    "low": ("root", (0, 0, 1.0), (0, 0, 2.0)),
    "copy": ("low", (0, 0, 1.0), (0, 0, 2.0)),
    "side": ("copy", (0.5, 0, 2.0), (1.0, 0, 2.0)),
    "high": ("copy", (0, 0, 2.0), (0, 0, 3.0)),
    "top": ("high", (0, 0, 3.0), (0, 0, 4.0)),
    "leaf": ("root", (1.0, 0, 0), (1.5, 0, 0)),
}


def test_a_tree_is_read_joint_by_joint():
    figure = Figure(made.skeleton(TREE))
    row, names = figure.skeleton.index, figure.skeleton.names

    def named(rows) -> list[str]:
        return [names[k] if k >= 0 else "" for k in rows]

    assert figure.size == 3.0
    assert figure.joint_ids == [0, 1, 1, 3, 4, 5, 6]
    assert named(figure.joint_above) == ["", "root", "root", "copy", "copy", "high", "root"]
    assert figure.joint_depth.tolist() == [0, 1, 1, 2, 2, 3, 1]
    assert named(figure.next_joint) == ["low", "high", "high", "", "top", "", ""]
    assert figure.way == pytest.approx([0, 1, 1, 1 + np.hypot(0.5, 1.0), 2, 3, 1])
    assert figure.below_count.tolist() == [6, 4, 3, 0, 1, 0, 0]
    assert named(figure.skeleton.ancestors(row["top"])) == ["high", "copy", "low", "root"]
    assert figure.is_above[row["low"]].tolist() == [False, False, True, True, True, True, False]
    assert figure.over_below(figure.heads[:, 2], np.maximum).tolist() == [3, 3, 3, 2, 3, 3, 0]
    assert named(
        [
            figure.common_ancestor(row[a], row[b])
            for a, b in (("top", "side"), ("top", "leaf"), ("low", "top"))
        ]
    ) == [
        "copy",
        "root",
        "low",
    ]
    assert sorted(named(figure.below(row["copy"]))) == ["copy", "high", "side", "top"]
    assert figure.ends_marked == pytest.approx(1 / 3), (
        "of three ends one is at the tail of a bone that carries nothing else"
    )
    none = replace(figure.skeleton, deform=np.array([name in ("high", "leaf") for name in names]))
    assert named(np.flatnonzero(Figure(none).moves_skin)) == ["root", "low", "copy", "high", "leaf"]


def test_a_figure_is_as_large_as_it_is_high_or_wide_or_long():
    assert SEEN.figure.size == pytest.approx(1.6)
    wide = Seen(
        with_bones(
            hand_l=("fore_l", (1.3, 0, 1.4), (1.4, 0, 1.4)),
            thumb_tip_l=("thumb_l", (1.5, 0.02, 1.4), (1.6, 0.02, 1.4)),
        )
    )
    assert wide.figure.size == pytest.approx(3.0)
    assert Seen(with_bones(tail=("hips", (0, 2.5, 1.0), (0, 2.6, 1.0)))).figure.size == pytest.approx(2.65)


def test_the_floor_is_where_something_has_a_counterpart_beside_it():
    assert SEEN.figure.floor == pytest.approx(0.0)
    sword = PLAIN | {
        "sword": ("hand_l", (0.7, 0, -0.2), (0.7, 0, -0.4)),
        "deep": (None, (0, 0, -3.0), (0, 0, -2.0)),
    }
    assert Figure(made.skeleton(sword)).floor == pytest.approx(0.0)
    heels = with_bones(heel_l=("foot_l", (0.1, 0.05, -0.03), (0.1, 0.1, -0.03)))
    assert Figure(made.skeleton(heels)).floor == pytest.approx(-0.03)
    control = replace(made.skeleton(heels), deform=np.array([not name.startswith("heel") for name in heels]))
    assert Figure(control).floor == pytest.approx(0.0)
    raised = at(PLAIN, (0.0, 0.0, 5.0))
    assert Figure(made.skeleton(raised)).floor == pytest.approx(5.0)


def test_a_foot_reaches_to_its_farthest_joint_or_believable_tail():
    figure, row = SEEN.figure, SEEN.row
    leg = [row["thigh_l"], row["shin_l"], row["foot_l"]]
    assert foot_reach(figure, leg) == pytest.approx([0, -0.25, 0]), (
        "tails meet the joints below: the toe's end is the foot's"
    )
    assert foot_reach(figure, leg[2:]) == pytest.approx([0, -0.15, 0]), (
        "without a bone above nothing tells whether tails are true"
    )
    invented = Figure(
        made.skeleton(
            with_bones(
                thigh_l=("hips", (0.1, 0, 1.0), (0.1, 0.3, 1.0)),
                shin_l=("thigh_l", (0.1, 0, 0.6), (0.1, 0.3, 0.6)),
            )
        )
    )
    assert foot_reach(invented, leg) == pytest.approx([0, -0.15, 0])
    assert sorted(map(tuple, foot_joints(invented, leg).round(6).tolist())) == [(0.1, -0.15, 0.0)]
    table = with_bones(control_l=("foot_l", (0.1, -0.9, 0), (0.1, -1, 0)))
    control = Figure(
        replace(made.skeleton(table), deform=np.array([not name.startswith("control") for name in table]))
    )
    leg = [control.skeleton.index[name] for name in ("thigh_l", "shin_l", "foot_l")]
    assert foot_reach(control, leg) == pytest.approx([0, -0.25, 0]), "a control may lie anywhere"


def everything(seen: Seen) -> dict[str, float]:
    """Return all that is seen of the legs, the arms, the head and the whole."""
    heads = head_candidates(seen.figure, seen.pair, seen.arm_pair, seen.used)
    assert heads is not None
    head = heads.rows.tolist().index(seen.row["head"])
    found = {
        "legs": (seen.legs.seen, seen.leg),
        "arms": (seen.arms.seen, seen.arm),
        "head": (heads.seen, head),
    }
    return {
        f"{question}: {what}": float(values[k])
        for question, (seen, k) in found.items()
        for what, values in seen.items()
    }


def uneven(table: made.Table) -> made.Table:
    """Return a figure without round numbers, so that nothing lies at a threshold, whose sides are still
    mirror images."""

    def bent(point: made.Point) -> made.Point:
        x, y, z = point
        return (
            x * (1.0 + 0.02 * np.sin(9.0 * z)),
            y + 0.004 * np.sin(5.0 * abs(x) + 7.0 * z),
            z + 0.004 * np.sin(11.0 * abs(x) + 3.0 * y),
        )

    return {name: (up, bent(head), bent(tail)) for name, (up, head, tail) in table.items()}


@pytest.mark.parametrize(
    ("size", "turn", "away"),
    [(0.01, 0.0, 0.0), (100.0, 0.0, 0.0), (1.0, 77.0, 0.0), (1.0, 0.0, 30.0), (50.0, -160.0, 9.0)],
)
def test_size_place_and_facing_change_nothing_that_is_seen(size, turn, away):
    """With halves, helpers, ends and markers of the size at which thresholds in metres would tell."""
    extra: made.Table = {
        "half_l": ("thigh_l", (0.1, 0, 0.8), (0.1, 0, 0.6)),
        "shin_l": ("half_l", (0.1, 0, 0.6), (0.1, 0, 0.1)),
        "helper_l": ("shin_l", (0.1, 0.0005, 0.6), (0.1, 0, 0.1)),
        "beside_l": ("shin_l", (0.1, 0.005, 0.6), (0.1, 0, 0.1)),
        "end_l": ("toe_l", (0.1, -0.25, 0), (0.1, -0.26, 0)),
        "twist_l": ("fore_l", (0.6, 0, 1.4), (0.7, 0, 1.4)),
    }
    table = uneven(with_bones(**extra))
    moved = at(made.scaled(made.turned(table, turn), size), (away, away, away))
    plain, other = everything(Seen(table)), everything(Seen(moved))
    for what, values in plain.items():
        assert other[what] == pytest.approx(values, abs=1e-6), what


def test_a_pair_of_limbs_is_measured_between_its_sides():
    pair = SEEN.pair
    assert (
        pair.apart == pytest.approx(0.2)
        and pair.length == pytest.approx(LEG)
        and pair.middle == pytest.approx([0, 0, 1.0])
    )
    back = pair.swapped()
    assert back.rows.tolist() == pair.rows[::-1].tolist() and back.across == pytest.approx(-pair.across)
    assert abs(pair.across @ [1.0, 0.0, 0.0]) == pytest.approx(1.0)
    assert (pair.points[0, 0] - pair.points[1, 0]) @ pair.across == pytest.approx(0.2)
