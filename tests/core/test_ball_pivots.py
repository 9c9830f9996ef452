"""Feet that turn on the ball while they stand: round corners, in turns on the spot, and where somebody asks
for it."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import BALL, FLAT, SWING
from neurarig_addon.core.character.body import LEFT, RIGHT, Body
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.prints.print_file import from_text, to_text
from neurarig_addon.core.gait.prints.print_places import planned_steps
from neurarig_addon.core.gait.prints.print_shapes import print_shapes
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import Steps, footsteps
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.prints import Prints
from neurarig_addon.core.ground.surface import LEVEL, Ground, Surface
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT, Path
from neurarig_addon.core.report.jolts import slip_of
from tests.core.walk_measures import carried, deepest, greatest_reach, greatest_slip, sole_points
from tests.core.walk_paths import LEG, PATHS
from tests.core.walkers import BODY, WALKING

IN_ONE_PIECE = replace(BODY, toe_joint=np.full((2, 3), np.nan))
# the toe bones are those of the big toes
BIG_TOES = replace(BODY, toe_joint=BODY.toe_joint + [[0.0, -0.03, 0.0], [0.0, 0.03, 0.0]])
FRAMES = np.arange(1.0, 200.0, 0.5)
EVERY = 0.02  # radians: a foot that turns by less does not count


def on_the_spot(degrees: float) -> Curve:
    return Curve.through(
        np.array([[0.0, 0, 0], [3.0, 0, 0]]), LEG, starts=True, start_turn=np.radians(degrees)
    )


WAYS = PATHS | {"half a turn on the spot": on_the_spot(180.0)}


def walker(
    path: Path = STRAIGHT, gait: Gait = WALKING, body: Body = BODY, ground: Ground = LEVEL, **style: float
) -> Walker:
    return Walker.of(body, StyleTrack(Style(**{"speed": 1.1, **style})), Clock(), gait, path, ground)


def steps_of(who: Walker) -> Steps:
    return footsteps(who, who.rhythm.phases_at(who.clock.seconds(FRAMES))).steps


def heading(pose: WalkPose, side: str) -> np.ndarray:
    """Return where a foot points in the world `(f,)`, unwrapped."""
    turn = pose.root.rotation @ pose.motions[f"foot.{side}"].rotation
    return np.unwrap(np.arctan2(-turn[:, 0, 1], turn[:, 1, 1]))


def turned_standing(pose: WalkPose, row: int, number: int) -> float:
    """Return how far a foot turns from the first frame of a step to the last one that it stands on, in
    radians."""
    stands = (np.floor(pose.phase[:, row]) == number) & (pose.pivot[:, row] != SWING)
    return float(np.ptp(heading(pose, "LR"[row])[stands]))


def with_edit(who: Walker, ball_pivot: float) -> Walker:
    return replace(who, edits=PrintEdits.of([PrintEdit(LEFT, 2, ball_pivot=ball_pivot)]))


@pytest.mark.few(12)
@pytest.mark.parametrize("body", [BODY, IN_ONE_PIECE], ids=["toes", "in one piece"])
@pytest.mark.parametrize("gait", [WALKING, PLAIN], ids=["network", "plain"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("speed", [0.6, 1.4])
def test_the_ball_stands_while_the_foot_turns(speed, way, gait, body):
    pose = walked(walker(WAYS[way], gait, body, speed=speed), FRAMES)
    assert (
        greatest_slip(body, pose) < 1e-9
        and deepest(body, pose) < 1e-9
        and greatest_reach(body, pose) <= 0.999
    )


@pytest.mark.parametrize("way", ["corner of 135 degrees", "half a turn on the spot"])
def test_the_ball_in_the_middle_of_the_sole_stands_where_toe_bones_lie_to_one_side(way):
    pose = walked(walker(WAYS[way], body=BIG_TOES), FRAMES)
    for row, side in enumerate("LR"):
        ball = pose.root.carried(carried(pose.motions[f"toe.{side}"], BIG_TOES.ball[row]))
        step = np.floor(pose.phase[:, row])
        for number in np.unique(step):
            stands = (step == number) & np.isin(pose.pivot[:, row], (FLAT, BALL))
            assert not stands.any() or np.ptp(ball[stands], axis=0).max() < 1e-9


@pytest.mark.few
@pytest.mark.parametrize(
    "style", [{"energy": 1.0}, {"weight": -1.0}, {"crouch": 0.12}, {"asymmetry": 0.8}, {"variation": 1.0}]
)
def test_the_ball_stands_in_any_manner(style):
    for path in (PATHS["corner of 135 degrees"], on_the_spot(-150.0)):
        assert greatest_slip(BODY, walked(walker(path, **style), FRAMES)) < 1e-9


@pytest.mark.parametrize(
    ("way", "least"),
    [("corner of 90 degrees", 10.0), ("corner of 135 degrees", 20.0), ("half a turn on the spot", 5.0)],
)
def test_feet_turn_on_the_ball_where_the_body_turns_far_over_them(way, least):
    """As people's do: 20 to 30 degrees in stances that turn by 60 to 90 (CMU 16 and 105), and never against
    the turn."""
    who = walker(WAYS[way])
    turn = steps_of(who).ball_pivot
    assert least < np.degrees(np.abs(turn).max()) < 75.0
    drawn = WAYS[way].at(np.array([0.0, 4.0, 8.0])).heading
    assert (np.sign(turn[np.abs(turn) > EVERY]) == np.sign(drawn[-1] - drawn[0])).all()
    pose = walked(who, FRAMES)
    row, side = np.unravel_index(np.argmax(np.abs(turn)), turn.shape)
    number = int(steps_of(who).contact[row, side])
    assert turned_standing(pose, int(side), number) == pytest.approx(abs(turn[row, side]), rel=1e-3)
    moving = np.abs(np.diff(heading(pose, "LR"[side]))) > 1e-6
    turns = (
        (np.floor(pose.phase[1:-1, side]) == number)
        & moving[1:]
        & moving[:-1]
        & (pose.pivot[1:-1, side] != SWING)
    )
    assert turns.sum() > 5 and (pose.pivot[1:-1][turns, side] == BALL).all(), "the heel is light"


@pytest.mark.parametrize("path", [STRAIGHT, PATHS["circle of 2 m"]], ids=["straight", "circle of 2 m"])
def test_feet_do_not_turn_where_the_body_hardly_does(path):
    assert np.abs(steps_of(walker(path)).ball_pivot).max() < EVERY


@pytest.mark.parametrize("degrees", [170.0, -120.0])
def test_who_stands_does_not_turn_on_the_ball(degrees):
    """A foot that turns before or after a standstill does not wait in mid-turn."""
    who = walker(on_the_spot(degrees))
    steps = steps_of(who)
    stands, _ = who.rhythm.rests.within(
        who.rhythm.phase_when(steps.contact), who.rhythm.phase_when(steps.lift)
    )
    assert np.degrees(np.abs(steps.ball_pivot[stands]).max()) > 10.0
    pose, at = walked(who, FRAMES), who.clock.seconds(FRAMES)
    for begin, end in zip(who.rhythm.rests.begin, who.rhythm.rests.end, strict=True):
        rests = (at > begin) & (at < end)
        assert all(np.abs(np.diff(heading(pose, side)[rests])).max() < 1e-9 for side in "LR")


@pytest.mark.parametrize("side", [LEFT, RIGHT])
@pytest.mark.parametrize("degrees", [60.0, -35.0])
def test_a_print_in_hand_is_turned_on_the_ball(degrees, side):
    who = walker(speed=1.2)
    edits = PrintEdits.of([PrintEdit(side, 2, ball_pivot=np.radians(degrees))])
    before, after = (walked(replace(who, edits=each), FRAMES) for each in (PrintEdits(), edits))
    assert greatest_slip(BODY, after) < 1e-9 and deepest(BODY, after) < 1e-9
    stands = (np.floor(after.phase[:, side]) == 2.0) & (after.pivot[:, side] != SWING)
    turned = heading(after, "LR"[side])[stands]
    assert np.degrees(turned[-1] - turned[0]) == pytest.approx(degrees, abs=1e-6)
    number = after.phase[:, side]
    steps = planned_steps(who, 1, 3)
    last_lift = float(steps.steps.lift[1 - steps.first[side], side])
    outside = (number < last_lift) | (number >= 3.0)
    for role in ("foot.L", "foot.R", "toe.L", "toe.R"):
        assert_allclose(
            after.motions[role].rotation[outside],
            before.motions[role].rotation[outside],
            atol=1e-12,
            err_msg=role,
        )


def test_the_body_goes_along_with_half_of_it():
    who = walker(speed=1.2)
    before, after = (walked(each, FRAMES) for each in (who, with_edit(who, ball_pivot=0.8)))
    yaw = [
        np.arctan2(pose.motions["pelvis"].rotation[:, 1, 0], pose.motions["pelvis"].rotation[:, 0, 0])
        for pose in (before, after)
    ]
    assert np.max(yaw[1] - yaw[0]) == pytest.approx(0.4, abs=0.02)


def test_a_foot_that_waits_on_its_print_does_not_turn_on_it():
    held = replace(
        walker(speed=1.2),
        edits=PrintEdits.of([PrintEdit(LEFT, 2, ball_pivot=0.8), PrintEdit(LEFT, 3, held=True)]),
    )
    pose = walked(held, FRAMES)
    assert turned_standing(pose, LEFT, 2) < 1e-9 and greatest_slip(BODY, pose) < 1e-9


@pytest.mark.parametrize("slope", [0.0, 0.25])
def test_on_a_slope_the_foot_stays_in_its_plane(slope):
    ground = Surface(lambda places: slope * places[:, 0])
    who = walker(PATHS["corner of 135 degrees"], ground=ground)
    assert np.abs(steps_of(who).ball_pivot).max() > np.radians(20.0)
    pose = walked(who, FRAMES)
    for row in (LEFT, RIGHT):
        points = sole_points(BODY, pose, row)
        stacked = np.stack(list(points.values()), axis=1)
        assert slip_of(stacked, pose.pivot[:, row]).max() < 1e-9
        flat = pose.pivot[:, row] == FLAT
        rest = np.array([BODY.heel[row, 2], BODY.toe_joint[row, 2], BODY.toe[row, 2]])
        off = (stacked[..., 2] - slope * stacked[..., 0] - rest * np.sqrt(1.0 + slope**2))[flat]
        assert np.abs(off).max() < 1e-9


def test_nobody_turns_on_the_ball_on_ground_that_is_not_flat():
    bumps = Surface(lambda places: 0.03 * np.sin(14.0 * places[:, 0]) * np.cos(13.0 * places[:, 1]))
    who = walker(PATHS["corner of 135 degrees"], ground=bumps)
    assert not steps_of(who).ball_pivot.any()
    wished = replace(who, edits=PrintEdits.of([PrintEdit(LEFT, 2, ball_pivot=0.6)]))
    words = print_shapes(wished, planned_steps(wished, 0, 5), 0, 5).reasons
    assert [word for word in words if word] == ["turns on the ball on ground that is not flat"]


def test_a_pivot_that_nobody_can_do_is_red():
    wished = with_edit(walker(), ball_pivot=1.8)
    assert "turns too far on the ball" in print_shapes(wished, planned_steps(wished, 0, 5), 0, 5).reasons


def test_prints_are_shown_as_they_are_touched_and_left():
    wished = with_edit(walker(), ball_pivot=0.5)
    shapes = print_shapes(wished, planned_steps(wished, 0, 5), 0, 5)
    turns = np.flatnonzero(shapes.turns)
    assert [(int(shapes.sides[row]), int(shapes.numbers[row])) for row in turns] == [(LEFT, 2)]
    moved = np.linalg.norm(shapes.left - shapes.outlines, axis=-1)
    assert moved[turns].max() > 0.05 and np.delete(moved, turns, axis=0).max() == 0.0


def test_files_and_the_other_foot_keep_it():
    edit = PrintEdit(LEFT, 3, ball_pivot=0.7)
    text = to_text(PrintEdits.of([edit]), 0.9)
    assert '"ball_pivot": 40.1' in text
    assert from_text(text, 1.8).edits[0].ball_pivot == pytest.approx(0.7)
    assert edit.mirrored == PrintEdit(RIGHT, 3, ball_pivot=-0.7)


def test_prints_turn_in_the_plane_that_they_lie_on_and_about_their_point():
    draw = np.random.default_rng(5)
    prints = Prints(
        draw.normal(size=(40, 3)),
        draw.uniform(-9.0, 9.0, 40),
        draw.uniform(-0.5, 0.5, 40),
        draw.uniform(-0.4, 0.4, 40),
    )
    about, angle = np.column_stack([draw.normal(size=(40, 2)), np.zeros(40)]), draw.uniform(-1.5, 1.5, 40)
    turned = prints.turned(about, angle)
    assert_allclose(turned.axes[..., 2], prints.axes[..., 2], atol=1e-12)
    for each in (prints, turned):
        assert_allclose(
            np.einsum("nij,nj->ni", each.axes, about) + each.place,
            prints.axes @ about[..., None] @ [1.0] + prints.place,
        )
    assert_allclose(turned.heading - prints.heading, angle, atol=0.4)
    back = turned.turned(about, -angle)
    assert_allclose(back.place, prints.place, atol=1e-12)
    assert_allclose(back.heading, prints.heading, atol=1e-12)
