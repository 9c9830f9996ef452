"""Files of the gait network's weights, and those that are none."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.human.gait_network import BUNDLED, GaitNetwork, read_weights, write_weights
from neurarig_addon.core.network import safetensors
from tests.core.gait_weights import PHASES, character, random_weights
from tests.refusals import refuses


@pytest.fixture
def weights_file(tmp_path):
    path = tmp_path / "walk.safetensors"
    write_weights(path, random_weights())
    return path


def refused(path, because: str | None = None) -> None:
    """Assert that a file is refused with one sentence that names it and says what is wrong."""
    with refuses(because) as caught:
        GaitNetwork.load(path)
    text = str(caught.value)
    assert path.name in text and "\n" not in text and text.endswith(".")


def test_weights_survive_the_file(weights_file) -> None:
    stored, original = read_weights(weights_file), random_weights()
    for (weight, bias), (stored_weight, stored_bias) in zip(original.layers, stored.layers, strict=True):
        assert np.array_equal(weight, stored_weight) and np.array_equal(bias, stored_bias)
    for name in ("low", "high", "mean", "scale", "channel_scale"):
        assert np.array_equal(getattr(original, name), getattr(stored, name))


def test_the_reference_reader_reads_our_files(weights_file) -> None:
    reference = pytest.importorskip("safetensors.numpy").load_file(weights_file)
    assert np.array_equal(reference["layer0.weight"], random_weights().layers[0][0])


def test_a_missing_file_or_a_folder_is_refused(tmp_path) -> None:
    refused(tmp_path / "missing.safetensors", "cannot be read")
    refused(tmp_path, "cannot be read")


@pytest.mark.parametrize(
    ("header", "because"),
    [
        (b"[" * 60_000, "nested too deeply"),
        (b'{"a":' * 10_000, "nested too deeply"),
        (b"[]", "not a table"),
        (b"{", "not JSON"),
        (b"\xff\xfe{}", "UTF-8"),
        (b'{"a":1,"a":1}', "twice"),
        (b'{"a":1}', "not described"),
        (b'{"__metadata__":{"a":1}}', "metadata"),
        (b'{"__metadata__":[]}', "metadata"),
        (b'{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}', "32-bit"),
        (b'{"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}}', "no sense"),
        (b'{"a":{"dtype":"F32","shape":[true],"data_offsets":[0,4]}}', "no sense"),
        (b'{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,-4]}}', "no sense"),
        (b'{"a":{"dtype":"F32","shape":[1,1,1],"data_offsets":[0,4]}}', "no sense"),
        (b'{"a":{"dtype":"F32","shape":[1000000,1000000],"data_offsets":[0,4]}}', "does not fit"),
        (
            b'{"a":{"dtype":"F32","shape":[1' + b"0" * 5000 + b'],"data_offsets":[0,4]}}',
            "number in its header",
        ),
        (b'{"' + b"a" * 5000 + b'":1}', "name in its header"),
        (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}', "does not lie"),
        (
            b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
            "does not lie",
        ),
        (b"{}", "format"),
    ],
)
def test_malformed_headers_are_refused(tmp_path, header: bytes, because: str) -> None:
    path = tmp_path / "bad.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + (b"\0" * 8 if b"dtype" in header else b""))
    refused(path, because)


def rewritten(path, metadata=None, tensors=None) -> None:
    """Write a weights file again with other metadata or tensors; None takes one out."""
    old_metadata, old_tensors = safetensors.read_tensors(path)
    new = {name: value for name, value in {**old_tensors, **(tensors or {})}.items() if value is not None}
    safetensors.write_tensors(path, {**old_metadata, **(metadata or {})}, new)


@pytest.mark.parametrize(
    ("metadata", "tensors", "because"),
    [
        ({"format": "something else"}, {}, "format"),
        ({"version": "2"}, {}, "version"),
        ({"features": json.dumps(["speed"])}, {}, "features"),
        ({"channels": "[]"}, {}, "channels"),
        ({"activation": "relu"}, {}, "activation"),
        ({}, {"surprise": np.zeros(3)}, "surprise"),
        ({}, {"feature.mean": None}, "feature.mean"),
        ({}, {"feature.mean": np.zeros(4)}, "shape"),
        ({}, {"feature.scale": np.zeros(5)}, "normalisation"),
        ({}, {"feature.low": np.full(5, 9.0)}, "normalisation"),
        ({}, {"layer0.weight": np.zeros((24, 6))}, "layer0.weight"),
        ({}, {"layer1.bias": np.zeros(())}, "layer1.bias"),
        ({}, {"layer2.weight": np.zeros(7)}, "layer2.weight"),
        ({}, {"layer2.weight": None}, "coefficients"),
        ({}, {"layer0.bias": np.full(24, np.nan)}, "not finite"),
        ({}, {"layer0.bias": np.full(24, 1e30)}, "beyond"),
    ],
)
def test_networks_for_something_else_are_refused(weights_file, metadata, tensors, because) -> None:
    try:
        rewritten(weights_file, metadata, tensors)
    finally:
        refused(weights_file, re.escape(because))


def test_the_largest_allowed_weights_stay_finite(weights_file) -> None:
    huge = random_weights()
    layers = tuple((np.full_like(weight, 1e4), np.full_like(bias, 1e4)) for weight, bias in huge.layers)
    huge = replace(
        huge,
        layers=layers,
        scale=np.full_like(huge.scale, 1e-4),
        channel_scale=np.full_like(huge.channel_scale, 1e4),
    )
    write_weights(weights_file, huge)
    assert np.isfinite(GaitNetwork.load(weights_file).sample(character(), PHASES, PHASES)).all()


def test_the_bundled_weights_come_with_a_model_card() -> None:
    card = BUNDLED.with_suffix(".md").read_text(encoding="utf-8")
    for word in ("Licence", "Data", "Errors", "never met", "neurarig_addon.training train"):
        assert word in card
