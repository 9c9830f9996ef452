"""An animator's action over a walk: rotations of bones relative to their parents, in place of the walk's or
on top of them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..body.hold import held
from ..body.tree import own_turns, with_own_turns
from ..character.motion import Motion
from ..geometry.rotation import part_way
from ..skeleton.roles import ARM_PARTS, SIDES

TRUNK, HEAD, LEFT_ARM, RIGHT_ARM = PARTS = ("TRUNK", "HEAD", "LEFT_ARM", "RIGHT_ARM")
SAMPLES_A_FRAME = 4


@dataclass(frozen=True)
class Layer:
    """An action, sampled every quarter of a frame from `first` to `last`.

    `turns`: role -> rotations `(n, 3, 3)` relative to the role's parent, away from rest, in the walk frame.
    `adds`: on top of the walk's.
    `ease`: frames to blend in before its first frame and out after its last; infinite for a pose that stays.
    `weight`: frames `(k,)` and values `(k,)`, 0..1.
    """

    turns: Mapping[str, np.ndarray]
    first: float
    last: float
    ease: float
    adds: bool
    weight: tuple[np.ndarray, np.ndarray]

    @property
    def repeats(self) -> bool:
        """Return whether it is the same on every frame."""
        return not np.isfinite(self.ease) and np.ptp(self.weight[1]) == 0.0

    def over(self, motions: Mapping[str, Motion], frames: np.ndarray) -> dict[str, Motion]:
        """Return a pose's motions at frames `(f,)` with the action over them; children of a turned bone
        follow it."""
        share = held(frames, self.first, self.last, self.ease, self.ease) * np.clip(
            np.interp(frames, *self.weight), 0.0, 1.0
        )
        turns, own = {}, own_turns(motions)
        for role in own.keys() & self.turns.keys():
            action = self._at(self.turns[role], frames)
            turns[role] = (
                own[role] @ part_way(np.eye(3), action, share)
                if self.adds
                else part_way(own[role], action, share)
            )
        return with_own_turns(motions, turns)

    def _at(self, turns: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """Return rotations `(f, 3, 3)` at frames, constant before the first and after the last."""
        at = np.clip((frames - self.first) * SAMPLES_A_FRAME, 0.0, len(turns) - 1.0)
        row = np.minimum(at.astype(int), max(len(turns) - 2, 0))
        return part_way(turns[row], turns[np.minimum(row + 1, len(turns) - 1)], at - row)


def part_of(role: str) -> str:
    """Return the part that a role belongs to, '' if an action cannot go over it."""
    stem, _, side = role.partition(".")
    if stem in ARM_PARTS:
        return LEFT_ARM if side == SIDES[0] else RIGHT_ARM
    return {"spine": TRUNK, "neck": HEAD, "head": HEAD}.get(stem, "")
