"""From the tables of a job to its cells: every character with every clip or walk, style and speed."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from ..core.errors import NeuraRigError
from ..core.labels import draws
from . import options
from .cell import CLIP, DATASET, FOLDER, JOB, SET, TRAINING, WALK, Cell
from .table import BatchTable, require_parquet

FORMATS = ("fbx", "glb", "bvh", "blend")
CLIPS = (".bvh", ".fbx", ".glb", ".gltf", ".npz", ".npy", ".csv")
NPZ, PARQUET = "npz", "parquet"
MOST_PARTS, MOST_DRAWN, MOST_LENGTH = 100_000, 10_000, 100_000
LONGEST_NAME = 120  # characters of a file's name, without its ending
_UNFIT = re.compile(r"[^\w.+-]+")  # in names of files


@dataclass(frozen=True)
class JobCharacter:
    """A character of a job: `file`, the .blend that it is in, with JOB; `armature`, '' for the only one."""

    name: str
    file: str
    armature: str

    def named(self, option: str) -> list[str]:
        """Return the argument that names its armature."""
        return [f"{option}={self.armature}"] if self.armature else []


Characters = Mapping[str, JobCharacter]


def _walks(table: BatchTable, characters: Characters, folder: Path) -> Iterator[Cell]:
    name, chosen = table.text("name"), _chosen(table, characters)
    styles = table.texts("styles", ("",), may_be_empty=True) or ("",)
    speeds: tuple[float | None, ...] = table.numbers("speeds") or (None,)
    ending, labels = table.one_of("format", FORMATS, "fbx"), table.yes("labels")
    given, files = _options(table, "walk", folder)
    for speed in table.numbers("speeds"):
        options.require(f"{table.where}: 'speeds'", "walk", "speed", speed)
    for character, style, speed in product(chosen, styles, speeds):
        said, style_files = _style(table, style, folder)
        own = named(character.name, name, style, "" if speed is None else f"{speed:g}")
        yield Cell(
            kind=WALK,
            name=own,
            axes={
                "character": character.name,
                "item": name,
                "style": style,
                "speed": "" if speed is None else f"{speed:g}",
            },
            file=character.file,
            arguments=(
                *(
                    "walk",
                    *character.named("--armature"),
                    *said,
                    *([] if speed is None else [f"--speed={speed:g}"]),
                    *given,
                ),
                *(
                    f"--report={FOLDER}/{own}.json",
                    f"--labels={FOLDER}/{own}.npz",
                    f"--output={FOLDER}/{own}.{ending}",
                ),
            ),
            inputs=(character.file, *style_files, *files),
            results=(f"{own}.{ending}", f"{own}.json", *([f"{own}.npz"] if labels else [])),
            report=f"{own}.json",
            labels=f"{own}.npz",
        )


def _clips(table: BatchTable, characters: Characters, folder: Path) -> Iterator[Cell]:
    name, chosen = table.text("name"), _chosen(table, characters)
    clips = _matching(table, "files", folder)
    ending, labels = table.one_of("format", FORMATS, "fbx"), table.yes("labels")
    given, files = _options(table, "retarget", folder)
    for character, clip in product(chosen, clips):
        own = named(character.name, name, Path(clip).stem)
        yield Cell(
            kind=CLIP,
            name=own,
            axes={"character": character.name, "item": clip.removeprefix(f"{JOB}/")},
            file=character.file,
            arguments=(
                *("retarget", *character.named("--target"), f"--file={clip}", *given),
                *(
                    f"--report={FOLDER}/{own}.json",
                    f"--labels={FOLDER}/{own}.npz",
                    f"--output={FOLDER}/{own}.{ending}",
                ),
            ),
            inputs=(character.file, clip, *files),
            results=(f"{own}.{ending}", f"{own}.json", *([f"{own}.npz"] if labels else [])),
            report=f"{own}.json",
            labels=f"{own}.npz",
        )


def _sets(table: BatchTable, characters: Characters, folder: Path) -> Iterator[Cell]:
    name, chosen = table.text("name"), _chosen(table, characters)
    styles = table.texts("styles", ("",), may_be_empty=True) or ("",)
    given, files = _options(table, "set", folder)
    for character, style in product(chosen, styles):
        said, style_files = _style(table, style, folder)
        own = named(character.name, name, style)
        yield Cell(
            kind=SET,
            name=own,
            axes={"character": character.name, "item": name, "style": style},
            file=character.file,
            arguments=(
                "set",
                f"{FOLDER}/{own}",
                *character.named("--armature"),
                *said,
                *given,
                f"--labels={FOLDER}/{own}.npz",
            ),
            inputs=(character.file, *style_files, *files),
            results=(own,),
            labels=f"{own}.npz",
        )


def _datasets(table: BatchTable, characters: Characters, _folder: Path) -> Iterator[Cell]:
    name, chosen = table.text("name"), _chosen(table, characters)
    kind, ending = table.one_of("draw", draws.KINDS, draws.WALKS), table.one_of("format", (NPZ, PARQUET), NPZ)
    parts, count = table.whole("parts", 1, MOST_PARTS, 1), table.whole("count", 1, MOST_DRAWN)
    seed, length = (
        table.whole("seed", 0, draws.SEEDS - 1 - parts, 0),
        table.whole("length", 1, MOST_LENGTH, 72),
    )
    if ending == PARQUET:
        require_parquet(table.where)
    for character, part in product(chosen, range(parts)):
        own = named(character.name, name, f"{part:05d}")
        yield Cell(
            kind=DATASET,
            name=own,
            axes={"character": character.name, "item": name, "seed": str(seed + part)},
            file=character.file,
            arguments=(
                *(
                    "dataset",
                    kind,
                    *character.named("--armature"),
                    f"--count={count}",
                    f"--seed={seed + part}",
                    f"--length={length}",
                ),
                f"--output={FOLDER}/{own}.npz",
            ),
            inputs=(character.file,),
            results=(f"{own}.{ending}",),
            labels=f"{own}.npz",
            parquet=ending == PARQUET,
        )


def _training(table: BatchTable, _characters: Characters, folder: Path) -> Iterator[Cell]:
    """Yield one cell: an entry point of `neurarig_addon.training`, whatever its arguments."""
    name, given = table.text("name"), table.words("arguments")
    options.require_training(table.where, given)
    own = named(name)
    inputs = tuple(
        path for key in table.texts("inputs", ()) for path in _pattern(table, "inputs", key, folder)
    )
    if not any(FOLDER in text for text in given):
        table.refuse(
            "arguments", f'must write to {FOLDER}, such as "--out={FOLDER}/weights.safetensors"', list(given)
        )
    arguments = tuple(text.replace(FOLDER, f"{FOLDER}/{own}") for text in given)
    yield Cell(
        TRAINING, own, {"item": name}, arguments, python=_python(table, folder), inputs=inputs, results=(own,)
    )


KINDS: dict[str, Callable[[BatchTable, Characters, Path], Iterator[Cell]]] = {
    WALK: _walks,
    CLIP: _clips,
    SET: _sets,
    DATASET: _datasets,
    TRAINING: _training,
}


def file_of(table: BatchTable, key: str, folder: Path, endings: tuple[str, ...]) -> str:
    """Return a file that must exist, with JOB in place of the job's folder."""
    given = table.text(key)
    if Path(given).suffix.lower() not in endings:
        table.refuse(key, f"must end in {', '.join(endings)}", given)
    if not (folder / given).is_file():
        table.refuse(key, f"must be a file, seen from '{folder}'", given)
    return _under_job(given)


