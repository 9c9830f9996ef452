"""One cell of a job: what one Blender of its own has to make."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

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
