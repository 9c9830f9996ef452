"""Kinds of recorded places: upward axes and units that no file states, and motion of generative models that
skates."""

import csv
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.drawn_clips.bvh_file import BvhMotion
from benchmarks.drawn_clips.outcome import Outcome
from benchmarks.drawn_clips.recordings import (
    FOLDER,
    FPS,
    any_recording,
    apart,
    hero,
    recorded,
    retargeted,
    shown,
    turned_to,
)
from neurarig_addon.blender.animation.steps import finish
from neurarig_addon.blender.neural_pose import mocap
from neurarig_addon.core.geometry.rotation import about_z, rotated
from neurarig_addon.core.mocap.placement import TO_Z_UP
from neurarig_addon.core.neural.points import JOINTS
from neurarig_addon.core.neural.pose_parameters import NAMES
from tests.core.c3d_writer import C3D

PER_METRE = (1.0, 100.0, 1000.0)
SIZES = (0.6, 0.8, 1.0, 1.15)  # times the recorded person: from a child to a tall adult
_Write = Callable[[np.ndarray], Path]


def table(places: np.ndarray) -> Path:
    """Write places `(f, 22, 3)` as a table of text."""
    path = FOLDER / "points.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["time", *(f"{name}_{axis}" for name in NAMES for axis in "xyz")])
        rows.writerows(
            [f"{row / FPS:.6f}", *(f"{value:.6f}" for value in frame.ravel())]
            for row, frame in enumerate(places)
        )
    return path


def arrays(places: np.ndarray) -> Path:
    path = FOLDER / "points.npz"
    np.savez(path, names=np.array(NAMES), positions=places, fps=float(FPS))
    return path


def c3d(places: np.ndarray) -> Path:
    path = FOLDER / "points.c3d"
    path.write_bytes(C3D(places, NAMES, fps=float(FPS), parameters={"POINT:UNITS": None}).to_bytes())
    return path


def joints(places: np.ndarray) -> Path:
    """Write places as generative models do."""
    path = FOLDER / "joints.npz"
    np.savez(path, posed_joints=places, fps=float(FPS))
    return path


WRITERS: dict[str, _Write] = {"csv": table, "npz": arrays, "c3d": c3d, "joints": joints}


def _solved(path: Path) -> tuple[np.ndarray, str]:
    """Return what a file of places gives on the character, and what is said of it."""
    obj = hero()
    if path.stem == "joints":
        action, said = retargeted(obj, file=path)
    else:
        action, clip = finish(mocap.solve_clip_steps(obj, file=path))
        said = clip.advice
    return shown(obj, action), said


@cache
def truth(number: int, writer: str, size: float) -> np.ndarray:
    """Return what a recording of a person of some size gives in metres and z up, in a file of a kind."""
    return _solved(WRITERS[writer](size * recorded(number, FPS).points[:, : len(JOINTS)]))[0]


def axes(rng: np.random.Generator) -> Outcome:
    """Draw the upward axis and the unit of a recording, how large its person is, and where and which way it
    stands; the file says none."""
    number, writer = any_recording(rng), str(rng.choice([*WRITERS, "bvh"]))
    up, unit, size = str(rng.choice(tuple(TO_Z_UP))), float(rng.choice(PER_METRE)), float(rng.choice(SIZES))
    if writer == "bvh":
        up = "y" if rng.random() < 0.5 else "z"
        path = FOLDER / "axes.bvh"
        path.write_text(
            BvhMotion.of(recorded(number, FPS).clip, to_file=TO_Z_UP[up].T, per_metre=unit * size).text()
        )
        obj = hero()
        action, said = retargeted(obj, file=path)
        found, wanted = shown(obj, action), _plain_bvh(number)
    else:
        wanted = truth(number, writer, size)
        places = rotated(about_z(rng.uniform(-np.pi, np.pi)), recorded(number, FPS).points[:, : len(JOINTS)])
        places = (
            (places * size + rng.uniform(-3.0, 3.0, 3) * [1.0, 1.0, rng.integers(2)]) @ TO_Z_UP[up] * unit
        )
        found, said = _solved(WRITERS[writer](places))
    drawn = f"{writer}, {up} up, {unit:g} a metre, {size:g} times as large"
    return Outcome(
        drawn, apart(turned_to(found, wanted), wanted) if found.shape == wanted.shape else np.inf, said
    )


@cache
def _plain_bvh(number: int) -> np.ndarray:
    path = FOLDER / "plain.bvh"
    path.write_text(BvhMotion.of(recorded(number, FPS).clip).text())
    obj = hero()
    return shown(obj, retargeted(obj, file=path)[0])
