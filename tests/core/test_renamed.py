"""Bones are told though they were renamed, whatever the names are, and never taken for another."""

from itertools import pairwise

import numpy as np
import pytest

from neurarig_addon.core.skeleton.renames import Bones, renamed

CHAIN = ("hips", "thigh.L", "shin.L", "foot.L")


def bones(*names: str, **places: float) -> Bones:
    """Return a chain of bones, each at its place along it: where the chain of these names had it unless
    `places` says otherwise."""
    at = np.array([places.get(name, float(index)) for index, name in enumerate(names)])
    rest = np.stack(
        [np.stack([at, at * 0.0, at * 0.0], axis=1) + point for point in ([0, 0, 0], [0, 0, 1], [0, 0.5, 0])],
        axis=1,
    )
    return Bones(names, tuple(range(-1, len(names) - 1)), ("",) * len(names), rest)


def moved(of: Bones, name: str) -> Bones:
    rest = of.rest.copy()
    rest[of.names.index(name)] += 0.3
    return Bones(of.names, of.parents, of.marks, rest)


def test_nothing_is_renamed_where_nothing_was():
    assert renamed(bones(*CHAIN), bones(*CHAIN)) == {}


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (3, 2, 1, 0), (1, 2, 3, 0)])
def test_names_may_change_places(order: tuple[int, ...]):
    now = tuple(CHAIN[index] for index in order)
    assert renamed(bones(*CHAIN), bones(*now)) == {
        old: new for old, new in zip(CHAIN, now, strict=True) if old != new
    }


def test_sides_may_be_flipped():
    before, now = bones("hips", "thigh.L", "thigh.R"), bones("hips", "thigh.R", "thigh.L")
    assert renamed(before, now) == {"thigh.L": "thigh.R", "thigh.R": "thigh.L"}


def test_a_bone_that_was_edited_keeps_its_name_and_its_children_theirs():
    before = bones(*CHAIN)
    assert renamed(before, moved(before, "thigh.L")) == {}


def test_a_child_is_told_though_its_parent_was_edited():
    now = moved(bones("hips", "thigh.L", "knee", "foot.L"), "thigh.L")
    assert renamed(bones(*CHAIN), now) == {"shin.L": "knee"}


def test_a_bone_that_was_deleted_is_gone_and_no_new_one_is_taken_for_it():
    now = bones("hips", "thigh.L", "shin.L", "tail", tail=9.0)
    assert renamed(bones(*CHAIN), now) == {"foot.L": ""}


def test_of_two_in_the_same_place_neither_is_taken():
    before = bones("hips", "a", a=1.0)
    now = bones("hips", "x", "y", x=1.0, y=1.0)
    now = Bones(now.names, (-1, 0, 0), now.marks, now.rest)
    assert renamed(before, now) == {"a": ""}


def test_twins_are_told_apart_by_their_marks():
    before, now = (
        bones(*names, **dict.fromkeys(names[1:], 1.0)) for names in (("hips", "a", "b"), ("hips", "x", "y"))
    )
    before, now = (Bones(one.names, (-1, 0, 0), ("", "ours", ""), one.rest) for one in (before, now))
    assert renamed(before, now) == {"a": "x", "b": "y"}


def test_renames_of_all_bones_at_once_are_followed():
    rng = np.random.default_rng(4)
    rest = rng.normal(size=(60, 3, 3))
    parents = tuple(int(rng.integers(-1, index)) if index else -1 for index in range(60))
    before = Bones(tuple(f"bone {index}" for index in range(60)), parents, ("",) * 60, rest)
    order = rng.permutation(60)
    after = Bones(
        tuple(f"bone {index}" for index in order),
        parents,
        ("",) * 60,
        rest + rng.uniform(-1e-6, 1e-6, rest.shape),
    )
    found = renamed(before, after)
    assert all(found.get(old, old) == new for old, new in zip(before.names, after.names, strict=True))
    assert all(a != b for a, b in pairwise(sorted(found.values())))
