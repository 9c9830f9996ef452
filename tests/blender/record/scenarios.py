"""All scenarios of the record, and how one is played."""

import json
import os
from collections.abc import Callable
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import bpy
import numpy as np

import neurarig_addon
from neurarig_addon.blender.walk.manner import presets
from neurarig_addon.blender.walk.ui import pictures
from tests.blender.record.condensed import Condensed, condensed, leaves
from tests.blender.record.seen import Seen

ROOMS = (
    *("walks", "settings", "ways", "prints", "bakes", "clips", "poses", "targets", "rigs", "styles", "windows", "lines", "viewport"),
    *(
        "working",
        "engines",
        "exchange",
        "changed",
        "odd",
        "sources",
        "loops",
        "handed",
        "scenes",
        "damaged",
        "refused",
        "definitions",
    ),
)
Case = Callable[[Seen], None]


def scenarios() -> dict[str, Case]:
    """Return everything that is recorded: `room: name` -> what plays it."""
    return {f"{room}: {name}": case for room in ROOMS for name, case in import_module(f"tests.blender.record.{room}").cases().items()}


def played(case: Case, whole: Path | None = None) -> Condensed:
    """Play a scenario in a new file and return what was seen, condensed; `whole`: a file to write all of it to."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    # Long lines are broken behind a hyphen only where a letter comes next.
    with TemporaryDirectory(prefix="neurarig-record-n") as name:
        folder = Path(name)
        seen = Seen(folder)
        neurarig_addon.register()
        try:
            # The user's own presets stay out, and nobody waits for pictures.
            own, blank = (lambda kind: folder / "presets" / kind), (lambda *_: np.zeros((pictures.STYLE_SIZE, pictures.STYLE_SIZE, 4)))
            with patch.object(presets, "_user_folder", own), patch.object(pictures.style_picture, "picture", blank), chdir(folder):
                case(seen)
        finally:
            neurarig_addon.unregister()
        if whole is not None:
            rows = [
                f"{part}\t{path}\t{json.dumps(value, default=list)}"
                for part in seen.parts
                for path, value in leaves(seen.parts[part], name)
            ]
            whole.write_text("\n".join(rows).replace(os.fspath(folder), "<folder>") + "\n", encoding="utf-8")
        return condensed(seen.parts, name)
