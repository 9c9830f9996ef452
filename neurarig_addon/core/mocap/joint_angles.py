"""OpenSim's angles of joints (.mot, .sto) as rotations of the 22 joints, whose model's bones are not in the
file."""

from itertools import islice
from pathlib import Path

import numpy as np

from ..errors import NeuraRigError
from ..files.given_file import reading, size_of
from ..geometry.gaps import bridged
from ..geometry.rotation import about_x, from_axis_angle
from ..neural.points import JOINTS, from_parents
from ..neural.pose_parameters import PoseParameters
from ..shipped import shipped
from .marker_table import ROWS, cells_of, rate_of, read_rows

LARGEST_FILE = 512 * 2**20
FEWEST = 6  # known angles of a body
LARGEST_NUMBER = 1e6
USUAL_RATE = 100.0  # rows a second where the times give none
# in the walk frame
_AXES = {"x": np.array([1.0, 0.0, 0.0]), "y": np.array([0.0, 0.0, 1.0]), "z": np.array([0.0, -1.0, 0.0])}
# arms from the T-pose that rotations count from
_HANGING = {"L": about_x(np.radians(-90.0)), "R": about_x(np.radians(90.0))}


def has_angles(row: list[str]) -> bool:
    """Return whether a row of cells names angles of a body's joints."""
    known = {name for turns in shipped("joint_angles")["joints"].values() for name, _ in turns}
    return len(known & {_coordinate(cell) for cell in row}) >= FEWEST


def read_angles(path: Path) -> PoseParameters:
    """Return the motion of a table of angles; raises NeuraRigError, naming the file, if it is none or
    damaged."""
    size = size_of(path, LARGEST_FILE)
    with reading(path), path.open(encoding="utf-8-sig", errors="replace") as lines:
        rows, head = cells_of(lines), list[str]()
        for row in islice(rows, ROWS + 1):
            head.append(" ".join(row))
            if has_angles(row):
                columns = {_coordinate(cell): column for column, cell in reversed(list(enumerate(row)))}
                names = [name for name in ("time", *_names()) if name in columns]
                table = read_rows(path.name, rows, [columns[name] for name in names], size)
                break
        else:
            raise NeuraRigError(
                f"'{path.name}' holds no angles of a body's joints. Use Solve Mocap for points."
            )
    if not len(table) or (np.abs(table) >= LARGEST_NUMBER).any():
        raise NeuraRigError(f"'{path.name}' holds no rows, or numbers that are too large; export it again.")
    try:
        table, remark = bridged(table, path.name)
    except ValueError as problem:
        raise NeuraRigError(f"'{path.name}': {problem}; export it again.") from None
    found = dict(zip(names, table.T, strict=True))
    in_degrees = any("indegrees=yes" in line.lower().replace(" ", "") for line in head)
    told = "Its bones are not in it: those of an adult are used."
    parameters = _parameters(
        found, 1.0 if not in_degrees else np.pi / 180.0, rate_of(found["time"]) if "time" in found else 0.0
    )
    return PoseParameters(
        parameters.poses,
        parameters.trans,
        parameters.fps,
        remark=f"'{path.name}' holds angles. {told} {remark}".strip(),
    )


def _parameters(found: dict[str, np.ndarray], unit: float, rate: float) -> PoseParameters:
    count = len(next(iter(found.values())))
    turns = np.empty((count, len(JOINTS), 3, 3))
    for row, joint in enumerate(JOINTS):
        local = np.tile(np.eye(3), (count, 1, 1))
        for name, axis in shipped("joint_angles")["joints"].get(joint, ()):
            if name in found:
                angle = unit * found[name] * (-1.0 if axis[0] == "-" else 1.0)
                if name.startswith("knee"):  # knees bend to the back, whatever the model calls positive
                    angle = angle * (-1.0 if np.median(found[name]) < 0.0 else 1.0)
                local = local @ from_axis_angle(_AXES[axis[-1]], angle)
        if joint.startswith(("shoulder", "elbow")):
            hanging = _HANGING[joint[-1]]
            local = local @ hanging if joint.startswith("shoulder") else hanging.T @ local @ hanging
        turns[:, row] = local
    along = zip(shipped("joint_angles")["place"], "xyz", strict=True)
    place = sum(np.outer(found[name], _AXES[axis]) for name, axis in along if name in found)
    return PoseParameters.of(from_parents(turns), np.zeros((count, 3)) + place, rate or USUAL_RATE)


def _coordinate(cell: str) -> str:
    """Return the name of a coordinate: `hip_flexion_r` of `/jointset/hip_r/hip_flexion_r/value`, none of its
    speed."""
    parts = cell.strip().split("/")
    return (parts[-2] if parts[-1] == "value" else "") if len(parts) > 1 else parts[0]


def _names() -> list[str]:
    return [name for turns in shipped("joint_angles")["joints"].values() for name, _ in turns] + shipped(
        "joint_angles"
    )["place"]
