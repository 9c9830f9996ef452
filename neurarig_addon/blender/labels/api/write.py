"""What a character shows, written with labels."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy

from ....core.errors import NeuraRigError
from ....core.labels import label_file
from ....core.labels.label_file import Labels
from ..shown import shown_labels


def write_labels(
    obj: bpy.types.Object,
    path: str | Path,
    frames: tuple[int, int],
    settings: Mapping[str, Any] | None = None,
    style: str = "",
) -> Labels:
    """Write where a character's bones are on frames `first, last`, with phase, contacts and speed of its
    walk, to an .npz; return them.

    `settings`, `style`: what the file says of how the motion was made. Raises NeuraRigError for a path that
    is no .npz, or for an object
    that is no biped.
    """
    where = label_path(path)
    labels = shown_labels(obj, *frames, settings or {}, style)
    label_file.save(where, labels)
    return labels


def label_path(path: str | Path) -> Path:
    """Return the path of a file of labels; raises NeuraRigError if it is not an .npz."""
    where = Path(bpy.path.abspath(str(path)))
    if where.suffix.lower() != ".npz":
        raise NeuraRigError(f"'{where.name}' must end in .npz to hold labels.")
    return where
