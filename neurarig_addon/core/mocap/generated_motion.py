"""Motion that generative models write: the joints' places in arrays, often with rotations and with contacts
of the feet.

Read are, in .npz:
- Kimodo's `posed_joints` `(f, n, 3)`, `global_rot_mats` `(f, n, 3, 3)` and `foot_contacts` `(f, 4)`, of 77,
  30 or 22 joints;
- the same of other models under the names PLACES, TURNS and CONTACTS, in the orders of LAYOUTS;
- SMPL pose parameters (`pose_parameters`), on an adult whose size follows from the feet that stand; in .npy
  the places of SMPL's joints, or HumanML3D's 263 features of a frame; and OpenSim's angles of joints
  (`joint_angles`).
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..easing import running
from ..errors import NeuraRigError, about
from ..files.given_file import reading, size_of
from ..files.npz_file import LARGEST, UnfitError, array_names, read_array, read_arrays
from ..geometry.gaps import bridged
from ..geometry.rotation import about_y, norms, rotated, transposed
from ..geometry.vectors import TO_Z_UP, axis_along
from ..neural import pose_parameters
from ..neural.points import ADULT_LEG, JOINTS, PARENTS, adult_offsets
from ..neural.pose_parameters import NAMES, PoseParameters
from ..shipped import shipped
from ..skeleton.bvh import clip_of_joints, likely_unit, turn_to_places
from ..skeleton.bvh_text import BvhJoint
from ..skeleton.clip import FASTEST, SLOWEST, Clip
from .joint_angles import read_angles
from .marker_names import layouts

PLACES = ("posed_joints", "joints", "pred_joint_coords", "joint_coords", "joint_positions", "keypoints3d")
TURNS = ("global_rot_mats", "pred_global_rots", "joint_rots")
CONTACTS = ("foot_contacts", "contacts")
ANGLES = (".mot", ".sto")
RATES = ("fps", "mocap_framerate", "mocap_frame_rate")
USUAL_RATE, HUMANML_RATE = 30.0, 20.0  # frames per second where the file gives none
# Number of joints in the file -> rows of SMPL's 22 body joints, and of what lies at the ends of some.
LAYOUTS: Mapping[int, tuple[list[int], Mapping[str, int]]] = {
    count: (layout["rows"], layout["ends"])
    for layout in shipped("joint_layouts")["layouts"]
    for count in layout["counts"]
}
PLANTED = ("heel.L", "ball.L", "heel.R", "ball.R")  # the columns of contacts
SURE = 0.5  # a contact's least probability
STATURE_OVER_HEAD = 1.1  # stature, lowest joint to highest, over the distance from ankles to head
HUMANML = 263  # features of a frame: the root's 4, places 63, rotations 126, velocities 66, contacts 4
HUMANML_JOINTS = 22
UPRIGHT = 0.9  # cosine between trunk and legs of a pose that stands
LARGEST_NUMBER = 1e7  # larger ones are damage
SIZES = 0.3, 2.0  # x an adult: other sizes of a body are not believed
_PARENTS = PARENTS[: len(JOINTS)]


def is_generated(path: Path) -> bool:
    """Return whether a file is a motion of this kind, by its ending and the names of its arrays."""
    if path.suffix.lower() in (".npy", *ANGLES):
        return True
    try:
        names = set(array_names(path))
    except (OSError, UnfitError):
        return False
    return bool(names & set(PLACES)) or pose_parameters.holds_parameters(path)


def read_generated(path: str | Path) -> Clip:
    """Return the motion of a file, z up, frames numbered from 1; raises NeuraRigError, naming the file, if it
    is none or damaged."""
    path = Path(path)
    size_of(path, LARGEST)
    if path.suffix.lower() in ANGLES:
        return _of_parameters(path.stem, read_angles(path))
    if path.suffix.lower() == ".npz" and pose_parameters.holds_parameters(path):
        return _of_parameters(path.stem, pose_parameters.load(path))
    try:
        with reading(path), about(path.name):
            places, turns, ends, contacts, rate, remark = _arrays(path)
    except (UnfitError, ValueError) as problem:
        raise NeuraRigError(
            f"'{path.name}' holds no motion of joints: {problem}. Export it again with numbers only."
        ) from problem
    if not SLOWEST <= rate <= FASTEST:
        raise NeuraRigError(
            f"'{path.name}' has {rate:g} frames a second; give it a rate of {SLOWEST:g} to {FASTEST:g}."
        )
    with about(path.name):
        clip = _clip(path.stem, places, turns, ends, contacts, rate)
    return replace(clip, remark=f"{clip.remark} {remark}".strip())


def _arrays(
    path: Path,
) -> tuple[np.ndarray, np.ndarray | None, Mapping[str, np.ndarray], np.ndarray | None, float, str]:
    """Return the 22 joints' places `(f, 22, 3)` and rotations, places of ends, contacts `(f, 4)` or None,
    frame rate, and a remark."""
    if path.suffix.lower() == ".npy":
        stored, remark = _numbers(read_array(path), path.name)
        if stored.ndim == 2 and stored.shape[1] == HUMANML:
            places, contacts = of_features(stored)
            return places, None, {}, contacts, HUMANML_RATE, remark
        return *_of_layout(stored, None), None, HUMANML_RATE, remark
    found = read_arrays(path, {*PLACES, *TURNS, *CONTACTS, *RATES})
    given, remarks = {}, dict[str, None]()
    for name, array in found.items():
        given[name], remark = _numbers(array, path.name)
        remarks |= {remark: None} if remark else {}
    places, turns, contacts = (
        next((given[name] for name in names if name in given), None) for names in (PLACES, TURNS, CONTACTS)
    )
    if places is None or places.ndim < 3:
        raise UnfitError("it has no places of frames x joints x 3")
    rate = next((float(given[name].item()) for name in RATES if name in given), USUAL_RATE)
    if contacts is not None and contacts.shape[-2:] != (places.shape[-3], len(PLANTED)):
        contacts = None
    contacts = None if contacts is None else contacts.reshape(-1, len(PLANTED))
    return *_of_layout(places, turns), contacts, rate, " ".join(remarks)


def _numbers(array: np.ndarray, name: str) -> tuple[np.ndarray, str]:
    """Return an array's numbers, bridged where a few frames have none, and what is to say of these."""
    if array.dtype.kind not in "fiub":
        raise UnfitError("it holds words, not numbers")
    batch = array.ndim > 3 and len(array) == 1 and array.shape[1] > 1
    found, remark = (
        bridged((array[0] if batch else array).astype(float), name)
        if array.ndim > 1
        else (array.astype(float), "")
    )
    if not (np.abs(found) < LARGEST_NUMBER).all():
        raise UnfitError("some numbers are NaN, infinite or too large")
    return found, remark


