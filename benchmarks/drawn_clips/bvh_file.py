"""Clips as BVH text with any rest pose, channels and names."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from mathutils import Matrix

from neurarig_addon.core.geometry.rotation import rotated, transposed
from neurarig_addon.core.skeleton.clip import Clip

TO_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
PLACE = ("Xposition", "Yposition", "Zposition")
TURN = ("Zrotation", "Xrotation", "Yrotation")
_CENTIMETRES = 100.0


@dataclass(frozen=True)
class BvhMotion:
    """A clip in the parents' axes of a file.

    `offsets`, `ends` `(n, 3)`: each joint from the one above it and its end site, at rest; `turns` `(f, n, 3,
    3)` and `places` `(f, n, 3)`.
    """

    names: tuple[str, ...]
    parents: np.ndarray
    offsets: np.ndarray
    ends: np.ndarray
    turns: np.ndarray
    places: np.ndarray
    fps: float

    @classmethod
    def of(
        cls,
        clip: Clip,
        rest: np.ndarray | None = None,
        to_file: np.ndarray = TO_Y_UP,
        per_metre: float = _CENTIMETRES,
    ) -> "BvhMotion":
        """Return a clip whose bones have the axes `rest` `(n, 3, 3)`, z up, in the file's rest pose; by
        default those of the clip."""
        skeleton = clip.skeleton
        rest = skeleton.rest[:, :3, :3] if rest is None else rest
        turns = to_file @ clip.axes @ transposed(rest) @ to_file.T
        places = per_metre * clip.heads @ to_file.T
        local, within, offsets = turns.copy(), places.copy(), np.zeros((len(rest), 3))
        for row, parent in enumerate(skeleton.parents):
            if parent >= 0:
                back = transposed(turns[:, parent])
                local[:, row], within[:, row] = (
                    back @ turns[:, row],
                    rotated(back, places[:, row] - places[:, parent]),
                )
                offsets[row] = within[:, row].mean(axis=0)
            else:
                offsets[row] = per_metre * to_file @ skeleton.rest[row, :3, 3]
        ends = per_metre * skeleton.lengths[:, None] * rest[:, :, 1] @ to_file.T
        return cls(skeleton.names, skeleton.parents, offsets, ends, local, within, clip.fps)

    def text(self, channels: Sequence[Sequence[str]] | None = None) -> str:
        """Return the file; `channels` of each joint: by default a place of the root, and turns of all."""
        channels = channels or [(*PLACE, *TURN) if parent < 0 else TURN for parent in self.parents]
        order: list[int] = []
        lines = [
            "HIERARCHY",
            *self._joint(int(np.argmin(self.parents)), channels, order, 0),
            "MOTION",
            f"Frames: {len(self.turns)}",
        ]
        columns = np.concatenate([self._columns(row, channels[row]) for row in order], axis=1)
        lines += [f"Frame Time: {1.0 / self.fps:.7f}", *(_words(row) for row in columns)]
        return "\n".join(lines) + "\n"

    def _joint(self, row: int, channels: Sequence[Sequence[str]], order: list[int], depth: int) -> list[str]:
        """Return the lines of a joint and all below it, and note in which order they come."""
        order.append(row)
        tab = "  " * depth
        lines = [
            f"{tab}{'JOINT' if depth else 'ROOT'} {self.names[row]}",
            tab + "{",
            f"{tab}  OFFSET {_words(self.offsets[row])}",
        ]
        if channels[row]:
            lines.append(f"{tab}  CHANNELS {len(channels[row])} {' '.join(channels[row])}")
        below = np.flatnonzero(self.parents == row).tolist()
        for child in below:
            lines += self._joint(child, channels, order, depth + 1)
        if not below:
            lines += [
                f"{tab}  End Site",
                f"{tab}  {{",
                f"{tab}    OFFSET {_words(self.ends[row])}",
                f"{tab}  }}",
            ]
        return [*lines, tab + "}"]

    def _columns(self, row: int, channels: Sequence[str]) -> np.ndarray:
        """Return the values `(f, channels)` of a joint: its rotations follow one another as the channels
        do."""
        about = "".join(name[0] for name in channels if name.endswith("rotation"))
        angles = [Matrix(turn).to_euler(about[::-1]) for turn in self.turns[:, row].tolist()] if about else []
        degrees = np.degrees(np.array(angles))
        axes = ("XYZ".index(name[0]) for name in channels)
        found = [
            (degrees if name.endswith("rotation") else self.places[:, row])[:, axis]
            for name, axis in zip(channels, axes, strict=True)
        ]
        return np.stack(found, axis=1) if found else np.zeros((len(self.turns), 0))


def _words(numbers: np.ndarray) -> str:
    return " ".join(f"{number:.6f}" for number in numbers)
