"""What must hold before a character is posed, and what stays of a pose that failed."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ...core.errors import NeuraRigError
from ..animation.gone import is_gone
from ..character import attached, record
from ..character.controls import REACH
from ..character.controls.attachment import FK
from ..character.record import POSE
from ..character.requirements import require_editable
from . import live, settings, targets

KINDS = {"FK": FK, "IK": REACH}  # of the settings, and of the controls


def require_attached(obj: bpy.types.Object) -> None:
    """Refuse a character without targets."""
    require_editable(obj)
    record.require_held_by(obj, POSE)


def checked_kind(kind: str) -> str:
    """Return a kind of controls that a pose can go to; raises NeuraRigError for another."""
    if kind not in KINDS:
        raise NeuraRigError(f"'{kind}' is not a choice for controls; choose one of {', '.join(KINDS)}.")
    return kind


@contextmanager
def ready(obj: bpy.types.Object, kind: str) -> Iterator[None]:
    """Have a character ready to be posed, 'FK' or 'IK', within the block and afterwards; where the block fails, all is as before."""
    own = obj.neurarig.neural_pose
    was_held, was_live = record.holds(obj, POSE), own.live
    try:
        with attached.attached(obj, bpy.context.scene, POSE, KINDS[kind]):
            yield
    except BaseException:
        if not is_gone(obj):
            with settings.changes.as_one(obj):
                if not was_held:
                    targets.remove(obj)
                own.live = was_live
            live.forget(obj)
        raise
