"""How a character is posed, what it plays and how it stood, restored when a bake fails half-way or something
is refused."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object, PoseBone, PropertyGroup

from ..animation import compat
from ..animation.objects import is_deleted
from . import ledger, record, stash
from .controls.snapshot import POSE_PROPERTIES, restore_pose

_KEPT = ("name", "kind", "action", "slot", "slot_name", "track", "renames")  # fields of `NeuraRigKept`


@contextmanager
def as_before(obj: Object) -> Iterator[None]:
    """Restore what a character plays, its live state and its pose if the block fails."""
    before, stood = PlayedBefore.of(obj), take(obj)
    try:
        yield
    except BaseException:
        if not is_deleted(obj):
            before.come_back(obj)
            restore(obj, stood)
        raise


@dataclass(frozen=True)
class PlayedBefore:
    """What moves a character: its holder and whether that is live, its animation data, and the notes about
    it.

    `tracks`: NLA track name -> muted, plays alone. `muted`: bone, constraint and whether that is muted.
    `kept`: rows of `_KEPT`.
    `place`: where it is carried from, and how far.
    """

    holder: str
    live: bool
    has_data: bool
    use_nla: bool
    playing: tuple[Action | None, Any]
    tracks: dict[str, tuple[bool, bool]]
    muted: tuple[tuple[str, str, bool], ...]
    stash: str
    kept: tuple[tuple[Any, ...], ...]
    place: tuple[tuple[str, Any], ...]
    report: str

    @classmethod
    def of(cls, obj: Object) -> "PlayedBefore":
        data, holder, own = obj.animation_data, record.holder_of(obj), obj.neurarig
        return cls(
            holder=holder,
            live=bool(holder) and record.is_live(obj, holder),
            has_data=data is not None,
            use_nla=data is not None and data.use_nla,
            playing=compat.playing(obj),
            tracks={track.name: (track.mute, track.is_solo) for track in compat.tracks(obj)},
            muted=tuple(
                (bone.name, each.name, each.mute) for bone in obj.pose.bones for each in bone.constraints
            ),
            stash=own.stash,
            kept=tuple(tuple(getattr(item, name) for name in _KEPT) for item in own.kept),
            place=(
                *((name, np.array(getattr(own, name)).T.ravel()) for name in ("origin", "step")),
                ("is_carried", own.is_carried),
            ),
            report=getattr(record.settings_of(obj, holder), "report", "") if holder else "",
        )

    def come_back(self, obj: Object) -> None:
        """Restore all of it; going live sets aside what plays over it, so that comes first."""
        if self.holder and record.holder_of(obj) == self.holder:
            _set_live(record.settings_of(obj, self.holder), self.live)
        data = obj.animation_data
        if data is not None and not self.has_data:
            obj.animation_data_clear()
        elif data is not None:
            for track in [track for track in data.nla_tracks if track.name not in self.tracks]:
                data.nla_tracks.remove(track)
            for track in data.nla_tracks:
                mute, alone = self.tracks[track.name]
                if track.mute != mute:
                    track.mute = mute
                if track.is_solo != alone:
                    track.is_solo = alone
            data.use_nla = self.use_nla
            stash.play(obj, *self.playing)
        for bone, name, mute in self.muted:
            constraint = obj.pose.bones[bone].constraints.get(name) if bone in obj.pose.bones else None
            if constraint is not None and constraint.mute != mute:
                constraint.mute = mute
        obj.neurarig.stash = self.stash
        obj.neurarig.kept.clear()
        for row in self.kept:
            item = obj.neurarig.kept.add()
            for name, value in zip(_KEPT, row, strict=True):
                setattr(item, name, value)
            if item.kind == ledger.BAKE and item.action is not None:
                item.action[ledger.BAKE_MARK] = True
        for name, value in self.place:
            setattr(obj.neurarig, name, value)
        if self.report:
            record.settings_of(obj, self.holder).report = self.report


def _set_live(settings: PropertyGroup, live: bool) -> None:
    """Restore a mode's live state, without marking its report as outdated."""
    was_old = getattr(settings, "report_is_old", False)
    settings.live = live
    if hasattr(settings, "report_is_old"):
        settings.report_is_old = was_old


def take(obj: Object) -> dict[str, Any]:
    """Return an object's own channels and its pose; nothing for an object without animation, which stays as
    it is."""
    if obj.animation_data is None:
        return {}
    bones = obj.pose.bones
    modes = np.empty(len(bones), dtype=np.int32)
    bones.foreach_get("rotation_mode", modes)
    poses = {name: np.empty(size * len(bones), dtype=np.float32) for name, size in POSE_PROPERTIES.items()}
    for name, values in poses.items():
        bones.foreach_get(name, values)
    return {
        "own": {name: getattr(obj, name)[:] for name in POSE_PROPERTIES},
        "bones": bones.keys(),
        "modes": modes,
        "poses": poses,
    }


def restore(obj: Object, taken: dict[str, Any]) -> None:
    """Restore an object's channels and pose; bones that are gone are skipped."""
    if not taken:
        return
    bpy.context.view_layer.update()  # an evaluation after this would return it to its keys
    for name, values in taken["own"].items():
        if getattr(obj, name)[:] != values:
            setattr(obj, name, values)
    modes = {item.value: item.identifier for item in PoseBone.bl_rna.properties["rotation_mode"].enum_items}
    rows = {
        name: values.reshape(-1, POSE_PROPERTIES[name]).tolist() for name, values in taken["poses"].items()
    }
    pose = {
        bone: {name: values[row] for name, values in rows.items()}
        | {"rotation_mode": modes[taken["modes"][row]]}
        for row, bone in enumerate(taken["bones"])
    }
    restore_pose(obj, pose)
