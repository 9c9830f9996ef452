"""Rigs of no known family: what else hangs on a character is neither leg nor arm, and every table of names
knows its own rig."""

import json
from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.detection.conventions import TABLES, read_convention
from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.skeleton.naming import plain_name
from neurarig_addon.core.skeleton.roles import ARM_PARTS, LEG_PARTS
from tests.refusals import refuses

from . import skeletons as made
from .skeletons import EXPECTED, found

BIPED = made.biped(arms_down_deg=45.0)


def hung(stem: str, parent: str, *points: made.Point, table: made.Table = BIPED) -> made.Table:
    """Return a character with a chain of bones from point to point; a chain off the middle has a mirror
    image."""
    ends = [*points[1:], tuple(2.0 * np.array(points[-1]) - np.array(points[-2]))]
    chain, side = {}, "_l" if abs(points[-1][0]) > 1e-6 else ""
    for k, (head, tail) in enumerate(zip(points, ends, strict=True)):
        chain[f"{stem}{k}{side}"] = (parent, head, tail)
        parent = f"{stem}{k}{side}"
    return {**table, **(made.both(chain) if side else chain)}


def falling(x: float, y: float, top: float, links: int, out: float = 0.02) -> list[made.Point]:
    """Return the joints of cloth or hair that falls to the floor."""
    return [(x + out * k, y + out * k, top + (0.03 - top) * k / (links - 1)) for k in range(links)]


def one_foot_ahead() -> made.Table:
    shift = {"calf_l": (0.0, -0.1), "foot_l": (-0.1, -0.18), "ball_l": (-0.18, -0.18), "thigh_l": (0.0, -0.1)}
    return {
        name: (
            parent,
            made.moved(head, shift.get(name, (0, 0))[0]),
            made.moved(tail, shift.get(name, (0, 0))[1]),
        )
        for name, (parent, head, tail) in BIPED.items()
    }


def with_tarsus() -> made.Table:
    table = {}
    for name, (parent, head, tail) in BIPED.items():
        if name.startswith("ball"):
            side = name[-2:]
            parent = f"tarsus{side}"
            table[parent] = (f"foot{side}", (head[0], -0.01, 0.065), head)
        table[name] = (parent, head, tail)
    return table


def without_fingers() -> made.Table:
    return {name: bone for name, bone in BIPED.items() if not name.startswith(("index", "pinky"))}


SHAPES = {
    "a cape": hung("cape", "spine_02", *falling(0.15, 0.12, 1.42, 7)),
    "a skirt": hung("front", "pelvis", *falling(0.1, -0.15, 0.9, 5),
        table=hung("back", "pelvis", *falling(0.1, 0.15, 0.9, 5))),
    "hair": hung("hair", "head", *falling(0.09, 0.05, 1.68, 7, 0.03)),
    "folded wings": hung("wing", "spine_02", (0.1, 0.12, 1.4), (0.25, 0.3, 1.6), (0.22, 0.3, 0.8),
        (0.2, 0.28, 0.2)),
    "spread wings": hung("wing", "spine_02", (0.08, 0.12, 1.4), (0.5, 0.3, 1.8), (1.0, 0.4, 1.3),
        (1.2, 0.45, 0.6)),
    "a tail": hung("tail", "pelvis", (0, 0.1, 0.95), (0, 0.4, 0.5), (0, 0.7, 0.1), (0, 1.0, 0.05)),
    "a deep blade": hung("blade", "pelvis", (0, 0.2, 0.9), (0, 0.3, 0.2), (0, 0.3, -0.35)),
    "a second pair of arms": hung("lower", "spine_01", (0.16, 0.03, 1.2), (0.38, 0.05, 1.0),
        (0.58, 0.0, 0.85)),
    "a short skirt": hung("skirt", "pelvis", (0.12, -0.13, 0.9), (0.16, -0.17, 0.55), (0.2, -0.2, 0.2),
        table=without_fingers()),
    "hair to the knees": hung("hair", "head", *[(0.1 + 0.02 * k, 0.05, 1.65 - 0.25 * k) for k in range(6)],
        table=without_fingers()),
    "one foot ahead": one_foot_ahead(),
    "a tarsal bone": with_tarsus(),
}  # fmt: skip


@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("case", SHAPES)
def test_roles_are_found_beside(case, scramble):
    assert found(made.skeleton(SHAPES[case]), scramble) == EXPECTED


# Pattern of a limb's name, words for left and right, our bones and their words.
JOINTS = "thigh=hip calf=knee foot=ankle ball=ball toes=toe_end upperarm=shoulder lowerarm=elbow hand=wrist "
NAMES = {
    "a Maya studio": (
        "{side}_{word}_jnt",
        ("lf", "rt"),
        JOINTS + "clavicle=clav root=root_jnt pelvis=hip_ctr_jnt spine_01=spine_jnt spine_02=chest_jnt"
        " neck_01=neck_jnt head=head_jnt",
    ),
    "Synty": (
        "{word}_{side}",
        ("L", "R"),
        (
            "thigh=UpperLeg calf=LowerLeg foot=Ankle ball=Ball toes=Toes clavicle=Clavicle upperarm=Shoulder"
            " lowerarm=Elbow hand=Hand root=Root pelvis=Hips spine_01=Spine_01 spine_02=Spine_02 neck_01=Neck"
            " head=Head"
        ),
    ),
    "Call of Duty": (
        "j_{word}_{side}",
        ("le", "ri"),
        JOINTS
        + "root=tag_origin pelvis=j_mainroot spine_01=j_spinelower spine_02=j_spineupper neck_01=j_neck"
        " head=j_head",
    ),
}


