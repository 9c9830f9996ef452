"""What a walk takes from a profile's bindings, and which profiles cannot walk."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.contract.channels import CHANNELS, NEURARIG_OUTPUTS, SLICES
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.gait.contract_pose import outputs_of, posed
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from tests.core.profile_walks import FRAMES, PLAIN, WADER, edited, gait, walked
from tests.core.walkers import BODY

HIPS_AHEAD = replace(BODY, hip=BODY.hip + [0.05, 0.0, 0.0], pelvis=BODY.pelvis + [0.02, 0.0, 0.0])


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
    with pytest.raises(NeuraRigError, match=sentence):
        walked(edited(PLAIN, change), StyleTrack(Style(speed=1.0)))


@pytest.mark.parametrize(
    ("profile", "body"),
    [(None, BODY), (PLAIN, BODY), (WADER, BODY), (None, HIPS_AHEAD)],
    ids=["human", "plain", "wader", "a body whose hips are ahead of its feet"],
)
def test_a_walk_sent_over_the_wire_can_be_shown_at_the_other_end(profile, body):
    """The 30 outputs put the feet where they were, and the pelvis but for the reach guard, which softly acts
    again (5 mm at most)."""
    pose = (
        walk(body, StyleTrack(), Clock(), FRAMES)
        if profile is None
        else walked(profile, StyleTrack(Style(speed=1.0)))
    )
    values = np.zeros((len(FRAMES), len(CHANNELS)))
    values[:, :NEURARIG_OUTPUTS] = outputs_of(body, pose)
    shown = posed(body, values)
    for role in ("foot.L", "foot.R", "toe.L", "toe.R"):
        assert np.abs(shown.motions[role].position - pose.motions[role].position).max() < 1e-9, role
        assert np.abs(shown.motions[role].rotation - pose.motions[role].rotation).max() < 1e-9, role
    raised = shown.motions["pelvis"].position - pose.motions["pelvis"].position
    assert np.abs(raised).max() < 0.005 and np.abs(raised[:, :2]).max() < 1e-9
    assert np.abs(shown.motions["pelvis"].rotation - pose.motions["pelvis"].rotation).max() < 1e-9


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
        np.testing.assert_allclose(tailed.motions[role].position, motion.position, atol=1e-12, err_msg=role)
        np.testing.assert_allclose(tailed.motions[role].rotation, motion.rotation, atol=1e-12, err_msg=role)


def test_a_binding_for_the_spine_turns_the_chest():
    values = gait(edited(PLAIN, bound("spine", "spine", 6))).sample(
        np.array([[1.1, 0.42, 0.42, 0, 0.1, 0.42, 0.42, 0, 0.1]]), *np.zeros((2, 5))
    )
    np.testing.assert_allclose(values[:, SLICES["chest"]], np.broadcast_to([0.4, 0.5, 0.6], (5, 3)))


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
        with pytest.raises(NeuraRigError, match=f"'{name}' has 3 outputs"):
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
        np.testing.assert_allclose(
            foot.position, standing.motions[f"foot.{side}"].position * [0.0, 1.0, 1.0], atol=1e-9
        )
        assert sign * foot.position[0, 1] > 0.02
        np.testing.assert_allclose(foot.rotation, standing.motions[f"foot.{side}"].rotation, atol=1e-9)
