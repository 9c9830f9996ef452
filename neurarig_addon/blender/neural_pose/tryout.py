"""What a rig's controls are tried with before they take poses: all that a body's joints can do, each joint to
be where the pose has it."""

from collections.abc import Callable

import bpy
import numpy as np

from ...core.character.body import Body
from ...core.character.character import Character
from ...core.character.integrity import Integrity, integrity
from ...core.character.motion import Motion, RolePose
from ...core.controls.tryout import Bending, Tryout
from ...core.geometry.rotation import from_axis_angle, norms, orthonormal, rotated, transposed
from ...core.geometry.vectors import transformed
from ...core.neural.plain_poses import POSES, BentTrunk, joint_turns
from ...core.neural.point_body import PointBody
from ...core.neural.points import INDEX, PARENTS
from ...core.posing.rig_table import TrunkBend
from ...core.skeleton.anatomy import anatomy
from ...core.skeleton.roles import SPINE, RoleMap, stem_of
from ...core.skeleton.skeleton import Skeleton
from ..character.controls.probing.bench import bench
from ..character.read_armature import skin_bones
from .rig import LegControls, PosedRig
from .solve import pose_channels

_SHARES = (0.6, 1.0, 1.2)
_FRAMES = np.arange(1.0, len(POSES) * len(_SHARES) + 1.0)
# percent of the leg: how far a joint may be from its place in the pose, as solvers leave it, and as feet may
# slip
MISSED = 0.1
# knees and elbows: solvers place them only nearly, between an end and a pole; smaller gaps count as whole
_MIDDLE_MISSED = 1.0
_MIDDLES = ("shin", "forearm")
_SHIFT = np.array([0.1, -0.1, -0.15])  # pelvis heights: how far the body moves forward, to the left and up
_WAYS = 20  # axes, spread evenly over a sphere
_ANGLES = np.radians([25.0, 65.0])
_MIXED = np.random.default_rng(0).permutation(_WAYS * len(_ANGLES))
_AGREES = 2e-4  # leg lengths: how closely most of the bends must predict the others


def pose_tryout(skeleton: Skeleton, roles: RoleMap, body: Body, bend: TrunkBend | None = None) -> Tryout:
    """Return the tryout of controls that must bring locked hands and feet exactly to their places; `bend`: of
    the rig's trunk."""
    character = Character(skeleton, roles, body)
    points = PointBody.of(character)
    motions = _tried_motions(points, bend)
    posed = LegControls.of(character, points.tree.roles).motions(motions)
    bending = None
    if bend is None and len(roles.spine()) == 1:
        bending = _trunk_bending(points, lambda found: pose_tryout(skeleton, roles, body, found))
    return Tryout(
        RolePose.standing(_FRAMES, posed), lambda matrices: _missed(character, motions, matrices), bending
    )


def tried(obj: bpy.types.Object, rig: PosedRig, roles: RoleMap) -> Integrity:
    """Return how far an attached character stays in one piece, tried on a copy."""
    skeleton = rig.character.skeleton
    channels = pose_channels(rig, _tried_motions(rig.body, rig.bend), _FRAMES)
    # Undriven bones keep their pose, the one in which the rig was read.
    with bench(obj, channels.bones()) as place:
        order = [place.obj.pose.bones.find(name) for name in skeleton.names]
        posed = skeleton.as_read(np.array([matrices[order] for matrices in place.poses(channels)]))
    return integrity(anatomy(skeleton.deforming(skin_bones(obj)), roles), posed)


def _tried_motions(body: PointBody, bend: TrunkBend | None) -> dict[str, Motion]:
    """Return strenuous poses, the body elsewhere in each but the first: what does not follow is left
    behind."""
    turns = np.array([joint_turns(share * plain.degrees) for share in _SHARES for plain in POSES.values()])
    shifts = np.arange(len(turns))[:, None] / len(turns) * norms(body.rest[0]) * _SHIFT
    root = body.rest[0] + shifts
    if bend is None:
        return body.motions(turns, root)
    away = body.role_turns(turns)
    return body.moved(away, BentTrunk(body, bend).heads(away, root))


def _missed(character: Character, motions: dict[str, Motion], matrices: np.ndarray) -> str:
    """Return, in words, a joint too far from its place in the pose; '' if there is none."""
    to_armature, leg = character.body.walk_to_armature, character.body.leg_length
    for role, motion in motions.items():
        row = character.row(role)
        heads = (matrices[:, row, :3, 3] - to_armature[:3, 3]) @ np.linalg.inv(to_armature[:3, :3]).T
        away = np.nan_to_num(norms(heads - motion.position), nan=np.inf)
        percent = 100.0 * float(away.max()) / leg
        if percent > (_MIDDLE_MISSED if stem_of(role) in _MIDDLES else MISSED):
            return f"'{character.roles.bones[role]}' misses its place by {percent:.2f} % of the leg"
    return ""


def _trunk_bending(body: PointBody, tryout: Callable[[TrunkBend], Tryout]) -> Bending:
    """Return how to measure the bend of a trunk whose spine has one posed bone; `tryout`: what is tried
    afterwards."""
    turns = np.concatenate([from_axis_angle(_spread(_WAYS), np.full(_WAYS, angle)) for angle in _ANGLES])[
        _MIXED
    ]
    joints = np.tile(np.eye(3), (len(turns), len(body.turns), 1, 1))
    joints[:, [joint for joint in range(len(body.turns)) if _is_above(joint, INDEX["spine1"])]] = turns[
        :, None
    ]
    motions = body.motions(joints, np.tile(body.rest[0], (len(turns), 1)))
    pose = RolePose.standing(np.arange(1.0, len(turns) + 1.0), motions)
    return Bending(pose, lambda matrices: _seen(body, matrices), tryout)


def _seen(body: PointBody, matrices: np.ndarray) -> TrunkBend | None:
    """Return how a trunk bends, from its bones' matrices `(f, bones, 4, 4)` in armature space; None if they
    do not determine it."""
    character = body.character
    frame, chest = (
        character.body.walk_to_armature,
        next(role for role in body.tree.roles if stem_of(role) == SPINE),
    )
    axes, back = orthonormal(frame[:3, :3]), np.linalg.inv(frame)
    turns, heads = [], []
    for role in ("pelvis", chest):
        row = character.row(role)
        turns.append(
            axes.T @ orthonormal(matrices[:, row, :3, :3]) @ character.skeleton.rest[row, :3, :3].T @ axes
        )
        heads.append(transformed(matrices[:, row, :3, 3], back))
    turned = transposed(turns[0]) @ turns[1]
    arm = rotated(transposed(turns[0]), heads[1] - heads[0])
    shift = arm - (character.rest_head(chest) - character.rest_head("pelvis"))
    return TrunkBend.seen(turned, shift, _AGREES * character.body.leg_length)


def _is_above(joint: int, lowest: int) -> bool:
    while joint > lowest:
        joint = int(PARENTS[joint])
    return joint == lowest


def _spread(count: int) -> np.ndarray:
    """Return directions `(count, 3)` spread evenly over a sphere, on a spiral of golden angles."""
    rows = np.arange(count) + 0.5
    height, angle = 1.0 - 2.0 * rows / count, np.pi * (1.0 + np.sqrt(5.0)) * rows
    flat = np.sqrt(1.0 - height * height)
    return np.stack([flat * np.cos(angle), flat * np.sin(angle), height], axis=1)
