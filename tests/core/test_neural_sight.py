"""What the pose solver makes of what it sees: ends that nobody shows, a spine of many bones, feet that are
banked at rest."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry.rotation import about_x, about_z, from_axis_angle
from neurarig_addon.core.neural.analytic.anchor import Anchor
from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.analytic.noise import Noise
from neurarig_addon.core.neural.network.pose_weights import read_pose_weights
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS, POINTS, SITES
from neurarig_addon.core.neural.solver import BUNDLED, PoseSolver
from tests.core.neural_rigs import angles, body, local_pose, possible, random_turns, table
from tests.core.skeletons import LEG, Table, both, skeleton

EVERY = np.ones(len(POINTS))


def posed(figure: PointBody, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return rotations of a few frames, and their points."""
    rng = np.random.default_rng(seed)
    rotations = possible(figure, local_pose(rng, 8, most=0.5))
    return rotations, figure.forward(rotations, rng.normal(size=(8, 3)))


@pytest.mark.parametrize("missing", [SITES, ("head_top",), ("toe_tip.L", "hand_tip.R"), ()])
@pytest.mark.parametrize("build", ["three spine bones", "no clavicles, A-pose"])
def test_bones_whose_ends_are_not_seen_stay_with_the_ones_above(build, missing):
    """Whatever stands in their rows; other bones are as they would be, for all frames alike or frame by
    frame."""
    figure = body(build)
    _, points = posed(figure)
    seen, anchor = EVERY.copy(), Anchor.of(figure.rest)
    seen[[INDEX[name] for name in missing]] = 0.0
    whole = anchor.solve(points).rotations
    given = np.where(seen[:, None] > 0.0, points, 7.0)
    found = anchor.solve(given, seen).rotations
    bones = [PARENTS[INDEX[name]] for name in missing]
    for name, bone in zip(missing, bones, strict=True):
        # The network has learned toes that swing from the shin, not from the foot.
        above = INDEX["knee" + name[-2:]] if name.startswith("toe_tip") else PARENTS[bone]
        assert_allclose(found[:, bone], found[:, above], atol=1e-9, err_msg=name)
    others = np.setdiff1d(np.arange(len(JOINTS)), bones)
    assert_allclose(found[:, others], whole[:, others], atol=1e-12)
    by_frame = np.tile(seen, (len(points), 1))
    by_frame[1] = 1.0
    assert_allclose(
        anchor.solve(points, by_frame).rotations,
        np.where(np.arange(8)[:, None, None, None] == 1, whole, found),
        atol=1e-12,
    )


@pytest.mark.parametrize("apart_deg", [0.0, 25.0])
def test_feet_stand_flat_in_the_reference_pose_though_the_legs_rest_apart(apart_deg):
    """Motion capture skeletons rest with spread legs, and the feet are banked with them: brought down, feet
    and toes are level again."""
    angle = np.radians(apart_deg)
    leg: Table = {}
    hip = np.array(LEG["thigh_l"][1])
    turn = (
        about_x(np.array(0.0))
        if not apart_deg
        else from_axis_angle(np.array([0.0, 1.0, 0.0]), np.array(-angle))
    )
    for name, (parent, *ends) in LEG.items():
        leg[name] = (parent, *(tuple(hip + turn @ (np.array(end) - hip)) for end in ends))
    bones = {
        name: bone for name, bone in table().items() if not name.startswith(("thigh", "calf", "foot", "ball"))
    }
    figure, upright = (PointBody.of(Character.of(skeleton({**bones, **both(each)}))) for each in (leg, LEG))
    for side in "LR":
        ankle, ball, tip = (INDEX[f"{part}.{side}"] for part in ("ankle", "ball", "toe_tip"))
        for start, end in ((ankle, ball), (ball, tip)):
            assert_allclose(
                figure.rest[end] - figure.rest[start], upright.rest[end] - upright.rest[start], atol=0.02
            )
        if apart_deg:
            assert angles(figure.turns[ball], figure.turns[ankle]) < 1e-9, "the toes come down with the foot"


def test_a_pelvis_that_is_seen_exactly_turns_as_it_is_seen():
    """Hips and spine show its whole turn, so what is hidden elsewhere leaves it where it is."""
    figure = body("three spine bones")
    assert NetworkBody.of(figure.rest).firm_pelvis
    rotations, points = posed(figure)
    solver = PoseSolver.load()
    exact = solver.solve(figure, points)[0]
    assert angles(exact[:, 0], rotations[:, 0]).max() < 1e-5
    doubtful = EVERY.copy()
    doubtful[[INDEX[name] for name in ("wrist.L", "ankle.R", "head")]] = 0.0
    hidden = solver.solve(figure, points, doubtful, refine=0)[0]
    assert np.degrees(angles(hidden[:, 0], rotations[:, 0])).max() < 0.5


