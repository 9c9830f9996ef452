"""BVH files drawn at random: a figure's motion in plain spelling, and the same in other words that programs
write."""

import re
from collections.abc import Callable

import numpy as np

from neurarig_addon.core.geometry import rotation

PLACE, TURN = ("Xposition", "Yposition", "Zposition"), ("Zrotation", "Xrotation", "Yrotation")
_Spelling = Callable[[np.random.Generator, str], str]


def plain(rng: np.random.Generator, frames: int = 6, joints: int = 9) -> str:
    """Return a file as it should be: a tree of joints, each with three or six channels, that turns at
    random."""
    parents = [-1, *(int(rng.integers(max(0, row - 3), row)) for row in range(1, joints))]
    offsets = rng.uniform(-30, 30, (joints, 3)) + np.array([0, 20, 0])
    whole = [row == 0 or rng.random() < 0.3 for row in range(joints)]
    turns = rng.uniform(-90, 90, (frames, joints, 3))
    places = np.repeat(offsets[None], frames, axis=0)
    places[:, 0] = rng.uniform(-100, 100, (frames, 3))
    columns = [
        np.concatenate([places[:, row], turns[:, row]] if whole[row] else [turns[:, row]], axis=1)
        for row in range(joints)
    ]
    channels = [(*PLACE, *TURN) if six else TURN for six in whole]
    return _text(parents, offsets, channels, np.concatenate(columns, axis=1))


def placed(rng: np.random.Generator, frames: int = 6, joints: int = 9) -> tuple[str, np.ndarray]:
    """Return a file whose joints only places carry, in either way, and the joints' places `(f, joints, 3)` in
    its own axes."""
    parents = np.array([-1, *(int(rng.integers(max(0, row - 3), row)) for row in range(1, joints))])
    offsets = rng.uniform(-30, 30, (joints, 3)) + np.array([0, 20, 0])
    turns = rotation.from_euler(*rng.uniform(-1, 1, (3, frames, joints)))
    local, places = np.empty((2, frames, joints, 3))
    for row, parent in enumerate(parents):
        local[:, row] = rng.uniform(-100, 100, (frames, 3)) if row == 0 else (turns[:, parent] @ offsets[row])
        places[:, row] = local[:, row] + (places[:, parent] if row else 0.0)
    still = np.zeros((frames, joints, 3))
    turned = rng.random() < 0.5
    columns = np.concatenate([local, still], axis=-1) if turned else local
    shown = offsets * rng.choice([0.0, 0.01, 1.0])
    return _text(
        list(parents), shown, [(*PLACE, *TURN) if turned else PLACE] * joints, columns.reshape(frames, -1)
    ), places


def respelled(rng: np.random.Generator, text: str) -> str:
    """Return a file in other words, up to four of them at once; `text` as from `plain`."""
    for chosen in sorted(rng.choice(len(SPELLINGS), int(rng.integers(1, 5)), replace=False)):
        text = SPELLINGS[chosen](rng, text)
    return text


def miscounted(rng: np.random.Generator, text: str) -> tuple[str, int]:
    """Return a file that says another number of frames, may be cut off or have something behind, and its
    number of whole frames."""
    rows = text.rstrip("\n").split("\n")
    frames = int(next(row for row in rows if row.startswith("Frames")).split()[1])
    whole = frames
    if rng.random() < 0.4:
        rows[-1] = " ".join(rows[-1].split()[: int(rng.integers(1, 6))])
        whole -= 1
    text = "\n".join(rows) + "\n"
    said = int(rng.choice([0, 1, whole - 1, whole + 1, 2 * whole, 10**6]))
    behind = ("", "\0" * 7, "\x1a", "# end\n", "END\n", "\n\n \n", "exported 12\n", "\x89PNG\r\n\x93\xff")
    return text.replace(f"Frames: {frames}", f"Frames: {said}") + behind[
        int(rng.integers(len(behind)))
    ], whole


