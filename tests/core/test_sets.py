"""Sets of clips: equally long in a group, joined without a seam, feet that stand where they stand, and what
the manifest tells of them."""

import json
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.body.feet import FLAT
from neurarig_addon.core.character.motion import Motion, RolePose
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.sliders.style import Style, StyleTrack
from neurarig_addon.core.geometry.rotation import about_z
from neurarig_addon.core.sets.clip import (
    ACTS,
    CORE,
    FULL,
    IDLE,
    LONG_TAKE,
    LOOP,
    RESPONSIVE,
    SETS,
    START,
    STOP,
    STRIDE_TURN,
    TURN,
    SetClip,
    clip_plans,
)
from neurarig_addon.core.sets.cutting import clips_of
from neurarig_addon.core.sets.manifest import ROOT_MOTION, manifest
from neurarig_addon.core.sets.naming import (
    CONVENTIONS,
    MIXAMO,
    UNREAL,
    clip_name,
    convention,
    require_pattern,
)
from neurarig_addon.core.sets.seams import eased, unlike
from neurarig_addon.core.sets.stretch import Walking
from neurarig_addon.core.skeleton.roles import BIRD, QUADRUPED, SIDES, sided
from tests.core.walkers import BODY, BY_SPEED, RUNNING, WALKING
from tests.refusals import refuses

FPS = 30.0
SEAM = 0.1  # degrees


def gait(name: str) -> Gait:
    return {"WALK": WALKING, "RUN": RUNNING, "BY_SPEED": BY_SPEED}[name]


WHO: dict[str, dict[str, float]] = {
    "plain": {},
    "a person": {"individual": 1.0, "asymmetry": 0.2, "energy": -0.5, "variation": 1.0},
}
# Starts and stops, which take long to cut, of one; turns in full stride of the other.
PLANS = {
    "plain": [
        *clip_plans(CORE),
        *clip_plans(FULL, ("crouch_idle",)),
        *(plan for plan in clip_plans(RESPONSIVE) if plan.haste or plan.tread),
    ],
    "a person": [plan for plan in clip_plans(FULL) if plan.kind not in (START, STOP)],
}


@lru_cache
def cut(who: str = "plain") -> dict[str, SetClip]:
    walking = Walking(BODY, StyleTrack(Style(**WHO[who]), person=3), FPS, gait)
    return {clip.plan.name: clip for clip in clips_of(walking, PLANS[who])}


@pytest.fixture(scope="module", params=WHO)
def clips(request: pytest.FixtureRequest) -> dict[str, SetClip]:
    return cut(request.param)


def row(clip: SetClip, at: int) -> RolePose:
    return RolePose.rows_of(clip.pose, np.array([at]))


def joined(clip: SetClip, others: dict[str, SetClip]) -> list[tuple[int, RolePose]]:
    """Return the rows of a clip at which it joins another, with the other's pose."""
    if clip.plan.kind == LOOP:
        return [(clip.frames, row(clip, 0))]
    group = clip.plan.group.name
    idle, loop = others["crouch_idle" if group == "crouch" else "idle"], others[f"{group}_forward"]
    ends = ((clip.enters, 0), (clip.leaves, clip.frames))
    return [
        (at, row(idle, 0) if phase is None else row(loop, round(phase * loop.frames))) for phase, at in ends
    ]


@pytest.mark.few
def test_clips_join_without_a_seam(clips):
    off = {
        name: [float(unlike(row(clip, at), other)[0]) for at, other in joined(clip, clips)]
        for name, clip in clips.items()
    }
    assert {name: each for name, each in off.items() if max(each) > SEAM} == {}


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(8))
def test_whoever_walks_at_whatever_speed_and_rate_the_clips_join(seed):
    draw = np.random.default_rng(seed)
    sliders = {"individual": 1.0, "crouch": 0.1, "stride": 1.2, "asymmetry": 0.6, "energy": 1.0, "lean": 12.0}
    drawn = Style(
        **{name: float(draw.uniform(0.0, most)) for name, most in sliders.items() if name != "stride"},
        stride=draw.uniform(0.8, 1.2),
    )
    walking = Walking(
        BODY,
        StyleTrack(drawn, person=seed),
        float(draw.choice([12.0, 25.0, 60.0, 120.0])),
        gait,
        draw.uniform(0.3, 2.6),
    )
    made = {clip.plan.name: clip for clip in clips_of(walking, clip_plans(CORE))}
    for clip in made.values():
        if clip.plan.group.name != "crouch":
            assert max(float(unlike(row(clip, at), other)[0]) for at, other in joined(clip, made)) < SEAM, (
                clip.plan.name
            )
        assert clip.plan.kind != LOOP or clip.travel[-1] == pytest.approx(clip.stride, rel=1e-3)


