"""Labels as a Parquet table, a row a frame, where pyarrow is installed."""

import json
from pathlib import Path

import numpy as np

from ..core.errors import NeuraRigError
from ..core.files.whole_file import written_whole
from ..core.labels import label_file
from ..core.labels.label_file import CONTACT_POINTS
from ..core.skeleton.roles import SIDES


def require_parquet(where: str) -> None:
    """Raise NeuraRigError, beginning with `where`, where pyarrow is missing or does not fit this numpy."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as problem:
        raise NeuraRigError(
            f"{where}: the format 'parquet' needs pyarrow ({problem}); install it beside this Python, or"
            " choose npz."
        ) from None


def write_parquet(labels_file: Path, path: Path) -> None:
    """Write the labels of an .npz as Parquet; what is the same on every frame of a motion stands in each of
    its rows."""
    import pyarrow
    from pyarrow import parquet

    labels = label_file.load(labels_file)
    columns = {
        "character": np.full(len(labels.frames), labels.character),
        "motion": labels.motion,
        "frame": labels.frames,
        "style": labels.style[labels.motion],
        "settings": labels.settings[labels.motion],
        "speed": labels.speed,
    }
    for side, name in enumerate(SIDES):
        columns[f"phase.{name}"] = labels.phase[:, side]
        for point, of in enumerate(CONTACT_POINTS):
            columns[f"{of}_planted.{name}"] = labels.contacts[:, side, point]
    for row, role in enumerate(labels.roles):
        for at, axis in enumerate("xyz"):
            columns[f"{role}.{axis}"] = labels.heads[:, row, at]
        for at, part in enumerate("wxyz"):
            columns[f"{role}.q{part}"] = labels.rotations[:, row, at]
    skeleton = {name: getattr(labels, name).tolist() for name in ("roles", "bones", "parents", "rest")} | {
        "fps": labels.fps
    }
    table = pyarrow.table({name: pyarrow.array(values) for name, values in columns.items()})
    table = table.replace_schema_metadata({name: json.dumps(value) for name, value in skeleton.items()})
    with written_whole(path) as unfinished:
        parquet.write_table(table, unfinished)
