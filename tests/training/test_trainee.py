"""The trainee: what it learns, keeps, resumes and exports."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.refusals import refuses

torch = pytest.importorskip("torch")

from neurarig_addon.core.learned.discovery import walkers  # noqa: E402
from neurarig_addon.core.learned.lessons import TaughtRule, make_lessons, profile_rule  # noqa: E402
from neurarig_addon.core.learned.solver import Solver  # noqa: E402
from neurarig_addon.core.learned.teaching import TrunkLoss  # noqa: E402
from neurarig_addon.core.logic.profile import FOLDER, Profile  # noqa: E402
from neurarig_addon.training.__main__ import main  # noqa: E402
from neurarig_addon.training.trainee import files  # noqa: E402
from neurarig_addon.training.trainee.commands import GOALS, check  # noqa: E402
from neurarig_addon.training.trainee.model import HeadProblem, RuleNetwork  # noqa: E402
from neurarig_addon.training.trainee.recording import human_rule, recorded_rule  # noqa: E402
from neurarig_addon.training.trainee.train import (  # noqa: E402
    TraineeProgress,
    TraineeRecipe,
    Training,
    TrunkDescent,
    begin,
    fine_tune,
    stream_of,
    train,
)
from tests.core.curved_profile import CURVED, PLAIN  # noqa: E402
from tests.training import engine  # noqa: E402

SHORT = TraineeRecipe(walkers=400, judging_walkers=100, hidden=(16, 16), steps=4)


def nothing(progress: TraineeProgress) -> None:
    """Report to nobody."""


@pytest.fixture(scope="module")
def curved() -> TaughtRule:
    return profile_rule(Profile.from_json(CURVED))


@pytest.fixture(scope="module")
def learned(curved: TaughtRule) -> Training:
    return train(curved, begin(curved, SHORT), nothing)


def same(one: Training, other: Training) -> bool:
    first, second = one.best.state_dict(), other.best.state_dict()
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


@pytest.mark.few
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_shipped_profiles_over_their_whole_range_and_tuned(path: Path) -> None:
    rule = profile_rule(Profile.load(path))
    training = train(rule, begin(rule, TraineeRecipe(walkers=800, judging_walkers=100)), nothing)
    weights = training.best.exported(rule.name, rule.version)
    error = check(Solver(weights), rule, 20_000)
    assert all(error[name] <= goal for name, goal in GOALS.items())
    walker = rule.draw(1, np.random.default_rng(5))[0]
    rows = stream_of(rule, walker, 333)
    assert 0.1 * np.mean((Solver(weights).predict(rows) - rule.evaluate(rows)) ** 2) < 2e-7
    assert np.abs(Solver(fine_tune(weights, rule, walker)).predict(rows) - rule.evaluate(rows)).max() < 1e-4


def test_numpy_and_torch_agree(curved: TaughtRule) -> None:
    lessons = make_lessons(curved, 80, 1)
    model = RuleNetwork.untrained(curved.curves, SHORT.hidden, lessons)
    descent = TrunkDescent(model, HeadProblem(model, lessons))
    parts = [*model.trunk.parameters()]
    loss, gradient = TrunkLoss(lessons, curved, SHORT.hidden).of(
        np.concatenate([part.detach().numpy().ravel() for part in parts])
    )
    assert loss == pytest.approx(descent.evaluate(), rel=1e-9)
    np.testing.assert_allclose(
        gradient, np.concatenate([part.grad.numpy().ravel() for part in parts]), rtol=1e-5, atol=1e-9
    )


def test_stopped_it_keeps_the_best_and_resumed_it_ends_the_same(
    curved: TaughtRule, learned: Training, tmp_path: Path
) -> None:
    def stop(progress: TraineeProgress) -> None:
        assert progress.seconds_left >= 0.0
        if progress.step == 2:
            raise KeyboardInterrupt

    stopped = train(curved, begin(curved, SHORT), stop)
    assert stopped.step == 2 and stopped.best_error < 1e-3
    files.save_training(tmp_path / "rig_model.pt", curved, stopped)
    resumed, metadata = files.load_training(tmp_path / "rig_model.pt")
    files.check_rule(tmp_path / "rig_model.pt", metadata, curved)
    assert same(train(curved, resumed, nothing), learned)


@pytest.mark.few(2)
@pytest.mark.parametrize("path", [None, *sorted(FOLDER.glob("*.json"))])
def test_every_export_gives_the_same_numbers(
    path, curved: TaughtRule, learned: Training, tmp_path: Path
) -> None:
    rule = curved if path is None else profile_rule(Profile.load(path))
    files.save_training(tmp_path / "rig_model.pt", rule, learned if path is None else begin(rule, SHORT))
    training, metadata = files.load_training(tmp_path / "rig_model.pt")
    rows = rule.draw(200, np.random.default_rng(1)).astype(np.float32)
    files.export_numpy(tmp_path / "rule.safetensors", training.best, metadata)
    expected = Solver.load(tmp_path / "rule.safetensors", rule.curves.places.names).predict(rows)
    files.export_torchscript(tmp_path / "rule.ts", training.best, metadata)
    extra = {"metadata.json": ""}
    script = torch.jit.load(str(tmp_path / "rule.ts"), _extra_files=extra)
    assert np.abs(script(torch.from_numpy(rows)).numpy() - expected).max() < 1e-5
    assert json.loads(extra["metadata.json"])["profile"] == rule.name
    pytest.importorskip("onnxscript", reason="onnxscript is missing: make .venv-train anew")
    files.export_onnx(tmp_path / "rule.onnx", training.best, metadata)
    found, told = engine.run(tmp_path / "rule.onnx", {"inputs": rows})
    assert np.abs(found - expected).max() < 1e-5 and told["profile"] == rule.name


def test_models_of_others_are_refused_in_a_sentence(
    curved: TaughtRule, learned: Training, tmp_path: Path
) -> None:
    path = tmp_path / "rig_model.pt"
    for content in (b"", b"PK\x03\x04", b"\x80\x02]q\x00."):
        path.write_bytes(content)
        with refuses(r"'rig_model.pt' is no model"):
            files.load_training(path)
    files.save_training(path, curved, learned)
    _, metadata = files.load_training(path)
    with refuses("learned another rule"):
        files.check_rule(path, metadata, profile_rule(Profile.load(FOLDER / "3_stalking_wader.json")))


def test_the_command_line_learns_checks_tunes_and_exports(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    model, weights = tmp_path / "rig_model.pt", tmp_path / "rig_model.safetensors"
    assert main(["trainee", "learn", "--profile", str(PLAIN), "--out", str(model), "--walkers", "400"]) == 0
    assert main(["trainee", "check", str(weights), "--profile", str(PLAIN), "--rows", "5000"]) == 0
    assert "99.9th percentile" in capsys.readouterr().out
    character = ["1.2", "0.45", "0.4", "0", "0.1", "0.45", "0.4", "0.5", "0.1", "0", "0"]
    tuned = tmp_path / "tuned.safetensors"
    assert (
        main(
            [
                "trainee",
                "tune",
                str(weights),
                "--profile",
                str(PLAIN),
                "--out",
                str(tuned),
                "--inputs",
                *character,
            ]
        )
        == 0
    )
    assert main(["trainee", "export", str(model), "--to", "torchscript"]) == 0
    assert tuned.exists() and (tmp_path / "rig_model.ts").exists()
    assert main(["trainee", "check", str(weights), "--profile", str(FOLDER / "3_stalking_wader.json")]) == 1
    assert "11 inputs and the profile has 12" in capsys.readouterr().err


def test_recorded_motion_is_learned(tmp_path: Path) -> None:
    """Two characters at speeds that vary; no profile is at hand when they are learned."""
    plain = profile_rule(Profile.load(FOLDER / "1_plain_biped.json"))
    places, rng, parts = plain.curves.places, np.random.default_rng(1), []
    for walker in walkers(places, 2, rng):
        walker[list(places.offsets)] = 0.5, 0.0
        rows = stream_of(plain, walker, 700)
        rows[:, places.velocity] *= 1.0 + 0.3 * np.sin(np.arange(700) / 30.0)
        period = plain.curves.clock.periods(rows)[1]
        rows[:, places.time] = np.mod(np.cumsum(1.0 / (60.0 * period)), 1.0) * period
        rows[:, -1] = np.arange(700) / 60.0  # t_accumulated
        parts.append(rows)
    inputs = np.concatenate(parts)
    names = [*places.names, *Profile.load(PLAIN).outputs]
    table = np.concatenate([inputs, plain.evaluate(inputs)], axis=1)
    np.savetxt(tmp_path / "walk.csv", table, delimiter=",", header=",".join(names), comments="", fmt="%.9g")
    rule = recorded_rule(tmp_path / "walk.csv")
    error = rule.evaluate(inputs) - plain.evaluate(inputs)
    assert np.sqrt(np.mean(error**2)) < 1e-3
    training = begin(rule, TraineeRecipe(walkers=300, judging_walkers=100, steps=0))
    unseen = rule.draw(200, np.random.default_rng(3))
    learned = Solver(training.best.exported(rule.name, rule.version)).predict(unseen)
    assert np.sqrt(np.mean((learned - rule.evaluate(unseen)) ** 2)) < 5e-3


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("columns", "value", "rows"),
    [(13, "1", 50), (13, "nan", 200), (13, "1e300", 200), (13, "far", 200), (12, "1", 200), (13, "1", 200)],
)
def test_what_is_no_recording_is_named(tmp_path: Path, columns: int, value: str, rows: int) -> None:
    names = [*profile_rule(Profile.load(PLAIN)).curves.places.names, "foot_r.x", "foot_r.y"]
    line = ",".join(["1"] * (columns - 1) + [value])
    (tmp_path / "walk.csv").write_text("\n".join([",".join(names), *[line] * rows]))
    with refuses(r"'walk\.csv' is no recording|never falls back") as refusal:
        recorded_rule(tmp_path / "walk.csv")
    assert "\n" not in str(refusal.value)


def test_the_human_gait_is_learned() -> None:
    rule = human_rule()
    training = train(
        rule, begin(rule, TraineeRecipe(walkers=300, judging_walkers=100, hidden=(16,), steps=2)), nothing
    )
    error = check(Solver(training.best.exported(rule.name, rule.version)), rule, 5_000)
    assert error["median"] < 1e-4 and error["largest"] < 0.05
