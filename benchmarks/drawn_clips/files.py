"""Kinds of files: rest poses and spellings of BVH."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
from mathutils import Quaternion

from benchmarks.drawn_clips.bvh_file import PLACE, BvhMotion
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
)
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z, between
from tests.core import drawn_bvh

RESTS = ("frame", "axes", "along", "half")
_TURNED, _PLACED = 0.4, 0.3  # shares of joints that are turned at rest, and that have places as well
NAMES: dict[str, Callable[[str, int], str]] = {
    "as they are": lambda name, row: name,
    "with a prefix": lambda name, row: f"mixamorig:{name}",
    "with a person": lambda name, row: f"Ann_1:{name}",
    "with accents": lambda name, row: f"été {name}",
    "with spaces": lambda name, row: f"Bip01 {name} bone",
    "in small letters": lambda name, row: name.lower(),
    "that say nothing": lambda name, row: f"joint {row}",
    "all alike": lambda name, row: "joint",
    "in Chinese": lambda name, row: f"骨骼{row}",
}
ENCODINGS = ("utf-8", "utf-8", "utf-8-sig", "utf-16")


@cache
def truth(number: int) -> np.ndarray:
    """Return what the plain file of a recording gives."""
    return _given(BvhMotion.of(recorded(number, FPS).clip).text())[0]


def _given(text: str, encoding: str = "utf-8") -> tuple[np.ndarray, str]:
    """Return what a BVH file gives on the character, and what is said of it."""
    path = FOLDER / "clip.bvh"
    path.write_bytes(text.encode(encoding))
    obj = hero()
    action, said = retargeted(obj, file=path)
    return shown(obj, action), said


def rest_pose(rng: np.random.Generator) -> Outcome:
    """Draw a rest pose that nobody stands in, and where the root is at rest."""
    number = any_recording(rng)
    clip = recorded(number, FPS).clip
    kind = str(rng.choice(RESTS))
    motion = BvhMotion.of(clip, _rest(rng, kind, number))
    motion.offsets[motion.parents < 0] += rng.uniform(-100.0, 100.0, 3) * rng.integers(2)
    found, said = _given(motion.text())
    return Outcome(kind, apart(found, truth(number)), said)


def _rest(rng: np.random.Generator, kind: str, number: int) -> np.ndarray:
    """Return axes `(n, 3, 3)` of a recording's bones at rest."""
    clip = recorded(number, FPS).clip
    plain = clip.skeleton.rest[:, :3, :3]
    if kind == "frame":
        return clip.axes[rng.integers(len(clip))]
    if kind == "axes":
        turned = np.array([Quaternion(rng.normal(size=4)).normalized().to_matrix() for _ in plain])
        return np.where((rng.random(len(plain)) < rng.choice([0.2, 1.0]))[:, None, None], turned, plain)
    if kind == "along":
        axis = rng.choice([-1.0, 1.0]) * np.eye(3)[rng.integers(3)]
        return np.stack([between(axes[:, 1], axis) @ axes for axes in plain])
    half = (about_x, about_y, about_z)[rng.integers(3)](np.array(np.pi))
    turns = rng.random(len(plain)) < _TURNED
    turns[0] = True
    return np.where(turns[:, None, None], half @ plain, plain)


def spelling(rng: np.random.Generator) -> Outcome:
    """Draw how a file is written: channels, names, words, its number of frames, and what stands behind the
    last."""
    number = any_recording(rng)
    motion, wanted = BvhMotion.of(recorded(number, FPS).clip), truth(number)
    root = motion.parents < 0
    placed = root | (rng.random(len(root)) < rng.choice([0.0, _PLACED, 1.0]))
    drawn = [f"{np.count_nonzero(placed)} joints with places"]
    held = PLACE[rng.integers(3)] if rng.random() < 0.1 else ""
    if held:
        axis = PLACE.index(held)
        motion.places[:, root, axis] = motion.offsets[root, axis]
        wanted = _given(motion.text())[0]
        drawn.append(f"a root without {held}")
    if placed.all() and rng.random() < 0.5:
        motion.offsets[~root] *= rng.choice([0.0, 0.01, -1.0])
        drawn.append("OFFSETs that are not where joints are")
    style = str(rng.choice(tuple(NAMES)))
    motion = replace(motion, names=tuple(NAMES[style](name, row) for row, name in enumerate(motion.names)))
    text = motion.text(
        [_channels(rng, bool(place), held if top else "") for place, top in zip(placed, root, strict=True)]
    )
    if rng.random() < 0.7:
        text = drawn_bvh.respelled(rng, text)
        drawn.append("respelled")
    elif rng.random() < 0.7:
        text, whole = drawn_bvh.miscounted(rng, text)
        drawn.append(f"{whole} whole frames")
    encoding = str(rng.choice(ENCODINGS)) if text.isascii() else "utf-8"
    found, said = _given(text, encoding)
    return Outcome(", ".join([*drawn, f"names {style}", encoding]), apart(found, wanted), said)


def _channels(rng: np.random.Generator, has_place: bool, held: str) -> list[str]:
    """Return the channels of a joint in any order; `held`: a place that it has not."""
    turns = [f"{axis}rotation" for axis in rng.permutation(list("XYZ"))]
    places = [str(name) for name in rng.permutation(PLACE) if name != held] if has_place else []
    return [*turns, *places] if rng.random() < 0.2 else [*places, *turns]