def test_feet_that_stand_stay_where_they_are(clips):
    for clip in clips.values():
        for side, letter in enumerate(SIDES):
            foot = clip.pose.in_world()[sided("foot", letter)]
            flat = clip.planted[:, side] & (np.abs(foot.rotation[:, 2, 2] - 1.0) < 1e-9)
            both = flat[1:] & flat[:-1]
            assert np.linalg.norm(np.diff(foot.position, axis=0)[both], axis=-1).max(initial=0.0) < 5e-4, (
                clip.plan.name
            )


def test_clips_of_a_group_are_equally_long_and_begin_with_the_left_contact(clips):
    loops = [clip for clip in clips.values() if clip.plan.kind == LOOP]
    for clip in loops:
        first = next(other for other in loops if other.plan.group == clip.plan.group)
        assert clip.frames == first.frames
        assert clip.contacts[0] == ("left", 0.0) and clip.contacts[-1] == ("left", clip.frames)
        way = np.diff(clip.pose.root.position, axis=0)
        assert_allclose(way, np.broadcast_to(way.mean(axis=0), way.shape), atol=1e-5)
        assert clip.travel[-1] == pytest.approx(clip.stride, rel=1e-4)


def test_clips_go_where_their_names_say(clips):
    for clip in clips.values():
        x, y, _ = clip.pose.root.position[-1]
        plan = clip.plan
        if plan.kind in (IDLE, TURN):
            assert np.hypot(x, y) < 1e-6
        elif plan.kind in (LOOP, START, STOP):
            way = plan.toward + plan.degrees
            assert abs((np.degrees(np.arctan2(y, x)) - way + 180.0) % 360.0 - 180.0) < 0.1
        assert np.degrees(clip.turned[-1]) == pytest.approx(plan.degrees, abs=0.1)
        if plan.kind in (START, STOP):
            stands = plan.kind == STOP and plan.haste > 0.0
            assert (clip.contacts[0][0] == plan.foot.lower()) != stands
            assert (clip.enters is None) == (plan.kind == START)
        assert clip.frames < (9.0 if plan.kind == STRIDE_TURN else 5.5) * FPS


def test_quick_clips_stop_within_a_step_or_two_and_set_off_at_once(clips):
    for clip in clips.values():
        if clip.plan.haste:
            way = FPS * np.diff(clip.travel)
            slow = np.flatnonzero(way > 0.1 * clip.speed)[-1] / FPS
            fast = np.flatnonzero(way > 0.9 * clip.speed)[:1] / FPS
            runs = clip.plan.group.name == "run"
            if clip.plan.kind == STOP:
                assert slow < (0.7 if runs else 0.4)
            else:
                assert (fast if len(fast) else clip.frames / FPS) < 1.3


def test_stairs_are_as_steep_and_deep_as_the_manifest_says():
    clips = [("", "", clip) for clip in cut().values() if clip.plan.tread]
    told = manifest("Hero", "PLAIN", ROOT_MOTION, clips, {}, {})["clips"]
    for (_, _, clip), row_of in zip(clips, told, strict=True):
        left, right = (
            clip.pose.in_world()[sided("foot", letter)].position[clip.pivot[:, side] == FLAT].mean(axis=0)
            for side, letter in enumerate(SIDES)
        )
        step = [row_of["stairs"]["run"], row_of["stairs"]["rise"]]
        assert_allclose((right - left)[[0, 2]], step, atol=2e-3)
    assert [row_of["stairs"]["rise"] > 0.1 for row_of in told] == [True, False]


def test_the_core_set_has_the_clips_that_engines_ask_for():
    plans = clip_plans(CORE)
    assert len(plans) == 35
    ways = {
        group: {plan.toward for plan in plans if plan.kind == LOOP and plan.group.name == group}
        for group in ("walk", "run", "crouch")
    }
    assert ways["walk"] == ways["run"] == {0, 45, 90, 135, 180, -135, -90, -45} and ways["crouch"] == {
        0,
        90,
        180,
        -90,
    }
    assert {(plan.kind, plan.group.name, plan.foot) for plan in plans if plan.kind in (START, STOP)} == {
        (kind, group, foot)
        for kind in (START, STOP)
        for group in ("walk", "run")
        for foot in ("LEFT", "RIGHT")
    }
    assert [plan.name for plan in clip_plans(CORE, ("idle", "walk_left"))] == ["idle", "walk_left"]
    with refuses("no clip 'walk_up'"):
        clip_plans(CORE, ("walk_up",))


