"""Made motion between motion that stays: where they meet it is what is there, and how far it is off fades, value and rate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..blend.feet import rolling
from ..blend.poses import held_by, put, seen_from
from ..character.character import Character
from ..character.motion import Motion, RolePose
from ..easing import hermite, smootherstep
from ..geometry.rotation import about_z, from_axis_angle, normalized, norms, rotation_vector, transposed
from ..ground.feet import SWING, Feet, angles_of
from ..ground.sole import Sole
from ..over.layer import holders_of
from ..retarget.feet import read_feet
from ..retarget.legs import hips_of, knee_directions, leg_motions, reaching
from ..retarget.retarget import Retargeted
from ..retarget.spans import intervals_of

FADES_S, SETTLES_S, STEP_S = 0.6, 0.2, 0.15  # seconds in which an offset fades, and its rate; the shortest step in which a foot's does
Span = tuple[int, int]  # rows that stay: the last one before what is made, and the first one after it, the number of rows if none is


def joined(character: Character, before: Retargeted, made: Retargeted, spans: Sequence[Span]) -> Retargeted:
    """Return a motion that is `before` but within spans, and `made` there: it leaves and reaches what stays as that moves.

    A foot that stands where they meet stays there until its next step.
    """
    rows = np.minimum(np.arange(len(made.pivots)), len(before.pivots) - 1)
    was, standing = RolePose.rows_of(before.pose, rows), made.pivots != SWING
    old, new = _Parts.of(character, was), _Parts.of(character, made.pose)
    turns, places = rotation_vector(old.turns @ transposed(new.turns)), old.places - new.places
    places[:, -2:] = (places[:, -2:] + np.pi) % (2.0 * np.pi) - np.pi
    still, own = np.zeros(len(rows)), was.in_world()
    bent = old.pose(character, made.pose, standing, still, made.fps, {}).in_world()
    rolls = {role: rotation_vector(transposed(bent[role].rotation) @ own[role].rotation) for role in bent.keys() & own.keys() - new.holders}
    stays, free = outside(spans, len(rows)), still.copy()
    for first, last in spans:
        at = np.arange(first + 1, last)
        free[at] = smootherstep(np.minimum(at - first, last - at) / (SETTLES_S * made.fps))
        beside = [row if 0 <= row < len(before.pivots) and stays[row] else end for row, end in ((first - 1, first), (last + 1, last))]
        for off in (turns, places[:, :-4], *rolls.values()):
            off[at] = _left(off, (first, last), beside, made.fps)
        for side in range(2):
            held = places[:, [side - 4, side - 2]]
            places[at[:, None], [side - 4, side - 2]] = _left(held, (first, last), beside, made.fps, standing[:, side])
    parts = replace(new, turns=from_axis_angle(normalized(turns), norms(turns)) @ new.turns, places=new.places + places)
    pose = parts.pose(character, made.pose, standing, free, made.fps, rolls)
    motions = {role: put(motion, stays, _some(was.motions.get(role, motion), stays)) for role, motion in pose.motions.items()}
    root = put(pose.root, stays, _some(was.root, stays))
    pivots = np.where(stays[:, None], before.pivots[rows], made.pivots)
    return replace(made, pose=replace(pose, motions=motions, root=root), pivots=pivots)


def outside(spans: Sequence[Span], count: int) -> np.ndarray:
    """Return which of `count` rows `(count,)` stay."""
    stays = np.ones(count, dtype=bool)
    for first, last in spans:
        stays[first + 1 : last] = False
    return stays


def _some(motion: Motion, rows: np.ndarray) -> Motion:
    return Motion(motion.rotation[rows], motion.position[rows], motion.rest)


def _left(off: np.ndarray, span: Span, beside: Sequence[int], fps: float, stands: np.ndarray | None = None) -> np.ndarray:
    """Return what is left of offsets `(f, ...)` within a span; of a foot that `stands` `(f,)` until it steps.

    `beside`: the rows that tell how it changes at both ends, an end itself where none does.
    """
    first, last = span
    found = _fading(off[first], off[first] - off[beside[0]], last - first, fps, None if stands is None else stands[first:last])
    if last < len(off):
        back = None if stands is None else stands[last:first:-1]
        found += _fading(off[last], off[last] - off[beside[1]], last - first, fps, back)[::-1]
    elif stands is not None and stands[first:].all():
        found[:] = off[first]
    return found


def _fading(off: np.ndarray, rate: np.ndarray, frames: int, fps: float, stands: np.ndarray | None) -> np.ndarray:
    """Return what is left of an offset `(...)`, which changes by `rate` a frame, on the frames after its own and before some."""
    begins, fades, settles = 0.0, min(FADES_S * fps, frames), min(SETTLES_S * fps, frames)
    if stands is not None:
        steps = intervals_of(~stands) if not stands.all() else np.array([[0, frames - 1]])
        took = np.ptp(steps, axis=1)
        first, last = steps[np.argmax((took + 2.0 >= STEP_S * fps) + took / (frames + 1.0) * (took.max() + 2.0 < STEP_S * fps))]
        begins, fades = max(first - 1.0, 0.0), last + 2.0 - max(first, 1.0)
        if first == 0 and not stands.all():
            fades = min(fades, FADES_S * fps)
        rate, settles = rate * (not stands[0]), min(settles, steps[0, 1] + 1.0)
    since, after = np.arange(1.0, frames), [-1] + [1] * np.ndim(off)
    drift = hermite(np.minimum(since / settles, 1.0), 0.0, settles, 0.0, 0.0)
    return (1.0 - smootherstep((since - begins) / fades)).reshape(after) * off + drift.reshape(after) * rate


@dataclass(frozen=True)
class _Parts:
    """A motion as parts that may be off one by one.

    `turns` `(f, n, 3, 3)`: of the root, the pelvis and what it holds from bone to bone; of feet and toes as the feet are headed.
    `places` `(f, m, 3)`: of the same but feet and toes; the knees' directions; the feet's prints, and as x their headings.
    """

    holders: Mapping[str, str]
    turns: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, character: Character, pose: RolePose) -> "_Parts":
        """Return the parts of a pose."""
        motions = pose.in_world()
        feet, holders = read_feet(character, motions), {"pelvis": ""} | holders_of(motions)
        held = [pose.root, *(seen_from(motions[holder], motions[role]) if holder else motions[role] for role, holder in holders.items())]
        heading = angles_of(feet.turn).heading
        back = about_z(-heading)
        prints = feet.ankle - rolling(Sole.of(character.body), feet, heading)
        headed = heading[..., None] * [1.0, 0.0, 0.0]
        turns = [*(motion.rotation[:, None] for motion in held), back @ feet.turn, back @ feet.toe]
        places = [*(motion.position[:, None] for motion in held), knee_directions(character, motions), prints, headed]
        return cls(holders, np.concatenate(turns, axis=1), np.concatenate(places, axis=1))

    def pose(
        self, character: Character, like: RolePose, stands: np.ndarray, free: np.ndarray, fps: float, rolls: Mapping[str, np.ndarray]
    ) -> RolePose:
        """Return the pose that has these parts; the pelvis comes down, as far as it is `free` `(f,)`, for feet that stand `(f, 2)`.

        `like`: has its other roles.  `rolls`: role -> how the bones of the legs are turned beside, rotation vectors `(f, 3)`.
        """
        old, found = like.in_world(), {}
        for row, (role, holder) in enumerate(self.holders.items(), 1):
            part = Motion(self.turns[:, row], self.places[:, row], old[role].rest)
            found[role] = held_by(found[holder], part) if holder else part
        heading = self.places[:, -2:, 0]
        ahead = about_z(heading)
        feet = Feet(np.zeros_like(ahead[..., 0]), ahead @ self.turns[:, -4:-2], ahead @ self.turns[:, -2:])
        feet = replace(feet, ankle=self.places[:, -4:-2] + rolling(Sole.of(character.body), feet, heading))
        way = free[:, None] * reaching(character.body, found["pelvis"], feet.ankle, stands, fps)
        found = {role: Motion(motion.rotation, motion.position + way, motion.rest) for role, motion in found.items()}
        legs = leg_motions(character, hips_of(character.body, found["pelvis"]), feet, normalized(self.places[:, -6:-4]))
        for role, roll in rolls.items():
            turn = legs[role].rotation @ from_axis_angle(normalized(roll), norms(roll))
            legs[role] = Motion(turn, legs[role].position, legs[role].rest)
        root = Motion(self.turns[:, 0], self.places[:, 0], like.root.rest)
        return replace(like, motions={role: root.seeing(motion) for role, motion in (old | found | legs).items()}, root=root)
