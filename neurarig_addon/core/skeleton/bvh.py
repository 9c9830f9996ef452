"""Reading motion capture from BVH files, without Blender."""

import codecs
import io
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import TextIO

import numpy as np

from ..errors import NeuraRigError
from ..files.given_file import reading, size_of, worth
from ..geometry import rotation
from ..geometry.rotation import norms
from ..geometry.vectors import TO_Z_UP, nearest_rotation
from .bvh_text import BvhJoint, BvhText
from .clip import FASTEST, SLOWEST, Clip
from .skeleton import Skeleton

_UNLIKE = 0.2  # share of its place's distance by which an OFFSET is off it: it is not where the joint is
_STILL = 1e-3  # degrees: joints that turn less are not turned by their file
_HELD = 1e-6  # weight of keeping the parent's rotation about what the joints below do not tell


def with_placed_offsets(joints: list[BvhJoint], places: np.ndarray) -> list[BvhJoint]:
    """Return the joints with OFFSETs as they are placed in the first frame, if most of the OFFSETs are not
    where they are placed.

    Joints that stay where they are in their parent must be there; of those that only places carry, distances
    tell. `places` `(f, joints, 3)`: of each joint in its parent, file units.
    """
    placed = [row for row, joint in enumerate(joints) if joint.parent >= 0 and _is_placed(joint)]
    given, shown = np.array([joints[row].offset for row in placed]).reshape(-1, 3), places[:, placed]
    distances, middle = np.median(norms(shown), axis=0), np.median(shown, axis=0)
    stays = norms(shown - middle).max(axis=0) < _UNLIKE * distances
    off = np.where(stays, norms(middle - given), np.abs(distances - norms(given)))
    if 2 * np.count_nonzero(off > _UNLIKE * distances) < max(len(joints) - 1, 1):
        return joints
    found = list(joints)
    for row in placed:
        found[row] = replace(joints[row], offset=places[0, row].copy())
    return found


def turn_to_places(joints: list[BvhJoint], values: np.ndarray, turns: np.ndarray, places: np.ndarray) -> None:
    """Turn, in place, the joints that the file does not turn to where it places the joints below them.

    `values` `(f, channels)`: as in the file; `turns` `(f, joints, 3, 3)` from rest and `places` `(f, joints,
    3)`, in file axes. A joint turns with its parent about what the joints below do not tell.
    """
    below: list[list[int]] = [[] for _ in joints]
    for row, joint in enumerate(joints):
        if joint.parent >= 0 and _is_placed(joint):
            below[joint.parent].append(row)
    if not any(below):
        return
    first = [0, *accumulate(len(joint.channels) for joint in joints)]
    followed = [False] * len(joints)
    for row, joint in enumerate(joints):
        if any(
            kind == "rotation" and np.abs(values[:, first[row] + n]).max() > _STILL
            for n, (kind, _) in enumerate(joint.channels)
        ):
            continue
        held = turns[:, joint.parent] if joint.parent >= 0 and followed[joint.parent] else turns[:, row]
        if below[row]:
            at_rest = np.array([joints[child].offset for child in below[row]])
            shown = places[:, below[row]] - places[:, row, None]
            scale = max(float(np.sum(at_rest**2)), np.finfo(float).tiny)
            held = nearest_rotation(np.einsum("fci,cj->fij", shown, at_rest) / scale + _HELD * held)
        turns[:, row] = held
        followed[row] = bool(below[row]) or (joint.parent >= 0 and followed[joint.parent])


def _is_placed(joint: BvhJoint) -> bool:
    return sum(kind == "position" for kind, _ in joint.channels) == 3


# Metres per unit of common files: metres, centimetres, millimetres, inches, decimetres and CMU's 1 / 0.45
# inch.
UNITS = (1.0, 0.01, 0.001, 0.0254, 0.1, 0.0254 / 0.45)
LIKELY_STATURE = 1.6  # metres from the lowest joint to the highest
LARGEST_FILE = 512 * 2**20
# Extents of a standing figure, arms down or out, over its largest: the middle one at least, and the smallest
# at most.
WIDE, THIN = 0.15, 0.45
SHORTEST = 1e-9  # file units: an end nearer than this gives a bone no direction
_POSED_BYTES = 96  # bytes of a joint in one frame: axes and head


