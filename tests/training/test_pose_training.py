"""The pose network's training: what lessons say is true, torch and numpy agree, learning works and repeats,
held-out people stay so."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.analytic.noise import Noise
from neurarig_addon.core.neural.network.inputs import read_inputs
from neurarig_addon.core.neural.network.pose_network import PoseNetwork
from neurarig_addon.core.neural.network.pose_weights import read_pose_weights
from neurarig_addon.core.neural.points import INDEX, from_parents, mirrored_rows
from neurarig_addon.core.neural.solver import PoseSolver
from neurarig_addon.training.__main__ import main
from neurarig_addon.training.pose.judge import judge
from neurarig_addon.training.pose.lesson import TALL, advised, lesson_of
from neurarig_addon.training.pose.lessons import Variety, mirror
from neurarig_addon.training.pose.model import NetworkShape, PoseModel, exported
from neurarig_addon.training.pose.poses import (
    TEST,
    TEST_SUBJECTS,
    TRAINING,
    VALIDATION,
    PoseSet,
    gather,
    read_clip,
    recordings,
)
from neurarig_addon.training.pose.train import PoseRecipe, Progress, begin, lesson_loss, train
from tests.core.neural_rigs import angles, body, random_turns
from tests.shared_data import shared_path

QUICK = PoseRecipe(steps=120, bodies=6, sights=2, frames=16, shape=NetworkShape(width=32, half=16, figure=32))


def ignore(progress: Progress) -> None:
    """Report nothing."""


@pytest.fixture(scope="module")
def poses() -> PoseSet:
    """Some hundred random poses of two bodies that depend on one another, as if they followed in time."""
    rng, figures = np.random.default_rng(1), [body(build) for build in ("three spine bones", "no toes")]
    parts = []
    for _ in figures:
        turns = random_turns(rng, (1, 22), 0.4) @ random_turns(rng, (200, 22), 0.2)
        turns[:, 0] = random_turns(rng, (200,), 3.0)
        parts.append(from_parents(turns))
    rotations = np.concatenate(parts).astype(np.float32)
    return PoseSet(
        rotations=rotations,
        points=np.concatenate(
            [f.forward(part, np.zeros((200, 3))) for f, part in zip(figures, parts, strict=True)]
        ).astype(np.float32),
        previous=np.maximum(np.arange(400) - 1, 0),
        body=np.repeat([0, 1], 200),
        offsets=np.stack([figure.offsets for figure in figures]).astype(np.float32),
        heights=np.array([figure.height for figure in figures], np.float32),
        fresh=np.arange(400),
    )


@pytest.fixture(scope="module")
def taught(poses: PoseSet) -> PoseModel:
    return train(poses, QUICK, ignore)


def test_lessons_hold_the_pose_that_was_seen(poses: PoseSet) -> None:
    """What is called true, turned back, puts the points where they were seen without noise."""
    sight = begin(
        poses,
        replace(QUICK, variety=Variety(exact=1.0, without_ends=0.0, without_some=0.0, without_most=0.0)),
    ).sights(1, 20)[0]
    lesson = lesson_of(sight)
    inputs = read_inputs(
        sight.body, sight.points, Noise.of(sight.body, sight.shape, sight.weights, sight.sigma)
    )
    rotations = inputs.turn[:, None] @ (lesson.truth @ lesson.back).numpy()
    assert angles(rotations, sight.rotations).max() < 1e-3
    assert_allclose(sight.body.places(rotations), sight.points - sight.points[:, :1], atol=1e-4)


def test_advice_is_the_truth_where_nothing_is_hidden_or_noise_is_loud(poses: PoseSet) -> None:
    sights = begin(
        poses,
        replace(QUICK, variety=Variety(exact=0.3, without_ends=0.0, without_some=0.0, without_most=0.0)),
    ).sights(24, 4)
    kinds = set()
    for sight in sights:
        lesson, noise_mm = lesson_of(sight), 1000.0 * float(sight.sigma) * TALL / sight.body.height
        kinds.add("none" if noise_mm == 0.0 else "little" if noise_mm < 8.0 else "loud")
        assert np.array_equal(lesson.advice, lesson.truth) == (noise_mm == 0.0 or noise_mm > 8.0)
    assert kinds == {"none", "little", "loud"}


def test_advice_knows_nothing_of_what_is_hidden(poses: PoseSet) -> None:
    """Hands turn without moving a seen joint: how they were turned makes no difference to what is advised."""
    variety = Variety(exact=0.0, without_ends=1.0, without_some=0.0, without_most=0.0)
    sight = begin(poses, replace(QUICK, variety=variety)).sights(1, 20)[0]
    hands = [INDEX["wrist.L"], INDEX["wrist.R"]]
    turned = sight.rotations.astype(float)
    turned[:, hands] = turned[:, hands] @ random_turns(np.random.default_rng(3), (20, 2), 0.3)
    found = [
        advised(sight.body, pose, sight.points, sight.weights, sight.sigma, sight.prior)
        for pose in (sight.rotations, turned)
    ]
    assert angles(*found)[:, hands].mean() < 0.25 * angles(sight.rotations, turned)[:, hands].mean()


def test_mirrored_poses_are_seen_in_a_mirror(poses: PoseSet) -> None:
    rotations = poses.rotations[:5]
    assert_array_equal(mirror(mirror(rotations)), rotations)
    rest = body("three spine bones").rest
    tables = NetworkBody.of((rest + rest[mirrored_rows()] * [1.0, -1.0, 1.0]) / 2.0)
    expected = tables.places(rotations)[:, mirrored_rows()] * [1.0, -1.0, 1.0]
    assert_allclose(tables.places(mirror(rotations)), expected, atol=1e-5)


def test_numpy_and_torch_agree(taught: PoseModel, poses: PoseSet) -> None:
    sight = begin(poses, replace(QUICK, variety=Variety(remembering=0.5))).sights(1, 64)[0]
    with torch.no_grad():
        expected, _ = taught(lesson_of(sight).inputs)
    network = PoseNetwork(exported(taught, sight.shape))
    prepared = network.prepared(sight.body, sight.weights, sight.sigma)
    inputs = read_inputs(sight.body, sight.points, prepared.noise, sight.previous)
    rows = network(inputs, prepared) @ inputs.turn[:, None]
    assert_allclose(np.swapaxes(rows, -1, -2)[..., [1, 0, 2]], expected.numpy(), atol=1e-5)


def test_learning_helps(taught: PoseModel, poses: PoseSet) -> None:
    lesson = begin(poses, replace(QUICK, seed=9)).lesson(4, 64)
    torch.manual_seed(0)
    with torch.no_grad():
        before, after = (
            float(lesson_loss(model, lesson, QUICK)) for model in (PoseModel(QUICK.shape).eval(), taught)
        )
    assert after < 0.95 * before


def test_held_out_people_are_in_no_lesson() -> None:
    folder = shared_path("data", "mocap")
    subjects = {
        part: {recording.subject for recording in recordings(folder, part)}
        for part in (TRAINING, VALIDATION, TEST)
    }
    assert subjects[TEST] == set(TEST_SUBJECTS) and not subjects[TEST] & (
        subjects[TRAINING] | subjects[VALIDATION]
    )
    assert not subjects[TRAINING] & subjects[VALIDATION] and len(subjects[TRAINING]) > 5


def test_bundled_weights_reach_their_goals_on_held_out_people() -> None:
    """A clip of each held-out person; the model card has all of them."""
    chosen = {
        recording.subject: recording
        for recording in recordings(shared_path("data", "mocap"), TEST)
        if recording.group == "pose"
    }
    errors = list(judge(PoseSolver.load(), [read_clip(recording) for recording in chosen.values()]))
    for error in errors:
        assert error.condition.goal is None or error.angle < 1.3 * error.condition.goal, error.condition.name
    assert errors[0].twist < 2.5 and errors[0].place_mm < 1.0 and errors[0].reached


def test_the_command_line_trains_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared_path("data", "mocap")
    wanted = ("walk/cmu_07_01.bvh", "walk/cmu_35_01.bvh", "walk/cmu_02_01.bvh")
    with (folder / "manifest.csv").open(newline="", encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["file"] in wanted]
    (tmp_path / "walk").mkdir()
    for name in wanted:
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with (tmp_path / "manifest.csv").open("w", newline="", encoding="utf-8") as lines:
        table = csv.DictWriter(lines, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    out = tmp_path / "pose.safetensors"
    main(["pose", "train", str(tmp_path), "--out", str(out), "--steps", "2"])
    assert "observable joints" in capsys.readouterr().out and "held-out" in out.with_suffix(".md").read_text()
    assert read_pose_weights(out).graph.mix.shape == (2 * NetworkShape().half, NetworkShape().width)
    assert main(["pose", "check", str(tmp_path / "missing")]) == 1
    assert "manifest.csv" in capsys.readouterr().err
    poses = gather([read_clip(recording) for recording in recordings(tmp_path)])
    assert len(poses.rotations) == len(poses.points) == len(poses.body) and poses.previous[0] == 0
