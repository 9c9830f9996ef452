"""Spines whose bones are numbered: which of them is the head."""

import pytest

from neurarig_addon.core.detection.conventions import name_votes
from neurarig_addon.core.detection.detect import detect
from tests.core.numbered_spines import with_spine

from . import skeletons as made


def numbered(head: int, count: int) -> made.Table:
    """Return a human whose trunk is named by number, as Rigify does: `spine` the pelvis, the head at `head`
    of `count` bones."""
    table, _ = with_spine(3, head - 4)
    new = {"pelvis": "spine", **{f"spine_0{n}": f"spine.00{n}" for n in (1, 2, 3)}}
    limbs = (
        "thigh=thigh calf=shin foot=foot ball=toe clavicle=shoulder upperarm=upper_arm lowerarm=forearm"
        " hand=hand"
    )
    for bone, word in (pair.split("=") for pair in limbs.split()):
        new |= {f"{bone}_{side.lower()}": f"{word}.{side}" for side in "LR"}
    new |= {f"neck_{n:02d}": f"spine.{3 + n:03d}" for n in range(1, head - 3)} | {"head": f"spine.{head:03d}"}
    renamed: made.Table = {
        new.get(name, name): (new.get(parent or "", parent), *ends) for name, (parent, *ends) in table.items()
    }
    for extra in range(head + 1, count):  # a hat
        renamed[f"spine.{extra:03d}"] = (
            f"spine.{extra - 1:03d}",
            (0, 0.01, 1.5 + 0.05 * extra),
            (0, 0.01, 1.55 + 0.05 * extra),
        )
    return renamed


def test_a_numbered_spine_ends_in_the_head_where_it_counts_as_rigify_does():
    roles = detect(made.skeleton(numbered(6, 7)))
    assert (roles.get("pelvis"), roles.get("head")) == ("spine", "spine.006")
    assert [roles.get(role) for role in ("spine.1", "spine.3", "neck", "neck.2")] == [
        "spine.001",
        "spine.003",
        "spine.004",
        "spine.005",
    ]


@pytest.mark.parametrize("bones", [2, 3, 4, 5])
def test_a_spine_that_counts_on_past_what_its_convention_lists_is_found_by_name(bones):
    """Mixamo has Spine, Spine1 and Spine2; characters with longer trunks go on with Spine3 and Spine4."""
    table, roles = with_spine(bones)
    words = {"pelvis": "Hips", "neck_01": "Neck", "head": "Head", "spine_01": "Spine"}
    words |= {f"spine_{n + 1:02d}": f"Spine{n}" for n in range(1, bones)}
    limbs = (
        "thigh=UpLeg calf=Leg foot=Foot ball=ToeBase clavicle=Shoulder upperarm=Arm lowerarm=ForeArm"
        " hand=Hand"
    )
    for pair in limbs.split():
        bone, word = pair.split("=")
        words |= {f"{bone}_l": f"Left{word}", f"{bone}_r": f"Right{word}"}
    new = {name: f"mixamorig:{words[name]}" if name in words else name for name in table}
    subject = made.skeleton(
        {new[name]: (new.get(parent or "", parent), *ends) for name, (parent, *ends) in table.items()}
    )
    assert dict(detect(subject).bones) == {role: new[bone] for role, bone in roles.items()}
    heard = {role: subject.names[row] for role, row in name_votes(subject).rows.items()}
    assert heard == {role: new[bone] for role, bone in roles.items()}


@pytest.mark.parametrize(("head", "heard"), [(6, True), (7, False), (8, False)])
def test_names_alone_take_a_numbered_bone_for_the_head_only_where_the_count_ends_there(head, heard):
    votes = name_votes(made.skeleton(numbered(head, head + 1)))
    assert "thigh.L" in votes.rows
    assert ("head" in votes.rows) == heard
