"""What the pose solver costs, in microseconds a frame: points exact, noisy and few, alone and many in a call,
with its parts."""

from collections.abc import Callable
from functools import partial
from itertools import combinations, cycle
from time import thread_time

import numpy as np

from benchmarks.table import Row
from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.analytic.noise import variances
from neurarig_addon.core.neural.likely.likely_pose import Trust, likely_pose
from neurarig_addon.core.neural.network.inputs import read_inputs
from neurarig_addon.core.neural.network.pose_network import PoseNetwork
from neurarig_addon.core.neural.network.pose_weights import read_pose_weights
from neurarig_addon.core.neural.points import INDEX, JOINTS, POINTS, from_parents
from neurarig_addon.core.neural.solver import BUNDLED, PoseSolver
from tests.core.neural_rigs import body, random_turns

FRAMES = 128
# short blocks, of which the shortest counts: on a busy machine some are undisturbed
BLOCKS, LONGEST_BLOCK = 200, 2e-3
FIGURE = body("three spine bones")
TABLES = NetworkBody.of(FIGURE.rest)
SEVEN = ("pelvis", "spine3", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R")
ALL_SEEN = np.ones(len(POINTS))
JOINTS_SEEN = np.where(np.arange(len(POINTS)) < len(JOINTS), 1.0, 0.0)
SEVEN_SEEN = np.where(np.isin(np.arange(len(POINTS)), [INDEX[name] for name in SEVEN]), 1.0, 0.0)
NOISE = 0.01  # metres


def rows() -> list[Row]:
    """Measure all."""
    found = []
    cases = (
        ("exact points", ALL_SEEN, 0.0, 135.0),
        ("10 mm of noise", ALL_SEEN, NOISE, 185.0),
        ("seven points", SEVEN_SEEN, 0.0, 215.0),
    )
    for words, seen, sigma, most in cases:
        points, solver = places(sigma), PoseSolver.load()
        read, network = parts(points[:1], seen, sigma)
        one, many = (
            shortest(partial(solver.solve, FIGURE, some, seen, sigma, refine=0))
            for some in (points[:1], points)
        )
        note = (
            f"points read {read:.0f}, network {network:.0f}; {many / FRAMES:.0f} a frame of {FRAMES} in a"
            " call"
        )
        found.append(Row(f"pose solver, one frame, {words}, unrefined", one, most, "us", note=note))
    return [*found, changing(), *refining()]


def changing() -> Row:
    """Measure one frame of which three joints are missing, others than before in each call: all that follows
    from a mask is found anew."""
    points, solver = places(0.0)[:1], PoseSolver.load()
    masks = [
        JOINTS_SEEN * ~np.isin(np.arange(len(POINTS)), hidden)
        for hidden in combinations(range(1, len(JOINTS)), 3)
    ]
    masks = cycle(masks)  # many more than the solver remembers

    def call() -> None:
        solver.solve(FIGURE, points, next(masks), refine=0)

    return Row("pose solver, one frame, other points missing in each, unrefined", shortest(call), 650.0, "us")


def refining() -> list[Row]:
    """Measure one Gauss-Newton step, of one frame and of many."""
    points, solver = places(NOISE), PoseSolver.load()
    rotations, root = solver.solve(FIGURE, points, JOINTS_SEEN, NOISE, refine=0)
    trust = Trust.of(TABLES, JOINTS_SEEN, variances(TABLES, JOINTS_SEEN, NOISE), NOISE)
    one, many = (
        shortest(partial(likely_pose, TABLES, rotations[:n], root[:n], points[:n], trust, 1)) / n
        for n in (1, FRAMES)
    )
    words = "pose solver, one refining step"
    return [
        Row(f"{words}, one frame", one, 95.0, "us"),
        Row(f"{words}, {FRAMES} frames in a call, each", many, 40.0, "us"),
    ]


def parts(points: np.ndarray, seen: np.ndarray, sigma: float) -> tuple[float, float]:
    """Return microseconds for what the network is shown, and for the network."""
    network = PoseNetwork(read_pose_weights(BUNDLED))
    prepared = network.prepared(TABLES, seen, sigma)
    points = np.where(seen[:, None] > 0.0, points, 0.0)
    inputs = read_inputs(TABLES, points, prepared.noise)
    return shortest(lambda: read_inputs(TABLES, points, prepared.noise)), shortest(
        lambda: network(inputs, prepared)
    )


def places(sigma: float) -> np.ndarray:
    """Return points `(f, 27, 3)` of random poses, metres."""
    rng = np.random.default_rng(0)
    rotations = from_parents(random_turns(rng, (FRAMES, len(JOINTS)), 0.4))
    points = FIGURE.forward(rotations, rng.normal(size=(FRAMES, 3)))
    return points + sigma * rng.normal(size=points.shape)


def shortest(call: Callable[[], object]) -> float:
    """Return the mean microseconds of a call in the shortest block of calls."""
    call()
    begin = thread_time()
    call()
    calls = max(1, int(LONGEST_BLOCK / (thread_time() - begin)))
    best = np.inf
    for _ in range(BLOCKS):
        begin = thread_time()
        for _ in range(calls):
            call()
        best = min(best, (thread_time() - begin) / calls)
    return 1e6 * best
