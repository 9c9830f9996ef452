"""The roles of skeletons that were asked for a moment ago: Generate Walk asks twice, and for everybody of a
crowd."""

from dataclasses import dataclass, field
from functools import lru_cache

from ..errors import NeuraRigError
from ..skeleton.clip import Clip
from ..skeleton.roles import RoleMap
from ..skeleton.skeleton import Skeleton
from .detect import detect

SKELETONS = 16


@dataclass(frozen=True)
class _Question:
    """A skeleton, equal to any other with the same `content`."""

    content: tuple
    skeleton: Skeleton = field(compare=False)


def roles_of(skeleton: Skeleton) -> RoleMap:
    """Return what `detect` returns; raises what it raises."""
    arrays = (
        skeleton.parents,
        skeleton.rest,
        skeleton.lengths,
        skeleton.deform,
        skeleton.to_world,
        *skeleton.turned.values(),
    )
    held = ((array.dtype.str, array.tobytes()) for array in arrays)
    return _answer(_Question((skeleton.names, *skeleton.turned, *held), skeleton))


@lru_cache(maxsize=SKELETONS)
def _answer(question: _Question) -> RoleMap:
    return detect(question.skeleton)


def detect_of(clip: Clip) -> RoleMap:
    """Return the roles of a clip's skeleton: at rest, or if no biped is found then, in its first, middle or
    last pose.

    Raises the NeuraRigError of the rest pose if no biped is found in any of them.
    """
    try:
        return detect(clip.skeleton)
    except NeuraRigError as refusal:
        for row in dict.fromkeys((0, len(clip) // 2, len(clip) - 1)):
            try:
                return detect(clip.posed(row))
            except NeuraRigError:
                continue
        raise refusal
