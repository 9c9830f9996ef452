"""Profiles for scripts; `blender.api` hands these on."""

from pathlib import Path

import bpy

from ....core.errors import NeuraRigError
from ...character.requirements import require_editable
from ..changes import changes
from ..saved_settings import restore_settings, saved_settings
from . import profiles


def use_profile(obj: bpy.types.Object, profile: str | Path, **constants: float) -> None:
    """Make a character walk by a profile: a shipped one by name, or a file; constants may be set as well.

    Raises NeuraRigError, naming rule, phase, formula and column, if it is faulty; the character then walks as before.
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


def check_profile(obj: bpy.types.Object) -> list[str]:
    """Return what is wrong or odd with a character's profile, one sentence each; empty if nothing is."""
    require_editable(obj)
    return profiles.check(obj)


def save_profile(obj: bpy.types.Object, path: Path) -> None:
    """Write a character's profile as JSON, with its constants as set."""
    profiles.save(obj, path)
