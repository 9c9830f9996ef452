"""Characters and their motions for the record's clips: walking, spinning, leaning, on a box, uphill."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z
from tests.core import neural_rigs, retarget_bodies, skeletons
from tests.core.record.somehow import WALKING

Motions = Mapping[str, Motion]
FPS, FRAMES = 40.0, 90


@cache
def crooked(seed: int = 0, table: str = "") -> Character:
    """Return a human whose every bone is elsewhere by a little, with rolls of its own, in an object that is turned and scaled."""
    draw = np.random.default_rng(seed)
    bones = skeletons.biped(arms_down_deg=30.0) if not table else neural_rigs.BUILDS[table]
    moved = {name: (parent, _aside(head, draw), _aside(tail, draw)) for name, (parent, head, tail) in bones.items()}
    return Character.of(skeletons.skeleton(moved, skeletons.object_matrix(0.01, True, 40.0), draw))


def _aside(point: tuple, draw: np.random.Generator) -> tuple:
    return tuple(np.array(point) + draw.uniform(-0.012, 0.012, 3) * (1.0 if point[2] > 0.1 else 0.3))


@cache
def bodies() -> dict[str, Character]:
    """Return the targets by name."""
    found = {name: retarget_bodies.bodies()[name] for name in ("child", "giant", "no toes", "ape", "clown")}
    return found | {
        "crooked": crooked(3),
        "seven spine bones": crooked(4, "seven spine bones"),
        "no clavicles": crooked(5, "no clavicles, A-pose"),
    }


def walking(character: Character, **style: float) -> dict[str, Motion]:
    """Return a walk through the world that turns."""
    track = StyleTrack(Style(**{"speed": 1.1, "asymmetry": 0.3, **style}))
    pose = walk(character.body, track, Clock(FPS, 1.0, False), np.arange(1.0, FRAMES + 1.0), WALKING)
    turn = about_z(np.linspace(0.0, 1.5, FRAMES) ** 1.5)
    return {role: turned(pose.root.holding(motion), turn) for role, motion in pose.motions.items() if not role.startswith("knee.")}


def turned(motion: Motion, turn: np.ndarray) -> Motion:
    """Return a motion turned about the origin."""
    return Motion(turn @ motion.rotation, (turn @ motion.position[..., None])[..., 0], motion.rest)


def spinning(character: Character) -> dict[str, Motion]:
    """Return somebody who turns on his heels while he stands, and bends his toes."""
    motions = walking(character, speed=0.4)
    still = {
        role: Motion(motion.rotation[:1].repeat(FRAMES, 0), motion.position[:1].repeat(FRAMES, 0), motion.rest)
        for role, motion in motions.items()
    }
    angle = 0.8 * np.sin(np.linspace(0.0, 5.0, FRAMES))
    return {role: turned(motion, about_z(angle) @ about_y(0.1 * angle)) for role, motion in still.items()}


def leaning(character: Character) -> dict[str, Motion]:
    """Return somebody who bows until the hands are on the floor, and walks a little on them."""
    motions = walking(character, speed=0.5)
    bow = np.clip(np.sin(np.linspace(-0.5, 3.6, FRAMES)), 0.0, 1.0)
    pivot = motions["pelvis"].position
    found = dict(motions)
    for role, motion in motions.items():
        if role.split(".")[0] in ("spine", "neck", "head", "clavicle", "upper_arm", "forearm", "hand"):
            turn = about_y(1.75 * bow) @ about_x(0.1 * bow)
            place = (turn @ (motion.position - pivot)[..., None])[..., 0] + pivot
            found[role] = Motion(turn @ motion.rotation, place, motion.rest)
    down = -0.25 * bow[:, None] * [0.0, 0.0, 1.0]
    return {
        role: Motion(motion.rotation, motion.position + down * (role[:4] not in ("foot", "toe.")), motion.rest)
        for role, motion in found.items()
    }


def on_a_box(character: Character) -> dict[str, Motion]:
    """Return somebody who walks up a slope and over a box."""
    motions = walking(character, speed=1.0)
    found = {}
    for role, motion in motions.items():
        rise = 0.12 * np.clip(motion.position[:, :1] - 0.9, 0.0, 0.4) / 0.4
        found[role] = Motion(motion.rotation, motion.position + rise * [0.0, 0.0, 1.0], motion.rest)
    return found


def uphill(character: Character) -> dict[str, Motion]:
    """Return somebody who walks over a floor that is tilted both ways, now and then on tiptoe."""
    found = {}
    for role, motion in walking(character, speed=0.7).items():
        rise = 0.06 * motion.position[:, :1] - 0.05 * motion.position[:, 1:2]
        tiptoe = about_y(0.5 * np.clip(np.sin(np.linspace(0.0, 9.0, FRAMES)), 0.0, 1.0)) if role.startswith("foot") else np.eye(3)
        found[role] = Motion(motion.rotation @ tiptoe, motion.position + rise * [0.0, 0.0, 1.0], motion.rest)
    return found


CLIPS = {"uphill": uphill, "walk": walking, "spin": spinning, "lean": leaning, "box": on_a_box}
