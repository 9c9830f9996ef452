"""Edited footprints in files, for scripts; `blender.api` hands these on."""

from pathlib import Path

import bpy

from ....core.errors import NeuraRigError
from ....core.gait.prints import print_file
from ..changes import changes
from . import edits
from .in_hand import require_walk, set_edits, source_of


def save_prints(obj: bpy.types.Object, path: str | Path) -> int:
    """Write the edited prints of a character to a JSON file that fits characters of any size; return how many there are."""
    require_walk(obj)
    known = edits.edits_of(obj)
    if not known:
        raise NeuraRigError(f"'{obj.name}' has no edited footprints to save. Edit one first.")
    print_file.save_prints(path, known, source_of(obj).body.leg_length)
    return len(known.edits)


def load_prints(obj: bpy.types.Object, path: str | Path) -> int:
    """Replace a character's edited prints by those of a file; return how many there are."""
    require_walk(obj)
    known = print_file.load_prints(path, source_of(obj).body.leg_length)
    with changes.as_one(obj):
        set_edits(obj, known)
    return len(known.edits)
