"""From a motion to the IK Rig: the six chains of a moving body, in units of the body and in its heading
frame.

The heading of upright hips is their forward axis, projected to the ground. That fails if the axis is
vertical, so from 60 to 80 degrees
of tilt it blends into the twist about the vertical that is left after the shortest rotation to upright. That
one fails if the hips are
upside down; there the heading is interpolated between the frames before and after.
No heading is continuous over all rotations (the hairy ball theorem), but this one is over every motion.
"""

from collections.abc import Mapping

import numpy as np

from ..character.character import Character
from ..character.motion import Motion
from ..easing import smoothstep
from ..geometry import rotation
from ..geometry.limb import across
from ..geometry.rotation import about_z, normalized, rejected, rotated, times, transposed
from ..skeleton.clip import Clip
from . import encoding
from .anatomy import Anatomy, ChainAnatomy, rolled
from .encoding import EXTRAS, LIMBS, SPINE, Chain, Encoding

_UPRIGHT, _TIPPED = np.cos(np.radians(60.0)), np.cos(np.radians(80.0))
_OVERTURNED = np.cos(np.radians(150.0))


def heading_of(hips: np.ndarray) -> np.ndarray:
    """Return the yaw `(f,)` in radians, left positive and unwrapped, of the hips' orientations `(f, 3,
    3)`."""
    upright = hips[:, 2, 2]
    ahead = hips[:, 0, 0] + 1j * hips[:, 1, 0]
    twist = hips[:, 0, 0] + hips[:, 1, 1] + 1j * (hips[:, 1, 0] - hips[:, 0, 1])
    share = np.clip((upright - _TIPPED) / (_UPRIGHT - _TIPPED), 0.0, 1.0)
    share = smoothstep(share)
    clear = upright > _OVERTURNED
    if not clear.any():
        return np.unwrap(np.angle(ahead))
    yaw = np.unwrap(np.angle((share * _unit(ahead) + (1.0 - share) * _unit(twist))[clear]))
    rows = np.arange(len(hips))
    return yaw if clear.all() else np.interp(rows, rows[clear], yaw)


def _unit(number: np.ndarray) -> np.ndarray:
    return number / np.maximum(np.abs(number), 1e-12)


# If the middle joint is nearer to the line from root to effector than this (chain lengths), the bone's own
# orientation helps find its side.
_STRAIGHT = 1e-3
# A clip's bends give a limb's hinge: least sum over frames of the squared sine, and how far they must agree
# (1: in one plane).
_ENOUGH_BENT, _AGREED = 1.0, 0.9


def encode(character: Character, clip: Clip, normalised: bool = True) -> Encoding:
    """Return the encoding of a clip of the character's skeleton; `normalised`: travel in hips heights, else
    in metres."""
    return encode_motions(character, character.motions(clip), clip.frames, clip.fps, clip.name, normalised)


def encode_motions(
    character: Character,
    motions: Mapping[str, Motion],
    frames: np.ndarray,
    fps: float,
    name: str = "",
    normalised: bool = True,
) -> Encoding:
    """Return the encoding of the motions of a character's roles, in its walk frame at scene `frames`
    `(f,)`."""
    anatomy = Anatomy.of(character)
    pelvis = motions["pelvis"]
    heading = heading_of(pelvis.rotation)
    seen = _Seen(character, anatomy, motions, about_z(-heading))
    rise = (pelvis.position[:, 2] - anatomy.ground) / anatomy.hips_height - 1.0
    spine_root = np.stack([np.zeros_like(rise), np.zeros_like(rise), rise], axis=-1)
    ground = (pelvis.position - anatomy.hips.rest)[:, :2]
    return Encoding(
        name=name,
        fps=fps,
        frames=np.asarray(frames, dtype=float),
        ground=ground / anatomy.hips_height if normalised else ground,
        heading=heading,
        chains={chain: seen.chain(chain, spine_root) for chain in anatomy.chains},
        measures=anatomy.measures(character.body, seen.rolls),
        extras={role: seen.quaternion[role] for role in EXTRAS if role in seen.quaternion},
        normalised=normalised,
    )


class _Seen:
    """A moving body in its heading frame: origin under the hips, x along their heading, metres."""

    def __init__(
        self, character: Character, anatomy: Anatomy, motions: Mapping[str, Motion], to_heading: np.ndarray
    ) -> None:
        self.anatomy, self.motions, self.to_heading = anatomy, motions, to_heading
        roles = {role for role in EXTRAS if role in motions} | {
            chain.end for chain in anatomy.chains.values()
        }
        self.orientation = {
            role: to_heading @ times(motions[role].rotation, character.reference[role].T) for role in roles
        }
        self.quaternion = {
            role: encoding.quaternions(orientation) for role, orientation in self.orientation.items()
        }
        self.rolls = {name: self._roll(chain) for name, chain in anatomy.chains.items() if name in LIMBS}

    def chain(self, name: str, spine_root: np.ndarray) -> Chain:
        """Return one chain; `spine_root` `(f, 3)`: the hips' offset from rest, in hips heights."""
        chain = self.anatomy.chains[name]
        holder, root, middle, effector = (
            joint.place(self.motions) for joint in (chain.holder, chain.root, chain.middle, chain.effector)
        )
        line = self._turned(effector - root)
        return Chain(
            root=spine_root
            if name == SPINE
            else encoding.shortest(chain.root_direction, self._turned(root - holder)),
            effector=line / chain.length if chain.length > 0.0 else np.zeros_like(line),
            up=_up(chain, line, self._turned(middle - root), self._own(chain, self.rolls.get(name, 0.0))),
            orientation=self.quaternion[chain.end],
        )

    def _roll(self, chain: ChainAnatomy) -> float:
        """Return the angle about its upper bone from the reference pose's hinge to the limb's, radians; 0 if
        the clip does not show it."""
        if len(chain.bones) < 2:
            return 0.0
        line = self._turned(chain.effector.place(self.motions) - chain.middle.place(self.motions))
        lower = rotated(transposed(self.orientation[chain.bones[0]]), normalized(line))
        bend = np.stack([lower @ -chain.hinge, lower @ -chain.axle])
        sine = np.hypot(*bend)
        mean = bend @ sine
        agrees = sine @ sine > _ENOUGH_BENT and np.hypot(*mean) > _AGREED * (sine @ sine)
        return float(np.arctan2(mean[1], mean[0])) if agrees else 0.0

    def _own(self, chain: ChainAnatomy, roll: float) -> np.ndarray:
        """Return the side `(f, 3)` of a chain's middle by its own bone: a limb's upper bone, the bone at the
        end of spine or neck."""
        role = chain.bones[0] if chain.bones and chain.bones[0] in self.orientation else chain.end
        return self.orientation[role] @ rolled(chain, roll) @ chain.hinge

    def _turned(self, vector: np.ndarray) -> np.ndarray:
        return rotated(self.to_heading, vector)


def _up(chain: ChainAnatomy, line: np.ndarray, arm: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return the unit vector `(f, 3)` from the `line` to the effector `(f, 3)` towards the middle joint,
    `arm` `(f, 3)` from the root.

    It is ((root - middle) x line) x line, normalised. The nearer the middle is to the line, the more the
    chain's `own` side counts.
    """
    direction = normalized(line)
    offset = (rejected(arm, direction)) / max(chain.length, 1e-12)
    lacking = np.maximum(_STRAIGHT - np.sqrt(rotation.dot(offset, offset))[:, None], 0.0)
    return normalized(offset + lacking * across(own, direction))
