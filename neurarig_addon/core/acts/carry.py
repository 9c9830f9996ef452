"""A thing carried with both hands: lifted from where it is taken to in front of the body, held level, and
brought to where it is put down.

Both hands go with the thing as one: what they hold neither slips nor turns in them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..body.hold import HANDS, Hold
from ..body.reaching import reaching
from ..body.skin import front, sleeve
from ..body.trunk import leaning
from ..character.body import Body
from ..character.motion import Motion, RolePose
from ..easing import smootherstep
from ..gait.pose import WalkPose
from ..geometry.rotation import about_z, rotated, yaw_of
from ..skeleton.roles import SIDES, sided
from .staging import Staged

# seconds in which a thing comes to where it is carried, and in which it comes to go with the body
LIFTS_S, FOLLOWS_S = 0.8, 0.25
LEANS, MOST_BACK = 4.0, np.radians(15.0)  # radians that a trunk leans back for each leg length, and at most
# From between the shoulders to between the wrists: arm lengths below, ahead, and away; leg lengths that a
# thing as deep as wide is off the body, and that a trunk which walks has its front nearer than at rest.
BELOW, AHEAD, FARTHEST, CLEAR, BOWS = 0.55, (0.45, 0.8), 0.92, 0.1, 0.05


@dataclass(frozen=True)
class Touching:
    """Both hands on a thing where it stays, from one shown frame to another, which they leave within `goes`
    frames.

    `number`: of the act. `wrists` `(2, 3)` in the walk frame, and how they are `spread` `(2, 3)` around
    their middle relative to the root; `turns` `(2, 3, 3)`: of the hands as they come there, relative to the
    root; `offsets` `(3,)`: where their middle is seen from between the shoulders, as they lift the thing and
    as they bring it.
    `weight`: of that, as a share of the body's.
    """

    number: int
    begin: float
    end: float
    goes: float
    wrists: np.ndarray
    spread: np.ndarray
    turns: np.ndarray
    offsets: tuple[np.ndarray, np.ndarray]
    weight: float

    @classmethod
    def of(cls, number: int, staged: Staged, begin: float) -> "Touching | None":
        """Return how an act that plays from a shown frame on takes a thing with both hands, or puts it down;
        None where it does not."""
        grips = sorted((grip for grip in staged.grips if grip.place is not None), key=lambda grip: grip.point)
        if staged.asked.apart is None or len(grips) < len(HANDS):
            return None
        fps, first = staged.walker.clock.fps, grips[0]
        wrists, turns = (np.stack([getattr(grip, name) for grip in grips]) for name in ("place", "turn"))
        motions, along, _ = staged.motions(np.array([first.end, first.begin]))
        seen = along.root.seen(wrists[None])
        offsets = _shoulders(motions).seen(seen.mean(axis=1))
        spread = seen[0] - seen[0].mean(axis=0)
        return cls(
            number,
            begin + fps * first.begin,
            begin + fps * first.end,
            fps * first.goes,
            wrists,
            spread,
            turns,
            (offsets[0], offsets[1]),
            staged.asked.weight,
        )


@dataclass(frozen=True)
class Carry:
    """A thing that both hands of a `body` have from where it is `taken` to where it is `put` down, None for
    never."""

    body: Body
    fps: float
    taken: Touching
    put: Touching | None

    @property
    def until(self) -> float:
        """The shown frame to which they have it."""
        return np.inf if self.put is None else self.put.end

    def over(self, pose: WalkPose) -> WalkPose:
        """Return a walk whose hands carry the thing."""
        until = self.until + (self.put or self.taken).goes
        rows = np.flatnonzero((pose.frames >= self.taken.begin) & (pose.frames < until))
        if not len(rows):
            return pose
        own = RolePose.rows_of(pose, rows)
        own = replace(own, motions=self._leaned(own))
        return pose.with_motions(rows, reaching(self.body, own.motions, self._holds(own)))

    def _leaned(self, own: RolePose) -> Mapping[str, Motion]:
        """Return motions that lean back for what is carried, as its weight asks."""
        if not self.taken.weight:
            return own.motions
        ahead = self.taken.weight / (1.0 + self.taken.weight) * self._in_front[0] / self.body.leg_length
        share = self._shares(own.frames, LIFTS_S)
        back = min(LEANS * float(ahead), MOST_BACK) * share[0] * (1.0 - share[1])
        return leaning(own.motions, back * [0.0, -1.0, 0.0])

    def _holds(self, own: RolePose) -> list[Hold]:
        """Return the holds of both hands: where the thing stays, with the body in between, and partly both as
        it is lifted and brought."""
        frames, shoulders, taken, put = (
            own.frames,
            _shoulders(own.motions),
            self.taken,
            self.put or self.taken,
        )
        lifted, brought = self._shares(frames, LIFTS_S)
        follows, stays = self._shares(frames, FOLLOWS_S)
        moves = follows * (1.0 - stays)
        offset = _blend(taken.offsets[0], _blend(self._in_front, put.offsets[1], brought), lifted)
        where = np.where(stays > 0.0, put.wrists.mean(axis=0), taken.wrists.mean(axis=0))
        middle = (1.0 - moves) * own.root.seen(where[:, None])[:, 0] + moves * shoulders.carried(offset)
        turn = about_z(moves[:, 0] * yaw_of(shoulders.rotation))
        share = smootherstep(1.0 - (frames - self.until) / put.goes)
        holds = []
        for row, point in enumerate(HANDS):
            place = middle + rotated(turn, _blend(taken.spread[row], put.spread[row], brought))
            holds.append(Hold(point, place, share, turn @ taken.turns[row], leans=False))
        return holds

    def _shares(self, frames: np.ndarray, seconds: float) -> tuple[np.ndarray, np.ndarray]:
        """Return what has gone `(f, 1)` of the seconds after the thing is taken, and of those before it is
        put down."""
        lasts, begins = seconds * self.fps, np.inf if self.put is None else self.put.begin
        gone = np.stack([frames - self.taken.end, frames - begins + lasts])[..., None]
        taken, put = smootherstep(gone / lasts)
        return taken, put

    @property
    def sinks(self) -> float:
        """How many metres the thing is in the belly: arms are too short to carry it farther ahead."""
        return max(self._clear - AHEAD[1] * float(self.body.arm_length.mean()), 0.0)

    @property
    def _clear(self) -> float:
        """Metres from between the shoulders to the middle of the thing where it is off the belly."""
        leg, shoulders = self.body.leg_length, self.body.shoulder.mean(axis=0)
        belly = front(self.body, float(shoulders[2])) - float(shoulders[0])
        deep = 0.5 * float(np.ptp(self.taken.spread[:, 1])) + max(CLEAR * leg, belly - BOWS * leg)
        return max(deep, belly + sleeve(self.body))

    @property
    def _in_front(self) -> np.ndarray:
        """Where the thing is carried, seen from between the shoulders `(3,)`."""
        arm = float(self.body.arm_length.mean())
        ahead = min(max(self._clear, AHEAD[0] * arm), AHEAD[1] * arm)
        return np.array([ahead, 0.0, -min(BELOW * arm, float(np.sqrt((FARTHEST * arm) ** 2 - ahead**2)))])


def _shoulders(motions: Mapping[str, Motion]) -> Motion:
    """Return the middle between the shoulders of a pose, headed as they are, as a motion."""
    left, right = (motions[sided("upper_arm", side)].position for side in SIDES)
    across = left - right
    turn = about_z(np.arctan2(-across[:, 0], across[:, 1]))
    return Motion(turn, 0.5 * (left + right), np.zeros(3))


def _blend(one: np.ndarray, other: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return values `(f, 3)` at shares `(f, 1)` of the way between two."""
    return (1.0 - share) * one + share * other
