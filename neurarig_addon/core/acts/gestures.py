"""Acts of the upper body alone, over whatever the legs do: a wave, a nod, a look back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..body.arm import has_arm
from ..body.hold import HANDS, Hold
from ..body.reaching import reaching
from ..body.trunk import bent, eyes_with_head
from ..character.body import Body
from ..character.motion import Motion, RolePose
from ..contract.channels import IS_LENGTH, block
from ..easing import smoothstep, within
from ..gait.body.upper_body import arm_turns
from ..gait.pose import WalkPose
from ..geometry.rotation import from_euler, normalized, part_way, transposed
from ..skeleton.roles import SIDES, chest_of, sided
from .mark import ActMark
from .score import Score
from .staging import plain_manner

STRETCHED = 0.96  # of an arm's length that a hand is away when it points
# The shares of the way to what is pointed at that chest and head turn, and their limits; seconds in which
# they do and come back.
LOOKS = {"chest": (0.3, np.radians(25.0)), "head": (0.85, np.radians(70.0))}
LOOKS_WITHIN, LOOKS_AWAY = 0.45, 0.6
BEHIND = np.radians(50.0)  # short of straight behind, from where somebody does not look round


@dataclass(frozen=True)
class Gesture:
    """An act of the upper body of a `body`, from one shown frame to another; `fps`: frames a second."""

    number: int
    asked: ActMark
    score: Score
    body: Body
    begin: float
    fps: float

    @classmethod
    def of(cls, body: Body, fps: float, number: int, asked: ActMark, begin: float) -> "Gesture":
        """Return a gesture that begins on a shown frame; with the right hand as it is filed, or mirrored."""
        asked = replace(asked, act=asked.act.mirrored) if asked.right is False else asked
        return cls(number, asked, Score.of(asked.act, asked.seconds, fps), body, begin, fps)

    @property
    def end(self) -> float:
        """The shown frame on which it is over."""
        return self.begin + self.score.seconds * self.fps

    def over(self, pose: WalkPose) -> WalkPose:
        """Return a walk with the gesture over it."""
        rows = np.flatnonzero((pose.frames > self.begin) & (pose.frames < self.end))
        if not len(rows):
            return pose
        own = RolePose.rows_of(pose, rows)
        return pose.with_motions(
            rows,
            self._acted(
                dict(own.motions), own.root, self.score.filed_at((own.frames - self.begin) / self.fps)
            ),
        )

    def _acted(self, motions: dict[str, Motion], root: Motion, filed: np.ndarray) -> dict[str, Motion]:
        """Return the motions with the gesture, at filed seconds `(f,)`."""
        act = self.asked.act
        values = act.curves(filed) * np.where(IS_LENGTH, self.body.leg_length, 1.0)
        turns = {name: block(values, name).copy() for name in ("chest", "head")}
        if self.asked.goal is not None:
            bearing = _attention(filed, act.seconds) * self._bearing(self.asked.goal, motions, root)
            for name, (share, most) in LOOKS.items():
                turns[name][:, 1] = within(share * bearing, most)
        found = bent(motions, *(from_euler(*turns[name].T) for name in ("chest", "head")))
        weights = _whole(filed, act.seconds) if act.arms is None else act.arms(filed)
        if act.own_arms and has_arm(self.body, 0) and has_arm(self.body, 1):
            found |= _arms(self.body, motions, found, values, weights)
            if self.asked.goal is not None:
                found = self._pointing(self.asked.goal, found, root, weights)
        return found | eyes_with_head(found["head"], motions) if "head" in found else found

    def _bearing(self, at: np.ndarray, motions: dict[str, Motion], root: Motion) -> np.ndarray:
        """Return how far to the left of ahead something is `(f,)`, radians; what is behind is let go."""
        away = root.seen(at) - motions["pelvis"].position
        bearing = np.arctan2(away[:, 1], away[:, 0])
        return bearing * smoothstep((np.pi - np.abs(bearing)) / BEHIND)

    def _pointing(
        self, at: np.ndarray, motions: dict[str, Motion], root: Motion, weights: np.ndarray
    ) -> dict[str, Motion]:
        """Return the motions with the hands that act stretched towards what is pointed at."""
        goal = root.seen(at)
        holds = []
        for row, point in enumerate(HANDS):
            if weights[:, row].any():
                shoulder = motions[sided("upper_arm", SIDES[row])].position
                place = shoulder + STRETCHED * self.body.arm_length[row] * normalized(goal - shoulder)
                holds.append(Hold(point, place, weights[:, row], leans=False))
        return reaching(self.body, motions, holds)


def _attention(filed: np.ndarray, seconds: float) -> np.ndarray:
    """Return how much somebody looks to where a gesture goes `(f,)`: before the arm, and until it comes
    back."""
    return smoothstep(filed / LOOKS_WITHIN) * smoothstep((seconds - filed) / LOOKS_AWAY)


def _whole(filed: np.ndarray, seconds: float) -> np.ndarray:
    """Return weights `(f, 2)` of an act that does not say how far arms are its own: all but at both ends."""
    share = smoothstep(np.minimum(filed, seconds - filed) / (0.25 * seconds))
    return np.stack([share, share], axis=-1)


def _arms(
    body: Body,
    motions: Mapping[str, Motion],
    carried: Mapping[str, Motion],
    values: np.ndarray,
    weights: np.ndarray,
) -> dict[str, Motion]:
    """Return the arms of a gesture's channels `(f, 46)` with weights `(f, 2)`, in place of those that the
    trunk has carried along."""
    chest = carried[chest_of(motions)]
    wanted = arm_turns(body, values, chest.rotation, plain_manner(len(values)))
    found: dict[str, Motion] = {}
    for row, side in enumerate(SIDES):
        was = now = Motion.still(len(values))
        above = was.rotation
        for part in ("upper_arm", "forearm", "hand"):
            role, act = sided(part, side), wanted[part][:, row]
            if role not in carried:
                break
            part_of = was.seeing(carried[role])
            turn = part_way(part_of.rotation, transposed(above) @ act, weights[:, row])
            found[role] = now.holding(replace(part_of, rotation=turn))
            was, now, above = carried[role], found[role], act
    return found
