"""Reading motion capture from BVH text, without Blender."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np

from . import rotation
from .clip import Clip
from .errors import NeuraRigError
from .skeleton import Skeleton

# Metres in one unit of the files that are around: metres, centimetres, millimetres, inches, decimetres and CMU's 1 / 0.45 inch.
UNITS = (1.0, 0.01, 0.001, 0.0254, 0.1, 0.0254 / 0.45)
LIKELY_STATURE = 1.6  # metres from the lowest joint to the highest
Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # y up, z forward -> z up, -y forward
CHANNELS = {f"{axis}{kind}": (kind, n) for n, axis in enumerate("XYZ") for kind in ("position", "rotation")}
LARGEST_FILE = 512 * 2**20
MOST_JOINTS = 10_000
LARGEST_NUMBER = 1e9  # file units or degrees; what is larger is damage, and would overflow farther on
SHORTEST = 1e-9  # file units: an end nearer than this gives a bone no direction


@dataclass
class _Joint:
    """One joint of the hierarchy: `offset` `(3,)` from its parent, `channels` as (kind, axis), `ends`: the offsets of its end sites."""

    name: str
    parent: int
    offset: np.ndarray = field(default_factory=lambda: np.zeros(3))
    channels: list[tuple[str, int]] = field(default_factory=list)
    ends: list[np.ndarray] = field(default_factory=list)


def read_bvh(path: str | Path, metres_per_unit: float | None = None, up: str | None = None) -> Clip:
    """Return the motion of a BVH file; frames count from 1.

    Args:
        metres_per_unit: size of the file's unit; without it the one that makes the figure nearest to a human's height.
        up: `"y"` or `"z"`, the file's upward axis; without it the one along which the rest pose is taller.

    Raises NeuraRigError, naming the line, where the file is none or is damaged.
    """
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise NeuraRigError(f"'{path.name}' is larger than {LARGEST_FILE // 2**20} MB; cut it into shorter clips.")
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise NeuraRigError(f"'{path}' cannot be read: {problem.strerror}.") from problem
    return parse_bvh(text, path.stem, metres_per_unit, up)


def parse_bvh(text: str, name: str = "clip", metres_per_unit: float | None = None, up: str | None = None) -> Clip:
    """Return the motion in BVH text; arguments and errors as `read_bvh`."""
    reader = _Reader(text, name)
    joints = reader.hierarchy()
    seconds, values = reader.motion(sum(len(joint.channels) for joint in joints))
    return _clip(name, joints, values, seconds, metres_per_unit, up)


class _Reader:
    """The words of a BVH file, read one after the other; an unexpected one is an error that names its line."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        text = text.lstrip("\ufeff")
        found = re.search(r"^\s*MOTION\b", text, re.MULTILINE)  # at the beginning of a line: joints may be called so too
        if not found:
            raise NeuraRigError(f"'{name}' is no BVH file, or its MOTION part is missing; export it again.")
        self.words = [(word, line) for line, row in enumerate(text[: found.start()].splitlines(), 1) for word in row.split()]
        self.tail = text[found.end() :]
        self.at = 0

    def hierarchy(self) -> list[_Joint]:
        """Read the HIERARCHY part and return the joints, parents before children."""
        self.expect("HIERARCHY")
        joints: list[_Joint] = []
        open_joints: list[int] = []
        while self.at < len(self.words):
            word = self.next()
            if word in ("ROOT", "JOINT"):
                if (word == "ROOT") != (not open_joints):
                    self.fail(f"a {word} stands where none may")
                joints.append(_Joint(self.label(), open_joints[-1] if open_joints else -1))
                open_joints.append(len(joints) - 1)
                if len(joints) > MOST_JOINTS:
                    self.fail(f"there are more than {MOST_JOINTS} joints")
                self.body(joints[-1])
            elif word == "End":
                self.label()
                self.end_site(joints[open_joints[-1]] if open_joints else None)
            elif word == "}" and open_joints:
                open_joints.pop()
            else:
                self.fail(f"'{word}' was not expected")
        if open_joints or not joints:
            self.fail("the joints end too early")
        return _distinct(joints)

    def body(self, joint: _Joint) -> None:
        self.expect("{")
        self.expect("OFFSET")
        joint.offset = self.numbers(3)
        if self.peek() == "CHANNELS":
            self.next()
            for _ in range(int(self.numbers(1)[0])):
                channel = self.next()
                if channel not in CHANNELS:
                    self.fail(f"'{channel}' is no channel")
                joint.channels.append(CHANNELS[channel])

    def end_site(self, joint: _Joint | None) -> None:
        if joint is None:
            self.fail("an End Site stands outside a joint")
        self.expect("{")
        self.expect("OFFSET")
        joint.ends.append(self.numbers(3))
        self.expect("}")

    def motion(self, columns: int) -> tuple[float, np.ndarray]:
        """Read the MOTION part: seconds a frame, and the values `(frames, columns)`."""
        lines = self.tail.lstrip("\n").splitlines()
        header: dict[str, str] = {}
        row = 0
        while row < len(lines) and len(header) < 2:
            key, colon, value = lines[row].partition(":")
            if colon:
                header[" ".join(key.split()).lower()] = value.strip()
            elif key.strip():
                break
            row += 1
        try:
            count, seconds = int(header["frames"]), float(header["frame time"])
        except (KeyError, ValueError):
            raise NeuraRigError(f"'{self.name}' does not say 'Frames:' and 'Frame Time:' after MOTION; export it again.") from None
        if count < 1 or not 0.0 < seconds < 10.0:
            raise NeuraRigError(f"'{self.name}' has {count} frames of {seconds:g} seconds; there must be one or more, up to 10 s long.")
        try:
            values = np.array(" ".join(lines[row:]).split(), dtype=float)
        except ValueError as problem:
            raise NeuraRigError(f"'{self.name}' has a word among its motion values ({problem}); export it again.") from None
        if len(values) != count * columns:
            raise NeuraRigError(f"'{self.name}' should hold {count} frames of {columns} values, not {len(values)} values; it is damaged.")
        if not (np.abs(values) < LARGEST_NUMBER).all():
            raise NeuraRigError(f"'{self.name}' has values that are no numbers (NaN, infinite or beyond all figures); export it again.")
        return seconds, values.reshape(count, columns)

    def label(self) -> str:
        """Read the rest of a line: a joint's name may hold blanks."""
        line = self.words[min(self.at, len(self.words) - 1)][1]
        parts = []
        while self.at < len(self.words) and self.words[self.at][1] == line and self.words[self.at][0] != "{":
            parts.append(self.next())
        return " ".join(parts) or f"joint {self.at}"

    def numbers(self, count: int) -> np.ndarray:
        try:
            found = np.array([float(self.next()) for _ in range(count)])
        except ValueError:
            self.fail("a number was expected")
        if not (np.abs(found) < LARGEST_NUMBER).all():
            self.fail("a number is not finite, or larger than any figure")
        return found

    def peek(self) -> str:
        return self.words[self.at][0] if self.at < len(self.words) else ""

    def next(self) -> str:
        if self.at >= len(self.words):
            self.fail("the joints end too early")
        self.at += 1
        return self.words[self.at - 1][0]

    def expect(self, word: str) -> None:
        found = self.next()
        if found != word:
            self.fail(f"'{word}' was expected, not '{found}'")

    def fail(self, what: str) -> NoReturn:
        line = self.words[min(max(self.at - 1, 0), len(self.words) - 1)][1] if self.words else 1
        raise NeuraRigError(f"'{self.name}' is damaged in line {line}: {what}; export it again.")


