"""A clip from one character on another, its contacts kept.

In order: the decoded motion is what is wanted, in the target's proportions, with limbs that follow directions
or places; feet are planted (see `planting`); hands in contact stay; the root takes the travel.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..body.feet import SWING
from ..character.character import Character
from ..character.motion import Motion, RolePose
from ..ikrig.decode import decode
from ..ikrig.encoding import Contacts, Encoding, require_on_two_legs
from ..skeleton.roles import QUADRUPED, SIDES, sided
from .contacts import find_contacts
from .four_legs import on_four_legs
from .hands import kept_in_place, spaced
from .options import RetargetOptions, Root, directed
from .planting import planted
from .travel import ground_motion, rescaled


@dataclass(frozen=True)
class Retargeted:
    """A clip on the target character, in its walk frame: metres, z up.

    `pose`: the motion of every role, for `posing.solve`, and the root's: with `Root.BONE` and `Root.OBJECT`
    what they have to do, with
        `Root.IN_PLACE` what was left out; it stands still with `Root.PELVIS`.
    `pivots` `(f, 2 or 4)`: SWING, HEEL, FLAT, BALL or TOE (`body.feet`) of the left and right foot, the hind
    ones first. `fps`: frames a second. `off`: metres that the pelvis, an ankle or a wrist is at most from
    where the clip has it, beside what all frames are moved by.
    """

    pose: RolePose
    pivots: np.ndarray
    fps: float
    off: float = 0.0


def retarget(encoding: Encoding, target: Character, options: RetargetOptions | None = None) -> Retargeted:
    """Return an encoded clip on a target character; if it has no contacts (86 floats have none), they are
    found on the target."""
    options = options or RetargetOptions()
    if target.roles.kind == QUADRUPED and encoding.fore is not None:
        return _rooted(*on_four_legs(encoding, encoding.fore, target, options), encoding, options)
    require_on_two_legs(encoding)
    placed = rescaled(decode(encoding, target), encoding, target, options)
    contacts = (
        encoding.contacts if encoding.contacts.intervals else find_contacts(target, placed, encoding.fps)
    )
    limbs = directed(options.follow, target, placed, contacts, encoding.fps)
    wanted = rescaled(decode(encoding, target, limbs), encoding, target, options) if limbs else placed
    wanted = spaced(wanted, options.arm_spacing_rad)
    motions, pivots = planted(target, wanted, contacts if options.contacts else Contacts(), encoding.fps)
    if options.hands:
        motions = kept_in_place(target, motions, contacts, encoding.fps)
    return replace(_rooted(motions, pivots, encoding, options), off=_off(motions, wanted))


def in_place(
    encoding: Encoding, character: Character, options: RetargetOptions, root: Motion | None
) -> Retargeted:
    """Return a character's own motion as it is, with its travel on the root as the options say, or as `root`
    moves: nothing is planted."""
    motions = decode(encoding, character)
    rooted = _rooted(motions, np.full((len(encoding), len(SIDES)), SWING), encoding, options)
    if root is None:
        return rooted
    seen = {role: root.seeing(motion) for role, motion in motions.items()}
    return replace(rooted, pose=RolePose(encoding.frames, seen, root))


def _off(motions: Mapping[str, Motion], wanted: Mapping[str, Motion]) -> float:
    """Return metres that pelvis, ankles and wrists are off at most, beside what the whole clip is moved
    by."""
    way = np.median(motions["pelvis"].position - wanted["pelvis"].position, axis=0)
    ends = [
        role
        for role in ("pelvis", *(sided(part, side) for part in ("foot", "hand") for side in SIDES))
        if role in wanted
    ]
    return max(
        float(np.linalg.norm(motions[role].position - wanted[role].position - way, axis=1).max())
        for role in ends
    )


def _rooted(
    motions: dict[str, Motion], pivots: np.ndarray, encoding: Encoding, options: RetargetOptions
) -> Retargeted:
    """Return the clip with its travel on the root that the options choose."""
    if options.root is Root.PELVIS:
        return Retargeted(RolePose.standing(encoding.frames, motions), pivots, encoding.fps)
    root = ground_motion(motions["pelvis"], options.root_smoothing_s, encoding.fps)
    seen = {role: root.seeing(motion) for role, motion in motions.items()}
    return Retargeted(RolePose(encoding.frames, seen, root), pivots, encoding.fps)
