"""Files of one walk as capture tools write them: .trc, OpenSim's tables, OpenPose's frames, arrays without
names."""

import io
import json
from collections.abc import Mapping

import numpy as np

from neurarig_addon.core.geometry.rotation import rotated, transposed
from neurarig_addon.core.mocap.joint_angles import _AXES
from neurarig_addon.core.mocap.marker_names import layouts
from neurarig_addon.core.neural.points import JOINTS, PARENTS
from neurarig_addon.core.shipped import shipped

FPS = 60.0
TO_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # OpenSim's: x ahead, y up, z right


def table(rows: np.ndarray) -> str:
    """Return rows as text between tabs, empty where there is no number."""
    return "".join(
        "\t".join("" if np.isnan(value) else f"{value:.5f}" for value in row) + "\n" for row in rows
    )


def timed(values: np.ndarray) -> np.ndarray:
    return np.column_stack([np.arange(len(values)) / FPS, values.reshape(len(values), -1)])


def trc(points: Mapping[str, np.ndarray]) -> bytes:
    """Return a .trc, in millimetres with y up."""
    places = 1000.0 * rotated(TO_Y_UP, np.stack(list(points.values()), axis=1))
    words = (
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames"
    )
    values = f"{FPS:g}\t{FPS:g}\t{len(places)}\t{len(points)}\tmm\t{FPS:g}\t1\t{len(places)}"
    axes = "\t".join(f"{axis}{number}" for number in range(1, len(points) + 1) for axis in "XYZ")
    head = [
        "PathFileType\t4\t(X/Y/Z)\twalk.trc",
        words,
        values,
        "Frame#\tTime\t" + "\t\t\t".join(points) + "\t\t",
        f"\t\t{axes}",
        "",
    ]
    rows = np.column_stack([np.arange(1.0, len(places) + 1.0), timed(places)])
    return ("\n".join(head) + "\n" + table(rows)).encode()


def opensim(points: Mapping[str, np.ndarray], three: bool) -> bytes:
    """Return OpenSim's table of places, three numbers to a cell or one."""
    places = rotated(TO_Y_UP, np.stack(list(points.values()), axis=1))
    names = list(points) if three else [f"{name}_t{axis}" for name in points for axis in "xyz"]
    head = [
        "Markers",
        f"DataRate={FPS:g}",
        *(["DataType=Vec3"] if three else []),
        "version=3",
        "endheader",
        "\t".join(["time", *names]),
    ]
    if not three:
        return ("\n".join(head) + "\n" + table(timed(places))).encode()
    rows = [
        "\t".join([f"{row / FPS:.5f}", *(",".join(f"{value:.5f}" for value in place) for place in frame)])
        for row, frame in enumerate(places)
    ]
    return ("\n".join([*head, *rows]) + "\n").encode()


def angles(turns: np.ndarray, root: np.ndarray, knee: float = 1.0, in_degrees: bool = True) -> bytes:
    """Return OpenSim's angles of rotations `(f, 22, 3, 3)` from a T-pose, as far as a model has them; `knee`:
    the sign of its bend."""
    hanging = {
        "L": np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]),
        "R": np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]),
    }
    columns = dict(zip(shipped("joint_angles")["place"], rotated(TO_Y_UP, root).T, strict=True))
    to_walk = np.stack([_AXES[axis] for axis in "xyz"], axis=1)
    for joint, told in shipped("joint_angles")["joints"].items():
        row = JOINTS.index(joint)
        above = turns[:, PARENTS[row]] if row else np.eye(3)
        local = transposed(above) @ turns[:, row] if row else turns[:, row]
        if joint == "spine1":  # the whole back
            local = transposed(turns[:, 0]) @ turns[:, JOINTS.index("spine3")]
        if joint.startswith("shoulder"):
            local = transposed(turns[:, JOINTS.index("spine3")]) @ turns[:, row] @ hanging[joint[-1]].T
        if joint.startswith("elbow"):
            local = hanging[joint[-1]] @ local @ hanging[joint[-1]].T
        seen = to_walk.T @ local @ to_walk  # Rz Rx Ry
        found = {
            "x": np.arcsin(np.clip(seen[:, 2, 1], -1.0, 1.0)),
            "y": np.arctan2(-seen[:, 2, 0], seen[:, 2, 2]),
            "z": np.arctan2(-seen[:, 0, 1], seen[:, 1, 1]),
        }
        for name, axis in told:
            columns[name] = (
                (-1.0 if axis[0] == "-" else 1.0)
                * (knee if name.startswith("knee") else 1.0)
                * found[axis[-1]]
            )
    unit = {
        name: 1.0 if name in shipped("joint_angles")["place"] else np.degrees(1.0) if in_degrees else 1.0
        for name in columns
    }
    head = [
        "Coordinates",
        "version=1",
        f"inDegrees={'yes' if in_degrees else 'no'}",
        "endheader",
        "\t".join(["time", *columns]),
    ]
    return (
        "\n".join(head)
        + "\n"
        + table(timed(np.stack([unit[name] * column for name, column in columns.items()], axis=1)))
    ).encode()


def in_order(points: Mapping[str, np.ndarray], count: int, which: int = 0) -> np.ndarray:
    """Return points `(f, count, 3)` in one of the orders of this count; those that a tracker lacks are
    NaN."""
    names = [layout["points"].split() for layout in layouts() if count in layout["counts"]][which]
    lacking = np.full_like(next(iter(points.values())), np.nan)
    found = np.stack([points.get(name, lacking) for name in names], axis=1)
    return np.concatenate([found, np.full((len(found), count - len(names), 3), np.nan)], axis=1)


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def openpose(places: np.ndarray, others: int = 0, flat: bool = False) -> list[bytes]:
    """Return the files of frames of points `(f, n, 3)`, with `others` standing beside."""
    kind, found = ("2d" if flat else "3d"), []
    for number, frame in enumerate(places):
        people = [frame + [5.0 * other, 0.0, 0.0] for other in range(others, -1, -1)][
            :: -1 if number % 2 else 1
        ]
        rows = [np.column_stack([np.nan_to_num(one), np.isfinite(one[:, 0])]) for one in people]
        rows = [row[:, [0, 1, 3]] if flat else row for row in rows]
        found.append(
            json.dumps(
                {"version": 1.3, "people": [{f"pose_keypoints_{kind}": row.ravel().tolist()} for row in rows]}
            ).encode()
        )
    return found
