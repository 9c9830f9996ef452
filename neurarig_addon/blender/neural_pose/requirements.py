"""What must hold before a character is posed; each refusal is one sentence with the remedy."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ...core.errors import NeuraRigError
from ..character import requirements
from ..character import stash as animation
from . import live, settings, targets
from . import rig as posed_rig

KINDS = ("FK", "IK")


def require_free(obj: bpy.types.Object) -> None:
    """Refuse a character that something else moves."""
    requirements.require_editable(obj)
    if obj.neurarig.attachment:
        raise NeuraRigError(f"'{obj.name}' walks. Use Remove Walk before it is posed.")
    if obj.neurarig.retarget.attachment:
        raise NeuraRigError(f"'{obj.name}' has a retargeted clip. Use Apply or Remove in Retarget before it is posed.")


def require_attached(obj: bpy.types.Object) -> None:
    """Refuse a character without targets."""
    requirements.require_editable(obj)
    if not posed_rig.is_attached(obj):
        raise NeuraRigError(f"'{obj.name}' has no targets. Use Create Targets first.")


def checked_kind(kind: str) -> str:
    """Return a kind of controls that a pose can go to; raises NeuraRigError for another."""
    if kind not in KINDS:
        raise NeuraRigError(f"'{kind}' is no choice for controls; choose one of {', '.join(KINDS)}.")
    return kind


@contextmanager
def nothing_on_failure(obj: bpy.types.Object) -> Iterator[None]:
    """Take off again what the block has attached where it fails; what was attached before stays, and plays what it did."""
    own = obj.neurarig.neural_pose
    was_attached, was_live, playing = posed_rig.kind_of(obj), own.live, animation.playing(obj)
    try:
        yield
    except BaseException:
        with settings.changes.as_one(obj):
            if not was_attached:
                targets.remove(obj)
            if posed_rig.is_attached(obj) and posed_rig.kind_of(obj) != was_attached:
                posed_rig.detach(obj)
            if was_attached:
                posed_rig.attach(obj, bpy.context.scene, was_attached)
                animation.play(obj, *playing)
            own.live = was_live
        live.forget(obj)
        raise