def read_bvh(path: str | Path, metres_per_unit: float | None = None, up: str | None = None) -> Clip:
    """Return the motion of a BVH file; frames are numbered from 1.

    Args:
        metres_per_unit: size of the file's unit; by default the one that makes the figure nearest to human
        height. up: `"y"` or `"z"`, the file's up axis; by default the one along which the rest pose is
        taller.

    Raises NeuraRigError, naming the line, if the file is not BVH or is damaged.
    """
    path = Path(path)
    size = size_of(path, LARGEST_FILE)
    with reading(path), path.open(encoding=_encoding(path), errors="replace") as file:
        return _read(file, size, path.stem, metres_per_unit, up)


def parse_bvh(
    text: str, name: str = "clip", metres_per_unit: float | None = None, up: str | None = None
) -> Clip:
    """Return the motion in BVH text; arguments and errors as for `read_bvh`."""
    return _read(io.StringIO(text.lstrip("\ufeff"), newline=None), len(text), name, metres_per_unit, up)


def _encoding(path: Path) -> str:
    """Return the encoding of a text file: UTF-16 says so in its first bytes, and all others keep the words of
    BVH as they are in ASCII."""
    with path.open("rb") as file:
        return "utf-16" if file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"


def _read(file: TextIO, size: int, name: str, metres_per_unit: float | None, up: str | None) -> Clip:
    text = BvhText(file, name)
    joints = text.hierarchy()
    said, seconds = text.timing()
    if not 1.0 / FASTEST <= seconds <= 1.0 / SLOWEST:
        raise NeuraRigError(
            f"'{name}' has frames of {seconds:g} seconds; they must take {1.0 / FASTEST:g} to"
            f" {1.0 / SLOWEST:g} s."
        )
    values = text.rows(sum(len(joint.channels) for joint in joints), said)
    count = len(values)
    if count * len(joints) * _POSED_BYTES > worth(size):
        raise NeuraRigError(
            f"'{name}' is too small for {count} frames of {len(joints)} joints; export it again with channels"
            " for each."
        )
    clip = _clip(name, joints, values, seconds, metres_per_unit, up)
    return replace(clip, remark=f"{text.remark} {clip.remark}".strip())


def _clip(
    name: str, joints: list[BvhJoint], values: np.ndarray, seconds: float, unit: float | None, up: str | None
) -> Clip:
    turns, places = _local(joints, values)
    given, joints = joints, with_placed_offsets(joints, places)
    for row, joint in enumerate(joints):
        if joint.parent >= 0:
            places[:, row] = places[:, joint.parent] + rotation.rotated(
                turns[:, joint.parent], places[:, row]
            )
            turns[:, row] = turns[:, joint.parent] @ turns[:, row]
    turn_to_places(joints, values, turns, places)
    heads = _heads(joints)
    tips = np.array([heads[row] + end for row, joint in enumerate(joints) for end in joint.ends]).reshape(
        -1, 3
    )
    size = np.ptp(np.concatenate([heads, tips]), axis=0)
    if not _is_figure(size):
        size = np.median(np.ptp(places, axis=1), axis=0)
    upright = TO_Z_UP[up or ("z" if size[2] > size[1] else "y")]
    if unit is None:
        unit = likely_unit(max(size[1], size[2]))
    to_world = np.eye(4)
    to_world[:3, :3] = unit * upright
    clip = clip_of_joints(name, joints, turns, places, 1.0 / seconds, 1.0 + np.arange(len(values)), to_world)
    remark = (
        ""
        if joints is given
        else (
            f"The OFFSETs of '{name}' are not where its joints are: its first frame is used as its rest pose."
        )
    )
    return replace(clip, remark=remark)


