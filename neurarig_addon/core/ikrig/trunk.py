"""Spine and neck on another body: as far from its rest shape as the source's are from the source's.

A chain is a row of any number of bones between two ends of given orientation.
"""

from collections.abc import Iterator

import numpy as np

from ..character.character import Character
from ..character.motion import Motion
from ..geometry.limb import two_bones
from ..geometry.rotation import (
    between,
    from_axis_angle,
    normalized,
    norms,
    part_way,
    rotated,
    rotation_vector,
    times,
    transposed,
)
from .anatomy import ChainAnatomy, RestPoint
from .encoding import Chain


class PosedBody:
    """The roles posed so far: metres, origin on the ground under the hips' position at rest, x along the
    hips' heading."""

    def __init__(self, character: Character) -> None:
        self._character = character
        self._motions: dict[str, Motion] = {}
        self._orientations: dict[str, np.ndarray] = {}

    def __contains__(self, role: str) -> bool:
        return role in self._motions

    def motions(self) -> Iterator[tuple[str, Motion]]:
        """Yield the roles and their motions."""
        yield from self._motions.items()

    def has(self, role: str) -> bool:
        """Return whether the rig has a bone for a role."""
        return self._character.row(role) is not None

    def put(self, role: str, orientation: np.ndarray, head: np.ndarray) -> None:
        """Pose a bone: `orientation` `(f, 3, 3)` relative to the reference pose, `head` `(f, 3)`."""
        self._orientations[role] = orientation
        self._motions[role] = Motion(
            times(orientation, self._character.reference[role]), head, self._character.rest_head(role)
        )

    def hang(self, role: str, holder: str, orientation: np.ndarray) -> None:
        """Pose a bone whose head is carried by another's."""
        self.put(role, orientation, self.carried(holder, self._character.rest_head(role)))

    def ride(self, role: str, holder: str) -> None:
        """Pose a bone that is fixed to another."""
        motion = self._motions[holder]
        turn = times(motion.rotation, self._character.reference[role].T)
        self.hang(role, holder, turn)

    def orientation(self, role: str) -> np.ndarray:
        """Return the orientation `(f, 3, 3)` of a posed bone."""
        return self._orientations[role]

    def carried(self, role: str, point: np.ndarray) -> np.ndarray:
        """Return the positions `(f, 3)` of a point `(3,)` of the rest pose, carried by a posed bone."""
        return self._motions[role].carry(point)

    def place(self, joint: RestPoint) -> np.ndarray:
        """Return a joint's positions `(f, 3)`."""
        return self.carried(joint.role, joint.rest)

    def rest_head(self, role: str) -> np.ndarray:
        """Return the head `(3,)` of a role's bone at rest."""
        return self._character.rest_head(role)

    def in_reference(self, role: str, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the line `(3,)` between two points of the rest pose on a role's bone, as it lies in the
        reference pose."""
        return self._character.reference[role] @ (end - start)


def shares(lengths: np.ndarray) -> np.ndarray:
    """Return the share `(n,)` of the turn between the ends that each of `n` bones has reached: joints turn in
    proportion to bone length.

    The last is 1.  If all lengths are zero the shares are even.
    """
    total = np.sum(lengths)
    return np.cumsum(lengths) / total if total > 0.0 else np.arange(1, len(lengths) + 1) / len(lengths)


def _shared(start: np.ndarray, end: np.ndarray, share: np.ndarray) -> list[np.ndarray]:
    """Return the rotations `(f, 3, 3)` at each `share` `(n,)` between `start` and `end` `(f, 3, 3)`, on the
    shortest arc."""
    turn = rotation_vector(transposed(start) @ end)
    angle, axis = norms(turn), normalized(turn)
    return [start @ from_axis_angle(axis, part * angle) for part in share]


def bend(
    bones: np.ndarray,
    start: np.ndarray,
    end: np.ndarray,
    share: np.ndarray,
    reach: np.ndarray,
    pole: np.ndarray,
) -> list[np.ndarray]:
    """Return the rotations `(f, 3, 3)` of `n` bones that are `bones` `(n, 3)` from joint to joint when
    unrotated.

    First the turn from `start` to `end` `(f, 3, 3)` is distributed: bone i takes `share[i]` of it. Then the
    lower and the upper half of
    the row, each kept in its bent shape, are solved as two bones that end `reach` `(f, 3)` from the row's
    start, with their joint to the
    side `pole` `(f, 3)`; out of reach the row is straightened towards it.  A single bone points there.
    """
    turns = _shared(start, end, share)
    lines = [turn @ bone for turn, bone in zip(turns, bones, strict=True)]
    split = _middle(norms(bones))
    lower, upper = _sum(lines[:split], reach), _sum(lines[split:], reach)
    if split == 0:
        swings = [between(upper, reach)] * len(bones)
    else:
        joint, tip = two_bones(np.zeros_like(reach), reach, pole, norms(lower), norms(upper), lower + upper)
        swings = [between(lower, joint)] * split + [between(upper, tip - joint)] * (len(bones) - split)
    return [swing @ turn for swing, turn in zip(swings, turns, strict=True)]


def _middle(lengths: np.ndarray) -> int:
    """Return the joint nearest to the middle of a row, 0 if fewer than two of its bones have a length."""
    if np.count_nonzero(lengths > 0.0) < 2:
        return 0
    reached, total = np.cumsum(lengths)[:-1], np.sum(lengths)
    between_ends = (reached > 0.0) & (reached < total)
    return 1 + int(np.argmin(np.where(between_ends, np.abs(reached - total / 2.0), np.inf)))


def _sum(lines: list[np.ndarray], like: np.ndarray) -> np.ndarray:
    return sum(lines, np.zeros_like(like))


_STEADY = 1e-3  # chain lengths: a middle nearer to the line bends towards the body's back
# chain lengths: the least distance assumed of a source's middle from the line, so that it has a side
_STRAIGHT = 0.02


def pose_trunk_chain(
    body: PosedBody, anatomy: ChainAnatomy, coded: Chain, end: np.ndarray, source_rest: np.ndarray | None
) -> None:
    """Pose the bones of spine or neck and the bone at the chain's end, whose orientation is `end` `(f, 3,
    3)`.

    `source_rest` `(2, 3)`: the shape of the encoded chain (see `Measures.rest`); None stands for this body's
    own.
    """
    bones = [*anatomy.bones, *([anatomy.end] if anatomy.end not in anatomy.bones else [])]
    if bones[-1] in body:  # without a spine the chest is the pelvis
        return
    holder = anatomy.holder.role
    start = body.orientation(holder)
    heads = [body.rest_head(role) for role in bones]
    free = np.array(
        [
            body.in_reference(role, *ends)
            for role, *ends in zip(bones[:-1], heads[:-1], heads[1:], strict=True)
        ]
    ).reshape(-1, 3)
    lengths = norms(free)
    share = shares(np.append(lengths, lengths.mean() if len(lengths) else 1.0))[:-1]
    begin = body.carried(holder, heads[0])
    if anatomy.length > 0.0 and coded.effector.any():
        middle = part_way(start, end, np.full(len(start), 0.5))
        effector, pole = _goal(anatomy, coded, middle, source_rest)
        tip = end @ body.in_reference(bones[-1], heads[-1], anatomy.effector.rest)
        reach = body.carried(holder, anatomy.root.rest) + effector - tip - begin
        turns = bend(free, start, end, share, reach, pole)
    else:
        turns = _shared(start, end, share)
    for role, turn, line in zip(bones[:-1], turns, free, strict=True):
        body.put(role, turn, begin)
        begin = begin + turn @ line
    body.put(bones[-1], end, begin)


def _goal(
    anatomy: ChainAnatomy, coded: Chain, halfway: np.ndarray, source_rest: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the vector from the root to the effector, metres, and the one towards the middle, both `(f, 3)`.

    `halfway` `(f, 3, 3)`: the orientation halfway between the ends of the chain. A body bent at rest stays
    bent: the rotation between
    both bodies' directions at rest is applied at the middle of the chain, and the middle's offset counts from
    its position at rest.
    """
    effector = coded.effector * anatomy.length
    steady = halfway @ (_STEADY * anatomy.hinge)
    if source_rest is None or not source_rest[1].any():
        return effector, coded.up + steady
    turn = halfway @ between(source_rest[1], anatomy.rest_shape[1]) @ transposed(halfway)
    bent = coded.up * _height(coded.effector, source_rest)[:, None] - halfway @ _aside(source_rest)
    pole = rotated(turn, bent) + halfway @ _aside(anatomy.rest_shape)
    return rotated(turn, effector), pole + steady


def _aside(rest: np.ndarray) -> np.ndarray:
    """Return the offset `(3,)` of the middle from the straight line at rest."""
    middle, end = rest
    return middle - end * (middle @ end) / max(end @ end, 1e-12)


def _height(effector: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Return the distance `(f,)` of the middle from the line to an effector `(f, 3)`, in chain lengths, for
    both halves' rest lengths."""
    lower, upper = norms(rest[0]), norms(rest[1] - rest[0])
    reach = np.clip(norms(effector), max(abs(lower - upper), 1e-9), lower + upper)
    along = (reach**2 + lower**2 - upper**2) / (2.0 * reach)
    return np.sqrt(np.maximum(lower**2 - along**2, _STRAIGHT**2))
