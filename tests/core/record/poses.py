"""Poses from points: whole, in part, noisy and streamed, around a pose; locks; bodies of every build; the network's own parts."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z
from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.base_pose import BasePose, KeptLimbs
from neurarig_addon.core.neural.likely.pose_prior import PosePrior, read_pose_prior, write_pose_prior
from neurarig_addon.core.neural.likely.refine import Refinement
from neurarig_addon.core.neural.network.inputs import SHOWN_WIDTH, read_inputs
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS, POINTS
from neurarig_addon.core.neural.reach.lock_plan import lockable
from neurarig_addon.core.neural.reach.locks import missed, reach
from neurarig_addon.core.neural.solver import PoseSolver
from neurarig_addon.core.neural.tracking import Tracking
from tests.core.neural_rigs import BUILDS, local_pose, random_turns
from tests.core.record.condensed import Answer
from tests.core.record.point_bodies import LACKING, bent, posed, subject
from tests.core.record.solver_parts import parts

LOCKS = {
    "six": ("pelvis", "spine3", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R"),
    "a wrist": ("wrist.L",),
    "ankles": ("ankle.L", "ankle.R"),
    "middles": ("knee.L", "elbow.R"),
    "ends": ("pelvis", "ball.L", "ball.R", "head_top", "hand_tip.L"),
    "much": ("pelvis", "neck", "elbow.L", "wrist.L", "knee.R", "ankle.R", "toe_tip.R", "head"),
    "head and hands": ("head", "wrist.L", "wrist.R", "hand_tip.R"),
}


def solved(build: str = "three spine bones", hidden: tuple[str, ...] = (), **given: Any) -> Callable[[], Answer]:
    """Return the poses for points of which some are hidden."""

    def answer() -> Answer:
        body = subject(build)
        _, _, points = posed(body, 3)
        sigma = float(given.get("sigma", 0.0))
        points = points + sigma * np.random.default_rng(1).normal(size=points.shape)
        seen = np.array([0.0 if name in hidden else 1.0 for name in POINTS])
        rotations, root = PoseSolver.load().solve(body, points, seen, **given)
        return {"rotations": rotations, "root": root, "motions": body.motions(rotations, root)}

    return answer


def seen_by_frame() -> Answer:
    """Return poses for points that are seen now and then, more or less, and of which some are no numbers or far away."""
    body = subject()
    _, _, points = posed(body, 4, 12)
    draw = np.random.default_rng(2)
    seen = np.where(draw.random((12, len(POINTS))) < 0.35, 0.0, draw.uniform(0.3, 1.0, (12, len(POINTS))))
    seen[5] = 0.0
    points[3, 4], points[7, 9] = np.nan, [3.0, 9.0, -2.0]
    found = {f"sigma {sigma}": PoseSolver.load().solve(body, points, seen, sigma) for sigma in (0.0, 0.02)}
    return found | {
        "far": PoseSolver.load().solve(body, points, None, 0.01),
        "previous": PoseSolver.load().solve(body, points, seen, 0.0, bent(5, 12)),
    }


def read(hidden: tuple[str, ...], sigma: float) -> Callable[[], Answer]:
    """Return what is read of points before the network is asked."""

    def answer() -> Answer:
        body = subject()
        network = NetworkBody.of(body.rest)
        seen = np.array([0.0 if name in hidden else 1.0 for name in POINTS])
        _, _, points = posed(body, 6)
        points = points + sigma * np.random.default_rng(1).normal(size=points.shape)
        task = PoseSolver.load()._task(network, seen, sigma, None)
        inputs = read_inputs(network, points, task.prepared.noise, None)
        return {
            "inputs": [inputs.nodes[:, :SHOWN_WIDTH], inputs.free, inputs.axes, inputs.turn, inputs.root],
            "fit": task.fit,
            "farthest": task.farthest,
        }

    return answer


def built(build: str, lacking: str = "") -> Callable[[], Answer]:
    """Return what a body is as points, and how it moves."""

    def answer() -> Answer:
        body = subject(build, lacking)
        rotations, root, points = posed(body, 8)
        motions = body.motions(rotations, root)
        return {
            "rest": [body.rest, body.offsets, body.height],
            "carriers": [body.carriers.holders, [body.carriers.carrier(n) for n in range(len(POINTS))]],
            "motions": motions,
            "back": [body.rotations(motions), body.points(motions), points],
            "turns": body.role_turns(rotations),
            "lockable": [lockable(body, point) for point in POINTS],
            "bent": PointBody.of(body.character, motions).rest,
        }

    return answer


def locked(build: str, names: str, lacking: str = "", far: float = 0.06) -> Callable[[], Answer]:
    """Return poses in which some points are held."""

    def answer() -> Answer:
        body, draw = subject(build, lacking), np.random.default_rng(9)
        rotations, root, points = posed(body, 10)
        start = body.motions(random_turns(draw, rotations.shape[:2], 0.1) @ rotations, root + far * draw.normal(size=root.shape))
        held = {name: points[:, INDEX[name]] + far * draw.normal(size=root.shape) for name in LOCKS[names] if lockable(body, name)}
        found = reach(body, start, held)
        return {"motions": found, "missed": missed(body, found, held)}

    return answer


def kept() -> Answer:
    """Return limbs that nobody moves, and a pose in which points are moved."""
    body = subject()
    rotations, root, points = posed(body, 11)
    limbs = KeptLimbs.of(body.rest, rotations[0], points[0])
    shown = points.copy()
    shown[:, [INDEX[f"{point}.{side}"] for point in ("elbow", "knee", "hand_tip", "ball") for side in "LR"]] = np.nan
    draw = np.random.default_rng(3)
    moved = {size: random_turns(draw, rotations.shape[:2], size) @ rotations[:1] for size in (0.02, 0.4)}
    around = PoseSolver.load().solve(body, shown, None, 0.0, None, 1, points[0])
    base = BasePose.of(rotations[0], root[0], rotations[1], root[1])
    answers = {
        f"kept {size}": limbs.apply(turns, points[:1] + 0.3 * size * draw.normal(size=points.shape)) for size, turns in moved.items()
    }
    return answers | {"hidden": limbs.apply(rotations, shown), "around": around, "base": base.apply(rotations, root)}


def streamed() -> Answer:
    """Return points that stream in, with jumps and gaps, as they are known."""
    draw, tracking = np.random.default_rng(4), Tracking()
    time = np.arange(30)[:, None, None] / 30.0
    points = np.sin(time * draw.uniform(1.0, 4.0, (1, 27, 3)) + draw.uniform(0.0, 6.0, (1, 27, 3))) + 0.01 * draw.normal(size=(30, 27, 3))
    points[12:, 3] += 0.8
    points[15, 5] = np.nan
    found = [tracking.follow(frame, 0.01, 1.0 / 30.0 if number % 7 else 0.2) for number, frame in enumerate(points)]
    tracking.reset()
    return {"points": [one for one, _ in found], "noise": [left for _, left in found], "again": tracking.follow(points[0], 0.02, 0.1)}


def refined() -> Answer:
    """Return the likeliest poses under points and habit, worked out in doubles."""
    body = subject()
    rotations, root, points = posed(body, 12)
    prior = PosePrior.of(local_pose(np.random.default_rng(7), 120))
    start = random_turns(np.random.default_rng(1), rotations.shape[:2], 0.12) @ rotations
    weights = np.random.default_rng(2).uniform(0.0, 2500.0, len(POINTS))
    with TemporaryDirectory() as folder:
        write_pose_prior(Path(folder) / "prior.safetensors", prior)
        again = read_pose_prior(Path(folder) / "prior.safetensors")
    refinement = Refinement(body.offsets, prior)
    return {
        "poses": refinement.solve(start, root, points, weights, 0.5, steps=3),
        "hidden": refinement.solve(start, root, points, weights * (weights > 900.0), 0.5, steps=2),
        "prior": [prior.mean, prior.covariance, again.mean],
        "habit": prior.habit(np.arange(3, 30)),
    }


def moved_as_a_whole() -> Answer:
    """Return the pose of points that are turned and moved as a whole."""
    body = subject()
    _, _, points = posed(body, 3)
    turn = about_z(np.array(1.1)) @ about_x(np.array(0.4))
    rotations, root = PoseSolver.load().solve(body, points @ turn.T + [1.0, -2.0, 0.3])
    return {"rotations": rotations, "root": root}


def one_role_at_a_time() -> Answer:
    """Return points of motions in which one role alone is turned."""
    body = subject()
    motions = body.motions(np.tile(np.eye(3), (1, len(JOINTS), 1, 1)), np.array([[0.0, 0.0, 1.0]]))
    found = {}
    for role, motion in motions.items():
        turned = {**motions, role: Motion(about_y(np.array([0.5])), motion.position, motion.rest)}
        found[role] = [body.points(turned), body.rotations(turned)]
    return found


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    hands = ("hand_tip.L", "hand_tip.R", "elbow.L", "knee.R")
    six = tuple(point for point in POINTS if point not in LOCKS["six"])
    trunk = ("spine1", "spine2", "spine3", "neck", "collar.L", "collar.R", "head_top")
    return {
        "all points": solved(),
        **{f"all points, {build}": solved(build) for build in list(BUILDS)[::3]},
        "ends hidden": solved(hidden=hands),
        "six points": solved(hidden=six),
        "trunk hidden": solved(hidden=trunk, sigma=0.01),
        "noise": solved(sigma=0.02),
        "noise, steps": solved(hidden=hands, sigma=0.02, refine=3),
        "noise, no steps": solved(hidden=hands, sigma=0.02, refine=0),
        "seen by frame": seen_by_frame,
        "read": read((), 0.0),
        "read, hidden": read(hands, 0.0),
        "read, noise": read(six, 0.02),
        **{f"built with {build}": built(build) for build in BUILDS},
        **{f"built without {lacking}": built("three spine bones", lacking) for lacking in LACKING},
        **{f"locked: {names}": locked("three spine bones", names) for names in LOCKS},
        **{
            f"locked: {names}, {build}": locked(build, names)
            for names in ("six", "much")
            for build in ("one spine bone", "no neck", "no clavicles, A-pose")
        },
        **{f"locked without {lacking}": locked("three spine bones", "six", lacking) for lacking in LACKING},
        "locked out of reach": locked("three spine bones", "much", far=0.5),
        "kept": kept,
        "streamed": streamed,
        "refined": refined,
        "parts": parts,
        "moved as a whole": moved_as_a_whole,
        "one role at a time": one_role_at_a_time,
    }
