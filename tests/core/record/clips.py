"""Clips: encoded and decoded, mirrored, resampled, in rows and files; retargeted to bodies of other builds, with and without contacts."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.geometry.rotation import about_z
from neurarig_addon.core.ikrig import layout, storage
from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.encode import encode, encode_motions
from neurarig_addon.core.ikrig.encoding import ARMS, CONTACT_POINTS, LIMBS, Contacts, Encoding, mirror
from neurarig_addon.core.ikrig.resample import resample
from neurarig_addon.core.retarget.contacts import find_contacts
from neurarig_addon.core.retarget.options import Follow, RetargetOptions, Root, directed
from neurarig_addon.core.retarget.report import carried_points, clip_report
from neurarig_addon.core.retarget.retarget import Retargeted, retarget
from neurarig_addon.core.retarget.source import belt_velocity, encode_clip, off_the_belt
from tests.core import ikrig_clips
from tests.core.mirrored_rows import mirror_rows
from tests.core.record.condensed import Answer
from tests.core.record.motions import CLIPS, FPS, FRAMES, Motions, bodies, crooked, turned, walking
from tests.core.record.somehow import WALKING


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
