"""What is known of a body: what keeps its distance, how people usually are, which way elbows bend, what may
be locked, what is kept."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.neural.analytic.figure_shape import TRUNK, FigureShape
from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.point_body import elbow_rolls
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS, POINTS
from tests.core.neural_rigs import BUILDS, body, local_pose, possible, random_turns


@pytest.mark.parametrize("build", BUILDS)
def test_rigid_pairs_keep_their_distance_in_any_pose_and_all_bones_are_among_them(build: str) -> None:
    subject = body(build)
    pairs = NetworkBody.of(subject.rest).pairs
    points = subject.forward(
        possible(subject, local_pose(np.random.default_rng(1), 50, most=1.0)), np.zeros((50, 3))
    )
    apart = np.linalg.norm(pairs.incidence @ points, axis=-1)
    assert_allclose(apart, np.broadcast_to(pairs.lengths, apart.shape), atol=1e-9)
    ends = {tuple(pair) for pair in pairs.ends.T.tolist()}
    for row in range(1, len(POINTS)):
        pair = sorted({int(pairs.places[row]), int(pairs.places[PARENTS[row]])})
        assert len(pair) == 1 or tuple(pair) in ends, POINTS[row]
    for row, (low, high) in enumerate(pairs.ends.T):
        assert (
            pairs.incidence[row].sum() == 0.0
            and pairs.incidence[row, high] == 1.0
            and pairs.incidence[row, low] == -1.0
        )
    same = np.linalg.norm(subject.rest - subject.rest[pairs.places], axis=-1)
    assert same.max() < 2e-3 * np.ptp(subject.rest[:, 2])


def test_what_the_network_knows_of_a_body_is_its_bones() -> None:
    subject = body("three spine bones")
    known = NetworkBody.of(subject.rest)
    rest = subject.rest
    assert known.height == pytest.approx(np.ptp(rest[:, 2]))
    for name, way in {
        "wrist.L": ("collar.L", "shoulder.L", "elbow.L", "wrist.L"),
        "ankle.R": ("hip.R", "knee.R", "ankle.R"),
    }.items():
        row, chain = INDEX[name], [INDEX[joint] for joint in way]
        start = [INDEX[joint] for joint in ("spine1", "spine2", "spine3")] if name.startswith("wrist") else []
        assert known.reach[row] == pytest.approx(
            sum(np.linalg.norm(rest[k] - rest[PARENTS[k]]) for k in [*start, *chain])
        )
    assert_allclose(known.lengths[1:], np.linalg.norm(rest[1:] - rest[PARENTS[1:]], axis=-1))
    turns = possible(subject, local_pose(np.random.default_rng(2), 20, most=1.0))
    assert_allclose(known.places(turns), subject.forward(turns, np.zeros((20, 3))), atol=1e-9)
    assert known.firm_pelvis
    flat = rest.copy()
    flat[[INDEX["pelvis"], INDEX["spine1"]]] = flat[[INDEX["hip.L"], INDEX["hip.R"]]].mean(axis=0)
    assert not NetworkBody.of(flat).firm_pelvis, "joints on one line do not show a pelvis' own turn"


def crowd(count: int, spread: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points, reference poses and heights of people of several sizes who stand about, turned and
    moved."""
    rng = np.random.default_rng(3)
    rest = body("three spine bones").rest
    sizes = rng.uniform(0.5, 2.0, count)
    rests = sizes[:, None, None] * rest
    points = rests + spread * sizes[:, None, None] * rng.normal(size=rests.shape)
    turns = random_turns(rng, (count,), np.pi)
    return (
        (points @ turns.swapaxes(-1, -2)) + rng.normal(size=(count, 1, 3)),
        rests,
        sizes * np.ptp(rest[:, 2]),
    )


def test_people_who_stand_as_in_the_reference_pose_are_so_whatever_their_size_and_wherever_they_face() -> (
    None
):
    shape = FigureShape.of(*crowd(20, 0.0))
    for size in (1.0, 3.0):
        known = NetworkBody.of(size * body("three spine bones").rest)
        usual = shape.on(known)
        centred = (known.rest - known.rest[TRUNK].mean(axis=0)) / known.height
        frame = usual.places.T @ centred
        turn = np.linalg.svd(frame)
        assert_allclose(usual.places, centred @ (turn[0] @ turn[2]).T, atol=1e-6)
        assert np.abs(usual.varied - np.diag(np.diagonal(usual.varied))).max() < 1e-5, "nobody differs"


def test_of_a_knee_that_is_off_by_so_much_the_variance_is_the_square_of_that() -> None:
    rest = body("three spine bones").rest
    knee, length = INDEX["knee.L"], np.linalg.norm(rest[INDEX["knee.L"]] - rest[INDEX["hip.L"]])
    points = np.array([rest, rest])
    below = [INDEX[name] for name in ("knee.L", "ankle.L", "ball.L", "toe_tip.L")]
    points[0, below, 0] += 0.05
    points[1, below, 0] -= 0.05
    shape = FigureShape.of(points, np.array([rest, rest]), np.full(2, np.ptp(rest[:, 2])))
    # Half of the people, as the others are their mirror images.
    assert shape.covariance[3 * knee, 3 * knee] == pytest.approx(0.5 * (0.05 / length) ** 2, rel=1e-6)
    others = np.delete(np.diagonal(shape.covariance), [3 * knee, 3 * INDEX["knee.R"]])
    assert others.max() < 1e-12, "a shin that is carried along does not differ"


@pytest.mark.parametrize("off_deg", [0.0, 30.0, -50.0, 170.0])
def test_the_axis_of_an_elbow_is_read_from_how_it_bends(off_deg: float) -> None:
    """Bends are forward in the reference pose; a skeleton that bends them up by so much is told so, on both
    sides alike."""
    rng = np.random.default_rng(4)
    bends, off = rng.uniform(0.3, 1.5, 40), np.radians(off_deg)
    turns = random_turns(rng, (40, len(JOINTS)), np.pi)
    points = np.zeros((40, len(POINTS), 3))
    for side, out in (("L", 1.0), ("R", -1.0)):
        forearm = np.stack(
            [np.sin(bends) * np.cos(off), out * np.cos(bends), np.sin(bends) * np.sin(off)], axis=-1
        )
        upper = turns[:, INDEX[f"shoulder.{side}"]]
        points[:, INDEX[f"elbow.{side}"]] = rng.normal(size=(40, 3))
        points[:, INDEX[f"wrist.{side}"]] = (
            points[:, INDEX[f"elbow.{side}"]] + 0.3 * (upper @ forearm[..., None])[..., 0]
        )
    assert_allclose(elbow_rolls(points, turns), -off, atol=1e-9)


def test_what_is_found_for_bodies_that_come_again_is_kept_and_never_too_much() -> None:
    subject = body("three spine bones")
    shape = FigureShape.of(*crowd(4, 0.01))
    usual = shape.on(NetworkBody.of(subject.rest))
    assert shape.on(NetworkBody.of(subject.rest.copy())) is usual
    crowded = replace(shape, _bodies=dict.fromkeys((bytes([k % 256, k // 256]) for k in range(512)), usual))
    assert crowded.on(NetworkBody.of(subject.rest)) is not usual and len(crowded._bodies) == 1
