"""Turn Clip into Walk: the walk is the clip; changed, its feet stay planted; what does not walk is refused; a
damaged take too."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from neurarig_addon.core.character.body import LEFT
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait import synthesis
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.gait.kinds.bouncing_gait import bouncing_gait
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.kinds.gait_change import BySpeed
from neurarig_addon.core.gait.kinds.gaits import bounce_of
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.prints.added_steps import with_added
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.ikrig.encode import encode_motions
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT, Path
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.source import encode_clip
from neurarig_addon.core.steps import finish
from neurarig_addon.core.styles.styled_gait import in_styles
from neurarig_addon.core.takes.parametric import Parametric, joints_apart, made_parametric
from neurarig_addon.core.takes.performance import Performance
from neurarig_addon.core.takes.take_file import from_json, to_json
from tests.core.retarget_bodies import bodies, recorded
from tests.core.spoiled_walks import backwards, jumping, one_legged, still
from tests.core.style_clips import HUMAN, SOMEHOW, refined_once, walked
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip
from tests.core.walkers import RUNNING, WALKING
from tests.refusals import refuses

FPS = 60.0
TURNING = (("walk", "cmu_16_11"), ("walk", "cmu_16_19"), ("walk", "cmu_16_28"))


def performance_of(motions: dict[str, Motion], fps: float = FPS, character: Character = HUMAN) -> Performance:
    """Return motions of HUMAN as a clip on a character."""
    frames = np.arange(float(len(motions["pelvis"].position)))
    encoding = replace(
        encode_motions(HUMAN, motions, frames, fps, "Clip"), contacts=find_contacts(HUMAN, motions, fps)
    )
    return Performance.of(encoding, character)


def parametric(performance: Performance) -> tuple[Parametric, Path]:
    """Return a clip made parametric, and its path."""
    ways: list[Path] = []

    def lead(line: np.ndarray) -> Path:
        ways.append(Curve.through(line, performance.character.body.leg_length, slows=False))
        return ways[0]

    with refined_once():
        return finish(made_parametric(performance, WALKING, lead)), ways[0]


@cache
def known() -> tuple[Performance, Parametric, Path]:
    """Return a known walk made parametric."""
    performance = performance_of(walked(SOMEHOW))
    return performance, *parametric(performance)


def played(
    performance: Performance,
    made: Parametric,
    path: Path = STRAIGHT,
    seconds: np.ndarray | None = None,
    **sliders,
) -> WalkPose:
    """Return the walk of a clip made parametric, at the clip's own frames unless others are given."""
    gait = replace(in_styles(WALKING, [made.style]), take=made.take)
    track = StyleTrack(Style(**{"speed": made.speed, "phase": made.phase} | sliders))
    frames = (
        np.arange(round(made.seconds[1] * performance.fps) - round(made.seconds[0] * performance.fps) + 1)
        / performance.fps
    ) * 24.0
    frames = frames if seconds is None else seconds * 24.0
    return walk(performance.character.body, track, Clock(24.0, 0.0), frames, gait, path)


def off(performance: Performance, made: Parametric, pose: WalkPose) -> float:
    """Return how far joints are off the clip's in mm, the mean."""
    rows = slice(round(made.seconds[0] * performance.fps), round(made.seconds[1] * performance.fps) + 1)
    clip = {
        role: Motion(part.rotation[rows], part.position[rows], part.rest)
        for role, part in performance.motions.items()
    }
    walks = {role: pose.root.holding(part) for role, part in pose.motions.items()}
    return float(
        np.mean([values.mean() for values in joints_apart(performance.character.body, walks, clip).values()])
    )


def test_played_back_it_is_the_clip():
    performance, made, path = known()
    assert made.style is not None and made.speed == pytest.approx(SOMEHOW.speed, rel=0.02)
    assert made.seconds[0] < 0.1 and made.seconds[1] > 5.8
    pose = played(performance, made, path)
    assert off(performance, made, pose) == pytest.approx(made.off_mm, abs=0.2) and made.off_mm < 6.0
    assert off(performance, made, played(performance, made, path, as_recorded=0.0)) > 3.0 * made.off_mm


def test_the_body_is_as_recorded_for_as_long_as_the_left_foot_is():
    take = known()[1].take
    phases = np.linspace(take.begins[0] - 2.0, take.ends[0] + 2.0, 40)
    other = replace(take, begins=take.begins + [0.0, 3.0], ends=take.ends - [0.0, 3.0])
    for was, now in zip(take.of_body(phases, 0.9), other.of_body(phases, 0.9), strict=True):
        np.testing.assert_array_equal(now, was)
    assert not np.array_equal(
        take.of_feet(np.stack([phases] * 2, -1), 0.9), other.of_feet(np.stack([phases] * 2, -1), 0.9)
    )


@pytest.mark.few
@pytest.mark.parametrize(("group", "name"), TURNING)
@pytest.mark.parametrize("target", ["human", "child", "ape"])
def test_people_who_turn_are_walked_by_others(group, name, target):
    performance = Performance.of(encode_clip(*recorded(group, name)), bodies()[target])
    made, path = parametric(performance)
    pose = played(performance, made, path)
    assert off(performance, made, pose) < 25.0
    assert greatest_slip(performance.character.body, pose) < 1e-6


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "sliders",
    [
        {},
        {"speed": 0.5},
        {"speed": 1.6},
        {"as_recorded": 0.4},
        {"style_1": 0.3, "arm_swing": 2.0},
        {"stride": 1.2},
    ],
)
@pytest.mark.parametrize("bends", [False, True])
def test_changed_in_any_way_its_feet_stay_planted(sliders, bends):
    performance, made, path = known()
    body = performance.character.body
    if bends:
        line = made.line @ np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
        line[:, 1] += 0.6 * np.sin(1.2 * line[:, 0])
        path = Curve.through(line, body.leg_length)
    pose = played(performance, made, path, np.arange(-1.0, 9.0, 1.0 / 48.0), **sliders)
    assert greatest_slip(body, pose) < 1e-6 and deepest(body, pose) < 1e-6
    assert greatest_reach(body, pose) <= 0.999