def _of_layout(
    places: np.ndarray, turns: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray | None, Mapping[str, np.ndarray]]:
    """Return what belongs to the 22 joints of `places` `(f, n, 3)` and `turns` `(f, n, 3, 3)`, and the places
    of their ends."""
    places = places[0] if places.ndim == 4 and len(places) == 1 else places  # a batch of one
    if places.ndim != 3 or places.shape[2] != 3 or places.shape[1] not in LAYOUTS or not len(places):
        counts = ", ".join(map(str, LAYOUTS))
        if places.ndim > 1 and any(
            count in places.shape[1:] for layout in layouts() for count in layout["counts"]
        ):
            raise NeuraRigError("It holds the points of a tracker, no rotations. Use Solve Mocap for it.")
        raise UnfitError(
            f"it needs places of frames x joints x 3, of {counts} joints, not of"
            f" {' x '.join(map(str, places.shape))}"
        )
    rows, ends = LAYOUTS[places.shape[1]]
    if turns is not None:
        turns = turns.reshape(-1, *turns.shape[-3:])
        turns = turns[:, rows] if turns.shape == (*places.shape, 3) else None
    if turns is not None and not np.allclose(transposed(turns) @ turns, np.eye(3), atol=1e-2):
        turns = None
    return places[:, rows], turns, {joint: places[:, row] for joint, row in ends.items()}


