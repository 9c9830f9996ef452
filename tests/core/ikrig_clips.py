"""Clips for the tests of the IK Rig: motion capture, and the same motion on skeletons that are built
differently."""

from dataclasses import replace
from functools import cache

import numpy as np

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z, from_axis_angle
from neurarig_addon.core.skeleton.bvh import read_bvh
from neurarig_addon.core.skeleton.clip import Clip
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.shared_data import shared_path

from . import skeletons as made


@cache
def walk(name: str) -> tuple[Character, Clip]:
    """Return a motion capture clip of `walk/` and its character; the calling test is skipped where there is
    none."""
    clip = read_bvh(shared_path("data", "mocap", "walk", f"{name}.bvh"))
    return Character.of(clip.skeleton), clip


def made_character(table: made.Table | None = None, **given) -> Character:
    """Return a made-up human."""
    return Character.of(made.skeleton(table or made.biped(), **given))


def swaying(character: Character, frames: int = 90, size: float = 1.0) -> Clip:
    """Return a clip in which every joint of a skeleton sways smoothly about all axes, and the hips travel and
    turn."""
    skeleton = character.skeleton
    time = np.linspace(0.0, 2.0 * np.pi, frames)
    draw = np.random.default_rng(5)
    away = np.empty((frames, len(skeleton.names), 3, 3))
    heads = np.empty((frames, len(skeleton.names), 3))
    pelvis = character.row("pelvis")
    for row, parent in enumerate(skeleton.parents):
        x, y, z = (
            size * draw.uniform(0.1, 0.35) * np.sin(time * draw.integers(1, 3) + draw.uniform(0.0, 6.0))
            for _ in range(3)
        )
        local = about_z(z + (2.0 * size * time if row == pelvis else 0.0)) @ about_y(y) @ about_x(x)
        above = away[:, parent] if parent >= 0 else np.broadcast_to(np.eye(3), local.shape)
        arm = skeleton.heads[row] - (skeleton.heads[parent] if parent >= 0 else 0.0)
        heads[:, row] = (above @ arm) + (heads[:, parent] if parent >= 0 else 0.0)
        if row == pelvis:
            heads[:, row] += 0.3 * np.stack([time, np.sin(time), 0.1 * np.cos(time)], axis=-1)
        away[:, row] = above @ local
    rest = character.skeleton.to_world[:3, :3] @ skeleton.rest[:, :3, :3]
    return Clip(
        "sway",
        skeleton,
        60.0,
        1.0 + np.arange(frames),
        away @ (rest / np.cbrt(np.linalg.det(rest))[:, None, None]),
        heads,
    )


def rolled(clip: Clip) -> Clip:
    """Return the motion on bones turned about themselves at random."""
    angles = np.random.default_rng(3).uniform(-np.pi, np.pi, len(clip.skeleton.names))
    turn = from_axis_angle(np.array([0.0, 1.0, 0.0]), angles)
    rest = clip.skeleton.rest.copy()
    rest[:, :3, :3] = rest[:, :3, :3] @ turn
    return replace(clip, skeleton=replace(clip.skeleton, rest=rest), axes=clip.axes @ turn)


def placed(clip: Clip, matrix: np.ndarray) -> Clip:
    """Return the motion of an armature object that stands elsewhere, turned and scaled by `matrix` `(4,
    4)`."""
    scale = np.cbrt(np.linalg.det(matrix[:3, :3]))
    skeleton = replace(clip.skeleton, to_world=matrix @ clip.skeleton.to_world)
    heads = clip.heads @ matrix[:3, :3].T + matrix[:3, 3]
    return replace(clip, skeleton=skeleton, axes=matrix[:3, :3] / scale @ clip.axes, heads=heads)


def moved(clip: Clip, turn: float, shift: tuple[float, float]) -> Clip:
    """Return the same performance begun elsewhere on the ground and headed elsewhere, the rest pose
    unchanged."""
    about = about_z(np.array(turn))
    return replace(clip, axes=about @ clip.axes, heads=clip.heads @ about.T + [*shift, 0.0])


