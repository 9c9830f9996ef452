"""The styles of the library: the recordings they are learned from, how these are read, their names and
credits."""

import json
from pathlib import Path
from typing import NamedTuple

from ...core.character.character import Character
from ...core.skeleton.clip import Clip
from ..recordings import read_clip

CMU = "mocap.cs.cmu.edu, created with funding from NSF EIA-0196217"


class Entry(NamedTuple):
    """A style of the library, and its clip relative to the folder of recordings."""

    name: str
    clip: str
    description: str
    credit: str


# In the order of the menu.
ENTRIES = tuple(
    Entry(**row) for row in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
)


def read_recording(path: Path) -> tuple[Character, Clip]:
    """Return a clip and its character; raises NeuraRigError if it cannot be read."""
    clip = read_clip(path)
    return Character.of(clip.skeleton), clip
