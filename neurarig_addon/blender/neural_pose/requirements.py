"""What must hold before a character is posed, and what remains if posing fails."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
from bpy.types import Object

from ...core.character.integrity import integrity_figures
from ...core.errors import NeuraRigError
from ..animation.objects import is_deleted
from ..character import holding, integrity, record, stash
from ..character.controls import REACH, PosingChoice
from ..character.controls.attachment import FK
from ..character.read_character import read_character
from ..character.record import POSE
from ..character.requirements import require_editable
from . import live, settings, targets
from .tryout import pose_tryout, tried

KINDS = {"FK": FK, "IK": REACH}  # kind in the settings -> kind of controls


def require_attached(obj: Object) -> None:
    """Refuse a character without targets."""
    require_editable(obj)
    record.require_held_by(obj, POSE)


def require_keyable(obj: Object) -> None:
    """Refuse a character without targets, and one whose action cannot be changed now."""
    require_attached(obj)
    stash.require_untweaked(obj)


def checked_kind(kind: str) -> str:
    """Return a kind of controls that can be posed; raises NeuraRigError for any other."""
    if kind not in KINDS:
        raise NeuraRigError(f"'{kind}' is not a choice for controls; choose one of {', '.join(KINDS)}.")
    return kind


def first_way(kind: str) -> PosingChoice:
    """Return the best way to pose a character by 'FK' or 'IK'."""
    return PosingChoice(KINDS[kind], tryout=pose_tryout, exact=True)


@contextmanager
def ready(obj: Object, way: PosingChoice) -> Iterator[None]:
    """Have a character attached, ready to be posed, in the block and after it, in one piece; if the block
    fails, all is as before."""
    own = obj.neurarig.neural_pose
    was_held, was_live, before = record.holds(obj, POSE), own.live, obj.neurarig.attachment
    try:
        with holding.attached(obj, bpy.context.scene, POSE, way):
            if obj.neurarig.attachment != before:
                _require_tried(obj)
            yield
            require_one_piece(obj)
    except BaseException:
        if not is_deleted(obj):
            with settings.changes.as_one(obj):
                if not was_held:
                    targets.remove(obj)
                own.live = was_live
            live.forget(obj)
        raise


def require_one_piece(obj: Object) -> None:
    """Refuse a character that comes apart in its current pose."""
    integrity.require_now(obj, bpy.context.scene, read_character(obj).roles)


def _require_tried(obj: Object) -> None:
    """Refuse an attached character that comes apart in poses it has not taken yet."""
    rig = live.rig_of(obj)
    integrity.require(obj, integrity_figures(tried(obj, rig, read_character(obj).roles)))
