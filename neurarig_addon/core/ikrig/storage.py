"""Encodings in files: .csv, with one pose of 86 floats per row, and .npz, with the whole encoding.

Every error of a file is reported in one sentence.
"""

from array import array
from dataclasses import replace
from pathlib import Path
from typing import NoReturn, TextIO

import numpy as np

from ..errors import NeuraRigError
from ..files.given_file import reading, size_of
from ..files.npz_file import LARGEST, UnfitError, read_arrays, write_arrays
from ..files.whole_file import written_whole
from . import layout
from .encoding import CHAINS, CONTACT_POINTS, Contacts, Encoding, Measures, require_on_two_legs

FORMAT = "neurarig-ikrig"
_LONGEST_LINE = 2**16  # characters; 86 numbers take about a thousand
CSV_FPS = 30.0  # the default, as a .csv does not contain its frame rate
_FORE = "fore_"  # before the names of the shoulders' arrays, of a motion on four legs
_SIZES = ("hips_height", "leg_length", "ankle_height")


def save(path: str | Path, encoding: Encoding) -> None:
    """Write an encoding by its file's ending: `.csv` or `.npz`; raises NeuraRigError if it cannot."""
    path = Path(path)
    if _ending(path) == ".npz":
        write_arrays(path, _arrays(encoding))
    else:
        require_on_two_legs(encoding)
        _write_csv(path, layout.to_rows(encoding))


def load(path: str | Path, fps: float = CSV_FPS) -> Encoding:
    """Read an encoding; `fps`: the frame rate of a `.csv`, which does not contain it.

    Raises NeuraRigError, naming the file, if it is not an encoding, is damaged, or was written by another
    version.
    """
    path = Path(path)
    ending = _ending(path)
    size_of(path, LARGEST)
    with reading(path):
        return _read_csv(path, fps) if ending == ".csv" else _read_npz(path)


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in (".csv", ".npz"):
        raise NeuraRigError(f"'{path.name}' must end in .csv or .npz to hold an encoding.")
    return ending


def _write_csv(path: Path, rows: np.ndarray) -> None:
    with written_whole(path) as unfinished, unfinished.open("wb") as file:
        np.savetxt(
            file,
            rows,
            fmt="%.9g",
            delimiter=",",
            header=",".join(layout.COLUMNS),
            comments="",
            encoding="ascii",
        )


def _read_csv(path: Path, fps: float) -> Encoding:
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        rows = _rows(path, file)
    if not len(rows):
        raise NeuraRigError(f"'{path.name}' holds no pose; export the motion again.")
    return replace(layout.from_rows(rows, fps, name=path.name), name=path.stem)


def _rows(path: Path, file: TextIO) -> np.ndarray:
    """Return the poses `(f, 86)` of a table, whose first line may be column names."""
    found = array("d")
    begins, number = True, 0
    while line := file.readline(_LONGEST_LINE):
        number += 1
        cells = line.split(",") if line.strip() else []
        if cells and not (begins and not _is_number(cells[0])):
            if len(cells) != len(layout.COLUMNS):
                _refuse_columns(path, len(cells), number)
            try:
                found.extend([float(cell) for cell in cells])
            except ValueError:
                word = next(cell for cell in cells if not _is_number(cell)).strip()[:20]
                raise NeuraRigError(
                    f"'{path.name}' has '{word}' in line {number}, which is not a number; export the motion"
                    " again."
                ) from None
        begins = begins and not cells
    return np.frombuffer(found, dtype=float).reshape(-1, len(layout.COLUMNS))


