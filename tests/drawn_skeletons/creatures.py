"""What is no biped, drawn at random: animals with more legs or none, and things."""

from collections.abc import Callable

import numpy as np

from .draft import Draft

Creature = Callable[[Draft, np.random.Generator], None]


def _trunk(draft: Draft, draw: np.random.Generator, height: float, length: float, links: int) -> list[str]:
    """Add a level spine from the hips (behind, +y) to the chest, with neck and head, and return its keys."""
    keys = [f"spine {k}" for k in range(1, links + 1)]
    rise = draw.uniform(-0.05, 0.1)
    points = [
        np.array([0.0, length * (0.5 - k / links), height + rise * k / links]) for k in range(links + 1)
    ]
    draft.add("root", None, [0.0, 0.0, 0.0], [0.0, 0.3, 0.0])
    draft.chain(keys, "root", points)
    neck = points[-1] + [0.0, -0.2 * length, draw.uniform(0.0, 0.35) * length]
    draft.chain(["neck 1", "head"], keys[-1], [points[-1], neck, neck + [0.0, -0.15 * length, 0.0]])
    return keys


def _tail(draft: Draft, parent: str, start: np.ndarray, step: np.ndarray, links: int) -> None:
    draft.chain(
        [f"tail {k}" for k in range(1, links + 1)], parent, [start + k * step for k in range(links + 1)]
    )


def _words(draw: np.random.Generator) -> dict[str, list[str]]:
    """Return what an animal's legs are called: as a person's legs and arms, as two pairs of legs, or with
    numbers."""
    legs, arms = ("thigh", "shin", "foot", "toe"), ("upper_arm", "forearm", "hand", "finger")
    habit = int(draw.integers(4))
    fore = {
        0: arms,
        1: [f"fore {part}" for part in legs],
        2: [f"fore{part}" for part in legs],
        3: [f"fore {k}" for k in range(4)],
    }[habit]
    hind = legs if habit < 3 and draw.random() < 0.6 else [f"hind {part}" for part in legs]
    return {"hind": [f"{part}.L" for part in hind], "fore": [f"{part}.L" for part in fore]}


def quadruped(draft: Draft, draw: np.random.Generator) -> None:
    """A horse, dog or cat: fore legs on the chest, hind legs on the hips."""
    height, length = draw.uniform(0.4, 1.2), draw.uniform(0.6, 1.5)
    keys = _trunk(draft, draw, height, length, int(draw.integers(3, 7)))
    words = _words(draw)
    for name, at, parent, bend in (("hind", 0.48, keys[0], 0.08), ("fore", -0.46, keys[-1], -0.06)):
        x, y = 0.13 * height, at * length
        ankle = draw.uniform(0.12, 0.3) * height
        points = [
            [x, y, 0.95 * height],
            [x, y - bend, 0.55 * height],
            [x, y + bend, ankle],
            [x, y, 0.04 * height],
            [x, y - 0.08, 0.0],
        ]
        keys_of = words[name]
        if name == "fore" and draw.random() < 0.6:
            parent = draft.add("fore clavicle.L", parent, [0.03, y, 1.0 * height], points[0])
        count = int(draw.choice([3, 4]))
        draft.chain(keys_of[:count], parent, points[: count + 1])
    if draw.random() < 0.8:
        _tail(
            draft,
            keys[0],
            np.array([0.0, 0.52 * length, height]),
            np.array([0.0, 0.1, -0.04 * height]),
            int(draw.integers(3, 8)),
        )
    if draw.random() < 0.2:  # a dragon
        draft.chain(
            ["wing 1.L", "wing 2.L", "wing 3.L"],
            keys[-1],
            [[0.1, -0.3, height], [0.5, -0.2, 1.3 * height], [1.1, 0.0, 1.2 * height], [1.5, 0.2, height]],
        )


def frog(draft: Draft, draw: np.random.Generator) -> None:
    """A frog or toad, sitting: hind legs folded beside the body."""
    height = draw.uniform(0.1, 0.2)
    keys = _trunk(draft, draw, height, 0.3, int(draw.integers(2, 4)))
    points = [
        [0.05, 0.14, height],
        [0.16, 0.02, 0.9 * height],
        [0.14, 0.17, 0.25 * height],
        [0.15, 0.08, 0.02],
        [0.15, 0.0, 0.0],
    ]
    words = _words(draw)
    draft.chain(words["hind"], keys[0], points)
    points = [[0.05, -0.12, height], [0.12, -0.1, 0.5 * height], [0.11, -0.15, 0.03], [0.12, -0.2, 0.0]]
    draft.chain(words["fore"][:3], keys[-1], points)


