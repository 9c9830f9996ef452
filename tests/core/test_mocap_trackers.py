"""Recordings as trackers and capture systems give them: their points, their names, their files, their idea of
where the origin is."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.mocap.actor import resized
from neurarig_addon.core.mocap.landmarks import people, points_of, rows_that_tell
from neurarig_addon.core.mocap.mending import mended
from neurarig_addon.core.mocap.placement import TO_Z_UP, is_about_hips, on_the_ground, upright
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, POINTS
from neurarig_addon.core.neural.solver import PoseSolver
from tests.core import trackers
from tests.core.neural_rigs import recorded_walk
from tests.core.skeletons import biped, scaled, skeleton
from tests.refusals import refuses

Tracker = Callable[[np.ndarray, np.ndarray], dict[str, np.ndarray]]
TRACKERS = pytest.mark.parametrize(
    "tracker", [trackers.coco, trackers.mediapipe, trackers.body_25, trackers.human36m]
)
LIMBS = [INDEX[f"{part}.{side}"] for part in ("hip", "knee", "shoulder", "elbow") for side in "LR"]


@pytest.fixture(scope="module")
def walk() -> tuple[PointBody, np.ndarray, np.ndarray]:
    """Return a recorded walk: body, rotations, points in the walk frame."""
    return recorded_walk("cmu_02_01")


def told(tracker: Tracker, walk: tuple) -> tuple[list[str], np.ndarray]:
    _, rotations, points = walk
    found = tracker(points, rotations[:, INDEX["head"]])
    return list(found), np.stack(list(found.values()), axis=1)


@TRACKERS
def test_what_a_tracker_sees_is_enough_for_a_pose(tracker: Tracker, walk) -> None:
    body, rotations, points = walk
    names, places = told(tracker, walk)
    # millimetres, y down, as cameras have it
    recorded = upright(points_of(names, 1000.0 * places @ TO_Z_UP["-y"]))
    assert np.nanmax(np.abs(recorded[:, LIMBS] - points[:, LIMBS])) < 1e-9
    made = mended(recorded, 60.0, 0.001)
    found, root = PoseSolver.load().solve(
        body, resized(made.points, body.rest), made.trust, made.noise, refine=1
    )
    off = np.degrees(
        np.linalg.norm(rotation.rotation_vector(np.swapaxes(found, -1, -2) @ rotations), axis=-1)
    )
    assert (
        off[:, LIMBS].mean() < 4.0
        and off[:, INDEX["head"]].mean() < 15.0
        and off[:, INDEX["pelvis"]].mean() < 10.0
    )
    assert np.linalg.norm(root - points[:, 0], axis=-1).max() < 0.06


@TRACKERS
def test_a_figure_recorded_about_its_hips_walks(tracker: Tracker, walk) -> None:
    names, places = told(tracker, walk)
    middle = points_of(names, places)[:, [INDEX["hip.L"], INDEX["hip.R"]]].mean(axis=1)
    recorded = points_of(names, places - middle[:, None])
    assert is_about_hips(recorded) and not is_about_hips(points_of(names, places))
    found = on_the_ground(recorded)
    travelled = found[-1, INDEX["hip.L"]] - found[0, INDEX["hip.L"]]
    wanted = walk[2][-1, INDEX["hip.L"]] - walk[2][0, INDEX["hip.L"]]
    assert np.linalg.norm(travelled[:2] - wanted[:2]) < 0.15 * np.linalg.norm(wanted[:2])
    assert -0.05 < np.nanmin(found[..., 2]) < 0.1


def test_joints_lie_inside_the_markers_of_the_skin(walk) -> None:
    body, rotations, points = walk
    skin = trackers.plug_in_gait(points, rotations)
    names = [f"Ann:{code}" for code in skin]
    found = upright(points_of(names, 1000.0 * np.stack(list(skin.values()), axis=1)))
    for part, near in (
        ("hip", 0.04),
        ("knee", 0.015),
        ("ankle", 0.015),
        ("ball", 0.03),
        ("shoulder", 0.02),
        ("wrist", 0.01),
    ):
        rows = [INDEX[f"{part}.{side}"] for side in "LR"]
        assert np.linalg.norm(found[:, rows] - points[:, rows], axis=-1).mean() < near, part
    chosen = points_of(names, np.stack(list(skin.values()), axis=1), {"elbow.L": "Ann:LSHO", "neck": ""})
    assert (
        np.array_equal(chosen[:, INDEX["elbow.L"]], skin["LSHO"]) and np.isnan(chosen[:, INDEX["neck"]]).all()
    )
    made = mended(found, 60.0, 0.001)
    solved, _ = PoseSolver.load().solve(body, resized(made.points, body.rest), made.trust, 0.005, refine=1)
    off = np.degrees(
        np.linalg.norm(rotation.rotation_vector(np.swapaxes(solved, -1, -2) @ rotations), axis=-1)
    )
    assert off[:, LIMBS].mean() < 8.0


def test_of_several_people_one_is_taken(walk) -> None:
    _, rotations, points = walk
    skin = trackers.plug_in_gait(points, rotations)
    less = [code for code in skin if code not in ("CLAV", "LWRA")]
    names = (
        [f"Unlabeled:{number}" for number in range(70)]
        + [f"Ann:{code}" for code in less]
        + [f"Ben:{code}" for code in skin]
    )
    names += ["Sword:Hilt", "Sword:Tip", "origin"]
    people_at = ((5.0, less), (0.0, skin))
    found = [np.stack([skin[code] + apart for code in codes], axis=1) for apart, codes in people_at]
    places = np.concatenate([np.zeros((len(points), 70, 3)), *found, np.zeros((len(points), 3, 3))], axis=1)
    assert people(names) == ["Ben", "Ann"]
    alone = points_of(list(skin), np.stack(list(skin.values()), axis=1))
    assert_array_equal(points_of(names, places), alone)
    ann = points_of(names, places, {"subject": "Ann", "wrist.L": "Ben:LWRA"})
    assert np.isnan(ann[:, INDEX["neck"]]).all() and np.array_equal(ann[:, INDEX["wrist.L"]], skin["LWRA"])
    assert_allclose(ann[:, LIMBS], alone[:, LIMBS] + 5.0)
    assert {names[row].partition(":")[0] for row in rows_that_tell(names, {"subject": "Ann"})} == {"Ann"}
    with refuses("Nobody named 'Eve' was recorded; there are Ben, Ann"):
        points_of(names, places, {"subject": "Eve"})


def test_a_tracked_figure_takes_the_proportions_of_another_body(walk) -> None:
    names, places = told(trackers.coco, walk)
    other = PointBody.of(Character.of(skeleton(scaled(biped(), 0.5))))
    fitted = resized(points_of(names, places), other.rest)
    for first, second in (
        ("hip.L", "knee.L"),
        ("shoulder.R", "elbow.R"),
        ("hip.L", "hip.R"),
        ("shoulder.L", "shoulder.R"),
    ):
        length = np.median(np.linalg.norm(fitted[:, INDEX[first]] - fitted[:, INDEX[second]], axis=-1))
        assert length == pytest.approx(
            np.linalg.norm(other.rest[INDEX[first]] - other.rest[INDEX[second]]), rel=0.05
        )
    assert np.isnan(fitted[:, INDEX["pelvis"]]).all() and np.isnan(fitted[:, INDEX["neck"]]).all()


def test_every_point_is_told_by_somebody(walk) -> None:
    names, places = told(trackers.mediapipe, walk)
    seen = {POINTS[row] for row in np.flatnonzero(np.isfinite(points_of(names, places)[0]).all(axis=-1))}
    assert seen >= {"head", "head_top", "ball.L", "toe_tip.R", "hand_tip.L", "hip.R"} and "pelvis" not in seen
