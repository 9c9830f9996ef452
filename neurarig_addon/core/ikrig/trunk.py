"""Spine and neck on another body: as far from its rest shape as the source's are from the source's."""

import numpy as np

from ..geometry.rotation import between, dot, part_way
from . import chain as row
from .anatomy import ChainAnatomy
from .encoding import Chain
from .posing import PosedBody

_STEADY = 1e-3  # chain lengths: a middle nearer to the line bends towards the body's back
_STRAIGHT = 0.02  # chain lengths: the least distance assumed of a source's middle from the line, so that it has a side


def pose_trunk_chain(body: PosedBody, anatomy: ChainAnatomy, coded: Chain, end: np.ndarray, source_rest: np.ndarray | None) -> None:
    """Pose the bones of spine or neck and the bone at the chain's end, whose orientation is `end` `(f, 3, 3)`.

    `source_rest` `(2, 3)`: the shape of the encoded chain (see `Measures.rest`); None stands for this body's own.
    """
    bones = [*anatomy.bones, *([anatomy.end] if anatomy.end not in anatomy.bones else [])]
    if bones[-1] in body:  # without a spine the chest is the pelvis
        return
    holder = anatomy.holder.role
    start = body.orientation(holder)
    heads = [body.rest_head(role) for role in bones]
    free = np.array([body.in_reference(role, *ends) for role, *ends in zip(bones[:-1], heads[:-1], heads[1:], strict=True)]).reshape(-1, 3)
    lengths = np.linalg.norm(free, axis=-1)
    share = row.shares(np.append(lengths, lengths.mean() if len(lengths) else 1.0))[:-1]
    begin = body.carried(holder, heads[0])
    if anatomy.length > 0.0 and coded.effector.any():
        middle = part_way(start, end, np.full(len(start), 0.5))
        effector, pole = _goal(anatomy, coded, middle, source_rest)
        tip = end @ body.in_reference(bones[-1], heads[-1], anatomy.effector.rest)
        reach = body.carried(holder, anatomy.root.rest) + effector - tip - begin
        turns = row.bend(free, start, end, share, reach, pole)
    else:
        turns = row.shared(start, end, share)
    for role, turn, line in zip(bones[:-1], turns, free, strict=True):
        body.put(role, turn, begin)
        begin = begin + turn @ line
    body.put(bones[-1], end, begin)


def _goal(anatomy: ChainAnatomy, coded: Chain, halfway: np.ndarray, source_rest: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the vector from the root to the effector, metres, and the one towards the middle, both `(f, 3)`.

    `halfway` `(f, 3, 3)`: the orientation halfway between the ends of the chain.  A body bent at rest stays bent: the rotation between
    both bodies' directions at rest is applied at the middle of the chain, and the middle's offset counts from its position at rest.
    """
    effector = coded.effector * anatomy.length
    steady = halfway @ (_STEADY * anatomy.hinge)
    if source_rest is None or not source_rest[1].any():
        return effector, coded.up + steady
    turn = halfway @ between(source_rest[1], anatomy.rest_shape[1]) @ np.swapaxes(halfway, -1, -2)
    bent = coded.up * _height(coded.effector, source_rest)[:, None] - halfway @ _aside(source_rest)
    pole = (turn @ bent[..., None])[..., 0] + halfway @ _aside(anatomy.rest_shape)
    return (turn @ effector[..., None])[..., 0], pole + steady


def _aside(rest: np.ndarray) -> np.ndarray:
    """Return the offset `(3,)` of the middle from the straight line at rest."""
    middle, end = rest
    return middle - end * (middle @ end) / max(end @ end, 1e-12)


def _height(effector: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Return the distance `(f,)` of the middle from the line to an effector `(f, 3)`, in chain lengths, for both halves' rest lengths."""
    lower, upper = np.linalg.norm(rest[0]), np.linalg.norm(rest[1] - rest[0])
    reach = np.clip(np.sqrt(dot(effector, effector)), max(abs(lower - upper), 1e-9), lower + upper)
    along = (reach**2 + lower**2 - upper**2) / (2.0 * reach)
    return np.sqrt(np.maximum(lower**2 - along**2, _STRAIGHT**2))
