"""Folders of recorded motion: what their manifests list, and the clips."""

import csv
import gzip
from dataclasses import dataclass
from pathlib import Path

from ..core.files.given_file import reading
from ..core.skeleton.bvh import parse_bvh
from ..core.skeleton.clip import Clip


@dataclass(frozen=True)
class RecordingFile:
    """One file of a folder with a manifest; `metres_per_unit`: its unit of length."""

    path: Path
    subject: str
    group: str
    metres_per_unit: float

    def clip(self) -> Clip:
        """Return the motion, as `read_clip`."""
        return read_clip(self.path, self.metres_per_unit)


def read_clip(path: Path, metres_per_unit: float | None = None) -> Clip:
    """Return the motion of a file, as it is or packed; raises NeuraRigError if it cannot be read or is
    damaged."""
    with reading(path):
        data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8", errors="replace")
    return parse_bvh(text, path.name.partition(".")[0], metres_per_unit)


def manifest_rows(folder: Path) -> list[dict[str, str]]:
    """Return the rows of a folder's `manifest.csv`, in its order; raises NeuraRigError if it cannot be
    read."""
    manifest = folder / "manifest.csv"
    with reading(manifest), manifest.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
