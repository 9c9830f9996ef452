"""What real rigs carry besides a body: helpers, controls, layers, cloth, tails, props."""

from collections.abc import Callable

import numpy as np

from .draft import Bone, Draft

LONG = ("thigh", "shin", "upper_arm", "forearm")
Vice = Callable[[Draft, np.random.Generator], None]


def twist_leaves(draft: Draft, draw: np.random.Generator) -> None:
    """Add a bone or two along each long bone that carry nothing."""
    count = int(draw.choice([1, 2]))
    for part in LONG:
        bone = draft.bones.get(f"{part}.L")
        for k in range(count):
            if bone is None:
                break
            share = (k + draw.choice([0.0, 1.0])) / (count + 1)
            start = bone.head + share * (bone.tail - bone.head)
            draft.add(
                f"{part} twist {k + 1}.L", f"{part}.L", start, start + (bone.tail - bone.head) / (count + 1)
            )


def split_limbs(draft: Draft, _: np.random.Generator) -> None:
    """Cut long bones in two: the second half carries what hung on the whole."""
    for part in LONG:
        key = f"{part}.L"
        if key in draft.bones and (part != "thigh" or "shin.L" in draft.roles):
            bone = draft.bones[key]
            middle = (bone.head + bone.tail) / 2.0
            for child in draft.bones.values():
                if child.parent == key and np.linalg.norm(child.head - bone.tail) < 0.3 * np.linalg.norm(
                    bone.tail - bone.head
                ):
                    child.parent = f"{part} bend.L"
            draft.add(f"{part} bend.L", key, middle, bone.tail)
            bone.tail = middle


def end_markers(draft: Draft, _: np.random.Generator) -> None:
    """Add a leaf at each free tail, as exporters do."""
    carrying = {bone.parent for bone in draft.bones.values()}
    for key in [key for key in draft.bones if key not in carrying]:
        bone = draft.bones[key]
        stem, side = (key[:-2], ".L") if key.endswith(".L") else (key, "")
        draft.add(f"{stem} end{side}", key, bone.tail, bone.tail + 0.3 * (bone.tail - bone.head))


def correctives(draft: Draft, draw: np.random.Generator) -> None:
    """Add muscle and joint helpers beside knees, elbows and hips."""
    for part in ("thigh", "shin", "upper_arm", "forearm"):
        bone = draft.bones.get(f"{part}.L")
        if bone is not None and draw.random() < 0.7:
            start = bone.head + [0.0, draw.choice([-0.05, 0.05]), 0.0]
            draft.add(f"{part} helper.L", bone.parent, start, start + 0.2 * (bone.tail - bone.head))


def face(draft: Draft, draw: np.random.Generator) -> None:
    """Add a jaw and eyes to the head, sometimes many more."""
    head = draft.bones["head"]
    centre, ahead = (head.head + head.tail) / 2.0, np.array([0.0, -0.08, 0.0])
    draft.add("jaw", "head", head.head + ahead / 2.0, head.head + ahead + [0.0, -0.03, -0.02])
    draft.add("eye.L", "head", centre + ahead + [0.03, 0.0, 0.0], centre + 1.3 * ahead + [0.03, 0.0, 0.0])
    for k in range(int(draw.choice([0, 0, 4, 12]))):
        at = centre + ahead + [0.01 + 0.005 * k, 0.0, 0.006 * (k - 6)]
        draft.add(f"face {k}.L", "head", at, at + [0.0, -0.01, 0.0])


def tail(draft: Draft, draw: np.random.Generator) -> None:
    """Add a tail to the pelvis."""
    start = draft.bones["pelvis"].head + [0.0, 0.08, 0.0]
    links = int(draw.integers(3, 9))
    step = np.array([0.0, draw.uniform(0.08, 0.2), -draw.uniform(0.0, 0.5) * start[2] / links])
    draft.chain(
        [f"tail {k + 1}" for k in range(links)], "pelvis", [start + k * step for k in range(links + 1)]
    )


