"""Presets of walks, role maps and control maps, and profiles, for scripts; `blender.api` hands these on."""

from pathlib import Path

from bpy.types import Object

from ....core.detection.detect import check
from ....core.errors import NeuraRigError
from ....core.skeleton.roles import RoleMap
from ...character.controls.stored_map import store_map, stored_map
from ...character.read_armature import read_skeleton
from ...character.read_character import read_character
from ...character.requirements import require_editable
from ...character.roles import kind_of, store_roles
from ..changes import changes
from ..manner import presets, profiles, sliders
from ..settings.backup import restore_settings, saved_settings
from ..show import live


def apply_preset(obj: Object, name: str, kind: str = presets.WALK) -> None:
    """Apply a preset of a walk (all sliders but phase and influence), a role map or a control map to a
    character.

    A control map is verified before it drives anything, when the character is next made to walk.

    Raises NeuraRigError if there is no such preset or its file is damaged.
    """
    require_editable(obj)
    preset = presets.load(kind, name)
    if kind == presets.ROLES:
        _apply_roles(obj, preset)
    elif kind == presets.CONTROLS:
        store_map(obj, read_character(obj).roles, preset.controls, keeps_corrected=False)
        obj.neurarig.control_preset = preset.name
    else:
        _remember_size(obj)
        with changes.as_one(obj):
            sliders.set_walk(obj, preset)


def save_preset(obj: Object, name: str, kind: str = presets.WALK) -> Path:
    """Save a character's sliders, role map or control map as a preset and return the file.

    Raises NeuraRigError if the name or the file cannot be written.
    """
    if kind == presets.ROLES:
        path = presets.save(_roles(obj, name))
        obj.neurarig.role_preset = presets.listed_name(name)
    elif kind == presets.CONTROLS:
        path = presets.save(_controls(obj, name))
        obj.neurarig.control_preset = presets.listed_name(name)
    else:
        _remember_size(obj)
        path = presets.save(sliders.current_walk(obj, name))
        obj.neurarig.walk.preset = presets.listed_name(name)
    return path


def _apply_roles(obj: Object, preset: presets.Preset) -> None:
    listed = {role: bone for role, bone in preset.bones.items() if bone in obj.data.bones}
    roles = RoleMap.of(listed, preset.character)
    check(read_skeleton(obj), roles)
    store_roles(obj, roles)
    obj.neurarig.role_preset = preset.name
    live.invalidate(obj)


def _roles(obj: Object, name: str) -> presets.Preset:
    bones = {item.role: item.bone for item in obj.neurarig.roles if item.bone}
    if not bones:
        raise NeuraRigError("No list of bones to save. Click Detect Rig first.")
    return presets.Preset(presets.ROLES, name, bones=bones, character=kind_of(obj))


def _controls(obj: Object, name: str) -> presets.Preset:
    known = stored_map(obj)
    if not known.controls:
        raise NeuraRigError("No list of controls to save. Click Find Controls first.")
    return presets.Preset(presets.CONTROLS, name, controls=known)


def _remember_size(obj: Object) -> None:
    """Measure the leg length, which presets need, of a character that has not walked yet."""
    if not obj.neurarig.walk.leg_length:
        sliders.remember_size(obj, read_character(obj).body)


def use_profile(obj: Object, profile: str | Path, **constants: float) -> None:
    """Make a character walk by a profile: a shipped one by name, or a file; constants may be set as well.

    Raises NeuraRigError, naming rule, phase, formula and column, if it is faulty; the character then walks as
    before.
    """
    require_editable(obj)
    chosen = profiles.load(profile)
    chosen.with_constants(**constants)
    before = saved_settings(obj)
    with changes.as_one(obj):
        profiles.use(obj, chosen)
        profiles.set_constants(obj, **constants)
    failed = obj.neurarig.walk.error
    if failed and failed != before.get("error"):
        restore_settings(obj, before)
        raise NeuraRigError(failed)


def check_profile(obj: Object) -> list[str]:
    """Return what is wrong or odd with a character's profile, one sentence each; empty if nothing is.

    Raises NeuraRigError for anything but a character.
    """
    require_editable(obj)
    return profiles.check(obj)


def save_profile(obj: Object, path: Path) -> None:
    """Write a character's profile as JSON, with its constants as set.

    Raises NeuraRigError without a profile, or if the file cannot be written.
    """
    profiles.save(obj, path)
