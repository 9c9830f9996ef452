"""Poses where clips join: how unlike they are, and how a clip is eased over to the pose that it has to begin
or end with."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..body import limb
from ..body.seam import Instant, Seam, stacked
from ..body.tree import all_holders_of
from ..character.motion import Motion, Posed, RolePose
from ..geometry.limb import across
from ..geometry.rotation import normalized, norms, transposed
from ..posing.rig_table import POLE
from ..skeleton.roles import LEG_JOINTS, SIDES, sided, stem_of

SEAM = 0.05  # degrees that a bone may be off where clips join
ALIKE_M = 1e-3  # and metres that the pelvis may be off
_LEGS = ("shin", "foot")


def unlike(pose: Posed, other: Posed, rows: np.ndarray | int = 0) -> np.ndarray:
    """Return by how many degrees the bones of each frame are turned from those of another pose's `rows`
    `(f,)`, seen from the root `(f,)`.

    A pelvis that is off by ALIKE_M counts as SEAM degrees.
    """
    away = pose.motions["pelvis"].position - other.motions["pelvis"].position[rows]
    worst = SEAM * norms(away) / ALIKE_M
    for role, motion in pose.motions.items():
        if not role.startswith(POLE):
            turn = transposed(motion.rotation) @ other.motions[role].rotation[rows]
            chord = np.linalg.norm(turn - np.eye(3), axis=(-2, -1)) / np.sqrt(8.0)
            worst = np.maximum(worst, 2.0 * np.degrees(np.arcsin(np.minimum(chord, 1.0))))
    return worst


def eased(
    pose: RolePose,
    begins: Posed | None,
    ends: Posed | None,
    frames: float,
    planted: np.ndarray | None = None,
) -> RolePose:
    """Return a pose that begins and ends as others of one frame do, where given; what it lacks is added over
    so many frames.

    For feet that stand where they should: they stay there, and the body above them shifts.  `planted`
    `(f, 2)`: when feet stand, for those that should stand elsewhere: they go there in the swing.
    """
    rows = np.arange(len(pose.frames))
    for other, row, away in ((begins, 0, rows), (ends, -1, rows[::-1])):
        if other is not None:
            turns, places = stacked(pose.motions.values())
            wanted, there = stacked(other.motions[role] for role in pose.motions)
            seam = Seam.between(
                Instant.still(wanted[0], there[0]), Instant.still(turns[row], places[row]), frames
            )
            share = np.repeat(away[:, None] / frames, len(pose.motions), axis=1)
            for side, stands in enumerate([] if planted is None else planted[:: 1 if row == 0 else -1].T):
                if not stands.all():
                    column = list(pose.motions).index(sided("foot", SIDES[side]))
                    share[:, column] = _in_swing(stands, frames)[away]
            pose = replace(pose, motions=_hung_together(pose.motions, seam.motions(share, pose.motions)))
    return pose


def _in_swing(stands: np.ndarray, frames: float) -> np.ndarray:
    """Return the shares `(f,)` of what a foot lacks that it has made up: none while it stands at first, all
    as it lands; `stands` `(f,)`."""
    lifts = int(np.append(stands, False).argmin())
    landed = np.flatnonzero(stands[lifts:])
    swings = landed[0] if len(landed) else min(frames, len(stands) - 1.0 - lifts)
    return np.clip((np.arange(len(stands)) - lifts) / max(swings, 1.0), 0.0, 1.0)


def _hung_together(before: Mapping[str, Motion], loose: Mapping[str, Motion]) -> dict[str, Motion]:
    """Return motions whose joints are where the bones above take them, as in those `before`; feet stay, and
    legs reach them."""
    found = dict(loose)
    for role, above in all_holders_of(before).items():
        if above and stem_of(role) not in _LEGS:
            found[role] = replace(
                found[role], position=found[above].carried(before[above].seen(before[role].position))
            )
    for side in SIDES:
        leg = [sided(part, side) for part in LEG_JOINTS]
        if all(role in found for role in leg):
            found |= zip(leg[:2], _reaching(*(found[role] for role in leg)), strict=True)
            pole = POLE + side
            if pole in found:  # as far in front of the knee as it was
                hip, knee, ankle = (found[role].position for role in leg)
                far = norms(before[pole].position - before[leg[1]].position)[..., None]
                found[pole] = replace(
                    found[pole], position=knee + far * across(knee - hip, normalized(ankle - hip))
                )
    return found


def _reaching(thigh: Motion, shin: Motion, foot: Motion) -> tuple[Motion, Motion]:
    """Return a thigh and a shin that reach a foot, the knee as near as can be to where it was."""
    hung = replace(shin, position=thigh.carry(shin.rest))
    end = replace(foot, position=hung.carry(foot.rest))
    return limb.reached(thigh, hung, end, foot.position, shin.position - thigh.position)[:2]
