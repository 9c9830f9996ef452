"""Skeletons built by code for tests of detection and measuring: world positions in metres, facing -Y, left at
+X."""

from dataclasses import replace

import numpy as np

from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.geometry.rotation import about_x, about_z, between
from neurarig_addon.core.skeleton.skeleton import Skeleton

Point = tuple[float, float, float]
Table = dict[str, tuple[str | None, Point, Point]]  # name -> parent, head, tail

TRUNK: Table = {
    "root": (None, (0, 0, 0), (0, 0.2, 0)),
    "pelvis": ("root", (0, 0.02, 0.96), (0, 0.02, 1.06)),
    "spine_01": ("pelvis", (0, 0.02, 1.06), (0, 0.03, 1.22)),
    "spine_02": ("spine_01", (0, 0.03, 1.22), (0, 0.03, 1.46)),
    "neck_01": ("spine_02", (0, 0.03, 1.46), (0, 0.01, 1.56)),
    "head": ("neck_01", (0, 0.01, 1.56), (0, 0.01, 1.76)),
}
LEG: Table = {
    "thigh_l": ("pelvis", (0.1, 0.02, 0.93), (0.1, 0.0, 0.5)),
    "calf_l": ("thigh_l", (0.1, 0.0, 0.5), (0.1, 0.03, 0.09)),
    "foot_l": ("calf_l", (0.1, 0.03, 0.09), (0.1, -0.1, 0.02)),
    "ball_l": ("foot_l", (0.1, -0.1, 0.02), (0.1, -0.18, 0.02)),
}
ARM: Table = {
    "clavicle_l": ("spine_02", (0.02, 0.03, 1.42), (0.16, 0.03, 1.43)),
    "upperarm_l": ("clavicle_l", (0.17, 0.03, 1.43), (0.45, 0.04, 1.43)),
    "lowerarm_l": ("upperarm_l", (0.45, 0.04, 1.43), (0.7, 0.02, 1.43)),
    "hand_l": ("lowerarm_l", (0.7, 0.02, 1.43), (0.8, 0.02, 1.43)),
    "index_01_l": ("hand_l", (0.8, 0.0, 1.43), (0.84, 0.0, 1.43)),
    "index_02_l": ("index_01_l", (0.84, 0.0, 1.43), (0.88, 0.0, 1.43)),
    "pinky_01_l": ("hand_l", (0.79, 0.05, 1.43), (0.82, 0.05, 1.43)),
    "pinky_02_l": ("pinky_01_l", (0.82, 0.05, 1.43), (0.85, 0.05, 1.43)),
}

# What `detect` finds on a biped.
EXPECTED = {
    "pelvis": "pelvis",
    "spine.1": "spine_01",
    "spine.2": "spine_02",
    "neck": "neck_01",
    "head": "head",
    **{
        f"{role}.{side}": f"{bone}_{side.lower()}"
        for side in "LR"
        for role, bone in {
            "thigh": "thigh", "shin": "calf", "foot": "foot", "toe": "ball",
            "clavicle": "clavicle", "upper_arm": "upperarm", "forearm": "lowerarm", "hand": "hand",
        }.items()
    },
}  # fmt: skip


def biped(toes: bool = True, arms_down_deg: float = 0.0) -> Table:
    """Return the bone table of a 1.76 m human."""
    leg = {name: bone for name, bone in LEG.items() if toes or name != "ball_l"}
    return {**TRUNK, **both(leg), **both(lowered(ARM, np.radians(arms_down_deg)))}


def quadruped() -> Table:
    """Return the bone table of an animal with four legs."""
    trunk: Table = {
        "hips": (None, (0, 0.5, 1.0), (0, 0.2, 1.0)),
        "spine": ("hips", (0, 0.2, 1.0), (0, -0.4, 1.0)),
        "neck": ("spine", (0, -0.5, 1.1), (0, -0.8, 1.4)),
        "head": ("neck", (0, -0.8, 1.4), (0, -1.0, 1.4)),
    }
    hind: Table = {
        name: (parent or "hips", moved(head, 0.45), moved(tail, 0.45))
        for name, (parent, head, tail) in LEG.items()
    }
    hind["thigh_l"] = ("hips", *hind["thigh_l"][1:])
    return {**trunk, **both(hind), **both(further_legs(hind, "fore", -0.95))}


def six_legs() -> Table:
    """Return the bone table of something with six legs."""
    animal = quadruped()
    hind = {name: animal[name] for name in LEG}
    return {**animal, **both(further_legs(hind, "middle", -0.5))}


def further_legs(hind: Table, name: str, ahead: float) -> Table:
    """Return a hind leg again, further along the spine."""
    legs: Table = {
        f"{name}{bone}": (f"{name}{parent}", moved(head, ahead), moved(tail, ahead))
        for bone, (parent, head, tail) in hind.items()
    }
    return legs | {f"{name}thigh_l": ("spine", *legs[f"{name}thigh_l"][1:])}


