"""The text of a BVH file: the joints of its HIERARCHY and the numbers of its MOTION, read once from beginning to end."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn, TextIO

import numpy as np

from ..errors import NeuraRigError

CHANNELS = {f"{axis}{kind}": (kind, n) for n, axis in enumerate("XYZ") for kind in ("position", "rotation")}
MOST_JOINTS = 10_000
LARGEST_NUMBER = 1e9  # file units or degrees; larger numbers are damage, and would overflow later
_LONGEST_LINE = 2**21  # characters of the hierarchy
_AT_ONCE = 2**20  # characters of the motion that are parsed at once
_LONGEST_NUMBER = 400  # characters: all digits that a float64 may need
_MOTION = re.compile(r"\s*MOTION\b")  # only at the beginning of a line, as joints may have this name


@dataclass
class Joint:
    """One joint of the hierarchy: `offset` `(3,)` from its parent, `channels` as (kind, axis), `ends`: the offsets of its end sites."""

    name: str
    parent: int
    offset: np.ndarray = field(default_factory=lambda: np.zeros(3))
    channels: list[tuple[str, int]] = field(default_factory=list)
    ends: list[np.ndarray] = field(default_factory=list)


class BvhText:
    """An open BVH file: read `hierarchy`, `timing` and `values` in this order; errors in the hierarchy name the line."""

    def __init__(self, file: TextIO, name: str) -> None:
        self.file, self.name = file, name
        self.after_motion: str | None = None
        self.line = 0
        self.words = self._words()
        self.ahead = next(self.words, None)

    def hierarchy(self) -> list[Joint]:
        """Read the HIERARCHY part and return the joints, parents before children."""
        self.expect("HIERARCHY")
        joints: list[Joint] = []
        open_joints: list[int] = []
        while self.ahead is not None:
            word = self.next()
            if word in ("ROOT", "JOINT"):
                if (word == "ROOT") != (not open_joints):
                    self.fail(f"unexpected '{word}'")
                joints.append(Joint(self.label(), open_joints[-1] if open_joints else -1))
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
                self.fail(f"'{word}' was not expected" if open_joints or not joints else f"'MOTION' was expected, not '{word}'")
        if open_joints or not joints:
            self.fail("the joints end too early")
        return _distinct(joints)

    def timing(self) -> tuple[int, float]:
        """Read the head of the MOTION part and return the number of frames, and the seconds per frame."""
        header: dict[str, str] = {}
        line = self.after_motion or ""
        while line and len(header) < 2:
            key, colon, value = line.partition(":")
            if colon:
                header[" ".join(key.split()).lower()] = value.strip()
            elif key.strip():
                break
            line = self.file.readline(_LONGEST_LINE) if len(header) < 2 else ""
        try:
            return int(header["frames"]), float(header["frame time"])
        except (KeyError, ValueError):
            raise NeuraRigError(f"'{self.name}' does not say 'Frames:' and 'Frame Time:' after MOTION; export it again.") from None

    def values(self, frames: int, columns: int) -> np.ndarray:
        """Read to the end of the file and return the numbers `(frames, columns)`."""
        blocks = [self.motion_numbers(words) for words in self.motion_words()]
        values = np.concatenate([np.zeros(0), *blocks])
        if len(values) != frames * columns:
            raise NeuraRigError(f"'{self.name}' should hold {frames} frames of {columns} values but holds {len(values)}; it is damaged.")
        if not (np.abs(values) < LARGEST_NUMBER).all():
            raise NeuraRigError(f"'{self.name}' has values that are not numbers (NaN, infinite or too large); export it again.")
        return values.reshape(frames, columns)

    def motion_words(self) -> Iterator[list[str]]:
        """Yield the words of the rest of the file, many at a time."""
        begun = ""
        while text := self.file.read(_AT_ONCE):
            words = (begun + text).split()
            begun = words.pop() if words and not text[-1].isspace() else ""
            yield words
            if len(begun) > _LONGEST_NUMBER:
                break
        yield begun.split()

    def motion_numbers(self, words: list[str]) -> np.ndarray:
        try:
            return np.array([float(word) for word in words])
        except ValueError as problem:
            raise NeuraRigError(f"'{self.name}' has a word among its motion values ({problem}); export it again.") from None

    def body(self, joint: Joint) -> None:
        self.expect("{")
        self.expect("OFFSET")
        joint.offset = self.numbers(3)
        if self.ahead is not None and self.ahead[0] == "CHANNELS":
            self.next()
            for _ in range(int(self.numbers(1)[0])):
                channel = self.next()
                if channel not in CHANNELS:
                    self.fail(f"'{channel}' is not a channel")
                joint.channels.append(CHANNELS[channel])

    def end_site(self, joint: Joint | None) -> None:
        if joint is None:
            self.fail("an End Site is outside any joint")
        self.expect("{")
        self.expect("OFFSET")
        joint.ends.append(self.numbers(3))
        self.expect("}")

    def label(self) -> str:
        """Read and return the rest of a line: a joint's name may contain spaces."""
        parts: list[str] = []
        line = self.ahead[1] if self.ahead else 0
        while self.ahead is not None and self.ahead[1] == line and self.ahead[0] != "{":
            parts.append(self.next())
        return " ".join(parts) or f"joint in line {line}"

    def numbers(self, count: int) -> np.ndarray:
        try:
            found = np.array([float(self.next()) for _ in range(count)])
        except ValueError:
            self.fail("a number was expected")
        if not (np.abs(found) < LARGEST_NUMBER).all():
            self.fail("a number is not finite, or too large")
        return found

    def next(self) -> str:
        if self.ahead is None:
            self.fail("the joints end too early")
        word, self.line = self.ahead
        self.ahead = next(self.words, None)
        return word

    def expect(self, word: str) -> None:
        found = self.next()
        if found != word:
            self.fail(f"'{word}' was expected, not '{found}'")

    def fail(self, what: str) -> NoReturn:
        raise NeuraRigError(f"'{self.name}' is damaged in line {self.line}: {what}; export it again.")

    def _words(self) -> Iterator[tuple[str, int]]:
        """Yield the words of the hierarchy, each with its line number; the text after MOTION in its line is kept."""
        number = 0
        while line := self.file.readline(_LONGEST_LINE):
            number += 1
            if len(line) == _LONGEST_LINE:
                break
            if found := _MOTION.match(line):
                self.after_motion = line[found.end() :]
                return
            yield from ((word, number) for word in line.split())
        raise NeuraRigError(f"'{self.name}' is not a BVH file, or its MOTION part is missing. Export it again.")


def _distinct(joints: list[Joint]) -> list[Joint]:
    """Number the joints that share a name, as Blender does."""
    seen: dict[str, int] = {}
    for joint in joints:
        count = seen.get(joint.name, 0)
        seen[joint.name] = count + 1
        joint.name = f"{joint.name}.{count:03d}" if count else joint.name
    return joints
