"""A body being posed from its hips outward, in the heading frame."""

from collections.abc import Iterator

import numpy as np

from ..character.character import Character
from ..character.motion import Motion
from ..geometry.rotation import times
from .anatomy import RestPoint


class PosedBody:
    """The roles posed so far: metres, origin on the ground under the hips' position at rest, x along the
    hips' heading."""

    def __init__(self, character: Character) -> None:
        self._character = character
        self._motions: dict[str, Motion] = {}
        self._orientations: dict[str, np.ndarray] = {}

    def __contains__(self, role: str) -> bool:
        return role in self._motions

    def motions(self) -> Iterator[tuple[str, Motion]]:
        """Yield the roles and their motions."""
        yield from self._motions.items()

    def has(self, role: str) -> bool:
        """Return whether the rig has a bone for a role."""
        return self._character.row(role) is not None

    def put(self, role: str, orientation: np.ndarray, head: np.ndarray) -> None:
        """Pose a bone: `orientation` `(f, 3, 3)` relative to the reference pose, `head` `(f, 3)`."""
        self._orientations[role] = orientation
        self._motions[role] = Motion(
            times(orientation, self._character.reference[role]), head, self._character.rest_head(role)
        )

    def hang(self, role: str, holder: str, orientation: np.ndarray) -> None:
        """Pose a bone whose head is carried by another's."""
        self.put(role, orientation, self.carried(holder, self._character.rest_head(role)))

    def ride(self, role: str, holder: str) -> None:
        """Pose a bone that is fixed to another."""
        motion = self._motions[holder]
        turn = times(motion.rotation, self._character.reference[role].T)
        self.hang(role, holder, turn)

    def orientation(self, role: str) -> np.ndarray:
        """Return the orientation `(f, 3, 3)` of a posed bone."""
        return self._orientations[role]

    def carried(self, role: str, point: np.ndarray) -> np.ndarray:
        """Return the positions `(f, 3)` of a point `(3,)` of the rest pose, carried by a posed bone."""
        return self._motions[role].carry(point)

    def place(self, joint: RestPoint) -> np.ndarray:
        """Return a joint's positions `(f, 3)`."""
        return self.carried(joint.role, joint.rest)

    def rest_head(self, role: str) -> np.ndarray:
        """Return the head `(3,)` of a role's bone at rest."""
        return self._character.rest_head(role)

    def in_reference(self, role: str, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the line `(3,)` between two points of the rest pose on a role's bone, as it lies in the
        reference pose."""
        return self._character.reference[role] @ (end - start)
