"""A body follows a drag as a body does: what is dragged and the feet hold, the rest gives way, and nothing
flips."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry.rotation import about_y, about_z, from_euler, to_euler
from neurarig_addon.core.neural.drag.drag import Drag
from neurarig_addon.core.neural.drag.holds import Holds, PoseBefore
from neurarig_addon.core.neural.drag.shortcuts import TargetFigure
from neurarig_addon.core.neural.drag.trunk_shape import TrunkShape
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, POINTS
from tests.core.dragging import FEET, MAIN, drag_of, missed, moved, shown
from tests.core.neural_rigs import angles, body
from tests.refusals import refuses

BUILDS = [
    "one spine bone",
    "three spine bones",
    "seven spine bones",
    "no neck",
    "no clavicles, A-pose",
    "I-pose with twist bones",
]
EXACT = 1e-4  # metres


def floor(subject: PointBody) -> tuple[float, float, float]:
    """Return the way of the left hand to the floor ahead of the feet, in human's metres."""
    hand, toes = subject.at_rest[INDEX["wrist.L"]], subject.at_rest[INDEX["toe_tip.L"]]
    return tuple((toes - hand) / subject.size + [0.2, 0.05, 0.05])


@pytest.mark.parametrize("build", BUILDS)
def test_nothing_dragged_leaves_the_pose(build: str) -> None:
    subject = body(build)
    drag = drag_of(subject)
    away, root = drag.apply(moved(subject, {}))
    assert np.abs(away[0] - drag.before.away).max() < 1e-6 and np.abs(root[0] - drag.before.root).max() < 1e-6


@pytest.mark.parametrize("build", BUILDS)
def test_a_hand_goes_to_the_floor_and_overhead_while_the_feet_stand(build: str) -> None:
    subject = body(build)
    drag = drag_of(subject)
    above = subject.at_rest[INDEX["shoulder.L"]] - subject.at_rest[INDEX["wrist.L"]]
    for way in (floor(subject), tuple(above / subject.size + [0.1, 0.05, 0.45])):
        points = moved(subject, {"wrist.L": way}, steps=20)
        pose = drag.apply(points)
        assert missed(subject, pose, points, ("wrist.L", *FEET)) < EXACT
        assert np.degrees(np.abs(to_euler(pose[0][:, 0])[1] - to_euler(drag.before.away[0])[1])).max() < 15.0


@pytest.mark.few
@pytest.mark.parametrize("build", ["one spine bone", "no clavicles, A-pose", "I-pose with twist bones"])
@pytest.mark.parametrize("name", MAIN)
def test_no_bone_flips_within_a_centimetre(build: str, name: str) -> None:
    subject = body(build)
    drag = drag_of(subject)
    for way in (*np.eye(3), *-np.eye(3)):
        away, _ = drag.apply(moved(subject, {name: tuple(0.3 * way)}, steps=30))
        assert np.degrees(angles(away[1:], away[:-1])).max() < 15.0


@pytest.mark.parametrize("build", BUILDS)
def test_feet_move_apart_and_the_hips_are_lowered_not_turned(build: str) -> None:
    subject = body(build)
    drag = drag_of(subject)
    for way in ((0.0, 0.15, 0.0), (0.3, 0.0, 0.0), (0.6, 0.0, 0.0)):
        points = moved(subject, {"ankle.L": way})
        away, root = pose = drag.apply(points)
        assert missed(subject, pose, points, FEET) < EXACT
        assert np.degrees(angles(away[0, 0], drag.before.away[0])) < 3.0
        assert root[0, 2] < drag.before.root[2] + 1e-6


@pytest.mark.few
@pytest.mark.parametrize("build", ["no clavicles, A-pose", "three spine bones", "I-pose with twist bones"])
@pytest.mark.parametrize("aside", [-0.4, 0.0, 0.4])
def test_knees_and_hips_stay_above_the_ground_on_which_the_feet_stand(build: str, aside: float) -> None:
    subject = body(build)
    ankle = (subject.at_rest[INDEX["ankle.L"]] - subject.at_rest[INDEX["wrist.L"]]) / subject.size
    rows = [INDEX[f"{stem}.{side}"] for stem in ("knee", "hip", "elbow") for side in "LR"]
    sole = subject.at_rest[INDEX["toe_tip.L"], 2]
    for ahead in (-0.1, 0.25, 0.45, 0.6):
        # a centimetre each
        points = moved(subject, {"wrist.L": tuple(ankle + [ahead, aside, -0.02])}, steps=185)
        pose = drag_of(subject).apply(points)
        assert shown(subject, pose)[:, rows, 2].min() > sole + 0.02 * subject.height
        assert missed(subject, pose, points, ("wrist.L", *FEET)) < EXACT
        assert np.degrees(angles(pose[0][1:], pose[0][:-1])).max() < 15.0


