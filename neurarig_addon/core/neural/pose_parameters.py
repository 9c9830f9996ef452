"""A pose as axis-angle parameters in SMPL's joint order: 22 rotations, each relative to its parent, and the
pelvis' place.

The frame is SMPL's: x to the character's left, y up, z ahead. The first rotation is the pelvis' in the world,
the others are relative to
the parent joint; all are from the shared reference pose (T-pose, palms down), which is SMPL's template pose
within a few degrees.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..errors import NeuraRigError, about
from ..files.given_file import reading, size_of
from ..files.npz_file import LARGEST, UnfitError, array_names, read_arrays, write_arrays
from ..geometry.gaps import bridged
from ..geometry.rotation import from_rotation_vector, rotation_vector, transposed
from ..geometry.vectors import TO_Z_UP, axis_along
from ..skeleton.clip import FASTEST, SLOWEST
from .points import JOINTS, from_parents, in_parents

# Columns: the walk frame's x (ahead), y (left), z (up) in SMPL's axes.
WALK_TO_SMPL = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
# upward axis of the file -> rotation into y up
TO_Y_UP = {axis: TO_Z_UP["y"].T @ turn for axis, turn in TO_Z_UP.items()}
# share of the pelvis' upward direction, at the mean of the frames, that is along the upward axis
_STANDS = 0.8
_NAMES = tuple(
    f"{'left' if joint[-1] == 'L' else 'right'}_{joint[:-2]}" if joint[-2:-1] == "." else joint
    for joint in JOINTS
)
_RENAMED = {"left_ball": "left_foot", "right_ball": "right_foot"}
NAMES = tuple(_RENAMED.get(name, name) for name in _NAMES)
SIZE = 3 * len(JOINTS)
_RATES = ("fps", "mocap_framerate", "mocap_frame_rate")  # ours; AMASS' two spellings
# How programs call the rotations of the body's joints, all at once or the pelvis' apart, and its place.
SPELLINGS = (("poses",), ("root_orient", "pose_body"), ("global_orient", "body_pose"))
_POSES, _PLACES = {key for keys in SPELLINGS for key in keys}, ("trans", "transl")
LARGEST_NUMBER = 1e9  # radians or metres; larger numbers are damage


@dataclass(frozen=True)
class PoseParameters:
    """`poses` `(f, 66)`: axis times angle in radians of the joints NAMES; `trans` `(f, 3)`: the pelvis' place
    in metres; `fps`.

    `leg_length`: thigh plus shin of the body that moved, metres; 0 if unknown. `remark`: what the user should
    know of the file, in a sentence, or empty. Raises NeuraRigError if shapes disagree, numbers are NaN,
    infinite or too large, or the rate is out of range.
    """

    poses: np.ndarray
    trans: np.ndarray
    fps: float
    leg_length: float = 0.0
    remark: str = ""

    def __post_init__(self) -> None:
        if (
            self.poses.ndim != 2
            or self.poses.shape[1] != SIZE
            or self.trans.shape != (len(self.poses), 3)
            or not len(self.poses)
        ):
            raise NeuraRigError(
                f"Pose parameters need poses of frames x {SIZE} and trans of frames x 3; export them again."
            )
        if not ((np.abs(self.poses) < LARGEST_NUMBER).all() and (np.abs(self.trans) < LARGEST_NUMBER).all()):
            raise NeuraRigError(
                "Pose parameters have numbers that are NaN, infinite or too large; export them again."
            )
        if not (SLOWEST <= self.fps <= FASTEST and np.isfinite(self.leg_length)):
            raise NeuraRigError(
                f"Pose parameters have {self.fps:g} frames a second; give them a rate of {SLOWEST:g} to"
                f" {FASTEST:g}."
            )

    def __len__(self) -> int:
        return len(self.poses)

    @classmethod
    def of(
        cls, rotations: np.ndarray, root: np.ndarray, fps: float, leg_length: float = 0.0
    ) -> "PoseParameters":
        """Return the parameters of joint rotations `(f, 22, 3, 3)` from the reference pose and the pelvis'
        place `(f, 3)`."""
        turns = rotation_vector(in_parents(rotations)) @ WALK_TO_SMPL.T
        return cls(turns.reshape(len(turns), SIZE), root @ WALK_TO_SMPL.T, fps, leg_length)

    def rotations(self) -> np.ndarray:
        """Return the joints' rotations `(f, 22, 3, 3)` from the reference pose, in the walk frame."""
        turns = self.poses.reshape(len(self), len(JOINTS), 3) @ WALK_TO_SMPL
        return from_parents(from_rotation_vector(turns))

    @property
    def root(self) -> np.ndarray:
        """The pelvis' place `(f, 3)` in the walk frame, metres."""
        return self.trans @ WALK_TO_SMPL


