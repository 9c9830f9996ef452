"""What a chain does not go through: capsules of thighs, shins and trunk, out of which its bones are turned.

A bone is turned by as little as brings its middle and its end out, and how far that is, is a smooth function
of where they are. So it is one of time, and needs nothing of other frames. A capsule is as thick as the chain
leaves it room at rest.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import between, dot, norms, rotated, transposed
from .chains import HangingChain
from .follow import motion_of
from .kinds import HAIR, SKIRT, STRAP, TAIL

COLLIDE = (TAIL, HAIR, STRAP, SKIRT)
_TIMES = 4  # how often a bone is looked at: turned out of one capsule it may be in another
_SOFT = 0.02  # leg lengths before a capsule's skin from which a bone begins to be turned
_POINTS = np.array([0.5, 1.0])  # along a bone, that are kept outside
# from joint to joint, and how thick, in leg lengths
_PARTS = (
    *((f"thigh.{side}", f"shin.{side}", 0.1) for side in "LR"),
    *((f"shin.{side}", f"foot.{side}", 0.06) for side in "LR"),
    ("pelvis", "neck", 0.14),
)


class Capsules(NamedTuple):
    """Capsules of a pose: `starts` and `ways` `(f, c, 3)` of their axes, relative to the root, and what they
    are at rest, with radii `(c,)`, metres."""

    starts: np.ndarray
    ways: np.ndarray
    rest_starts: np.ndarray
    rest_ways: np.ndarray
    radii: np.ndarray

    @classmethod
    def of(cls, motions: Mapping[str, Motion], leg: float) -> "Capsules | None":
        """Return the capsules of a pose's motions, None if it has none."""
        parts = [part for part in _PARTS if part[0] in motions and part[1] in motions]
        if not parts:
            return None
        ends = [[motions[name] for name in names] for *names, _ in parts]
        starts, tips = (np.stack([pair[at].position for pair in ends], axis=1) for at in (0, 1))
        rests, rest_tips = (np.array([pair[at].rest for pair in ends]) for at in (0, 1))
        radii = leg * np.array([radius for *_, radius in parts])
        return cls(starts, tips - starts, rests, rest_tips - rests, radii)

    def room(self, points: np.ndarray, soft: float) -> np.ndarray:
        """Return the radii `(p, c)` that points `(p, 3)` of a chain at rest leave the capsules."""
        off = _off(points[None], self.rest_starts[None], self.rest_ways[None])
        return np.minimum(self.radii, norms(off[0]) - soft)

    def pushes(self, points: np.ndarray, radii: np.ndarray, soft: float) -> np.ndarray:
        """Return by how much points `(f, p, 3)` have to be moved `(f, p, 3)` to be `radii` `(p, c)` away."""
        off = _off(points, self.starts, self.ways)
        away = norms(off)
        deep = radii - away
        push = np.where(deep > soft, deep, np.maximum(deep + soft, 0.0) ** 2 / (4.0 * soft))
        push = np.where(radii > 0.0, push, 0.0)
        return ((push / np.maximum(away, 1e-9))[..., None] * off).sum(axis=2)


def _off(points: np.ndarray, starts: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """Return the ways `(f, p, c, 3)` from the axes of capsules to points `(f, p, 3)`."""
    to = points[:, :, None] - starts[:, None]
    square = np.maximum(dot(ways, ways), 1e-12)
    along = np.clip(dot(to, ways[:, None]) / square[:, None], 0.0, 1.0)
    return to - along[..., None] * ways[:, None]


def turned_out(
    chains: Sequence[HangingChain], turns: np.ndarray, motions: Mapping[str, Motion], leg: float
) -> np.ndarray:
    """Return the rotations `(f, bones, 3, 3)` of the bones of chains in their joints, walk frame's axes as at
    rest, with those turned that would be in capsules."""
    capsules = Capsules.of(motions, leg)
    found, first = turns.copy(), 0
    for chain in chains:
        rows = slice(first, first + len(chain.bones))
        first = rows.stop
        if capsules is not None and chain.kind in COLLIDE:
            found[:, rows] = _out(chain, turns[:, rows], motion_of(motions, chain.holder), capsules, leg)
    return found


def _out(
    chain: HangingChain, turns: np.ndarray, holder: Motion, capsules: Capsules, leg: float
) -> np.ndarray:
    soft, found = _SOFT * leg, np.empty_like(turns)
    carried, joint = holder.rotation, holder.carry(chain.joints[0])
    for row, (head, tip) in enumerate(zip(chain.joints[:-1], chain.joints[1:], strict=True)):
        points = head + _POINTS[:, None] * (tip - head)
        radii = capsules.room(points, soft)
        turn = carried @ turns[:, row]
        for _ in range(_TIMES):
            way = turn @ (tip - head)
            push = capsules.pushes(joint[:, None] + _POINTS[:, None] * way[:, None], radii, soft)
            wanted = way + (push / _POINTS[:, None]).sum(axis=1)
            if np.array_equal(wanted, way):
                break
            turn = between(way, wanted) @ turn
        found[:, row] = transposed(carried) @ turn
        carried, joint = turn, joint + rotated(turn, np.broadcast_to(tip - head, joint.shape))
    return found
