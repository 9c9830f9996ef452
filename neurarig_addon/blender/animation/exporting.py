"""Blender's own exporters and importers: enabled for the session, and their failures as one sentence."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import addon_utils

from ...core.errors import NeuraRigError
from ...core.files.whole_file import written_whole

FBX, GLTF, BVH = "io_scene_fbx", "io_scene_gltf2", "io_anim_bvh"
_KIND = re.compile(r"^\w*Error: (\[Errno \d+\] )?")  # what Python puts before an exception's words


@contextmanager
def exporting(path: Path, module: str = "") -> Iterator[Path]:
    """Give a block the path of a new file for an exporter, whose add-on is enabled; it then replaces the old
    one.

    Raises NeuraRigError if Blender lacks the exporter or cannot write.
    """
    if module:
        enable(module, f"Blender's exporter '{module}' is not installed; choose another file ending.")
    try:
        with written_whole(path) as unfinished:
            yield unfinished
    except (RuntimeError, AttributeError) as problem:
        raise NeuraRigError(f"'{path}' could not be written: {said(problem)}.") from problem


def enable(module: str, refusal: str) -> None:
    """Enable one of Blender's own add-ons for this session, if the user has it disabled; raises the refusal
    if there is none."""
    if not addon_utils.check(module)[1] and addon_utils.enable(module, default_set=False) is None:
        raise NeuraRigError(refusal)


def said(problem: Exception) -> str:
    """Return what an exporter or importer says: the last line that is not a place in Blender's own
    scripts."""
    lines = [_KIND.sub("", line.strip()).rstrip(".") for line in str(problem).splitlines()]
    return next((line for line in reversed(lines) if line and not line.startswith("Location:")), "unknown")
