"""Rigs that lack hands, forearms, shins or whole arms: where their points are, and that locks hold them all
the same."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry.rotation import normalized
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS
from neurarig_addon.core.neural.reach.locks import reach
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.core.neural_rigs import random_turns, table
from tests.core.skeletons import skeleton

LACKING = {
    "hands": ("hand",),
    "hands and forearms": ("hand", "forearm"),
    "arms": ("clavicle", "upper_arm", "forearm", "hand"),
    "feet": ("foot", "toe"),
    "shins and feet": ("shin", "foot", "toe"),
    "nothing": (),
}


def lacking(what: str) -> PointBody:
    whole = Character.of(skeleton(table()))
    kept = {
        role: bone for role, bone in whole.roles.bones.items() if role.partition(".")[0] not in LACKING[what]
    }
    return PointBody.of(Character.of(whole.skeleton, RoleMap(kept)))


@pytest.mark.parametrize("what", LACKING)
def test_every_joint_that_has_a_bone_is_at_its_head(what: str) -> None:
    figure = lacking(what)
    for joint, name in enumerate(JOINTS):
        role = figure.carriers.first(joint)
        if role is not None:
            assert_allclose(figure.at_rest[joint], figure.character.rest_head(role), atol=1e-9, err_msg=name)


def test_wrists_without_hands_are_where_the_forearms_end() -> None:
    found, whole = lacking("hands").at_rest, lacking("nothing").at_rest
    for side in "LR":
        assert_allclose(found[INDEX[f"wrist.{side}"]], whole[INDEX[f"wrist.{side}"]], atol=0.02)


def test_arms_that_a_rig_lacks_are_a_humans() -> None:
    found, whole = lacking("arms"), lacking("nothing")
    for side, sign in (("L", 1.0), ("R", -1.0)):
        shoulder, elbow, wrist = (
            found.at_rest[INDEX[f"{part}.{side}"]] for part in ("shoulder", "elbow", "wrist")
        )
        assert sign * shoulder[1] > 0.1
        for start, end in ((shoulder, elbow), (elbow, wrist)):
            assert_allclose(normalized(end - start), [0.0, sign, 0.0], atol=1e-9)
        for part, place in (("shoulder", shoulder), ("elbow", elbow), ("wrist", wrist)):
            assert np.linalg.norm(place - whole.at_rest[INDEX[f"{part}.{side}"]]) < 0.15 * whole.height


@pytest.mark.few(6)
@pytest.mark.parametrize(
    "names", [("wrist.L", "wrist.R"), ("ankle.L", "ankle.R"), ("pelvis", "wrist.L", "ankle.R")]
)
@pytest.mark.parametrize("what", LACKING)
def test_locks_hold_what_is_within_reach(what: str, names: tuple[str, ...]) -> None:
    """Also the ends of limbs that are one bone, which can only be pointed: the body comes along."""
    if what == "arms" and any(name.startswith("wrist") for name in names):
        pytest.skip("no arm that could reach")
    figure = lacking(what)
    rng = np.random.default_rng(5)
    turns = random_turns(rng, (20, len(JOINTS)), 0.2)
    wanted = figure.motions(turns, rng.normal(size=(20, 3)) * 0.1)
    places = figure.points(wanted)
    locked = {name: places[:, INDEX[name]] for name in names}
    start = figure.motions(random_turns(rng, turns.shape[:2], 0.05) @ turns, wanted["pelvis"].position + 0.01)
    found = figure.points(reach(figure, start, locked))
    assert (
        max(np.linalg.norm(found[:, INDEX[name]] - place, axis=-1).max() for name, place in locked.items())
        < 1e-4
    )
