"""Deleted things that lead a walk: they stay in the file for the walk, or a script removed them and Blender cleared the setting."""

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
    """Remember what a walk is set to follow, by name and identity; called whenever its path and ground are read again."""
    known, walk = _set_to.get(obj) or {}, obj.neurarig.walk
    for setting in LEADS:
        thing = getattr(walk, setting)
        if thing is not None:
            known[setting] = thing.name, thing.session_uid
        elif setting in known and not _is_deleted(known[setting][1]):
            del known[setting]  # cleared by hand
    _set_to[obj] = known


def deleted_words(obj: bpy.types.Object) -> tuple[str, ...]:
    """Return a sentence for each deleted thing that leads a walk: deleted from the scene, or from the file since the last `note`."""
    known, walk = _set_to.get(obj) or {}, obj.neurarig.walk
    said = []
    for setting, label in LEADS.items():
        if setting == "path" and walk.mode != "PATH":
            continue
        thing = getattr(walk, setting)
        if thing is None and setting in known and _is_deleted(known[setting][1]):
            said.append(f"'{known[setting][0]}' was removed from the file. The walk goes on without it; choose another {label}.")
        elif isinstance(thing, bpy.types.Object) and not thing.users_scene:
            said.append(f"'{thing.name}' is in no scene, as after deleting it. The walk keeps it; clear {label}, or choose another.")
    return tuple(said)


def forget(obj: bpy.types.Object | None = None) -> None:
    """Forget a character (None: all)."""
    _set_to.forget(obj)


def _is_deleted(uid: int) -> bool:
    return all(thing.session_uid != uid for things in (bpy.data.objects, bpy.data.collections) for thing in things)
