"""The sequence network's training: torch and numpy agree, so do exports, and learning helps and repeats."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.resample import resample
from neurarig_addon.core.sequence.figure import figure
from neurarig_addon.core.sequence.network import (
    AHEAD,
    SEEN,
    STRANGE,
    STRANGER,
    SequenceNetwork,
    SequenceWish,
    bundled,
    read_weights,
)
from neurarig_addon.core.sequence.roll_out import EVERY
from neurarig_addon.core.sequence.rows import PARTS, RATE, WIDTH, Rows, encoding_of, rows_of
from neurarig_addon.core.sequence.stream import Stream
from neurarig_addon.core.sequence.stride import REMEMBERED, last_stride, repeated
from neurarig_addon.training.descent import Progress
from neurarig_addon.training.sequence import files
from neurarig_addon.training.sequence.gaps import GapLessons, GapRecipe, gap_of, train_gaps
from neurarig_addon.training.sequence.model import TOES, SequenceModel, joints, placed
from neurarig_addon.training.sequence.train import SequenceRecipe, train
from neurarig_addon.training.sequence.windows import STEADY, Windows, planned, recordings
from tests import cases
from tests.core import retarget_bodies as made
from tests.training import engine

QUICK = SequenceRecipe(steps=40, batch=32, rounds=1, width=32, layers=2)


def ignore(progress: Progress) -> None:
    """Report nothing."""


@pytest.fixture(scope="module")
def motion() -> Rows:
    """Return six seconds of our own walk of a made-up human."""
    return rows_of(resample(made.encoded_walk(6.0), RATE))


@pytest.fixture(scope="module")
def windows(motion: Rows) -> Windows:
    """Return lessons of that walk alone."""
    return Windows.of_motions([(STEADY, motion)])


GIVEN = ("past", "first", "predicted", "wish")


def asked(motion: Rows, seed: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return what an engine is given for some past, and what numpy answers."""
    draw = np.random.default_rng(seed)
    first, now = (motion[at : at + REMEMBERED] for at in draw.integers(0, len(motion) - REMEMBERED, 2))
    wish = SequenceWish(draw.uniform(-1.5, 1.5, 2), draw.uniform(-3.0, 3.0)) if seed else None
    told = (columns(now), columns(first), np.array(seed), wish.numbers() if wish else np.zeros(4))
    found = columns(bundled().ahead(now, wish, bundled().manner(first), seed))
    return {name: one[None].astype(np.float32) for name, one in zip(GIVEN, told, strict=True)}, found


def motion_of(numbers: np.ndarray) -> Rows:
    return Rows(*np.split(numbers[0].astype(float), [WIDTH, WIDTH + 3], axis=1))


def columns(rows: Rows) -> np.ndarray:
    return np.concatenate([getattr(rows, part) for part in PARTS], axis=1)


def test_torch_and_numpy_agree(motion: Rows) -> None:
    network, model = bundled(), SequenceModel.of(bundled().weights).eval()
    for seed in range(8):
        given, found = asked(motion, seed)
        now = motion_of(given["past"])
        stride = last_stride(now)
        seen, once = (network.signals(rows) for rows in (now[-SEEN:], repeated(now, stride, AHEAD)))
        known = np.array([STRANGER * min(stride.off, STRANGE), 1.0, min(seed, SEEN) / SEEN, 0.0])
        manner = network.manner(motion_of(given["first"]))
        told = [torch.tensor(one[None], dtype=torch.float32) for one in (seen, once, manner, known)]
        with torch.no_grad():
            signals = model(*told, torch.from_numpy(given["wish"]))
            poses, steps = model.rows(signals, torch.from_numpy(given["past"][:, -2:, :WIDTH]))
        answer = np.concatenate([poses[0].numpy(), steps[0].numpy()], axis=1)
        assert np.abs(answer - found[:, : WIDTH + 3]).max() < 1e-5


def test_onnx_runtime_predicts_what_numpy_does(motion: Rows, tmp_path: Path) -> None:
    path = tmp_path / "next.onnx"
    files.export_network(path, bundled().weights)
    for seed in range(8):
        given, found = asked(motion, seed)
        answer, metadata = engine.run(path, given)
        assert np.abs(answer[0] - found).max() < 1e-5 and set(metadata) >= set(files.METADATA)


def test_onnx_runtime_is_driven_as_the_stream_for_a_minute(tmp_path: Path) -> None:
    path, draw, stream = tmp_path / "driven.onnx", np.random.default_rng(cases.SEED), Stream()
    files.export_stream(path, bundled().weights)
    session = engine.session(path)
    names = [one.name for one in session.get_outputs()]
    state, told = np.zeros(session.get_inputs()[0].shape), np.zeros(2)
    for _ in range(EVERY):
        stream.frame(0.0, 0.0)
    for block in range(round(60.0 * RATE / EVERY)):
        if not block % 6:
            told = np.array(
                [draw.choice([0.0, draw.uniform(-1.0, 3.0)]), draw.choice([0.0, draw.uniform(-2.0, 2.0)])]
            )
        answer = dict(zip(names, session.run(None, {"state": state, "told": told}), strict=True))
        state = answer["next_state"]
        for row in range(EVERY):
            for name, value in files.shown(stream.frame(*told)).items():
                assert np.abs(answer[name][row] - value).max() < 1e-4


