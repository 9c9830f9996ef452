"""The roles in a clip whose skeleton's rest pose is not a standing one: found in a pose of the clip."""

from ..errors import NeuraRigError
from ..skeleton.clip import Clip
from ..skeleton.roles import RoleMap
from .detect import detect


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
