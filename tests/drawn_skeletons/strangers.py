"""What is no biped, and of kinds that the constants were never fitted to."""

import numpy as np

from .creatures import Creature
from .draft import Draft


def table(draft: Draft, draw: np.random.Generator) -> None:
    """A table, chair or stool: four legs of one bone or two below a board, a back perhaps."""
    height, links = draw.uniform(0.4, 1.1), int(draw.choice([1, 2]))
    draft.chain(["board"], None, [[0, 0, height], [0, 0.3, height]])
    for name, y in (("front", -0.4), ("back", 0.4)):
        points = [[0.35, y, height * (1.0 - k / links)] for k in range(links + 1)]
        draft.chain([f"{name} leg {k + 1}.L" for k in range(links)], "board", points)
    if draw.random() < 0.5:
        draft.chain(["rest 1", "rest 2", "rest 3"], "board", [[0, 0.4, height + 0.25 * k] for k in range(4)])


def hands(draft: Draft, draw: np.random.Generator) -> None:
    """Both hands of a viewer, hanging or pointing ahead, with nothing between them."""
    ahead = draw.random() < 0.5
    step = np.array([0.0, -1.0, -0.1]) if ahead else np.array([0.0, -0.1, -1.0])
    start = np.array([0.2, -0.2, 1.0])
    draft.add("root", None, [0, 0, 0], [0, 0.1, 0])
    draft.chain(
        ["forearm.L", "hand.L"],
        "root" if draw.random() < 0.5 else None,
        [start, start + 0.25 * step, start + 0.34 * step],
    )
    for k in range(5):
        tip = start + 0.34 * step + [0.02 * (k - 2), 0.0, 0.0]
        draft.chain(
            [f"finger {k} {n + 1}.L" for n in range(3)], "hand.L", [tip + 0.03 * n * step for n in range(4)]
        )


def seal(draft: Draft, draw: np.random.Generator) -> None:
    """A seal or turtle: a low body, two pairs of flippers."""
    links, height = int(draw.integers(4, 8)), draw.uniform(0.15, 0.4)
    keys = [f"spine {k + 1}" for k in range(links)]
    draft.chain(
        keys, None, [[0, 0.3 * k, height + 0.3 * max(0.0, 1.0 - k) * draw.random()] for k in range(links + 1)]
    )
    draft.chain(
        ["neck 1", "head"], keys[0], [[0, 0, height], [0, -0.15, height + 0.1], [0, -0.35, height + 0.12]]
    )
    for name, parent, y in (("fore", keys[1], 0.3), ("hind", keys[-1], 0.28 * links)):
        points = [[0.12, y, height], [0.3, y + 0.05, 0.5 * height], [0.45, y + 0.15, 0.02]]
        draft.chain([f"{name} flipper {k + 1}.L" for k in range(2)], parent, points)


def crocodile(draft: Draft, draw: np.random.Generator) -> None:
    """A crocodile or lizard: four legs that sprawl, a long tail."""
    height, links = draw.uniform(0.15, 0.5), int(draw.integers(4, 8))
    keys = [f"spine {k + 1}" for k in range(links)]
    draft.add("root", None, [0, 0, 0], [0, 0.3, 0])
    draft.chain(keys, "root", [[0, 0.5 - k / links, height] for k in range(links + 1)])
    draft.chain(
        ["neck 1", "head", "jaw"],
        keys[-1],
        [[0, -0.5, height], [0, -0.6, height], [0, -0.75, height], [0, -1.1, height]],
    )
    words = {
        "hind": ("thigh", "shin", "foot"),
        "fore": draw.choice([["upper_arm", "forearm", "hand"], ["fore thigh", "fore shin", "fore foot"]]),
    }
    for name, parent, y in (("hind", keys[0], 0.45), ("fore", keys[-1], -0.4)):
        points = [
            [0.08, y, height],
            [0.08 + height, y, height],
            [0.1 + height, y - 0.05, 0.03],
            [0.12 + height, y - 0.2, 0.0],
        ]
        draft.chain([f"{part}.L" for part in words[name]], parent, points)
    tail = [[0, 0.5 + 0.2 * k, height * (1.0 - 0.1 * k)] for k in range(8)]
    draft.chain([f"tail {k + 1}" for k in range(7)], keys[0], tail)


