"""Bipeds of every build, and random poses for them, for tests of the neural pose."""

import numpy as np

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import JOINTS, PARENTS
from neurarig_addon.core.skeleton.bvh import read_bvh
from tests.core.skeletons import Table, biped, object_matrix, skeleton, with_twists
from tests.shared_data import shared_path

HIPS, NECK, HEAD = np.array([0.0, 0.02, 1.06]), np.array([0.0, 0.03, 1.46]), np.array([0.0, 0.01, 1.56])


def table(
    spine: int = 3, necks: int = 1, toes: bool = True, arms_down_deg: float = 0.0, collars: bool = True
) -> Table:
    """Return a 1.76 m human with any number of spine and neck bones."""
    bones = biped(toes, arms_down_deg)
    trunk: Table = {name: bones[name] for name in ("root", "pelvis")}
    above = "pelvis"
    for count, start, end, stem in ((spine, HIPS, NECK, "spine"), (necks, NECK, HEAD, "neck")):
        for n in range(count):
            name = f"{stem}_{n + 1:02d}"
            trunk[name] = (
                above,
                tuple(start + (end - start) * n / count),
                tuple(start + (end - start) * (n + 1) / count),
            )
            above = name
        if stem == "spine":
            chest = above
    trunk["head"] = (above, *bones["head"][1:])
    limbs = {
        name: bone
        for name, bone in bones.items()
        if name.endswith(("_l", "_r")) and (collars or "clavicle" not in name)
    }
    moved = {"spine_02": chest} | ({} if collars else {"clavicle_l": chest, "clavicle_r": chest})
    return trunk | {
        name: (moved.get(parent, parent), head, tail) for name, (parent, head, tail) in limbs.items()
    }


BUILDS = {
    "one spine bone": table(spine=1),
    "two spine bones": table(spine=2),
    "three spine bones": table(),
    "seven spine bones": table(spine=7),
    "no neck": table(necks=0),
    "three neck bones, five spine bones": table(spine=5, necks=3),
    "no toes": table(toes=False),
    "no clavicles, A-pose": table(arms_down_deg=45.0, collars=False),
    "I-pose with twist bones": with_twists(table(arms_down_deg=80.0)),
}


def body(build: str, seed: int = 0, size: float = 1.0) -> PointBody:
    """Return a build as a body, so many times as large as a human: scaled, turned, laid back, with random
    rolls."""
    rng = np.random.default_rng(seed)
    placed = object_matrix(
        scale=0.01, quarter_x=True, turn_deg=float(rng.uniform(-180, 180)), at=(1.0, -2.0, 0.0)
    )
    bones: Table = {
        name: (parent, tuple(size * np.array(head)), tuple(size * np.array(tail)))
        for name, (parent, head, tail) in BUILDS[build].items()
    }
    return PointBody.of(Character.of(skeleton(bones, placed, rolls=rng)))


def random_turns(rng: np.random.Generator, shape: tuple[int, ...], most: float) -> np.ndarray:
    """Return random rotations `(*shape, 3, 3)` of up to `most` radians."""
    axis = rotation.normalized(rng.normal(size=(*shape, 3)))
    return rotation.from_axis_angle(axis, rng.uniform(-most, most, shape))


def angles(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the angles `(...)` in radians between rotations, exact for small ones."""
    return 2.0 * np.arcsin(np.minimum(np.linalg.norm(first - second, axis=(-1, -2)) / np.sqrt(8.0), 1.0))


def recorded_walk(name: str) -> tuple[PointBody, np.ndarray, np.ndarray]:
    """Return a recorded walk as body, rotations and points in the walk frame; the calling test is skipped
    where there is none."""
    clip = read_bvh(shared_path("data", "mocap", "walk", f"{name}.bvh"))
    character = Character.of(clip.skeleton)
    motions = character.motions(clip)
    body = PointBody.of(character, motions)
    return body, body.rotations(motions), body.points(motions)


def local_pose(rng: np.random.Generator, frames: int, most: float = 0.6) -> np.ndarray:
    """Return random rotations of the 22 joints `(frames, 22, 3, 3)` in which each is turned against its
    parent by up to `most`."""
    turns = random_turns(rng, (frames, len(JOINTS)), most)
    for joint in range(1, len(JOINTS)):
        turns[:, joint] = turns[:, PARENTS[joint]] @ turns[:, joint]
    return turns


def possible(subject: PointBody, rotations: np.ndarray) -> np.ndarray:
    """Return the rotations as the rig can have them: joints without bones turn with what carries them."""
    return rotations[:, list(subject.carriers.holders)]
