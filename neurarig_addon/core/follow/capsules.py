"""What a chain does not go through: capsules of legs, trunk and head, out of which its bones are turned.

A bone is turned by as little as brings its middle and its end out, and how far that is, is a smooth function
of where they are. So it is one of time, and needs nothing of other frames. A capsule is as thick as the chain
leaves it room at rest.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import between, dot, normalized, norms, rejected, transposed
from .chains import HangingChain
from .follow import motion_of
from .kinds import HAIR, SKIRT, STRAP, TAIL

COLLIDE = (TAIL, HAIR, STRAP, SKIRT)
_TIMES = 6  # how often a bone is looked at: turned out of one capsule it may be in another
_SOFT = 0.02  # leg lengths before a capsule's skin from which a bone begins to be turned
_ROUND = 0.25  # of that: how round a capsule's edges are, seen from where a bone is at rest
_POINTS = np.array([0.5, 1.0])  # along a bone, that are kept outside
_SLANT = 0.05  # squared sine of a push's angle to its bone below which it is turned less than all the way
# from joint to joint, how far beyond, and how thick, in leg lengths
_PARTS: dict[tuple[str, str], tuple[float, float]] = {
    **{(f"thigh.{side}", f"shin.{side}"): (0.0, 0.1) for side in "LR"},
    **{(f"shin.{side}", f"foot.{side}"): (0.0, 0.06) for side in "LR"},
    ("pelvis", "neck"): (0.0, 0.14),
    ("neck", "head"): (0.15, 0.09),
}


class Capsules(NamedTuple):
    """Capsules of a pose: `starts` and `ways` `(f, c, 3)` of their axes, relative to the root, how they are
    turned from rest `(f, c, 3, 3)`, and their `radii` `(c,)`, metres."""

    starts: np.ndarray
    ways: np.ndarray
    turns: np.ndarray
    radii: np.ndarray

    @classmethod
    def of(cls, motions: Mapping[str, Motion], leg: float) -> "Capsules":
        """Return the capsules of a pose's motions."""
        parts = [part for part in _PARTS if {*part} <= motions.keys()]
        first, last = ([motions[part[at]] for part in parts] for at in (0, 1))
        rests = np.array([motion.rest for motion in first])
        ways = np.array([motion.rest for motion in last]) - rests
        beyond, radii = leg * np.array([_PARTS[part] for part in parts]).T
        ends = rests + ways + beyond[:, None] * normalized(ways)
        starts = np.stack([motion.position for motion in first], axis=1)
        tips = [motion.carry(end) for motion, end in zip(last, ends, strict=True)]
        turns = np.stack([motion.rotation for motion in first], axis=1)
        return cls(starts, np.stack(tips, axis=1) - starts, turns, radii)

    @classmethod
    def at_rest(cls, motions: Mapping[str, Motion], leg: float) -> "Capsules":
        """Return the capsules at rest of the roles of a pose."""
        still = Motion.still(1)
        return cls.of({role: still.about(motion.rest) for role, motion in motions.items()}, leg)

    def room(self, points: np.ndarray, soft: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the radii `(p, c)` that points `(p, 3)` of a chain leave these capsules, of one frame, and
        to which side of them each point is `(p, c, 3)`."""
        off = _off(points[None], self.starts, self.ways)[0]
        return np.minimum(self.radii, norms(off) - soft), normalized(rejected(off, normalized(self.ways)))

    def pushes(self, points: np.ndarray, room: tuple[np.ndarray, np.ndarray], soft: float) -> np.ndarray:
        """Return by how much points `(f, p, 3)` have to be moved `(f, p, 3)` to be outside, on the side where
        they are at rest, for their `room`."""
        radii, sides = room
        off = _off(points, self.starts, self.ways)
        aside = np.einsum("fcij,pcj->fpci", self.turns, sides)
        ahead = dot(off, aside)
        across = np.maximum(dot(off, off) - ahead**2, 0.0)
        around = (radii + _ROUND * soft) ** 2
        wide = around - (_ROUND * soft) ** 2
        deep = np.sqrt(around - np.minimum(across, wide)) - _ROUND * soft - ahead
        push = np.where(deep > soft, deep, np.maximum(deep + soft, 0.0) ** 2 / (4.0 * soft))
        push = np.where((radii > 0.0) & (across < wide), push, 0.0)
        return (push[..., None] * aside).sum(axis=2)


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
    found, first = turns.copy(), 0
    if any(chain.kind in COLLIDE for chain in chains) and {"thigh.L", "shin.L"} <= motions.keys():
        capsules, at_rest = Capsules.of(motions, leg), Capsules.at_rest(motions, leg)
        for chain in chains:
            rows = slice(first, first + len(chain.bones))
            first = rows.stop
            if chain.kind in COLLIDE:
                holder = motion_of(motions, chain.holder)
                found[:, rows] = _out(chain, turns[:, rows], holder, capsules, at_rest, _SOFT * leg)
    return found


def _out(
    chain: HangingChain, turns: np.ndarray, holder: Motion, capsules: Capsules, at_rest: Capsules, soft: float
) -> np.ndarray:
    found = np.empty_like(turns)
    carried, joint = holder.rotation, holder.carry(chain.joints[0])
    for row, (head, tip) in enumerate(zip(chain.joints[:-1], chain.joints[1:], strict=True)):
        way = tip - head
        room = at_rest.room(head + _POINTS[:, None] * way, soft)
        turn = carried @ turns[:, row]
        for _ in range(_TIMES):
            led = turn @ way
            push = capsules.pushes(joint[:, None] + _POINTS[:, None] * led[:, None], room, soft)
            if not push.any():
                break
            across = rejected(push, normalized(led)[:, None])
            slant = dot(across, across) / np.maximum(dot(push, push), 1e-12)
            moved = (across / (_POINTS * np.maximum(slant, _SLANT))[..., None]).sum(axis=1)
            moved /= 1.0 + (norms(moved) / norms(way))[:, None]
            turn = between(led, led + moved) @ turn
        found[:, row] = transposed(carried) @ turn
        carried, joint = turn, joint + turn @ way
    return found