def of_features(features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the joints' places `(f, 22, 3)`, y up in metres, and contacts `(f, 4)` of HumanML3D's features
    `(f, 263)`.

    A frame's first four are the root's turn and way until the next frame, about y and in the plane, and its
    height (Guo et al. 2022).
    """
    turn = running(features[:-1, 0])
    back = about_y(-2.0 * turn)
    step = rotated(back[1:], np.stack([features[:-1, 1], 0.0 * features[:-1, 1], features[:-1, 2]], axis=-1))
    root = np.concatenate([np.zeros((1, 3)), np.cumsum(step, axis=0)])
    below = features[:, 4 : 4 + 3 * (HUMANML_JOINTS - 1)].reshape(len(features), -1, 3)
    places = np.concatenate([np.zeros((len(features), 1, 3)), rotated(back[:, None], below)], axis=1) + root[
        :, None
    ] * [1.0, 0.0, 1.0]
    places[:, 0, 1] = features[:, 3]
    return places, features[:, -len(PLANTED) :]


def _clip(
    name: str,
    places: np.ndarray,
    turns: np.ndarray | None,
    ends: Mapping[str, np.ndarray],
    contacts: np.ndarray | None,
    fps: float,
) -> Clip:
    """Return the clip of the joints; its rest pose is that of no rotation if a body stands in it, else the
    first frame."""
    ankles, head = (
        places[:, [JOINTS.index("ankle.L"), JOINTS.index("ankle.R")]].mean(axis=1),
        places[:, JOINTS.index("head")],
    )
    upward = (head - ankles).mean(axis=0)
    upright = TO_Z_UP[axis_along(upward)]
    to_world = np.eye(4)
    to_world[:3, :3] = upright * likely_unit(STATURE_OVER_HEAD * float(norms(head - ankles).max()))
    joints = None if turns is None else _joints(places, turns, ends)
    remark = ""
    if joints is None or not _stands(joints, upright):
        remark = f"'{name}' has no rest pose: its bones are measured in its first frame."
        turns = None if turns is None else turns @ transposed(turns[0])
        first = np.tile(np.eye(3), (1, len(JOINTS), 1, 1))
        joints = _joints(places[:1], first, {joint: place[:1] for joint, place in ends.items()})
    if turns is None:
        turns = np.tile(np.eye(3), (*places.shape[:2], 1, 1))
        turn_to_places(joints, np.zeros((len(places), 3 * len(joints))), turns, places)
    clip = clip_of_joints(name, joints, turns, places, fps, 1.0 + np.arange(len(places)), to_world)
    planted = {} if contacts is None else dict(zip(PLANTED, contacts.T >= SURE, strict=True))
    return replace(clip, planted=planted, remark=remark)


def _joints(places: np.ndarray, turns: np.ndarray, ends: Mapping[str, np.ndarray]) -> list[BvhJoint]:
    """Return joints with OFFSETs as they are without rotation, for places `(f, 22, 3)` and rotations `(f, 22,
    3, 3)`."""

    def held(of: int, seen: np.ndarray) -> np.ndarray:
        return np.median(rotated(transposed(turns[:, of]), seen - places[:, of]), axis=0)

    offsets = [np.zeros(3), *(held(parent, places[:, row]) for row, parent in enumerate(_PARENTS[1:], 1))]
    tips = {JOINTS.index(joint): [held(JOINTS.index(joint), seen)] for joint, seen in ends.items()}
    channels = [("position", axis) for axis in range(3)]
    return [
        BvhJoint(name, int(parent), offset, channels, tips.get(row, []))
        for row, (name, parent, offset) in enumerate(zip(NAMES, _PARENTS, offsets, strict=True))
    ]


def _stands(joints: list[BvhJoint], upright: np.ndarray) -> bool:
    """Return whether trunk and legs are upright at rest; `upright` turns the file's axes to z up."""
    heads = np.zeros((len(joints), 3))
    for row, joint in enumerate(joints[1:], 1):
        heads[row] = heads[joint.parent] + joint.offset
    trunk = heads[JOINTS.index("head")]
    legs = -0.5 * (heads[JOINTS.index("ankle.L")] + heads[JOINTS.index("ankle.R")])
    return all((upright @ part)[2] > UPRIGHT * norms(part) > 0.0 for part in (trunk, legs))


def _of_parameters(name: str, parameters: PoseParameters) -> Clip:
    """Return the clip of pose parameters on an adult, as tall as its legs or its way tell."""
    turns, offsets = parameters.rotations(), adult_offsets()
    places = _posed(turns, offsets)
    size = (
        parameters.leg_length / ADULT_LEG if parameters.leg_length > 0.0 else _size(places, parameters.root)
    )
    joints = [
        BvhJoint(name, int(parent), size * offset)
        for name, parent, offset in zip(NAMES, _PARENTS, offsets, strict=True)
    ]
    places = size * places + parameters.root[:, None]
    clip = clip_of_joints(
        name, joints, turns, places, parameters.fps, 1.0 + np.arange(len(places)), np.eye(4)
    )
    return replace(clip, remark=parameters.remark)


def _posed(turns: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return the joints' places `(f, 22, 3)` relative to the pelvis."""
    places = np.zeros(turns.shape[:3])
    for row, parent in enumerate(_PARENTS[1:], 1):
        places[:, row] = places[:, parent] + turns[:, parent] @ offsets[row]
    return places


def _size(places: np.ndarray, root: np.ndarray) -> float:
    """Return how many times as large as the adult a body is, so that the lower foot stands still while the
    pelvis moves `(f, 3)`."""
    balls = places[:, [JOINTS.index("ball.L"), JOINTS.index("ball.R")]]
    lower = np.argmin(balls[:-1, :, 2] + balls[1:, :, 2], axis=1)
    goes = np.diff(balls, axis=0)[np.arange(len(lower)), lower]
    power = float(np.sum(goes**2))
    return float(np.clip(-np.sum(goes * np.diff(root, axis=0)) / power, *SIZES)) if power > 0.0 else 1.0
