"""What a walk takes from a profile's bindings, and which profiles cannot walk."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.contract.channels import CHANNELS, SLICES
from neurarig_addon.core.gait.contract_pose import posed
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from tests.core.profile_walks import FRAMES, PLAIN, edited, gait, walked
from tests.core.walkers import BODY
from tests.refusals import refuses


def without(name):
    def change(schema):
        schema["Bindings"] = [binding for binding in schema["Bindings"] if binding["Name"] != name]

    return change


def formula(rule, key, text):
    def change(schema):
        owner = next(entry for entry in schema["Rules"] if entry["Name"] == rule)
        (owner["Logic"] if key in owner["Logic"] else owner["Phases"][0])[key] = text

    return change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (without("foot_l"), "has no binding 'foot_l'"),
        (formula("foot", "T_gait", "0 / 0"), "'T_gait' of the profile 'Plain Biped' is not a time"),
        (formula("foot", "z", "1 / linear_cycle * 0 / 0"), "Rule 'foot', phase 'stance', formula 'z'"),
        (formula("foot", "condition", "linear_cycle < 2"), "never leaves the ground"),
    ],
)
def test_a_profile_that_cannot_walk_is_refused_in_one_sentence(change, sentence):
    with refuses(sentence):
        walked(edited(PLAIN, change), StyleTrack(Style(speed=1.0)))


def bound(name, target, size):
    """Add a binding behind the others, to a rule whose outputs are 0.1, 0.2, 0.3 ..."""

    def change(schema):
        last = schema["Bindings"][-1]
        place = {"Size": size, "Offset": last["Offset"] + last["Size"]}
        schema["Bindings"].append({"Name": name, "Target": target, **place})
        schema["Outputs"].append({"Name": name, "Space": "Component", "Type": "Vector", **place})
        formulas = {
            key: str(0.1 * (n + 1)) for n, key in enumerate(("x", "y", "z", "pitch", "yaw", "roll")[:size])
        }
        schema["Rules"].append(
            {"Name": target, "Logic": {}, "Phases": [{"id": "always", "condition": "1", **formulas}]}
        )

    return change


def test_a_binding_that_no_walk_knows_changes_nothing():
    """A tail has no bones here, and however many numbers it likes."""
    plain, tailed = (
        walked(profile, StyleTrack(Style(speed=1.1)))
        for profile in (PLAIN, edited(PLAIN, bound("tail", "tail", 3)))
    )
    for role, motion in plain.motions.items():
        assert_allclose(tailed.motions[role].position, motion.position, atol=1e-12, err_msg=role)
        assert_allclose(tailed.motions[role].rotation, motion.rotation, atol=1e-12, err_msg=role)


def test_a_binding_for_the_spine_turns_the_chest():
    values = gait(edited(PLAIN, bound("spine", "spine", 6))).sample(
        np.array([[1.1, 0.42, 0.42, 0, 0.1, 0.42, 0.42, 0, 0.1]]), *np.zeros((2, 5))
    )
    assert_allclose(values[:, SLICES["chest"]], np.broadcast_to([0.4, 0.5, 0.6], (5, 3)))


@pytest.mark.parametrize("name", ["spine", "head", "pelvis"])
def test_a_binding_of_a_wrong_size_is_refused_where_the_walk_knows_it(name):
    def narrow(schema):
        if name == "pelvis":
            schema["Bindings"][-1]["Size"] = 3
        else:
            bound(name, name, 3)(schema)

    if name == "head":
        gait(edited(PLAIN, narrow))  # the head is the human's
    else:
        with refuses(f"'{name}' has 3 outputs"):
            gait(edited(PLAIN, narrow))


def test_what_a_profile_does_not_say_of_the_feet_is_nothing():
    """Without bindings for the balls the toes do not bend, whatever the human's do."""

    def change(schema):
        without("ball_l")(schema)
        without("ball_r")(schema)

    slow = np.array([[1.1, 0.42, 0.42, 0.0, 0.1, 0.42, 0.42, 0.0, 0.1]])
    values = gait(edited(PLAIN, change)).sample(slow, np.linspace(0.0, 1.0, 9), np.linspace(0.5, 1.5, 9))
    assert not values[:, SLICES["ball_l"]].any() and not values[:, SLICES["ball_r"]].any()
    assert values[:, SLICES["foot_l"]].any()


def test_no_displacement_is_standing_with_the_feet_apart():
    """Each foot on its own side, toes a little out, where a walk without speed has them."""
    standing = walk(BODY, StyleTrack(Style(speed=0.0)), Clock(), FRAMES[:1])
    shown = posed(BODY, np.zeros((1, len(CHANNELS))))
    for side, sign in (("L", 1.0), ("R", -1.0)):
        foot = shown.motions[f"foot.{side}"]
        assert_allclose(foot.position, standing.motions[f"foot.{side}"].position * [0.0, 1.0, 1.0], atol=1e-9)
        assert sign * foot.position[0, 1] > 0.02
        assert_allclose(foot.rotation, standing.motions[f"foot.{side}"].rotation, atol=1e-9)
