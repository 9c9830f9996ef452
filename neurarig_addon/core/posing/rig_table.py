"""A rig as posing needs it: the relevant bones, and what each driven one takes from a pose."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

ROOT_ROLE = "root"
POLE = "knee."
GAZE = "gaze."
NO_PARENT = -1


@dataclass(frozen=True)
class TableBone:
    """One bone of a RigTable.

    `name`: empty for a transform between bones. `parent`: row in the table, -1 for none. `rest` `(4, 4)`:
    rest matrix.
    `stands` `(4, 4)`: the bone's matrix when its role stands, None if that is the rest matrix.
    `basis` `(4, 4)`: the bone's own transform; of a driven bone only the scale is used. `inherit_rotation`,
    `inherit_scale`,
    `local_location`: Blender's settings of the relation to the parent.
    """

    name: str
    parent: int
    rest: np.ndarray
    basis: np.ndarray
    rotation_mode: str = "QUATERNION"
    inherit_rotation: bool = True
    inherit_scale: bool = True
    local_location: bool = True
    stands: np.ndarray | None = None


@dataclass(frozen=True)
class Drive:
    """A bone that the walk drives: it takes the `role`'s rotation, its head goes where the role takes it, or
    both.

    A drive of a knee pole, or of what an eye looks at, puts the bone's head on that point itself. A drive of
    the role `root` moves as
    the pose's root does, and turns with it if the root turns.
    """

    bone: int
    role: str
    use_location: bool
    use_rotation: bool


@dataclass(frozen=True)
class RigTable:
    """The bones relevant to the walk (the driven ones and everything above them), parents before children,
    and what drives them.

    `placement` `(4, 4)`: the rigid motion by which the user's root control has moved the whole character away
    from rest. The bones of the table are at rest relative to that root; if no bone has the role `root` the
    placement is applied to the walk. `swivels`: role of a pole -> radians about the line from hip to ankle by
    which the rig's knee is off its pole. `hinges`: role of a shin -> the only axis `(3,)` at rest, in the
    walk frame, about which the rig bends its knee. `plans`: the plans that `posing` has cached for this rig.
    """

    bones: tuple[TableBone, ...]
    drives: tuple[Drive, ...]
    walk_to_armature: np.ndarray
    placement: np.ndarray = field(default_factory=lambda: np.eye(4))
    swivels: Mapping[str, float] = field(default_factory=dict)
    hinges: Mapping[str, np.ndarray] = field(default_factory=dict)
    plans: dict[tuple[tuple[str, ...], bool], object] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def travel_direction(self) -> np.ndarray:
        """Return the armature-space vector `(3,)` of one metre of travel."""
        return self.placement[:3, :3] @ self.walk_to_armature[:3, 0]

    @property
    def root_bone(self) -> str:
        """Name of the bone that carries the whole character, '' without one."""
        return next((self.bones[drive.bone].name for drive in self.drives if drive.role == ROOT_ROLE), "")
