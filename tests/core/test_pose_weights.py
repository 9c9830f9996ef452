"""A file of the pose network that does not fit: one sentence for whatever is wrong with it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.network.safetensors import read_tensors, write_tensors
from neurarig_addon.core.neural.network.pose_weights import read_pose_weights
from neurarig_addon.core.neural.solver import BUNDLED
from tests.refusals import refuses

Change = Callable[[dict[str, np.ndarray], dict[str, str]], None]


def said(key: str, value: str) -> Change:
    return lambda _tensors, metadata: metadata.update({key: value})


def made(name: str, change: Callable[[np.ndarray], np.ndarray]) -> Change:
    return lambda tensors, _metadata: tensors.update({name: change(tensors[name])})


UNFIT: dict[str, Change] = {
    **{
        f"{heads!r} heads": said("heads", heads)
        for heads in ("", "0", "-1", "four", "4.0", "0x4", "7", "99", "400", "99999999999")
    },
    **{
        f"another {key}": said(key, "other")
        for key in ("format", "version", "points", "features", "activation")
    },
    "no heads": lambda _tensors, metadata: metadata.pop("heads"),
    **{
        f"no {name}": lambda tensors, _metadata, name=name: tensors.pop(name)
        for name in ("enter", "joints", "mix", "leave", "guess1.bias")
    },
    "a tensor more": lambda tensors, _metadata: tensors.update({"own": np.zeros(3, np.float32)}),
    **{
        f"{name} cut": made(name, lambda array: array[..., :-1].copy())
        for name in ("enter", "mix", "leave", "guess0.bias", "figure.mean")
    },
    **{
        f"{name} short": made(name, lambda array: array[:-1].copy())
        for name in ("enter", "joints", "guess2.weight", "figure.covariance")
    },
    "a width of nothing": made("guess0.bias", lambda array: array[:0].copy()),
    "a cube": made("mix", lambda array: array[None]),
    "bends that are lopsided": made(
        "figure.covariance", lambda array: array + np.triu(np.ones_like(array), 1)
    ),
    "bends that are no bends": made("figure.covariance", np.negative),
}


@pytest.mark.parametrize("case", UNFIT)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, case: str) -> None:
    metadata, tensors = read_tensors(BUNDLED)
    tensors, metadata = dict(tensors), dict(metadata)
    UNFIT[case](tensors, metadata)
    path = tmp_path / "weights.safetensors"
    write_tensors(path, metadata, tensors)
    with refuses(r"'weights.safetensors' .*\.$"):
        read_pose_weights(path)
