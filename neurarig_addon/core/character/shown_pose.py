"""How a character stands in the pose that is shown: where, on which floor, how it faces and leans."""

from collections.abc import Mapping

import numpy as np

from ..geometry.rotation import UP, about_y, about_z, between, normalized, orthonormal
from ..skeleton.clip import Clip
from ..skeleton.roles import SIDES, sided
from ..skeleton.standing_pose import trunk_direction
from .character import Character

_UPRIGHT = 0.8  # cosine between the legs and the vertical: about 37 degrees
_SOLE = 1e-3  # leg lengths by which a body's sole is off that of its mesh at most
_ROUNDS = 4  # each leaves a fifth of what is missing, or less
_SAME = np.cos(np.radians(2.0))  # of the trunk, within which it leans as at rest


def shown(
    character: Character, clip: Clip, soles: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the root's motion `(4, 4)` and the lean `(1 + n, 3, 3)` in a clip's first frame, in the walk
    frame; None if it does not stand.

    The lean: rotations of pelvis and spine away from rest, none where the trunk leans as at rest, or points
    down. The pelvis only pitches,
    the spine does not twist. `soles`: 'L'/'R' -> points `(n, 3)` of the mesh at rest, in the walk frame;
    without, the body's.
    """
    body, motions, heights = character.body, character.motions(clip), []
    ends = [
        [next(motions[sided(part, side)] for part in parts if sided(part, side) in motions) for side in SIDES]
        for parts in _LEG_ENDS
    ]
    hips, ankles = (np.stack([motion.position[0] for motion in pair]) for pair in ends)
    if normalized(normalized(hips - ankles).mean(axis=0))[2] < _UPRIGHT:
        return None
    across, at_rest = hips[0] - hips[1], body.hip[0] - body.hip[1]
    # of the hips: feet may stride
    turn = about_z(np.arctan2(across[1], across[0]) - np.arctan2(at_rest[1], at_rest[0]))
    for row, side in enumerate(SIDES):
        own = np.stack([body.heel[row], body.ball[row], body.toe[row]])
        sole = soles.get(side, own)
        # what a body did not use
        sole = sole if abs(sole[:, 2].min() - own[0, 2]) < _SOLE * body.leg_length else own
        ahead = sole[:, 0] > body.toe_joint[row, 0]  # of nothing without toes
        for motion, points in (
            (ends[1][row], sole[~ahead]),
            (motions.get(sided("toe", side), ends[1][row]), sole[ahead]),
        ):
            heights += motion.carried(points[None])[0, :, 2].tolist()
    root = np.eye(4)
    root[:3, :3], root[:3, 3] = turn, [*hips.mean(axis=0)[:2], min(heights)]
    heads, axes, roles = (
        np.stack([character.skeleton.heads, clip.heads[0]]),
        orthonormal(character.walk_to_world[:3, :3]),
        character.roles,
    )
    stands, line = trunk_direction(heads, character.skeleton, roles) @ axes
    if stands @ turn.T @ line > _SAME or line[2] <= 0.0:
        return root, np.empty((0, 3, 3))
    ups = (
        np.stack(
            [
                motions[role].rotation[0, :, 2]
                for role in ("pelvis", *(f"spine.{n + 1}" for n in range(len(body.spine))))
            ]
        )
        @ turn
    )
    leans = np.concatenate(
        [about_y(np.arctan2(ups[:1, 0], ups[:1, 2])), between(np.broadcast_to(UP, ups.shape), ups)[1:]]
    )
    if len(leans) > 1 and np.isfinite(body.shoulder).all():  # the trunk has its line, whatever was left out
        parts = np.diff([body.hip.mean(axis=0), *body.spine, body.shoulder.mean(axis=0)], axis=0)
        for _ in range(_ROUNDS):
            leans[1:] = between(normalized(np.einsum("nij,nj->i", leans, parts)), turn.T @ line) @ leans[1:]
    return root, leans


_LEG_ENDS = ("thigh",), ("foot", "shin", "thigh")
