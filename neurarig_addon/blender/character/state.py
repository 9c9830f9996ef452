"""The state of a character, as told in docs/internals/architecture.md: derived, never stored, so it is
correct after undo and loading."""

from enum import Enum

from bpy.types import Object

from . import bakes, record


class State(Enum):
    """What moves a character."""

    FREE = "free"  # nothing of ours
    LIVE = "live"  # its holder, on every frame
    BAKED = "baked"  # an action baked from it
    STOPPED = "stopped"  # nothing: its holder cannot pose it, with a reason
    PAUSED = "paused"  # nothing: its holder is paused


def not_free_for(obj: Object, holder: str) -> str:
    """Return a sentence about which other mode holds a character, and what ends that; '' if none does, or
    only by a bake."""
    return "" if holder and state_of(obj) is State.BAKED else record.not_free_for(obj, holder)


def state_of(obj: Object) -> State:
    """Return the state of a character."""
    holder = record.holder_of(obj)
    if not holder:
        return State.FREE
    if record.is_live(obj, holder):
        return State.LIVE
    if bakes.plays_ours(obj):
        return State.BAKED
    return State.STOPPED if record.settings_of(obj, holder).error else State.PAUSED
