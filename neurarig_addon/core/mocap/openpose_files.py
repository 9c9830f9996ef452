"""OpenPose's .json files: one a frame, in a folder, with the points of every person; those in space are read.

One file of a frame stands for all of its folder that are named like it but for their number.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import NeuraRigError
from ..files.given_file import content_of
from ..files.json_text import is_finite, parsed
from .landmarks import named
from .markers import FARTHEST, Markers

LARGEST_FRAME = 64 * 2**20  # bytes of a file
LARGEST_TAKE = 512 * 2**20  # bytes of all files
MOST_FRAMES = 100_000
MOST_POINTS = 1_000
LEAST_SURE = 0.05  # OpenPose's own: points in space have the worst of their views' scores
_IN_SPACE, _FLAT = "pose_keypoints_3d", "pose_keypoints_2d"
_NUMBERED = re.compile(r"(\d+)(\D*)$", re.ASCII)


def read_openpose(path: Path) -> Markers:
    """Return the points of a file, of those that belong to it, or of a folder; raises NeuraRigError, naming
    the file, if there are none.

    Of several people the one is followed who is nearest to where the last frame has them, at first the one
    most seen.
    """
    frames: list[np.ndarray | None] = []
    for file, frame in _frames(path):
        people = [points for person in _people(file, frame) if (points := _points(file, person)) is not None]
        last = next((found for found in reversed(frames[-30:]) if found is not None), None)
        frames.append(min(people, key=lambda points: _away(points, last)) if people else None)
        if len(frames) > MOST_FRAMES:
            raise NeuraRigError(f"'{path.name}' has more than {MOST_FRAMES} frames; take fewer.")
    shapes = {found.shape for found in frames if found is not None}
    if len(shapes) != 1:
        raise NeuraRigError(
            f"'{path.name}' holds {'people of different points' if shapes else 'nobody'}; track it again."
        )
    blank = np.full(shapes.pop(), np.nan)
    try:
        names, places = named(np.stack([blank if found is None else found for found in frames]))
    except ValueError as problem:
        raise NeuraRigError(f"'{path.name}' holds no points of a body: {problem}.") from None
    return Markers(path.stem, 0.0, tuple(names), places)


def _frames(path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield the frames in order, each with its file: those of a folder or of a numbered file's siblings, or a
    list in one file."""
    total = 0
    for file in _files(path):
        content = content_of(file, LARGEST_FRAME, "take fewer frames")
        total += len(content)
        if total > LARGEST_TAKE:
            raise NeuraRigError(
                f"'{path.name}' is larger than {LARGEST_TAKE // 2**20} MB in all; take fewer frames."
            )
        try:
            found = parsed(content)
        except (ValueError, RecursionError) as problem:
            raise NeuraRigError(f"'{file.name}' is not JSON ({str(problem)[:80]}); track it again.") from None
        yield from ((file, frame) for frame in (found if isinstance(found, list) else [found]))


def _files(path: Path) -> list[Path]:
    number = _NUMBERED.search(path.stem)
    if path.is_dir():
        files = list(path.glob("*.json"))
    elif number:
        begin, end = path.stem[: number.start()], number[2] + path.suffix
        files = [
            file for file in path.parent.iterdir() if file.name.startswith(begin) and file.name.endswith(end)
        ]
        files = [file for file in files if file.name[len(begin) : len(file.name) - len(end)].isdecimal()]
    else:
        files = [path]
    if not files:
        raise NeuraRigError(f"'{path.name}' holds no .json files. Choose the folder that OpenPose wrote.")
    return sorted(
        files,
        key=lambda file: (int(number[1][-18:]) if (number := _NUMBERED.search(file.stem)) else 0, file.name),
    )


def _people(file: Path, frame: Any) -> list[Any]:
    people = frame.get("people") if isinstance(frame, dict) else None
    if not isinstance(people, list):
        raise NeuraRigError(f"'{file.name}' holds no 'people' as OpenPose writes them. Choose another file.")
    if people and not any(isinstance(person, dict) and person.get(_IN_SPACE) for person in people):
        told = (
            "flat points of one camera"
            if isinstance(people[0], dict) and people[0].get(_FLAT)
            else f"no '{_IN_SPACE}'"
        )
        raise NeuraRigError(
            f"'{file.name}' holds {told}, without depth. Track it in space, with two cameras or a 3D tracker."
        )
    return people


def _points(file: Path, person: Any) -> np.ndarray | None:
    """Return a person's points `(n, 3)`, NaN where unseen; None without any in space."""
    numbers = person.get(_IN_SPACE) if isinstance(person, dict) else None
    if not numbers:
        return None
    if (
        not isinstance(numbers, list)
        or len(numbers) % 4
        or len(numbers) > 4 * MOST_POINTS
        or not all(map(is_finite, numbers))
    ):
        raise NeuraRigError(
            f"'{file.name}' needs four numbers for each point in '{_IN_SPACE}'; track it again."
        )
    found = np.array(numbers, dtype=float).reshape(-1, 4)
    sure = (found[:, 3] >= LEAST_SURE) & (np.abs(found[:, :3]) < FARTHEST).all(axis=1)
    return np.where(sure[:, None], found[:, :3], np.nan)


def _away(points: np.ndarray, last: np.ndarray | None) -> float:
    """Return how far a person is from the one of another frame; without one, how little is seen of them."""
    if last is not None and last.shape == points.shape:
        away = np.linalg.norm(points - last, axis=1)
        if np.isfinite(away).any():
            return float(np.nanmedian(away))
    return float(np.isnan(points).sum())