def _text(
    parents: list[int], offsets: np.ndarray, channels: list[tuple[str, ...]], values: np.ndarray
) -> str:
    lines = ["HIERARCHY"]

    def write(row: int, depth: int) -> None:
        tab = "  " * depth
        lines.extend(
            [
                f"{tab}{'JOINT' if depth else 'ROOT'} Joint {row}",
                tab + "{",
                f"{tab}  OFFSET {_words(offsets[row])}",
            ]
        )
        lines.append(f"{tab}  CHANNELS {len(channels[row])} {' '.join(channels[row])}")
        below = [other for other, parent in enumerate(parents) if parent == row]
        for other in below:
            order.append(other)
            write(other, depth + 1)
        if not below:
            lines.extend([f"{tab}  End Site", tab + "  {", f"{tab}    OFFSET 0 10.5 0", tab + "  }"])
        lines.append(tab + "}")

    order = [0]
    write(0, 0)
    first = np.cumsum([0, *(len(names) for names in channels)])
    columns = np.concatenate([np.arange(first[row], first[row + 1]) for row in order])
    rows = [_words(row) for row in values[:, columns]]
    return "\n".join([*lines, "MOTION", f"Frames: {len(rows)}", "Frame Time: 0.0083333", *rows]) + "\n"


def _words(numbers: np.ndarray) -> str:
    return " ".join(f"{number:.6f}" for number in numbers)


_KEYWORDS = (
    r"HIERARCHY|ROOT|JOINT|OFFSET|CHANNELS|MOTION|End Site|Frames:|Frame Time:|[XYZ](?:position|rotation)"
)


def _case(rng: np.random.Generator, text: str) -> str:
    case = (str.lower, str.upper, str.title, str.swapcase)[int(rng.integers(4))]
    return re.sub(_KEYWORDS, lambda found: case(found[0]), text)


def _comments(rng: np.random.Generator, text: str) -> str:
    mark = ("# ", "// ", "; ")[int(rng.integers(3))]
    lines = [line + (f" {mark}what 1, 2.5" if rng.random() < 0.2 else "") for line in text.split("\n")]
    return "\n".join(f"{mark}line {{ 7\n{line}" if rng.random() < 0.1 else line for line in lines)


def _broken_rows(rng: np.random.Generator, text: str) -> str:
    head, time, rows = re.split(r"(?i)(Frame Time:[^\n]*\n)", text)
    size = int(rng.integers(3, 20))
    broken = [
        " ".join(words[n : n + size])
        for line in rows.split("\n")
        for words in [line.split(" ")]
        for n in range(0, len(words), size)
    ]
    return head + time + "\n".join(broken)


SPELLINGS: tuple[_Spelling, ...] = (
    _case,
    lambda rng, text: re.sub(r"(?i)( *OFFSET [^\n]*)\n( *CHANNELS [^\n]*)", r"\2\n\1", text),
    lambda rng, text: re.sub(r"\n\s*\{", " {", text),
    lambda rng, text: re.sub(r"\}\s*(?=\})", "}", text),
    lambda rng, text: re.sub(r"(-?\d+)\.(\d+)", r"\1,\2", text),
    lambda rng, text: re.sub(r"(?i)(Frames:[^\n]*)\n(Frame Time:[^\n]*)", r"\2\n\1", text),
    lambda rng, text: re.sub(r"(?i)CHANNELS \d", "CHANNELS 6", text),
    lambda rng, text: (
        re.sub(r"(?i)Frames:[^\n]*\n", "", text) if re.search("(?i)frame time:[^\n]*\n[^fF]", text) else text
    ),
    _broken_rows,
    _comments,
    lambda rng, text: text.replace("\n", "\n\n").replace("  ", "\t"),
    lambda rng, text: text.replace("\n", "\r\n") if rng.random() < 0.5 else text.replace("\n", "\r"),
    lambda rng, text: text.rstrip("\r\n"),
    lambda rng, text: "\ufeff\n \n" + text,
)
