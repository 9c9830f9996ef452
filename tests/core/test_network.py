"""The gait network in numpy: symmetry, periodicity, standing, units, and weights files that are not what they should be."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.gait.channels import BLOCKS, CHANNELS, SLICES
from neurarig_addon.core.gait.cycle import natural_period
from neurarig_addon.core.network import safetensors
from neurarig_addon.core.network.canonical import CANONICAL, COEFFICIENTS, HARMONICS, SLOTS, TERMS, fourier_basis, harmonics
from neurarig_addon.core.network.features import FEATURES
from neurarig_addon.core.network.gait_network import BUNDLED, GaitNetwork
from neurarig_addon.core.network.mlp import Mlp
from neurarig_addon.core.network.weights import GaitWeights, read_weights, write_weights

LENGTHS = [n for n, name in enumerate(CHANNELS) if name.split(".")[1] in ("x", "y", "z")]
ANGLES = [n for n in range(len(CHANNELS)) if n not in LENGTHS]
PHASES = np.linspace(0.0, 1.0, 41)


def random_weights(seed: int = 3) -> GaitWeights:
    """Return a network of random weights: what holds for it holds by construction."""
    rng = np.random.default_rng(seed)
    widths = [len(FEATURES), 24, 16, COEFFICIENTS]
    layers = [(rng.normal(size=(b, a)) / np.sqrt(a), rng.normal(0.0, 0.1, b)) for a, b in pairwise(widths)]
    low, high = np.array([0.0, 0.0, 0.3, 0.8, 0.0]), np.array([0.8, 0.9, 0.7, 1.2, 0.3])
    arrays = low, high, 0.5 * (low + high), 0.3 * (high - low), rng.uniform(0.05, 0.5, len(CANONICAL))
    return GaitWeights(*(a.astype(np.float32) for a in arrays), tuple((w.astype(np.float32), b.astype(np.float32)) for w, b in layers))


@pytest.fixture(params=["bundled", "random"])
def network(request: pytest.FixtureRequest) -> GaitNetwork:
    return GaitNetwork.load() if request.param == "bundled" else GaitNetwork(random_weights())


def character(speed=1.3, right=(0.45, 0.45, 0.06), left=(0.45, 0.45, 0.06)) -> np.ndarray:
    """Return slow inputs `(1, 9)`; a side is thigh, shin, spacing."""
    return np.array([[speed, right[0], right[1], 0.0, right[2], left[0], left[1], 0.5, left[2]]])


LOPSIDED = character(1.1, (0.47, 0.42, 0.05), (0.44, 0.45, 0.08))


def mirrored(values: np.ndarray) -> np.ndarray:
    """Return channels `(frames, 46)` of the mirror image."""
    image = np.empty_like(values)
    for block, axes in BLOCKS.items():
        other = block[:-1] + {"r": "l", "l": "r"}[block[-1]] if block[-2:] in ("_r", "_l") else block
        sign = [-1.0 if axis in ("y", "yaw", "roll") else 1.0 for axis in axes]
        image[:, SLICES[other]] = values[:, SLICES[block]] * sign
    return image


@pytest.mark.parametrize("slow", [character(), LOPSIDED, np.repeat(LOPSIDED, 41, 0) * np.linspace(0.9, 1.1, 41)[:, None]])
def test_the_mirror_image_is_exact_to_the_bit(network: GaitNetwork, slow: np.ndarray) -> None:
    swapped = slow[:, [0, 5, 6, 7, 8, 1, 2, 3, 4]]
    left = (PHASES + 0.5) * 0.9
    seen = network.sample(slow, PHASES, left)
    assert np.array_equal(mirrored(seen), network.sample(swapped, left, PHASES))


def test_a_symmetric_walk_is_its_mirror_image_half_a_cycle_later(network: GaitNetwork) -> None:
    phase = np.arange(64) / 64  # binary fractions, so that half a cycle more is the same number
    values = network.sample(character(), phase, phase + 0.5)
    later = network.sample(character(), phase + 0.5, phase + 1.0)
    assert np.array_equal(mirrored(values), later)


def test_midline_channels_keep_the_harmonics_that_symmetry_allows(network: GaitNetwork) -> None:
    phase = np.arange(64) / 64
    spectrum = np.abs(np.fft.rfft(network.sample(character(), phase, phase + 0.5), axis=0)) / 64
    for column, name in enumerate(CHANNELS):
        if name.split(".")[0] in ("pelvis", "chest", "head"):
            forbidden = [k for k in range(len(spectrum)) if k > HARMONICS or k not in harmonics(name)]
            assert spectrum[forbidden, column].max() < 1e-12


def test_whole_cycles_change_nothing(network: GaitNetwork) -> None:
    here = network.sample(LOPSIDED, PHASES, PHASES + 0.5)
    for cycles in (-3.0, 1.0, 1000.0):
        assert np.abs(network.sample(LOPSIDED, PHASES + cycles, PHASES + 0.5 + cycles) - here).max() < 1e-9


def test_standing_is_exact_and_reached_without_a_jump(network: GaitNetwork) -> None:
    assert not network.sample(character(0.0), PHASES, PHASES + 0.5).any()
    creeping = network.sample(character(1e-6), PHASES, PHASES + 0.5)
    assert np.abs(creeping).max() < 1e-4
    assert np.array_equal(network.sample(character(-1.3), PHASES, PHASES), network.sample(character(1.3), PHASES, PHASES))


def test_lengths_scale_with_the_character_and_angles_do_not(network: GaitNetwork) -> None:
    small = network.sample(LOPSIDED, PHASES, PHASES + 0.5)
    for scale in (0.01, 4.0, 100.0):
        slow = LOPSIDED * scale
        slow[:, 0] = LOPSIDED[:, 0] * np.sqrt(scale)
        large = network.sample(slow, PHASES, PHASES + 0.5)
        np.testing.assert_allclose(large[:, LENGTHS], scale * small[:, LENGTHS], rtol=1e-4, atol=1e-6 * scale)
        np.testing.assert_allclose(large[:, ANGLES], small[:, ANGLES], rtol=1e-4, atol=1e-5)


def test_one_frame_equals_that_frame_among_many(network: GaitNetwork) -> None:
    frames = np.linspace(0.0, 60.0, 1500)
    many = network.sample(LOPSIDED, frames, frames + 0.5)
    keyed = np.repeat(LOPSIDED, 1500, 0)
    keyed[:, 0] = np.linspace(0.4, 2.0, 1500)
    keyed_many = network.sample(keyed, frames, frames + 0.5)
    for row in (0, 511, 512, 1499):
        at = frames[row : row + 1]
        assert np.abs(network.sample(LOPSIDED, at, at + 0.5) - many[row]).max() < 1e-6
        assert np.abs(network.sample(keyed[row : row + 1], at, at + 0.5) - keyed_many[row]).max() < 1e-6
    assert np.array_equal(network.sample(np.repeat(LOPSIDED, 1500, 0), frames, frames + 0.5), many)


def test_no_frames_give_no_rows(network: GaitNetwork) -> None:
    assert network.sample(character(), np.empty(0), np.empty(0)).shape == (0, len(CHANNELS))


def test_proportions_beyond_the_trained_ones_are_held_at_the_edge(network: GaitNetwork) -> None:
    edge = network.sample(character(1.0, (0.9 * 0.99, 0.9 * 0.01, 5.0), (0.9 * 0.99, 0.9 * 0.01, 5.0)), PHASES, PHASES + 0.5)
    beyond = network.sample(character(1.0, (0.9 * 0.95, 0.9 * 0.05, 9.0), (0.9 * 0.95, 0.9 * 0.05, 9.0)), PHASES, PHASES + 0.5)
    np.testing.assert_allclose(edge, beyond, atol=1e-6)


@pytest.mark.parametrize("slow", [character(np.nan), character(np.inf), character(right=(0.0, 0.0, 0.1)), character(left=(-0.4, 0.3, 0.1))])
def test_impossible_characters_are_refused(network: GaitNetwork, slow: np.ndarray) -> None:
    with pytest.raises(NeuraRigError, match="legs with a length"):
        network.sample(slow, PHASES, PHASES)


def test_the_contract_gives_30_floats_in_metres_and_radians(network: GaitNetwork) -> None:
    t_cycle = np.linspace(0.0, 1.0, 9)
    inputs = np.column_stack([np.repeat(LOPSIDED, 9, 0), t_cycle, t_cycle + 7.0])
    outputs = network.evaluate(inputs)
    assert outputs.shape == (9, 30) and outputs.dtype == np.float32
    phase = t_cycle / natural_period(1.1, 0.5 * LOPSIDED[0, [1, 2, 5, 6]].sum())
    expected = network.sample(LOPSIDED, phase, phase + 0.5)[:, :30]
    np.testing.assert_allclose(outputs, expected, atol=1e-6)
    assert not network.evaluate(np.column_stack([character(0.0), [[0.4, 0.4]]])).any()


def test_the_bundled_walk_strides_as_far_as_people_do() -> None:
    """Feet go back and forth, opposite one another, by the ground they cover in stance."""
    values = GaitNetwork.load().sample(character(1.3), PHASES, PHASES + 0.5)
    reach = np.ptp(values[:, CHANNELS.index("foot_r.x")])
    assert 0.55 < reach < 1.1
    assert np.argmax(values[:, CHANNELS.index("foot_r.z")]) in range(24, 41)  # the foot is highest in its swing
    assert 0.02 < np.ptp(values[:, CHANNELS.index("pelvis.z")]) < 0.08


def test_elu_layers() -> None:
    rng = np.random.default_rng(0)
    layers = [(rng.normal(size=(outputs, inputs)), rng.normal(size=outputs)) for inputs, outputs in pairwise([5, 7, 6, 3])]
    rows = rng.normal(size=(11, 5))
    expected = rows
    for weight, bias in layers[:-1]:
        expected = expected @ weight.T + bias
        expected = np.where(expected > 0.0, expected, np.expm1(expected))
    expected = expected @ layers[-1][0].T + layers[-1][1]
    np.testing.assert_allclose(Mlp(layers).forward(rows.astype(np.float32)), expected, atol=1e-5)


def test_basis_is_cosines_and_sines() -> None:
    basis = fourier_basis(PHASES + 3.0)
    for k in range(HARMONICS + 1):
        np.testing.assert_allclose(basis[:, 2 * k], np.cos(2 * np.pi * k * PHASES), atol=1e-12)
        np.testing.assert_allclose(basis[:, 2 * k + 1], np.sin(2 * np.pi * k * PHASES), atol=1e-12)
    assert len(set(SLOTS)) == COEFFICIENTS and SLOTS.max() < TERMS * len(CANONICAL)


# Weights files


@pytest.fixture
def weights_file(tmp_path):
    path = tmp_path / "walk.safetensors"
    write_weights(path, random_weights())
    return path


def refused(path, because: str | None = None) -> None:
    """Assert that a file is refused with one sentence that names it and says what is wrong."""
    with pytest.raises(NeuraRigError, match=because) as caught:
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


def test_every_truncation_is_refused(weights_file) -> None:
    content = weights_file.read_bytes()
    for length in [*range(0, 40), *range(40, len(content), 997), len(content) - 1]:
        weights_file.write_bytes(content[:length])
        refused(weights_file)
    weights_file.write_bytes(content + b"\0")
    refused(weights_file, "does not name")


def test_changed_bytes_never_raise_anything_else(weights_file) -> None:
    content = weights_file.read_bytes()
    header_end = 8 + int.from_bytes(content[:8], "little")
    rng = np.random.default_rng(1)
    places = np.concatenate([rng.integers(0, header_end, 600), rng.integers(header_end, len(content), 200)])
    for place in places:
        changed = bytearray(content)
        changed[place] = rng.integers(256)
        weights_file.write_bytes(bytes(changed))
        try:
            values = GaitNetwork.load(weights_file).sample(character(), PHASES, PHASES)
        except NeuraRigError as error:
            assert weights_file.name in str(error)
        else:
            assert np.isfinite(values).all()


@pytest.mark.parametrize(
    ("header", "because"),
    [
        (b"[" * 60_000, "nested too deeply"),
        (b'{"a":' * 10_000, "nested too deeply"),
        (b"[]", "no table"),
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
        (b'{"a":{"dtype":"F32","shape":[1' + b"0" * 5000 + b'],"data_offsets":[0,4]}}', "number in its header"),
        (b'{"' + b"a" * 5000 + b'":1}', "name in its header"),
        (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}', "does not lie"),
        (b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', "does not lie"),
        (b"{}", "format"),
    ],
)
def test_malformed_headers_are_refused(tmp_path, header: bytes, because: str) -> None:
    path = tmp_path / "bad.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + (b"\0" * 8 if b"dtype" in header else b""))
    refused(path, because)


def test_oversized_files_and_headers_are_refused(tmp_path) -> None:
    path = tmp_path / "huge.safetensors"
    path.write_bytes((2**63).to_bytes(8, "little") + b"{}")
    refused(path, "claims")
    with path.open("wb") as file:
        file.truncate(safetensors.MAX_FILE_BYTES + 1)
    refused(path, "more than")


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
    huge = replace(huge, layers=layers, scale=np.full_like(huge.scale, 1e-4), channel_scale=np.full_like(huge.channel_scale, 1e4))
    write_weights(weights_file, huge)
    assert np.isfinite(GaitNetwork.load(weights_file).sample(character(), PHASES, PHASES)).all()


def test_the_bundled_weights_come_with_a_model_card() -> None:
    card = BUNDLED.with_suffix(".md").read_text(encoding="utf-8")
    for word in ("Licence", "Data", "Errors", "never met", "neurarig_addon.training train"):
        assert word in card
