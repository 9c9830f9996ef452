"""What a walk was set to and the file no longer has, as after a script has removed it: Blender empties the setting and tells nobody."""

import bpy

from ...live.memory import Memory

LEADS = {
    "path": "Path",
    "ground": "Ground",
    "ground_collection": "Ground Collection",
    "stand_on": "Stand On",
    "look_at": "Look At",
    "face": "Face",
}

_set_to: Memory[dict[str, tuple[str, int]]] = Memory()


def note(obj: bpy.types.Object) -> None:
    """Remember what a walk is set to, by name and identity; called whenever it is worked out anew."""
    known, walk = _set_to.get(obj) or {}, obj.neurarig.walk
    for setting in LEADS:
        thing = getattr(walk, setting)
        if thing is not None:
            known[setting] = thing.name, thing.session_uid
        elif setting in known and not _is_gone(known[setting][1]):
            del known[setting]  # cleared by hand
    _set_to[obj] = known


def gone_words(obj: bpy.types.Object) -> tuple[str, ...]:
    """Return a sentence for each thing that a walk was set to when it was last worked out, and that was removed since then."""
    known, walk = _set_to.get(obj), obj.neurarig.walk
    if not known:
        return ()
    lost = ((setting, *known[setting]) for setting in LEADS if setting in known and getattr(walk, setting) is None)
    return tuple(
        f"'{name}' was removed from the file. The walk goes on without it; choose another {LEADS[setting]}."
        for setting, name, uid in lost
        if _is_gone(uid)
    )


def forget(obj: bpy.types.Object | None = None) -> None:
    """Drop what is remembered of a character (None: of all)."""
    _set_to.forget(obj)


def _is_gone(uid: int) -> bool:
    return all(thing.session_uid != uid for things in (bpy.data.objects, bpy.data.collections) for thing in things)
