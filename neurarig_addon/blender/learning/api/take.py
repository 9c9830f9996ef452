"""Turn Clip into Walk, for scripts; exported by `blender.api`.

made = api.make_parametric(hero, "walk.bvh")
hero.neurarig.walk.speed *= 1.2
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import bpy
import numpy as np
from bpy.types import Action, Object

from ....core.errors import NeuraRigError, about
from ....core.gait.inputs.print_edits import NO_EDITS
from ....core.gait.sliders.style import Style
from ....core.geometry.vectors import transformed
from ....core.path.curve import Curve
from ....core.path.path import Path as CorePath
from ....core.skeleton.roles import require_two_legs
from ....core.takes.parametric import Parametric, made_parametric
from ....core.takes.performance import Performance
from ...animation.frame_range import checked_frame
from ...animation.objects import is_deleted
from ...animation.steps import Steps, at_once, part_of
from ...character import holding, record, slider_curves
from ...character.read_character import read_character
from ...character.record import WALK
from ...character.roles import role_map
from ...retarget import read_source
from ...retarget import source as clip_source
from ...retarget.source import ClipSource
from ...walk.api import walk as walks
from ...walk.api.print_sets import set_edits
from ...walk.changes import changes
from ...walk.manner import gait_source, styles
from ...walk.manner.gait_source import natural_gait
from ...walk.settings.backup import kept_on_failure
from ...walk.source.walk_frame import walk_frame
from ...walk.way import path
from ...walk.way.keyed_path import new_curve
from ...walk.way.path import line_of

Source = str | Path | Action | Object


@dataclass(frozen=True)
class ParametricResult:
    """The result of Turn Clip into Walk: the `path` (a curve object) and the clip's `style` by name, '' if it
    has no steady stride.

    `off_mm`, `worst_mm`: deviation of joints from the clip's, the mean and the worst joint's, on a person of
    1.75 m.
    `seconds`: first and last second of the clip that walk.  `report`: the contact report.
    """

    path: Object
    style: str
    off_mm: float
    worst_mm: float
    seconds: tuple[float, float]
    report: dict


@at_once
def make_parametric(
    obj: Object,
    source: Source | None = None,
    *,
    armature: Object | None = None,
    frame_start: int | None = None,
) -> Steps[ParametricResult]:
    """Turn a clip into a live walk of a character: played back it is the clip, and speed, path, ground,
    prints and style can be changed.

    Args:
        obj: the armature object that walks; it may be the clip's own.
        source: a file (.bvh, .fbx, .glb, .gltf, .npz), an action, or an armature object for its present
        motion. None: that of `obj`.
        armature: owner of the action; by default the character.
        frame_start: first frame of the walk; by default where the clip begins, a file with the scene.

    Raises NeuraRigError, with nothing changed, if the clip does not walk.

    Returns a `ParametricResult`: `path` (the curve), `style`, and how far joints are off (`off_mm`).
    """
    holding.require_attachable(obj, WALK)
    require_two_legs(role_map(obj), "styles, and clips as walks, are learned from people")
    if keyed := slider_curves.find(obj):
        raise NeuraRigError(
            f"'{obj.name}' has keys on the walk's {next(iter(keyed))}. Remove the keys of its sliders first."
        )
    clip = clip_source_of(obj, source, armature)
    if frame_start is not None:
        checked_frame(frame_start, "start frame")
    return _steps(obj, clip, frame_start)


def remove_take(obj: Object) -> None:
    """Remove a character's recorded walk; path, speed and style stay.

    Raises NeuraRigError without a recorded walk.
    """
    gait_source.drop_take(obj)


def clip_source_of(obj: Object, source: Source | None, armature: Object | None) -> ClipSource:
    """Return the source of the clip; raises NeuraRigError if it cannot be one."""
    if isinstance(source, str | Path):
        found = ClipSource(file=Path(bpy.path.abspath(str(source))))
    elif isinstance(source, Action):
        found = ClipSource(armature or obj, source)
    else:
        found = ClipSource(source or armature or obj)
    clip_source.check(found)
    if found.armature == obj and record.is_attached(obj):
        raise NeuraRigError(
            f"'{obj.name}' is posed by NeuraRig, so its own clip cannot be read. Remove its walk, clip or"
            " targets first."
        )
    return found


def _steps(obj: Object, source: ClipSource, frame_start: int | None) -> Steps[ParametricResult]:
    context, scene = bpy.context, bpy.context.scene
    clips = yield from part_of(read_source.read_steps(context, source), 0.0, 0.3)
    encoding = max(clips, key=len)
    with about(source.label):
        performance = Performance.of(encoding, read_character(obj, scene))
        yield 0.4
        to_world, leg = walk_frame(obj, scene)
        place = _Placed(obj, to_world, leg)
        with place.removed_on_failure():
            making = made_parametric(performance, natural_gait(), place.lead)
            found = yield from part_of(making, 0.4, 0.6)
            begins = scene.frame_start if source.file is not None else float(encoding.frames[0])
            begins += found.seconds[0] * scene.render.fps / scene.render.fps_base
            report = yield from part_of(
                _walked(obj, found, place.path, begins if frame_start is None else float(frame_start)),
                0.6,
                1.0,
            )
    style = found.style.name if found.style else ""
    return ParametricResult(place.path, style, found.off_mm, found.worst_mm, found.seconds, report)


def _walked(obj: Object, found: Parametric, curve: Object, begins: float) -> Steps[dict]:
    """Generate a character's walk from what was found, and return its contact report; if that fails, settings
    are restored."""
    sliders = asdict(Style()) | {"speed": found.speed, "phase": found.phase}
    plain = {
        "gait_source": "HUMAN",
        "use_network": True,
        "gait": "WALK",
        **dict.fromkeys(("ground", "face", "look_at", "stand_on")),
    }
    way = {
        "mode": "PATH",
        "path": curve,
        "slow_in_bends": False,
        "start_standing": False,
        "arrive": None,
        "markers": [],
    }
    with kept_on_failure(obj):
        with changes.as_one(obj):
            set_edits(obj, NO_EDITS)
            styles.set_all(obj, {})
            if found.style is not None:
                styles.put(obj, found.style)
            gait_source.put_take(obj, found.take)
        return (yield from walks.generate_walk.steps(obj, start_frame=begins, **sliders, **way, **plain))


class _Placed:
    """The path of a clip as a curve object of the scene, made once the path is known."""

    def __init__(self, obj: Object, to_world: np.ndarray, leg_length: float) -> None:
        self.obj, self.to_world, self.leg_length = obj, to_world, leg_length
        self.path: Object | None = None

    def lead(self, line: np.ndarray) -> CorePath:
        """Make the curve object through points `(n, 3)` in the character's walk frame, and return the path as
        the walk will read it."""
        self.path = new_curve(self.obj, transformed(line, self.to_world))
        points, _ = line_of(self.path.data)
        return Curve.through(
            path.in_walk(points, self.to_world, self.leg_length), self.leg_length, slows=False
        )

    @contextmanager
    def removed_on_failure(self) -> Iterator[None]:
        """Remove the curve object if the block fails."""
        try:
            yield
        except BaseException:
            if self.path is not None and not is_deleted(self.path):
                curve = self.path.data
                bpy.data.objects.remove(self.path)
                bpy.data.curves.remove(curve)
            raise
