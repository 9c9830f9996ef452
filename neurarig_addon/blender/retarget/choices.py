"""All choices of a retargeted clip, as plain values: read from a target's settings, changed by a script,
stored on success."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object

from ...core.errors import NeuraRigError
from ...core.ikrig.encoding import Encoding
from ...core.ikrig.resample import MOST_FRAMES
from ...core.retarget.options import Follow, RetargetOptions, Root
from ...core.sequence.blocking import FEWEST, LONGEST_S, MOST
from ..animation.curve_pose import PROPERTIES, split_path
from ..animation.frame_range import checked_frame
from .settings import ARMATURE, FILE, OPTIONS, OWN
from .source import ClipSource, curves_of, moves_object

_BY_NAME = {option.name: option for option in OPTIONS}
_FRAMES = {
    "frame_start": "start frame",
    "fill_start": "frame before the gap",
    "fill_end": "frame after the gap",
}
_USUAL = [name for name in _BY_NAME if name != "frame_start"]


@dataclass(frozen=True)
class Choices:
    """One clip for one target: its source, the values of OPTIONS by name, and what leads it where it goes on.

    `frame_start` None: an action keeps its frames, a file begins with the scene.
    """

    source: ClipSource
    values: Mapping[str, Any]
    continue_to: Object | None = None

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @classmethod
    def of(cls, obj: Object, **given: Any) -> "Choices":
        """Return a target's settings, overridden by what is `given`: a source, action and slot or a file, and
        options.

        Raises NeuraRigError if anything given is unknown or invalid, or no source is named.
        """
        settings = obj.neurarig.retarget
        source = _source(
            obj,
            given.pop("source", None),
            given.pop("action", None),
            given.pop("file", None),
            given.pop("slot", ""),
        )
        to = given.pop("continue_to", settings.continue_to)
        chosen = {name: getattr(settings, name) for name in _USUAL}
        if settings.use_frame_start:
            chosen["frame_start"] = settings.frame_start
        if source.armature == obj and source.action is not None and moves_object(obj, source.action):
            chosen["root"] = Root.OBJECT.value  # as in its own action, which would move it a second time
        chosen |= given
        _check(chosen)
        return cls(source, {"frame_start": None} | chosen, to)

    @property
    def options(self) -> RetargetOptions:
        """The choices as options of the core."""
        return RetargetOptions(
            stride=self["stride"],
            contacts=self["contacts"],
            hands=self["contacts"] and self["hands"],
            follow=Follow(self["follow"]),
            arm_spacing_rad=float(np.radians(self["arm_spacing"])),
            root=Root(self["root"]),
            root_smoothing_s=self["root_smoothing"],
        )

    def store(self, obj: Object, source_too: bool = True) -> None:
        """Set a target's settings to these choices."""
        settings = obj.neurarig.retarget
        if source_too:
            self._store_source(obj)
        settings.continue_to = self.continue_to
        for name in _USUAL:
            setattr(settings, name, self[name])
        settings.use_frame_start = self["frame_start"] is not None
        if self["frame_start"] is not None:
            settings.frame_start = self["frame_start"]

    def _store_source(self, obj: Object) -> None:
        settings, source = obj.neurarig.retarget, self.source
        settings.source_kind = FILE if source.file else OWN if source.armature == obj else ARMATURE
        if source.file is None:
            settings.action, settings.slot = source.action, source.slot
            if source.armature != obj:
                settings.source = source.armature
        # an equal path may be stored relative to the .blend
        elif Path(bpy.path.abspath(settings.file)) != source.file:
            settings.file = str(source.file)


def _source(
    obj: Object,
    armature: Object | None,
    action: Action | None,
    file: str | Path | None,
    slot: str,
) -> ClipSource:
    settings = obj.neurarig.retarget
    if file is not None:
        return ClipSource(file=Path(bpy.path.abspath(str(file))))
    if armature is not None:
        return ClipSource(armature, action, slot=slot)
    if action is None and settings.source_kind == FILE:
        if not settings.file:
            raise NeuraRigError(
                "No file to retarget. Choose a .bvh, .fbx, .glb, .gltf, .npz, .npy or .csv file in Retarget."
            )
        return ClipSource(file=Path(bpy.path.abspath(settings.file)))
    if settings.source_kind == OWN:
        return ClipSource(obj, action or settings.action, slot=slot or ("" if action else settings.slot))
    if settings.source is None:
        raise NeuraRigError(f"'{obj.name}' has no source. Choose an armature or a file in Retarget.")
    return ClipSource(
        settings.source, action or settings.action, slot=slot or ("" if action else settings.slot)
    )


def _check(given: dict[str, Any]) -> None:
    for name, value in given.items():
        if name not in _BY_NAME:
            known = ", ".join(("source", "action", "slot", "file", *_BY_NAME, "continue_to"))
            raise NeuraRigError(f"Retargeting has no setting '{name}'; it has {known}.")
        _BY_NAME[name].require(value)
        if name in _FRAMES:
            checked_frame(value, _FRAMES[name])
        if name == "step" and (value < 1 or value > MOST_FRAMES):
            size = "small" if value < MOST_FRAMES else "large"
            raise NeuraRigError(f"The frame step {value:g} is too {size}; use 1 or more, a whole number.")


def poses_of(source: ClipSource, clip: Encoding) -> np.ndarray | None:
    """Return the rows `(n,)` of a clip on which its source has keys, None if these are not a few poses of a
    step."""
    keyed = {
        round(point.co.x - clip.frames[0])
        for curve in curves_of(source)
        if split_path(curve.data_path)[1] in PROPERTIES and not curve.mute
        for point in curve.keyframe_points
    }
    rows = np.array(sorted(row for row in keyed if 0 <= row < len(clip)), dtype=int)
    return rows if FEWEST <= len(rows) <= MOST and rows[-1] - rows[0] <= LONGEST_S * clip.fps else None