def _distinct(joints: list[_Joint]) -> list[_Joint]:
    """Number the joints that share a name, as Blender does."""
    seen: dict[str, int] = {}
    for joint in joints:
        count = seen.get(joint.name, 0)
        seen[joint.name] = count + 1
        joint.name = f"{joint.name}.{count:03d}" if count else joint.name
    return joints


def _clip(name: str, joints: list[_Joint], values: np.ndarray, seconds: float, unit: float | None, up: str | None) -> Clip:
    parents = np.array([joint.parent for joint in joints])
    heads = np.zeros((len(joints), 3))
    for row, joint in enumerate(joints):
        heads[row] = joint.offset + (heads[joint.parent] if joint.parent >= 0 else 0.0)
    tips = np.array([heads[row] + end for row, joint in enumerate(joints) for end in joint.ends]).reshape(-1, 3)
    size = np.ptp(np.concatenate([heads, tips]), axis=0)
    upright = np.eye(3) if (up or ("z" if size[2] > size[1] else "y")) == "z" else Y_UP
    if unit is None:
        height = max(size[1], size[2], SHORTEST)
        unit = min(UNITS, key=lambda metres: abs(np.log(metres * height / LIKELY_STATURE)))
    to_world = np.eye(4)
    to_world[:3, :3] = unit * upright
    skeleton = Skeleton(
        names=tuple(joint.name for joint in joints),
        parents=parents,
        rest=_rest(joints, heads),
        lengths=_lengths(joints),
        deform=np.ones(len(joints), dtype=bool),
        to_world=to_world,
    )
    turns, places = _posed(joints, values)
    axes = upright @ turns @ skeleton.rest[:, :3, :3]
    return Clip(name, skeleton, 1.0 / seconds, 1.0 + np.arange(len(values)), axes, skeleton.in_world(places))


