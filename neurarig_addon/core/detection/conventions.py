"""Evidence from bone names, compared with the tables of `data/conventions`.

A table is a JSON file with a `name` and `bones`: role -> the LEFT (or middle) bone's name as written in the
rig. `spine` and
`neck` list a chain from the pelvis up, of which a rig may lack some; any other list gives alternatives, the
best first.
`sides` gives the words for left and right if they are not English; `spare` names bones that every rig of the
family has and that
are never a biped's limb, nor is any bone below them. docs/reference/rig-conventions.md tells how to add a
table.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from ..errors import NeuraRigError
from ..shipped import DATA
from ..skeleton.naming import LAYERS, SIDE_WORDS, PlainName, plain_name, plain_names
from ..skeleton.roles import ARM_PARTS, LEG_PARTS, NECK, SIDES, SPINE, numbered, sided, stem_of
from ..skeleton.skeleton import Skeleton

TABLES = DATA / "conventions"
_CHAINS = (SPINE, NECK)
_PARTS = ("pelvis", SPINE, NECK, "head", *LEG_PARTS, *ARM_PARTS)
_LEG_WEIGHT = 2.0  # weight of leg bones: they identify a convention better than 'Head' does
_ABSENT = 0.25  # penalty for each of the table's names that the rig lacks
_FEW = 3  # different names of a table that a rig must have for the table to be tried
_ENOUGH = 6.0  # least score, of about 30; below it the names are not used
# penalty for a bone that deforms nothing: full rigs name a layer of controls like the bones that it moves
_CONTROL = 0.1

_LETTERS = re.compile(r"[^\W\d_]+")

Rows = Mapping[tuple[str, str], int]  # (side, core of the name) -> bone row


@dataclass(frozen=True, eq=False)
class Convention:
    """The bone names of one family of rigs: part -> alternatives (or links of a chain), each without side and
    layer.

    Each name is given as written and, if most names of the table share a word, also without it: `(as written,
    shortened)`.
    `sides`: the words for left and right, lower case -> `L` or `R`. `spare`: bones that are never a biped's
    limb.
    `words`: part -> the words of each name as written.
    """

    name: str
    parts: Mapping[str, tuple[tuple[str, ...], ...]]
    sides: Mapping[str, str] = field(default_factory=lambda: SIDE_WORDS)
    spare: tuple[tuple[str, ...], ...] = ()
    words: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    @cached_property
    def cores(self) -> frozenset[str]:
        """All names of limbs and trunk, the first halves of split limbs included."""
        listed = [core for names in self.parts.values() for cores in names for core in cores]
        return frozenset(listed + [core + "1" for core in listed])


@dataclass(frozen=True)
class NameVotes:
    """The roles by names: `rows` role -> bone row, `convention` the name of the table, empty if none fits.

    `spare`: rows that by the convention are not limbs, nor is anything below them.
    """

    convention: str = ""
    rows: Mapping[str, int] = field(default_factory=dict)
    spare: tuple[int, ...] = ()

    def on(self, rows: np.ndarray) -> "NameVotes":
        """Return the same votes for a skeleton in which bone k is row `rows[k]`."""
        moved = {role: int(rows[row]) for role, row in self.rows.items()}
        return NameVotes(self.convention, moved, tuple(int(rows[row]) for row in self.spare))

    def roles_of(self) -> dict[int, str]:
        """Return bone row -> role."""
        return {row: role for role, row in self.rows.items()}


def read_convention(path: Path) -> Convention:
    """Return one table; raises NeuraRigError, naming the file and what is wrong with it."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        bones = {part: _names(names) for part, names in table["bones"].items()}
        sides = {
            word.lower(): key[:1].upper()
            for key, words in table.get("sides", {}).items()
            for word in _names(words)
        } or SIDE_WORDS
        spare = _names(table.get("spare", []))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NeuraRigError(
            f"'{path.name}' is not a rig convention ({error}); write it like those in data/conventions."
        ) from None
    unknown = set(bones) - set(_PARTS)
    if unknown:
        raise NeuraRigError(
            f"'{path.name}' names the unknown part '{min(unknown)}'; use {', '.join(_PARTS)}."
        )
    if set(sides.values()) != set(SIDES):
        raise NeuraRigError(
            f"'{path.name}' needs words for both 'left' and 'right' in 'sides'; write it like those in"
            " data/conventions."
        )
    listed = [name for names in bones.values() for name in names] + spare
    cores = iter(
        [tuple(name.core for name in spellings) for spellings in zip(*_spellings(listed, sides), strict=True)]
    )
    parts = {part: tuple(next(cores) for _ in names) for part, names in bones.items()}
    words = {part: tuple(plain_name(name, sides).words for name in names) for part, names in bones.items()}
    return Convention(str(table.get("name", path.stem)), parts, sides, tuple(cores), words)


def _names(given: object) -> list[str]:
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise TypeError("a name is not a text")
    return names


def _spellings(names: Sequence[str], sides: Mapping[str, str]) -> tuple[list[PlainName], list[PlainName]]:
    """Return the names parsed as written, and without the words that most of them share."""
    return [plain_name(name, sides) for name in names], plain_names(names, sides)


@lru_cache(maxsize=4)
def conventions(folder: Path = TABLES) -> tuple[Convention, ...]:
    """Return all tables of a folder, in the order of their file names."""
    return tuple(read_convention(path) for path in sorted(folder.glob("*.json")))


