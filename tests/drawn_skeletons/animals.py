"""Animals on four legs, and birds, drawn at random: proportions, poses, and how their rigs are built."""

from itertools import pairwise

import numpy as np

from neurarig_addon.core.geometry.rotation import about_x

from .draft import Draft
from .samples import Sample, sample_of
from .vices import layers, two_roots

HIND, FORE = ("thigh", "shin", "foot", "toe"), ("clavicle", "upper_arm", "forearm", "hand", "fingers")
# Least and greatest height in hips' heights, and way ahead of the hip or shoulder, of each joint and the tip.
_HIND = ((1.0, 1.0, 0.0, 0.0), (0.58, 0.74, 0.04, 0.2), (0.26, 0.46, -0.25, -0.05), (0.04, 0.14, -0.2, -0.04))
_FORE = (
    (1.0, 1.25, -0.2, -0.05),
    (0.75, 0.97, 0.0, 0.0),
    (0.5, 0.68, -0.22, -0.06),
    (0.13, 0.4, -0.2, -0.05),
    (0.03, 0.13, -0.2, -0.04),
)
_BIRD = ((1.0, 1.0, 0.0, 0.0), (0.6, 0.92, 0.05, 0.25), (0.25, 0.55, -0.2, -0.02), (0.02, 0.09, -0.05, 0.08))


def quadruped(draw: np.random.Generator) -> Sample:
    """Draw a dog, horse, cat or cow, and how somebody has rigged it."""
    draft, length = Draft(), draw.uniform(0.7, 1.7)
    chest = _trunk(draft, draw, length, draw.uniform(-0.1, 0.1))
    hips_on = "pelvis" if draw.random() < 0.8 else "spine 1"
    digits = draw.random() < 0.85
    _leg(draft, draw, HIND[: 4 if digits else 3], _HIND, hips_on, 0.0)
    scapula = int(draw.random() < 0.3)
    _leg(draft, draw, FORE[scapula : 5 if digits else 4], _FORE[scapula:], chest, length)
    if draw.random() < 0.12:
        at = draft.bones[chest].head
        draft.chain(
            [f"wing {k}.L" for k in range(3)],
            chest,
            [at + np.array([0.1 + 0.4 * k, 0.1 * k, 0.3 - 0.1 * k]) for k in range(4)],
        )
    return _finished(draft, draw, "quadruped")


def centaur(draw: np.random.Generator) -> Sample:
    """Draw a centaur: a trunk upright on the fore legs, with arms."""
    draft, length = Draft(), draw.uniform(0.7, 1.4)
    chest = _trunk(draft, draw, length, draw.uniform(-0.1, 0.1))
    for key in [key for key in draft.bones if key.startswith(("neck", "head", "ear", "jaw"))]:
        del draft.bones[key]
    _leg(draft, draw, HIND, _HIND, "pelvis", 0.0)
    _leg(draft, draw, FORE[1:], _FORE[1:], chest, length)
    up = draw.uniform(0.4, 0.7)
    lean = np.array([0.0, draw.uniform(-0.3, 0.3), 1.0])
    torso = [f"torso {k + 1}" for k in range(int(draw.integers(1, 4)))]
    at = draft.bones[chest].tail
    points = [at + lean * up * k / len(torso) for k in range(len(torso) + 1)]
    draft.chain(
        [*torso, "neck", "head"], chest, [*points, points[-1] + [0, 0, 0.08], points[-1] + [0, 0, 0.3]]
    )
    down = np.radians(draw.uniform(0.0, 80.0))
    way = np.array([np.cos(down), 0.0, -np.sin(down)])
    hangs_on = torso[-1]
    if draw.random() < 0.5:
        hangs_on = draft.add("collar.L", hangs_on, points[-1] + [0.02, 0, 0], points[-1] + [0.16, 0, 0])
    draft.chain(
        [f"arm {k}.L" for k in range(3)],
        hangs_on,
        [points[-1] + [0.17, 0.0, 0.0] + up * far * way for far in (0.0, 0.6, 1.1, 1.3)],
    )
    return _finished(draft, draw, "centaur")


def bird(draw: np.random.Generator) -> Sample:
    """Draw a bird, or a dinosaur that is not stood upright."""
    draft = Draft()
    chest = _trunk(draft, draw, draw.uniform(0.5, 1.2), draw.uniform(-0.1, 0.3))
    _leg(draft, draw, HIND, _BIRD, "pelvis", 0.0)
    if draw.random() < 0.7:
        at = draft.bones[chest].head
        step = np.array([0.3, draw.uniform(-0.1, 0.2), draw.uniform(-0.1, 0.2)])
        draft.chain(
            [f"wing {k}.L" for k in range(3)], chest, [at + [0.1, 0.0, 0.0] + k * step for k in range(4)]
        )
    return _finished(draft, draw, "bird")