@pytest.mark.parametrize("case", NAMES)
def test_roles_are_found_by_names_of(case):
    pattern, sides, words = NAMES[case]
    theirs = dict(pair.split("=") for pair in words.split())
    table = {**BIPED, **made.both({"toes_l": ("ball_l", (0.1, -0.18, 0.015), (0.1, -0.2, 0.015))})}

    def renamed(bone: str) -> str:
        part, side = (bone[:-2], bone[-1]) if bone[-2:] in ("_l", "_r") else (bone, "")
        return (
            pattern.format(word=theirs.get(part, part), side=sides["lr".index(side)])
            if side
            else theirs[part]
        )

    new = {bone: renamed(bone) for bone in table}
    subject = made.skeleton(
        {new[bone]: (new.get(parent or ""), head, tail) for bone, (parent, head, tail) in table.items()}
    )
    assert dict(detect(subject).bones) == {role: new[bone] for role, bone in EXPECTED.items()}


def test_controls_behind_a_foot_do_not_turn_the_character():
    table = hung("roll", "foot_l", (0.1, 0.25, 0.09), (0.1, 0.35, 0.09))
    rolls = {n: bone for n, bone in table.items() if n.startswith("roll") and n.endswith("_l")}
    other = {
        n.replace("_l", "_r"): (p.replace("_l", "_r"), (-h[0], *h[1:]), (-t[0], *t[1:]))
        for n, (p, h, t) in rolls.items()
    }
    subject = made.skeleton({**table, **other})
    subject = replace(subject, deform=np.array([not name.startswith("roll") for name in subject.names]))
    assert found(subject, scramble=True) == EXPECTED


def rope(x: float) -> made.Table:
    return hung(
        "rope",
        "rail",
        *[(x, 0.0, z) for z in (2.4, 1.6, 0.8, 0.05)],
        table={"rail": (None, (0, 0, 2.5), (0, 0.2, 2.5))},
    )


def hand() -> made.Table:
    table: made.Table = {
        "wrist": (None, (0, 0, 0.4), (0, 0, 0.3)),
        "palm": ("wrist", (0, 0, 0.3), (0, 0, 0.2)),
    }
    for finger in range(5):
        x = 0.03 * finger - 0.06
        table = hung(f"f{finger}_", "palm", (x, 0, 0.2), (x, 0, 0.1), (x, 0, 0.02),
            table=table) if x == 0.0 else {
            **table, f"f{finger}_0": ("palm", (x, 0, 0.2), (x, 0, 0.1)),
            f"f{finger}_1": (f"f{finger}_0", (x, 0, 0.1), (x, 0, 0.02)),
            f"f{finger}_2": (f"f{finger}_1", (x, 0, 0.02), (x, 0, -0.02))}  # fmt: skip
    return table


BUST = {name: bone for name, bone in BIPED.items() if not name.startswith(("thigh", "calf", "foot", "ball"))}
STIFF: made.Table = {
    "torso": (None, (0, 0, 0.9), (0, 0, 1.4)),
    "head": ("torso", (0, 0, 1.45), (0, 0, 1.8)),
    **made.both(
        {
            "arm_l": ("torso", (0.33, 0, 1.35), (0.33, 0, 0.6)),
            "leg_l": ("torso", (0.15, 0, 0.85), (0.15, 0, 0.0)),
        }
    ),
}
NO_BIPEDS = {
    "legs of one bone": (STIFF, "single bone"),
    "ropes": (rope(0.8), "no feet"),
    "a swing": (rope(0.25), "no feet"),
    "a hanging hand": (hand(), "no feet"),
    "a bust": (BUST, "no legs"),
}


@pytest.mark.parametrize("case", NO_BIPEDS)
def test_what_only_hangs_is_refused(case):
    table, words = NO_BIPEDS[case]
    with refuses(words):
        detect(made.skeleton(table))


@pytest.mark.parametrize("path", sorted(TABLES.glob("*.json")), ids=lambda path: path.stem)
def test_a_table_names_limbs_on_one_side_and_the_trunk_on_none(path):
    table, sides = json.loads(path.read_text(encoding="utf-8")), read_convention(path).sides
    read: dict[bool, set[str]] = {True: set(), False: set()}
    for part, names in table["bones"].items():
        read[part in LEG_PARTS + ARM_PARTS] |= {
            plain_name(name, sides).side for name in ([names] if isinstance(names, str) else names)
        }
    assert read[False] == {""} and len(read[True]) == 1