def _ends(joints: list[_Joint]) -> list[np.ndarray]:
    """Return for each joint the offsets `(n, 3)` at which its bone may end: children and end sites."""
    ends = [list(joint.ends) for joint in joints]
    for joint in joints:
        if joint.parent >= 0:
            ends[joint.parent].append(joint.offset)
    return [np.array(found).reshape(-1, 3) for found in ends]


def _lengths(joints: list[_Joint]) -> np.ndarray:
    """Return the bones' lengths in file units: to the mean of a joint's ends."""
    return np.array([np.linalg.norm(ends.mean(axis=0)) if len(ends) else 0.0 for ends in _ends(joints)])


def _rest(joints: list[_Joint], heads: np.ndarray) -> np.ndarray:
    """Return rest matrices `(joints, 4, 4)`: y towards the mean of a joint's ends, or as its parent where it has no length."""
    rest = np.tile(np.eye(4), (len(joints), 1, 1))
    rest[:, :3, 3] = heads
    for row, (joint, ends) in enumerate(zip(joints, _ends(joints), strict=True)):
        along = ends.mean(axis=0) if len(ends) else np.zeros(3)
        if np.linalg.norm(along) > SHORTEST:
            rest[row, :3, :3] = rotation.between(np.array([0.0, 1.0, 0.0]), along)
        elif joint.parent >= 0:
            rest[row, :3, :3] = rest[joint.parent, :3, :3]
    return rest


def _posed(joints: list[_Joint], values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each joint's rotation away from rest `(f, joints, 3, 3)` and place `(f, joints, 3)`, in file units and axes."""
    turns = np.empty((len(values), len(joints), 3, 3))
    places = np.empty((len(values), len(joints), 3))
    column = 0
    about = (rotation.about_x, rotation.about_y, rotation.about_z)
    for row, joint in enumerate(joints):
        local = np.broadcast_to(np.eye(3), (len(values), 3, 3))
        offset = np.broadcast_to(joint.offset, (len(values), 3)).copy()
        for kind, axis in joint.channels:
            if kind == "rotation":
                local = local @ about[axis](np.radians(values[:, column]))
            else:
                offset[:, axis] = values[:, column]
            column += 1
        if joint.parent < 0:
            turns[:, row], places[:, row] = local, offset
        else:
            turns[:, row] = turns[:, joint.parent] @ local
            places[:, row] = places[:, joint.parent] + (turns[:, joint.parent] @ offset[..., None])[..., 0]
    return turns, places