def _trunk(draft: Draft, draw: np.random.Generator, length: float, rise: float) -> str:
    """Add a trunk from behind the hips to above the shoulders, neck, head and tail, and return the chest."""
    root = (
        draft.add("root", None, [0, 0, 0], [0, 0.3, 0], draw.random() < 0.5) if draw.random() < 0.6 else None
    )
    links, necks, tails = int(draw.integers(2, 7)), int(draw.integers(1, 6)), int(draw.integers(0, 9))
    spine = ["pelvis", *(f"spine {k}" for k in range(1, links))]
    start, end = np.array([0.0, 0.12, 1.0]), np.array([0.0, -0.9 * length, 1.0 + rise])
    points = [
        start + (end - start) * k / links + [0.0, 0.0, draw.normal(0.0, 0.01)] for k in range(links + 1)
    ]
    draft.chain(spine, root, points)
    up = np.radians(draw.uniform(-40.0, 75.0))
    ahead = np.array([0.0, -np.cos(up), np.sin(up)]) * draw.uniform(0.3, 1.2)
    neck = [points[-1] + ahead * k / necks for k in range(necks + 1)]
    skull = neck[-1] + np.array([0.0, -0.25, draw.uniform(-0.15, 0.1)])
    head = draft.chain([*(f"neck {k + 1}" for k in range(necks)), "head"], spine[-1], [*neck, skull])
    if draw.random() < 0.6:
        ear = neck[-1] + [0.06, 0.02, 0.08]
        draft.chain(["ear 1.L", "ear 2.L"], head, [ear, ear + [0.02, 0.0, 0.07], ear + [0.03, 0.0, 0.12]])
    if draw.random() < 0.4:
        draft.add("jaw", head, neck[-1] + [0.0, -0.05, -0.05], skull - [0.0, 0.0, 0.08])
    if tails:
        fall = np.array([0.0, draw.uniform(0.05, 0.3), draw.uniform(-0.95, 0.3) / tails])
        at = start + [0.0, 0.05, 0.0]
        draft.chain(
            [f"tail {k + 1}" for k in range(tails)], "pelvis", [at + k * fall for k in range(tails + 1)]
        )
    draft.roles["pelvis"] = "pelvis"
    return spine[-1]


def _leg(
    draft: Draft, draw: np.random.Generator, parts: tuple[str, ...], joints: tuple, parent: str, ahead: float
) -> None:
    """Add a left leg from its joints' ranges, with what rigs have between and below them."""
    wide = draw.uniform(0.08, 0.16)
    points = [np.array([wide, -ahead - draw.uniform(*row[2:]), draw.uniform(*row[:2])]) for row in joints]
    tip = points[-1] * [1, 1, 0] - [0.0, draw.uniform(0.08, 0.16), 0.0]
    if "toe" not in parts and "fingers" not in parts:
        points, tip = points[:-1], points[-1]
    if parts[0] == "clavicle":
        points[0][0] = draw.uniform(0.3, 0.9) * wide
    elif draw.random() < 0.25:  # a link from the trunk to the leg
        parent = draft.add(f"{parts[0]} link.L", parent, points[0] * [0.4, 1, 1] + [0, 0.05, 0.02], points[0])
    halves = draw.random() < 0.2
    for part, (head, tail) in zip(parts, pairwise([*points, tip]), strict=True):
        key = f"{part}.L"
        long = halves and part not in ("clavicle", "toe", "fingers")
        middle = (head + tail) / 2.0 if long else tail
        parent = draft.add(key, parent, head, middle)
        draft.roles[f"{part}.L"] = key
        if long:
            parent = draft.add(f"{part} half.L", parent, middle, tail)
        if draw.random() < 0.12:
            draft.add(f"{part} twist.L", parent, (head + 2.0 * tail) / 3.0, tail)
    habit = draw.random()
    if habit < 0.25:
        draft.add("hoof.L", parent, tip, tip - [0.0, 0.05, 0.0])
    elif habit < 0.4:
        for toe in range(3):
            at = tip + [0.02 * (toe - 1), 0.04, 0.01]
            draft.chain(
                [f"digit {toe} {k}.L" for k in range(2)], parent, [at - [0, 0.03 * k, 0] for k in range(3)]
            )


def _finished(draft: Draft, draw: np.random.Generator, kind: str) -> Sample:
    """Return the finished draft: posed, layered, with feet at the root, mirrored, named and placed."""
    vices = [
        name
        for name, chance in (("layers", 0.15), ("two roots", 0.1), ("feet apart", 0.1))
        if draw.random() < chance
    ]
    if "two roots" in vices:
        two_roots(draft, draw)
    if "layers" in vices and "feet apart" not in vices:
        layers(draft, draw, flat=False)
    draft.mirror(draw, unlike=float(draw.choice([0.0, 0.0, 0.002, 0.006])))
    if draw.random() < 0.3:
        vices.append("striding")
        _stride(draft, draw)
    if "feet apart" in vices:
        for key in ("toe.L", "fingers.L", "toe.R", "fingers.R"):
            if key in draft.bones:
                draft.bones[key].parent = "root" if "root" in draft.bones else None
    return sample_of(draft, draw, kind, tuple(vices))


def _stride(draft: Draft, draw: np.random.Generator) -> None:
    """Turn each leg about its top, as in a stride."""
    for side in "LR":
        for top in ("thigh", "upper_arm"):
            key = next((key for key in draft.bones if key.rpartition(":")[2] == f"{top}.{side}"), "")
            if key:
                turn, centre = (
                    about_x(np.radians(np.array(draw.normal(0.0, 8.0)))),
                    draft.bones[key].head.copy(),
                )
                for below in _below(draft, key):
                    bone = draft.bones[below]
                    bone.head, bone.tail = (
                        turn @ (point - centre) + centre for point in (bone.head, bone.tail)
                    )


def _below(draft: Draft, key: str) -> list[str]:
    """Return a bone and all bones below it."""
    return [
        key,
        *(k for child, bone in draft.bones.items() if bone.parent == key for k in _below(draft, child)),
    ]