def _is_figure(size: np.ndarray) -> bool:
    """Return whether a rest pose of some extents `(3,)` stands: bones that all lie along one axis, or anyhow,
    do not say what is up."""
    least, middle = np.sort(size)[:2] / max(float(size.max()), SHORTEST)
    return bool(middle > WIDE and least < THIN)


def likely_unit(height: float) -> float:
    """Return the metres per unit that make a figure nearest to human height; `height`: lowest joint to
    highest, in units."""
    return min(UNITS, key=lambda metres: abs(np.log(metres * max(height, SHORTEST) / LIKELY_STATURE)))


def clip_of_joints(
    name: str,
    joints: list[BvhJoint],
    turns: np.ndarray,
    places: np.ndarray,
    fps: float,
    frames: np.ndarray,
    to_world: np.ndarray,
) -> Clip:
    """Return a clip of joints, parents first, whose bones end at the middle of the joints and end sites below
    them.

    `turns` `(f, joints, 3, 3)`: from rest; `places` `(f, joints, 3)`: both in the axes and unit of the
    OFFSETs; `to_world` `(4, 4)`.
    """
    skeleton = Skeleton(
        names=tuple(joint.name for joint in joints),
        parents=np.array([joint.parent for joint in joints]),
        rest=_rest(joints, _heads(joints)),
        lengths=_lengths(joints),
        deform=np.ones(len(joints), dtype=bool),
        to_world=to_world,
    )
    axes = rotation.orthonormal(to_world[:3, :3]) @ turns @ skeleton.rest[:, :3, :3]
    return Clip(name, skeleton, fps, frames, axes, skeleton.in_world(places))


def _heads(joints: list[BvhJoint]) -> np.ndarray:
    heads = np.zeros((len(joints), 3))
    for row, joint in enumerate(joints):
        heads[row] = joint.offset + (heads[joint.parent] if joint.parent >= 0 else 0.0)
    return heads


def _ends(joints: list[BvhJoint]) -> list[np.ndarray]:
    """Return for each joint the offsets `(n, 3)` at which its bone may end: children and end sites."""
    ends = [list(joint.ends) for joint in joints]
    for joint in joints:
        if joint.parent >= 0:
            ends[joint.parent].append(joint.offset)
    return [np.array(found).reshape(-1, 3) for found in ends]


def _lengths(joints: list[BvhJoint]) -> np.ndarray:
    """Return the bones' lengths in file units: to the mean of a joint's ends."""
    return np.array([np.linalg.norm(ends.mean(axis=0)) if len(ends) else 0.0 for ends in _ends(joints)])


def _rest(joints: list[BvhJoint], heads: np.ndarray) -> np.ndarray:
    """Return rest matrices `(joints, 4, 4)`: y towards the mean of a joint's ends, or as its parent's if it
    has no length."""
    rest = np.tile(np.eye(4), (len(joints), 1, 1))
    rest[:, :3, 3] = heads
    for row, (joint, ends) in enumerate(zip(joints, _ends(joints), strict=True)):
        along = ends.mean(axis=0) if len(ends) else np.zeros(3)
        if np.linalg.norm(along) > SHORTEST:
            rest[row, :3, :3] = rotation.between(np.array([0.0, 1.0, 0.0]), along)
        elif joint.parent >= 0:
            rest[row, :3, :3] = rest[joint.parent, :3, :3]
    return rest


def _local(joints: list[BvhJoint], values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each joint's rotation from rest `(f, joints, 3, 3)` and position `(f, joints, 3)` in its parent,
    in file units and axes."""
    turns = np.empty((len(values), len(joints), 3, 3))
    places = np.empty((len(values), len(joints), 3))
    column = 0
    about = (rotation.about_x, rotation.about_y, rotation.about_z)
    for row, joint in enumerate(joints):
        turns[:, row], places[:, row] = np.eye(3), joint.offset
        for kind, axis in joint.channels:
            if kind == "rotation":
                turns[:, row] = turns[:, row] @ about[axis](np.radians(values[:, column]))
            elif kind == "position":
                places[:, row, axis] = values[:, column]
            column += 1
    return turns, places
