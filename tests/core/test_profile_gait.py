"""A profile as a walk source: its own stride and duty factor, feet planted or left to the formulas, one sentence for a fault."""

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.human_body import human_body
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.contract.channels import CHANNELS, NEURARIG_OUTPUTS, SLICES
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.gait.contract_pose import outputs_of, posed
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.kinds.plain import PlainGait
from neurarig_addon.core.gait.kinds.profile_gait import ProfileGait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.ground.pivots import SWING
from neurarig_addon.core.logic.profile import FOLDER, Profile
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip
from tests.core.walk_paths import PATHS
from tests.core.walk_styles import WALKS

BODY = human_body()
HIPS_AHEAD = replace(BODY, hip=BODY.hip + [0.05, 0.0, 0.0], pelvis=BODY.pelvis + [0.02, 0.0, 0.0])
FRAMES = np.arange(0.0, 121.0, 0.25)
SHIPPED = {path.stem: Profile.load(path) for path in sorted(FOLDER.glob("*.json"))}
PLAIN, WADER = (next(profile for name, profile in SHIPPED.items() if part in name) for part in ("plain", "wader"))
NOTHING_M = 1e-9


def gait(profile: Profile) -> ProfileGait:
    return ProfileGait(profile, PlainGait())


def walked(profile: Profile, track: StyleTrack, planted: bool = True, frames: np.ndarray = FRAMES):
    source = gait(profile)
    return walk(BODY, track, Clock(), frames, Gait(source, source, planted))


def edited(profile: Profile, change) -> Profile:
    """Return a profile whose JSON `change` has changed."""
    whole = json.loads(profile.to_json())
    change(whole["Schema"])
    return Profile.from_json(json.dumps(whole))


@pytest.mark.parametrize("profile", SHIPPED.values(), ids=SHIPPED)
@pytest.mark.parametrize("name", WALKS)
def test_planted_feet_stay_planted_whatever_the_profile(name, profile):
    pose = walked(profile, WALKS[name])
    assert greatest_slip(BODY, pose) < NOTHING_M
    assert deepest(BODY, pose) < NOTHING_M
    assert greatest_reach(BODY, pose) <= 0.999


@pytest.mark.parametrize("name", PATHS)
def test_feet_stay_planted_on_paths_with_corners_and_without(name):
    source = gait(PLAIN)
    pose = walk(BODY, StyleTrack(Style(speed=1.0)), Clock(), FRAMES, Gait(source, source), PATHS[name])
    assert greatest_slip(BODY, pose) < NOTHING_M and deepest(BODY, pose) < NOTHING_M


@pytest.mark.parametrize("profile", SHIPPED.values(), ids=SHIPPED)
def test_stride_is_the_profiles_own(profile):
    """Stride over leg goes with the root of speed over leg, times two constants, in all three."""
    for speed in (0.5, 1.2):
        pose = walk(BODY, StyleTrack(Style(speed=speed)), Clock(whole_frames=False), FRAMES[:4], Gait(*[gait(profile)] * 2))
        constants = profile.constants
        expected = constants["stride_scale"] * constants["gait_scale"] * np.sqrt(speed * BODY.leg_length)
        assert pose.stride[0] == pytest.approx(expected, rel=1e-9)
        assert pose.period[0] == pytest.approx(expected / speed, rel=1e-9)


def test_duty_factor_is_the_profiles_own():
    for duty in (0.6, 0.76, 0.84):
        pose = walked(WADER.with_constants(duty=duty), StyleTrack(Style(speed=0.8)))
        assert np.abs(pose.duty - duty).max() < 1e-8
        on_ground = (pose.pivot != SWING).mean()
        assert on_ground == pytest.approx(duty, abs=0.02)


def test_stance_is_measured_where_no_phase_is_named_after_it():
    """Renamed phases leave only the curves to tell: stance is where the foot moves back on the ground."""

    def rename(schema):
        for phase in schema["Rules"][0]["Phases"]:
            phase["id"] = f"number {len(phase['x'])}"

    renamed = edited(PLAIN, rename)
    slow = np.array([0.0, 0.42, 0.42, 0.0, 0.0, 0.42, 0.42, 0.0, 0.0])
    assert np.abs(gait(renamed).stance(slow).duty - 0.5).max() < 1e-6
    assert np.abs(gait(renamed).stance(slow).begins % 1.0 - gait(PLAIN).stance(slow).begins % 1.0).max() % 1.0 < 1e-6


