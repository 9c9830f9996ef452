"""From the IK Rig to a motion: the six chains posed on another body in its proportions."""

from collections.abc import Mapping

import numpy as np

from ..character.body import Body
from ..character.character import Character
from ..character.motion import Motion
from ..character.reference import FORWARD
from ..easing import running
from ..geometry.limb import across, two_bones
from ..geometry.rotation import (
    UP,
    about_z,
    between,
    dot,
    frame,
    from_axis_angle,
    normalized,
    norms,
    rejected,
    rotated,
    transposed,
    turned_towards,
    twist,
)
from ..skeleton.roles import SIDES, sided
from .anatomy import Anatomy, ChainAnatomy, rolled
from .encoding import LEGS, NECK, SPINE, Encoding, Measures, matrices
from .trunk import PosedBody, pose_trunk_chain


def _unflipped(pole: np.ndarray, clear: np.ndarray) -> np.ndarray:
    """Return poles `(f, 3)` of consecutive frames without the flips of a straight limb that bends slightly
    the wrong way.

    `clear` `(f,)`: whether the limb bends enough for its pole to be reliable; other frames follow the last
    clear one, else the first.
    """
    flips = (dot(pole[1:], pole[:-1]) < 0.0) & ~(clear[1:] & clear[:-1])
    flipped = running(flips)
    rows = np.arange(len(pole))
    before = np.maximum.accumulate(np.where(clear, rows, -1))
    first_clear = int(np.argmax(clear))  # 0 if none is
    odd = (flipped - flipped[np.where(before >= 0, before, first_clear)]) % 2 == 1
    return np.where(odd[:, None], -pole, pole)


def _oriented(chain: ChainAnatomy, bone: np.ndarray, axle: np.ndarray) -> np.ndarray:
    """Return the orientation `(f, 3, 3)` of a limb's bone that points along `bone` and bends about, or nearly
    about, `axle`, both `(f, 3)`.

    The axle stays perpendicular to the bone at any bend; the direction to the knee does not.
    """
    direction = normalized(bone)
    return frame(direction, across(axle, direction)) @ frame(chain.along, chain.axle).T


# The directions to both legs determine the pelvis if their sum is this far off the line across (unit
# directions); else the spine helps.
_LEGS_TELL = 0.3
_NEVER_ZERO = 1e-9  # keeps a pelvis defined if both hip joints coincide
# A knee or elbow bent the wrong way by less than this (chain lengths off the line) is overstretched; the limb
# is not turned round.
_OVERSTRETCHED = 0.06
_FOREARM_ROLLS = 0.5  # share of the hand's twist that the forearm takes, if the source's forearm is unknown
# share of the angle between both bodies' hinges that forearm and shin take: they lead from the hinge to hand
# and foot
_LOWER_ROLLS = 0.5
_SAME_BODY = 1e-4  # hips heights


def decode(
    encoding: Encoding, character: Character, directed: Mapping[str, np.ndarray] | None = None
) -> dict[str, Motion]:
    """Return the motion of every role of the character that is encoded, in its walk frame, including travel
    and turns.

    Roles that the character or the encoding lacks (arms of a source without arms) are left out.
    A limb whose effector is out of reach is straight and points at it.

    `directed`: name of a limb -> how far `(f,)` its bones point as the source's do: 0 leaves its end at the
    effector, 1 copies the
    directions, and the target's bones determine the end. It has no effect if the encoding lacks them (the 86
    floats do).
    """
    anatomy = Anatomy.of(character)
    body = _Decoding(encoding, character, anatomy, directed or {}).posed()
    turn = about_z(encoding.heading)
    ground = encoding.ground * (anatomy.hips_height if encoding.normalised else 1.0)
    origin = np.column_stack([ground + anatomy.hips.rest[:2], np.full(len(ground), anatomy.ground)])
    return {
        role: Motion(turn @ motion.rotation, origin + rotated(turn, motion.position), motion.rest)
        for role, motion in body.motions()
    }


def _leg_share(measures: Measures, anatomy: Anatomy, body: Body) -> float:
    """Return the share to which a source's legs count as shorter on a body on its toes whose legs are more
    bent as it stands: it would else come to stand on stretched ones."""
    if not body.on_toes:
        return 1.0
    leg = sided("leg", SIDES[0])
    stands = (body.standing_length - anatomy.ankle_height) / (measures.leg_length - measures.ankle_height)
    return min(stands / (anatomy.chains[leg].length / measures.lengths[leg]), 1.0)


