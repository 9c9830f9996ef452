"""What IK legs need besides a pose of their bones: poles that knees point at, and feet where the rig has no bone for them."""

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
_HIP, _KNEE, _AHEAD, _ANKLE = 0, 1, 2, 0  # columns of thighs, and of shins


@dataclass(frozen=True)
class LegControls:
    """The legs' controls of one character.

    `legs`: the roles of both thighs and of both shins (the thigh again where a leg is one bone).  `feet`: sides whose foot has no bone.
    `columns` `(4, 3, 3)`: for each leg role, from its head, where it carries hip, knee, nothing, or ankle, and beside these where its
    front points; all at rest, walk frame, metres.  `length`: of a leg.
    """

    legs: tuple[str, ...]
    feet: tuple[int, ...]
    columns: np.ndarray
    ankles: np.ndarray
    length: float

    @classmethod
    def of(cls, character: Character, roles: tuple[str, ...]) -> "LegControls":
        """Return the controls of a character whose poses have these roles."""
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
        """Return the roles of the controls, in order, and where they are at rest `(3,)`; poles are where they are put."""
        return {pole: np.zeros(3) for pole in KNEES} | {sided("foot", SIDES[row]): self.ankles[row] for row in self.feet}

    def posed(self, turns: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, c, 3, 3)` and heads `(f, c, 3)` of the controls for those of the leg roles, `(f, 4, 3, 3)`, `(f, 4, 3)`.

        A knee points as the leg is bent, and where it is straight as thigh and shin are turned; a foot stands as its shin does.
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
        """Return motions with those of the controls; feet that have one keep it."""
        turns = np.stack([motions[role].rotation for role in self.legs], axis=1)
        turns, heads = self.posed(turns, np.stack([motions[role].position for role in self.legs], axis=1))
        found = {role: Motion(turns[:, row], heads[:, row], rest) for row, (role, rest) in enumerate(self.rest.items())}
        return dict(motions) | {role: motion for role, motion in found.items() if role in KNEES or role not in motions}
