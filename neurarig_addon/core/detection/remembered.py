"""The roles of skeletons that were asked for a moment ago: Generate Walk asks twice, and for everybody of a
crowd."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from ..errors import NeuraRigError
from ..skeleton.clip import Clip
from ..skeleton.roles import RoleMap
from ..skeleton.skeleton import Skeleton
from .detect import detect_animal, detect_on_two_legs

SKELETONS = 32  # two questions each


@dataclass(frozen=True)
class _Question:
    """A skeleton, equal to any other with the same `content`."""

    content: tuple
    skeleton: Skeleton = field(compare=False)


def roles_of(poses: Iterable[Skeleton]) -> RoleMap:
    """Return the roles of a biped or bird in the first of some poses in which it stands on two legs, else of
    an animal in the first in which it is that; raises what `detect` raises of the first pose."""
    refusals, questions = [], []
    for pose in poses:
        questions.append(_question(pose))
        answer = _answer(detect_on_two_legs, questions[-1])
        if isinstance(answer, RoleMap):
            return answer
        refusals.append(answer)
    for question in questions:
        answer = _answer(detect_animal, question)
        if isinstance(answer, RoleMap):
            return answer
    raise NeuraRigError(str(refusals[0]))


def detect_of(clip: Clip) -> RoleMap:
    """Return the roles of a clip's skeleton, as `roles_of` does: at rest, or in its first, middle or last
    pose."""
    rows = dict.fromkeys((0, len(clip) // 2, len(clip) - 1))
    return roles_of(chain([clip.skeleton], map(clip.posed, rows)))


def _question(skeleton: Skeleton) -> _Question:
    arrays = (
        skeleton.parents,
        skeleton.rest,
        skeleton.lengths,
        skeleton.deform,
        skeleton.to_world,
        *skeleton.turned.values(),
    )
    held = ((array.dtype.str, array.tobytes()) for array in arrays)
    return _Question((skeleton.names, *skeleton.turned, *held), skeleton)


@lru_cache(maxsize=SKELETONS)
def _answer(ask: Callable[[Skeleton], RoleMap | None], question: _Question) -> RoleMap | NeuraRigError | None:
    """Return what is found, or the error that is raised: it is remembered too."""
    try:
        return ask(question.skeleton)
    except NeuraRigError as refusal:
        return refusal
