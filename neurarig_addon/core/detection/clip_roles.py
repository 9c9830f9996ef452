"""Who is who in a clip whose skeleton rests as nobody stands: found in a pose of the clip."""

from ..errors import NeuraRigError
from ..skeleton.clip import Clip
from ..skeleton.roles import RoleMap
from .detect import detect


def detect_of(clip: Clip) -> RoleMap:
    """Return the roles of the skeleton of a clip: at rest, or where it is none of a biped then, as it is posed first, midway or last.

    Raises the NeuraRigError of the rest pose where it is none of a biped in any of them.
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