def hair(draft: Draft, draw: np.random.Generator) -> None:
    """Add strands of hair, perhaps down to the knees."""
    top = draft.bones["head"].tail
    fall = draw.uniform(0.15, 0.7) * top[2]
    links = int(draw.integers(3, 7))
    for strand in range(int(draw.integers(1, 4))):
        points = [
            top + [0.06 + 0.02 * strand, 0.07, 0.0] + np.array([0.01, 0.01, -fall / links]) * k
            for k in range(links + 1)
        ]
        draft.chain([f"hair {strand + 1} {k + 1}.L" for k in range(links)], "head", points)


def skirt(draft: Draft, draw: np.random.Generator) -> None:
    """Add the bones of a skirt or a coat around the hips."""
    hip = draft.bones["thigh.L"].head
    fall, links = draw.uniform(0.35, 0.95) * hip[2], int(draw.integers(2, 6))
    for panel, (x, y) in enumerate([(0.5, -1.0), (1.2, 0.0), (0.5, 1.0)]):
        start = hip * [0, 0, 1] + [hip[0] * x, 0.13 * y, 0.03]
        step = np.array([0.02 * x, 0.02 * y, -fall / links])
        draft.chain(
            [f"skirt {panel + 1} {k + 1}.L" for k in range(links)],
            "pelvis",
            [start + k * step for k in range(links + 1)],
        )


def cape(draft: Draft, draw: np.random.Generator) -> None:
    """Add a cape that falls from the chest."""
    start = draft.bones[chest(draft)].tail + [0.1, 0.12, -0.02]
    links = int(draw.integers(3, 8))
    step = np.array([0.015, 0.02, -draw.uniform(0.6, 0.97) * start[2] / links])
    draft.chain(
        [f"cape {k + 1}.L" for k in range(links)], chest(draft), [start + k * step for k in range(links + 1)]
    )


def wings(draft: Draft, draw: np.random.Generator) -> None:
    """Add wings to the back."""
    start = draft.bones[chest(draft)].tail + [0.08, 0.12, -0.05]
    raised = draw.uniform(-0.6, 0.5)
    points = [
        start,
        start + [0.35, 0.15, 0.35 * raised],
        start + [0.9, 0.2, 0.5 * raised],
        start + [1.3, 0.2, raised],
    ]
    draft.chain([f"wing {k + 1}.L" for k in range(3)], chest(draft), points)


def weapon(draft: Draft, draw: np.random.Generator) -> None:
    """Add a sword to the right hand, the belt or the root, and a shield perhaps."""
    holder = draft.roles.get("hand.L", "pelvis") if draw.random() < 0.6 else "pelvis"
    start = draft.bones[holder].tail + [0.05, 0.0, 0.0]
    draft.add("weapon", holder, start, start + [0.0, -0.1, draw.choice([-0.9, 0.8])])
    if draw.random() < 0.3:
        draft.add("shield", chest(draft), [0.0, 0.25, 1.0], [0.0, 0.25, 1.4])


def breasts(draft: Draft, _: np.random.Generator) -> None:
    """Add breasts, as game characters have."""
    bone = draft.bones[chest(draft)]
    start = (bone.head + bone.tail) / 2.0 + [0.08, -0.1, 0.0]
    draft.add("breast.L", chest(draft), start, start + [0.0, -0.06, 0.0])


def heels(draft: Draft, _: np.random.Generator) -> None:
    """Add heel bones below the ankles."""
    if "foot.L" in draft.roles.values():
        at = draft.bones["foot.L"].head
        draft.add("heel.L", "foot.L", [at[0], at[1] + 0.06, 0.01], [at[0], at[1] + 0.09, 0.01])


def tarsus(draft: Draft, _: np.random.Generator) -> None:
    """Cut the foot in two: ankle to instep, instep to toes."""
    if "toe.L" in draft.bones and "foot.L" in draft.bones:
        foot = draft.bones["foot.L"]
        middle = foot.head + 0.3 * (foot.tail - foot.head)
        draft.add("tarsus.L", "foot.L", middle, foot.tail)
        foot.tail = middle
        for key, bone in draft.bones.items():
            if bone.parent == "foot.L" and key.startswith("toe"):
                bone.parent = "tarsus.L"


def reversed_feet(draft: Draft, _: np.random.Generator) -> None:
    """Turn the foot bones round: from the toes to the ankle (the joint that matters is the tail)."""
    if "foot.L" in draft.roles.values() and "toe.L" not in draft.bones:
        foot = draft.bones["foot.L"]
        foot.tail = foot.head + [0.0, 0.8 * np.linalg.norm(foot.tail - foot.head), 0.0]


