"""The kinds of files that are read without Blender: samples, how they are spoiled, and all that is done with
one that can be read."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.controls import families
from neurarig_addon.core.controls.control_map import FK, IK, ControlMap
from neurarig_addon.core.controls.families import read_family
from neurarig_addon.core.crowd.timing import timed_line
from neurarig_addon.core.crowd.trajectories import read_trajectories
from neurarig_addon.core.detection import conventions
from neurarig_addon.core.detection.conventions import read_convention
from neurarig_addon.core.gait.kinds.gait import PLAIN, PlainGait
from neurarig_addon.core.gait.kinds.profile_gait import ProfileGait
from neurarig_addon.core.gait.prints.print_file import from_text, load_prints, to_text
from neurarig_addon.core.gait.prints.print_places import places_of
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk, walked
from neurarig_addon.core.human.gait_network import BUNDLED, BUNDLED_RUN, GaitNetwork
from neurarig_addon.core.ikrig import storage
from neurarig_addon.core.ikrig.resample import resample
from neurarig_addon.core.learned.discovery import curves_of
from neurarig_addon.core.learned.solver import Solver
from neurarig_addon.core.logic.contract import random_inputs
from neurarig_addon.core.logic.profile import FOLDER, Profile
from neurarig_addon.core.mocap.generated_motion import read_generated
from neurarig_addon.core.mocap.landmarks import points_of
from neurarig_addon.core.mocap.marker_files import read_markers
from neurarig_addon.core.mocap.placement import upright
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.likely.pose_prior import read_pose_prior
from neurarig_addon.core.neural.network.pose_weights import read_pose_weights
from neurarig_addon.core.sequence.network import SequenceNetwork, read_weights
from neurarig_addon.core.sequence.rows import Rows
from neurarig_addon.core.skeleton.bvh import read_bvh
from neurarig_addon.core.styles import learned_style
from neurarig_addon.core.styles.learned_style import read_style
from neurarig_addon.core.styles.styled_gait import in_styles
from neurarig_addon.core.takes import take_file
from neurarig_addon.training.trainee.recording import read_recording
from tests.core.style_clips import HUMAN
from tests.core.walk_measures import greatest_slip
from tests.core.walkers import WALKING

from . import packets, samples
from .kind import Kind
from .mutation import PATTERNS, spoiled, spoiled_archive, spoiled_json, spoiled_weights

WEIGHTS = BUNDLED.parent
STYLES = WEIGHTS.parent / "styles"


def use_bvh(path: Path) -> None:
    clip = read_bvh(path)
    upright(points_of(clip.skeleton.names, clip.heads))
    Character.of(clip.skeleton)


def use_points(path: Path) -> None:
    markers = read_markers(path)
    upright(points_of(markers.names, markers.places), markers.metres, markers.up)


def use_trajectories(path: Path) -> None:
    for agent in read_trajectories(path):
        found = timed_line(agent.times, agent.places)
        assert np.isfinite(found.line).all() and np.isfinite(found.seconds).all()


def use_archive(path: Path) -> None:
    if not pose_parameters.holds_parameters(path):
        use_points(path)
        return
    parameters = pose_parameters.load(path)
    assert np.isfinite(parameters.rotations()).all() and np.isfinite(parameters.root).all()


def use_generated(path: Path) -> None:
    clip = read_generated(path)
    assert np.isfinite(clip.axes).all() and np.isfinite(clip.heads).all()


def use_encoding(path: Path) -> None:
    resample(storage.load(path), 24.0)


def use_profile(path: Path) -> None:
    profile = Profile.load(path)
    inputs = np.random.default_rng(1).uniform(-1.0, 2.0, (3, len(profile.inputs)))
    assert profile.evaluate(inputs).shape == (3, len(profile.outputs))
    assert Profile.from_json(profile.to_json()).outputs == profile.outputs
    ProfileGait(profile, PlainGait())
    profile.check(random_inputs(profile, 20, seed=0))


def learn_profile(path: Path) -> None:
    curves_of(Profile.load(path))


def use_gait_weights(path: Path) -> None:
    slow = np.array([[1.3, 0.42, 0.42, 0.0, 0.05, 0.42, 0.42, 0.0, 0.05]])
    assert GaitNetwork.load(path).sample(slow, np.zeros(1), np.zeros(1)).shape == (1, 46)


def use_sequence_weights(path: Path) -> None:
    network = SequenceNetwork(read_weights(path))
    still = Rows(np.tile(network.weights.mean.astype(float), (20, 1)), np.zeros((20, 3)), np.ones((20, 4)))
    assert np.isfinite(network.ahead(still).poses).all()


def use_control_map(path: Path) -> None:
    found = read_family(path)
    assert ControlMap.from_json(found.to_json()) == found
    assert all(
        np.isfinite(value)
        for state in (IK, FK)
        for value in found.settings(dict.fromkeys(found.switches, state)).values()
    )


def use_prints(path: Path) -> None:
    edits = load_prints(path, 0.9)
    assert from_text(to_text(edits, 0.9), 0.9).numbers.tolist() == edits.numbers.tolist()
    walker = replace(samples.walker(), edits=edits)
    walked(walker, np.arange(30.0, 90.0, 7.0))
    if edits:
        assert len(places_of(walker, [edit.key for edit in edits.edits]).heading) == len(edits.edits)


def use_style(path: Path) -> None:
    style = read_style(path)
    assert learned_style.to_json(
        learned_style.from_json(learned_style.to_json(style), "It")
    ) == learned_style.to_json(style)
    body = samples.walker().body
    pose = walk(
        body, StyleTrack(Style(style_1=1.0)), Clock(), np.arange(30.0, 60.0), in_styles(PLAIN, [style])
    )
    assert all(
        np.isfinite(motion.position).all() and np.isfinite(motion.rotation).all()
        for motion in pose.motions.values()
    )
    assert greatest_slip(body, pose) < 1e-6


def use_take(path: Path) -> None:
    take = take_file.from_json(path.read_bytes(), "The recorded walk")
    assert take_file.to_json(take_file.from_json(take_file.to_json(take), "It")) == take_file.to_json(take)
    pose = walk(HUMAN.body, StyleTrack(), Clock(), np.linspace(0.0, 90.0, 7), replace(WALKING, take=take))
    assert all(np.isfinite(motion.position).all() for motion in pose.motions.values())


def of_folder(folder: Path, pattern: str) -> Callable[[], list[bytes]]:
    return lambda: [path.read_bytes() for path in sorted(folder.glob(pattern))]


def control_maps() -> list[bytes]:
    return [*samples.control_maps(), *of_folder(families.FOLDER, "*.json")()]


def binary(rng: Random, content: bytes) -> bytes:
    return spoiled(rng, content, PATTERNS)


KINDS = {
    "bvh": Kind(".bvh", samples.bvh, spoiled, use_bvh),
    "table": Kind(".csv", samples.tables, spoiled, use_points),
    "trajectories": Kind(".csv", samples.trajectories, spoiled, use_trajectories),
    "trajectories_json": Kind(".json", samples.trajectories_json, spoiled_json, use_trajectories),
    "c3d": Kind(".c3d", samples.c3d, binary, use_points),
    "trc": Kind(".trc", samples.tables_of_opensim, spoiled, use_points),
    "sto": Kind(".sto", samples.tables_of_opensim, spoiled, use_points),
    "angles": Kind(".mot", samples.angles, spoiled, use_generated),
    "openpose": Kind(".json", samples.openpose, spoiled_json, use_points),
    "openpose_text": Kind(".json", samples.openpose, spoiled, use_points),
    "point_array": Kind(".npy", samples.point_arrays, binary, use_points),
    "npz": Kind(".npz", samples.archives, spoiled_archive, use_archive),
    "generated": Kind(".npz", samples.generated, spoiled_archive, use_generated),
    "generated_array": Kind(".npy", samples.generated_arrays, binary, use_generated),
    "encoding": Kind(".npz", lambda: samples.encodings(".npz"), spoiled_archive, use_encoding),
    "encoding_table": Kind(".csv", lambda: samples.encodings(".csv"), spoiled, use_encoding),
    "profile": Kind(".json", of_folder(FOLDER, "*.json"), spoiled_json, use_profile),
    "profile_text": Kind(".json", of_folder(FOLDER, "*.json"), spoiled, use_profile),
    "profile_learned": Kind(".json", of_folder(FOLDER, "*.json"), spoiled_json, learn_profile),
    "prints": Kind(".json", samples.prints, spoiled_json, use_prints),
    "prints_text": Kind(".json", samples.prints, spoiled, use_prints),
    "control_map": Kind(".json", control_maps, spoiled_json, use_control_map),
    "control_map_text": Kind(".json", control_maps, spoiled, use_control_map),
    "style": Kind(".json", of_folder(STYLES, "*.json"), spoiled_json, use_style),
    "style_text": Kind(".json", of_folder(STYLES, "*.json"), spoiled, use_style),
    "convention": Kind(".json", of_folder(conventions.TABLES, "*.json"), spoiled_json, read_convention),
    "convention_text": Kind(".json", of_folder(conventions.TABLES, "*.json"), spoiled, read_convention),
    "recording": Kind(".csv", samples.recordings, spoiled, read_recording),
    "gait_weights": Kind(
        ".safetensors",
        lambda: [BUNDLED.read_bytes(), BUNDLED_RUN.read_bytes()],
        spoiled_weights,
        use_gait_weights,
    ),
    "rule_weights": Kind(".safetensors", samples.rule_weights, spoiled_weights, Solver.load),
    "pose_weights": Kind(
        ".safetensors", of_folder(WEIGHTS, "pose.safetensors"), spoiled_weights, read_pose_weights
    ),
    "sequence_weights": Kind(
        ".safetensors", of_folder(WEIGHTS, "sequence.safetensors"), spoiled_weights, use_sequence_weights
    ),
    "pose_prior": Kind(
        ".safetensors", of_folder(WEIGHTS, "pose_prior.safetensors"), spoiled_weights, read_pose_prior
    ),
    "take": Kind(".json", samples.takes, spoiled_json, use_take),
    "take_text": Kind(".json", samples.takes, spoiled, use_take),
    **packets.KINDS,
}
