"""NeuraRig for scripts: the functions behind the buttons, which work without a window.

    from bl_ext.user_default.neurarig.neurarig_addon.blender import api
    hero = bpy.data.objects["Hero"]
    api.generate_walk(hero, speed=1.3, mode="TRAVEL", energy=0.5)
    api.bake_walk(hero, frame_start=1, frame_end=120)

`obj` is an armature object of the current scene.  Whatever the user can mend is raised as a NeuraRigError of one sentence, and the file
is then as it was.
"""

import json
import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..core.body import Body
from ..core.detect import check, detect
from ..core.errors import NeuraRigError
from ..core.gait.cycle import dimensionless_speed
from ..core.gait.style import SLIDERS, Style
from ..core.gait.synthesis import natural_speed
from ..core.measure import measure
from ..core.roles import REQUIRED, RoleMap
from ..core.skeleton import Skeleton
from . import controls, live, presets, report_text
from .bake import bake
from .character import role_map, store_roles
from .contact_report import measure_contacts
from .properties import one_change
from .read_armature import read_skeleton, read_soles
from .walk_source import source_of

CHOICES = {"mode": ("IN_PLACE", "TRAVEL"), "travel_with": ("OBJECT", "BONE")}
SWITCHES = ("whole_frames", "use_network")
NUMBERS = (*SLIDERS, "start_frame")
MEASURED_CYCLES = 2
SAME_SPEED = 1e-4  # m/s; a property is stored as float32


def detect_rig(obj: bpy.types.Object) -> RoleMap:
    """Find who is who on an armature and fill its role list.

    Raises NeuraRigError where it is no biped: the sentence names the bone and the remedy.
    """
    _require_editable(obj)
    roles = detect(_skeleton(obj))
    store_roles(obj, roles)
    live.invalidate(obj)
    return roles


def generate_walk(obj: bpy.types.Object, *, preset: str | None = None, **settings: Any) -> dict:
    """Make a character walk, live, and return its contact report; a character that walks already is set up afresh.

    Args:
        preset: name of a walk preset, applied before the settings.
        settings: sliders and other fields of `Object.neurarig`, e.g. `speed=1.3` (m/s), `mode="TRAVEL"`; what is not given stays as
            it is, and the speed is the natural one for the leg length unless somebody has set another.
    """
    _require_editable(obj)
    _require_settings(settings)
    chosen = presets.load(presets.WALK, preset) if preset else None
    roles, body = _measured(obj)
    if obj.neurarig.attachment:
        remove_walk(obj)
        roles, body = _measured(obj)
    with one_change(obj):
        obj.neurarig.attachment = json.dumps(controls.attach(obj, _skeleton(obj), roles, body))
        store_roles(obj, roles)
        _set_natural_speed(obj, body)
        if chosen:
            _set_walk(obj, chosen)
        for name, value in settings.items():
            setattr(obj.neurarig, name, value)
        live.begin(obj)
        obj.neurarig.error = ""
        obj.neurarig.live = True
    return contact_report(obj)


def resume_walk(obj: bpy.types.Object) -> None:
    """Turn a walk on again that was turned off, by hand or by an error; raises NeuraRigError where the reason is still there."""
    _require_walk(obj)
    live.invalidate(obj)
    source_of(obj, bpy.context.scene)
    with one_change(obj):
        obj.neurarig.error = ""
        obj.neurarig.live = True
    if obj.neurarig.error:
        raise NeuraRigError(obj.neurarig.error)


def remove_walk(obj: bpy.types.Object) -> None:
    """Take the walk off a character: rig, pose and animation are as they were before Generate Walk; sliders and roles stay."""
    _require_walk(obj)
    settings = obj.neurarig
    live.end(obj)
    with one_change(obj):
        settings.live = False
        controls.detach(obj, json.loads(settings.attachment))
        settings.attachment = settings.report = settings.error = ""
    live.invalidate(obj)


def bake_walk(obj: bpy.types.Object, **options: Any) -> bpy.types.Action:
    """Bake a character's walk to a new action and return it.

    Args:
        options: `frame_start`, `frame_end` (default: the scene's), `step`, `target` ('CONTROLS' or 'DEFORM'), `loop`, `push_nla`.
    """
    _require_walk(obj)
    return bake(bpy.context, obj, bake_options(bpy.context.scene, **options))


def contact_report(obj: bpy.types.Object, frames: tuple[int, int] | None = None) -> dict:
    """Measure a walk on the evaluated pose over `frames` (both included; default: its first cycles), store and return the report."""
    _require_walk(obj)
    scene = bpy.context.scene
    if frames is None:
        first = math.ceil(obj.neurarig.start_frame)
        frames = first, first + math.ceil(MEASURED_CYCLES * source_of(obj, scene).cycle_frames)
    report = measure_contacts(bpy.context, obj, np.arange(frames[0], frames[1] + 1))
    obj.neurarig.report = json.dumps(report)
    obj.neurarig.report_is_old = False
    return report


def save_report(obj: bpy.types.Object, path: Path) -> None:
    """Write a character's last contact report as JSON."""
    if not obj.neurarig.report:
        raise NeuraRigError(f"'{obj.name}' has no contact report yet; use Check Contacts first.")
    try:
        path.write_text(json.dumps(json.loads(obj.neurarig.report), indent=2) + "\n", encoding="utf-8")
    except OSError as problem:
        raise NeuraRigError(f"The report could not be written to '{path}': {problem.strerror}.") from problem