def test_who_squats_low_stays_until_something_is_dragged() -> None:
    subject = body("three spine bones")
    low = drag_of(subject).apply(moved(subject, {"pelvis": (-0.1, 0.0, -0.75)}))
    squat = shown(subject, low)
    before = PoseBefore(low[0][0], low[1][0], squat[0], squat[0])
    drag, points = Drag.of(subject, before, Holds.of(MAIN, FEET)), np.full((1, len(POINTS), 3), np.nan)
    rows = [INDEX[name] for name in MAIN]
    points[0, rows] = squat[0, rows]
    assert np.abs(shown(subject, drag.apply(points)) - squat).max() < 1e-5


def test_hips_go_down_to_the_ground_where_they_are_dragged() -> None:
    subject = body("three spine bones")
    for way in ((-0.3, 0.0, -0.85), (0.0, 0.0, -0.7)):
        points = moved(subject, {"pelvis": way}, steps=85)
        pose = drag_of(subject).apply(points)
        assert missed(subject, pose, points, ("pelvis", *FEET)) < EXACT
        assert shown(subject, pose)[:, [INDEX["knee.L"], INDEX["knee.R"]], 2].min() > 0.05


def test_what_is_locked_stays_what_is_soft_gives_way_and_what_is_free_goes_along() -> None:
    subject = body("three spine bones")
    points = moved(subject, {"wrist.L": floor(subject)})
    gone = {}
    for kind, options in {
        "free": {"free": ("pelvis",)},
        "soft": {},
        "locked": {"locked": (*FEET, "pelvis")},
    }.items():
        pose = drag_of(subject, **options).apply(points)
        gone[kind] = np.linalg.norm(shown(subject, pose)[0, 0] - subject.at_rest[0])
        assert missed(subject, pose, points, FEET) < EXACT
    assert gone["free"] > gone["soft"] > 0.2 and gone["locked"] < 0.05


def test_locked_points_are_met_exactly_where_bones_reach() -> None:
    subject, locked = body("three spine bones"), ("pelvis", "head", "wrist.L", "wrist.R", *FEET)
    points = moved(
        subject,
        {
            "pelvis": (0.05, 0.03, -0.15),
            "head": (0.08, 0.03, -0.16),
            "wrist.L": (0.1, -0.2, -0.1),
            "wrist.R": (0.1, 0.2, -0.1),
        },
    )
    assert missed(subject, drag_of(subject, locked=locked).apply(points), points, locked) < EXACT


WAYS = {
    "elbow.L": (0.02, 0.0, -0.03), "ball.L": (0.0, 0.03, 0.0), "hand_tip.R": (0.0, 0.0, -0.03),
    "head_top": (0.03, 0.0, 0.0),
    "collar.L": (0.02, 0.01, -0.03), "spine1": (0.02, 0.01, -0.03),
}  # fmt: skip


@pytest.mark.parametrize("point", WAYS)
def test_any_point_can_be_dragged(point: str) -> None:
    subject, names = body("three spine bones"), (*MAIN, *WAYS)
    points = moved(subject, {point: WAYS[point]}, names)
    assert missed(subject, drag_of(subject, names).apply(points), points, (point,)) < 0.01


def test_what_no_bone_brings_to_its_place_has_no_say_and_cannot_be_locked() -> None:
    subject, names = body("no toes"), (*MAIN, "toe_tip.L")
    points = moved(subject, {"toe_tip.L": (0.01, 0.0, 0.005), "wrist.L": (0.1, -0.1, -0.1)}, names)
    assert missed(subject, drag_of(subject, names).apply(points), points, ("wrist.L", *FEET)) < EXACT
    with refuses(r"toe_tip\.L"):
        drag_of(subject, names, (*FEET, "toe_tip.L"))


def test_a_figure_moved_and_turned_as_a_whole_keeps_its_pose() -> None:
    subject = body("three spine bones")
    drag, points = drag_of(subject), moved(subject, {})
    turn, way = about_z(2.5), np.array([4.0, -3.0, 0.5])
    away, root = drag.apply(points @ turn.T + way)
    assert np.abs(away[0] - turn @ drag.before.away).max() < 1e-6
    assert np.abs(root[0] - (turn @ drag.before.root + way)).max() < 1e-6