def split(character: Character, clip: Clip, share: float = 0.4) -> tuple[Character, Clip]:
    """Return the motion on a skeleton whose spine, neck, limb and clavicle bones are in two, in series."""
    skeleton, roles = clip.skeleton, dict(character.roles.bones)
    rows = [
        row for role in roles if role not in ("pelvis", "head") and (row := character.row(role)) is not None
    ]
    upper = {row: len(skeleton.names) + n for n, row in enumerate(rows)}
    lower_rest = skeleton.rest[rows].copy()
    lower_rest[:, :3, 3] += share * (skeleton.rest[rows, :3, 1] * skeleton.lengths[rows, None])
    away = (lower_rest[:, :3, 3] - skeleton.rest[rows, :3, 3]) @ skeleton.to_world[:3, :3].T
    rest_axes = skeleton.to_world[:3, :3] @ skeleton.rest[rows, :3, :3]
    arms = np.einsum("bji,bj->bi", rest_axes, away) / np.cbrt(np.linalg.det(skeleton.to_world[:3, :3])) ** 2
    metres = np.cbrt(np.linalg.det(skeleton.to_world[:3, :3]))
    heads = clip.heads[:, rows] + np.einsum("fbij,bj->fbi", clip.axes[:, rows], arms * metres)
    parents = [upper.get(int(parent), int(parent)) for parent in skeleton.parents]
    names = [*skeleton.names, *(f"{skeleton.names[row]} half" for row in rows)]
    # Parents before children: a lower half directly after its upper half.
    order = [at for row in range(len(skeleton.names)) for at in (row, upper.get(row)) if at is not None]
    place = {old: new for new, old in enumerate(order)}
    all_parents = [*parents, *rows]
    lengths = np.concatenate([skeleton.lengths, skeleton.lengths[rows] * (1.0 - share)])
    lengths[rows] *= share
    rest = np.concatenate([skeleton.rest, lower_rest])
    made_of_two = replace(
        skeleton,
        names=tuple(names[at] for at in order),
        parents=np.array([place.get(all_parents[at], -1) for at in order]),
        rest=rest[order],
        lengths=lengths[order],
        deform=np.ones(len(order), dtype=bool),
    )
    axes = np.concatenate([clip.axes, clip.axes[:, rows]], axis=1)[:, order]
    clip = replace(
        clip, skeleton=made_of_two, axes=axes, heads=np.concatenate([clip.heads, heads], axis=1)[:, order]
    )
    return Character.of(made_of_two, RoleMap(_with_halves(roles))), clip


def _with_halves(roles: dict[str, str]) -> dict[str, str]:
    """Return roles in which spine and neck list both halves of each bone."""
    found = {role: bone for role, bone in roles.items() if not role.startswith(("spine.", "neck"))}
    for first, stem in (("spine.1", "spine"), ("neck", "neck")):
        count = sum(role.startswith(stem) for role in roles)
        bones = [roles[first if n == 1 else f"{stem}.{n}"] for n in range(1, count + 1)]
        halves = [half for bone in bones for half in (bone, f"{bone} half")]
        found |= {first if n == 0 else f"{stem}.{n + 1}": bone for n, bone in enumerate(halves)}
    return found


def without(character: Character, *parts: str) -> Character:
    """Return the character with the bones of some parts (`toe` is both toes) left out of its roles."""
    roles = {
        role: bone for role, bone in character.roles.bones.items() if role.partition(".")[0] not in parts
    }
    return Character.of(character.skeleton, RoleMap(roles))


def far(first: dict[str, Motion], second: dict[str, Motion], roles: list[str]) -> np.ndarray:
    """Return the distances `(roles, f)` in millimetres between the heads of bones in two poses."""
    return 1e3 * np.stack(
        [np.linalg.norm(first[role].position - second[role].position, axis=-1) for role in roles]
    )


def turned(first: dict[str, Motion], second: dict[str, Motion], roles: list[str]) -> np.ndarray:
    """Return the angles `(roles, f)` in degrees between bones in two poses (by the chord: exact where they
    are small)."""
    return np.degrees(
        np.stack(
            [
                np.linalg.norm(first[r].rotation - second[r].rotation, axis=(-2, -1)) / np.sqrt(2.0)
                for r in roles
            ]
        )
    )
