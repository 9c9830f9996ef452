"""A rig as posing needs it: the relevant bones, and what each driven one takes from a pose."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..geometry.rotation import from_axis_angle, normalized, norms, rotation_vector
from .heels import Heel

ROOT_ROLE = "root"
POLE = "knee."
POLES = (POLE, "elbow.")  # of fore legs as well
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
    heels: tuple[Heel, ...] = ()
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


# shares of the chest's turn made by bones below: they model thirds and quarters too, to a thousandth of it
_SHARES = (0.5, 1.0)
_IDENTITY = np.eye(3).ravel()
TERMS = len(_SHARES) * len(_IDENTITY)


@dataclass(frozen=True)
class TrunkBend:
    """Displacement of the chest from where the pelvis carries it, when it is turned against the pelvis.

    `terms` `(18, 3)`: metres for each number of the matrix of half the turn, and of the whole turn, less the
    identity. Exact if each bone below the chest makes none, half or all of its turn about an axis of its own.
    """

    terms: np.ndarray

    @classmethod
    def seen(cls, turns: np.ndarray, shifts: np.ndarray, within: float) -> "TrunkBend | None":
        """Return the bend fitted to chests turned by `turns` `(f, 3, 3)` and displaced by `shifts` `(f, 3)`,
        both relative to the pelvis.

        None if they stay in place, or if three of four samples do not predict the others to `within` metres.
        """
        if not np.isfinite(shifts).all() or np.abs(shifts).max() < within:
            return None
        other = np.arange(len(turns)) % 4 == 3
        most = cls._best(turns[~other], shifts[~other])
        return (
            cls._best(turns, shifts)
            if np.abs(most.shift(turns[other]) - shifts[other]).max() < within
            else None
        )

    @classmethod
    def _best(cls, turns: np.ndarray, shifts: np.ndarray) -> "TrunkBend":
        return cls(np.linalg.lstsq(_numbers(turns), shifts, rcond=1e-6)[0])

    def shift(self, turns: np.ndarray) -> np.ndarray:
        """Return the chest's displacement `(f, 3)`, metres relative to the pelvis, when turned by `turns`
        `(f, 3, 3)`."""
        return _numbers(turns) @ self.terms


def _numbers(turns: np.ndarray) -> np.ndarray:
    vectors = rotation_vector(turns)
    axes, angles = normalized(vectors), norms(vectors)
    return np.concatenate(
        [from_axis_angle(axes, share * angles).reshape(-1, 9) - _IDENTITY for share in _SHARES], axis=1
    )