def test_after_one_more_step_it_is_the_clip_again():
    performance, made, path = known()
    body, gait = performance.character.body, replace(in_styles(WALKING, [made.style]), take=made.take)
    walker = Walker.of(
        body, StyleTrack(Style(speed=made.speed, phase=made.phase)), Clock(24.0, 0.0), gait, path, LEVEL
    )
    more = replace(with_added(walker, ((LEFT, 2),)), edits=PrintEdits.of([PrintEdit(LEFT, 2, added=True)]))
    frames = np.arange(0.0, 139.0, 0.5)
    once, again = synthesis.walked(walker, frames), synthesis.walked(more, frames)
    assert (
        np.ptp(again.phase[:, LEFT]) > np.ptp(once.phase[:, LEFT]) + 0.9 and greatest_slip(body, again) < 1e-6
    )
    for role in ("head", "hand.L", "foot.R"):
        assert np.abs(once.motions[role].position[-12:] - again.motions[role].position[-12:]).max() < 0.01


def test_it_begins_and_ends_without_a_jump_and_goes_on_in_its_style():
    performance, made, _ = known()
    seconds = np.arange(-3.0, 12.0, 0.02)
    pose = played(performance, made, STRAIGHT, seconds)
    hand = pose.root.holding(pose.motions["hand.L"]).position
    assert np.linalg.norm(np.diff(hand, n=2, axis=0), axis=-1).max() < 0.02
    plain = played(performance, made, STRAIGHT, seconds, as_recorded=0.0)
    later = seconds > made.seconds[1] + 2.0
    rise, usual = (np.ptp(one.motions["pelvis"].position[later, 2]) for one in (pose, plain))
    assert rise == pytest.approx(usual, abs=1e-3)
    # an even walk is rounded to whole frames
    assert pose.stride[-1] == pytest.approx(plain.stride[-1], rel=0.03)
    assert pose.ground_speed[-1] == pytest.approx(made.speed, rel=1e-6)


def test_another_speed_takes_the_same_steps_in_less_time():
    performance, made, path = known()
    once, twice = (
        played(performance, made, path, np.array([0.0, 2.0 / pace]), speed=pace * made.speed).phase
        for pace in (1.0, 1.5)
    )
    assert np.ptp(twice[:, 0]) < np.ptp(once[:, 0])  # longer strides


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (still, "does not walk"),
        (backwards, "backward, or its left and right are swapped"),
        (one_legged, "one leg|take no steps|in turn"),
        (jumping, "jumps"),
        (
            lambda motions: {
                role: Motion(part.rotation[:40], part.position[:40], part.rest)
                for role, part in motions.items()
            },
            "fewer than 3 steps|take no steps",
        ),
    ],
)
def test_what_is_no_walk_is_refused_in_two_short_sentences(spoil, says):
    with refuses(says) as refused:
        parametric(performance_of(spoil(walked(SOMEHOW))))
    assert str(refused.value).count(".") == 2


def test_round_and_round_or_hopping_it_is_refused():
    performance, made, _ = known()
    angle = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    circle = Curve.through(
        np.stack([4.0 * np.sin(angle), 4.0 - 4.0 * np.cos(angle), 0.0 * angle], -1), 0.9, is_closed=True
    )
    with refuses("Open the path"):
        played(performance, made, circle)
    hops = bounce_of("HOP", "LEFT", "LEFT")
    assert hops is not None
    with refuses("recorded walk"):
        gait: Gait = replace(bouncing_gait(hops), take=made.take)
        walk(performance.character.body, StyleTrack(), Clock(), np.arange(3.0), gait)


def test_who_runs_by_speed_walks_as_the_clip_and_runs_as_people():
    performance, made, path = known()
    run = RUNNING
    by_speed = BySpeed(WALKING, run)
    gait = Gait(by_speed, by_speed, take=made.take)
    body, frames = performance.character.body, np.arange(0.0, 90.0, 0.5)
    walks, runs = (
        walk(body, StyleTrack(Style(speed=speed, phase=made.phase)), Clock(), frames, gait, path)
        for speed in (made.speed, 3.5)
    )
    plain = walk(
        body, StyleTrack(Style(speed=3.5, phase=made.phase, as_recorded=0.0)), Clock(), frames, gait, path
    )
    assert off_each(walks, plain) > 0.02 and greatest_slip(body, runs) < 1e-6
    assert np.allclose(
        runs.motions["spine.1"].rotation[20:60], plain.motions["spine.1"].rotation[20:60], atol=0.2
    )


def off_each(first: WalkPose, second: WalkPose) -> float:
    """Return how far the heads of two walks are apart in height in metres, the most."""
    return float(np.abs(first.motions["head"].position[:, 2] - second.motions["head"].position[:, 2]).max())


def test_its_text_holds_all_of_it():
    performance, made, path = known()
    text = to_json(made.take)
    again = replace(made, take=from_json(text, "It"))
    assert to_json(again.take) == text
    assert off(performance, again, played(performance, again, path)) == pytest.approx(made.off_mm, abs=0.3)
