"""Footprints in somebody's hand: local to the bit, planted, smooth, and told of where no leg can."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.human_body import human_body
from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.prints.edited_steps import edited_steps
from neurarig_addon.core.gait.prints.in_hand import frames_in_hand
from neurarig_addon.core.gait.prints.print_edits import NO_EDITS, PrintEdit, PrintEdits
from neurarig_addon.core.gait.prints.print_file import from_text, to_text
from neurarig_addon.core.gait.prints.print_limits import reasons
from neurarig_addon.core.gait.prints.print_places import prints_at, prints_within
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import footsteps
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.pivots import SWING
from neurarig_addon.core.ground.surface import LEVEL, Ground, Surface
from neurarig_addon.core.human.gait_network import GaitNetwork
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.walk_measures import greatest_reach, greatest_slip, knee_angle, sole_points
from tests.core.walk_paths import PATHS
from tests.core.walk_styles import WALKS

BODY = human_body()
NETWORK = Gait(GaitNetwork.load())
FRAMES = np.arange(-20.0, 200.0, 0.5)
BUMPS = Surface(lambda places: 0.05 * np.sin(1.3 * places[:, 0]) * np.cos(0.9 * places[:, 1]))
PLACES: dict[str, tuple[Path, Ground]] = {
    "straight": (STRAIGHT, LEVEL),
    "S": (PATHS["S"], LEVEL),
    "bumps": (STRAIGHT, BUMPS),
    "S over bumps": (PATHS["S"], BUMPS),
}
STYLES = ("speed 0.4", "speed 1.3", "speed 1.7", "asymmetry 1.0", "weight 1.0", "phase 0.37", "speed keyed 0.6 to 1.8", "start and stop")


def walker(edits=(), path: Path = STRAIGHT, ground: Ground = LEVEL, gait: Gait = NETWORK, track: StyleTrack | None = None) -> Walker:
    made = Walker.of(BODY, track or StyleTrack(Style(speed=1.2)), Clock(), gait, path, ground)
    return replace(made, edits=PrintEdits.of(edits))


def drawn(seed: int, size: float = 1.0, count: int = 1, held: bool = False) -> list[PrintEdit]:
    """Return edits of prints 2 to 6, each moved, turned, raised, tilted and retimed by up to `size` times much."""
    draw = np.random.default_rng(seed)
    prints = draw.permutation([(side, number) for side in (LEFT, RIGHT) for number in range(2, 7)])[:count]
    most = {
        "along": 0.2,
        "aside": 0.2,
        "height": 0.1,
        "yaw": 0.6,
        "slope": 0.15,
        "bank": 0.15,
        "ball_pivot": 0.5,
        "touch": 0.06,
        "lift": 0.06,
    }
    return [
        PrintEdit(
            int(side),
            int(number),
            held=bool(held and draw.random() < 0.5),
            **{name: float(size * most[name] * draw.uniform(-1.0, 1.0)) for name in most},
        )
        for side, number in prints
    ]


def differs(one: WalkPose, other: WalkPose) -> np.ndarray:
    """Say at which frames anything of two poses is not the same to the bit `(f,)`."""
    moved = [
        getattr(one.motions[role], part) != getattr(other.motions[role], part) for role in one.motions for part in ("position", "rotation")
    ]
    moved += [one.pivot != other.pivot, one.phase != other.phase, one.root.position != other.root.position]
    return np.any([part.reshape(len(part), -1).any(axis=1) for part in moved], axis=0)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("where", PLACES)
def test_one_print_changes_nothing_outside_its_window(where, style, seed):
    edit = drawn(seed)[0]
    natural = walker((), *PLACES[where], track=WALKS[style])
    edited = replace(natural, edits=PrintEdits.of([edit]))
    plan, changed = walked(natural, FRAMES), differs(walked(natural, FRAMES), walked(edited, FRAMES))
    steps = footsteps(natural, np.array([[edit.number - 1.0] * 2, [edit.number + 1.0] * 2]))
    lift = steps.steps.lift[edit.number - 1 - steps.first[edit.side], edit.side]
    phase = plan.phase[:, edit.side]
    inside = (phase > lift) & (phase < edit.number + 1)
    assert not (changed & ~inside).any()
    assert changed[inside].any() or not inside.any()


@pytest.mark.parametrize("where", PLACES)
def test_a_held_foot_is_as_planned_until_its_print_before_and_from_its_landing_after(where):
    natural = walker((), *PLACES[where])
    edited = replace(natural, edits=PrintEdits.of([PrintEdit(RIGHT, 4, held=True), PrintEdit(RIGHT, 5, held=True)]))
    plan = walked(natural, FRAMES)
    changed, phase = differs(plan, walked(edited, FRAMES)), plan.phase[:, RIGHT]
    assert not (changed & ((phase < 3.0) | (phase >= 6.0))).any()
    heel = sole_points(BODY, walked(edited, FRAMES), RIGHT)
    flat = (phase > 3.3) & (phase < 5.25)
    assert all(np.ptp(heel[pivot][flat], axis=0).max() < 1e-12 for pivot in heel)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("where", PLACES)
def test_edited_feet_are_planted(where, seed):
    """However many prints are edited, by much, and whatever the gait wants: slip is zero by geometry."""
    for gait, style in ((NETWORK, STYLES[seed % len(STYLES)]), (PLAIN, "speed 1.3")):
        pose = walked(walker(drawn(seed, 1.5, 6, held=True), *PLACES[where], gait, WALKS[style]), FRAMES)
        assert greatest_slip(BODY, pose) < 1e-9
        assert all(np.isfinite(motion.position).all() for motion in pose.motions.values())


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


@pytest.mark.parametrize("where", PLACES)
def test_a_frame_alone_is_as_among_others(where):
    made = walker(drawn(3, 1.0, 6, held=True), *PLACES[where], PLAIN)
    together = walked(made, FRAMES)
    for row in (60, 111, 152, 190, 230):
        alone = walked(made, FRAMES[row : row + 1])
        for role, motion in together.motions.items():
            assert np.allclose(alone.motions[role].position[0], motion.position[row], rtol=0.0, atol=1e-12)
            assert np.allclose(alone.motions[role].rotation[0], motion.rotation[row], rtol=0.0, atol=1e-12)


def print_at(made: Walker, side: int, number: int):
    steps = edited_steps(made, np.full((1, 2), number + 0.3))
    row = number - steps.planned.first[side], side
    return (*(part.steps.place[row] for part in (steps.planned, steps.plan)), steps.plan.steps, row)


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
    _, high, raised, _ = print_at(walker([PrintEdit(RIGHT, 3, height=0.2, slope=0.1, **moved)], ground=BUMPS), RIGHT, 3)
    assert abs(low[2] - BUMPS.height(low)) < 0.01 and np.allclose(high - low, [0.0, 0.0, 0.2])
    assert np.isclose(raised.slope[row] - lying.slope[row], 0.1)


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


@pytest.mark.parametrize("speed", [0.6, 1.2, 1.6])
def test_knees_take_an_edited_print_as_they_take_a_step(speed):
    """Half as much again at most as in the walk straight on at that speed, for what is not told of as beyond a leg."""
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
        edit = PrintEdit(int(draw.integers(2)), 3, **{str(kind): float(most_of[kind] * draw.uniform(-1.0, 1.0)) for kind in kinds})
        made = walker([edit], track=track)
        if told(made):
            told_of += 1
        else:
            assert fastest_knee(walked(made, frames)) < 1.5 * most
    assert told_of < 10


@pytest.mark.parametrize("speed", [1.2, 1.6])
@pytest.mark.parametrize("tilt", [{"slope": -0.147, "along": 0.033}, {"slope": -0.122, "height": 0.034}, {"slope": -0.15}, {"slope": 0.15}])
def test_a_tilted_print_is_a_wedge_under_one_foot_and_no_hill(tilt, speed):
    """The next swing of that foot leaves it as a step, and is not lifted over ground that is not there."""
    frames, track = np.arange(20.0, 140.0, 0.25), StyleTrack(Style(speed=speed))
    most = fastest_knee(walked(walker(track=track), frames))
    for side in (LEFT, RIGHT):
        assert fastest_knee(walked(walker([PrintEdit(side, 3, **tilt)], track=track), frames)) < 1.5 * most


@pytest.mark.parametrize("edit", [{"touch": -0.03}, {"lift": 0.03}, {"touch": 0.08}, {"lift": -0.08}, {"touch": -0.03, "lift": -0.03}])
def test_a_print_a_little_earlier_or_later_is_within_a_legs_limits(edit):
    for side in (LEFT, RIGHT):
        assert not told(walker([PrintEdit(side, 4, **edit)]))


def fastest_knee(pose: WalkPose) -> float:
    return float(max(np.abs(np.diff(knee_angle(pose, side), n=2)).max() for side in "LR"))


def told(made: Walker) -> dict[tuple[int, int], str]:
    """Return the reasons for which prints 1 to 8 are shown in red, by side and number."""
    steps = edited_steps(made, np.array([[1.0, 1.0], [8.5, 8.5]]))
    return {(side, row + int(steps.planned.first[side])): words for row, side, words in reasons(made, steps)}


@pytest.mark.parametrize("style", ["speed 0.4", "speed 1.3", "speed 2.2", "asymmetry 1.0"])
@pytest.mark.parametrize("path", [STRAIGHT, *PATHS.values()])
def test_what_is_planned_is_within_a_legs_limits(style, path):
    assert not told(walker(path=path, track=WALKS[style]))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"along": 0.7}, "the leg reaches"),
        ({"aside": -0.4}, "crosses"),
        ({"yaw": 1.7}, "turned out"),
        ({"yaw": -1.4}, "turned in"),
        ({"height": 0.45}, "up, a step goes up"),
        ({"height": -0.45}, "down, a step goes down"),
        ({"touch": 0.14}, "has left the ground"),
        ({"touch": -0.14}, "too quickly"),
        ({"touch": 0.1, "lift": -0.12}, "leaves too quickly"),
    ],
)
def test_what_a_leg_cannot_do_is_told(edit, words):
    for side in (LEFT, RIGHT):
        turned = {name: value if side == LEFT or name not in ("aside", "yaw") else -value for name, value in edit.items()}
        found = told(walker([PrintEdit(side, 4, **turned)]))
        assert words in found[side, 4]
        assert set(found) <= {(side, 4), (side, 5), (RIGHT - side, 5 - side)}


def test_a_foot_that_stays_too_far_behind_is_told():
    assert "too far for a stride" in told(walker([PrintEdit(LEFT, 4, held=True)]))[LEFT, 5]
    assert not told(walker([PrintEdit(LEFT, 4, held=True)], track=StyleTrack(Style(speed=0.3))))


def test_a_mirrored_edit_mirrors_the_step():
    edit = PrintEdit(LEFT, 4, along=0.1, aside=0.15, yaw=0.3, bank=0.1, touch=0.03)
    assert edit.mirrored.mirrored == edit and edit.mirrored.side == RIGHT
    shift = np.mean([0.5, -0.5])
    left, right = (print_at(walker([one]), one.side, 4) for one in (edit, edit.mirrored))
    assert np.allclose((left[1] - left[0]) * [1.0, -1.0, 1.0], right[1] - right[0]) and shift == 0.0


def test_files_bring_edits_back_and_fit_other_legs():
    edits = PrintEdits.of(drawn(5, 1.0, 6, held=True))
    back = from_text(to_text(edits, 0.9), 0.9)
    for one, two in zip(edits.edits, back.edits, strict=True):
        assert one.key == two.key and one.held == two.held
        assert np.allclose([one.along, one.aside, one.yaw, one.touch], [two.along, two.aside, two.yaw, two.touch], atol=1e-8)
    child = from_text(to_text(edits, 0.9), 0.45)
    assert np.isclose(child.edits[0].along, 0.5 * edits.edits[0].along) and np.isclose(child.edits[0].yaw, edits.edits[0].yaw)
    assert from_text(to_text(NO_EDITS, 0.9), 0.9) == NO_EDITS


HEAD = '{"format": "neurarig-prints", "version": 1, "prints": '


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "damaged or cut off"),
        ("[" * 100_000, "damaged or cut off"),
        ("[]", "not a file of footprints of version 1"),
        ('{"format": "neurarig-prints", "version": 2, "prints": []}', "not a file of footprints of version 1"),
        (HEAD + "{}}", "no list of prints"),
        (HEAD + '[{"side": ["left"], "number": 1}]}', "Entry 1 is not a footprint"),
        (HEAD + '[{"side": "left", "number": true}]}', "Entry 1 is not a footprint"),
        (HEAD + '[{"side": "left", "number": 1e3}]}', "Entry 1 is not a footprint"),
        (HEAD + '[{"side": "left", "number": 1, "color": 1}]}', "'color', which is not a setting of a footprint"),
        (HEAD + '[{"side": "left", "number": 1, "aside": "far"}]}', "a number for 'aside'"),
        (HEAD + '[{"side": "left", "number": 1, "aside": NaN}]}', "a number for 'aside'"),
        (HEAD + '[{"side": "left", "number": 1, "aside": 1e400}]}', "a number for 'aside'"),
        (HEAD + '[{"side": "left", "number": 1, "yaw": 9000}]}', "'yaw' of the left print 1"),
        (HEAD + '[{"side": "left", "number": 1, "held": 1}]}', "true or false"),
        (HEAD + '[{"side": "left", "number": 99999999999}]}', "not a step number"),
        (HEAD + '[{"side": "left", "number": 1}, {"side": "left", "number": 1}]}', "there twice"),
    ],
)
def test_a_damaged_file_is_told_in_a_sentence(text, words):
    with pytest.raises(NeuraRigError, match=words):
        from_text(text, 0.9)


@pytest.mark.parametrize("start", [0.0, 0.37])
def test_the_print_of_a_frame_is_the_one_stood_on_or_come_to_next(start):
    one = walker(track=StyleTrack(Style(speed=1.2, phase=start)))
    frames = np.arange(1.0, 120.0, 0.5)
    pose, found = walked(one, frames), np.array([[number for _, number in prints_at(one, frame)] for frame in frames])
    for side in (LEFT, RIGHT):
        stands = pose.pivot[:, side] != SWING
        np.testing.assert_array_equal(found[:, side], np.where(stands, np.floor(pose.phase[:, side]), np.floor(pose.phase[:, side]) + 1))
    rows = (frames >= 30.0) & (frames <= 80.0)
    stood = [found[rows & (pose.pivot[:, side] != SWING), side] for side in (LEFT, RIGHT)]
    first, last = prints_within(one, 30.0, 80.0)
    assert first <= min(part.min() for part in stood) <= first + 1 and last == max(part.max() for part in stood)


def test_feet_that_follow_the_shapes_alone_have_no_prints_to_edit():
    frames, edits = np.arange(1.0, 100.0, 0.5), drawn(3, count=4)
    loose, planted = replace(NETWORK, planted=False), walker(edits)
    assert len(frames_in_hand(planted, frames)[0]) and not len(frames_in_hand(replace(planted, gait=loose), frames)[0])
    assert not len(frames_in_hand(walker(), frames)[0])


def test_the_edits_of_some_steps_are_those_from_the_first_to_the_last() -> None:
    edits = PrintEdits.of([PrintEdit(side, number, aside=0.01) for side in (LEFT, RIGHT) for number in range(6)])
    some = edits.among(np.array([1, 2]), np.array([3, 2]))
    assert sorted(edit.key for edit in some.edits) == [(LEFT, 1), (LEFT, 2), (LEFT, 3), (RIGHT, 2)]