def two_roots(draft: Draft, _: np.random.Generator) -> None:
    """Add a second root with a prop or a camera below it."""
    draft.add("camera root", None, [0.0, 0.0, 0.0], [0.0, 0.1, 0.0], deform=False)
    draft.chain(
        ["camera", "camera aim"],
        "camera root",
        [[0.0, -2.0, 1.5], [0.0, -1.5, 1.5], [0.0, -1.3, 1.5]],
        deform=False,
    )


def chest(draft: Draft) -> str:
    """Return the key of the last spine bone."""
    spine = [key for role, key in draft.roles.items() if role.startswith("spine.")]
    return spine[-1]


BESIDE: dict[str, tuple[Vice, float]] = {
    "split limbs": (split_limbs, 0.12), "twist leaves": (twist_leaves, 0.25),
    "correctives": (correctives, 0.15), "face": (face, 0.35),
    "tail": (tail, 0.1), "hair": (hair, 0.15), "skirt": (skirt, 0.12), "cape": (cape, 0.08),
    "wings": (wings, 0.08),
    "tarsus": (tarsus, 0.06),
    "weapon": (weapon, 0.15), "breasts": (breasts, 0.12), "heels": (heels, 0.15),
    "reversed feet": (reversed_feet, 0.06),
    "end markers": (end_markers, 0.2), "two roots": (two_roots, 0.08),
}  # fmt: skip


def controls(draft: Draft, draw: np.random.Generator) -> None:
    """Add what moves the skeleton and deforms nothing: IK targets, poles, foot rolls, a torso control."""
    targets = (
        ("ik foot.L", "foot.L", 0.0),
        ("ik hand.L", "hand.L", 0.0),
        ("pole knee.L", "shin.L", -0.5),
        ("pole elbow.L", "forearm.L", 0.5),
    )
    for key, role, out in targets:
        bone = draft.bones.get(draft.roles.get(role, ""))
        if bone is not None:
            draft.add(
                key,
                "root" if "root" in draft.bones else None,
                bone.head + [0.0, out, 0.0],
                bone.head + [0.0, out - 0.1, 0.0],
                deform=False,
            )
    if "ik foot.L" in draft.bones:
        heel = draft.bones["ik foot.L"].head * [1, 1, 0] + [0.0, 0.06, 0.0]
        roll = draft.chain(
            ["roll heel.L", "roll ball.L"],
            "ik foot.L",
            [heel, heel - [0.0, 0.2, 0.0], heel - [0.0, 0.1, -0.1]],
            deform=False,
        )
        if draw.random() < 0.5:
            draft.add("roll tip.L", roll, heel - [0.0, 0.25, 0.0], heel - [0.0, 0.3, 0.0], deform=False)
    pelvis = draft.bones["pelvis"]
    draft.add(
        "torso control",
        "root" if "root" in draft.bones else None,
        pelvis.head,
        pelvis.head + [0.0, 0.3, 0.0],
        deform=False,
    )


def layers(draft: Draft, draw: np.random.Generator, flat: bool) -> None:
    """Let a copy of the skeleton deform, flat below one root or parented as the original, and the original
    only move it.

    Roles move to the copy: the deform bones are what counts.
    """
    body = [key for key, bone in draft.bones.items() if bone.deform and key != "root"]
    for key in body:
        bone = draft.bones[key]
        parent = f"def:{bone.parent}" if bone.parent in body else bone.parent
        draft.bones[f"def:{key}"] = Bone(
            "root" if flat and "root" in draft.bones else None if flat else parent,
            bone.head.copy(),
            bone.tail.copy(),
        )
        bone.deform = False
    for key in body if draw.random() < 0.5 else ():
        bone = draft.bones[key]
        parent = f"mch:{bone.parent}" if bone.parent in body else bone.parent
        draft.bones[f"mch:{key}"] = Bone(parent, bone.head.copy(), bone.tail.copy(), deform=False)
    draft.roles = {
        role: "|".join(f"def:{key}" for key in keys.split("|")) for role, keys in draft.roles.items()
    }
