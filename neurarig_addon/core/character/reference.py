"""The reference pose that all characters share, whatever their rest pose is.

Legs point straight down with the knees to the front, feet point ahead and are as level as at rest, arms are
stretched out to
the sides with palms down and elbows that would bend forward. Trunk, neck, head and clavicles stay as at rest.
So a rotation
relative to this pose means the same on a T-pose, an A-pose and a mocap skeleton with its legs apart.
"""

from collections.abc import Mapping

import numpy as np

from ..geometry.rotation import about_z, between, frame, normalized, norms, rejected, transposed
from ..skeleton.roles import ARM_PARTS, LEG_PARTS, SIDES, RoleMap, sided
from ..skeleton.skeleton import Skeleton
from .body import FORWARD, LEFT, RIGHT, Body

DOWN = np.array([0.0, 0.0, -1.0])
OUTWARD = {LEFT: np.array([0.0, 1.0, 0.0]), RIGHT: np.array([0.0, -1.0, 0.0])}
# Sines of an elbow's bend at rest: below the first it does not define the hinge axis, above the second it
# does fully.
_STRAIGHT, _BENT = np.sin(np.radians(6.0)), np.sin(np.radians(18.0))
_SHORTEST = 1e-6  # of the leg: points nearer than this define no direction


def reference_turns(
    skeleton: Skeleton, roles: RoleMap, body: Body, walk_to_world: np.ndarray
) -> Mapping[str, np.ndarray]:
    """Return role -> rotation `(3, 3)` away from rest, in the walk frame, that brings the role's bone into
    the reference pose."""
    turns = {role: np.eye(3) for role in roles.bones}
    for side, letter in enumerate(SIDES):
        leg = dict(zip(LEG_PARTS, _leg_turns(body, side), strict=True))
        arm = dict(
            zip(
                ARM_PARTS,
                _arm_turns(body, side, _hand_direction(skeleton, roles, letter, walk_to_world)),
                strict=True,
            )
        )
        turns |= {
            sided(part, letter): turn for part, turn in (leg | arm).items() if roles.has(sided(part, letter))
        }
    return turns


def _leg_turns(body: Body, side: int) -> tuple[np.ndarray, ...]:
    """Return the rotations of thigh, shin, foot and toe: knees and feet point ahead, whatever a straight
    leg's rest pose suggests."""
    straight = frame(DOWN, FORWARD)
    thigh = straight @ transposed(frame(_along(body, body.hip[side], body.knee[side], DOWN), FORWARD))
    shin = straight @ transposed(frame(_along(body, body.knee[side], body.ankle[side], DOWN), FORWARD))
    level = about_z(-body.foot_heading[side])
    return thigh, shin, level, level


def _arm_turns(body: Body, side: int, hand: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the rotations of clavicle, upper arm, forearm and hand; identity if the rig has no arm."""
    out = OUTWARD[side]
    upper = _along(body, body.shoulder[side], body.elbow[side], out)
    fore = _along(body, body.elbow[side], body.wrist[side], out)
    stretched = frame(out, -FORWARD)
    elbow = elbow_direction(upper, fore)
    upper_turn = stretched @ transposed(frame(upper, elbow))
    fore_turn = stretched @ transposed(frame(fore, elbow))
    hand_turn = between(fore_turn @ (hand if np.isfinite(hand).all() else fore), out) @ fore_turn
    return np.eye(3), upper_turn, fore_turn, hand_turn


def elbow_direction(upper: np.ndarray, fore: np.ndarray) -> np.ndarray:
    """Return the direction in which an elbow points `(3,)` at rest: by its bend, and backward if the arm is
    straight."""
    line = normalized(upper + fore)
    behind = normalized(-FORWARD + line * (line @ FORWARD))
    bend = rejected(upper, line)
    sine = 2.0 * norms(bend)
    bent = np.clip((sine - _STRAIGHT) / (_BENT - _STRAIGHT), 0.0, 1.0)
    return normalized((1.0 - bent) * behind + bent * normalized(bend))


def _along(body: Body, start: np.ndarray, end: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Return the direction `(3,)` between two joints, or `otherwise` if they coincide or are missing."""
    line = end - start
    length = norms(line)
    return line / length if np.isfinite(length) and length > _SHORTEST * body.leg_length else otherwise


def _hand_direction(skeleton: Skeleton, roles: RoleMap, side: str, walk_to_world: np.ndarray) -> np.ndarray:
    """Return a hand's direction `(3,)` at rest in the walk frame: to the middle of its fingers, else along
    its bone; NaN without one."""
    row = skeleton.index.get(roles.get(sided("hand", side)) or "")
    if row is None:
        return np.full(3, np.nan)
    ends = skeleton.heads[list(skeleton.children[row])]
    apart = ends[norms(ends - skeleton.heads[row]) > 0.1 * norms(skeleton.tails[row] - skeleton.heads[row])]
    end = apart.mean(axis=0) if len(apart) else skeleton.tails[row]
    return normalized((end - skeleton.heads[row]) @ walk_to_world[:3, :3])