def giraffe(draft: Draft, draw: np.random.Generator) -> None:
    """A giraffe, camel or sauropod: four upright legs, a neck that rises high above them."""
    height, rise = draw.uniform(0.9, 2.0), draw.uniform(0.8, 2.2)
    keys = ["spine 1", "spine 2", "spine 3"]
    draft.chain(keys, None, [[0, 0.6 - 0.4 * k, height + 0.08 * k] for k in range(4)])
    links = int(draw.integers(2, 7))
    top = [[0, -0.6 - 0.4 * k / links, height + 0.24 + rise * k / links] for k in range(links + 1)]
    last = draft.chain([f"neck {k + 1}" for k in range(links)], keys[-1], top)
    draft.add("head", last, top[-1], np.add(top[-1], [0.0, -0.35, -0.05]))
    fore = str(draw.choice(["fore ", "upper arm "]))
    for name, parent, y in (("", keys[0], 0.6), (fore, keys[-1], -0.5)):
        points = [
            [0.2, y, 0.95 * height],
            [0.2, y - 0.03, 0.5 * height],
            [0.2, y + 0.02, 0.08 * height],
            [0.2, y - 0.12, 0.0],
        ]
        draft.chain([f"{name}{part}.L" for part in ("thigh", "shin", "foot")], parent, points)


def crab(draft: Draft, draw: np.random.Generator) -> None:
    """A crab or scorpion: claws ahead, three or four pairs of legs aside."""
    height, pairs = draw.uniform(0.1, 0.4), int(draw.choice([3, 4]))
    draft.chain(["body 1"], None, [[0, 0.2, height], [0, -0.3, height]])
    for k in range(pairs):
        y = 0.2 - 0.4 * k / pairs
        points = [[0.15, y, height], [0.3, 1.5 * y, 1.6 * height], [0.45, 2.0 * y, 0.0]]
        draft.chain([f"leg {k + 1} {n + 1}.L" for n in range(2)], "body 1", points)
    points = [[0.12, -0.3, height], [0.3, -0.45, height], [0.25, -0.7, height], [0.2, -0.9, height]]
    draft.chain(["upper_arm.L", "forearm.L", "hand.L"], "body 1", points)


def bicycle(draft: Draft, draw: np.random.Generator) -> None:
    """A bicycle or scooter: wheels before and behind, handle bars and pedals at both sides."""
    draft.chain(["frame"], None, [[0, 0.5, 0.35], [0, -0.4, 0.8]])
    draft.chain(["fork", "front wheel"], "frame", [[0, -0.45, 0.85], [0, -0.6, 0.35], [0, -0.6, 0.0]])
    draft.add("rear wheel", "frame", [0, 0.5, 0.35], [0, 0.5, 0.0])
    draft.chain(["bar.L", "grip.L"], "fork", [[0, -0.4, 0.95], [0.25, -0.38, 0.98], [0.3, -0.3, 0.98]])
    draft.chain(
        ["crank.L", "pedal.L"],
        "frame",
        [[0.06, 0.05, 0.3], [0.1, 0.05, draw.uniform(0.1, 0.2)], [0.15, 0.0, 0.12]],
    )


def excavator(draft: Draft, draw: np.random.Generator) -> None:
    """An excavator or crane: tracks at both sides, a boom of some links."""
    draft.chain(["base", "cabin"], None, [[0, 0, 0.3], [0, 0, 0.8], [0, 0, 1.8]])
    for k in range(int(draw.integers(2, 4))):
        draft.chain(
            [f"wheel {k + 1}.L", f"tread {k + 1}.L"],
            "base",
            [[0.8, 0.6 * k - 0.6, z] for z in (0.4, 0.2, 0.0)],
        )
    draft.chain(
        ["boom", "arm", "bucket"],
        "cabin",
        [[0.2, -0.4, 1.0], [0.2, -1.8, 2.4], [0.2, -3.2, 1.4], [0.2, -3.4, 0.6]],
    )


STRANGERS: dict[str, Creature] = {
    "table": table, "hands": hands, "seal": seal, "crocodile": crocodile, "giraffe": giraffe, "crab": crab,
    "bicycle": bicycle,
    "excavator": excavator,
}  # fmt: skip
