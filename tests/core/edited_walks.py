"""A walker whose footprints are edited."""

from dataclasses import replace

import numpy as np

from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.prints.edited_steps import edited_steps
from neurarig_addon.core.gait.prints.print_shapes import reasons
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL, Ground
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.walkers import BODY, WALKING


def walker(
    edits=(),
    path: Path = STRAIGHT,
    ground: Ground = LEVEL,
    gait: Gait = WALKING,
    track: StyleTrack | None = None,
) -> Walker:
    made = Walker.of(BODY, track or StyleTrack(Style(speed=1.2)), Clock(), gait, path, ground)
    return replace(made, edits=PrintEdits.of(edits))


def drawn(seed: int, size: float = 1.0, count: int = 1, held: bool = False) -> list[PrintEdit]:
    """Return edits of prints 2 to 6, each moved, turned, raised, tilted and retimed by up to `size` times
    much."""
    draw = np.random.default_rng(seed)
    prints = draw.permutation([(side, number) for side in (LEFT, RIGHT) for number in range(2, 7)])[:count]
    most = {
        "along": 0.2,
        "aside": 0.2,
        "height": 0.1,
        "yaw": 0.6,
        "slope": 0.15,
        "bank": 0.15,
        "ball_pivot": 0.5,
        "touch": 0.06,
        "lift": 0.06,
    }
    return [
        PrintEdit(
            int(side),
            int(number),
            held=bool(held and draw.random() < 0.5),
            **{name: float(size * most[name] * draw.uniform(-1.0, 1.0)) for name in most},
        )
        for side, number in prints
    ]


def print_at(made: Walker, side: int, number: int):
    steps = edited_steps(made, np.full((1, 2), number + 0.3))
    row = number - steps.planned.first[side], side
    return (*(part.steps.place[row] for part in (steps.planned, steps.plan)), steps.plan.steps, row)


def told(made: Walker) -> dict[tuple[int, int], str]:
    """Return the reasons for which prints 1 to 8 are shown in red, by side and number."""
    steps = edited_steps(made, np.array([[1.0, 1.0], [8.5, 8.5]]))
    return {
        (side, row + int(steps.planned.first[side])): words
        for (row, side), words in reasons(made, steps).items()
    }