def test_a_pose_is_a_function_of_its_targets_alone() -> None:
    subject = body("three spine bones")
    drag = drag_of(subject)
    points = np.concatenate(
        [
            moved(subject, {"wrist.L": floor(subject)}, steps=7),
            moved(subject, {"head": (0.0, 0.0, 0.3)}, steps=4),
        ]
    )
    together, alone = drag.apply(points), [drag.apply(one[None]) for one in points]
    assert np.abs(together[0] - np.concatenate([away for away, _ in alone])).max() < 1e-9
    assert np.abs(together[1] - np.concatenate([root for _, root in alone])).max() < 1e-9


def test_the_trunk_gives_way_about_the_axes_in_which_the_pelvis_faces() -> None:
    """However the spine and the limbs are turned against it."""
    subject, rng = body("three spine bones"), np.random.default_rng(8)
    roles = len(subject.tree.roles)
    facing = about_z(np.array([0.8]))[0] @ about_y(np.array([0.3]))[0]
    found = []
    for _ in range(2):
        away = from_euler(*rng.uniform(-1.0, 1.0, (3, roles)))
        away[0] = facing
        found.append(TrunkShape.of(subject, away, np.zeros(3), [{INDEX["head"]: 1.0}], 1.0).carried)
    assert_allclose(found[1], found[0], atol=1e-12)
    assert_allclose(found[0][:3, :3], about_z(np.array([0.8]))[0], atol=1e-12)


def test_sizes_do_not_matter() -> None:
    large, small = body("three spine bones", size=3.0), body("three spine bones")
    poses = [
        drag_of(subject).apply(moved(subject, {"wrist.L": floor(subject)}))[0] for subject in (large, small)
    ]
    assert np.abs(poses[0] - poses[1]).max() < 1e-3


def test_far_away_stays_finite() -> None:
    subject = body("three spine bones")
    pose = drag_of(subject).apply(moved(subject, {"wrist.L": (9.0, -3.0, 4.0), "pelvis": (0.0, 5.0, 0.0)}))
    assert all(np.isfinite(part).all() for part in pose)
    assert missed(subject, pose, moved(subject, {}), FEET) < 0.02


def test_the_trunk_rests_while_hands_reach_what_is_dragged() -> None:
    subject = body("three spine bones")
    drag, steps = drag_of(subject), 8
    near = moved(subject, {"wrist.L": (-0.08, -0.03, -0.08)}, steps=steps)
    far = moved(subject, {"wrist.L": (0.1, 0.0, -1.2)}, steps=steps)
    trunk = [
        row
        for row, role in enumerate(subject.tree.roles)
        if role.partition(".")[0] in ("pelvis", "spine", "neck", "head")
    ]
    away, root = drag.apply(near)
    assert (away[:, trunk] == drag.before.away[trunk]).all() and (root == drag.before.root).all()
    assert missed(subject, (away, root), near, MAIN) < EXACT
    bent, _ = drag.apply(far)
    assert np.abs(bent[-1, trunk] - drag.before.away[trunk]).max() > 0.1
    both, _ = drag.apply(np.concatenate([near, far]))  # frames that rest leave those alone that do not
    assert (both[:steps] == away).all() and np.abs(both[steps:] - bent).max() < 1e-9


@pytest.mark.parametrize("turn", [0.0, 0.7, 3.1])
def test_a_figure_is_carried_by_the_rigid_motion_that_is_nearest_to_its_targets(turn: float) -> None:
    rng = np.random.default_rng(3)
    before, shift = rng.normal(size=(27, 3)), np.array([100.0, -3.0, 0.4])
    rows = np.array([0, 4, 7, 11, 20])
    figure = TargetFigure.of(rows, before)
    start = before[rows].mean(axis=0)
    now = ((before - start) @ about_z(np.array([turn]))[0].T + start + shift)[None, rows]
    carried = figure.moved(now)
    assert carried is not None and np.abs(carried.back(now)[0] - before[rows]).max() < 1e-9
    assert np.abs(carried.moved(before[None, rows])[0] - now[0]).max() < 1e-9
    assert figure.moved(before[None, rows]) is None  # nobody went anywhere
    scattered = before[None, rows] + rng.normal(size=(1, len(rows), 3))
    assert figure.moved(scattered) is None
