"""The styles of the library: the recordings they are learned from, how these are read, their names and credits."""

import gzip
from pathlib import Path
from typing import NamedTuple

from ...core.character.character import Character
from ...core.errors import NeuraRigError
from ...core.skeleton.bvh import parse_bvh
from ...core.skeleton.clip import Clip

CMU = "mocap.cs.cmu.edu, created with funding from NSF EIA-0196217"
QUATERNIUS = "Quaternius, CC0"
META = "Meta Platforms, Inc., MIT"


class Entry(NamedTuple):
    """A style of the library, and its clip relative to the folder of recordings."""

    name: str
    clip: str
    description: str
    credit: str


def _by_one_man(number: str, name: str, description: str) -> Entry:
    return Entry(name, f"gaits/style/cmu_105_{number}.bvh.gz", description, CMU)


# In the order of the menu.
ENTRIES = (
    _by_one_man("13", "Sad", "Head down, small arms, feet that hardly want to"),
    _by_one_man("14", "Depressed", "Bent forward, eyes on the ground"),
    _by_one_man("23", "Cool", "Loose, in no hurry"),
    _by_one_man("28", "Swagger", "Shoulders that make room for themselves"),
    _by_one_man("22", "Casual", "Quick and at ease"),
    _by_one_man("17", "Hurried", "Short quick steps, late for something"),
    _by_one_man("27", "Strolling", "Slow and even"),
    _by_one_man("19", "March", "Thighs level, arms straight: on parade"),
    _by_one_man("05", "Mummy", "Stiff, arms held out"),
    Entry("Zombie", "gaits/style/meta_zombie.bvh", "Arms out, feet dragged", META),
    _by_one_man("24", "Hurt Leg", "Hardly any weight on one leg"),
    _by_one_man("26", "Hurt Stomach", "Bent over hands that hold the belly"),
    Entry("Sneak", "gaits/style/ual1_crouch_fwd_loop.bvh", "Crouched low, without a sound", QUATERNIUS),
    Entry("Push", "gaits/style/ual1_push_loop.bvh", "Leaning into something heavy", QUATERNIUS),
    Entry("Formal", "gaits/style/ual1_walk_formal_loop.bvh", "Upright and measured", QUATERNIUS),
    Entry("Game Hero", "gaits/style/ual1_walk_loop.bvh", "Feet apart, arms ready", QUATERNIUS),
    Entry("Dancer", "mocap/walk/cmu_05_01.bvh", "The walk of a dancer off stage", CMU),
    Entry("Gymnast", "mocap/walk/cmu_49_01.bvh", "Light and upright", CMU),
    Entry("Leisurely", "gaits/walk/cmu_26_01.bvh", "Nowhere to go", CMU),
)


def read_recording(path: Path) -> tuple[Character, Clip]:
    """Return a clip and its character; raises NeuraRigError if it cannot be read."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise NeuraRigError(f"'{path}' cannot be read: {problem.strerror}; name the folder of recordings.") from None
    text = gzip.decompress(content).decode() if path.suffix == ".gz" else content.decode()
    clip = parse_bvh(text, path.name.partition(".")[0])
    return Character.of(clip.skeleton), clip