def _refuse_columns(path: Path, found: int, line: int) -> NoReturn:
    raise NeuraRigError(
        f"'{path.name}' has {found} columns in line {line}, not {len(layout.COLUMNS)}; "
        "export the motion again, or use Solve Mocap for recorded points."
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _arrays(encoding: Encoding) -> dict[str, np.ndarray]:
    """Return a whole encoding as the arrays of an .npz."""
    chains = [name for name in CHAINS if name in encoding.chains]
    roles = list(encoding.extras)
    spans = [
        (CONTACT_POINTS.index(point), *row)
        for point, rows in encoding.contacts.intervals.items()
        for row in rows
    ]
    arrays = {
        "format": np.array(FORMAT),
        "version": np.array(layout.VERSION),
        "name": np.array(encoding.name),
        "fps": np.array(float(encoding.fps)),
        "normalised": np.array(encoding.normalised),
        "frames": np.asarray(encoding.frames, dtype=float),
        "chains": np.array(chains),
        "columns": np.array(layout.columns(chains)),
        "poses": layout.to_rows(encoding, chains),
        "extra_roles": np.array(roles, dtype="U16"),
        "extras": layout.to_maya(
            np.array([encoding.extras[role] for role in roles]).reshape(len(roles), len(encoding), 4)
        ),
        "contacts": np.array(spans, dtype=np.int64).reshape(-1, 3),
    }
    if encoding.measures is not None:
        arrays |= _measured(encoding.measures, chains)
    if encoding.fore is not None:
        arrays |= {f"{_FORE}{name}": values for name, values in _arrays(encoding.fore).items()}
    return arrays


def _measured(measures: Measures, chains: list[str]) -> dict[str, np.ndarray]:
    """Return the arrays of a body's proportions; those of chains in the order of `chains`."""
    return {
        "sizes": np.array([getattr(measures, size) for size in _SIZES], dtype=float),
        "hip_offset": layout.to_maya(np.asarray(measures.hip_offset, dtype=float)),
        "lengths": np.array([measures.lengths.get(name, 0.0) for name in chains]),
        "rest": layout.to_maya(
            np.array([measures.rest.get(name, np.zeros((2, 3))) for name in chains], dtype=float)
        ),
        "rolls": np.array([measures.rolls.get(name, 0.0) for name in chains]),
    }


def _read_npz(path: Path) -> Encoding:
    try:
        return _encoding(read_arrays(path))
    except NeuraRigError as problem:
        why = str(problem).partition(";")[0]
    except UnfitError as problem:
        why = str(problem)
    except KeyError as missing:
        why = f"it has no {missing}"
    except (LookupError, ValueError, ArithmeticError):
        why = "its arrays do not fit together"
    raise NeuraRigError(f"'{path.name}' is not a usable motion file: {why}; export the motion again.")


def _encoding(arrays: dict[str, np.ndarray]) -> Encoding:
    """Return the encoding in a file's arrays; raises UnfitError, KeyError or NeuraRigError if they do not
    hold one."""
    if "format" not in arrays or _word(arrays, "format") != FORMAT:
        raise UnfitError("it is another kind of file (recorded points are for Solve Mocap)")
    version = int(_numbers(arrays, "version", ()))
    if version != layout.VERSION:
        raise UnfitError(f"its layout is version {version} and this add-on reads version {layout.VERSION}")
    chains, roles = _words(arrays, "chains"), _words(arrays, "extra_roles")
    if chains != [name for name in CHAINS if name in chains] or _words(arrays, "columns") != list(
        layout.columns(chains)
    ):
        raise UnfitError("its columns are not those of the layout")
    poses = _numbers(arrays, "poses", (-1, -1))
    extras = layout.from_maya(_numbers(arrays, "extras", (len(roles), len(poses), 4)))
    found = layout.from_rows(
        poses,
        fps=float(_numbers(arrays, "fps", ())),
        frames=_numbers(arrays, "frames", (len(poses),)),
        name=_word(arrays, "name")[:200],
        chains=chains,
        measures=_measures(arrays, chains) if "sizes" in arrays else None,
        extras=dict(zip(roles, extras, strict=True)),
        contacts=_contacts(_numbers(arrays, "contacts", (-1, 3))),
        normalised=bool(_numbers(arrays, "normalised", ())),
    )
    return replace(found, fore=_fore(arrays, len(poses)))


def _fore(arrays: dict[str, np.ndarray], frames: int) -> Encoding | None:
    """Return the shoulders' girdle of a motion on four legs of so many frames, None of one on two."""
    own = {name.removeprefix(_FORE): values for name, values in arrays.items() if name.startswith(_FORE)}
    fore = _encoding(own) if own else None
    if fore is not None and (len(fore) != frames or fore.fore is not None):
        raise UnfitError("its two girdles do not fit together")
    return fore


def _measures(arrays: dict[str, np.ndarray], chains: list[str]) -> Measures:
    count = len(chains)
    rest = layout.from_maya(_numbers(arrays, "rest", (count, 2, 3)))
    return Measures(
        **dict(zip(_SIZES, map(float, _numbers(arrays, "sizes", (3,))), strict=True)),
        hip_offset=layout.from_maya(_numbers(arrays, "hip_offset", (3,))),
        lengths=dict(zip(chains, map(float, _numbers(arrays, "lengths", (count,))), strict=True)),
        rest={name: points for name, points in zip(chains, rest, strict=True) if points.any()},
        rolls={
            name: float(roll)
            for name, roll in zip(chains, _numbers(arrays, "rolls", (count,)), strict=True)
            if roll
        },
    )


def _contacts(spans: np.ndarray) -> Contacts:
    if not np.isin(spans[:, 0], range(len(CONTACT_POINTS))).all():
        raise UnfitError("its contacts are of unknown points")
    rows = np.clip(spans, -1, 2**31).astype(np.int64)
    return Contacts(
        {
            point: rows[rows[:, 0] == at, 1:]
            for at, point in enumerate(CONTACT_POINTS)
            if (rows[:, 0] == at).any()
        }
    )


def _numbers(arrays: dict[str, np.ndarray], name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array of finite numbers of a shape, in which -1 stands for any size."""
    found = arrays[name]
    fits = found.ndim == len(shape) and all(
        wanted in (-1, size) for size, wanted in zip(found.shape, shape, strict=True)
    )
    if found.dtype.kind not in "fiub" or not fits:
        raise UnfitError(f"its '{name}' has the wrong shape")
    numbers = np.asarray(found, dtype=float)
    if not np.isfinite(numbers).all():
        raise UnfitError(f"its '{name}' has numbers that are NaN or infinite")
    return numbers


def _words(arrays: dict[str, np.ndarray], name: str) -> list[str]:
    if arrays[name].dtype.kind != "U" or arrays[name].ndim != 1:
        raise UnfitError(f"its '{name}' are not words")
    return [str(word) for word in arrays[name]]


def _word(arrays: dict[str, np.ndarray], name: str) -> str:
    if arrays[name].dtype.kind != "U" or arrays[name].ndim != 0:
        raise UnfitError(f"its '{name}' is not a word")
    return str(arrays[name])
