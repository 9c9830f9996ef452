"""Chains of bones that hang on a body and that nobody drives: tails, ears, hair, straps, skirts, bellies.

They are found by their hang: at the end of the skeleton, below a bone with a role, without one of their own
or with that of a tail or an ear. Names say of which kind a chain is, and what is none: faces, fingers and
helpers. Without names only what hangs as a tail or hair does is taken. Of bones that lie in one another, as
the layers of control rigs do, one is taken: that which can be moved.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..character.character import Character
from ..geometry.rotation import normalized, norms
from ..skeleton.naming import plain_names
from ..skeleton.roles import BIPED, EARS, stem_of
from .kinds import BELLY, EAR, HAIR, TAIL, WING, kinds, never

FREE = ("tail", "ear", "eye")  # roles whose bones carry no body
_HOLDERS = {EAR: ("head",), HAIR: ("head",), WING: ("spine", "pelvis"), BELLY: ("spine", "pelvis")}
_MECHANISM = ("mch", "str", "vis", "wgt", "ik")  # layers of bones that nobody poses
_LAYERS = ("", "fk", "def", "org")  # of bones in one place, those first
_ENDS = ("hand", "foot", "toe", "fingers")  # roles below which only what has a name hangs
_LEAST_PARTS = 2  # bones of a chain that no name tells
_LONG = 0.12  # leg lengths that such a chain is long, at least; and a biped's ear that is none of a face
_MIDDLE = 0.08  # leg lengths: a tail begins as near to the middle
_LEAST = 0.02  # of the longest bone: one without a length of its own counts as so long
_SAME = 0.02  # of a leg length: joints that are nearer are one
_LETTERS = 4  # fewest of a word that is looked for within a name's words
_CHINESE = "\u2fff"  # a character above this is a word


class HangingChain(NamedTuple):
    """A chain: its `bones` from the body outwards, its `kind`, the role `holder` that carries it, and its
    `joints` `(n + 1, 3)` at rest in the walk frame, the last one its tip."""

    bones: tuple[str, ...]
    kind: str
    holder: str
    joints: np.ndarray


def find_chains(character: Character, moved: Collection[str] | None = None) -> tuple[HangingChain, ...]:
    """Return the chains of a character in the order of its bones; `moved`: bones that can be moved, None for
    all."""
    return tuple(_Search(character, moved).chains())


class _Search:
    """A character whose chains are looked for."""

    def __init__(self, character: Character, moved: Collection[str] | None) -> None:
        self.skeleton, self.roles, self.leg = character.skeleton, character.roles, character.body.leg_length
        self.character, self.plain = character, plain_names(self.skeleton.names)
        self.role_of = {bone: role for role, bone in self.roles.listed.items()}
        self.taken = np.zeros(len(self.skeleton.names), dtype=bool)
        for bone, role in self.role_of.items():
            row = self.skeleton.index.get(bone)
            if row is not None and stem_of(role) not in FREE:
                self.taken[[row, *self.skeleton.ancestors(row)]] = True
        self.shown = self._shown(moved)

    def _shown(self, moved: Collection[str] | None) -> np.ndarray:
        """Return which bones `(bones,)` a chain may have: of those that lie in one another the best."""
        names, found = self.skeleton.names, np.zeros(len(self.plain), dtype=bool)
        order = sorted(
            (row for row in np.flatnonzero(~self.taken) if self.plain[row].layer not in _MECHANISM),
            key=lambda row: (
                names[row] not in self.role_of,
                moved is not None and names[row] not in moved,
                _LAYERS.index(self.plain[row].layer),
                row,
            ),
        )
        ends = np.stack([self.skeleton.heads, self.skeleton.tails], axis=1)
        ends = self.character.in_walk(ends.reshape(-1, 3)).reshape(-1, 2, 3)
        for row in order:
            same = (norms(ends - ends[row]) < _SAME * self.leg).all(axis=1)
            found[row] = not (found & same).any()
        return found

    def chains(self) -> Iterator[HangingChain]:
        for row, parent in enumerate(self.skeleton.parents.tolist()):
            is_top = parent >= 0 and self.taken[parent]
            if is_top and not self.taken[row] and not (self.taken & self.skeleton.below(row)).any():
                yield from self._below(row)

    def _below(self, row: int, known: str = "") -> Iterator[HangingChain]:
        """Yield the chains that begin at a bone or below it; `known`: of which kind the one before is."""
        kind, holder = self._kind(row, known), self._holder(row)
        rows = self._longest(row) if kind and self.shown[row] else []
        if rows and (self._span(rows) > _LONG or kind != EAR or self.roles.kind != BIPED):
            bones = tuple(self.skeleton.names[at] for at in rows)
            yield HangingChain(bones, kind, holder or self._held_by(kind), self._joints(rows))
        else:
            kind = "" if rows else kind
        if kind or stem_of(holder) not in _ENDS:
            for at in rows or [row]:
                for child in self.skeleton.children[at]:
                    if child not in rows:
                        yield from self._below(child, kind)

    def _kind(self, row: int, known: str) -> str:
        """Return the kind that role, name, the chain before or its hang give a bone, '' if they give none."""
        role = self.role_of.get(self.skeleton.names[row], "")
        if role:
            return EAR if role in EARS else TAIL if stem_of(role) == "tail" else ""
        if self._is_no_chain(row):
            return ""
        letters, named = max((self._letters(row, kind.words), name) for name, kind in kinds().items())
        return (named if letters else known) or (self._hung(row) if self.shown[row] else "")

    def _is_no_chain(self, row: int) -> bool:
        return self.plain[row].helper or self._letters(row, never()) > 0

    def _letters(self, row: int, words: frozenset[str]) -> int:
        """Return how many letters the longest of some words has that is in a bone's name, alone or within
        a longer one."""
        own = self.plain[row].words
        return max(
            (
                len(word)
                for word in words
                if word in own
                or ((len(word) >= _LETTERS or word > _CHINESE) and any(word in each for each in own))
            ),
            default=0,
        )

    def _hung(self, row: int) -> str:
        """Return the kind that a chain has by where it hangs and points, '' if that is not clear."""
        rows, holder = self._longest(row), self._holder(row)
        joints = self._joints(rows)
        way = joints[-1] - joints[0]
        if len(rows) < _LEAST_PARTS or self._span(rows) <= _LONG:
            return ""
        if holder == "head":
            head = self._joints([self.skeleton.index[self.roles.bones["head"]]])[0]
            is_behind = joints[0][2] > head[2] and joints[-1][0] < head[0] and way[0] < 0.0
            return HAIR if is_behind else ""
        is_middle = abs(joints[0][1]) < _MIDDLE * self.leg
        return TAIL if holder == "pelvis" and is_middle and way[0] < -0.5 * norms(way) else ""

    def _span(self, rows: list[int]) -> float:
        """Return how far a chain leads, leg lengths."""
        joints = self._joints(rows)
        return float(norms(joints[-1] - joints[0])) / self.leg

    def _holder(self, row: int) -> str:
        """Return the role of the nearest bone above that carries a body, '' if none does."""
        above = (self.role_of.get(self.skeleton.names[at], "") for at in self.skeleton.ancestors(row))
        return next((role for role in above if role and stem_of(role) not in FREE), "")

    def _held_by(self, kind: str) -> str:
        """Return the role that a kind hangs on where the skeleton does not say."""
        stems = _HOLDERS.get(kind, ("pelvis",))
        listed = [role for stem in stems for role in self.roles.bones if stem_of(role) == stem]
        return listed[-1] if listed else "pelvis"

    def _longest(self, row: int) -> list[int]:
        """Return the rows of the longest chain down from a bone; a tail's goes along its roles."""
        tail = [self.skeleton.index[bone] for bone in self.roles.tail() if bone in self.skeleton.index]
        if row in tail:
            return tail[tail.index(row) :]
        below = [
            rows
            for child in self.skeleton.children[row]
            if (rows := self._longest(child)) and not self.taken[child]
        ]
        own = [row] if self.shown[row] and not self._is_no_chain(row) else []
        return own + max(below, key=lambda rows: (len(rows), self._span(rows)), default=[])

    def _joints(self, rows: list[int]) -> np.ndarray:
        return joints_of(self.character, rows)


def joints_of(character: Character, rows: Sequence[int]) -> np.ndarray:
    """Return the joints of a chain of bones and its tip `(n + 1, 3)` at rest in the walk frame, none in the
    same place as the one before."""
    heads, tails = (
        character.in_walk(ends[[*rows]]) for ends in (character.skeleton.heads, character.skeleton.tails)
    )
    joints = np.concatenate([heads, tails[-1:]])
    least = _LEAST * max(float(norms(np.diff(joints, axis=0)).max()), _SAME * character.body.leg_length)
    for at, way in enumerate(tails - heads, start=1):
        if norms(joints[at] - joints[at - 1]) < least:
            joints[at:] += joints[at - 1] + least * normalized(way) - joints[at]
    return joints