def named(*parts: str) -> str:
    """Return a name for files: parts that are not empty, without what file systems refuse."""
    return _UNFIT.sub("_", "-".join(part for part in parts if part)).strip(".")[:LONGEST_NAME]


def _under_job(given: str) -> str:
    return (Path(JOB) / given).as_posix() if not Path(given).is_absolute() else Path(given).as_posix()


def _chosen(table: BatchTable, characters: Characters) -> list[JobCharacter]:
    if not characters:
        raise NeuraRigError(f"{table.where} needs a character; add [[characters]] with a name and a file.")
    wanted = table.texts("characters", tuple(characters))
    for name in wanted:
        if name not in characters:
            table.refuse_word("characters", name, characters)
    return [characters[name] for name in wanted]


def _options(table: BatchTable, command: str, folder: Path) -> tuple[list[str], list[str]]:
    """Return the arguments of a table's options, and the files among them."""
    given: dict[str, Any] = dict(table.items("options"))
    files = []
    for name in options.FILES:
        if isinstance(given.get(name), str) and (folder / given[name]).is_file():
            given[name] = _under_job(given[name])
            files.append(given[name])
        elif name == options.PRINTS and name in given:
            table.refuse(name, f"must be a file, seen from '{folder}'", given[name])
    return options.arguments(table.where, command, given), files


def _style(table: BatchTable, style: str, folder: Path) -> tuple[list[str], list[str]]:
    """Return the arguments of a style, 'Sad' or 'own.json=0.5', and its file."""
    if not style:
        return [], []
    name, is_weighted, weight = style.rpartition("=")
    name, weight = (name, f"={weight}") if is_weighted else (style, "")
    is_file = name.lower().endswith(".json") and (folder / name).is_file()
    where = _under_job(name) if is_file else name
    said = options.require(f"{table.where}: 'styles'", "walk", "style", where + weight)
    return [f"--style={said}"], [where] if is_file else []


def _matching(table: BatchTable, key: str, folder: Path) -> list[str]:
    """Return the clips that a list of files and patterns names, each once, in order."""
    found = [path for given in table.texts(key) for path in _pattern(table, key, given, folder)]
    clips = [path for path in dict.fromkeys(found) if Path(path).suffix.lower() in CLIPS]
    if not clips:
        table.refuse(key, f"must name clips that end in {', '.join(CLIPS)}", list(table.texts(key)))
    return clips


def _pattern(table: BatchTable, key: str, given: str, folder: Path) -> list[str]:
    """Return the files of a path or a pattern such as mocap/*.bvh; all files of a folder."""
    whole = folder / given
    if whole.is_file():
        return [_under_job(given)]
    try:
        under, pattern = (
            (whole, "**/*") if whole.is_dir() else (Path(whole.anchor), str(whole.relative_to(whole.anchor)))
        )
        found = sorted(path for path in under.glob(pattern) if path.is_file())
    except (ValueError, NotImplementedError, OSError):
        found = []
    if not found:
        table.refuse(key, f"must name files that exist, seen from '{folder}'", given)
    return [_under_job(_seen_from(path, folder)) for path in found]


def _seen_from(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_posix()


def _python(table: BatchTable, folder: Path) -> str:
    """Return the Python of a training, '' for the one that runs the batch."""
    given = table.text("python", "")
    if given and not (folder / given).is_file():
        table.refuse("python", f"must be a Python with torch, seen from '{folder}'", given)
    return _under_job(given) if given else ""
