"""A clip's steady strides on its own body, from which a style is learned; clips of one cycle are repeated
until they contain some."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..body.feet import Feet
from ..body.legs import knee_directions
from ..character.character import Character
from ..character.motion import Motion
from ..errors import NeuraRigError
from ..geometry.rotation import about_z, part_way, rotated, transposed
from ..retarget.contacts import find_contacts
from ..retarget.feet import calibrated, flat_frames, read_feet
from ..retarget.source import belt_velocity, off_the_belt
from ..skeleton.clip import Clip
from ..skeleton.roles import LEG_JOINTS, SIDES, sided
from .strides import SteadyStrides, find_strides

_LONGEST_S = 4.0  # seconds: longer clips contain whole strides anyway
_ALIKE = np.radians(8.0)  # RMS rotation of the bones between the last and the first pose
_LEVEL = 0.05  # leg lengths that the hips may differ in height
TIMES = 4


def as_long(motions: Mapping[str, Motion], fps: float, leg_length: float) -> Mapping[str, Motion]:
    """Return motions repeated, with their travel, if their last pose is their first; others unchanged."""
    pelvis = motions["pelvis"].position
    count = len(pelvis)
    if count < 4 or (count - 1) / fps > _LONGEST_S:
        return motions
    turns = [transposed(motion.rotation[0]) @ motion.rotation[-1] for motion in motions.values()]
    angles = [np.arccos(np.clip(0.5 * (np.trace(turn) - 1.0), -1.0, 1.0)) for turn in turns]
    if (
        np.sqrt(np.mean(np.square(angles))) > _ALIKE
        or abs(pelvis[-1, 2] - pelvis[0, 2]) > _LEVEL * leg_length
    ):
        return motions
    return {role: _repeated(motion, pelvis[-1] - pelvis[0]) for role, motion in motions.items()}


def _repeated(motion: Motion, way: np.ndarray) -> Motion:
    """Return a motion repeated: the last pose is the first of the next round, with their difference spread
    over the round."""
    count = len(motion.position) - 1
    share = np.arange(count) / count
    place = motion.position[:-1] - share[:, None] * (motion.position[-1] - motion.position[0] - way)
    closes = transposed(motion.rotation[0]) @ motion.rotation[-1]
    rotation = motion.rotation[:-1] @ transposed(part_way(np.eye(3), closes, share))
    rounds = np.repeat(np.arange(TIMES), count)[:, None]
    return Motion(np.tile(rotation, (TIMES, 1, 1)), np.tile(place, (TIMES, 1)) + rounds * way, motion.rest)


@dataclass(frozen=True)
class RecordedStrides:
    """A clip's steady strides on its own body.

    `motions`, `feet`, `knees` `(f, 2, 3)` (where they point): of the whole clip, in the body's walk frame.
    """

    character: Character
    motions: Mapping[str, Motion]
    feet: Feet
    knees: np.ndarray
    strides: SteadyStrides
    fps: float

    def take(self, rows: np.ndarray) -> "RecordedStrides":
        """Return the same with some of its strides."""
        return replace(self, strides=self.strides.take(rows))

    def rows(self, number: int) -> np.ndarray:
        """Return the clip's rows `(n,)` around a stride, up to the end of its last stance if the clip
        contains it."""
        begins, ends = (
            self.strides.begins[number],
            max(self.strides.ends[number], self.strides.lifts[number].max()),
        )
        return np.arange(max(int(begins) - 1, 0), min(int(np.ceil(ends)) + 2, len(self.knees)))

    def seen(self, number: int) -> tuple[dict[str, Motion], Feet, np.ndarray]:
        """Return motions, feet and knees of a stride's rows relative to a root that moves evenly straight
        ahead."""
        rows = self.rows(number)
        root = self._root(rows, number)
        back = transposed(root.rotation)[:, None]
        motions = {role: root.seeing(part[rows]) for role, part in self.motions.items()}
        return motions, self.feet[rows].seen(root), rotated(back, self.knees[rows])

    def _root(self, rows: np.ndarray, number: int) -> Motion:
        strides, pelvis = self.strides, self.motions["pelvis"].position
        begins, heading = strides.begins[number], strides.heading[number]
        start = np.array([np.interp(begins, np.arange(len(pelvis)), pelvis[:, axis]) for axis in (0, 1)])
        distance = strides.speed[number] * (rows - begins) / self.fps
        place = np.concatenate(
            [start + distance[:, None] * [np.cos(heading), np.sin(heading)], np.zeros((len(rows), 1))], -1
        )
        return Motion(about_z(np.full(len(rows), heading)), place, np.zeros(3))


def record(character: Character, clip: Clip) -> RecordedStrides:
    """Return the steady strides of a clip of a character's skeleton; raises NeuraRigError, with the reason,
    if it has none."""
    return record_motions(character, character.motions(clip), clip.fps)


def record_motions(character: Character, motions: Mapping[str, Motion], fps: float) -> RecordedStrides:
    """Return the steady strides of motions in a character's walk frame; raises NeuraRigError as `record`."""
    body = character.body
    if (
        body.one_bone_legs
        or not {sided(part, side) for side in SIDES for part in LEG_JOINTS} <= motions.keys()
    ):
        raise NeuraRigError(
            "A style needs legs with knees and feet; choose a clip whose skeleton has thighs, shins and feet."
        )
    velocity = belt_velocity(body, motions, fps)
    if velocity.any():
        motions = off_the_belt(motions, velocity, fps)
    motions = as_long(motions, fps, body.leg_length)
    strides = find_strides(body, motions, fps)
    flat = flat_frames(find_contacts(character, motions, fps), len(motions["pelvis"].position))
    feet = calibrated(read_feet(character, motions), flat, fps)
    return RecordedStrides(character, motions, feet, knee_directions(character, motions), strides, fps)
