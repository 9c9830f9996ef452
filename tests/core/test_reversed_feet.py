"""Feet whose bones run from the toes to the ankle are read as if they ran forward, and nothing else is."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry.rotation import from_axis_angle, normalized, orthonormal
from neurarig_addon.core.skeleton.clip import Clip
from neurarig_addon.core.skeleton.reversed_feet import with_feet_forward
from neurarig_addon.core.skeleton.skeleton import Skeleton
from tests.core import skeletons as made

HEEL = 0.06  # metres behind the ankle


def back(table: made.Table, kind: str, sides: str = "lr") -> made.Table:
    """Return a biped with reversed feet of a kind."""
    found = dict(table)
    for side in sides:
        shin, foot, toe = f"calf_{side}", f"foot_{side}", f"ball_{side}"
        ankle, ball, tip = found[foot][1], found[foot][2], found.pop(toe)[2]
        del found[foot]
        if kind == "chain":
            found[toe], found[foot] = (shin, tip, ball), (toe, ball, ankle)
        elif kind == "sole":
            found[foot] = (shin, tip, (ankle[0], ankle[1] + HEEL, tip[2]))
        else:
            found[foot] = (shin, ball, ankle)
            found[toe] = {"on the foot": (foot, ball, tip), "on the shin": (shin, ball, tip)}[kind]
    return found


@pytest.mark.parametrize("sides", ["lr", "r"])
@pytest.mark.parametrize("kind", ["chain", "on the foot", "on the shin"])
def test_its_body_is_that_of_the_same_person_with_usual_feet(kind: str, sides: str) -> None:
    usual = Character.of(made.skeleton(made.biped()))
    other = Character.of(made.skeleton(back(made.biped(), kind, sides)))
    assert dict(other.roles.bones) == dict(usual.roles.bones)
    for name in ("ankle", "heel", "ball", "toe", "toe_joint", "knee", "walk_to_armature"):
        assert_allclose(getattr(other.body, name), getattr(usual.body, name), atol=1e-6, err_msg=name)


def test_a_sole_from_the_toes_to_the_heel_has_its_ankle_where_the_shin_ends() -> None:
    usual, other = (
        Character.of(made.skeleton(table)) for table in (made.biped(), back(made.biped(), "sole"))
    )
    assert_allclose(other.body.ankle, usual.body.ankle, atol=1e-6)
    assert (other.body.toe[:, 0] > other.body.ankle[:, 0]).all()
    assert np.abs(other.body.foot_heading).max() < 1e-6


UNTOUCHED = {
    "usual feet": made.biped(),
    "no toes": made.biped(toes=False),
    "twist bones that end at the ankle": made.biped()
    | {
        f"calf_twist_{side}": (
            f"calf_{side}",
            tuple(np.mean(made.biped()[f"calf_{side}"][1:], axis=0)),
            made.biped()[f"calf_{side}"][2],
        )
        for side in "lr"
    },
    "heels beside usual feet": made.biped()
    | {
        f"heel_{side}": (f"calf_{side}", (x, 0.1, 0.02), (x, 0.03, 0.09))
        for side, x in (("l", 0.1), ("r", -0.1))
    },
}


@pytest.mark.parametrize("kind", UNTOUCHED)
def test_other_bones_stay_as_they_are(kind: str) -> None:
    skeleton = made.skeleton(UNTOUCHED[kind])
    assert with_feet_forward(skeleton) is skeleton


def test_reading_twice_changes_nothing_more() -> None:
    once = with_feet_forward(made.skeleton(back(made.biped(), "chain")))
    assert once.turned and with_feet_forward(once) is once


def moved(skeleton: Skeleton, rng: np.random.Generator) -> tuple[np.ndarray, Skeleton]:
    """Return a rigid motion of the armature `(4, 4)`, and the skeleton scaled, turned and shifted as an
    object."""
    motion, world = np.eye(4), np.eye(4)
    motion[:3, :3] = from_axis_angle(normalized(rng.normal(size=3)), rng.uniform(0.0, 3.0))
    motion[:3, 3] = rng.normal(size=3)
    world[:3, :3] = rng.uniform(0.3, 3.0) * from_axis_angle(np.array([0.0, 0.0, 1.0]), rng.uniform(0.0, 6.0))
    return motion, replace(skeleton, to_world=world @ skeleton.to_world)


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["chain", "on the foot", "sole"])
def test_a_clip_of_the_rig_moves_its_roles_rigidly(kind: str, seed: int) -> None:
    """The rig moved as a whole: every role moves so, its joint included, though the bones of its feet begin
    elsewhere."""
    motion, skeleton = moved(made.skeleton(back(made.biped(), kind)), np.random.default_rng(seed))
    who = Character.of(skeleton)
    posed = motion @ skeleton.rest
    clip = Clip(
        "moved",
        skeleton,
        24.0,
        np.zeros(1),
        orthonormal(skeleton.to_world[:3, :3])[None] @ posed[None, :, :3, :3],
        skeleton.in_world(posed[:, :3, 3])[None],
    )
    whole = np.linalg.inv(who.body.walk_to_armature) @ motion @ who.body.walk_to_armature
    found = who.motions(clip)
    assert {"foot.L", "thigh.R"} <= found.keys()
    for role, one in found.items():
        assert_allclose(one.rotation[0], whole[:3, :3], atol=1e-6, err_msg=role)
        assert_allclose(one.position[0], whole[:3, :3] @ one.rest + whole[:3, 3], atol=1e-6, err_msg=role)


@pytest.mark.parametrize(
    "leg", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)], ids=["aside", "ahead", "along the leg"]
)
def test_bones_whose_tails_mean_nothing_are_read_as_they_are(leg: tuple[float, float, float]) -> None:
    """An importer that knows joints only draws bones along some axis: here toes upward, to where the foot's
    tail is."""
    skeleton = made.skeleton(made.biped())
    rest, lengths = skeleton.rest.copy(), np.full(len(skeleton.names), 0.19)
    ways = {"thigh": leg, "calf": leg, "foot": (0.0, -1.0, 0.0), "ball": (0.0, 0.0, 1.0)}
    for row, name in enumerate(skeleton.names):
        way = np.array(ways.get(name[:-2], (0.0, 0.0, 1.0)))
        rest[row, :3, :3] = np.stack([np.roll(way, 1), way, np.cross(np.roll(way, 1), way)], axis=-1)
    for side in "lr":
        ankle, ball = skeleton.index[f"foot_{side}"], skeleton.index[f"ball_{side}"]
        rest[ball, :3, 3] = rest[ankle, :3, 3] + [0.0, -0.15, -0.12]
    blind = replace(skeleton, rest=rest, lengths=lengths)
    assert with_feet_forward(blind) is blind
