"""A hand to the floor: hips and spine bend, and knees as much as people's do; hands stay above the ground,
free arms come down."""

import numpy as np
import pytest

from neurarig_addon.core.body.stoop import bundled_habit
from neurarig_addon.core.geometry.rotation import dot, normalized
from neurarig_addon.core.neural.drag.drag import Drag
from neurarig_addon.core.neural.drag.holds import Holds, PoseBefore
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, mirrored_rows
from tests.core.dragging import FEET, MAIN, drag_of, missed, moved, shown
from tests.core.neural_rigs import angles, body

# Wrist's height above the soles, metres of a human: knee bend and lean of the trunk, 5 to 95 % of the
# recorded frames in which people who stand on both feet have a hand within 10 cm of that height, at least 10
# cm ahead of the ankles; every clip counts alike.
RANGES = {
    0.7: ((28, 98), (4, 50)),
    0.45: ((35, 115), (18, 73)),
    0.2: ((31, 119), (60, 105)),
    0.05: ((32, 134), (62, 107)),
}
BUILDS = ("three spine bones", "no clavicles, A-pose", "one spine bone")
HANDS = {"left": ("L",), "right": ("R",), "both": ("L", "R")}


def reaching(
    subject: PointBody, heights: np.ndarray, sides: tuple[str, ...] = ("L",), ahead: float = 0.3
) -> np.ndarray:
    """Return the targets `(f, 27, 3)` of a standing body whose hands are at heights above the soles, metres
    of a human."""
    points, size = np.repeat(moved(subject, {}), len(heights), axis=0), subject.size
    sole, ankle = subject.at_rest[INDEX["toe_tip.L"], 2], subject.at_rest[INDEX["ankle.L"], 0]
    for side in sides:
        points[:, INDEX[f"wrist.{side}"], :2] = ankle + ahead * size, (0.15 if side == "L" else -0.15) * size
        points[:, INDEX[f"wrist.{side}"], 2] = sole + heights * size
    return points


def bend(points: np.ndarray, first: str, middle: str, last: str) -> np.ndarray:
    """Return by how much a limb is bent `(f,)`, degrees."""
    start, joint, end = (points[:, INDEX[name]] for name in (first, middle, last))
    return np.degrees(np.arccos(dot(normalized(joint - start), normalized(end - joint))))


def lean(points: np.ndarray) -> np.ndarray:
    """Return how far the line from hips to shoulders leans `(f,)`, degrees."""
    hips, shoulders = (
        points[:, [INDEX[f"{name}.{side}"] for side in "LR"]].mean(axis=1) for name in ("hip", "shoulder")
    )
    return np.degrees(np.arccos(normalized(shoulders - hips)[:, 2]))


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("build", BUILDS)
def test_knees_and_trunk_bend_as_peoples_do(build: str, hands: str) -> None:
    subject, heights = body(build), np.array(list(RANGES))
    targets = reaching(subject, heights, HANDS[hands])
    pose = drag_of(subject).apply(targets)
    points = shown(subject, pose)
    assert missed(subject, pose, targets, (*FEET, *(f"wrist.{side}" for side in HANDS[hands]))) < 1e-4
    for row, (knees, trunk) in enumerate(RANGES.values()):
        for side in "LR":
            assert knees[0] < bend(points, f"hip.{side}", f"knee.{side}", f"ankle.{side}")[row] < knees[1]
        assert trunk[0] < lean(points)[row] < trunk[1]


@pytest.mark.parametrize("size", [1.0, 0.4])
@pytest.mark.parametrize("build", BUILDS)
def test_nothing_goes_below_the_ground_and_hands_lie_flat_on_it(build: str, size: float) -> None:
    subject = body(build, size=size)
    sole, metre = subject.at_rest[INDEX["toe_tip.L"], 2], subject.size
    targets = reaching(subject, np.array([0.2, 0.12, 0.05, -0.1]), ("L", "R"))
    points = shown(subject, drag_of(subject).apply(targets))
    assert (points[..., 2].min(axis=1) > sole - 1e-4).all()
    for side in "LR":
        hand = normalized(points[:, INDEX[f"hand_tip.{side}"]] - points[:, INDEX[f"wrist.{side}"]])
        assert abs(hand[2, 2]) < 0.15 and hand[2, 0] > 0.95 and hand[0, 2] < -0.5
        assert points[3, INDEX[f"wrist.{side}"], 2] > sole + 0.03 * metre


@pytest.mark.parametrize("build", BUILDS)
def test_going_down_is_continuous(build: str) -> None:
    subject = body(build)
    heights = np.arange(1.2, 0.045, -0.01)
    away, root = drag_of(subject).apply(reaching(subject, heights))
    assert np.degrees(angles(away[1:], away[:-1])).max() < 12.0
    assert np.linalg.norm(np.diff(root, axis=0), axis=-1).max() < 0.02 * subject.height