def apply_preset(obj: bpy.types.Object, name: str, kind: str = presets.WALK) -> None:
    """Apply a preset of a walk (all sliders but phase and influence) or of a role map to a character."""
    _require_editable(obj)
    preset = presets.load(kind, name)
    if kind == presets.ROLES:
        _set_roles(obj, preset)
        return
    if not obj.neurarig.leg_length:
        _remember_size(obj, _measured(obj)[1])
    with one_change(obj):
        _set_walk(obj, preset)


def save_preset(obj: bpy.types.Object, name: str, kind: str = presets.WALK) -> Path:
    """Save a character's sliders, or its role map, as a preset and return the file."""
    settings = obj.neurarig
    if kind == presets.ROLES:
        bones = {item.role: item.bone for item in settings.roles if item.bone}
        if not bones:
            raise NeuraRigError("There is no role map to save; use Detect Rig first.")
        path = presets.save(presets.Preset(kind, name, bones=bones))
        settings.role_preset = name
        return path
    if not settings.leg_length:
        _remember_size(obj, _measured(obj)[1])
    natural = Style()
    changed = {slider: getattr(settings, slider) for slider in presets.WALK_SLIDERS}
    sliders = {slider: value for slider, value in changed.items() if abs(value - getattr(natural, slider)) > 1e-6}
    pace = float(dimensionless_speed(settings.speed, settings.leg_length))
    path = presets.save(presets.Preset(kind, name, pace=pace, sliders=sliders))
    settings.preset = name
    return path


def summary(obj: bpy.types.Object, report: dict) -> str:
    """Return a contact report in one sentence."""
    return report_text.sentence(obj.name, report)


def _require_editable(obj: bpy.types.Object) -> None:
    if obj is None or obj.type != "ARMATURE":
        raise NeuraRigError(f"'{obj.name if obj else None}' is not an armature. Choose the character's armature object.")
    if not obj.is_editable:
        raise NeuraRigError(f"'{obj.name}' is linked from another file. Make a library override of it first.")
    if obj.name not in bpy.context.view_layer.objects:
        raise NeuraRigError(f"'{obj.name}' is not in the current view layer. Enable its collection in the Outliner first.")


def _require_walk(obj: bpy.types.Object) -> None:
    _require_editable(obj)
    if not obj.neurarig.attachment:
        raise NeuraRigError(f"'{obj.name}' has no walk yet. Use Generate Walk first.")


def _require_settings(settings: dict[str, Any]) -> None:
    """Refuse unknown settings and values before anything is touched."""
    for name, value in settings.items():
        if name in CHOICES:
            if value not in CHOICES[name]:
                raise NeuraRigError(f"'{value}' is no {name}; choose one of {', '.join(CHOICES[name])}.")
        elif name in NUMBERS:
            if not isinstance(value, int | float) or not math.isfinite(value):
                raise NeuraRigError(f"The setting '{name}' needs a number, not '{value}'.")
        elif name not in SWITCHES:
            raise NeuraRigError(f"A walk has no setting '{name}'; it has {', '.join((*CHOICES, *NUMBERS, *SWITCHES))}.")


def _skeleton(obj: bpy.types.Object) -> Skeleton:
    return read_skeleton(obj, bpy.context.scene)


def _measured(obj: bpy.types.Object) -> tuple[RoleMap, Body]:
    """Return roles and size of a character: its role list where that still names its bones, else what is detected."""
    skeleton = _skeleton(obj)
    roles = role_map(obj)
    if all(roles.has(role) for role in REQUIRED):
        check(skeleton, roles)
    else:
        roles = detect(skeleton)
    return roles, measure(skeleton, roles, read_soles(obj, roles))


def _set_natural_speed(obj: bpy.types.Object, body: Body) -> None:
    """Give a character its natural speed, unless its speed is neither the default nor an earlier natural one: then somebody chose it."""
    settings = obj.neurarig
    untouched = not settings.is_property_set("speed") or abs(settings.speed - settings.natural_speed) < SAME_SPEED
    _remember_size(obj, body)
    if untouched:
        settings.speed = settings.natural_speed


def _remember_size(obj: bpy.types.Object, body: Body) -> None:
    render = bpy.context.scene.render
    obj.neurarig.leg_length = body.leg_length
    obj.neurarig.natural_speed = natural_speed(body, render.fps / render.fps_base)


def _set_walk(obj: bpy.types.Object, preset: presets.Preset) -> None:
    """Set every slider of a manner of walking; the character's size must be known."""
    settings = obj.neurarig
    if preset.pace is None:
        settings.speed = settings.natural_speed
    else:
        settings.speed = preset.pace / float(dimensionless_speed(1.0, settings.leg_length))
    natural = Style()
    for slider in presets.WALK_SLIDERS:
        setattr(settings, slider, preset.sliders.get(slider, getattr(natural, slider)))
    settings.preset = preset.name


def _set_roles(obj: bpy.types.Object, preset: presets.Preset) -> None:
    roles = RoleMap({role: bone for role, bone in preset.bones.items() if bone in obj.data.bones})
    check(_skeleton(obj), roles)
    store_roles(obj, roles)
    obj.neurarig.role_preset = preset.name
    live.invalidate(obj)
