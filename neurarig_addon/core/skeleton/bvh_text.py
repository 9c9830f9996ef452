"""The text of a BVH file: the joints of its HIERARCHY and the rows of its MOTION, read once from beginning to
end.

Programs write it in any letter case, with comments (#, //, ;), decimal commas, OFFSET after CHANNELS, rows
broken over lines, a count of frames that is wrong, and something else after the last row.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn, TextIO

import numpy as np

from ..errors import NeuraRigError
from ..geometry.gaps import bridged

CHANNELS = {
    f"{axis}{kind}".upper(): (kind, n)
    for n, axis in enumerate("XYZ")
    for kind in ("position", "rotation", "scale")
}
MOST_JOINTS = 10_000
LARGEST_NUMBER = 1e9  # file units or degrees; larger numbers are damage, and would overflow later
_LONGEST_LINE = 2**21  # characters of the hierarchy
_AT_ONCE = 2**20  # characters of the motion that are parsed at once
_LONGEST_NUMBER = 400  # characters: all digits that a float64 may need
# only at the beginning of a line, as joints may have this name
_MOTION = re.compile(r"\s*MOTION\b", re.IGNORECASE)
_NAMED = re.compile(r"\s*(?:ROOT|JOINT|END)\s", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|\s)(?:#|//|;).*", re.DOTALL)
_OPENS = re.compile(r"\s\{|\{\s*$")  # the brace after a name
_ODD = re.compile(r"[\0\x1a#;,/]")
_STATEMENTS = ("ROOT", "JOINT", "END", "OFFSET", "{", "}")
_AFTER_NAME = re.compile(r"\s(?:#(?=\s)|//|;).*", re.DOTALL)  # 'Bone #3' is a name


@dataclass
class BvhJoint:
    """One joint of the hierarchy: `offset` `(3,)` from its parent, `channels` as (kind, axis), `ends`: the
    offsets of its end sites."""

    name: str
    parent: int
    offset: np.ndarray = field(default_factory=lambda: np.zeros(3))
    channels: list[tuple[str, int]] = field(default_factory=list)
    ends: list[np.ndarray] = field(default_factory=list)


class BvhText:
    """An open BVH file: read `hierarchy`, `timing` and `rows` in this order; errors in the hierarchy name the
    line.

    `remark`: what was not as the file says, in sentences, or empty.
    """

    def __init__(self, file: TextIO, name: str) -> None:
        self.file, self.name = file, name
        self.rest_of_line = self.remark = ""
        self.line = 0
        self.words = self._words()
        self.ahead = next(self.words, None)

    def hierarchy(self) -> list[BvhJoint]:
        """Read the HIERARCHY part and return the joints, parents before children."""
        self.expect("HIERARCHY")
        joints: list[BvhJoint] = []
        open_joints: list[int] = []
        while self.ahead is not None:
            word = self.next()
            if word.upper() in ("ROOT", "JOINT"):
                joints.append(BvhJoint(self.label(), open_joints[-1] if open_joints else -1))
                open_joints.append(len(joints) - 1)
                if len(joints) > MOST_JOINTS:
                    self.fail(f"there are more than {MOST_JOINTS} joints")
                self.body(joints[-1])
            elif word.upper() == "END":
                self.label()
                self.end_site(joints[open_joints[-1]] if open_joints else None)
            elif word == "}" and open_joints:
                open_joints.pop()
            else:
                self.fail(
                    f"'{word}' was not expected"
                    if open_joints or not joints
                    else f"'MOTION' was expected, not '{word}'"
                )
        if open_joints or not joints:
            self.fail("the joints end too early")
        return _distinct(joints)

    def timing(self) -> tuple[int | None, float]:
        """Read the head of the MOTION part; return the number of frames it says, None if it says none, and
        the seconds per frame."""
        said: dict[str, str] = {}
        line = self.rest_of_line
        while line and len(said) < 2:
            key, colon, value = _bare(line).partition(":")
            if key := "".join(key.split()).lower():
                if not colon:
                    break
                if key in ("frames", "frametime"):
                    said[key] = (value.split() or [""])[0]
            line = self.file.readline(_LONGEST_LINE) if len(said) < 2 else ""
        self.rest_of_line = line
        try:
            return int(said["frames"]) if "frames" in said else None, float(said["frametime"])
        except (KeyError, ValueError):
            raise NeuraRigError(
                f"'{self.name}' does not say 'Frames:' and 'Frame Time:' after MOTION; export it again."
            ) from None

    def rows(self, columns: int, said: int | None) -> np.ndarray:
        """Read to the end of the file and return its whole rows `(f, columns)`; `said`: the number of frames
        in its head.

        Rows may be broken over lines. Where every line holds more values than there are channels, those
        beyond are left out, as
        Blender does.
        """
        if not columns:
            raise NeuraRigError(f"'{self.name}' has no channels, so that nothing moves; export it again.")
        numbers, counts, on_lines = self._numbers(columns)
        whole, over = divmod(len(numbers), columns)
        if on_lines or len(counts) == 1 or (not over and (whole == said or len(counts) != said)):
            values = numbers[: whole * columns].reshape(whole, columns)
        elif counts.min() >= columns and counts.min() == counts.max():
            values = numbers.reshape(len(counts), -1)[:, :columns]
            self.remark = (
                f"'{self.name}' has {counts[0]} values in a row of {columns} channels; those beyond are left"
                " out."
            )
        else:
            frame = int(np.argmax(counts != columns))
            raise NeuraRigError(
                f"'{self.name}' has {counts[frame]} values for {columns} channels in the row of frame"
                f" {frame + 1}; it is damaged."
            )
        if not len(values):
            raise NeuraRigError(
                f"'{self.name}' holds no whole frame of its {columns} channels; it is cut off or damaged."
            )
        try:
            values, told = bridged(values, self.name, 360.0)
        except ValueError:
            told = ""
        if not (np.abs(values) < LARGEST_NUMBER).all():
            raise NeuraRigError(
                f"'{self.name}' has values that are not numbers (NaN, infinite or too large); export it"
                " again."
            )
        self.remark = f"{self.remark} {told}".strip()
        if said not in (None, len(values)):
            self.remark = (
                f"'{self.name}' says that it has {said} frames; its {len(values)} whole frames are used."
                f" {self.remark}".strip()
            )
        return values

    def _numbers(self, columns: int) -> tuple[np.ndarray, np.ndarray, bool]:
        """Return the numbers `(n,)` of the rest of the file, how many each line `(lines,)` holds, and whether
        rows end where lines do.

        Other text may follow the last row, but not stand before one.
        """
        numbers, counts, on_lines = array("d"), array("I"), True
        begins, other, is_other = 0, "", False
        for words, ends_line in self._pieces():
            try:
                numbers.extend([float(word) for word in words])
            except ValueError as problem:
                other, is_other = other or str(problem), True
            if not ends_line:
                continue
            count = len(numbers) - begins
            if other and not is_other and 2 * count > columns:
                raise NeuraRigError(
                    f"'{self.name}' has a word among its motion values ({other}); export it again."
                )
            if other:
                del numbers[begins:]
            elif count:
                counts.append(count)
                rows, over = divmod(len(numbers), columns)
                on_lines &= rows == begins // columns or (not over and rows == begins // columns + 1)
            begins, is_other = len(numbers), False
        return np.frombuffer(numbers), np.frombuffer(counts, dtype=np.uint32), on_lines

    def _pieces(self) -> Iterator[tuple[list[str], bool]]:
        """Yield the words of the rest of the file line by line, long lines in pieces, and whether a line ends
        with them."""
        begun, is_begun, piece = "", False, self.rest_of_line
        while piece or (piece := self.file.readline(_AT_ONCE)):
            words = _bare(begun + piece).split() if begun or not piece.isspace() else []
            ends_line = piece[-1] == "\n"
            begun = words.pop() if words and not piece[-1].isspace() else ""
            if len(begun) > _LONGEST_NUMBER:
                begun = "?"  # no number, whatever follows
            if words or not ends_line or is_begun:
                yield words, ends_line
            is_begun, piece = not ends_line, ""
        yield begun.split(), True

    def body(self, joint: BvhJoint) -> None:
        """Read a joint's OFFSET and CHANNELS, in either order."""
        self.expect("{")
        has_offset = False
        while self.ahead is not None and (word := self.ahead[0].upper()) in ("OFFSET", "CHANNELS"):
            self.next()
            if word == "OFFSET":
                joint.offset, has_offset = self.numbers(3), True
            else:
                joint.channels = self.channels()
        if not has_offset:
            self.expect("OFFSET")

    def channels(self) -> list[tuple[str, int]]:
        """Read the channels of a joint: as many as are named, whatever number is said."""
        said, found = int(self.numbers(1)[0]), []
        while self.ahead is not None and (channel := self.ahead[0].upper()) in CHANNELS:
            found.append(CHANNELS[channel])
            self.next()
        if len(found) < said and self.ahead is not None and self.ahead[0].upper() not in _STATEMENTS:
            self.fail(f"'{self.next()}' is not a channel")
        return found

    def end_site(self, joint: BvhJoint | None) -> None:
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
        if found.upper() != word:
            self.fail(f"'{word}' was expected, not '{found}'")

    def fail(self, what: str) -> NoReturn:
        raise NeuraRigError(f"'{self.name}' is damaged in line {self.line}: {what}; export it again.")

    def _words(self) -> Iterator[tuple[str, int]]:
        """Yield the words of the hierarchy, each with its line number; the text after MOTION in its line is
        kept."""
        number = 0
        while line := self.file.readline(_LONGEST_LINE):
            number += 1
            if len(line) == _LONGEST_LINE:
                break
            if found := _MOTION.match(line):
                self.rest_of_line = line[found.end() :]
                return
            yield from ((word, number) for word in _spaced(line).split())
        raise NeuraRigError(
            f"'{self.name}' is not a BVH file, or its MOTION part is missing. Export it again."
        )


def _spaced(line: str) -> str:
    """Return a line of the hierarchy without comment, its braces apart; a joint's name may hold them."""
    named = ""
    if _NAMED.match(line):
        line = _AFTER_NAME.sub("", line)
        opens = _OPENS.search(line)
        named, line = (f"{line[: opens.start()]} {{ ", line[opens.end() :]) if opens else (line, "")
    return named + _bare(line).replace("{", " { ").replace("}", " } ")


def _bare(line: str) -> str:
    """Return a line of numbers without comment, with decimal points, and without the marks that end a file in
    some systems."""
    if not _ODD.search(line):
        return line
    line = line.replace("\0", " ").replace("\x1a", " ")
    if "#" in line or ";" in line or "//" in line:
        line = _COMMENT.sub("", line)
    return line.replace(",", " " if "." in line or ", " in line else ".")


def _distinct(joints: list[BvhJoint]) -> list[BvhJoint]:
    """Number the joints that share a name, as Blender does."""
    seen: dict[str, int] = {}
    for joint in joints:
        count = seen.get(joint.name, 0)
        seen[joint.name] = count + 1
        joint.name = f"{joint.name}.{count:03d}" if count else joint.name
    return joints
