"""One cell of a job: what one Blender of its own has to make, and the key that tells whether it was made."""

import hashlib
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path

from ..core.files.given_file import reading

# in arguments: the folder of the job file, and the one that the cell writes to
JOB, FOLDER = "{job}", "{folder}"
WALK, CLIP, SET, DATASET, TRAINING = "walks", "clips", "sets", "datasets", "training"


@dataclass(frozen=True)
class Cell:
    """What one process makes, as plain data, for any machine.

    `kind`: the folder of its results. `name`: theirs, unique in its kind. `axes`: where it is in the grid,
    for the report.
    `arguments`: of the command line, with JOB and FOLDER in place of folders. `file`: the .blend that is
    opened, with JOB; '' in training.
    `python`: of a training. `inputs`: files, with JOB, whose content counts. `results`: what is kept of
    FOLDER, files and folders.
    `report`, `labels`: names in FOLDER of the contact report and the motion, '' if it has none. `parquet`:
    also write the labels so.
    `key`: the hash of all that; equal keys give equal results.
    """

    kind: str
    name: str
    axes: Mapping[str, str]
    arguments: tuple[str, ...]
    file: str = ""
    python: str = ""
    inputs: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    report: str = ""
    labels: str = ""
    parquet: bool = False
    key: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """The cell's name in reports: `walks/hero-stroll`."""
        return f"{self.kind}/{self.name}"

    def command(self, job: str, folder: str) -> list[str]:
        """Return the arguments with the folders in place."""
        return [placed(text, job, folder) for text in self.arguments]


@dataclass(frozen=True)
class Conditions:
    """How the cells of a job run: `job` and `output` are folders; a cell gets `seconds` and `memory_mb`, and
    is tried `retries` times more.

    `blender`: the command of a Blender, '' for the bpy module of the running Python.
    """

    job: str
    output: str
    retries: int
    seconds: float
    memory_mb: int
    blender: str = ""


def placed(text: str, job: str, folder: str = "") -> str:
    """Return a text of a cell with the folders in place."""
    return text.replace(JOB, job).replace(FOLDER, folder)


def words(command: str) -> list[str]:
    """Return the words of a command that may have quotes."""
    return shlex.split(command)


_PACKAGE = Path(__file__).resolve().parents[1]
_OF_NO_ACCOUNT = ("batch", "__pycache__")  # rooms that do not change what a cell makes
_TRAINING = "training"


def with_keys(cells: Iterable[Cell], folder: Path, blender: str) -> Iterator[Cell]:
    """Yield the cells with their keys; each input file is read once."""
    read = cache(_hash_of_file)
    for cell in cells:
        files = [read(Path(placed(path, str(folder)))) for path in cell.inputs]
        made_by = blender if cell.file else cell.python
        told = [asdict(cell), files, made_by, addon_hash(is_training=not cell.file)]
        yield replace(cell, key=hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32])


@cache
def addon_hash(is_training: bool) -> str:
    """Return the hash of all files of this add-on that a cell may use: its version, to the letter."""
    found = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*")):
        parts = path.relative_to(_PACKAGE).parts
        counts = not set(parts) & set(_OF_NO_ACCOUNT) and (is_training or parts[0] != _TRAINING)
        if counts and path.is_file():
            found.update("/".join(parts).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _hash_of_file(path: Path) -> str:
    with reading(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
