"""A character that an engine drives: speed and turn come in with every frame, its pose and where it goes are
the answer.

Nothing is learned: the network of `core.sequence` goes on as it is told. It moves an adult; a character of
another size moves as
pendulums do (Froude), with lengths in proportion to its legs and times to their root.
"""

from dataclasses import dataclass, fields

import numpy as np

from ..core.character.motion import Motion, RolePose
from ..core.errors import NeuraRigError
from ..core.gait.contract_pose import outputs_of, resized
from ..core.geometry.rotation import about_z, rotated, wrapped
from ..core.sequence.figure import LEG, figure
from ..core.sequence.lower_body import feet_of
from ..core.sequence.stream import Stream, StreamMoment
from ..core.skeleton.roles import SIDES, sided
from .contract import PacketError, Refusal
from .packets import MOTION_NUMBERS

VERSION = 1
_SAME_M = 1e-4  # bones that differ by no more are the same: engines measure them on a moving pose
_RANGES = {
    "version": (VERSION, VERSION),
    "number": (0.0, 2.0**24),  # whole numbers up to this are exact
    "delta_time": (0.0, 0.25),  # s: what a packet costs is bounded
    "speed": (-100.0, 100.0),  # m/s
    "turn": (-100.0, 100.0),  # radians a second
    "thigh": (0.05, 10.0),  # m
    "shin": (0.05, 10.0),
}


@dataclass(frozen=True)
class DrivePacket:
    """The numbers of a 0x05 packet, in their order: SI units, `turn` to the left."""

    version: float
    number: float
    delta_time: float
    speed: float
    turn: float
    thigh: float
    shin: float

    @classmethod
    def of(cls, numbers: np.ndarray) -> "DrivePacket":
        """Return the finite numbers `(MOTION_NUMBERS,)` of a packet; raises PacketError, naming the first
        that is out of its range."""
        drive = cls(*numbers[: len(fields(cls))].tolist())
        for name, (low, high) in _RANGES.items():
            value = getattr(drive, name)
            if not low <= value <= high:
                raise PacketError(
                    Refusal.RANGE,
                    f"The number '{name}' of a drive is {value:g}; send it between {low:g} and {high:g}, in"
                    " SI units.",
                )
        return drive

    @property
    def numbers(self) -> np.ndarray:
        """The numbers that begin a packet `(7,)`."""
        return np.array([getattr(self, field.name) for field in fields(self)])


class Driven:
    """A character that has come along with a first drive; it stands then."""

    def __init__(self, drive: DrivePacket) -> None:
        """Put the character where it begins; raises PacketError if the network cannot be read."""
        self._bones = np.array([drive.thigh, drive.shin])
        self._size = float(self._bones.sum()) / LEG
        try:
            self._stream = Stream()
        except NeuraRigError as error:
            raise _unanswerable(f"the network says: {error}") from None

    def suits(self, drive: DrivePacket) -> bool:
        """Return whether the drive is one of this character's bones; another one begins anew."""
        return bool((np.abs(self._bones - [drive.thigh, drive.shin]) <= _SAME_M).all())

    def answer(self, drive: DrivePacket) -> np.ndarray:
        """Go on by the time of the frame and return the numbers of a 0x06 packet `(MOTION_NUMBERS,)`; raises
        PacketError if not finite."""
        hurry = self._size**-0.5
        with np.errstate(all="ignore"):
            moment = self._stream.advance(drive.delta_time * hurry, drive.speed * hurry, drive.turn / hurry)
            found = np.empty(MOTION_NUMBERS)
            found[:30] = _outputs(moment, self._size)
        found[30:32], found[32] = self._size * moment.root[:2], wrapped(moment.root[2])
        found[33:37] = moment.footing.planted[::-1].ravel()
        found[37:] = VERSION, drive.number
        if not np.isfinite(found).all():
            self._stream = Stream()
            raise _unanswerable("the motion is not finite; it starts over")
        return found


def _outputs(moment: StreamMoment, size: float) -> np.ndarray:
    """Return the 30 outputs of a moment, seen from its root, of a character `size` times as large as the
    figure."""
    character, body, root = figure().character, moment.footing.body, moment.root
    back, ground = about_z(-root[2]), np.array([root[0], root[1], 0.0])
    feet = feet_of(body.feet)
    motions = {"pelvis": Motion(back @ body.turn, rotated(back, body.pelvis - ground), character.body.pelvis)}
    for row, side in enumerate(SIDES):
        ankle, at_rest = rotated(back, feet.ankle[:, row] - ground), character.body.ankle[row]
        foot = Motion(back @ feet.turn[:, row] @ character.reference[sided("foot", side)], ankle, at_rest)
        joint = character.body.toe_joint[row]
        toe = Motion(
            back @ feet.toe[:, row] @ character.reference[sided("toe", side)], foot.carry(joint), joint
        )
        motions |= {sided("foot", side): foot, sided("toe", side): toe}
    return resized(outputs_of(character.body, RolePose.standing(np.zeros(1), motions)), size)[0]


def _unanswerable(why: str) -> PacketError:
    return PacketError(Refusal.UNANSWERABLE, f"A drive has no answer: {why}.")