def test_what_an_engine_plays_needs_nothing_of_ours(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is missing: make .venv-train anew")
    files.export_stream(tmp_path / "driven.onnx", bundled().weights)
    example = Path(__file__).parents[2] / "examples" / "driven_engine.py"
    command = [sys.executable, "-I", str(example), "driven.onnx", "--svg", "walk.svg"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert told.rstrip().endswith("left flat, right flat") and (tmp_path / "walk.svg").exists()


def test_joints_are_where_the_encoding_decodes_them(motion: Rows) -> None:
    there = torch.tensor(motion.poses[None], dtype=torch.float64)
    way = placed(torch.tensor(motion.steps[None], dtype=torch.float64))
    found = joints(there, way)[0].numpy()
    decoded = decode(encoding_of(motion, np.zeros(2), 0.0, "walk"), figure().character)
    apart = found[0, 0] - decoded["pelvis"].position[0]  # the way is counted from the figure's rest place
    for row, role in zip((0, *TOES), ("pelvis", "toe.L", "toe.R"), strict=True):
        assert np.abs(found[:, row] - decoded[role].position - apart).max() < 2e-3, role


def test_learning_helps(windows: Windows, motion: Rows) -> None:
    before, after = (
        SequenceNetwork(train(windows, replace(QUICK, steps=steps), ignore).exported()) for steps in (2, 150)
    )
    off = []
    for network in (before, after):
        off.append(np.abs(network.ahead(motion[:80]).poses - motion.poses[80 : 80 + AHEAD]).mean())
    assert off[1] < off[0]


def test_gaps_are_filled_better_when_taught(motion: Rows) -> None:
    weights, recipe = bundled().weights, GapRecipe(lessons=100, steps=200, batch=16, width=32, layers=2)
    lessons, losses = GapLessons.of_motions([(STEADY, motion)], bundled(), recipe), []
    layers = train_gaps(lessons, weights, recipe, lambda progress: losses.append(progress.loss))
    assert losses[-1] < 0.8 * losses[0]
    gap, way = gap_of(motion, 90, 30)
    made = gap.filled(SequenceNetwork(replace(weights, gap=layers)), np.arange(1.0, 30.0))
    assert np.abs(made[:, :WIDTH] - motion.poses[91:120]).mean() < 0.01
    assert np.abs(made[:, WIDTH : WIDTH + 3] - way[:-1]).max() < 0.1


def test_planned_motions_stand_start_and_stop_and_are_told_their_way(windows: Windows) -> None:
    made_up = list(planned(6, 0))
    speeds = [np.linalg.norm(motion.steps[:, :2], axis=1) * RATE for motion in made_up]
    assert min(speed.min() for speed in speeds) < 0.1 and max(speed.max() for speed in speeds) > 2.0
    assert all(np.isfinite(motion.poses).all() and 0.05 < motion.contacts.mean() < 0.95 for motion in made_up)
    lessons = Windows.of([], made_up)
    assert lessons.is_planned.all() and not windows.is_planned.any()
    again = next(planned(1, 0))
    assert np.array_equal(again.poses, made_up[0].poses)


def test_a_folder_is_read_by_its_manifest(tmp_path: Path) -> None:
    columns = "file,group,subject,unit_to_m,steady_straight"
    lines = [f"walk/{n}.bvh,walk,{n % 4},0.01,{int(n % 2)}" for n in range(12)]
    (tmp_path / "manifest.csv").write_text("\n".join([columns, *lines]), encoding="utf-8")
    found = recordings(tmp_path)
    assert len(found) == 12 and {one.subject for one in found} == {f"cmu_{n}" for n in range(4)}


def test_the_command_line_exports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from neurarig_addon.training.__main__ import main

    assert main(["sequence", "export", str(tmp_path / "it.onnx")]) == 0
    assert (tmp_path / "it.onnx").stat().st_size > 1e5 and "it.onnx" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["sequence", "export", str(tmp_path / "it.txt")])
    (tmp_path / "bad.safetensors").write_bytes(b"no")
    assert (
        main(
            ["sequence", "export", str(tmp_path / "it.onnx"), "--weights", str(tmp_path / "bad.safetensors")]
        )
        == 1
    )


def test_weights_of_the_repository_can_be_read() -> None:
    from neurarig_addon.core.sequence.network import BUNDLED

    assert read_weights(BUNDLED).count <= 800_000
