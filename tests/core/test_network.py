"""The gait network in numpy: symmetry, periodicity, standing, units."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.contract.channels import BLOCKS, CHANNELS, SLICES
from neurarig_addon.core.gait.kinds.natural import natural_period
from neurarig_addon.core.human.canonical import harmonics
from neurarig_addon.core.human.gait_network import GaitNetwork
from neurarig_addon.core.waves import HARMONICS
from tests.core.gait_weights import PHASES, character, random_weights
from tests.refusals import refuses

LENGTHS = [n for n, name in enumerate(CHANNELS) if name.split(".")[1] in ("x", "y", "z")]
ANGLES = [n for n in range(len(CHANNELS)) if n not in LENGTHS]


@pytest.fixture(params=["bundled", "random"])
def network(request: pytest.FixtureRequest) -> GaitNetwork:
    return GaitNetwork.load() if request.param == "bundled" else GaitNetwork(random_weights())


LOPSIDED = character(1.1, (0.47, 0.42, 0.05), (0.44, 0.45, 0.08))


def mirrored(values: np.ndarray) -> np.ndarray:
    """Return channels `(frames, 46)` of the mirror image."""
    image = np.empty_like(values)
    for block, axes in BLOCKS.items():
        other = block[:-1] + {"r": "l", "l": "r"}[block[-1]] if block[-2:] in ("_r", "_l") else block
        sign = [-1.0 if axis in ("y", "yaw", "roll") else 1.0 for axis in axes]
        image[:, SLICES[other]] = values[:, SLICES[block]] * sign
    return image


@pytest.mark.parametrize(
    "slow", [character(), LOPSIDED, np.repeat(LOPSIDED, 41, 0) * np.linspace(0.9, 1.1, 41)[:, None]]
)
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
    assert np.array_equal(
        network.sample(character(-1.3), PHASES, PHASES), network.sample(character(1.3), PHASES, PHASES)
    )


def test_lengths_scale_with_the_character_and_angles_do_not(network: GaitNetwork) -> None:
    small = network.sample(LOPSIDED, PHASES, PHASES + 0.5)
    for scale in (0.01, 4.0, 100.0):
        slow = LOPSIDED * scale
        slow[:, 0] = LOPSIDED[:, 0] * np.sqrt(scale)
        large = network.sample(slow, PHASES, PHASES + 0.5)
        assert_allclose(large[:, LENGTHS], scale * small[:, LENGTHS], rtol=1e-4, atol=1e-6 * scale)
        assert_allclose(large[:, ANGLES], small[:, ANGLES], rtol=1e-4, atol=1e-5)


def test_one_frame_equals_that_frame_among_many(network: GaitNetwork) -> None:
    frames = np.linspace(0.0, 60.0, 1500)
    many = network.sample(LOPSIDED, frames, frames + 0.5)
    keyed = np.repeat(LOPSIDED, 1500, 0)
    keyed[:, 0] = np.linspace(0.4, 2.0, 1500)
    keyed_many = network.sample(keyed, frames, frames + 0.5)
    for row in (0, 511, 512, 1499):
        at = frames[row : row + 1]
        assert np.abs(network.sample(LOPSIDED, at, at + 0.5) - many[row]).max() < 1e-12
        assert np.abs(network.sample(keyed[row : row + 1], at, at + 0.5) - keyed_many[row]).max() < 1e-12
    assert np.array_equal(network.sample(np.repeat(LOPSIDED, 1500, 0), frames, frames + 0.5), many)


def test_proportions_beyond_the_trained_ones_are_held_at_the_edge(network: GaitNetwork) -> None:
    edge = network.sample(
        character(1.0, (0.9 * 0.99, 0.9 * 0.01, 5.0), (0.9 * 0.99, 0.9 * 0.01, 5.0)), PHASES, PHASES + 0.5
    )
    beyond = network.sample(
        character(1.0, (0.9 * 0.95, 0.9 * 0.05, 9.0), (0.9 * 0.95, 0.9 * 0.05, 9.0)), PHASES, PHASES + 0.5
    )
    assert_allclose(edge, beyond, atol=1e-6)


@pytest.mark.parametrize(
    "slow",
    [
        character(np.nan),
        character(np.inf),
        character(right=(0.0, 0.0, 0.1)),
        character(left=(-0.4, 0.3, 0.1)),
    ],
)
def test_impossible_characters_are_refused(network: GaitNetwork, slow: np.ndarray) -> None:
    with refuses("legs with a length"):
        network.sample(slow, PHASES, PHASES)


def test_the_contract_gives_30_floats_in_metres_and_radians(network: GaitNetwork) -> None:
    t_cycle = np.linspace(0.0, 1.0, 9)
    inputs = np.column_stack([np.repeat(LOPSIDED, 9, 0), t_cycle, t_cycle + 7.0])
    outputs = network.evaluate(inputs)
    assert outputs.shape == (9, 30) and outputs.dtype == np.float32
    phase = t_cycle / natural_period(1.1, 0.5 * LOPSIDED[0, [1, 2, 5, 6]].sum())
    expected = network.sample(LOPSIDED, phase, phase + 0.5)[:, :30]
    assert_allclose(outputs, expected, atol=1e-6)
    assert not network.evaluate(np.column_stack([character(0.0), [[0.4, 0.4]]])).any()


def test_the_bundled_walk_strides_as_far_as_people_do() -> None:
    """Feet go back and forth, opposite one another, by the ground they cover in stance."""
    values = GaitNetwork.load().sample(character(1.3), PHASES, PHASES + 0.5)
    reach = np.ptp(values[:, CHANNELS.index("foot_r.x")])
    assert 0.55 < reach < 1.1
    # the foot is highest in its swing
    assert np.argmax(values[:, CHANNELS.index("foot_r.z")]) in range(24, 41)
    assert 0.02 < np.ptp(values[:, CHANNELS.index("pelvis.z")]) < 0.08
