"""Tests of a rig's controls before they are used: poses, what the deforming bones should do in them, and how
the rig's own knees bend."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..character.body import Body
from ..character.motion import Motion, Posed
from ..gait import pose as gait_pose
from ..gait import synthesis
from ..gait.sliders.style import Clock, Style, StyleTrack
from ..geometry.rotation import dot, normalized, norms, rejected, rotation_vector, transposed
from ..posing.rig_table import POLE, TrunkBend
from ..report.jolts import slip_of
from ..skeleton.roles import LEG_JOINTS, SIDES, RoleMap, sided
from ..skeleton.skeleton import Skeleton


@dataclass(frozen=True)
class Tryout:
    """Poses for testing controls.

    `judge`: from the evaluated matrices `(f, bones, 4, 4)` in armature space, rows as the skeleton's, to what
    is wrong besides
    the character coming apart, '' if nothing is. `bending`: what to test if a trunk with one control is
    wrong.
    """

    pose: Posed
    judge: Callable[[np.ndarray], str]
    bending: "Bending | None" = None


@dataclass(frozen=True)
class Bending:
    """Poses in which a trunk bends, what the evaluated matrices show of the bend, if anything, and the tryout
    for a trunk that bends so."""

    pose: Posed
    seen: Callable[[np.ndarray], TrunkBend | None]
    tryout: Callable[[TrunkBend], Tryout]


# Skeleton (its `deform` tells which bones carry the skin), the roles that the controls pose, body -> the
# tryout for them.
TryoutOf = Callable[[Skeleton, RoleMap, Body], Tryout]


_FRAMES = np.arange(1.0, 33.0)  # a natural cycle at 24 frames a second
# percent of the leg: how far a planted point may slip, and the foot may sink into the ground
SLIP_LIMIT = 0.1
_PLACE_LIMIT = 2.0  # percent of the leg: how far an ankle may be from its position in the walk


@dataclass(frozen=True)
class Verdict:
    """The result of a rig's controls in the trial walk, in percent of the leg: slip and penetration of the
    deforming feet, and the largest distance of an ankle from its position in the walk.
    """

    slip: float
    penetration: float
    missed: float

    @property
    def reason(self) -> str:
        """Return what is wrong, '' if nothing is."""
        if not self.missed <= _PLACE_LIMIT:
            return f"the feet miss their footprints by {self.missed:.1f} % of the leg"
        if not self.slip <= SLIP_LIMIT:
            return f"planted feet slip by {self.slip:.2f} % of the leg"
        if not self.penetration <= SLIP_LIMIT:
            return f"the feet sink into the ground by {self.penetration:.2f} % of the leg"
        return ""


def walk_tryout(skeleton: Skeleton, roles: RoleMap, body: Body) -> Tryout:
    """Return the tryout for controls that are to play a walk."""
    pose = trial_walk(body)
    return Tryout(pose, lambda posed: judge(skeleton, roles, body, pose, posed).reason)


def trial_walk(body: Body) -> "gait_pose.WalkPose":
    """Return a plain walk of a character at its natural speed."""
    clock = Clock()
    return synthesis.walk(
        body, StyleTrack(Style(speed=synthesis.natural_speed(body, clock.fps))), clock, _FRAMES
    )


def judge(
    skeleton: Skeleton, roles: RoleMap, body: Body, pose: "gait_pose.WalkPose", posed: np.ndarray
) -> Verdict:
    """Return the verdict on evaluated poses `(f, bones, 4, 4)` of a walk in place, in armature space, rows as
    the skeleton's."""
    slip = depth = missed = 0.0
    for row, side in enumerate(SIDES):
        foot = next(bone for part in ("foot", "shin", "thigh") if (bone := roles.get(sided(part, side))))
        toe = roles.get(sided("toe", side)) or foot
        points = np.stack(
            [
                _carried(skeleton, body, posed, bone, point)
                for bone, point in ((foot, body.heel[row]), (toe, body.ball[row]), (toe, body.toe[row]))
            ],
            axis=1,
        )
        depth = max(depth, float(-points[..., 2].min()) if np.isfinite(points).all() else np.inf)
        slip = max(slip, float(slip_of(pose.root.carried(points), pose.pivot[:, row]).max(initial=0.0)))
        ankle = _carried(skeleton, body, posed, foot, body.ankle[row])
        missed = max(
            missed, float(norms(ankle - pose.motions[sided("foot", side)].carry(body.ankle[row])).max())
        )
    share = 100.0 / body.leg_length
    return Verdict(slip * share, depth * share, missed * share)


def _carried(skeleton: Skeleton, body: Body, posed: np.ndarray, bone: str, point: np.ndarray) -> np.ndarray:
    """Return the positions `(f, 3)`, in the walk frame, of a point `(3,)` of that frame at rest carried by a
    bone."""
    row, frame = skeleton.index[bone], body.walk_to_armature
    local = np.linalg.inv(skeleton.rest[row]) @ frame @ np.append(point, 1.0)
    return ((posed[:, row] @ local) @ np.linalg.inv(frame).T)[:, :3]


_BENT = 0.05  # leg lengths: knees nearer to the line from hip to ankle are not used
_LEAST = 1e-4  # radians: less is rounding
_HINGE = 2e-3  # share of a knee's bend: the most rotation about axes other than its hinge's


def seen_swivels(motions: Mapping[str, Motion], knees: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Return the rotation of knees about the line from hip to ankle, role of the pole -> radians, without
    those that have none.

    `motions`: the requested pose; `knees`: side -> the observed positions `(f, 3)` of the knee; both in the
    walk frame, metres.
    """
    found = {}
    for side in SIDES:
        if side not in knees or any(f"{part}.{side}" not in motions for part in LEG_JOINTS):
            continue
        hip, knee, ankle = (motions[f"{part}.{side}"].position for part in LEG_JOINTS)
        along = normalized(ankle - hip)
        wanted, seen = (rejected(points - hip, along) for points in (knee, knees[side]))
        leg = norms(knee - hip) + norms(ankle - knee)
        bent = (norms(wanted) > _BENT * leg) & np.isfinite(seen).all(axis=1)
        if not bent.any():
            continue
        turns = np.arctan2(dot(along, np.cross(wanted, seen)), dot(wanted, seen))
        angle = float(np.median(turns[bent]))
        if abs(angle) > _LEAST:
            found[f"{POLE}{side}"] = angle
    return found


def seen_hinges(motions: Mapping[str, Motion], turns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the axes `(3,)` at rest about which knees bend, role of the shin -> axis, if it is a single one
    and not the pose's.

    `motions`: the requested pose; `turns`: role -> the observed rotations `(f, 3, 3)` of its bone from rest;
    in the walk frame.
    """
    found = {}
    for side in SIDES:
        thigh, shin = (f"{part}.{side}" for part in ("thigh", "shin"))
        if any(role not in turns or role not in motions for role in (thigh, shin)):
            continue
        bends = rotation_vector(transposed(turns[thigh]) @ turns[shin])
        wanted = rotation_vector(transposed(motions[thigh].rotation) @ motions[shin].rotation)
        if not np.isfinite(bends).all() or np.abs(bends - wanted).max() < _LEAST:
            continue
        _, sizes, axes = np.linalg.svd(bends, full_matrices=False)
        if len(sizes) > 1 and sizes[1] < _HINGE * sizes[0]:
            found[shin] = axes[0]
    return found
