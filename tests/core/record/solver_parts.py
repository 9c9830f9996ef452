"""The parts of the pose solver, each asked on its own."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.neural_ik.sixd import from_sixd, to_sixd
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.frames import BoneFrames
from neurarig_addon.core.neural.network.pose_weights import read_pose_weights, write_pose_weights
from neurarig_addon.core.neural.plain_poses import POSES, joint_turns
from neurarig_addon.core.neural.points import mirrored_rows, ways
from neurarig_addon.core.neural.pose_parameters import PoseParameters
from neurarig_addon.core.neural.solver import BUNDLED
from tests.core.bone_trees import swing, twist_angle, twisted
from tests.core.record.condensed import Answer
from tests.core.record.point_bodies import bent, posed, subject


def parts() -> Answer:
    """Return turns in other forms, frames of bones, files of weights and of poses."""
    draw, body = np.random.default_rng(5), subject()
    rotations, root, _ = posed(body, 13)
    frames = BoneFrames.of_points(body.rest)
    axis = np.array([0.3, -0.8, 0.5]) / np.linalg.norm([0.3, -0.8, 0.5])
    parameters = PoseParameters.of(rotations, root, 50.0, 0.8)
    weights = read_pose_weights(BUNDLED)
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("pose.npz", "pose.safetensors")]
        pose_parameters.save(parameters, paths[0])
        write_pose_weights(paths[1], weights)
        files = [pose_parameters.load(str(paths[0])), pose_parameters.holds_parameters(paths[0]), read_pose_weights(paths[1])]
    return {
        "sixd": [to_sixd(rotations), from_sixd(draw.normal(size=(5, 6)))],
        "frames": [frames.from_local(bent(1)), frames.to_local(bent(2))],
        "twist": [
            twist_angle(rotations, bent(4)),
            swing(rotations, np.broadcast_to(axis, (*rotations.shape[:2], 3))),
            twisted(rotations, np.array(0.4)),
        ],
        "parameters": [parameters, parameters.rotations(), parameters.root],
        "files": files,
        "points": [ways(), mirrored_rows()],
        "plain": [joint_turns(pose.degrees, rotations[0]) for pose in POSES.values()],
    }
