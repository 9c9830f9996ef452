"""A rig's switches by RNA path: properties of bones, object or armature; influences of constraints and their
stretch.

Only these can be read and set, whatever path a file contains.
"""

import re
from functools import lru_cache
from typing import Any

import bpy
from bpy.types import Object

from ..snapshot import CONSTRAINT_SWITCHES, DATA, put_switch, switch_value

_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_BONE_PROPERTY = re.compile(rf"pose\.bones\[{_QUOTED}\]\[{_QUOTED}\]")
_OWN_PROPERTY = re.compile(rf"(data)?\[{_QUOTED}\]")
_CONSTRAINT = re.compile(rf"pose\.bones\[{_QUOTED}\]\.constraints\[{_QUOTED}\]\.(\w+)")


@lru_cache(maxsize=4096)
def parts(path: str) -> tuple[str, str, str] | None:
    """Return bone, constraint and property of a switch, as `snapshot.set_switches` takes them; None for other
    paths."""
    plain = bpy.utils.unescape_identifier
    if found := _BONE_PROPERTY.fullmatch(path):
        return plain(found[1]), "", plain(found[2])
    if (found := _CONSTRAINT.fullmatch(path)) and found[3] in CONSTRAINT_SWITCHES:
        return plain(found[1]), plain(found[2]), found[3]
    if found := _OWN_PROPERTY.fullmatch(path):
        return "", DATA if found[1] else "", plain(found[2])
    return None


def value(obj: Object, path: str) -> Any:
    """Return a switch's value; None if the rig has no such switch or its value is not a number."""
    switch = parts(path)
    held = switch_value(obj, *switch) if switch else None
    return held if isinstance(held, bool | int | float) else None


def put(obj: Object, path: str, wanted: float) -> None:
    """Set an existing switch; it keeps its type, or the rig's drivers and sliders would change theirs."""
    switch, before = parts(path), value(obj, path)
    if switch and before is not None:
        put_switch(obj, *switch, type(before)(wanted))


def limits(obj: Object, path: str) -> tuple[float, float]:
    """Return the range that a switch shows in the interface."""
    switch = parts(path)
    if switch is None or switch[1] not in ("", DATA):
        return 0.0, 1.0
    bone, constraint, key = switch
    holder = obj.pose.bones[bone] if bone else obj.data if constraint == DATA else obj
    try:
        shown = holder.id_properties_ui(key).as_dict()
    except TypeError:  # of a kind without a range
        return 0.0, 1.0
    return float(shown.get("min", 0.0)), float(shown.get("max", 1.0))
