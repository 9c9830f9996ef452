"""The feet while one motion fades into another: a foot that stands rolls on its print, the other one goes
over the ground."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..body.feet import Feet, angles_of
from ..body.legs import knee_pole
from ..body.limb import STRAIGHT, brought, pole_direction
from ..body.rocker import rolled
from ..body.seam import Seam
from ..body.sole import Sole
from ..character.body import Body
from ..character.motion import Motion
from ..easing import bell, smoothstep
from ..geometry.rotation import about_z, normalized, norms, rotated, transposed
from ..skeleton.roles import LEG_JOINTS, SIDES, sided
from .poses import Ends, Poses

LIFT, MOST_LIFT = 0.25, 0.08  # of how far a foot that does not stand has to go, and of the leg
STILL = 3e-4  # leg lengths: a foot that has less far to go stands
LETS_GO_S = 0.1  # seconds in which a foot that leaves the ground leaves its print


def printed(sole: Sole, feet: Feet) -> tuple[np.ndarray, np.ndarray]:
    """Return where the ground holds feet: places `(f, 2, 3)` and headings `(f, 2)` of the prints that feet of
    their rotations would roll on."""
    heading = angles_of(feet.turn).heading
    return feet.ankle - rolling(sole, feet, heading), heading


def rolling(sole: Sole, feet: Feet, heading: np.ndarray) -> np.ndarray:
    """Return the ankles `(f, 2, 3)` of feet that roll on prints at the origin with a heading `(f, 2)`."""
    along = about_z(heading)
    pitch = angles_of(feet.turn).pitch
    tip = np.clip(angles_of(feet.toe).pitch, 0.0, np.maximum(pitch, 0.0))
    return rotated(along, rolled(sole, transposed(along) @ feet.turn, pitch, tip).ankle)


@dataclass(frozen=True)
class FadingFeet:
    """Feet of one motion that fade into those of another.

    `held`: the foot whose print both have in common, 0 left, 1 right, or none of them; it stands up to the
    share `until` of the blend.
    `offsets`: of the rotations of feet and toes, and of ankles and prints.
    `lift` `(2,)`: metres by which the others are lifted.
    """

    body: Body
    held: int | None
    until: float
    offsets: Seam
    lift: np.ndarray

    @classmethod
    def of(
        cls, body: Body, ends: Ends, whole: tuple[np.ndarray, np.ndarray], blend: tuple[int | None, float]
    ) -> "FadingFeet":
        """Return the feet of a blend: which foot is held, and the seconds that it lasts.

        `whole`: when the second motion's feet stand `(f, 2)` in the blend, with the shares `(f,)` of it.
        """
        (held, seconds), until = blend, np.inf
        offsets = ends.seam(partial(_parts, body), seconds)
        steps = ends.before.stands[1] | whole[0].any(axis=0)
        if held is not None:
            offsets.shift[2 + held, :2] = offsets.shifting[2 + held] = 0.0
            offsets.brake([held, 2 + held])  # a foot on the ground does not roll there and back
            steps[held], until = False, float(whole[1][~whole[0][:, held]].min(initial=np.inf))
        far = norms(offsets.shift[:2, :2]) * steps
        return cls(body, held, until, offsets, np.minimum(LIFT * far, MOST_LIFT * body.leg_length))

    def holds(self, share: np.ndarray) -> np.ndarray:
        """Return which feet stand on the print that both motions have in common `(f, 2)`."""
        return (np.arange(2) == self.held) & (share < self.until)[:, None]

    def at(self, share: np.ndarray, after: Poses) -> Feet:
        """Return the feet at shares `(f,)` of the blend, where the second motion has the poses `after`."""
        sole = Sole.of(self.body)
        turns, places = _parts(self.body, after)
        turn, toe = np.split(self.offsets.turns(share, turns), 2, axis=1)
        ankle, planted = np.split(self.offsets.places(share, places), 2, axis=1)
        if self.held is not None:
            planted = planted + rolling(sole, Feet(ankle, turn, toe), angles_of(turn).heading)
            let_go = smoothstep((share - self.until) * self.offsets.seconds / LETS_GO_S)[:, None]
            ankle[:, self.held] = planted[:, self.held] + let_go * (
                ankle[:, self.held] - planted[:, self.held]
            )
        ankle[..., 2] += self.lift * bell(share)[:, None]
        return self.lifted(Feet(ankle, turn, toe), after)

    def lifted(self, feet: Feet, after: Poses) -> Feet:
        """Return feet with soles no lower than the ground, or than they are afterwards."""
        sole = Sole.of(self.body)
        floor = np.minimum(sole.heights(after.feet(self.body)).min(axis=-1), after.root.position[:, 2:])
        return sole.lifted(feet, floor)


def _parts(body: Body, poses: Poses) -> tuple[np.ndarray, np.ndarray]:
    """Return the rotations of feet and toes `(f, 4, 3, 3)`, and the places of ankles and prints
    `(f, 4, 3)`."""
    feet = poses.feet(body)
    places = feet.ankle, printed(Sole.of(body), feet)[0]
    return np.concatenate([feet.turn, feet.toe], axis=1), np.concatenate(places, axis=1)


LONGEST = 0.9995  # share of a leg's length to which it may stretch while it blends


def reached(body: Body, motions: Mapping[str, Motion], ankles: np.ndarray) -> dict[str, Motion]:
    """Return thigh and shin of both sides, swung and bent so that they end at ankles `(f, 2, 3)`."""
    bones = {}
    for row, side in enumerate(SIDES):
        roles = [sided(part, side) for part in LEG_JOINTS]
        thigh, shin, foot = (motions[role] for role in roles)
        front = _front(body, thigh, shin, row)
        leg = brought((thigh, shin, foot), ankles[:, row], front)
        bones |= dict(zip(roles[:2], leg[:2], strict=True))
    return bones


def poles(body: Body, motions: Mapping[str, Motion]) -> dict[str, Motion]:
    """Return the knees' poles."""
    poles_by_role = {}
    for row, side in enumerate(SIDES):
        thigh, shin, foot = (motions[sided(part, side)] for part in LEG_JOINTS)
        hip, knee, ankle = (bone.position for bone in (thigh, shin, foot))
        front = _front(body, thigh, shin, row)
        bends = normalized(pole_direction(hip, knee, ankle, front, body.leg_length, STRAIGHT))
        poles_by_role[sided("knee", side)] = knee_pole(body, row, knee, bends)
    return poles_by_role


def _front(body: Body, thigh: Motion, shin: Motion, row: int) -> np.ndarray:
    """Return the direction `(f, 3)` in which the bones of a leg face."""
    return (thigh.rotation @ body.thigh_frame[row] + shin.rotation @ body.shin_frame[row])[..., 1]
