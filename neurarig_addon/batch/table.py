"""A table of a job file: its keys are asked for one by one, and a mistake is one sentence with the key and
the remedy; and tables as Parquet."""

import json
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ..core.errors import NeuraRigError
from ..core.files.option_values import meant
from ..core.files.whole_file import written_whole
from ..core.labels import label_file
from ..core.labels.label_file import CONTACT_POINTS
from ..core.skeleton.roles import SIDES

LONGEST_TEXT = 1_000  # characters
MOST_ITEMS = 10_000  # of a list


class BatchTable:
    """One table: `where` names it in sentences."""

    def __init__(self, where: str, content: Any) -> None:
        self.where = where
        if not isinstance(content, Mapping):
            raise NeuraRigError(f"{where} must be a table of keys and values.")
        self._content = content
        self._asked: list[str] = []

    def has(self, key: str) -> bool:
        """Return whether a key is given."""
        self._asked.append(key)
        return key in self._content

    def get(self, key: str, default: Any = None) -> Any:
        """Return what a key has, whatever it is."""
        return self._content[key] if self.has(key) else default

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text that is not empty; without a default the key is needed."""
        found = self._needed(key, default)
        if found != default and not self._is_text(found):
            self.refuse(key, "needs a text in quotes that is not empty", found)
        return found

    def one_of(self, key: str, choices: tuple[str, ...], default: str) -> str:
        """Return one of some words."""
        found = self.get(key, default)
        if found not in choices:
            self.refuse_word(key, found, choices)
        return found

    def whole(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """Return a whole number within bounds; without a default the key is needed."""
        found = self._needed(key, default)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            self.refuse(key, f"needs a whole number from {least} to {most}", found)
        return found

    def yes(self, key: str) -> bool:
        """Return whether a key is true; false if it is not given."""
        found = self.get(key, False)
        if not isinstance(found, bool):
            self.refuse(key, "must be true or false", found)
        return found

    def texts(
        self, key: str, default: tuple[str, ...] | None = None, may_be_empty: bool = False
    ) -> tuple[str, ...]:
        """Return a list of different texts; without a default the key is needed."""
        found = self.words(key, default, may_be_empty)
        if len(set(found)) != len(found):
            self.refuse(key, "may have each text once", list(found))
        return found

    def words(
        self, key: str, default: tuple[str, ...] | None = None, may_be_empty: bool = False
    ) -> tuple[str, ...]:
        """Return a list of texts; without a default the key is needed."""
        found = self._list(key, default)
        if not all(self._is_text(one) or (may_be_empty and one == "") for one in found):
            self.refuse(key, 'needs a list of texts, such as ["one", "two"]', list(found))
        return found

    def numbers(self, key: str) -> tuple[float, ...]:
        """Return a list of different finite numbers, none by default."""
        found = self._list(key, ())
        if not all(is_number(one) for one in found) or len(set(found)) != len(found):
            self.refuse(key, "needs a list of different numbers, such as [1.0, 1.4]", list(found))
        return found

    def tables(self, key: str) -> list["BatchTable"]:
        """Return the tables of an array `[[key]]`, none if it is not given."""
        found = self.get(key, [])
        if not isinstance(found, list) or len(found) > MOST_ITEMS:
            raise NeuraRigError(
                f"{self.where}: '{key}' must be written as [[{key}]], {MOST_ITEMS} times at most."
            )
        return [
            BatchTable(f"{self.where}, [[{key}]] number {number}", one)
            for number, one in enumerate(found, start=1)
        ]

    def items(self, key: str) -> Mapping[str, Any]:
        """Return a table of keys and values, empty if it is not given."""
        found = self.get(key, {})
        if not isinstance(found, Mapping):
            self.refuse(key, 'needs a table, such as { mode = "travel" }', found)
        return found

    def require_known(self) -> None:
        """Refuse keys that nobody has asked for."""
        for key in self._content:
            if key not in self._asked:
                raise NeuraRigError(
                    f"{self.where} has a key '{key}' that means nothing; {meant(key, self._asked)}"
                )

    def refuse_word(self, key: str, found: object, known: Iterable[str]) -> NoReturn:
        """Raise NeuraRigError about a word of a key that is none of those known."""
        raise NeuraRigError(f"{self.where}: '{key}' cannot be {found!r}; {meant(found, known)}")

    def refuse(self, key: str, what: str, found: object) -> NoReturn:
        """Raise NeuraRigError about the value of a key."""
        raise NeuraRigError(f"{self.where}: '{key}' {what}, not {found!r}.")

    def _needed(self, key: str, default: Any) -> Any:
        if not self.has(key) and default is None:
            raise NeuraRigError(f"{self.where} needs a key '{key}'.")
        return self.get(key, default)

    def _list(self, key: str, default: tuple[Any, ...] | None) -> tuple[Any, ...]:
        found = self._needed(key, default)
        if (
            not isinstance(found, list | tuple)
            or not all(isinstance(one, str | int | float) for one in found)
            or len(found) > MOST_ITEMS
        ):
            self.refuse(key, f"needs a list in square brackets, of {MOST_ITEMS} at most", found)
        if not found and default is None:
            self.refuse(key, "needs at least one", found)
        return tuple(found)

    @staticmethod
    def _is_text(value: object) -> bool:
        return (
            isinstance(value, str)
            and bool(value.strip())
            and len(value) <= LONGEST_TEXT
            and value.isprintable()
        )


def is_number(value: object) -> bool:
    """Return whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def require_parquet(where: str) -> None:
    """Raise NeuraRigError, beginning with `where`, where pyarrow is missing or does not fit this numpy."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as problem:
        raise NeuraRigError(
            f"{where}: the format 'parquet' needs pyarrow ({problem}); install it beside this Python, or"
            " choose npz."
        ) from None


# Columns of Parquet -> their unit, and what they are; the page of batches says the same.
_WORLD = "in the world, z up"
COLUMNS = {
    "character": ("", "name of the character"),
    "motion": ("", "number of the motion, from 0"),
    "frame": ("frames", "frame of the scene"),
    "style": ("", "styles with weights, or the kind of pose"),
    "settings": ("JSON", "what the motion was made with"),
    "speed": ("m/s", "over the ground; NaN for what is no walk"),
    "phase.SIDE": ("cycles", "since the first heel strike of that foot; NaN for what is no walk"),
    "POINT_planted.SIDE": ("", "whether heel, ball or toe stands; of a clip false: not known"),
    "ROLE.AXIS": ("m", f"head of the bone, {_WORLD}"),
    "ROLE.qPART": ("", f"axes of the bone as a quaternion w, x, y, z, {_WORLD}; y along the bone"),
}


def write_parquet(labels_file: Path, path: Path) -> None:
    """Write the labels of an .npz as Parquet, its columns as COLUMNS says; what is the same on every frame of
    a motion stands in each of its rows."""
    import pyarrow
    from pyarrow import parquet

    labels = label_file.load(labels_file)
    columns: dict[str, tuple[str, np.ndarray]] = {
        name: (name, values)
        for name, values in (
            ("character", np.full(len(labels.frames), labels.character)),
            ("motion", labels.motion),
            ("frame", labels.frames),
            ("style", labels.style[labels.motion]),
            ("settings", labels.settings[labels.motion]),
            ("speed", labels.speed),
        )
    }
    for side, name in enumerate(SIDES):
        columns[f"phase.{name}"] = "phase.SIDE", labels.phase[:, side]
        for point, of in enumerate(CONTACT_POINTS):
            columns[f"{of}_planted.{name}"] = "POINT_planted.SIDE", labels.contacts[:, side, point]
    for row, role in enumerate(labels.roles):
        for at, axis in enumerate("xyz"):
            columns[f"{role}.{axis}"] = "ROLE.AXIS", labels.heads[:, row, at]
        for at, part in enumerate("wxyz"):
            columns[f"{role}.q{part}"] = "ROLE.qPART", labels.rotations[:, row, at]
    told = {name: getattr(labels, name).tolist() for name in ("roles", "bones", "parents", "rest")}
    told |= {"fps": labels.fps, "format": label_file.FORMAT, "version": label_file.VERSION}
    arrays = [pyarrow.array(values) for _, values in columns.values()]
    fields = [
        pyarrow.field(name, array.type, metadata=dict(zip(("unit", "is"), COLUMNS[kind], strict=True)))
        for (name, (kind, _)), array in zip(columns.items(), arrays, strict=True)
    ]
    schema = pyarrow.schema(fields, {name: json.dumps(value) for name, value in told.items()})
    with written_whole(path) as unfinished:
        parquet.write_table(pyarrow.table(arrays, schema=schema), unfinished)