def moved(point: Point, y: float) -> Point:
    """Return a point shifted along y."""
    return (point[0], point[1] + y, point[2])


def both(left: Table) -> Table:
    """Return left bones with their mirror images."""
    table = dict(left)
    for name, (parent, head, tail) in left.items():
        other = parent[:-2] + "_r" if parent and parent.endswith("_l") else parent
        table[name[:-2] + "_r"] = (other, (-head[0], *head[1:]), (-tail[0], *tail[1:]))
    return table


def lowered(arm: Table, angle: float) -> Table:
    """Return a left arm turned down about the shoulder."""
    shoulder = np.array(arm["upperarm_l"][1])
    cos, sin = np.cos(angle), np.sin(angle)

    def turned(point: Point) -> Point:
        x, _, z = np.array(point) - shoulder
        return (shoulder[0] + cos * x + sin * z, point[1], shoulder[2] - sin * x + cos * z)

    return {
        name: bone if name == "clavicle_l" else (bone[0], turned(bone[1]), turned(bone[2]))
        for name, bone in arm.items()
    }


def with_twists(table: Table) -> Table:
    """Return the table with a twist leaf halfway on each long bone and an end marker on each tip."""
    parents = {parent for parent, _, _ in table.values()}
    extra: Table = {}
    for name, (_, head, tail) in table.items():
        side = name[-2:] if name[-2:] in ("_l", "_r") else ""
        middle = tuple((np.array(head) + np.array(tail)) / 2.0)
        if name.startswith(("thigh", "calf", "upperarm", "lowerarm")):
            extra[f"{name.removesuffix(side)}_twist{side}"] = (name, middle, tail)
        elif name not in parents:
            extra[f"{name.removesuffix(side)}_end{side}"] = (
                name,
                tail,
                tuple(2.0 * np.array(tail) - np.array(middle)),
            )
    return {**table, **extra}


def skeleton(
    table: Table, to_world: np.ndarray | None = None, rolls: np.random.Generator | None = None
) -> Skeleton:
    """Return a skeleton whose joints stand in the world as in the table, under any (uniform) object matrix;
    `rolls` draws bone rolls."""
    to_world = np.eye(4) if to_world is None else to_world
    to_armature = np.linalg.inv(to_world)
    names = list(table)
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    lengths = np.zeros(len(names))
    for row, (_, head, tail) in enumerate(table.values()):
        start, end = (
            to_armature[:3, :3] @ np.array(point, float) + to_armature[:3, 3] for point in (head, tail)
        )
        lengths[row] = np.linalg.norm(end - start)
        turn = between(np.array([0.0, 1.0, 0.0]), end - start)
        roll = rolls.uniform(0.0, 2.0 * np.pi) if rolls else 0.0
        cos, sin = np.cos(roll), np.sin(roll)
        rest[row, :3, :3] = turn @ np.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]])
        rest[row, :3, 3] = start
    parents = np.array([names.index(parent) if parent else -1 for parent, _, _ in table.values()])
    return Skeleton(tuple(names), parents, rest, lengths, np.ones(len(names), dtype=bool), to_world)


def object_matrix(
    scale: float = 1.0, quarter_x: bool = False, turn_deg: float = 0.0, at: Point = (0.0, 0.0, 0.0)
) -> np.ndarray:
    """Return an object's world matrix: turned about z, perhaps laid back by +90 degrees about x, scaled,
    moved."""
    matrix = np.eye(4)
    lay = about_x(np.array(np.pi / 2.0)) if quarter_x else np.eye(3)
    matrix[:3, :3] = about_z(np.radians(turn_deg)) @ lay * scale
    matrix[:3, 3] = at
    return matrix


def turned(table: Table, degrees: float) -> Table:
    """Return the character facing another way."""
    turn = about_z(np.radians(degrees))
    return {
        name: (parent, tuple(turn @ np.array(head)), tuple(turn @ np.array(tail)))
        for name, (parent, head, tail) in table.items()
    }


def scaled(table: Table, factor: float) -> Table:
    """Return the character larger or smaller."""
    return {
        name: (parent, tuple(factor * np.array(head)), tuple(factor * np.array(tail)))
        for name, (parent, head, tail) in table.items()
    }


def scrambled(subject: Skeleton, seed: int = 0) -> tuple[Skeleton, dict[str, str]]:
    """Return the skeleton with names that say nothing, and a dictionary back to the old ones."""
    letters = np.array(list("bcdfghjkmnpqstvwxz"))
    draw = np.random.default_rng(seed)
    names: list[str] = []
    while len(names) < len(subject.names):
        name = "".join(draw.choice(letters, 9))
        if name not in names:
            names.append(name)
    return replace(subject, names=tuple(names)), dict(zip(names, subject.names, strict=True))


def found(subject, scramble: bool) -> dict[str, str]:
    """Return role -> original bone name of what is detected, with names that say nothing if asked for."""
    subject, back = scrambled(subject) if scramble else (subject, {name: name for name in subject.names})
    return {role: back[bone] for role, bone in detect(subject).bones.items()}
