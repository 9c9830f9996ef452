"""Bones from the root outward: where each belongs on parents as their keys pose them, so that errors do not
add up along a limb."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..geometry.limb import two_bones
from ..geometry.rotation import between, norms, rotated, transposed
from .deviation import SeenMotion
from .pose_fit import knee_weights

STIFF = 1e-3  # radians, and leg lengths: what moves no more relative to its parent hangs on it
# how much more a foot gives way than a knee: a nearly straight one would move several times as far
GIVES = 0.1


class Outward:
    """The wanted motion of bones `seen`, in the world, and the same as keys pose it.

    `parents`: rows, -1 for none, parents before children. `turns`, `slides`: row -> rotation `(f, 3, 3)` and
    location `(f, 3)`, metres, of
    bones that have keys.  `legs`: rows of thigh, shin and foot.  `leg`: metres.
    `hangs` `(b,)`: bones that follow their keys and their parents and nothing else.
    """

    def __init__(
        self,
        seen: SeenMotion,
        parents: Sequence[int],
        turns: Mapping[int, np.ndarray],
        slides: Mapping[int, np.ndarray],
        legs: Iterable[Sequence[int]],
        leg: float,
    ) -> None:
        self.parents, self._wanted, self._slides = parents, seen, slides
        self._rests = seen.turns.copy()
        self._heads = seen.heads.copy()  # without slides
        for row, turn in turns.items():
            self._rests[:, row] = seen.turns[:, row] @ transposed(turn)
        for row, slide in slides.items():
            self._heads[:, row] -= rotated(self._rests[:, row], slide)
        self._keyed = turns.keys() | slides.keys()
        self.hangs = np.array([self._is_hanging(row, leg) for row in range(len(parents))])
        self._legs = {
            rows[0]: tuple(rows)
            for rows in legs
            if self.hangs[list(rows)].all() and rows[0] in turns and rows[1] in turns
        }
        self._ankles: dict[int, np.ndarray] = {}
        self.start()

    def upward(self, row: int) -> list[int]:
        """Return the rows of a bone and of those above it, nearest first; none for -1."""
        found = []
        while row >= 0:
            found.append(row)
            row = self.parents[row]
        return found

    def start(self) -> None:
        """Put all bones where they are wanted."""
        self._turns, self._places = self._wanted.turns.copy(), self._wanted.heads.copy()
        self._waiting = {row for row, hangs in enumerate(self.hangs) if hangs and row not in self._keyed}

    def _is_hanging(self, row: int, leg: float) -> bool:
        above = self.parents[row]
        if above < 0:
            return True
        back = transposed(self._wanted.turns[:, above])
        offset = rotated(back, self._heads[:, row] - self._wanted.heads[:, above])
        return bool(
            np.ptp(back @ self._rests[:, row], axis=0).max() < STIFF
            and np.ptp(offset, axis=0).max() < STIFF * leg
        )

    def _hung(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the axes `(f, 3, 3)` and head `(f, 3)` of a bone without its keys, on its parent as
        posed."""
        above = self.parents[row]
        if above < 0:
            return self._rests[:, row], self._heads[:, row]
        if above in self._waiting:
            self.place(above, None, None)
        moved = self._turns[:, above] @ transposed(self._wanted.turns[:, above])
        return moved @ self._rests[:, row], self._places[:, above] + rotated(
            moved, self._heads[:, row] - self._wanted.heads[:, above]
        )

    def wanted(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the rotation `(f, 3, 3)` and location `(f, 3)` with which a bone is where it is wanted; legs
        reach their ankles."""
        rest, head = self._hung(row)
        back = transposed(rest)
        heads, turn = self._wanted.heads, self._wanted.turns[:, row]
        if row in self._legs:
            _, shin, foot = self._legs[row]
            knee, ankle = self._bent(head, *(heads[:, joint] for joint in (row, shin, foot)))
            self._ankles[shin] = ankle
            turn = between(heads[:, shin] - heads[:, row], knee - head) @ turn
        elif row in self._ankles:
            foot = next(rows[2] for rows in self._legs.values() if rows[1] == row)
            turn = between(heads[:, foot] - heads[:, row], self._ankles[row] - head) @ turn
        return back @ turn, rotated(back, heads[:, row] - head)

    def _bent(
        self, root: np.ndarray, hip: np.ndarray, knee: np.ndarray, ankle: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return knee and ankle of a leg whose hip is at `root`: where they are wanted, or the ankle gives
        way, for the knee's sake."""
        upper, lower = (norms(bone).mean() for bone in (knee - hip, ankle - knee))
        line = ankle - root
        length, before = norms(line), norms(ankle - hip)
        firm = GIVES * knee_weights(before, np.array(upper + lower)) ** 2
        ankle = root + line * ((length + firm * before) / (1.0 + firm) / np.maximum(length, 1e-9))[:, None]
        return two_bones(root, ankle, knee - 0.5 * (hip + ankle), upper, lower, knee - hip)

    def place(self, row: int, turn: np.ndarray | None, slide: np.ndarray | None) -> None:
        """Pose a bone that hangs on its parent with a rotation and a location, None if it has no keys of
        it."""
        self._waiting.discard(row)
        if self.hangs[row]:
            rest, head = self._hung(row)
            self._turns[:, row] = rest if turn is None else rest @ turn
            self._places[:, row] = head if slide is None else head + rotated(rest, slide)
