"""Acts as they are posed: the bodies of any of them above their feet, and the motion of every role from that,
worked out at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..gait.body.pelvis import WantedBody
from ..gait.feet.stance import Stand
from ..gait.synthesis import motions_of, moved_on_legs
from ..geometry.rotation import rotated, transposed
from ..path.path import Along
from .middle import middle_of
from .turning import swung

# rounds in which the body is brought to where its middle has to be: each leaves a tenth of what is missing
FREELY = 6


@dataclass(frozen=True)
class Poised:
    """What the motions of acts follow from, at any frames `(f,)`: the body `above` its feet, before legs
    limit it.

    `turns` `(f, n, 3)`: by what bones of the upper body are turned then (see `swung`), None for nothing.
    `middle` `(f, 3)`: where that of
    the body has to be; None on the ground.
    """

    above: WantedBody
    along: Along
    stand: Stand
    turns: np.ndarray | None = None
    middle: np.ndarray | None = None

    def motions(self, body: Body) -> dict[str, Motion]:
        """Return the motion of every role relative to the root, eyes as they are in the head."""
        above, still, root = self.above, np.zeros(len(self.along.place)), self.along.root
        found = motions_of(body, above.on_legs(body, still))
        found = found if self.turns is None else swung(found, self.turns)
        for _ in range(0 if self.middle is None else FREELY):
            off = rotated(transposed(root.rotation), self.middle - middle_in(body, found, root))
            above = replace(above, place=above.place + off)
            found = moved_on_legs(body, above.on_legs(body, still), found)
        return found


def middle_in(body: Body, motions: Mapping[str, Motion], root: Motion) -> np.ndarray:
    """Return the middle of a body `(f, 3)` in the walk frame, for motions relative to a root."""
    return root.carried(middle_of(body, motions)[:, None])[:, 0]


def together(parts: Sequence[Any]) -> Any:
    """Return what several acts have, one after the other: worked out at once it costs hardly more than
    one."""
    first = parts[0]
    if isinstance(first, np.ndarray):
        return np.concatenate(parts)
    if isinstance(first, dict):
        return {name: together([part[name] for part in parts]) for name in first}
    if is_dataclass(first) and not isinstance(first, type):
        return replace(
            first,
            **{one.name: together([getattr(part, one.name) for part in parts]) for one in fields(first)},
        )
    return first
