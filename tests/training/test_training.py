"""Training: what the walks mean, that torch and numpy agree, that learning works, repeats and can be stopped,
and the command line."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from neurarig_addon.core.contract.channels import CHANNELS
from neurarig_addon.core.human.canonical import CANONICAL, SLOTS
from neurarig_addon.core.human.gait_network import GaitNetwork
from neurarig_addon.core.waves import TERMS, fourier_basis
from neurarig_addon.training.__main__ import main
from neurarig_addon.training.gait.dataset import (
    LEG,
    WALKERS,
    draw_characters,
    make_walks,
    phases,
    slow_inputs,
)
from neurarig_addon.training.gait.export import export, judge, unseen_characters
from neurarig_addon.training.gait.train import GaitProgress, GaitRecipe, PhaseFunction, train
from tests.command_lines import of_training, stored
from tests.training.stand_in import StandInGait

GAIT = StandInGait()
QUICK = GaitRecipe(walks=512, judging_walks=64, epochs=40)


def ignore(progress: GaitProgress) -> None:
    """Report nothing."""


def curves(coefficients: np.ndarray) -> np.ndarray:
    """Return cycles `(29, PHASES)` of one walk's coefficients."""
    block = np.zeros(len(CANONICAL) * TERMS)
    block[SLOTS] = coefficients
    return block.reshape(-1, TERMS) @ fourier_basis(phases()).T


@pytest.fixture(scope="module")
def taught() -> PhaseFunction:
    return train(GAIT.sample, QUICK, ignore)


def test_what_commands_take_is_stored_as_it_is() -> None:
    assert json.loads(json.dumps(of_training())) == stored(is_training=True)


def test_characters_fill_the_ranges() -> None:
    characters = draw_characters(256, 5)
    assert (characters >= WALKERS.lowest).all() and (characters <= WALKERS.highest).all()
    assert (np.ptp(characters, axis=0) > 0.95 * (WALKERS.highest - WALKERS.lowest)).all()
    assert not np.isin(unseen_characters()[:, 0], draw_characters(4096, GaitRecipe().seed)[:, 0]).any()


def test_walks_hold_the_right_side_of_the_gait() -> None:
    character = np.array([0.4, 0.5, 1.0, 0.1])
    walks = make_walks(GAIT.sample, character[None])
    velocity, thigh, shin, _, spacing = slow_inputs(*character)[:5]
    values = GAIT.sample(velocity, thigh, shin, spacing, phases())
    found = curves(walks.coefficients[0])
    for name in ("foot.x", "ball.z", "arm.elbow"):
        unit = LEG if name[-1] in "xyz" else 1.0
        column = CHANNELS.index(name.replace(".", "_r."))
        assert_allclose(found[CANONICAL.index(name)] * unit, values[:, column], atol=1e-6)
    assert_allclose(found[CANONICAL.index("pelvis.yaw")], values[:, CHANNELS.index("pelvis.yaw")], atol=1e-6)


def test_a_shorter_leg_shares_the_stride_and_keeps_its_own_lifts() -> None:
    shorter, alike = make_walks(
        GAIT.sample, np.array([[0.4, 0.5, 0.9, 0.1], [0.4, 0.5, 1.0, 0.1]])
    ).coefficients
    own = GAIT.sample(0.4 * np.sqrt(9.81 * LEG), 0.405, 0.405, 0.09, phases())
    for name in ("foot.x", "ball.x", "pelvis.z", "chest.yaw"):
        assert_allclose(
            curves(shorter)[CANONICAL.index(name)], curves(alike)[CANONICAL.index(name)], atol=1e-6
        )
    assert_allclose(
        curves(shorter)[CANONICAL.index("foot.z")] * LEG, own[:, CHANNELS.index("foot_r.z")], atol=1e-6
    )


def test_numpy_and_torch_agree(taught: PhaseFunction) -> None:
    """From the same characters, some beyond the trained range, to the same motion of the right side."""
    network = GaitNetwork(taught.exported())
    characters = draw_characters(100, 9) * [1.3, 1.0, 1.0, 1.5]
    walks = make_walks(GAIT.sample, characters)
    with torch.no_grad():
        coefficients = taught.coefficients(torch.from_numpy(walks.features)).numpy()
    coefficients = coefficients * walks.fade[:, None] * taught.channel_scale.numpy()[SLOTS // TERMS]
    for character, expected in zip(characters, coefficients, strict=True):
        found = network.sample(slow_inputs(*character)[None], phases(), phases() + 0.5)
        for name in ("foot.x", "foot.z", "foot.pitch", "ball.y", "arm.flexion"):
            unit = LEG if name[-1] in "xyz" else 1.0
            column = found[:, CHANNELS.index(name.replace(".", "_r."))]
            assert np.abs(column - curves(expected)[CANONICAL.index(name)] * unit).max() < 1e-5


def test_learning_reaches_unseen_characters(taught: PhaseFunction, tmp_path) -> None:
    errors = export(taught, QUICK, GAIT.sample, tmp_path / "w.safetensors")
    still = replace(taught.exported(), channel_scale=np.zeros(len(CANONICAL), np.float32))
    worst = judge(GaitNetwork(still), GAIT.sample, unseen_characters(count=50))
    for error, untrained in zip(errors, worst, strict=True):
        assert error.rms < 0.05 * untrained.rms, error.group
    assert "never met" in (tmp_path / "w.md").read_text()


def test_the_same_recipe_gives_the_same_weights() -> None:
    recipe = replace(QUICK, walks=64, epochs=2)
    first, second = (train(GAIT.sample, recipe, ignore).exported() for _ in range(2))
    for (weight, bias), (weight_again, bias_again) in zip(first.layers, second.layers, strict=True):
        assert np.array_equal(weight, weight_again) and np.array_equal(bias, bias_again)
    other = train(GAIT.sample, replace(recipe, seed=8), ignore).exported()
    assert not np.array_equal(first.layers[0][0], other.layers[0][0])


def test_ctrl_c_keeps_the_best_so_far(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[GaitProgress] = []

    def stop_at_third(progress: GaitProgress) -> None:
        seen.append(progress)
        if progress.epoch == 3:
            raise KeyboardInterrupt

    stopped = train(GAIT.sample, replace(QUICK, walks=128), stop_at_third)
    assert [progress.epoch for progress in seen] == [1, 2, 3]
    assert seen[-1].best == min(progress.loss for progress in seen)
    assert "best network so far" in capsys.readouterr().err
    assert (
        GaitNetwork(stopped.exported())
        .sample(slow_inputs(0.4, 0.5, 1.0, 0.1)[None], phases(), phases())
        .any()
    )


def test_the_command_line_trains_exports_and_checks(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    out, run = tmp_path / "new" / "walk.safetensors", tmp_path / "run.pt"
    # not good enough yet
    assert (
        main(["train", "--out", str(out), "--checkpoint", str(run), "--epochs", "1", "--walks", "128"]) == 1
    )
    assert "epoch 1/1" in capsys.readouterr().err
    copy = tmp_path / "copy.safetensors"
    main(["export", str(run), "--out", str(copy)])
    assert copy.read_bytes() == out.read_bytes() and copy.with_suffix(".md").exists()
    assert main(["check", str(tmp_path / "missing.safetensors")]) == 1
    assert "missing.safetensors" in capsys.readouterr().err


def test_the_bundled_weights_walk_like_the_human_gait(capsys: pytest.CaptureFixture[str]) -> None:
    """Fails when the human gait has changed and the weights have not been trained again (`make weights`)."""
    assert main(["check"]) == 0, capsys.readouterr().out
