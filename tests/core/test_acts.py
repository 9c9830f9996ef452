"""Acts on the way of a walk: planted, free in the air, exact on seats and things, and the walk around them as
it was."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from neurarig_addon.core.acts import jump
from neurarig_addon.core.acts.act import Act
from neurarig_addon.core.acts.act_file import from_json, shipped_acts, to_json
from neurarig_addon.core.acts.act_prints import ActPrints, as_shown
from neurarig_addon.core.acts.mark import AUTO, BOW, KNEEL, SQUAT, ActMark
from neurarig_addon.core.acts.program import Program, Span
from neurarig_addon.core.blend.poses import Poses
from neurarig_addon.core.body.balance import margin, middle_of
from neurarig_addon.core.body.feet import BALL, FLAT, HEEL, SWING, TOE
from neurarig_addon.core.body.skin import seat_behind
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.prints.print_places import planned_steps, prints_within
from neurarig_addon.core.gait.prints.print_shapes import print_shapes
from neurarig_addon.core.geometry.rotation import normalized, norms, rotation_vector, transposed, yaw_of
from tests.core.walkers import BODY
from tests.refusals import refuses

from .made_acts import FPS, JUMP, LEAP, PICK_UP, SIT, WAVE, program
from .retarget_bodies import bodies

LEG = BODY.leg_length
FINE = 0.25  # frames
PIVOTS = {HEEL: 0, FLAT: 1, BALL: 1, TOE: 2}  # pivot -> heel, toe joint or tip
CROUCH = shipped_acts()["CROUCH"]
SEAT = ActMark(SIT, 4.0, goal=np.array([3.6, 0.0, 0.45]), seconds=1.0)
ACTS = {
    "jump": ActMark(JUMP, 4.1, length=1.1),
    "leap": ActMark(LEAP, 4.0, length=1.2),
    "sit": SEAT,
    "pick up": ActMark(PICK_UP, 4.0, goal=np.array([4.4, -0.15, 0.3])),
    "kneel": ActMark(PICK_UP, 4.0, goal=np.array([4.35, -0.15, 0.1]), how=KNEEL),
}


def slope(places: np.ndarray) -> np.ndarray:
    return 0.15 * places[..., 0] + 0.06 * places[..., 1]


def bumps(places: np.ndarray) -> np.ndarray:
    x, y = places[..., 0], places[..., 1]
    return 0.06 * np.sin(1.7 * x) * np.cos(1.3 * y) + 0.03 * np.sin(4.1 * x + 0.5)


def drop(places: np.ndarray) -> np.ndarray:
    return np.where(places[..., 0] > 4.6, -0.5, 0.0)


def box(places: np.ndarray) -> np.ndarray:
    return np.where(places[..., 0] > 4.65, 0.3, 0.0)


def gap(places: np.ndarray) -> np.ndarray:
    return np.where((places[..., 0] > 4.35) & (places[..., 0] < 4.9), -2.0, 0.0)


@cache
def acting(name: str) -> Program:
    """Return the walk with an act on level ground."""
    return program(BODY, ACTS[name])


def in_world(pose: WalkPose) -> dict[str, Motion]:
    return {role: pose.root.holding(motion) for role, motion in pose.motions.items()}


def around(found: Program, span: Span, margin: float = 12.0) -> WalkPose:
    return found.pose(np.arange(span.begin - margin, span.end + margin, FINE))


def slipped(found: Program, pose: WalkPose) -> tuple[float, float]:
    """Return the metres that standing feet slip, and that soles are below the ground."""
    walker = found.walker
    pivots, slip = walker.sole.pivots(Poses.of_walk(pose).feet(walker.body)), 0.0
    for side in range(2):
        for pivot, point in PIVOTS.items():
            rows = np.flatnonzero(pose.pivot[:, side] == pivot)
            for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1) if len(rows) else []:
                slip = max(slip, float(norms(pivots[run, side, point] - pivots[run[0], side, point]).max()))
    below = walker.ground.height(pivots) + walker.sole.resting_pivots - pivots[..., 2]
    return slip, float(np.nan_to_num(below, nan=-1.0).max())


def bent(world: dict[str, Motion]) -> np.ndarray:
    """Return how far both knees are bent `(f, 2)`, in degrees."""
    turns = [transposed(world[f"thigh.{side}"].rotation) @ world[f"shin.{side}"].rotation for side in "LR"]
    return np.degrees(np.stack([norms(rotation_vector(turn)) for turn in turns], axis=1))


def leaning(world: dict[str, Motion], upper: str, lower: str) -> np.ndarray:
    """Return how far the line from lower joints up to others leans ahead `(f,)`, in degrees."""
    up = np.mean(
        [world[f"{upper}.{side}"].position - world[f"{lower}.{side}"].position for side in "LR"], axis=0
    )
    return np.degrees(np.arctan2(up[:, 0], up[:, 2]))


@pytest.mark.few(4)
@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("heights", [None, slope, bumps], ids=["level", "slope", "bumps"])
def test_feet_do_not_slip_nor_sink(name: str, heights: Callable[[np.ndarray], np.ndarray] | None) -> None:
    asked = ACTS[name]
    if heights is not None and asked.goal is not None:
        up = float(heights(np.array([asked.distance, 0.0])))
        asked = ActMark(asked.act, asked.distance, goal=asked.goal + [0.0, 0.0, up], seconds=asked.seconds)
    found = program(BODY, asked, heights=heights)
    slip, below = slipped(found, around(found, found.spans[0]))
    assert slip < 1e-4 and below < 2e-3


@pytest.mark.few
@pytest.mark.parametrize(
    "name", sorted(ACTS.keys() - {"kneel"})
)  # a foot comes back to the print that it leaves
def test_prints_are_shown_where_and_while_feet_stand(name: str) -> None:
    found = acting(name)
    walker, span = found.walker, found.spans[0]
    first, last = prints_within(
        walker, *found.walk_frames(np.array([span.begin - 30.0, span.end + 30.0])).tolist()
    )
    shown = as_shown(found, print_shapes(walker, planned_steps(walker, first, last), first, last))
    for side, begin, end, place in zip(shown.sides, shown.touch, shown.lift, shown.places, strict=True):
        pose = found.pose(np.linspace(begin + 0.5, end - 0.5, 31))
        assert (pose.pivot[:, side] != SWING).all()
        flat = pose.pivot[:, side] == FLAT
        away = Poses.of_walk(pose).feet(BODY).ankle[flat, side] - place
        assert flat.any() and np.allclose(away, [0.0, 0.0, walker.sole.ankle[side, 2]], atol=2e-3)
    acts = ActPrints.of(found)
    frames = np.arange(span.begin - 12.0, span.end + 12.0)
    for side in range(2):
        spans = [*zip(shown.touch[shown.sides == side], shown.lift[shown.sides == side], strict=True)]
        inside = [(begin <= frames) & (frames <= end) for begin, end in spans]
        inside.append((frames >= span.begin) & (frames < span.end))
        assert (np.any(inside, axis=0) | (found.pose(frames).pivot[:, side] == SWING)).all()
    assert acts.labels[0] == f"{span.name}  {span.begin:.0f}-{span.end:.0f}" and len(acts.labels) == len(
        acts.places
    )
    assert len(acts.soles) == sum(" foot" in label for label in acts.labels)


@pytest.mark.few(2)
@pytest.mark.parametrize("heights", [drop, box, gap], ids=["down", "up", "gap"])
@pytest.mark.parametrize("name", ["jump", "leap"])
def test_a_jump_lands_on_the_ground_that_is_there(
    name: str, heights: Callable[[np.ndarray], np.ndarray]
) -> None:
    found = program(BODY, ACTS[name], heights=heights)
    pose = around(found, found.spans[0])
    slip, below = slipped(found, pose)
    assert slip < 1e-4 and below < 2e-3
    soles = found.walker.sole.heights(Poses.of_walk(found.pose(np.array([found.spans[0].end]))).feet(BODY))
    assert abs(float(soles.min()) - float(heights(np.array([6.0, 0.0])))) < 1e-3


@pytest.mark.few(3)
@pytest.mark.parametrize("name", [name for name in bodies() if name not in ("giant",)])
@pytest.mark.parametrize(
    "asked", [ActMark(JUMP, 4.0, length=1.2), ActMark(LEAP, 4.0, length=1.3)], ids=["jump", "leap"]
)
def test_the_middle_of_every_body_falls_freely(name: str, asked: ActMark) -> None:
    body = bodies()[name].body
    size = body.leg_length / 0.85
    found = program(body, ActMark(asked.act, size * asked.distance, length=size * asked.length))
    staged, begin = found.played[0].staged, found.spans[0].begin
    assert staged.catch is not None
    step = 0.05 / FPS
    at = np.arange(staged.catch.leaves + 2.0 * step, staged.catch.lands - 2.0 * step, step)
    pose = found.pose(begin + FPS * at)
    falls = np.diff(middle_of(body, in_world(pose)), 2, axis=0) / step**2
    assert np.abs(falls - [0.0, 0.0, -9.81]).max() < 0.02 * 9.81
    slip, below = slipped(found, around(found, found.spans[0]))
    assert slip < 1e-4 * size and below < 2e-3 * size


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("asked", "heights"),
    [
        (ActMark(JUMP, 4.1, length=1.1), None),
        (ActMark(JUMP, 4.1, length=2.0), None),
        (ActMark(JUMP, 4.1, length=1.1), drop),
        (ActMark(LEAP, 4.0, length=0.9), None),
        (ActMark(LEAP, 4.0, length=1.6), None),
        (ActMark(LEAP, 4.0, length=1.2), slope),
        (ActMark(LEAP, 4.0, length=1.2), bumps),
        (ActMark(LEAP, 4.05, length=1.2), box),
    ],
    ids=["jump", "far jump", "jump down", "leap", "far leap", "leap uphill", "leap on bumps", "leap up"],
)
def test_hips_are_pushed_and_caught_as_those_of_people(
    asked: ActMark, heights: Callable[[np.ndarray], np.ndarray] | None
) -> None:
    """In 45 recorded jumps hips are accelerated upward by 2.57 g at most in a push-off, and by 2.70 g in a
    landing, below 8 Hz."""
    found = program(BODY, asked, heights=heights)
    staged, span, step = found.played[0].staged, found.spans[0], 0.1
    assert staged.catch is not None
    frames = np.arange(span.begin, span.end, step)
    height = in_world(found.pose(frames))["pelvis"].position[:, 2]
    bell = np.exp(-0.5 * (np.arange(-3.0, 3.0, step / FPS / 0.0166)) ** 2)
    upward = np.convolve(np.diff(height, 2) * (FPS / step) ** 2 / 9.81, bell / bell.sum(), mode="same")
    landing = frames[1:-1] > span.begin + FPS * staged.catch.lands - 1.0
    assert upward[~landing].max() < 2.6 and upward[landing].max() < 2.7


@pytest.mark.few(2)
@pytest.mark.parametrize("height", [0.15, 0.3, 0.45, 0.6, 0.75])
def test_hips_rest_on_seats_of_any_height_and_who_sits_breathes(height: float) -> None:
    asked = ActMark(shipped_acts()["SIT"], 4.0, goal=np.array([3.6, 0.0, height]), seconds=8.0)
    found = program(BODY, asked)
    seat = next(touch for touch in found.spans[0].touches if touch.part == "seat")
    world = in_world(found.pose(np.arange(seat.begin + 24.0, seat.end - 24.0)))
    hips = 0.5 * (world["thigh.L"].position + world["thigh.R"].position)
    chest, hand = (np.ptp(world[role].position, axis=0).max() for role in ("neck", "hand.L"))
    assert np.ptp(hips, axis=0).max() < 1e-4 < hand < 1.5 * chest and chest > 4e-3
    assert abs(float(hips[0, 2]) - height - 0.1 * LEG) < 5e-3 and 3.6 - 5e-3 < float(hips[0, 0]) < 3.7


def test_what_is_heavy_is_lifted_slowly_with_a_straight_back() -> None:
    found = [
        program(BODY, ActMark(PICK_UP, 4.0, goal=np.array([4.36, 0.0, 0.45]), apart=0.3, weight=weight))
        for weight in (0.0, 0.1, 0.3)
    ]
    lasts = [each.spans[0].end - each.spans[0].begin for each in found]
    leans = [leaning(in_world(around(each, each.spans[0])), "upper_arm", "thigh").max() for each in found]
    assert lasts[0] < lasts[1] < lasts[2] and leans[0] > leans[2] + 8.0


def test_who_carries_something_heavy_crouches_deeper_to_jump_with_it() -> None:
    found = []
    for weight in (0.0, 0.3):
        takes = ActMark(PICK_UP, 4.0, goal=np.array([4.36, 0.0, 0.45]), apart=0.3, weight=weight, thing=0)
        jumps = program(BODY, takes, ActMark(JUMP, 8.0, length=0.9))
        span = jumps.spans[1]
        world = in_world(jumps.pose(np.arange(span.begin, span.end)))
        found.append(world["thigh.L"].position[:, 2].min())
        assert jumps.carries[0].taken.weight == weight and jumps.carries[0].until == np.inf
    assert found[1] < found[0] - 0.03


def test_the_head_turns_to_the_thing_before_the_hand_goes_there() -> None:
    goal = np.array([4.45, -0.15, 0.5])
    found = program(BODY, ActMark(PICK_UP, 4.0, goal=goal))
    world = in_world(found.pose(found.spans[0].begin + FPS * np.array([0.0, 0.2])))
    head, (before, arm) = world["head"], rotation_vector(world["upper_arm.R"].rotation)
    ahead = np.sum(head.rotation[:, :, 0] * normalized(goal - head.position), axis=1)
    assert np.degrees(np.arccos(ahead[0]) - np.arccos(ahead[1])) > 30.0
    assert np.degrees(norms(arm - before)) < 10.0


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "place", [(4.4, -0.15, 0.03), (4.45, -0.1, 0.4), (4.45, -0.2, 0.8), (4.4, -0.15, 1.3), (4.3, -0.15, 1.85)]
)
def test_a_hand_is_where_the_thing_is(place: tuple[float, float, float]) -> None:
    found = program(BODY, ActMark(PICK_UP, 4.0, goal=np.array(place)))
    touch = next(touch for touch in found.spans[0].touches if touch.part == "hand_r")
    wrist = in_world(found.pose(np.arange(touch.begin, touch.end, FINE)))["hand.R"].position
    assert np.ptp(wrist, axis=0).max() < 1e-3
    assert (
        abs(norms(wrist[:1] - np.array(place))[0] - 0.1 * LEG) < 2e-3
    )  # a hand on the floor lies on its skin


@pytest.mark.few(3)
@pytest.mark.parametrize("name", [name for name in bodies() if name not in ("giant",)])
def test_legs_bend_for_what_is_low_only_and_a_reach_is_quick(name: str) -> None:
    body, lasts, knees = bodies()[name].body, [], []
    leg = body.leg_length
    for act, height in (("PICK_UP", 0.1), ("PICK_UP", 0.45), ("PICK_UP", 0.8), ("TOUCH", 1.3)):
        goal = leg * np.array([4.36, -0.1, height])
        found = program(body, ActMark(shipped_acts()[act], 4.0 * leg, goal=goal, seconds=0.01))
        span = found.spans[0]
        world = in_world(found.pose(np.array([span.begin, *np.arange(span.begin + 6.0, span.end - 6.0)])))
        knees.append(float((bent(world) - bent(world)[0]).max()))
        lasts.append(span.end - span.begin)
    assert lasts[0] >= lasts[1] >= lasts[2] < 0.85 * lasts[0]
    assert knees[2] < knees[3] + 10.0 and knees[3] < 20.0 and knees[0] > knees[2] + 10.0


@pytest.mark.parametrize("name", ACTS)
def test_the_walk_around_an_act_is_the_same_to_the_bit(name: str) -> None:
    found = acting(name)
    span, one = found.spans[0], found.played[0]
    before, after = np.arange(1.0, span.begin), np.arange(span.end, span.end + 60.0)
    assert_same(found.pose(before), found.walked(before))
    assert_same(found.pose(after), found.walked(after - span.end + one.entered))


def test_a_gesture_leaves_legs_and_hips_as_they_are() -> None:
    found = program(BODY, ActMark(WAVE, frame=30.0))
    frames = np.arange(20.0, 90.0)
    with_it, without = found.pose(frames), found.walked(frames)
    for role in ("pelvis", "foot.L", "shin.R", "toe.R"):
        assert np.array_equal(with_it.motions[role].rotation, without.motions[role].rotation)
        assert np.array_equal(with_it.motions[role].position, without.motions[role].position)
    assert np.abs(with_it.motions["hand.R"].position - without.motions["hand.R"].position).max() > 0.4
    bent = [
        norms(rotation_vector(transposed(arm["upper_arm.R"].rotation) @ arm["forearm.R"].rotation))[0]
        for arm in (found.pose(30.0 + FPS * np.array([at])).motions for at in (0.7, 1.0))
    ]
    assert np.isclose(bent[0] - bent[1], 0.6)  # as its elbow says


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_who_points_looks_there_and_takes_the_nearer_hand(side: float) -> None:
    acts = shipped_acts()
    found = program(BODY, ActMark(acts["POINT"], frame=30.0, goal=np.array([6.0, 4.0 * side, 1.2])))
    head = found.pose(np.array([58.0])).motions["head"].rotation
    assert np.degrees(side * yaw_of(head)[0]) > 30.0
    assert found.gestures[0].asked.act.own_arms == {"hand_l" if side > 0.0 else "hand_r"}
    nods = (
        program(BODY, ActMark(acts["NOD"], frame=30.0)).pose(np.arange(30.0, 60.0)).motions["hand.R"].position
    )
    assert np.ptp(nods[:, 0]) > 0.2, "arms go on swinging"


@pytest.mark.parametrize("name", ACTS)
def test_a_pose_depends_on_its_frame_alone(name: str) -> None:
    found = acting(name)
    span = found.spans[0]
    frames = np.arange(span.begin - 2.0, span.end + 3.0)
    whole, draw = found.pose(frames), np.random.default_rng(3)
    for frame in draw.choice(frames, 6, replace=False):
        alone, row = found.pose(np.array([frame])), int(frame - frames[0])
        for role, motion in whole.motions.items():
            assert np.allclose(motion.rotation[row], alone.motions[role].rotation[0], rtol=0.0, atol=1e-7)
            assert np.allclose(motion.position[row], alone.motions[role].position[0], rtol=0.0, atol=1e-7)


@pytest.mark.few(3)
@pytest.mark.parametrize("phase", range(16))
def test_ways_into_a_leap_and_out_of_it_are_smooth(phase: int) -> None:
    found = program(BODY, ActMark(LEAP, 4.0 + 1.4 * phase / 16.0, length=1.3))
    span, world = found.spans[0], in_world(around(found, found.spans[0], margin=24.0))
    frames = np.arange(span.begin - 24.0, span.end + 24.0, FINE)[1:-1]
    pelvis = norms(np.diff(world["pelvis"].position, 2, axis=0)) * (FPS / FINE) ** 2
    beside = (
        (np.abs(frames - span.begin) < 1.1)
        | (np.abs(frames - span.end) < 1.1)
        | (frames < span.begin)
        | (frames > span.end)
    )
    assert pelvis[beside].max() < 25.0  # a steady run's: 20 to 30 m/s^2
    every = round(1.0 / FINE)
    kicks = np.abs(bent(world)[2 * every :] - 2.0 * bent(world)[every:-every] + bent(world)[: -2 * every])
    frames = np.arange(span.begin - 24.0, span.end + 24.0, FINE)[every:-every]
    assert kicks[(frames < span.begin + 1.0) | (frames > span.end - 1.0)].max() < 20.0


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (ActMark(JUMP, 4.0, length=4.0), "Jump: 4.0 m is too far from standing; "),
        (ActMark(LEAP, 4.0, length=4.0), r"Leap: 4\.0 m is too far from 1\.\d m/s; \d\.\d m are possible"),
        (ActMark(JUMP, 4.0, length=1.0, rise=1.5), "is too high"),
        (ActMark(SIT, 4.0, goal=np.array([3.6, 0.0, 1.1])), "Sit: a seat 1.10 m high is too high"),
        (
            ActMark(SIT, 4.0, goal=np.array([5.0, 0.0, 0.4])),
            "Sit: the middle of the seat is 0.99 m in front of the feet",
        ),
        (ActMark(PICK_UP, 4.0, goal=np.array([6.0, 0.0, 0.4])), "Pick Up: the hand comes no nearer than"),
    ],
)
def test_what_is_impossible_is_refused_with_what_is_possible(asked: ActMark, said: str) -> None:
    with refuses(said):
        program(BODY, asked)


@pytest.mark.few
@pytest.mark.parametrize("act", [JUMP, LEAP])
def test_the_way_that_is_said_to_be_possible_is(act: Act) -> None:
    with refuses() as refusal:
        program(BODY, ActMark(act, 4.0, length=4.0))
    possible = float(str(refusal.value).split(" m are possible")[0].split()[-1])
    assert 1.2 < possible < 3.0 and program(BODY, ActMark(act, 4.0, length=possible)).played
    with refuses("too far"):
        program(BODY, ActMark(act, 4.0, length=possible + 0.3))


def test_ground_too_high_to_leap_on_is_named_by_its_height() -> None:
    with refuses(r"Leap: ground 0\.\d\d m higher is too high; 0\.\d\d m are possible"):
        program(
            BODY,
            ActMark(LEAP, 4.05, length=1.2),
            heights=lambda places: np.where(places[..., 0] > 4.65, 0.6, 0.0),
        )


def test_acts_that_overlap_are_refused() -> None:
    with refuses("Leap begins before Leap is over"):
        program(BODY, ActMark(LEAP, 4.0, length=1.2), ActMark(LEAP, 4.3, length=1.2))


def everything(pose: WalkPose) -> np.ndarray:
    """Return all numbers of a pose `(f, n)`."""
    each = [
        value
        for motion in (pose.root, *pose.motions.values())
        for value in (motion.rotation, motion.position)
    ]
    return np.concatenate([value.reshape(len(pose.frames), -1) for value in each], axis=1)


def test_a_pose_does_not_hang_on_what_was_planned_or_shown_before(monkeypatch: pytest.MonkeyPatch) -> None:
    acts = (ActMark(JUMP, 4.0, length=0.6), ActMark(CROUCH, 7.0), ActMark(JUMP, 11.0, length=1.0))
    found = program(BODY, *acts)
    frames = np.arange(found.spans[0].begin - 20.0, found.spans[-1].end + 20.0)
    anew = everything(found.pose(frames))
    planned, plan = [], jump._planned_anew
    monkeypatch.setattr(jump, "_planned_anew", lambda jumps: planned.append(len(jumps)) or plan(jumps))
    monkeypatch.setattr(jump, "_known", {})
    program(BODY, *acts, ActMark(JUMP, 18.0))
    again = program(BODY, *acts)
    assert planned == [3, 1]  # only the one from which the walk now goes elsewhere
    again.pose(frames[100:130])
    assert np.abs(everything(again.pose(frames)) - anew).max() < 1e-15


def test_an_act_that_the_walk_never_comes_to_is_named() -> None:
    found = program(BODY, ActMark(JUMP, 4.0, length=1.0), speed=0.0)
    assert not found.spans


@pytest.mark.parametrize("act", [JUMP, LEAP, SIT, PICK_UP, WAVE], ids=lambda act: act.name)
def test_an_act_comes_back_from_its_file(act: Act) -> None:
    again = from_json(to_json(act), "It")
    at = np.linspace(0.0, act.seconds, 50)
    assert np.abs(again.curves(at) - act.curves(at)).max() < 1e-3
    assert (again.name, again.base, again.flight, again.hold) == (act.name, act.base, act.flight, act.hold)
    assert sorted(one.part for one in again.contacts) == sorted(one.part for one in act.contacts)


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ('"base":"STAND"', '"base":"FLY"'), ('"version":1', '"version":2'),
        ('"at":[0.0,0.4', '"at":[0.0,-0.4'),
        ("pelvis.pitch", "pelvis.w"), ('"flight":[0.8,1.25]', '"flight":[1.25,0.8]'), ("foot_l", "wing_l"),
        ("0.35,0.1,0.3", "0.35,1e99,0.3"), ("}", ""),
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused_in_a_sentence(was: str, becomes: str) -> None:
    text = to_json(JUMP)
    assert was in text
    with refuses("It cannot be used as an act: "):
        from_json(text.replace(was, becomes, 1), "It")


def assert_same(one: WalkPose, other: WalkPose) -> None:
    for role, motion in one.motions.items():
        assert np.array_equal(motion.rotation, other.motions[role].rotation)
        assert np.array_equal(motion.position, other.motions[role].position)
    assert np.array_equal(one.root.position, other.root.position) and (one.pivot == other.pivot).all()
    assert (one.pivot == SWING).any()


def test_bodies_without_arms_or_toes_act_too() -> None:
    armless = Body(
        **{**vars_of(BODY), "shoulder": np.full((2, 3), np.nan), "toe_joint": np.full((2, 3), np.nan)}
    )
    for asked in (ACTS["jump"], SEAT, ActMark(WAVE, frame=30.0)):
        found = program(armless, asked)
        slip, _ = slipped(found, around(found, found.spans[0]))
        assert slip < 1e-4


def vars_of(body: Body) -> dict[str, object]:
    return {name: getattr(body, name) for name in Body.__dataclass_fields__}


def test_a_gesture_at_a_distance_counts_no_turns_on_the_spot() -> None:
    turned = ActMark(SIT, 4.0, goal=np.array([4.4, 0.0, 0.45]), seconds=1.0, turn=np.pi)
    found = program(BODY, turned, ActMark(WAVE, 7.0))
    wave = next(span for span in found.spans if span.name == WAVE.name)
    assert abs(float(found.pose(np.array([wave.begin])).root.position[0, 0]) - 7.0) < 0.1


@pytest.mark.parametrize("side", [-0.1, 0.15])
def test_both_hands_take_a_thing_at_its_sides(side: float) -> None:
    goal = np.array([4.4, side, 0.5])
    found = program(BODY, ActMark(PICK_UP, 4.0, goal=goal, apart=0.3))
    grips = found.played[0].staged.grips
    assert [grip.point for grip in grips] == ["wrist.L", "wrist.R"]
    at = found.spans[0].begin + FPS * 0.5 * (grips[0].begin + grips[0].end)
    world = in_world(found.pose(np.array([at])))
    wrists = np.stack([world[f"hand.{letter}"].position[0] for letter in "LR"])
    for wrist, grip, sign in zip(wrists, grips, (1.0, -1.0), strict=True):
        assert np.allclose(wrist, grip.place, atol=1e-3)
        assert abs(float(norms(wrist - (goal + [0.0, 0.15 * sign, 0.0]))) - 0.1 * LEG) < 2e-3
    slip, below = slipped(found, around(found, found.spans[0]))
    assert slip < 1e-4 and below < 2e-3


@pytest.mark.few(2)
@pytest.mark.parametrize("draw", range(8))
def test_who_runs_leaps_as_people_do(draw: int) -> None:
    """Eight leaps of two people: thighs -2 to 47 degrees behind the vertical and 86 to 136 apart, wrists that
    swing by 0.45 to 1.02 legs, a trunk by 17 to 28 degrees."""
    drawn = np.random.default_rng(draw).uniform
    asked = ActMark(shipped_acts()["LEAP"], 6.0, length=drawn(1.4, 2.1))
    found = program(BODY, asked, kind="RUN", speed=drawn(2.5, 3.5))
    world = in_world(around(found, found.spans[0], 0.0))
    thighs, swings = (
        [world[f"{one}.{side}"].position - world[f"{other}.{side}"].position for side in "LR"]
        for one, other in (("thigh", "shin"), ("hand", "upper_arm"))
    )
    behind = np.degrees([np.arctan2(way[:, 0], way[:, 2]) for way in thighs])
    assert behind.max() < 52.0 and np.ptp(behind) < 140.0
    assert min(np.ptp(way[:, 0]) for way in swings) > 0.45 * LEG
    assert np.ptp(leaning(world, "upper_arm", "thigh")) > 15.0


def test_who_crouches_leans_and_keeps_his_middle_over_his_feet() -> None:
    found = program(BODY, ActMark(CROUCH, 4.0))
    world = in_world(found.pose(np.array([0.5 * (found.spans[0].begin + found.spans[0].end)])))
    middle, ankle, toe = (
        float(place[0, 0])
        for place in (middle_of(BODY, world), world["foot.L"].position, world["toe.L"].position)
    )
    assert ankle < middle < toe and leaning(world, "upper_arm", "thigh") > 25.0


@pytest.mark.parametrize(
    ("how", "energy", "weight", "height", "kneels"),
    [
        (KNEEL, 0.0, 0.0, 0.1, True),
        (KNEEL, 0.0, 0.0, 0.4, True),
        (AUTO, -0.8, 0.0, 0.1, True),
        (AUTO, -0.8, 0.0, 0.5, False),
        (AUTO, 0.0, 0.3, 0.1, True),
        (AUTO, 0.0, 0.0, 0.1, False),
        (SQUAT, -0.8, 0.3, 0.1, False),
        (BOW, 0.0, 0.0, 0.4, False),
    ],
)
def test_a_knee_on_the_ground_stays_there_and_a_free_hand_on_a_knee(
    how: str, energy: float, weight: float, height: float, kneels: bool
) -> None:
    goal = np.array([4.32, -0.15, height])
    found = program(BODY, ActMark(PICK_UP, 4.0, goal=goal, how=how, weight=weight), energy=energy)
    takes = next(touch for touch in found.spans[0].touches if touch.on == "object")
    world = in_world(found.pose(np.linspace(takes.begin - 2.0, takes.end + 2.0, 9)))
    knees = np.stack([world[f"shin.{side}"].position for side in "LR"])
    down = knees[np.argmin(knees[:, 0, 2])]
    assert (down[0, 2] < 0.2 * LEG) == kneels
    if kneels:
        assert np.ptp(down, axis=0).max() < 5e-4 and abs(down[0, 2] - 0.06 * LEG) < 2e-3
        feet = [world[f"foot.{side}"] for side in "LR"]
        base = [feet[0].carry(BODY.heel[0]), *(foot.carry(BODY.ball[row]) for row, foot in enumerate(feet))]
        assert margin(np.stack([*base, down], axis=1), middle_of(BODY, world)).min() > 0.0
    if how in (BOW, KNEEL) and height > 0.3:  # lower the shoulder is too near to it
        assert norms(world["hand.L"].position - world["shin.L"].position).max() < 0.35 * LEG


@pytest.mark.parametrize("height", [0.3, 0.5])
def test_a_body_is_over_its_feet_until_a_seat_has_it(height: float) -> None:
    goal = np.array([4.0 - seat_behind(BODY), 0.0, height])
    found = program(BODY, ActMark(shipped_acts()["SIT"], 4.0, goal=goal))
    span = found.spans[0]
    begin, end = span.seated[0]
    frames = np.arange(span.begin, span.end)
    world = in_world(found.pose(frames[(frames < begin) | (frames > end)]))
    assert (middle_of(BODY, world) - world["foot.L"].carry(BODY.heel[0]))[:, 0].min() > 0.0
    assert leaning(world, "upper_arm", "thigh").max() < 45.0


def test_a_seed_draws_one_of_three_ways_to_wave() -> None:
    ways = [shipped_acts()["WAVE"].way(seed).curves.values for seed in range(4)]
    assert len({way.tobytes() for way in ways}) == 3 and not np.any(ways[1][[0, -1]])
