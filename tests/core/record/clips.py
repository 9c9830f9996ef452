"""Clips: encoded and decoded, mirrored, resampled, in rows and files; retargeted to bodies of other builds, with and without contacts."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z
from neurarig_addon.core.ikrig import layout, storage
from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.encode import encode, encode_motions
from neurarig_addon.core.ikrig.encoding import ARMS, CONTACT_POINTS, LIMBS, Contacts, Encoding
from neurarig_addon.core.ikrig.mirror import mirror, mirror_rows
from neurarig_addon.core.ikrig.resample import resample
from neurarig_addon.core.retarget.belt import belt_velocity, off_the_belt
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.follow import directed
from neurarig_addon.core.retarget.options import Follow, RetargetOptions, Root
from neurarig_addon.core.retarget.report import carried_points, clip_report
from neurarig_addon.core.retarget.result import Retargeted
from neurarig_addon.core.retarget.retarget import retarget
from neurarig_addon.core.retarget.source import encode_clip
from tests.core import ikrig_clips, neural_rigs, retarget_bodies, skeletons
from tests.core.record.condensed import Answer
from tests.core.record.somehow import WALKING

FPS, FRAMES = 40.0, 90
Motions = Mapping[str, Motion]


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


@cache
def encoded(name: str, seed: int = 0, with_contacts: bool = True) -> Encoding:
    """Return a clip, encoded."""
    source = crooked(seed)
    motions = CLIPS[name](source)
    encoding = encode_motions(source, motions, np.arange(1.0, FRAMES + 1.0), FPS, name)
    return replace(encoding, contacts=find_contacts(source, motions, FPS)) if with_contacts else encoding


def seen(motions: Motions) -> Answer:
    """Return what is recorded of motions."""
    parts = {"legs": ("thigh", "shin", "foot", "toe", "knee"), "arms": ("clavicle", "upper_arm", "forearm", "hand")}
    found = {part: {role: motion for role, motion in motions.items() if role.split(".")[0] in names} for part, names in parts.items()}
    limbs = {role for part in found.values() for role in part}
    return {**found, "trunk": {role: motion for role, motion in motions.items() if role not in limbs}}


def put_on(target: str, clip: str, with_contacts: bool = True, **options: Any) -> Callable[[], Answer]:
    """Return a clip on a body."""

    def answer() -> Answer:
        found: Retargeted = retarget(encoded(clip, with_contacts=with_contacts), bodies()[target], RetargetOptions(**options))
        return {**seen(found.pose.motions), "root": found.pose.root, "pivots": found.pivots}

    return answer


def coded(target: str, **options: bool) -> Callable[[], Answer]:
    """Return what swaying about all axes is as an encoding, and on a body."""

    def answer() -> Answer:
        source = crooked(1)
        encoding = encode(source, ikrig_clips.swaying(source, 24), **options)
        part = np.linspace(0.0, 1.0, 24)
        follows = decode(encoding, bodies()[target], {name: part * (n + 1) / len(LIMBS) for n, name in enumerate(LIMBS)})
        return {"encoding": encoding, **seen(decode(encoding, bodies()[target])), "follows": follows}

    return answer


def rewritten() -> Answer:
    """Return an encoding in all its other forms."""
    encoding = encoded("lean")
    rows = layout.to_rows(encoding)
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / "clip.npz", Path(folder) / "clip.csv"]
        for path in paths:
            storage.save(path, encoding)
        read = [storage.load(path, 25.0) for path in paths]
    return {
        "rows": rows, "columns": layout.columns(), "from rows": layout.from_rows(rows, 25.0), "maya": layout.to_maya(rows),
        "from maya": layout.from_maya(rows), "mirrored": mirror(encoding), "mirrored rows": mirror_rows(rows),
        "faster": resample(encoding, 55.0), "slower": resample(encoding, 17.0), "read": read,
    }  # fmt: skip


def contacts() -> Answer:
    """Return what is planted in clips, whether they walk on the spot, and what limbs follow."""
    found = {}
    for name, clip in CLIPS.items():
        motions = clip(crooked(2))
        body = crooked(2).body
        on_the_spot = {
            role: Motion(m.rotation, m.position - motions["pelvis"].position * [1.0, 1.0, 0.0], m.rest) for role, m in motions.items()
        }
        straight = walking(crooked(2)) if name != "walk" else motions
        velocity = belt_velocity(body, on_the_spot, FPS)
        planted = find_contacts(crooked(2), motions, FPS)
        follows = [directed(follow, crooked(2), motions, planted, FPS) for follow in Follow]
        found[name] = [
            planted.intervals,
            velocity,
            belt_velocity(body, straight, FPS),
            off_the_belt(motions, np.array([0.3, -0.2]), FPS),
            follows,
        ]
    return found


def treadmill() -> Answer:
    """Return a walk on the spot, straight on, as it is known again."""
    pose = walk(crooked(2).body, StyleTrack(Style(speed=1.3)), Clock(FPS, 1.0, False), np.arange(1.0, FRAMES + 1.0), WALKING)
    motions = {role: motion for role, motion in pose.motions.items() if not role.startswith("knee.")}
    velocity = belt_velocity(crooked(2).body, motions, FPS)
    aslant = {role: turned(motion, about_z(np.full(FRAMES, 0.5))) for role, motion in motions.items()}
    return {"velocity": velocity, "travels": off_the_belt(motions, velocity, FPS), "aslant": belt_velocity(crooked(2).body, aslant, FPS)}


def reported() -> Answer:
    """Return the report of a clip."""
    found = retarget(encoded("walk"), bodies()["crooked"])
    motions = found.pose.in_world()
    feet, legs = carried_points(bodies()["crooked"], motions)
    off = np.random.default_rng(2).normal(0.0, 2e-3, feet.shape)
    return {"report": clip_report(feet + off, legs, bodies()["crooked"].body, found.pivots, FPS), "feet": feet, "legs": legs}


def given_contacts(target: str) -> Callable[[], Answer]:
    """Return a clip whose contacts are drawn, hands too."""

    def answer() -> Answer:
        draw = np.random.default_rng(9)
        spans = {}
        for point in CONTACT_POINTS:
            ends = np.sort(draw.choice(FRAMES, 6, replace=False)).reshape(3, 2)
            spans[point] = ends[np.diff(ends, axis=1)[:, 0] > 2]
        found = retarget(replace(encoded("lean"), contacts=Contacts(spans)), bodies()[target])
        return {**seen(found.pose.motions), "pivots": found.pivots}

    return answer


def clip_of_an_object() -> Answer:
    """Return what becomes of a clip as it is read."""
    source = crooked(6)
    return {
        "encoding": encode_clip(source, ikrig_clips.swaying(source, 40, 0.3)),
        "motions": source.motions(ikrig_clips.swaying(source, 9)),
    }


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    return {
        **{f"{clip} on {target}": put_on(target, clip) for clip in CLIPS for target in ("child", "crooked")},
        **{
            f"walk on {target}": put_on(target, "walk")
            for target in ("giant", "no toes", "ape", "clown", "seven spine bones", "no clavicles")
        },
        **{f"lean on {target}, {follow.name}": put_on(target, "lean", follow=follow) for target in ("ape", "clown") for follow in Follow},
        **{f"walk, root {root.name}": put_on("crooked", "walk", root=root) for root in Root},
        "root without smoothing": put_on("child", "walk", root=Root.BONE, root_smoothing_s=0.0),
        "no contacts told": put_on("clown", "walk", with_contacts=False),
        "nothing planted": put_on("clown", "box", contacts=False, hands=False),
        "arms apart, longer strides": put_on("ape", "walk", arm_spacing_rad=0.2, stride=1.2),
        "as far as told": put_on("child", "walk", path_scale=0.9),
        "contacts drawn": given_contacts("ape"),
        "contacts drawn, a giant": given_contacts("giant"),
        **{f"coded on {target}": coded(target) for target in ("child", "crooked", "seven spine bones", "no clavicles")},
        "coded in metres": coded("crooked", normalised=False),
        "rewritten": rewritten,
        "contacts": contacts,
        "treadmill": treadmill,
        "report": reported,
        "clip of an object": clip_of_an_object,
        "arms": lambda: {name: decode(encoded("lean"), bodies()["clown"], {name: np.full(FRAMES, 0.7)}) for name in ARMS},
    }
