"""Bodies and clips for the tests of retargeting: a human and what is built differently, a generated walk and
motion capture."""

import gzip
from dataclasses import replace
from functools import cache

import numpy as np

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.ikrig.encode import encode_motions
from neurarig_addon.core.ikrig.encoding import Encoding
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.skeleton.bvh import parse_bvh
from neurarig_addon.core.skeleton.clip import Clip
from tests.shared_data import shared_path

from . import skeletons as made

FPS = 60.0
CMU_UNIT = 0.0254 / 0.45
PARTS = {
    "legs": ("thigh", "calf"),
    "feet": ("foot", "ball"),
    "arms": ("upperarm", "lowerarm", "hand"),
    "forearms": ("lowerarm",),
    "shins": ("calf",),
    "trunk": ("pelvis", "spine", "neck", "head"),
}


@cache
def human(**given) -> Character:
    """Return the human of the tables."""
    return Character.of(made.skeleton(made.biped(**given)))


@cache
def bodies() -> dict[str, Character]:
    """Return name -> character: what a clip is put on."""
    lowered = made.with_twists(made.biped(arms_down_deg=50.0))
    child = proportioned(made.biped(), legs=0.55, arms=0.7, trunk=0.8, feet=0.8)
    giant = proportioned(made.biped(), legs=1.5, arms=1.2, trunk=0.9, feet=1.3)
    return {
        "human": human(),
        "child": Character.of(made.skeleton(child)),
        "tiny": Character.of(
            made.skeleton(
                made.scaled(lowered, 0.17), made.object_matrix(0.01, True, 70.0), np.random.default_rng(1)
            )
        ),
        "giant": Character.of(made.skeleton(made.scaled(giant, 38.0))),
        "no toes": Character.of(made.skeleton(made.biped(toes=False))),
        "ape": Character.of(made.skeleton(proportioned(made.biped(), forearms=1.6, shins=0.8))),
        "clown": Character.of(made.skeleton(proportioned(made.biped(), legs=0.8, feet=2.0))),
    }


def proportioned(table: made.Table, **factors: float) -> made.Table:
    """Return a bone table whose PARTS are longer or shorter, standing on the ground."""

    def factor(bone: str) -> float:
        return next(
            (factors[part] for part, stems in PARTS.items() if part in factors and bone.startswith(stems)),
            1.0,
        )

    grown: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for name, (parent, head, tail) in table.items():
        start, end = np.array(head, float), np.array(tail, float)
        offset = start - np.array(table[parent][1], float) if parent else start
        at = offset * (factor(parent) if parent else 1.0) + (grown[parent][0] if parent else 0.0)
        grown[name] = (at, at + (end - start) * factor(name))
    lowest = min(min(head[2], tail[2]) for name, (head, tail) in grown.items() if name != "root")
    up = np.array([0.0, 0.0, 0.02 - lowest])
    return {
        name: (
            table[name][0],
            tuple(head + (0.0 if name == "root" else up)),
            tuple(tail + (0.0 if name == "root" else up)),
        )
        for name, (head, tail) in grown.items()
    }


def generated(character: Character, frames: int = 150, **style: float) -> tuple[dict[str, Motion], WalkPose]:
    """Return a generated walk through the world at FPS, its motions and the pose they are of."""
    pose = walk(character.body, StyleTrack(Style(**style)), Clock(fps=FPS), np.arange(1.0, frames + 1.0))
    roles = [role for role in pose.motions if not role.startswith("knee.")]
    return {role: pose.root.holding(pose.motions[role]) for role in roles}, pose


def encoded_walk(seconds: float) -> Encoding:
    """Return a generated walk of the human at FPS as an encoding with its contacts."""
    character, frames = human(), round(seconds * FPS)
    motions, _ = generated(character, frames)
    clip = encode_motions(character, motions, 1.0 + np.arange(frames), FPS, "walk")
    return replace(clip, contacts=find_contacts(character, motions, FPS))


def shifted(motion: Motion, way: np.ndarray) -> Motion:
    """Return a motion moved by `(f, 3)`."""
    return Motion(motion.rotation, motion.position + way, motion.rest)


@cache
def recorded(group: str, name: str) -> tuple[Character, Clip]:
    """Return a motion capture clip and its character; the calling test is skipped where there is none."""
    path = shared_path("data", "mocap", group, f"{name}.bvh" + (".gz" if group == "pose" else ""))
    text = gzip.decompress(path.read_bytes()).decode() if group == "pose" else path.read_text()
    clip = parse_bvh(text, name, CMU_UNIT)
    return Character.of(clip.skeleton), clip