def test_a_profile_that_begins_elsewhere_in_its_cycle_walks_the_same():
    def later(schema):
        for rule in schema["Rules"]:
            rule["Logic"]["phase"] = rule["Logic"]["phase"].replace("+ offset", "+ offset + 0.3")

    ours, theirs = (walked(profile, StyleTrack(Style(speed=1.1))) for profile in (PLAIN, edited(PLAIN, later)))
    for role in ("foot.L", "foot.R", "pelvis"):
        assert np.abs(ours.motions[role].position - theirs.motions[role].position).max() < 1e-6


def test_channels_are_the_profiles_outputs():
    source = gait(PLAIN)
    slow = np.array([[1.1, 0.42, 0.42, 0.0, 0.1, 0.42, 0.42, 0.0, 0.1]])
    phase = np.linspace(0.0, 0.99, 50)
    values = source.sample(slow, phase, phase + 0.5)
    inputs = np.repeat(np.r_[slow[0], 0.0, 0.0][None], 50, axis=0)
    inputs[:, 7] = 0.5
    inputs[:, 9] = phase * source.stride(slow)[0] / 1.1
    own = PLAIN.evaluate(inputs)
    assert np.abs(values[:, : SLICES["chest"].start] - own).max() < 1e-9


@pytest.mark.parametrize("name", ["speed 1.3", "speed keyed 0.6 to 1.8"])
def test_velocities_of_planted_feet_are_continuous(name):
    """The corners of a linear stance and a sine arc are gone: halving the time step halves the largest change of velocity."""
    changes = []
    for step in (1 / 16, 1 / 32):
        pose = walked(PLAIN, WALKS[name], frames=np.arange(10.0, 60.0, step))
        paths = [pose.motions[role].position for role in ("foot.L", "foot.R", "pelvis")]
        changes.append(max(np.abs(np.diff(path, 2, axis=0) / step).max() for path in paths))
    assert changes[1] < 0.62 * changes[0]


def test_free_feet_follow_the_formulas():
    pose = walked(PLAIN, StyleTrack(Style(speed=1.1)), planted=False)
    period, stride = pose.period[0], pose.stride[0]
    reach = 0.25 * PLAIN.constants["gait_scale"] * PLAIN.constants["stride_scale"] * np.sqrt(1.1 * BODY.leg_length)
    for side, role in ((LEFT, "foot.L"), (RIGHT, "foot.R")):
        cycle = 2.0 * (pose.phase[:, side] % 1.0) - 1.0
        x = np.where(cycle < 0.0, -reach * (2.0 * cycle + 1.0), -reach * np.cos(np.pi * cycle))
        assert np.abs(pose.motions[role].position[:, 0] - x).max() < 1e-6
    assert stride == pytest.approx(period * 1.1)
    assert greatest_slip(BODY, pose) > 1e-3, "an ankle that moves straight back while the heel rises lets the ball slip"


def test_standing_still_is_exact():
    for profile in SHIPPED.values():
        pose = walked(profile, StyleTrack(Style(speed=0.0, idle=0.0)))
        assert all(np.ptp(motion.position, axis=0).max() < 1e-12 for motion in pose.motions.values())


def test_pose_is_a_function_of_the_frame_alone():
    track = WALKS["speed keyed 0.6 to 1.8"]
    together = walked(WADER, track)
    for row in (3, 77, 300):
        alone = walked(WADER, track, frames=FRAMES[row : row + 1])
        for role, motion in together.motions.items():
            assert np.abs(alone.motions[role].position[0] - motion.position[row]).max() < 1e-9


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
    """The 30 outputs put the feet where they were, and the pelvis but for the reach guard, which softly acts again (5 mm at most)."""
    pose = walk(body, StyleTrack(), Clock(), FRAMES) if profile is None else walked(profile, StyleTrack(Style(speed=1.0)))
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
        formulas = {key: str(0.1 * (n + 1)) for n, key in enumerate(("x", "y", "z", "pitch", "yaw", "roll")[:size])}
        schema["Rules"].append({"Name": target, "Logic": {}, "Phases": [{"id": "always", "condition": "1", **formulas}]})

    return change


def test_a_binding_that_no_walk_knows_changes_nothing():
    """A tail has no bones here, and however many numbers it likes."""
    plain, tailed = (walked(profile, StyleTrack(Style(speed=1.1))) for profile in (PLAIN, edited(PLAIN, bound("tail", "tail", 3))))
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
        np.testing.assert_allclose(foot.position, standing.motions[f"foot.{side}"].position * [0.0, 1.0, 1.0], atol=1e-9)
        assert sign * foot.position[0, 1] > 0.02
        np.testing.assert_allclose(foot.rotation, standing.motions[f"foot.{side}"].rotation, atol=1e-9)