def name_votes(skeleton: Skeleton) -> NameVotes:
    """Return the roles under the convention that fits the names best."""
    best, best_score = NameVotes(), _ENOUGH
    for sides, tables in _by_sides(conventions(), skeleton.names):
        written, short = _spellings(skeleton.names, sides)
        layers = _rows_by_layer(written, short, skeleton.deform)
        for rows in (layers[layer] for layer in LAYERS if layer in layers):
            if len(rows) < _ENOUGH:
                continue
            known = {core for _, core in rows}
            for convention in tables:
                if len(known & convention.cores) < _FEW:
                    continue
                found = _matches(convention, rows, skeleton)
                score = _score(convention, found, skeleton)
                if score > best_score:
                    spare = {row for side in ("", *SIDES) for row in _lookup(rows, side, convention.spare)}
                    best, best_score = NameVotes(convention.name, found, tuple(spare)), score
    return best


def _by_sides(
    tables: Iterable[Convention], names: Sequence[str]
) -> list[tuple[Mapping[str, str], list[Convention]]]:
    """Return the words for sides with the tables that use them, without those of which no word is in the
    names."""
    found: list[tuple[Mapping[str, str], list[Convention]]] = []
    words = set(_LETTERS.findall("\n".join(names).lower()))
    for table in tables:
        same = next((group for sides, group in found if sides == table.sides), None)
        if same is not None:
            same.append(table)
        elif table.sides == SIDE_WORDS or words & (set(table.sides) - set(SIDE_WORDS)):
            found.append((table.sides, [table]))
    return found


def _rows_by_layer(written: list[PlainName], short: list[PlainName], deform: np.ndarray) -> dict[str, Rows]:
    """Return the bones of each layer by their names as written and shortened.

    Of equal names the first counts; deforming bones come first, helpers last.
    """
    layers: dict[str, dict[tuple[str, str], int]] = {}
    order = sorted(range(len(written)), key=lambda row: (written[row].helper, not deform[row]))
    for spelling in (written, short):
        for row in order:
            name = spelling[row]
            layers.setdefault(name.layer, {}).setdefault((name.side, name.core), row)
    return dict(layers)


def _matches(convention: Convention, rows: Rows, skeleton: Skeleton) -> dict[str, int]:
    """Return role -> row of the bones named by a convention."""
    found: dict[str, int] = {}
    listed = {core for names in convention.parts.values() for cores in names for core in cores}
    for part, names in convention.parts.items():
        if part in _CHAINS:
            links = [
                row
                for cores in names
                for row in _lookup(rows, "", [cores])[:1] + _carried_on(rows, cores, listed)
            ]
            found.update(_chain(part, links, skeleton))
        elif part in LEG_PARTS or part in ARM_PARTS:
            for side in SIDES:
                _set_first(found, sided(part, side), _lookup(rows, side, names))
        else:
            _set_first(found, part, _lookup(rows, "", names))
    if any(_run_goes_on(rows, core) for cores in convention.parts.get("head", ()) for core in cores):
        found = {role: row for role, row in found.items() if stem_of(role) not in ("head", *_CHAINS)}
    return found


def _lookup(rows: Rows, side: str, names: Iterable[tuple[str, ...]]) -> list[int]:
    """Return the bones of these names, the best first; then the first halves of split limbs
    (`DEF-Thigh1.L`)."""
    return [
        rows[side, core + half]
        for half in ("", "1")
        for cores in names
        for core in cores
        if (side, core + half) in rows
    ]


def _carried_on(rows: Rows, cores: Iterable[str], listed: set[str]) -> list[int]:
    """Return the bones numbered on from a link of a chain, up to the next name that is `listed`: rigs differ
    in how many they have."""
    for core in cores:
        found: list[int] = []
        following = _next_name(core)
        while following not in listed and ("", following) in rows:
            found.append(rows["", following])
            following = _next_name(following)
        if found:
            return found
    return []


def _next_name(core: str) -> str:
    """Return the next name in a numbered series: `spine` and `spine1` give `spine1` and `spine2`."""
    stem = core.rstrip("0123456789")
    return f"{stem}{int(core[len(stem) :] or 0) + 1}"


def _run_goes_on(rows: Rows, core: str) -> bool:
    """Return whether a numbered name is followed by the next: the rig then numbers differently, and `spine6`
    need not be the head."""
    return core[-1].isdecimal() and ("", core) in rows and ("", _next_name(core)) in rows


def _set_first(found: dict[str, int], role: str, rows: list[int]) -> None:
    row = next((row for row in rows if row not in found.values()), None)
    if row is not None:
        found[role] = row


def _chain(part: str, links: list[int], skeleton: Skeleton) -> dict[str, int]:
    """Return the roles of a chain from the links that exist and are in order (deform layers need not be
    parented in a row)."""
    chain: list[int] = []
    for row in links:
        if row not in chain and (not chain or row not in skeleton.ancestors(chain[-1])):
            chain.append(row)
    carriers = {above for row in chain for above in skeleton.ancestors(row)}
    # if links carry each other, one that carries nothing is a belly or breath bone beside the chain
    if carriers & set(chain):
        chain = [row for row in chain if skeleton.children[row] or row == chain[-1]]
    return numbered(part, chain)


def _score(convention: Convention, found: Mapping[str, int], skeleton: Skeleton) -> float:
    """Return how well a convention fits: the worth of each name that the rig has, less a penalty for those
    that it lacks."""
    score = 0.0
    for part, names in convention.parts.items():
        expected = len(names) if part in _CHAINS else 2 if part in LEG_PARTS + ARM_PARTS else 1
        rows = [row for role, row in found.items() if stem_of(role) == part]
        worth = (
            len(rows)
            - _CONTROL * sum(not skeleton.deform[row] for row in rows)
            - _ABSENT * max(expected - len(rows), 0)
        )
        score += worth * (_LEG_WEIGHT if part in LEG_PARTS else 1.0)
    return score
