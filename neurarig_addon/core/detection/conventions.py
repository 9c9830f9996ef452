"""The first witness: bone names, compared with the tables of `data/conventions`.

A table is a JSON file with a `name` and `bones`: role -> the LEFT (or middle) bone's name as it stands in the rig.  `spine` and
`neck` list a chain from the pelvis up, of which a rig may lack some; any other list gives alternatives, the best first.
docs/rig-conventions.md tells how to add one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ..errors import NeuraRigError
from ..naming import LAYERS, PlainName, plain_names
from ..roles import ARM_PARTS, LEG_PARTS, NECK, SIDES, SPINE, sided
from ..skeleton import Skeleton

TABLES = Path(__file__).parents[2] / "data" / "conventions"
_CHAINS = (SPINE, NECK)
_PARTS = ("pelvis", SPINE, NECK, "head", *LEG_PARTS, *ARM_PARTS)
_LEG_WEIGHT = 2.0  # legs say more about a convention than 'Head' does
_ABSENT = 0.25  # what a name of the table that the rig lacks takes away
_ENOUGH = 6.0  # of about 30: below this the names say nothing


@dataclass(frozen=True)
class Convention:
    """How one family of rigs names its bones: part -> alternatives (or links of a chain), each without side and layer."""

    name: str
    parts: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class NameVotes:
    """What the names say: `rows` role -> bone row, `convention` the name of the table, empty where none fits."""

    convention: str = ""
    rows: Mapping[str, int] = field(default_factory=dict)

    def roles_of(self) -> dict[int, str]:
        """Return bone row -> role."""
        return {row: role for role, row in self.rows.items()}


def read_convention(path: Path) -> Convention:
    """Read one table; a NeuraRigError names the file and what is wrong with it."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        bones = {part: [names] if isinstance(names, str) else list(names) for part, names in table["bones"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NeuraRigError(f"'{path.name}' is no rig convention ({error}); see docs/rig-conventions.md.") from None
    unknown = set(bones) - set(_PARTS)
    if unknown:
        raise NeuraRigError(f"'{path.name}' names the unknown part '{min(unknown)}'; use {', '.join(_PARTS)}.")
    plain = iter(plain_names([name for names in bones.values() for name in names]))
    return Convention(str(table.get("name", path.stem)), {part: tuple(next(plain).core for _ in names) for part, names in bones.items()})


@lru_cache(maxsize=4)
def conventions(folder: Path = TABLES) -> tuple[Convention, ...]:
    """Return all tables of a folder, in the order of their file names."""
    return tuple(read_convention(path) for path in sorted(folder.glob("*.json")))


def name_votes(skeleton: Skeleton) -> NameVotes:
    """Return the roles under the convention that fits the names best."""
    names = plain_names(skeleton.names)
    best, best_score = NameVotes(), _ENOUGH
    for layer in LAYERS:
        rows = _rows_by_name(names, layer)
        if len(rows) < _ENOUGH:
            continue
        for convention in conventions():
            found = _matches(convention, rows, skeleton)
            score = _score(convention, found)
            if score > best_score:
                best, best_score = NameVotes(convention.name, found), score
    return best


def _rows_by_name(names: list[PlainName], layer: str) -> dict[tuple[str, str], int]:
    """Return (side, core) -> row of one layer; of equal names the first counts, helpers like `__UpLeg_L` last."""
    rows: dict[tuple[str, str], int] = {}
    for row, name in sorted(enumerate(names), key=lambda item: item[1].helper):
        if name.layer == layer:
            rows.setdefault((name.side, name.core), row)
    return rows


def _matches(convention: Convention, rows: dict[tuple[str, str], int], skeleton: Skeleton) -> dict[str, int]:
    """Return role -> row of the bones that a convention names."""
    found: dict[str, int] = {}
    for part, cores in convention.parts.items():
        if part in _CHAINS:
            found.update(_chain(part, [_lookup(rows, "", core) for core in cores], skeleton))
        elif part in LEG_PARTS or part in ARM_PARTS:
            for side in SIDES:
                _set_first(found, sided(part, side), [_lookup(rows, side, core) for core in cores])
        else:
            _set_first(found, part, [_lookup(rows, "", core) for core in cores])
    return found


def _lookup(rows: dict[tuple[str, str], int], side: str, core: str) -> int | None:
    """Return the bone of that name, or the first half of a limb that is split in two (`DEF-Thigh1.L`)."""
    return rows.get((side, core), rows.get((side, core + "1")))


def _set_first(found: dict[str, int], role: str, rows: list[int | None]) -> None:
    row = next((row for row in rows if row is not None and row not in found.values()), None)
    if row is not None:
        found[role] = row


def _chain(part: str, rows: list[int | None], skeleton: Skeleton) -> dict[str, int]:
    """Return the roles of a chain from those links that exist and stand in order (deform layers need not be parented in a row)."""
    links: list[int] = []
    for row in rows:
        if row is not None and row not in links and (not links or row not in skeleton.ancestors(links[-1])):
            links.append(row)
    return {(part if part == NECK and k == 0 else f"{part}.{k + 1}"): row for k, row in enumerate(links)}


def _score(convention: Convention, found: Mapping[str, int]) -> float:
    score = 0.0
    for part in convention.parts:
        weight = _LEG_WEIGHT if part in LEG_PARTS else 1.0
        if part in _CHAINS:
            present = sum(role.split(".")[0] == part for role in found)
            score += present - _ABSENT * (len(convention.parts[part]) - present)
        elif part in LEG_PARTS or part in ARM_PARTS:
            present = sum(sided(part, side) in found for side in SIDES)
            score += weight * (present - _ABSENT * (2 - present))
        else:
            score += weight * (1.0 if part in found else -_ABSENT)
    return score
