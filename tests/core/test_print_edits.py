"""Footprints in somebody's hand: local to the bit, planted, smooth, and told of where no leg can."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.gait.kinds.gait import PLAIN
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.prints.edited_steps import edited_steps
from neurarig_addon.core.gait.prints.print_shapes import outline
from neurarig_addon.core.gait.sliders.style import Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import footsteps
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.geometry.rotation import rotated
from neurarig_addon.core.ground.surface import LEVEL, Ground, Surface
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.edited_walks import drawn, print_at, told, walker
from tests.core.walk_measures import greatest_reach, greatest_slip, knee_angle, sole_points
from tests.core.walk_paths import PATHS
from tests.core.walk_styles import WALKS
from tests.core.walkers import BODY, WALKING

FRAMES = np.arange(-20.0, 200.0, 0.5)
BUMPS = Surface(lambda places: 0.05 * np.sin(1.3 * places[:, 0]) * np.cos(0.9 * places[:, 1]))
PLACES: dict[str, tuple[Path, Ground]] = {
    "straight": (STRAIGHT, LEVEL),
    "S": (PATHS["S"], LEVEL),
    "bumps": (STRAIGHT, BUMPS),
    "S over bumps": (PATHS["S"], BUMPS),
}
FEET = tuple(f"{part}.{side}" for part in ("foot", "toe") for side in "LR")
STYLES = (
    "speed 0.4",
    "speed 1.3",
    "speed 1.7",
    "asymmetry 1.0",
    "weight 1.0",
    "phase 0.37",
    "speed keyed 0.6 to 1.8",
    "start and stop",
)


def differs(one: WalkPose, other: WalkPose, roles: tuple[str, ...] | None = None) -> np.ndarray:
    """Say at which frames anything of two poses, or of some roles, is not the same `(f,)`, but for
    rounding."""
    moved = [
        np.abs(getattr(one.motions[role], part) - getattr(other.motions[role], part)) > 1e-9
        for role in roles or one.motions
        for part in ("position", "rotation")
    ]
    moved += [np.abs(one.phase - other.phase) > 1e-9, np.abs(one.root.position - other.root.position) > 1e-9]
    return np.any([part.reshape(len(part), -1).any(axis=1) for part in moved], axis=0)


def around(inside: np.ndarray) -> np.ndarray:
    """Return the frames `(f,)` within 0.8 s of those inside a window: hips sink before a leg pulls them, and
    rise after."""
    return np.abs(FRAMES[:, None] - FRAMES[inside]).min(axis=1, initial=np.inf) < 0.8 * 24.0


@pytest.mark.few
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("where", PLACES)
def test_one_print_changes_nothing_outside_its_window(where, style, seed):
    edit = drawn(seed)[0]
    natural = walker((), *PLACES[where], track=WALKS[style])
    edited = replace(natural, edits=PrintEdits.of([edit]))
    plan, other = walked(natural, FRAMES), walked(edited, FRAMES)
    changed = differs(plan, other)
    steps = footsteps(natural, np.array([[edit.number - 1.0] * 2, [edit.number + 1.0] * 2]))
    lift = steps.steps.lift[edit.number - 1 - steps.first[edit.side], edit.side]
    phase = plan.phase[:, edit.side]
    inside = (phase > lift) & (phase < edit.number + 1)
    assert not (changed & ~around(inside)).any() and not (differs(plan, other, FEET) & ~inside).any()
    assert changed[inside].any() or not inside.any()


@pytest.mark.parametrize("where", PLACES)
def test_a_held_foot_is_as_planned_until_its_print_before_and_from_its_landing_after(where):
    natural = walker((), *PLACES[where])
    edited = replace(
        natural, edits=PrintEdits.of([PrintEdit(RIGHT, 4, held=True), PrintEdit(RIGHT, 5, held=True)])
    )
    plan, other = walked(natural, FRAMES), walked(edited, FRAMES)
    phase = plan.phase[:, RIGHT]
    inside = (phase >= 3.0) & (phase < 6.0)
    assert (
        not (differs(plan, other) & ~around(inside)).any()
        and not (differs(plan, other, FEET) & ~inside).any()
    )
    heel = sole_points(BODY, walked(edited, FRAMES), RIGHT)
    flat = (phase > 3.3) & (phase < 5.25)
    assert all(np.ptp(heel[pivot][flat], axis=0).max() < 1e-12 for pivot in heel)


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("where", PLACES)
def test_edited_feet_are_planted(where, seed):
    """However many prints are edited, by much, and whatever the gait wants: slip is zero by geometry."""
    for gait, style in ((WALKING, STYLES[seed % len(STYLES)]), (PLAIN, "speed 1.3")):
        pose = walked(walker(drawn(seed, 1.5, 6, held=True), *PLACES[where], gait, WALKS[style]), FRAMES)
        assert greatest_slip(BODY, pose) < 1e-9
        assert all(np.isfinite(motion.position).all() for motion in pose.motions.values())


@pytest.mark.few
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("where", PLACES)
def test_legs_reach_and_nothing_jumps(where, seed):
    edits = drawn(seed, 0.6, 5)
    fine = np.arange(20.0, 120.0, 0.02)
    pose = walked(walker(edits, *PLACES[where]), fine)
    assert greatest_reach(BODY, pose) <= 0.999
    for motion in pose.motions.values():
        speed = np.linalg.norm(np.diff(motion.position, axis=0), axis=1) * 24.0 / 0.02
        assert speed.max() < 12.0
        assert np.abs(np.diff(speed)).max() < 0.35


def test_time_rises_for_each_foot_and_the_body():
    for seed in range(20):
        made = walker(drawn(seed, 4.0, 8))
        phase = np.linspace([0.5, 1.0], [8.5, 9.0], 20_001)
        steps = edited_steps(made, phase)
        pace = np.diff(steps.paced(phase), axis=0) / np.diff(phase, axis=0)
        assert pace.min() > 0.3
        held = edited_steps(walker(drawn(seed, 4.0, 8, held=True)), phase)
        assert np.diff(held.timed(phase), axis=0).min() >= 0.0


@pytest.mark.parametrize("speed", [0.7, 1.6])
def test_a_print_is_carried_by_path_and_speed(speed):
    """It stays so far along, aside and turned from the print as planned, as the path heads there."""
    edit = PrintEdit(LEFT, 5, along=0.1, aside=-0.2, yaw=0.3)
    for path in (STRAIGHT, PATHS["circle of 2 m"]):
        made = walker([edit], path, track=StyleTrack(Style(speed=speed)))
        planned, now, steps, row = print_at(made, LEFT, 5)
        course = np.broadcast_to(steps.course, steps.heading.shape)[row]
        ahead, left = np.array([np.cos(course), np.sin(course)]), np.array([-np.sin(course), np.cos(course)])
        assert np.allclose([(now - planned)[:2] @ ahead, (now - planned)[:2] @ left], [0.1, -0.2])


def test_a_moved_print_lies_on_the_ground_there_and_keeps_its_height_over_it():
    moved = {"along": 0.15, "aside": 0.1}
    _, low, lying, row = print_at(walker([PrintEdit(RIGHT, 3, **moved)], ground=BUMPS), RIGHT, 3)
    _, high, raised, _ = print_at(
        walker([PrintEdit(RIGHT, 3, height=0.2, slope=0.1, **moved)], ground=BUMPS), RIGHT, 3
    )
    assert abs(low[2] - BUMPS.height(low)) < 0.01 and np.allclose(high - low, [0.0, 0.0, 0.2])
    assert np.isclose(raised.slope[row] - lying.slope[row], 0.1)


def test_the_ground_has_a_hollow_under_a_print_that_is_sunk_or_tilted_and_nowhere_else():
    moved = PrintEdit(LEFT, 4, along=0.1, aside=0.1, yaw=0.3)
    for sunk in ({"height": -0.05}, {"slope": 0.2}, {"bank": -0.2}):
        made = walker([moved, PrintEdit(RIGHT, 3, **sunk)], ground=BUMPS)
        steps = edited_steps(made, np.array([[1.0, 1.0], [6.5, 6.5]]))
        ground, prints = steps.ground(made), steps.plan.steps.prints
        places = (prints.place[:, :, None] + rotated(prints.axes[:, :, None], outline(made.sole)))[..., :2]
        deep = (BUMPS.height(places) - ground.height(places)).max(axis=-1)
        assert np.argwhere(deep > 1e-9).tolist() == [[3 - steps.planned.first[RIGHT], RIGHT]]
    assert (
        edited_steps(walker([moved], ground=BUMPS), np.array([[1.0, 1.0], [6.5, 6.5]])).ground(
            walker(ground=BUMPS)
        )
        is BUMPS
    )


def test_the_pelvis_goes_half_way_with_one_print_and_all_the_way_with_a_run():
    natural = walked(walker(), FRAMES)

    def shift(edits, at):
        pelvis = walked(walker(edits), FRAMES).motions["pelvis"].position - natural.motions["pelvis"].position
        return pelvis[np.abs(natural.phase[:, LEFT] - at).argmin()]

    assert np.allclose(shift([PrintEdit(LEFT, 4, aside=0.1)], 4.3)[1], 0.05)
    run = [PrintEdit(side, number, aside=0.1) for side in (LEFT, RIGHT) for number in range(3, 7)]
    assert np.allclose([shift(run, at)[1] for at in (4.3, 4.55, 4.8, 5.1)], 0.1)
    turned = walked(walker([PrintEdit(LEFT, 4, yaw=0.6)]), FRAMES)
    row = np.abs(natural.phase[:, LEFT] - 4.3).argmin()
    yaw = [np.arctan2(*pose.motions["pelvis"].rotation[row, [1, 0], 0]) for pose in (turned, natural)]
    assert 0.28 < yaw[0] - yaw[1] < 0.32


@pytest.mark.few
@pytest.mark.parametrize("speed", [0.6, 1.2, 1.6])
def test_knees_take_an_edited_print_as_they_take_a_step(speed):
    """Two thirds more at most than in the walk straight on at that speed, for what is not told of as beyond a
    leg."""
    frames = np.arange(20.0, 140.0, 0.25)
    track = StyleTrack(Style(speed=speed))
    most = fastest_knee(walked(walker(track=track), frames))
    told_of = 0
    most_of = {
        "along": 0.25,
        "aside": 0.25,
        "yaw": 0.8,
        "height": 0.12,
        "slope": 0.15,
        "bank": 0.15,
        "ball_pivot": 0.6,
        "touch": 0.1,
        "lift": 0.1,
    }
    for seed in range(24):
        draw = np.random.default_rng(seed)
        kinds = draw.choice(list(most_of), 1 + seed % 2, replace=False)
        edit = PrintEdit(
            int(draw.integers(2)),
            3,
            **{str(kind): float(most_of[kind] * draw.uniform(-1.0, 1.0)) for kind in kinds},
        )
        made = walker([edit], track=track)
        if told(made):
            told_of += 1
        else:
            assert fastest_knee(walked(made, frames)) < 1.67 * most
    assert told_of < 10


def test_few_drawn_prints_make_knees_kick():
    """A foot made up late in its swing for a print that had been moved: 8 of 56 draws were over 1.5 x, the
    worst 2.16 x."""
    frames, kicks = np.arange(20.0, 160.0, 0.25), []
    for speed in (1.2, 1.6):
        track = StyleTrack(Style(speed=speed))
        most = fastest_knee(walked(walker(track=track), frames))
        made = [walker(drawn(seed), track=track) for seed in range(25)]
        kicks += [fastest_knee(walked(one, frames)) / most for one in made if not told(one)]
    assert np.mean(np.array(kicks) > 1.5) < 0.1 and np.quantile(kicks, 0.9) < 1.5


@pytest.mark.few(6)
@pytest.mark.parametrize("speed", [1.2, 1.6])
@pytest.mark.parametrize(
    ("edit", "most"),
    [
        ({"slope": -0.147, "along": 0.033}, 1.5),
        ({"slope": -0.122, "height": 0.034}, 1.5),
        ({"slope": 0.15}, 1.5),
        ({"height": 0.104}, 1.5),
        ({"height": 0.1, "lift": 0.016}, 1.5),
        ({"yaw": 0.713, "height": 0.107}, 1.5),
        ({"ball_pivot": 0.002}, 1.1),
    ],
)
def test_a_print_is_a_wedge_or_a_step_under_one_foot_and_no_hill(edit, most, speed):
    """The next swing leaves a tilted one as a step, and is not lifted over ground that is not there; a foot
    is down before it lands from a raised one; next to no edit does next to nothing."""
    frames, track = np.arange(20.0, 140.0, 0.25), StyleTrack(Style(speed=speed))
    natural = fastest_knee(walked(walker(track=track), frames))
    for side in (LEFT, RIGHT):
        bent = fastest_knee(walked(walker([PrintEdit(side, 3, **edit)], track=track), frames))
        assert bent < most * natural


@pytest.mark.parametrize(
    "edit",
    [{"touch": -0.03}, {"lift": 0.03}, {"touch": 0.08}, {"lift": -0.08}, {"touch": -0.03, "lift": -0.03}],
)
def test_a_print_a_little_earlier_or_later_is_within_a_legs_limits(edit):
    for side in (LEFT, RIGHT):
        assert not told(walker([PrintEdit(side, 4, **edit)]))


def fastest_knee(pose: WalkPose) -> float:
    return float(max(np.abs(np.diff(knee_angle(pose, side), n=2)).max() for side in "LR"))
