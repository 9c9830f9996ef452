"""A motion taken apart into what may be off one by one, and put together again: bones on their holders, feet
on their prints."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..blend.feet import rolling
from ..body.feet import BALL, FLAT, HEEL, SWING, TOE, Feet, angles_of
from ..body.legs import hips_of, knee_directions, rig_legs, within_reach
from ..body.sole import Sole
from ..body.tree import apart, holders_of, together
from ..character.character import Character
from ..character.motion import Motion, RolePose, moved
from ..geometry.rotation import about_z, from_rotation_vector, normalized, norms, rotated, transposed
from ..retarget.feet import read_feet
from ..retarget.travel import reaching

NOTHING = 1e-4  # leg lengths, and radians
LEVEL = np.radians(0.5)  # a foot that is pitched less is flat
BODY, FEET = slice(None, -4), slice(-4, None)  # in turns: of feet and toes; in places: of heels and balls


@dataclass(frozen=True)
class Parts:
    """The parts of a motion.

    `turns` `(f, n, 3, 3)`: of the root, the pelvis and what it holds from bone to bone; of feet and toes as
    the feet are headed.
    `places` `(f, m, 3)`: of the same but feet and toes; the knees' directions; heels and balls of the prints
    that stay while feet roll.
    `pivots` `(f, 2)`: on what feet stand. `toes` `(f, 2, 3, 3)`: where they are pitched, a foot with its heel
    up rolls on its tip.
    """

    character: Character
    holders: Mapping[str, str]
    turns: np.ndarray
    places: np.ndarray
    pivots: np.ndarray
    toes: np.ndarray

    @classmethod
    def of(
        cls, character: Character, pose: RolePose, pivots: np.ndarray, toes: np.ndarray | None = None
    ) -> "Parts":
        """Return the parts of a pose, which rolls on its tips as it stands on them, or as other `toes` do."""
        motions = {role: motion for role, motion in pose.in_world().items() if character.roles.has(role)}
        feet, sole = read_feet(character, motions), Sole.of(character.body)
        toes = np.where((pivots == TOE)[..., None, None], feet.toe, np.eye(3)) if toes is None else toes
        holders = {"pelvis": ""} | holders_of(motions)
        held = [pose.root, *apart(motions, holders).values()]
        heading = angles_of(feet.turn).heading
        back = about_z(-heading)
        prints = feet.ankle - rolling(sole, replace(feet, toe=toes), heading)
        points = [prints + rotated(transposed(back), point) for point in (sole.heel, sole.joint)]
        turns = [*(motion.rotation[:, None] for motion in held), back @ feet.turn, back @ feet.toe]
        places = [
            *(motion.position[:, None] for motion in held),
            knee_directions(character, motions),
            *points,
        ]
        return cls(
            character, holders, np.concatenate(turns, axis=1), np.concatenate(places, axis=1), pivots, toes
        )

    def feet(self) -> Feet:
        """Return the feet: on their heels where these stand, else on their balls."""
        sole, heels, balls = Sole.of(self.character.body), self.places[:, -4:-2], self.places[:, -2:]
        line, at_rest = balls - heels, sole.joint - sole.heel
        heading = np.arctan2(line[..., 1], line[..., 0]) - np.arctan2(at_rest[..., 1], at_rest[..., 0])
        ahead, share = about_z(heading), _shares(self.pivots)[..., None]
        feet = Feet(heels, ahead @ self.turns[:, -4:-2], ahead @ self.turns[:, -2:])
        rolls = rolling(sole, replace(feet, toe=self.toes), heading)
        return replace(feet, ankle=rolls + heels + share * line - rotated(ahead, sole.heel + share * at_rest))

    def lowest(self) -> np.ndarray:
        """Return how high the soles are at least `(f, 2)`."""
        return Sole.of(self.character.body).heights(self.feet()).min(axis=-1)

    def rolled(self, than: "Parts", level: np.ndarray | float) -> np.ndarray:
        """Return on what feet stand `(f, 2)` that may roll otherwise `than` before; one pitched by no more
        than `level` is flat."""
        now, before = (
            np.where(
                pitch > level, np.where(self.pivots == TOE, TOE, BALL), np.where(pitch < -level, HEEL, FLAT)
            )
            for pitch in (angles_of(parts.turns[:, -4:-2]).pitch for parts in (self, than))
        )
        return np.where((now != before) & (self.pivots != SWING), now, self.pivots)

    def pose(
        self, like: RolePose, fps: float, free: np.ndarray, floor: np.ndarray, rolls: Mapping[str, np.ndarray]
    ) -> tuple[RolePose, np.ndarray]:
        """Return the pose that has these parts, and the roles of another beside, and which feet `(f, 2)` are
        out of reach.

        The pelvis moves, as far as it is `free` `(f,)` 0..1, so that feet that stand are within reach; soles
        are over a `floor` `(f, 2)`. `rolls`: role -> how the bones of the legs are turned besides, rotation
        vectors `(f, 3)`.
        """
        body, old = self.character.body, like.in_world()
        parts = {
            role: Motion(self.turns[:, row], self.places[:, row], old[role].rest)
            for row, role in enumerate(self.holders, 1)
        }
        body_motions = together(parts, self.holders)
        feet = self.feet()
        ankle = Sole.of(body).lifted(feet, floor).ankle
        way = free[:, None] * reaching(body, body_motions["pelvis"], ankle, self.pivots != SWING, fps)
        body_motions = moved(body_motions, way)
        hips = hips_of(body, body_motions["pelvis"])
        near = within_reach(body, hips, ankle, 0.0)
        legs = rig_legs(self.character, hips, replace(feet, ankle=near), normalized(self.places[:, -6:-4]))
        for role, roll in rolls.items():
            turn = legs[role].rotation @ from_rotation_vector(roll)
            legs[role] = Motion(turn, legs[role].position, legs[role].rest)
        root = Motion(self.turns[:, 0], self.places[:, 0], like.root.rest)
        motions = {role: root.seeing(motion) for role, motion in (old | body_motions | legs).items()}
        return replace(like, motions=motions, root=root), norms(near - ankle) > NOTHING * body.leg_length


def _shares(pivots: np.ndarray) -> np.ndarray:
    """Return how much feet `(f, 2)` are on the ball and not on the heel."""
    rows, shares = np.arange(len(pivots)), []
    for on in pivots.T:
        known = np.isin(on, (HEEL, BALL, TOE))
        shares.append(np.interp(rows, rows[known], on[known] > HEEL) if known.any() else np.ones(len(rows)))
    return np.stack(shares, axis=1)
