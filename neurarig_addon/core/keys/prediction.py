"""How a character would be seen with other keys, where all bones follow their carriers rigidly: without evaluating it."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from .carrying import Carrying
from .deviation import Seen

RIGID = 1e-4  # radians, and metres: a bone that moves more than this relative to its joint does not follow it rigidly


@dataclass(frozen=True)
class Prediction:
    """Joints, and what each carries.

    `dense`: the character as seen with dense values.  `bones` `(b,)`, `feet` `(2, 3)`: numbers of the joints that carry its bones and the
    points of its feet, -1 for those that stay as they are.
    """

    carrying: Carrying
    dense: Seen
    bones: np.ndarray
    feet: np.ndarray

    def holds(self) -> bool:
        """Return whether each joint follows its carrier, and each bone and point its joint, rigidly; what has no joint must not move."""
        joints = self.carrying.joints
        if any(carrier != joint.carrier for carrier, joint in zip(self.carrying.carriers, joints, strict=True)):
            return False
        still = np.zeros((len(self.dense.heads), 3)), np.broadcast_to(np.eye(3), (len(self.dense.heads), 3, 3))
        carriers = [still, *((joint.heads, joint.turns) for joint in joints)]
        return all(self._follow(number - 1, *carrier) for number, carrier in enumerate(carriers))

    def _follow(self, number: int, heads: np.ndarray, turns: np.ndarray) -> bool:
        """Return whether all that a joint carries keeps its place from its head `(f, 3)` in its axes `(f, 3, 3)`."""
        bones, feet = self.bones == number, self.feet == number
        back = turns.swapaxes(-1, -2)[:, None]
        points = np.concatenate([self.dense.heads[:, bones], self.dense.tails[:, bones], self.dense.feet[:, feet]], axis=1)
        places = (back @ (points - heads[:, None])[..., None])[..., 0]
        return all(np.abs(each - each[:1]).max(initial=0.0) <= RIGID for each in (back @ self.dense.turns[:, bones], places))

    def only(self, rows: Sequence[int]) -> "Prediction":
        """Return the same at only some frames."""
        dense = Seen(*(getattr(self.dense, name)[list(rows)] for name in ("heads", "tails", "turns", "feet")))
        return Prediction(self.carrying.only(rows), dense, self.bones, self.feet)

    def seen(self, values: Sequence[np.ndarray]) -> Seen:
        """Return the character as seen with these values of channels, `(f, n)` or `(1, n)` each."""
        found = Seen(*(getattr(self.dense, name).copy() for name in ("heads", "tails", "turns", "feet")))
        fitted = self.carrying.fitted(values)
        for number, joint in enumerate(self.carrying.joints):
            axes, head = fitted.at(number)
            turned = (axes @ joint.turns.swapaxes(-1, -2))[:, None]
            bones, feet = self.bones == number, self.feet == number
            found.turns[:, bones] = turned @ self.dense.turns[:, bones]
            for points, which in ((found.heads, bones), (found.tails, bones), (found.feet, feet)):
                away = points[:, which] - joint.heads[:, None]
                points[:, which] = head[:, None] + (turned @ away[..., None])[..., 0]
        return found

    def played(self, values: Sequence[np.ndarray]) -> Generator[None, None, Seen]:
        """Return the same as steps, of which it needs none."""
        yield from ()
        return self.seen(values)