def test_a_pelvis_is_as_free_as_its_worst_point_is_doubtful():
    """Not at all where hips and spine are exact; wholly where one of them is hardly believed; by 1 - 1/e at 3
    mm of noise on an adult."""
    tables = NetworkBody.of(body("three spine bones").rest)
    shape = read_pose_weights(BUNDLED).figure

    def freedom(weights: np.ndarray, sigma: float) -> float:
        return float(Noise.of(tables, shape, weights, sigma).free[0, 2, INDEX["pelvis"]])

    assert freedom(EVERY, 0.0) == 0.0
    assert freedom(EVERY, 0.003 / 1.75 * tables.height) == pytest.approx(1.0 - np.exp(-1.0), rel=1e-6)
    for name in ("pelvis", "hip.L", "hip.R", "spine1"):
        doubtful = EVERY.copy()
        doubtful[INDEX[name]] = 0.02
        assert freedom(doubtful, 0.0) > 0.99
    elsewhere = EVERY.copy()
    elsewhere[[INDEX[name] for name in ("wrist.L", "spine3")]] = 0.0
    assert freedom(elsewhere, 0.0) == 0.0


@pytest.mark.parametrize("sigma", [0.0, 0.002, 0.01])
def test_the_network_is_told_how_exact_each_bone_is_shown(sigma):
    """1 where a bone is seen without noise; a Gaussian of how many radians its two ends are off; 0 where an
    end is hidden."""
    tables = NetworkBody.of(body("three spine bones").rest)
    weights = EVERY.copy()
    weights[INDEX["wrist.L"]] = 0.0
    nodes = Noise.of(tables, read_pose_weights(BUNDLED).figure, weights, sigma).nodes[0]
    for joint, name in enumerate(JOINTS):
        shown, quiet = nodes[joint, 3], nodes[joint, 5]
        hidden = joint == 0 or "wrist.L" in (name, JOINTS[PARENTS[joint]]) or not tables.given[joint]
        assert shown == (0.0 if hidden else 1.0) or joint == 0, name
        if not hidden:
            angle = np.sqrt(2.0) * sigma / tables.lengths[joint]
            assert quiet == pytest.approx(np.exp(-((angle / 0.03) ** 2)), rel=1e-5), name


@pytest.mark.parametrize("angle", [-60.0, 45.0])
def test_shoulders_that_are_turned_against_the_hips_turn_the_spine_by_thirds(angle: float) -> None:
    """Points on the axis do not show it: the lower spine has a third of it, the middle two."""
    figure = body("three spine bones")
    rotations = np.tile(np.eye(3), (1, len(JOINTS), 1, 1))
    for joint, name in enumerate(JOINTS):
        above = name.startswith(("spine3", "neck", "head", "collar", "shoulder", "elbow", "wrist"))
        share = {"spine1": 1.0 / 3.0, "spine2": 2.0 / 3.0}.get(name, 1.0 if above else 0.0)
        rotations[:, joint] = about_z(np.array(np.radians(angle) * share))
    found = Anchor.of(figure.rest).solve(figure.forward(rotations, np.zeros((1, 3)))).rotations
    for name, share in (("pelvis", 0.0), ("spine1", 1.0 / 3.0), ("spine2", 2.0 / 3.0), ("spine3", 1.0)):
        turn = found[0, INDEX[name]]
        assert np.degrees(np.arctan2(turn[1, 0], turn[0, 0])) == pytest.approx(share * angle, abs=4.0), name


@pytest.mark.parametrize("joint", ["knee.R", "elbow.L"])
def test_a_bone_whose_ends_are_shown_in_one_place_points_as_in_the_reference_pose_turned_with_the_figure(
    joint: str,
) -> None:
    figure = body("three spine bones")
    turn = random_turns(np.random.default_rng(2), (1,), 2.5)
    points = figure.forward(np.repeat(turn[:, None], len(JOINTS), axis=1), np.zeros((1, 3)))
    end = next(row for row in range(len(JOINTS)) if PARENTS[row] == INDEX[joint])
    points[:, end] = points[:, INDEX[joint]]
    found = Anchor.of(figure.rest).solve(points).rotations[:, INDEX[joint]]
    assert_allclose(found @ figure.offsets[end], turn @ figure.offsets[end], atol=0.01)