class _Decoding:
    """The decoding of an encoding on a character, in the heading frame."""

    def __init__(
        self, encoding: Encoding, character: Character, anatomy: Anatomy, directed: Mapping[str, np.ndarray]
    ) -> None:
        self.encoding, self.anatomy, self.directed = encoding, anatomy, directed
        self.body = PosedBody(character)
        self.chains = {name: chain for name, chain in anatomy.chains.items() if name in encoding.chains}
        self.ends = {name: matrices(encoding.chains[name].orientation) for name in self.chains}
        measures = encoding.measures
        self.source_rest = dict(measures.rest) if measures else {}
        same = measures is None or _same_body(measures, anatomy.measures(character.body))
        self.rolls = {} if same or measures is None else dict(measures.rolls)
        self.leg_share = _leg_share(measures, anatomy, character.body) if measures else 1.0

    def posed(self) -> PosedBody:
        """Pose the hips, the trunk, the shoulders, then the limbs."""
        spine_root = self.encoding.chains[SPINE].root
        height = self.anatomy.hips_height
        self.body.put("pelvis", self._pelvis(), (spine_root + UP) * height)
        for name in (SPINE, NECK):
            if name in self.chains:
                rest = self.source_rest.get(name)
                pose_trunk_chain(
                    self.body, self.chains[name], self.encoding.chains[name], self.ends[name], rest
                )
        for side in SIDES:
            self._limb(sided("leg", side), "pelvis")
            if sided("arm", side) in self.chains:
                self._limb(sided("arm", side), self._shoulder(side))
            self._toe(side)
        return self.body

    def _extra(self, role: str) -> np.ndarray | None:
        turns = self.encoding.extras.get(role)
        return None if turns is None else matrices(turns)

    def _pelvis(self) -> np.ndarray:
        """Return the pelvis' orientation: as encoded, else from the directions to both legs and of the spine
        (TRIAD)."""
        extra = self._extra("pelvis")
        if extra is not None:
            return extra
        rest = [normalized(self.chains[leg].root_direction) for leg in LEGS]
        now = [
            matrices(self.encoding.chains[leg].root) @ direction
            for leg, direction in zip(LEGS, rest, strict=True)
        ]
        source = self.source_rest.get(SPINE)
        spine = normalized(self.chains[SPINE].along if source is None or not source.any() else source[1])
        spine_now = normalized(self.encoding.chains[SPINE].effector)
        left, down = normalized(rest[0] - rest[1]), rest[0] + rest[1]
        help_needed = max(_LEGS_TELL - float(norms(rejected(down, left))), 0.0)
        left_now = normalized(now[0] - now[1] + _NEVER_ZERO * left)
        up_now = across(help_needed * spine_now - now[0] - now[1], left_now)
        return frame(left_now, up_now) @ transposed(frame(left, help_needed * spine - down))

    def _shoulder(self, side: str) -> str:
        """Pose a clavicle, and return the role that carries the upper arm."""
        chest, clavicle, arm = self.chains[SPINE].end, sided("clavicle", side), sided("arm", side)
        if not self.body.has(clavicle):
            return chest
        extra = self._extra(clavicle)
        if extra is None:
            chain = self.chains[arm]
            head = self.body.rest_head(clavicle)
            shoulder = (
                self.body.place(chain.holder)
                + matrices(self.encoding.chains[arm].root) @ chain.root_direction
            )
            carried = self.body.orientation(chest) @ self.body.in_reference(clavicle, head, chain.root.rest)
            extra = between(carried, shoulder - self.body.carried(chest, head)) @ self.body.orientation(chest)
        self.body.hang(clavicle, chest, extra)
        return clavicle

    def _limb(self, name: str, holder: str) -> None:
        """Pose the two bones of a limb and the bone at its end."""
        chain, coded = self.chains[name], self.encoding.chains[name]
        root = self.body.carried(holder, chain.root.rest)
        share = self.leg_share if name in LEGS else 1.0
        effector = root + coded.effector * chain.length * share
        if len(chain.bones) == 1:  # a leg without a knee points at its foot, which is put at the effector
            missing = np.all(coded.effector == 0.0, axis=-1)
            direction = np.where(
                missing[:, None], self.body.orientation(holder) @ chain.along, coded.effector
            )
            self.body.put(chain.bones[0], _oriented(chain, direction, np.cross(direction, coded.up)), root)
            end = effector
        else:
            upper, lower = chain.bone_lengths
            otherwise = self.body.orientation(holder) @ chain.along
            middle, end = two_bones(root, effector, coded.up, upper, lower, otherwise)
            if name in self.directed:
                middle, end = self._directed(name, root, middle, end)
            turns = self._bones(name, middle - root, end - middle)
            self.body.put(chain.bones[0], turns[0], root)
            self.body.put(chain.bones[1], turns[1], middle)
        if chain.end not in self.body:
            self.body.put(chain.end, self.ends[name], end)

    def _directed(
        self, name: str, root: np.ndarray, middle: np.ndarray, end: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the middle and the end `(f, 3)` of a limb whose bones are turned towards the source's
        directions."""
        chain, share = self.chains[name], self.directed[name]
        upper, lower = (self._extra(role) for role in chain.bones)
        if upper is None or lower is None:
            return middle, end
        upper_line = turned_towards(middle - root, upper @ chain.along, share)
        lower_line = turned_towards(end - middle, lower @ chain.along, share)
        return root + upper_line, root + upper_line + lower_line

    def _bones(
        self, name: str, upper_line: np.ndarray, lower_line: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the orientations `(f, 3, 3)` of a limb's bones along two lines `(f, 3)`, which leave only
        their roll to find."""
        chain, roll = self.chains[name], self.rolls.get(name, 0.0)
        extra = [self._extra(role) for role in chain.bones]
        axle = (
            extra[0] @ rolled(chain, roll) @ chain.axle
            if extra[0] is not None
            else self._axle(name, upper_line, lower_line)
        )
        upper = _oriented(chain, upper_line, axle)
        if extra[1] is not None:
            return upper, _oriented(
                chain, lower_line, extra[1] @ rolled(chain, _LOWER_ROLLS * roll) @ chain.axle
            )
        lower = _oriented(chain, lower_line, upper @ chain.axle)
        return upper, lower if name in LEGS else lower @ _part_of_roll(lower, self.ends[name], chain.along)

    def _axle(self, name: str, upper_line: np.ndarray, lower_line: np.ndarray) -> np.ndarray:
        """Return the axis `(f, 3)` about which a limb bends if the source's upper bone is unknown: the normal
        of the limb's plane.

        A limb bent slightly the wrong way lies in the same plane, but must not turn round. The foot decides
        the right side of a knee, the
        clearly bent frames before that of an elbow.
        """
        line = normalized(upper_line + lower_line)
        off = rejected(upper_line, line)
        clear = dot(off, off) > (_OVERSTRETCHED * self.chains[name].length) ** 2
        up = self.encoding.chains[name].up
        if name in LEGS:
            back = dot(up, self.ends[name] @ FORWARD) < 0.0
            up = np.where((back & ~clear)[:, None], -up, up)
        else:
            up = _unflipped(up, clear)
        return np.cross(line, up)

    def _toe(self, side: str) -> None:
        toe, foot = sided("toe", side), sided("foot", side)
        if not self.body.has(toe) or foot not in self.body:
            return
        extra = self._extra(toe)
        if extra is None:
            self.body.ride(toe, foot)
        else:
            self.body.hang(toe, foot, extra)


def _part_of_roll(forearm: np.ndarray, hand: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Return the rotation `(f, 3, 3)` of a forearm about its own line that follows the hand: its share of the
    twist (swing-twist)."""
    return from_axis_angle(along, _FOREARM_ROLLS * twist(transposed(forearm) @ hand, along))


def _same_body(source: Measures, target: Measures) -> bool:
    """Return whether two bodies differ only in size: then their knees and elbows have the same hinges, even
    if the rest pose hides them."""

    def shape(body: Measures) -> np.ndarray:
        lengths = [body.lengths.get(name, 0.0) for name in sorted({*source.lengths, *target.lengths})]
        return np.array([body.leg_length, body.ankle_height, *body.hip_offset, *lengths]) / body.hips_height

    return bool(np.allclose(shape(source), shape(target), rtol=0.0, atol=_SAME_BODY))
