"""A character's bones from the root outward, with what keys them."""

from collections.abc import Mapping, Sequence

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.keys.deviation import SeenMotion
from ...core.keys.outward import Outward
from ...core.posing.channels import AXIS_ANGLE, LOCATION, from_mode, in_mode, nearest, rotation_path
from ...core.skeleton.roles import SIDES, sided
from .parts import KeyedPart

TURN, PLACE, SOLE = "turn", "place", "sole"  # by what a bone strays: its axes, its head, what is fixed to it


class HangingBones:
    """The `bones` of a character as they are wanted, and as the keys of `parts` pose them; legs reach their
    ankles.

    Bones that do not hang on their parents, by constraints for instance, are left where they are wanted.
    """

    def __init__(
        self,
        obj: bpy.types.Object,
        character: Character,
        parts: Mapping[str, KeyedPart],
        seen: SeenMotion,
        bones: Sequence[str],
    ) -> None:
        self._parts, self._bones, self._rows = parts, bones, {name: row for row, name in enumerate(bones)}
        self._modes = {name: obj.pose.bones[name].rotation_mode for name in bones}
        self._size = float(np.linalg.norm(character.skeleton.to_world[:3, 0]))
        above = [obj.data.bones[name].parent for name in bones]
        parents = [self._rows.get(bone.name, -1) if bone else -1 for bone in above]
        keyed = [
            (row, *self._posed(parts[name], parts[name].values))
            for name, row in self._rows.items()
            if name in parts
        ]
        turns = {row: turn for row, turn, _ in keyed if turn is not None}
        slides = {row: slide for row, _, slide in keyed if slide is not None}
        legs = [
            [
                self._rows.get(character.roles.get(sided(part, side)) or "", -1)
                for part in ("thigh", "shin", "foot")
            ]
            for side in SIDES
        ]
        self._chain = Outward(
            seen, parents, turns, slides, [rows for rows in legs if min(rows) >= 0], character.body.leg_length
        )
        self.start = self._chain.start

    def depth(self, bone: str) -> int:
        """Return the number of bones above one."""
        return len(self._chain.upward(self._rows.get(bone, -1)))

    def wanted(self, part: KeyedPart) -> np.ndarray:
        """Return the values `(f, n)` of a bone's keys with which it is where it is wanted; what never moves
        stays as it is."""
        row = self._rows.get(part.bone, -1)
        if row < 0 or self._chain.parents[row] < 0 or not self._chain.hangs[row]:
            return part.values
        mode = self._modes[part.bone]
        turn, slide = self._chain.wanted(row)
        found = part.values.copy()
        for prop, columns in part.props:
            if prop == LOCATION:
                found[:, columns] = slide / self._size
            elif prop == rotation_path(mode) and mode != AXIS_ANGLE:  # axes of small angles tell nothing
                found[:, columns] = nearest(in_mode(turn, mode), part.values[:, columns], mode)
        return np.where(part.moves, found, part.values)

    def place(self, part: KeyedPart, values: np.ndarray) -> None:
        """Pose a bone as keys with these values `(f, n)` do."""
        if part.bone in self._rows:
            self._chain.place(self._rows[part.bone], *self._posed(part, values))

    def above(self, bone: str, by: str) -> tuple[str, ...]:
        """Return the keyed bones on which it depends how a bone strays, none if it does not hang on them
        alone."""
        rows = self._chain.upward(self._rows.get(bone, -1))
        above = [name for row in rows if (name := self._bones[row]) in self._parts]
        if not above or not self._chain.hangs[rows].all():
            return ()
        first = self._parts[above[0]]
        if by == TURN and self._modes[above[0]] != AXIS_ANGLE:
            return (above[0],)
        fixed = above[0] == bone and first.of(LOCATION, first.values) is None
        return tuple(above[1:] if by == PLACE and fixed and len(above) > 1 else above)

    def _posed(self, part: KeyedPart, values: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Return the rotation `(f, 3, 3)` and location `(f, 3)`, metres, that keys of a bone give it, None
        for one that does not move."""
        mode = self._modes[part.bone]
        turn, slide = part.of(rotation_path(mode), values), part.of(LOCATION, values)
        return None if turn is None else from_mode(turn, mode), None if slide is None else slide * self._size
