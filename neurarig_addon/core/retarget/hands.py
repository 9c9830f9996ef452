"""Hands in contact stay there; arms can be held farther from the body."""

from collections.abc import Mapping

import numpy as np

from ..body.legs import MOST_REACH, ahead
from ..body.limb import brought
from ..character.character import Character
from ..character.motion import Motion
from ..geometry.rotation import about_x, norms, rotated, transposed
from ..ikrig.encoding import Contacts
from ..skeleton.roles import ARM_PARTS, SIDES, chest_of, sided
from .spans import flags_of
from .swing import bridged

WRIST_ABOVE = 0.05  # leg lengths: height of the wrist over a leaning palm
FADE_S = 0.5  # seconds after which a released hand is where the source has it


def spaced(motions: Mapping[str, Motion], angle_rad: float) -> dict[str, Motion]:
    """Return a pose with hanging arms turned away from the body about the chest's forward axis; raised arms
    less."""
    posed = dict(motions)
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        upper, hand = (
            motions.get(sided("upper_arm", side)),
            motions.get(sided("hand", side)) or motions.get(sided("forearm", side)),
        )
        if not angle_rad or upper is None or hand is None:
            continue
        chest = motions[chest_of(motions)].rotation
        line = rotated(transposed(chest), hand.position - upper.position)
        hanging = np.clip(0.5 - 0.5 * line[:, 2] / np.maximum(norms(line), 1e-9), 0.0, 1.0)
        turn = chest @ about_x(sign * angle_rad * hanging) @ transposed(chest)
        for role in (sided(part, side) for part in ARM_PARTS[1:]):
            if role in motions:
                posed[role] = motions[role].turned(turn, upper.position)
    return posed


def kept_in_place(
    character: Character, motions: Mapping[str, Motion], contacts: Contacts, fps: float
) -> dict[str, Motion]:
    """Return a pose whose hands stay in place during contacts, each at the centre of its drift."""
    posed = dict(motions)
    for side in SIDES:
        intervals = contacts.of(sided("hand", side))
        arm = [motions.get(sided(part, side)) for part in ARM_PARTS[1:]]
        if len(intervals) and None not in arm:
            wanted = motions[sided("hand", side)].position
            offset = np.zeros_like(wanted)
            lowest = np.array([-np.inf, -np.inf, WRIST_ABOVE * character.body.leg_length])
            for first, last in intervals:
                rows = slice(first, last + 1)
                offset[rows] = np.maximum(wanted[rows].mean(axis=0), lowest) - wanted[rows]
            held = flags_of(intervals, len(wanted))
            posed |= reached(character, motions, side, wanted + bridged(offset, held, fps, FADE_S))
    return posed


def reached(
    character: Character, motions: Mapping[str, Motion], side: str, wrist: np.ndarray
) -> dict[str, Motion]:
    """Return upper arm, forearm and hand with the wrist at given places `(f, 3)`, as far as the arm
    reaches."""
    arm = [sided(part, side) for part in ARM_PARTS[1:]]
    upper, fore, hand = (motions[role] for role in arm)
    behind = -ahead(character, motions, arm[0]) - ahead(character, motions, arm[1])
    return dict(zip(arm, brought((upper, fore, hand), wrist, behind, MOST_REACH), strict=True))
