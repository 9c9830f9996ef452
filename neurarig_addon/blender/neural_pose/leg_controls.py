"""What IK legs need besides a pose of their bones: poles for the knees, and feet if the rig has no bones for them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...core.character.character import Character
from ...core.character.motion import Motion
from ...core.ground.legs import POLE_DISTANCE
from ...core.retarget.joints import pole_direction
from ...core.skeleton.roles import SIDES, sided

KNEES = tuple(sided("knee", side) for side in SIDES)  # roles of the poles that knees point at
_UNTURNED = np.tile(np.eye(3), (1, len(SIDES), 1, 1))
_HIP, _KNEE, _AHEAD, _ANKLE = 0, 1, 2, 0  # columns: hip, knee and front of thighs, ankle (and front) of shins


@dataclass(frozen=True)
class LegControls:
    """The legs' controls of one character.

    `legs`: the roles of both thighs and both shins (the thigh again if a leg is one bone).  `feet`: sides whose foot has no bone.
    `columns` `(4, 3, 3)`: for each leg role, as columns, hip and knee (thighs) or ankle (shins) relative to its head, then its front
    direction; all at rest, walk frame, metres.  `ankles`: at rest.  `length`: of a leg.
    """

    legs: tuple[str, ...]
    feet: tuple[int, ...]
    columns: np.ndarray
    ankles: np.ndarray
    length: float

    @classmethod
    def of(cls, character: Character, roles: tuple[str, ...]) -> "LegControls":
        """Return the leg controls of a character whose poses have these roles."""
        body = character.body
        thighs = [sided("thigh", side) for side in SIDES]
        shins = [sided("shin", side) if sided("shin", side) in roles else thigh for side, thigh in zip(SIDES, thighs, strict=True)]
        columns = np.zeros((2 * len(SIDES), 3, 3))
        for row, (thigh, shin) in enumerate(zip(thighs, shins, strict=True)):
            upper, lower = columns[row], columns[row + len(SIDES)]
            upper[:, _HIP], upper[:, _KNEE] = body.hip[row] - character.rest_head(thigh), body.knee[row] - character.rest_head(thigh)
            lower[:, _ANKLE] = body.ankle[row] - character.rest_head(shin)
            upper[:, _AHEAD] = character.reference[thigh][0]
            if shin != thigh:
                lower[:, _AHEAD] = character.reference[shin][0]
        feet = tuple(row for row, side in enumerate(SIDES) if sided("foot", side) not in roles)
        return cls((*thighs, *shins), feet, columns, body.ankle, body.leg_length)

    @property
    def rest(self) -> dict[str, np.ndarray]:
        """Return the roles of the controls, in order, and their rest positions `(3,)`; the origin for poles."""
        return {pole: np.zeros(3) for pole in KNEES} | {sided("foot", SIDES[row]): self.ankles[row] for row in self.feet}

    def posed(self, turns: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, c, 3, 3)` and heads `(f, c, 3)` of the controls for those of the leg roles, `(f, 4, 3, 3)`, `(f, 4, 3)`.

        A pole lies where the leg's bend points, or, if it is straight, the fronts of thigh and shin; a foot rotates as its shin.
        """
        sides = len(SIDES)
        carried = turns @ self.columns
        hip, knee = carried[:, :sides, :, _HIP] + heads[:, :sides], carried[:, :sides, :, _KNEE] + heads[:, :sides]
        ankle, straight = carried[:, sides:, :, _ANKLE] + heads[:, sides:], carried[:, :sides, :, _AHEAD] + carried[:, sides:, :, _AHEAD]
        poles = knee + POLE_DISTANCE * self.length * pole_direction(hip, knee, ankle, straight, self.length)
        still = _UNTURNED.repeat(len(turns), axis=0)
        if not self.feet:
            return still, poles
        feet = [*self.feet]
        return np.concatenate([still, turns[:, sides:][:, feet]], axis=1), np.concatenate([poles, ankle[:, feet]], axis=1)

    def motions(self, motions: Mapping[str, Motion]) -> dict[str, Motion]:
        """Return motions with those of the controls added; feet that have one keep it."""
        turns = np.stack([motions[role].rotation for role in self.legs], axis=1)
        turns, heads = self.posed(turns, np.stack([motions[role].position for role in self.legs], axis=1))
        found = {role: Motion(turns[:, row], heads[:, row], rest) for row, (role, rest) in enumerate(self.rest.items())}
        return dict(motions) | {role: motion for role, motion in found.items() if role in KNEES or role not in motions}