def test_left_and_right_are_alike() -> None:
    subject, heights = body("three spine bones"), np.array([0.7, 0.2])
    left, right = (
        shown(subject, drag_of(subject).apply(reaching(subject, heights, (side,)))) for side in "LR"
    )
    assert np.abs(right[:, mirrored_rows()] * [1.0, -1.0, 1.0] - left).max() < 2e-3


@pytest.mark.parametrize("build", [*BUILDS, "I-pose with twist bones"])
def test_the_free_hand_comes_to_the_thigh(build: str) -> None:
    subject = body(build)
    points = shown(subject, drag_of(subject).apply(reaching(subject, np.array([0.45, 0.2]))))
    hip, knee, wrist = (points[:, INDEX[f"{name}.R"]] for name in ("hip", "knee", "wrist"))
    assert np.linalg.norm(wrist - hip - 0.65 * (knee - hip), axis=-1).max() < 0.11 * subject.size


def test_an_arm_that_was_posed_does_not_come_down() -> None:
    subject, heights = body("three spine bones"), np.array([0.45])
    base = moved(subject, {"wrist.R": (0.35, 0.4, 0.15)})
    away, root = drag_of(subject).apply(base)
    seen = shown(subject, (away, root))[0]
    before = PoseBefore(away[0], root[0], seen, seen)
    targets = reaching(subject, heights)
    rows = [INDEX[name] for name in MAIN if name != "wrist.L"]
    targets[:, rows] = seen[rows]
    points = shown(subject, Drag.of(subject, before, Holds.of(MAIN, FEET)).apply(targets))[0]
    assert lean(points[None])[0] > 38.0
    assert np.linalg.norm(points[INDEX["wrist.R"]] - points[INDEX["knee.R"]]) > 0.35 * subject.size


def test_a_pelvis_that_is_dragged_down_squats_and_a_hand_within_reach_moves_nothing() -> None:
    subject = body("three spine bones")
    squat = shown(subject, drag_of(subject).apply(moved(subject, {"pelvis": (0.0, 0.0, -0.4)})))
    assert lean(squat)[0] < 25.0 and bend(squat, "hip.L", "knee.L", "ankle.L")[0] > 80.0
    drag = drag_of(subject)
    away, root = drag.apply(reaching(subject, np.array([1.1])))
    assert (
        np.abs(away[:, 0] - drag.before.away[0]).max() == 0.0 and np.abs(root - drag.before.root).max() == 0.0
    )


def test_a_body_that_stoops_already_goes_on_from_there() -> None:
    habit = bundled_habit()
    at_once, first, then = (
        habit.more(0.0, np.array([0.5])),
        habit.more(0.0, np.array([0.2])),
        habit.more(0.2, np.array([0.3])),
    )
    np.testing.assert_allclose(first + then, at_once, atol=1e-12)


@pytest.mark.few
@pytest.mark.parametrize("build", BUILDS)
def test_no_hand_out_of_reach_folds_the_trunk_farther_than_people_bend(build: str) -> None:
    """For places out of reach, of dragged and locked hands; what is in reach, or a target of the trunk, is
    reached."""
    subject, rng = body(build), np.random.default_rng(47)
    chest = subject.tree.roles.index(subject.carriers.carrier(INDEX["neck"]))
    ways = normalized(rng.normal(size=(24, 3))) * rng.choice([0.8, 1.6, 2.5], size=(24, 1))
    for locked in (FEET, (*FEET, "wrist.L"), (*FEET, "wrist.L", "wrist.R")):
        drag, targets = drag_of(subject, locked=locked), np.repeat(moved(subject, {}), len(ways), axis=0)
        targets[:, INDEX["wrist.L"]] += ways * subject.size
        away, _ = pose = drag.apply(targets)
        wrists = [INDEX["wrist.L"], INDEX["wrist.R"]]
        short = (
            np.linalg.norm(shown(subject, pose)[:, wrists] - targets[:, wrists], axis=-1)
            > 0.01 * subject.height
        ).any(axis=1)
        assert short.any()
        assert np.degrees(angles(away[:, 0], away[:, chest]))[short].max() < 66.0
        assert lean(shown(subject, pose))[short].max() < 108.0
        assert missed(subject, pose, targets, FEET) < 0.01
    bowed = moved(subject, {"spine3": (0.45, 0.0, -0.6), "wrist.L": (1.6, 0.0, -0.6)})
    assert missed(subject, drag_of(subject, locked=(*FEET, "spine3")).apply(bowed), bowed, ("spine3",)) < 1e-3