def test_a_responsive_set_of_an_animal_starts_stops_and_turns_calmly():
    for kind, loop in ((QUADRUPED, "trot_forward"), (BIRD, "run_forward")):
        plans = clip_plans(RESPONSIVE, character=kind)
        assert {"walk_start_left_foot", "walk_stop_right_foot", "walk_turn_left_90", loop} <= {
            plan.name for plan in plans
        }
        assert not any(plan.haste for plan in plans)
    assert "walk_start_left_foot" not in {plan.name for plan in clip_plans(RESPONSIVE)}


def test_acts_lead_from_standing_to_standing():
    walking = Walking(BODY, StyleTrack(Style(), person=3), FPS, gait)
    acts = {clip.plan.name: clip for clip in clips_of(walking, clip_plans(ACTS))}
    standing = cut()["idle"].pose
    for clip in acts.values():
        assert clip.enters is clip.leaves is None and not clip.cycle
        assert unlike(row(clip, 0), RolePose.rows_of(standing, np.array([0]))).max() < SEAM
        assert unlike(row(clip, -1), RolePose.rows_of(standing, np.array([0]))).max() < SEAM
        assert clip.travel[-1] == pytest.approx(clip.plan.length * BODY.leg_length, abs=0.02)
        jumps = clip.plan.name.startswith("jump")
        assert (~clip.planted.any(axis=1)).any() == jumps and len(clip.contacts) == 2 * jumps


@pytest.mark.parametrize("name", CONVENTIONS)
def test_names_tell_clips_and_bones_apart(name):
    rule = convention(name)
    names = [clip_name(plan, "Hero", rule) for plan in {plan for which in SETS for plan in clip_plans(which)}]
    assert len(set(names)) == len(names)
    roles = [
        "pelvis",
        "spine.1",
        "spine.2",
        "neck",
        "head",
        *(sided(part, side) for part in ("thigh", "shin", "hand") for side in SIDES),
    ]
    bones = [rule.bone_of(role) for role in roles]
    assert all(bone is None for bone in bones) if name == "PLAIN" else len(set(bones)) == len(bones)


def test_names_are_those_of_the_engines():
    plans = {plan.name: plan for plan in clip_plans(FULL)}
    assert clip_name(plans["walk_backward_left"], "Hero", convention("UNITY")) == "Locomotion--Walk_SW"
    assert clip_name(plans["run_start_left_foot"], "Hero", convention(UNREAL)) == "MM_Unarmed_Run_Fwd_Start_L"
    assert (
        clip_name(plans["walk_left"], "Hero", convention("GAME_ANIMATION_SAMPLE")) == "M_Neutral_Walk_Loop_LL"
    )
    assert (
        clip_name(plans["walk_left"], "He/ro", convention(UNREAL), "{character}-{name}") == "He_ro-walk_left"
    )
    assert (
        convention(UNREAL).bone_of("shin.R") == "calf_r"
        and convention(UNREAL).finger_of("L", 3, 0) == "pinky_01_l"
    )
    assert convention(MIXAMO).finger_of("L", None, 1) == "mixamorig:LeftHandThumb2"


@pytest.mark.parametrize("pattern", ["{name", "{group}", "{name}{__class__}", "{name}" * 40])
def test_a_pattern_that_cannot_name_clips_is_refused(pattern):
    with refuses("name pattern"):
        require_pattern(pattern)


def test_the_manifest_places_clips_in_blend_spaces():
    clips = [(name, f"{name}.fbx", clip) for name, clip in cut().items()]
    told = json.loads(json.dumps(manifest("Hero", "PLAIN", ROOT_MOTION, clips, {"pelvis": "Hips"}, {})))
    walk = {sample["animation"]: sample for sample in told["blend_spaces"]["walk"]}
    assert walk["walk_right"]["direction"] == 90.0 and walk["walk_backward"]["direction"] == 180.0
    assert walk["walk_right"]["velocity"][0] == pytest.approx(walk["walk_right"]["speed"], abs=1e-3)
    one = next(clip for clip in told["clips"] if clip["name"] == "walk_forward")
    assert one["loops"] and len(one["phase"]) == one["frames"] + 1 == len(one["contacts"]["left"])
    assert (
        one["root"]["y"][-1] == pytest.approx(one["stride"], rel=1e-4)
        and max(map(abs, one["root"]["x"])) < 1e-4
    )
    assert [marker["name"] for marker in one["sync_markers"]] == ["L", "R", "L"]
    stop = next(clip for clip in told["clips"] if clip["name"] == "run_quick_stop_right_foot")
    assert stop["enters"]["phase"] > 0.5 and [left["phase"] for left in stop["exits"][:2]] == [0.0, 0.5]
    left = next(clip for clip in told["clips"] if clip["name"] == "walk_left")
    assert left["root"]["x"][-1] > 0.0, "x is to the left"


