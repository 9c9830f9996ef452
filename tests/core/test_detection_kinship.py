"""Whom a bone hangs on, whatever its parent says: its copies in other layers and touching tails tell, and who
hangs rightly stays."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.detection.kinship import anatomical
from neurarig_addon.core.skeleton.skeleton import Skeleton

from . import skeletons as made

ARM: made.Table = {
    "root": (None, (0, 0, 0), (0, 0.2, 0)),
    "chest": ("root", (0, 0, 1.0), (0, 0, 1.5)),
    "upper": ("chest", (0, 0, 1.5), (0.5, 0, 1.5)),
    "lower": ("upper", (0.5, 0, 1.5), (1.0, 0, 1.5)),
    "hand": ("lower", (1.0, 0, 1.5), (1.2, 0, 1.5)),
}


def skeleton(table: made.Table, *controls: str) -> Skeleton:
    bare = made.skeleton(table)
    return replace(bare, deform=np.array([name not in ("root", *controls) for name in bare.names]))


def hung(subject: Skeleton) -> dict[str, str | None]:
    """Return what each bone that stays hangs on."""
    found, _ = anatomical(subject)
    assert (found.parents < np.arange(len(found.names))).all(), "parents come before children"
    kept = {name: subject.index[name] for name in found.names}
    for row, name in enumerate(found.names):
        np.testing.assert_allclose(found.rest[row], subject.rest[kept[name]])
        assert (
            found.lengths[row] == subject.lengths[kept[name]]
            and found.deform[row] == subject.deform[kept[name]]
        )
    return {
        name: found.names[parent] if parent >= 0 else None
        for name, parent in zip(found.names, found.parents, strict=True)
    }


AS_MADE = {name: parent for name, (parent, _, _) in ARM.items()}


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("flat", [("lower",), ("hand", "lower"), ("upper", "lower", "hand")])
def test_bones_below_the_root_go_where_tails_touch_them(flat, size):
    loose = {name: ("root", *bone[1:]) if name in flat else bone for name, bone in ARM.items()}
    assert hung(skeleton(made.scaled(loose, size))) == AS_MADE


def test_bones_below_the_root_go_where_their_copies_say_though_no_tail_touches():
    gap: made.Table = {
        **ARM,
        "upper": ("chest", (0, 0, 1.5), (0.3, 0, 1.5)),
        "lower": ("upper", (0.5, 0, 1.5), (0.8, 0, 1.5)),
    }
    loose = {
        name: ("root", *bone[1:]) if name in ("upper", "lower", "hand") else bone
        for name, bone in gap.items()
    }
    controls: made.Table = {
        f"c_{name}": (f"c_{gap[name][0]}" if name != "upper" else "chest", *gap[name][1:])
        for name in ("upper", "lower", "hand")
    }
    subject = skeleton(loose | controls, *controls)
    found = hung(subject)
    assert {name: found[name] for name in ("upper", "lower", "hand")} == {
        "upper": "chest",
        "lower": "upper",
        "hand": "lower",
    }
    rows = anatomical(subject)[1]
    assert all(
        rows[subject.index[name]] == rows[subject.index[f"c_{name}"]] for name in ("upper", "lower", "hand")
    ), "copies are left out"
    assert not set(found) & set(controls)


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_a_copy_lies_at_the_same_joint_along_the_same_axis_and_the_one_of_like_length_is_meant(size):
    others: made.Table = {
        "across": ("chest", (0.5, 0, 1.5), (0.5, 0.5, 1.5)),
        "away": ("chest", (0.5, 0.01, 1.5), (1.0, 0.01, 1.5)),
        "short": ("upper", (0.5, 0, 1.5), (0.7, 0, 1.5)),
        "copy": ("upper", (0.5, 0, 1.5), (0.95, 0, 1.5)),
        "twin": ("upper", (0.5, 0, 1.5), (0.68, 0, 1.5)),
    }
    subject = skeleton(made.scaled(ARM | others, size), "across", "away", "copy", "twin")
    rows = anatomical(subject)[1]
    name = anatomical(subject)[0].names
    meant = {other: name[rows[subject.index[other]]] for other in others}
    assert meant == {"across": "across", "away": "away", "short": "short", "copy": "lower", "twin": "short"}
