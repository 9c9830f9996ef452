"""Heel controls that hang on a rig's own solvers, as those of Rigify's paws: where a heel control is carried
before it is turned, in closed form.

In a hind leg a chain of two bones goes from the hip to the paw and bends towards the pole. A second chain,
shin and foot, hangs on its upper bone and goes to the paw as well; the heel control hangs on that foot. In a
fore leg it hangs on the paw, and is tilted in part towards the joint of the first chain, which rests.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import (
    TINY,
    between,
    cross,
    dot,
    frame,
    from_axis_angle,
    norms,
    part_way,
    rotated,
    transposed,
)

HELD = "held."  # before the role of a foot: what carries its heel control


@dataclass(frozen=True)
class Hinge:
    """A bone that turns about one `axis` `(3,)` through its `joint` `(3,)`, and its `end` `(3,)`, which
    another bone joins to a point `other` `(3,)`; at rest in the walk frame, metres."""

    joint: np.ndarray
    end: np.ndarray
    axis: np.ndarray
    other: np.ndarray

    def turned_to(self, other: np.ndarray, distance: np.ndarray | float) -> np.ndarray:
        """Return the turns `(f, 3, 3)` by which the end is at a distance `(f,)` from the other point, now
        `(3,)` or `(f, 3)`, or as near to that as it gets; bent to the side as at rest."""
        bone, way, rest = self.end - self.joint, other - self.joint, self.other - self.joint
        aside = cross(self.axis, bone)
        along = dot(bone, self.axis) * dot(way, self.axis)
        ahead, beside = dot(way, bone) - along, dot(way, aside)
        wanted = 0.5 * (dot(bone, bone) + dot(way, way) - np.square(distance)) - along
        half = np.arccos(np.clip(wanted / np.maximum(np.hypot(ahead, beside), TINY), -1.0, 1.0))
        return from_axis_angle(self.axis, np.arctan2(beside, ahead) - np.sign(dot(rest, aside)) * half)

    def carried(self, turn: np.ndarray) -> np.ndarray:
        """Return the end `(f, 3)` as turned."""
        return self.joint + rotated(turn, self.end - self.joint)


@dataclass(frozen=True)
class Heel:
    """How a heel control is carried; all at rest in the walk frame, metres.

    `foot`: the role that it turns; `above`, `paw`, `pole`: the roles that carry the first chain's start, its
    end, and what it bends towards. `lower`: its second bone, which the first joins to its start; `up` `(3,)`:
    the direction of the first that the solver turns towards the pole. `shin`: of the second chain, None for a
    fore leg, where the direction `tilt` `(3,)` goes a `share` of the way to the joint of the first chain.
    """

    foot: str
    above: str
    paw: str
    pole: str
    lower: Hinge
    up: np.ndarray
    shin: Hinge | None
    tilt: np.ndarray
    share: np.ndarray

    def motion(self, motions: Mapping[str, Motion]) -> Motion:
        """Return the motion of what carries the heel control, in a pose that has its roles."""
        rest, above = self.lower.other, motions[self.above]
        paw, start = motions[self.paw], above.carry(rest)
        if self.shin is None:
            return self._tilted(paw, above.carry(self.lower.joint))
        end = paw.carry(self.lower.end)
        bent = self.lower.turned_to(rest, norms(end - start))
        reach = frame(self.lower.carried(bent) - rest, self.up)
        turn = frame(end - start, motions[self.pole].position - start) @ transposed(reach)
        there = rest + rotated(transposed(turn), end - start)
        foot = self.lower.end - self.shin.end
        bent = self.shin.turned_to(there, norms(foot))
        hock = self.shin.carried(bent)
        held = between(rotated(bent, foot), there - hock) @ bent
        place = start + rotated(turn, hock + rotated(held, foot) - rest)
        return Motion(turn @ held, place, self.lower.end)

    def _tilted(self, paw: Motion, joint: np.ndarray) -> Motion:
        place = paw.carry(self.lower.end)
        at_rest = self._tilt(self.tilt, self.lower.joint - self.lower.end)
        tilted = self._tilt(rotated(paw.rotation, self.tilt), joint - place)
        return Motion(tilted @ paw.rotation @ transposed(at_rest), place, self.lower.end)

    def _tilt(self, start: np.ndarray, way: np.ndarray) -> np.ndarray:
        return part_way(np.eye(3), between(start, way), self.share)


def with_held(heels: tuple[Heel, ...], motions: Mapping[str, Motion]) -> dict[str, Motion]:
    """Return motions, and what carries the heel controls of those legs that are among them."""
    found = dict(motions)
    for heel in heels:
        if {heel.foot, heel.above, heel.paw, heel.pole} <= motions.keys():
            found[HELD + heel.foot] = heel.motion(motions)
    return found