def test_a_pose_that_is_eased_reaches_the_other_and_keeps_its_limbs_and_feet():
    clip, standing = cut()["walk_stop_left_foot"], row(cut()["crouch_idle"], 0)
    gaze = clip.pose.motions["head"]
    pose = replace(clip.pose, motions={**clip.pose.motions, "gaze.L": gaze})
    other = replace(standing, motions={**standing.motions, "gaze.L": standing.motions["head"]})
    found = eased(pose, None, other, 20.0)
    last = RolePose.rows_of(found, np.array([-1]))
    assert unlike(last, other)[0] < 0.3  # knees follow from hips and feet
    for side in SIDES:
        for upper, lower in (("thigh", "shin"), ("shin", "foot"), ("upper_arm", "forearm")):
            start, end = (found.motions[sided(part, side)] for part in (upper, lower))
            long = np.linalg.norm(end.position - start.position, axis=-1)
            assert_allclose(long, np.linalg.norm(end.rest - start.rest), atol=1e-6)
            assert_allclose(start.carry(end.rest), end.position, atol=1e-6)


@pytest.mark.parametrize("eye", ["eye.L", "gaze.L"])
def test_an_eye_stays_in_a_head_that_is_eased_aside(eye):
    clip = cut()["walk_stop_left_foot"]
    standing = row(clip, -1)
    in_head = Motion(np.eye(3)[None], np.array([[0.1, 0.03, 1.6]]), np.array([0.1, 0.03, 1.6]))
    head = standing.motions["head"]
    aside = {**standing.motions, "head": replace(head, rotation=about_z(0.7) @ head.rotation)}
    before, other = (
        replace(pose, motions={**motions, eye: motions["head"].holding(in_head)})
        for pose, motions in ((clip.pose, clip.pose.motions), (standing, aside))
    )
    found = eased(before, None, other, 20.0).motions
    seen = found["head"].seen(found[eye].position)
    assert_allclose(seen, np.broadcast_to(in_head.position, seen.shape), atol=1e-9)


def test_a_walk_of_another_speed_makes_another_walk_but_the_same_run():
    walking = Walking(BODY, StyleTrack(Style()), FPS, gait, speed=0.9)
    slow, run = clips_of(walking, clip_plans(CORE, ("walk_forward", "run_forward")))
    assert slow.speed == pytest.approx(0.9) and run.speed == pytest.approx(cut()["run_forward"].speed)
    other = replace(walking, fps=60.0)
    assert next(clips_of(other, clip_plans(CORE, ("walk_forward",)))).frames > 1.6 * slow.frames


@pytest.mark.few
@pytest.mark.parametrize("seed", [1, 2])
def test_a_long_take_has_all_speeds_stops_and_turns_and_feet_that_stand(seed):
    plan = replace(clip_plans(LONG_TAKE)[0], seconds=60.0, seed=seed)
    walking = Walking(BODY, StyleTrack(Style()), FPS, gait)
    take, again = (next(clips_of(walking, [plan])) for _ in range(2))
    assert_array_equal(take.pose.root.position, again.pose.root.position)
    speed = FPS * np.diff(take.travel)
    assert 55.0 < take.frames / FPS < 150.0
    assert (
        (speed < 0.01).any()
        and (np.abs(speed - walking.walk_speed) < 0.1).any()
        and speed.max() > 1.8 * walking.walk_speed
    )
    assert np.ptp(take.turned) > np.pi
    idle = next(clips_of(walking, clip_plans(CORE, ("idle",))))
    for at in (0, take.frames):
        assert unlike(row(take, at), row(idle, 0))[0] < SEAM
    for side, letter in enumerate(SIDES):
        foot = take.pose.in_world()[sided("foot", letter)]
        flat = take.planted[:, side] & (np.abs(foot.rotation[:, 2, 2] - 1.0) < 1e-9)
        both = flat[1:] & flat[:-1]
        assert np.linalg.norm(np.diff(foot.position, axis=0)[both], axis=-1).max() < 1e-3
