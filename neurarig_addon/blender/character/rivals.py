"""A character's own animation that plays over what poses it: the active action and NLA tracks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ..animation import compat
from ..animation.keyframes import bone_path
from . import controls, kept


@dataclass(frozen=True)
class MovedParts:
    """What is moved instead of by the character's own animation: the attachment's bones, and the object's `channels`."""

    attachment: Mapping[str, Any]
    channels: tuple[str, ...] = ()

    def paths(self) -> tuple[str, ...]:
        """Return the prefixes of the RNA paths."""
        bones = {*(row[0] for row in self.attachment["drives"]), *self.attachment["held"]}
        found = tuple(bone_path(name, "") for name in bones)
        return found + tuple(path for path, _ in controls.switches(dict(self.attachment))) + self.channels


def playing(obj: bpy.types.Object, moved: MovedParts) -> tuple[bpy.types.Action | None, list[bpy.types.NlaTrack]]:
    """Return what plays over it: the active action or None, and NLA tracks."""
    data = obj.animation_data
    if data is None:
        return None, []
    paths = moved.paths()
    action, slot = compat.assigned(data)
    over = (
        track
        for track in data.nla_tracks
        if not track.mute and any(strip.action and _plays_over(paths, *compat.assigned(strip)) for strip in track.strips)
    )
    return action if action is not None and _plays_over(paths, action, slot) else None, list(over)


def _plays_over(paths: tuple[str, ...], action: bpy.types.Action, slot: Any) -> bool:
    """Return whether an action was baked by us, or has keys on these paths."""
    return kept.is_bake(action) or any(curve.data_path.startswith(paths) for curve in compat.find_channels(action, slot))