def insect(draft: Draft, draw: np.random.Generator) -> None:
    """A spider, ant or crab: three to five pairs of legs that go up and out, then down."""
    height, pairs, links = draw.uniform(0.1, 0.6), int(draw.choice([3, 4, 4, 5])), int(draw.choice([3, 4]))
    draft.chain(["body 1", "body 2"], None, [[0, 0.1, height], [0, -0.2, height], [0, -0.4, height]])
    draft.add("abdomen", "body 1", [0, 0.1, height], [0, 0.6, height])
    for k in range(pairs):
        turn = np.radians(40.0 + 100.0 * k / (pairs - 1))
        out = np.array([np.sin(turn), -np.cos(turn), 0.0]) * draw.uniform(0.9, 1.1)
        joints = [
            0.08 * out,
            0.5 * out * height * 2 + [0, 0, 0.5 * height],
            out * height * 2.4 + [0, 0, -0.4 * height],
            out * height * 2.8 - [0, 0, height],
        ]
        if links == 4:
            joints.insert(1, joints[0] * 2.0)
        draft.chain(
            [f"leg {k + 1} {n + 1}.L" for n in range(links)],
            "body 2",
            [[0, -0.1, height] + joint for joint in joints],
        )


def fish(draft: Draft, draw: np.random.Generator) -> None:
    """A fish, shark or whale: fins in pairs that hang from a spine, a tail fin."""
    height, length, links = draw.uniform(0.2, 1.0), draw.uniform(0.5, 3.0), int(draw.integers(4, 9))
    keys = [f"spine {k}" for k in range(1, links + 1)]
    points = [np.array([0.0, length * (k / links - 0.4), height]) for k in range(links + 1)]
    if draw.random() < 0.5:
        points = points[::-1]
    draft.add("root", None, points[0], points[0] + [0.0, 0.1, 0.0])
    draft.chain(keys, "root", points)
    middle = keys[links // 2 - 1], keys[links // 3]
    for name, parent, y in (("pectoral", middle[0], -0.2), ("pelvic", middle[1], 0.15)):
        deep = draw.uniform(0.1, 0.3) * length
        count = int(draw.choice([2, 3]))
        start = np.array([0.06 * length, y * length, height - 0.05 * length])
        step = np.array([draw.uniform(0.2, 0.8), 0.3, -draw.uniform(0.4, 1.0)]) * deep / count
        draft.chain(
            [f"{name} fin {k + 1}.L" for k in range(count)],
            parent,
            [start + k * step for k in range(count + 1)],
        )
        if draw.random() < 0.3:
            break
    draft.chain(
        ["dorsal 1", "dorsal 2"],
        keys[links // 2],
        [
            points[links // 2] + [0, 0, 0.1],
            points[links // 2] + [0, 0.1, 0.3],
            points[links // 2] + [0, 0.2, 0.45],
        ],
    )
    for way in (1.0, -1.0):
        draft.add(
            f"fluke {way:g}", keys[-1], points[-1], points[-1] + [0.0, 0.1 * length, 0.15 * way * length]
        )


def snake(draft: Draft, draw: np.random.Generator) -> None:
    """A snake, worm or eel, straight or wound."""
    links, wave = int(draw.integers(8, 40)), draw.uniform(0.0, 0.3)
    points = [[wave * np.sin(0.6 * k), 0.1 * k, 0.05] for k in range(links + 1)]
    draft.chain([f"spine {k + 1}" for k in range(links)], None, points)
    draft.chain(["jaw"], f"spine {links}", [points[-1], np.add(points[-1], [0.0, 0.1, -0.02])])


def car(draft: Draft, draw: np.random.Generator) -> None:
    """A car: body, axles, suspension and wheels."""
    draft.add("root", None, [0, 0, 0], [0, 0.5, 0])
    draft.add("body 1", "root", [0, 0, 0.5], [0, 0, 1.2])
    for name, y in (("front", -1.3), ("rear", 1.3)):
        parent = draft.add(f"{name} susp.L", "body 1", [0.7, y, 0.8], [0.75, y, 0.35])
        parent = draft.add(f"{name} wheel.L", parent, [0.75, y, 0.35], [0.75, y, 0.0])
        if draw.random() < 0.5:
            draft.add(f"{name} ground.L", parent, [0.75, y, 0.0], [0.75, y - 0.2, 0.0])
    draft.add("steering", "body 1", [0.3, -0.4, 1.0], [0.3, -0.2, 1.1])
    draft.add("door.L", "body 1", [0.8, -0.5, 0.7], [0.8, 0.4, 0.7])


def hand(draft: Draft, draw: np.random.Generator) -> None:
    """A single hand, hanging or raised."""
    way = draw.choice([1.0, -1.0])
    draft.chain(["forearm", "hand"], None, [[0, 0, 0.5], [0, 0, 0.5 + 0.25 * way], [0, 0, 0.5 + 0.35 * way]])
    for k in range(5):
        x = 0.025 * (k - 2)
        draft.chain(
            [f"finger {k} {n + 1}" for n in range(3)],
            "hand",
            [[x, 0, 0.5 + way * (0.35 + 0.035 * n)] for n in range(4)],
        )


def octopus(draft: Draft, draw: np.random.Generator) -> None:
    """An octopus or jellyfish: arms that hang all round."""
    draft.chain(["body 1", "head"], None, [[0, 0, 1.0], [0, 0, 1.3], [0, 0, 1.7]])
    pairs, links = int(draw.choice([3, 4])), int(draw.integers(4, 9))
    for k in range(pairs):
        turn = np.radians(180.0 * (k + 0.5) / pairs)
        out = np.array([np.sin(turn), -np.cos(turn), 0.0])
        points = [[0, 0, 1.0] + out * (0.15 + 0.04 * n) - [0, 0, 0.95 * n / links] for n in range(links + 1)]
        draft.chain([f"tentacle {k + 1} {n + 1}.L" for n in range(links)], "body 1", points)


def tree(draft: Draft, draw: np.random.Generator) -> None:
    """A tree or lamp: a trunk with branches."""
    links = int(draw.integers(3, 7))
    draft.chain([f"trunk {k + 1}" for k in range(links)], None, [[0, 0, 0.6 * k] for k in range(links + 1)])
    for k in range(int(draw.integers(2, 6))):
        start, out = np.array([0, 0, 0.6 * (1 + k % (links - 1))]), draw.normal(0.0, 0.5, 3) + [0, 0, 0.4]
        draft.chain(
            [f"branch {k + 1} {n + 1}" for n in range(3)],
            f"trunk {1 + k % (links - 1)}",
            [start + n * out for n in range(4)],
        )


def centaur(draft: Draft, draw: np.random.Generator) -> None:
    """A centaur: four legs, and a person on the fore ones."""
    quadruped(draft, draw)
    chest = max(key for key in draft.bones if key.startswith("spine"))
    top = draft.bones[chest].tail
    for key in [key for key in draft.bones if key.startswith(("neck", "head"))]:
        del draft.bones[key]
    draft.chain(
        ["torso 1", "torso 2", "neck 1", "head"], chest, [top + [0, 0, z] for z in (0.0, 0.25, 0.5, 0.6, 0.8)]
    )
    shoulder = top + [0.17, 0.0, 0.45]
    arms = ["upper_arm", "forearm", "hand"]  # which the fore legs may be called too: they stay
    keys = [f"{part} 2.L" if f"{part}.L" in draft.bones else f"{part}.L" for part in arms]
    draft.chain(keys, "torso 2", [shoulder + [x, 0, 0] for x in (0.0, 0.28, 0.53, 0.63)])


def bust(draft: Draft, draw: np.random.Generator) -> None:
    """A bust or a ghost: trunk and arms, no legs."""
    draft.chain(
        ["root", "spine 1", "spine 2", "neck 1", "head"],
        None,
        [[0, 0, z] for z in (0.8, 1.0, 1.2, 1.45, 1.55, 1.8)],
    )
    down = np.radians(draw.uniform(0.0, 85.0))
    points = [
        np.array([0.17, 0, 1.4]) + r * np.array([np.cos(down), 0, -np.sin(down)])
        for r in (0.0, 0.28, 0.54, 0.64)
    ]
    draft.chain(["upper_arm.L", "forearm.L", "hand.L"], "spine 2", points)


def door(draft: Draft, draw: np.random.Generator) -> None:
    """A door, chest or machine: a few bones."""
    draft.chain(["frame"], None, [[0, 0, 0], [0, 0, 2]])
    for k in range(int(draw.integers(1, 5))):
        draft.add(
            f"part {k + 1}",
            "frame",
            draw.normal(0.0, 0.5, 3) + [0, 0, 1],
            draw.normal(0.0, 0.5, 3) + [0, 0, 1],
        )


CREATURES: dict[str, Creature] = {
    "quadruped": quadruped, "frog": frog, "insect": insect, "fish": fish, "snake": snake, "car": car,
    "hand": hand, "octopus": octopus,
    "tree": tree, "centaur": centaur, "bust": bust, "door": door,
}  # fmt: skip