def save(parameters: PoseParameters, path: str | Path) -> None:
    """Write parameters to an .npz: `poses`, `trans`, `fps`, `leg_length`, `names`, `up`; raises NeuraRigError
    if it cannot."""
    arrays = {
        "poses": parameters.poses,
        "trans": parameters.trans,
        "fps": np.array(parameters.fps),
        "leg_length": np.array(parameters.leg_length),
        "names": np.array(NAMES),
        "up": np.array("y"),
    }
    write_arrays(Path(path), arrays)


def load(path: str | Path) -> PoseParameters:
    """Read an .npz written by `save`, an AMASS one (z up, `mocap_framerate`, hands after the body), or one of
    SPELLINGS.

    Raises NeuraRigError, naming the file, if it is none of these.
    """
    path = Path(path)
    size_of(path, LARGEST)
    try:
        with reading(path):
            stored = read_arrays(path, {*_POSES, *_PLACES, *_RATES, "leg_length", "up"})
        keys = next(keys for keys in SPELLINGS if stored.keys() >= set(keys))
        place = next((key for key in _PLACES if key in stored), None)
        if any(stored[key].dtype.kind not in "fiub" for key in (*keys, *([place] if place else []))):
            raise UnfitError("they are words")
        if any(stored[key].ndim < 2 or not stored[key].size for key in keys):
            raise UnfitError("they are no rows")
        poses = np.concatenate([_vectors(stored[key].astype(float)) for key in keys], axis=1)[:, :SIZE]
        trans = stored[place].astype(float).reshape(len(poses), -1) if place else np.zeros((len(poses), 3))
        both, remark = bridged(np.concatenate([poses, trans], axis=1), path.name)
        poses, trans = both[:, : poses.shape[1]], both[:, poses.shape[1] :]
        rate = next((float(stored[key].item()) for key in _RATES if key in stored), 30.0)
        legs = float(stored["leg_length"].item()) if "leg_length" in stored else 0.0
        up = str(stored["up"]) if "up" in stored else ""
        usual = "y" if "fps" in stored else "z"
    except (UnfitError, LookupError, ValueError, StopIteration) as problem:
        raise NeuraRigError(
            f"'{path.name}' holds no pose parameters ({problem}); it needs 'poses' and 'trans'."
        ) from problem
    with about(path.name):
        found = _y_up(PoseParameters(poses, trans, rate, legs), up, usual, path.name)
        return replace(found, remark=f"{found.remark} {remark}".strip())


def _vectors(turns: np.ndarray) -> np.ndarray:
    """Return rotations of joints, vectors `(f, n, 3)`, flat `(f, 3 n)` or matrices `(f, n, 3, 3)`, as vectors
    `(f, 3 n)`."""
    if turns.shape[-2:] == (3, 3) and (
        turns.ndim == 4 or (turns.ndim == 3 and np.allclose(turns @ transposed(turns), np.eye(3), atol=1e-2))
    ):
        turns = rotation_vector(turns)
    return turns.reshape(len(turns), -1)


def holds_parameters(path: str | Path) -> bool:
    """Return whether an .npz holds pose parameters rather than points."""
    try:
        names = set(array_names(Path(path)))
        return any(names >= {*keys} and (len(keys) > 1 or "trans" in names) for keys in SPELLINGS)
    except (OSError, ValueError, UnfitError):
        return False


def _y_up(parameters: PoseParameters, up: str, usual: str, name: str) -> PoseParameters:
    """Return parameters with y up.

    `up`: the axis that the file gives; if empty the one along which the pelvis stands, else the `usual` one
    of such files. A remark
    tells which axis was chosen, unless it is given, or usual and shown.
    """
    turns = parameters.poses[:, :3]
    root = from_rotation_vector(turns)
    stands = root[..., 1].mean(axis=0)
    used = axis_along(stands) if np.abs(stands).max() > _STANDS else ""
    remark = ""
    if not up and used != usual:
        why = "along which its body stands" if used else "as is usual, for its body does not stand"
        remark = f"'{name}' does not say which axis is up; {used or usual} is used, {why}."
    used = ("z" if up == "z" else "y") if up else used or usual
    if used == "y":
        return replace(parameters, remark=remark)
    to_y_up = TO_Y_UP[used]
    poses = np.concatenate([rotation_vector(to_y_up @ root), parameters.poses[:, 3:]], axis=1)
    return replace(parameters, poses=poses, trans=parameters.trans @ to_y_up.T, remark=remark)
