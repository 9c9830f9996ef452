"""Made motion between motion that stays: where they meet it is what is there, and how far it is off fades, value and rate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..blend.feet import rolling
from ..blend.poses import held_by, put, seen_from
from ..character.character import Character
from ..character.motion import Motion, RolePose
from ..easing import hermite, smootherstep
from ..geometry.rotation import about_z, from_axis_angle, normalized, norms, rotated, rotation_vector, transposed
from ..ground.feet import BALL, FLAT, HEEL, SWING, TOE, Feet, angles_of
from ..ground.legs import drawn
from ..ground.sole import Sole
from ..over.layer import holders_of
from ..retarget.feet import read_feet
from ..retarget.legs import hips_of, knee_directions, leg_motions, reaching
from ..retarget.retarget import Retargeted
from ..retarget.spans import intervals_of

FADES_S, SETTLES_S, STEP_S = 0.6, 0.2, 0.15  # seconds in which an offset fades, and its rate; the shortest step in which a foot's does
_NEAR, _LEVEL = 1e-4, np.radians(0.5)  # leg lengths and radians that are nothing; a foot that is pitched less is flat
_ON = ((HEEL, FLAT),) * 2 + ((FLAT, BALL, TOE),) * 2  # pivots with which heels and balls stand
Span = tuple[int, int]  # rows that stay: the last one before what is made, and the first one after it, the number of rows if none is


def joined(character: Character, before: Retargeted, made: Retargeted, spans: Sequence[Span]) -> Retargeted:
    """Return a motion that is `before` but within spans, and `made` there: it leaves and reaches what stays as that moves.

    A foot that stands where they meet stays there until its next step.
    """
    rows = np.minimum(np.arange(len(made.pivots)), len(before.pivots) - 1)
    was = RolePose.rows_of(before.pose, rows)
    toes = np.where((made.pivots == TOE)[..., None, None], read_feet(character, made.pose.in_world()).toe, np.eye(3))
    old, new = _Parts.of(character, was, toes), _Parts.of(character, made.pose, toes)
    turns, places = rotation_vector(old.turns @ transposed(new.turns)), old.places - new.places
    still, own = np.zeros(len(rows)), was.in_world()
    bent = old.pose(character, made.pose, made.pivots, still, old.lowest(character), made.fps, {})[0].in_world()
    rolls = {role: rotation_vector(transposed(bent[role].rotation) @ own[role].rotation) for role in bent.keys() & own.keys() - new.holders}
    lows = np.minimum(old.lowest(character), 0.0)
    stays, free = outside(spans, len(rows)), still.copy()
    ends = [[row if 0 <= row < len(before.pivots) and stays[row] else end for row, end in ((a - 1, a), (b + 1, b))] for a, b in spans]
    for (first, last), beside in zip(spans, ends, strict=True):
        at = np.arange(first + 1, last)
        free[at] = smootherstep(np.minimum(at - first, last - at) / (SETTLES_S * made.fps))
        for off in (turns, places[:, :-4], lows, *rolls.values()):
            off[at] = _left(off, (first, last), beside, made.fps)
    floor = np.minimum(new.lowest(character), 0.0) + np.minimum(lows, 0.0)
    parts = replace(new, turns=from_axis_angle(normalized(turns), norms(turns)) @ new.turns)
    turned = norms(turns[:, -4:-2]) > _NEAR
    pivots = parts.pivots(made, turned, _LEVEL)
    for (first, last), beside in zip(spans, ends, strict=True):
        at = np.arange(first + 1, last)
        for column, on in enumerate(_ON, -len(_ON)):
            stands = pivots[:, column % 2] != SWING
            if stands[first : last + 1].all() and last < len(stands):  # it may turn on its heel, then on its ball
                stands = np.isin(pivots[:, column % 2], on)
            for point, shortest in ((places[:, column, :2], STEP_S), (places[:, column, 2], 0.0)):
                point[at] = _left(point, (first, last), beside, made.fps, stands, shortest)
    parts = replace(parts, places=new.places + places)
    rises = np.abs(np.gradient(places[:, -4:, 2], axis=0)) > _NEAR * character.body.leg_length
    pose, lifts = parts.pose(character, made.pose, pivots, free, floor, made.fps, rolls)
    lifts |= rises.reshape(-1, 2, 2).any(axis=1)
    pivots = np.where(stays[:, None], before.pivots[rows], np.where(lifts, SWING, parts.pivots(made, turned, 0.0)))
    motions = {role: put(motion, stays, _some(was.motions.get(role, motion), stays)) for role, motion in pose.motions.items()}
    root = put(pose.root, stays, _some(was.root, stays))
    return replace(made, pose=replace(pose, motions=motions, root=root), pivots=pivots)


def outside(spans: Sequence[Span], count: int) -> np.ndarray:
    """Return which of `count` rows `(count,)` stay."""
    stays = np.ones(count, dtype=bool)
    for first, last in spans:
        stays[first + 1 : last] = False
    return stays


def _shares(pivots: np.ndarray) -> np.ndarray:
    """Return how much feet `(f, 2)` are on the ball and not on the heel."""
    rows = np.arange(len(pivots))
    found = []
    for on in pivots.T:
        known = np.isin(on, (HEEL, BALL, TOE))
        found.append(np.interp(rows, rows[known], on[known] > HEEL) if known.any() else np.ones(len(rows)))
    return np.stack(found, axis=1)


def _some(motion: Motion, rows: np.ndarray) -> Motion:
    return Motion(motion.rotation[rows], motion.position[rows], motion.rest)


def _left(
    off: np.ndarray, span: Span, beside: Sequence[int], fps: float, stands: np.ndarray | None = None, shortest: float = 0.0
) -> np.ndarray:
    """Return what is left of offsets `(f, ...)` within a span; of a foot that `stands` `(f,)` until a step of at least `shortest` seconds.

    `beside`: the rows that tell how it changes at both ends, an end itself where none does.
    """
    first, last = span
    on = None if stands is None else stands[first : last + 1]
    found = _fading(off[first], off[first] - off[beside[0]], last - first, fps, on, shortest)
    if last < len(off):
        found += _fading(off[last], off[last] - off[beside[1]], last - first, fps, None if on is None else on[::-1], shortest)[::-1]
    elif on is not None and on.all():
        found[:] = off[first]
    return found


def _fading(off: np.ndarray, rate: np.ndarray, frames: int, fps: float, stands: np.ndarray | None, shortest: float) -> np.ndarray:
    """Return what is left of an offset `(...)`, which changes by `rate` a frame, on the frames after its own and before some."""
    begins, fades, settles = 0.0, min(FADES_S * fps, frames), min(SETTLES_S * fps, frames)
    if stands is not None:
        steps = intervals_of(~stands) if not stands.all() else np.array([[0, frames]])
        first, last = steps[np.argmax(np.minimum(np.ptp(steps, axis=1) + 2.0, shortest * fps))]
        begins = max(first - 1.0, 0.0)
        fades = min(last + 1.0, frames) - begins
        if first == 0 and not stands.all():
            fades = min(fades, FADES_S * fps)
        rate, settles = rate * (not stands[0]), min(settles, steps[0, 1] + 1.0)
    since, after = np.arange(1.0, frames), [-1] + [1] * np.ndim(off)
    drift = hermite(np.minimum(since / settles, 1.0), 0.0, settles, 0.0, 0.0)
    return (1.0 - smootherstep((since - begins) / max(fades, 1e-9))).reshape(after) * off + drift.reshape(after) * rate


@dataclass(frozen=True)
class _Parts:
    """A motion as parts that may be off one by one.

    `turns` `(f, n, 3, 3)`: of the root, the pelvis and what it holds from bone to bone; of feet and toes as the feet are headed.
    `places` `(f, m, 3)`: of the same but feet and toes; the knees' directions; heels and balls of the feet's prints, which stay while a foot rolls.
    `toes` `(f, 2, 3, 3)`: a foot with its heel up rolls on its tip where these are pitched, else on its ball.
    """

    holders: Mapping[str, str]
    turns: np.ndarray
    places: np.ndarray
    toes: np.ndarray

    @classmethod
    def of(cls, character: Character, pose: RolePose, toes: np.ndarray) -> "_Parts":
        """Return the parts of a pose."""
        motions = pose.in_world()
        feet, sole = read_feet(character, motions), Sole.of(character.body)
        holders = {"pelvis": ""} | holders_of(motions)
        held = [pose.root, *(seen_from(motions[holder], motions[role]) if holder else motions[role] for role, holder in holders.items())]
        heading = angles_of(feet.turn).heading
        back = about_z(-heading)
        prints = feet.ankle - rolling(sole, replace(feet, toe=toes), heading)
        points = [prints + rotated(transposed(back), point) for point in (sole.heel, sole.joint)]
        turns = [*(motion.rotation[:, None] for motion in held), back @ feet.turn, back @ feet.toe]
        places = [*(motion.position[:, None] for motion in held), knee_directions(character, motions), *points]
        return cls(holders, np.concatenate(turns, axis=1), np.concatenate(places, axis=1), toes)

    def feet(self, character: Character, shares: np.ndarray) -> Feet:
        """Return the feet, which are where their balls are as much as the `shares` `(f, 2)` say, and else where their heels are."""
        sole, heels, balls = Sole.of(character.body), self.places[:, -4:-2], self.places[:, -2:]
        line, at_rest = balls - heels, sole.joint - sole.heel
        heading = np.arctan2(line[..., 1], line[..., 0]) - np.arctan2(at_rest[..., 1], at_rest[..., 0])
        ahead = about_z(heading)
        feet = Feet(heels, ahead @ self.turns[:, -4:-2], ahead @ self.turns[:, -2:])
        rolls = rolling(sole, replace(feet, toe=self.toes), heading)
        return replace(feet, ankle=rolls + heels + shares[..., None] * line - rotated(ahead, sole.heel + shares[..., None] * at_rest))

    def lowest(self, character: Character) -> np.ndarray:
        """Return how low the soles are `(f, 2)`."""
        return Sole.of(character.body).heights(self.feet(character, np.ones(self.places.shape[:1] + (2,)))).min(axis=-1)

    def pivots(self, made: Retargeted, turned: np.ndarray, level: float) -> np.ndarray:
        """Return on what standing feet roll `(f, 2)` that are `turned` `(f, 2)` off what is made; pitched by no more than `level` they are flat."""
        pitch = angles_of(self.turns[:, -4:-2]).pitch
        found = np.where(pitch > level, np.where(made.pivots == TOE, TOE, BALL), np.where(pitch < -level, HEEL, FLAT))
        return np.where(turned & (made.pivots != SWING), found, made.pivots)

    def pose(
        self, character: Character, like: RolePose, pivots: np.ndarray, free: np.ndarray, floor: np.ndarray, fps: float, rolls: Mapping[str, np.ndarray]
    ) -> tuple[RolePose, np.ndarray]:
        """Return the pose that has these parts, and which feet `(f, 2)` lift, out of reach.

        The pelvis comes down for feet that stand by `pivots` `(f, 2)`, as far as it is `free` `(f,)`; soles are over the `floor` `(f, 2)`.

        `like`: has its other roles.  `rolls`: role -> how the bones of the legs are turned beside, rotation vectors `(f, 3)`.
        """
        old, found = like.in_world(), {}
        for row, (role, holder) in enumerate(self.holders.items(), 1):
            part = Motion(self.turns[:, row], self.places[:, row], old[role].rest)
            found[role] = held_by(found[holder], part) if holder else part
        feet = self.feet(character, _shares(pivots))
        low = Sole.of(character.body).heights(feet).min(axis=-1)
        ankle = feet.ankle + np.maximum(floor - low, 0.0)[..., None] * [0.0, 0.0, 1.0]
        way = free[:, None] * reaching(character.body, found["pelvis"], ankle, pivots != SWING, fps)
        found = {role: Motion(motion.rotation, motion.position + way, motion.rest) for role, motion in found.items()}
        hips = hips_of(character.body, found["pelvis"])
        near = drawn(hips, ankle, character.body, np.ones(pivots.shape))
        lifts = norms(near - ankle) > _NEAR * character.body.leg_length
        legs = leg_motions(character, hips, replace(feet, ankle=near), normalized(self.places[:, -6:-4]))
        for role, roll in rolls.items():
            turn = legs[role].rotation @ from_axis_angle(normalized(roll), norms(roll))
            legs[role] = Motion(turn, legs[role].position, legs[role].rest)
        root = Motion(self.turns[:, 0], self.places[:, 0], like.root.rest)
        return replace(like, motions={role: root.seeing(motion) for role, motion in (old | found | legs).items()}, root=root), lifts
