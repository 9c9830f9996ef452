"""A pose with its character's targets applied over it, as the channels of the driven bones."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from bpy.types import Object

from ...core.body.hold import HANDS, Hold
from ...core.body.reaching import places, reaching
from ...core.character.body import Body
from ...core.character.motion import Posed, RolePose
from ...core.geometry.rotation import norms, orthonormal, transposed
from ...core.geometry.vectors import transformed
from ...core.posing.channels import Channels
from ...core.posing.posing import Travel, solve
from ...core.posing.rig_table import RigTable
from ...core.skeleton.roles import SIDES, sided, spine_of
from ..live.memory import Memory
from .wishes import TargetWishes

MISSED = 0.002  # share of the leg: a hand farther from its target is reported
# share of the shoulders' largest coordinate: one this close to where it was expected has not moved
STILL = 1e-4


class _Shown(NamedTuple):
    """The targets a character was posed for, the shoulders expected `(2, 3)` in armature space, the rig's
    offset from those expected before `(2, 3)`, and what misses its target."""

    wanted: TargetWishes
    expected: np.ndarray
    off: np.ndarray
    missed: dict[str, float]


_shown: Memory[_Shown] = Memory()


@dataclass(frozen=True)
class Taker:
    """A character that takes poses: its body, the driven bones, and which of them travel."""

    body: Body
    rig: RigTable
    travel: Travel

    def over(self, pose: Posed, wanted: TargetWishes) -> RolePose:
        """Return the pose, of as many frames as `wanted`, with hands, chest and head at their targets."""
        found = RolePose.rows_of(pose, slice(None))
        off = (
            np.zeros_like(wanted.shoulders)
            if self._is_exact(found)
            else wanted.shoulders - self.shoulders(found)
        )
        return replace(found, motions=reaching(self.body, found.motions, self._holds(found, wanted, off)))

    def shown(self, obj: Object, pose: Posed, wanted: TargetWishes, is_below: bool) -> Channels:
        """Return the channels of one frame of a character as shown, and note what misses its target.

        `is_below`: Blender shows the pose below, not one with targets applied.
        """
        before = _shown.get(obj)
        expected = self.shoulders(pose)[0] if is_below or before is None else before.expected
        off = np.zeros_like(expected) if self._is_exact(pose) else wanted.shoulders[0] - expected
        holds = self._holds(pose, wanted, off[None])
        found = RolePose(pose.frames, reaching(self.body, pose.motions, holds), pose.root, pose.turns)
        whole = {hold.point: hold.there[0] for hold in holds if hold.point in HANDS and hold.share[0] >= 1.0}
        missed = {
            point: metres
            for point, place in places(self.body, found.motions, whole).items()
            if (metres := float(norms(place[0] - whole[point]))) > MISSED * self.body.leg_length
        }
        _shown[obj] = _Shown(wanted, self.shoulders(found)[0], off, missed)
        return solve(self.rig, found, self.travel)

    def shoulders(self, pose: Posed) -> np.ndarray:
        """Return the shoulders of a pose `(f, 2, 3)` in armature space, NaN for none."""
        found = np.full((len(pose.frames), len(SIDES), 3), np.nan)
        for row, side in enumerate(SIDES):
            motion = pose.motions.get(sided("upper_arm", side))
            if motion is not None:
                place = (
                    pose.root.carried(motion.position[:, None])[:, 0] if self._travels else motion.position
                )
                found[:, row] = transformed(place, self._to_armature)
        return found

    @property
    def _travels(self) -> bool:
        """Return whether the character moves within its armature."""
        return self.travel is not Travel.NOTHING

    @cached_property
    def _to_armature(self) -> np.ndarray:
        return self.rig.placement @ self.body.walk_to_armature

    def _is_exact(self, pose: Posed) -> bool:
        """Return whether the rig drives every bone of the trunk that the pose moves."""
        return {drive.role for drive in self.rig.drives}.issuperset(spine_of(pose.motions))

    def _holds(self, pose: Posed, wanted: TargetWishes, off: np.ndarray) -> list[Hold]:
        """Return where points are held, relative to the pose's root.

        `off` `(f, 2, 3)`: offset of the rig's shoulders from the pose's, as its trunk may have fewer bones
        than the pose.
        """
        to_walk = np.linalg.inv(self._to_armature)
        seen = to_walk @ wanted.places
        found = []
        for row, point in enumerate(wanted.points):
            place, turn = seen[:, row, :3, 3], orthonormal(seen[:, row, :3, :3])
            if point in HANDS:
                place = place - np.nan_to_num(off[:, HANDS.index(point)]) @ to_walk[:3, :3].T
            if self._travels:
                place, turn = pose.root.seen(place[:, None])[:, 0], transposed(pose.root.rotation) @ turn
            leans = wanted.leans[row] and self._is_exact(pose)
            turn = turn @ wanted.grips[row]
            found.append(Hold(point, place, wanted.share[:, row], turn, wanted.turned[:, row], leans))
        return found


def missed(obj: Object) -> dict[str, float]:
    """Return the hands that miss their targets in a character's last pose, with the distance in metres."""
    found = _shown.get(obj)
    return found.missed if found else {}


def is_fresh(obj: Object, wanted: TargetWishes) -> bool:
    """Return whether a character is posed for the present targets, with the shoulders where they were
    expected."""
    found = _shown.get(obj)
    if found is None or not wanted.is_near(found.wanted):
        return False
    moved = np.nan_to_num(wanted.shoulders[0] - found.expected - found.off)
    return bool(np.abs(moved).max() <= STILL * np.nanmax(np.abs(found.expected), initial=1e-9))


def forget(obj: Object | None = None) -> None:
    """Drop the state of an object (None: of all)."""
    _shown.forget(obj)
