"""From bones to a body: joints and sole points in metres, in the walk frame."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..detection.figure import Figure
from ..errors import NeuraRigError
from ..geometry.rotation import ON_GROUND, UP, normalized, norms
from ..skeleton.roles import (
    BIPED,
    EYES,
    FORE_PARTS,
    LEG_PARTS,
    NECK,
    QUADRUPED,
    SIDES,
    SPINE,
    RoleMap,
    chest_of,
    sided,
    stem_of,
)
from ..skeleton.skeleton import Skeleton
from .body import FORWARD, Body
from .leg import Leg, contact_points, head_of, read_leg
from .paw import PADS, Paw, read_paw

# directions `(3, 125)` in each of which the outermost point of the skin of a bone counts
AROUND = np.stack(np.meshgrid(*3 * [np.linspace(-1.0, 1.0, 5)]), axis=0).reshape(3, -1)
_NOTHING = 1e-9  # scale that leaves nothing of a body
_EVEN = 0.01  # largest relative difference between the axes' scales that counts as even
_UPRIGHT = 0.8  # cosine of the angle between the legs and the vertical: about 37 degrees
_NO_ARMS: Mapping[str, Any] = {part: np.full((2, 3), np.nan) for part in ("shoulder", "elbow", "wrist")}
# lengths of a fore limb that its middle joint is ahead of the line between its ends, to bend forward
_SEEN_BEND = 0.01
_TURNED = np.cos(np.radians(25.0))  # cosine: feet turned farther off the hips are splayed or give no heading


def measure(skeleton: Skeleton, roles: RoleMap, soles: dict[str, np.ndarray] | None = None) -> Body:
    """Return the proportions of a character at rest.

    `soles`: 'L'/'R' -> armature-space rest points `(n, 3)` of the mesh that follows that foot; without them
    bones are used; and by their roles those of the skin elsewhere.
    Each foot's contact points are on its own sole; the lower sole is the ground. Raises
    NeuraRigError, with the remedy, for a rest pose that is lying, or a scale that is uneven or mirrored.
    """
    refuse_uneven_scale(skeleton)
    given = {
        side: skeleton.in_world(np.asarray(points, dtype=float)) for side, points in (soles or {}).items()
    }
    if roles.kind != BIPED:
        return _on_toes(skeleton, roles, given)
    figure = Figure(skeleton)
    legs = [read_leg(figure, roles, side, given.get(side)) for side in SIDES]
    _refuse_lying(skeleton, legs, roles)
    axes = _axes(legs)
    contacts = [
        contact_points(figure, leg, axes, given.get(side)) for leg, side in zip(legs, SIDES, strict=True)
    ]
    origin = np.mean([leg.hip for leg in legs], axis=0)
    origin[2] = min(float(points[:, 2].min()) for points in contacts)

    def in_walk(points: object) -> np.ndarray:
        return (np.asarray(points, dtype=float) - origin) @ axes

    heel, ball, toe = np.moveaxis(in_walk(contacts), 1, 0)
    arms = [
        [_arm_joint(skeleton, roles, part, side) for side in SIDES]
        for part in ("upper_arm", "forearm", "hand", "clavicle")
    ]
    shoulder, elbow, wrist, clavicle = in_walk(arms)
    skin = {part: in_walk(points) for part, points in given.items() if part not in SIDES}
    return Body(
        walk_to_armature=_walk_to_armature(skeleton, axes, origin),
        pelvis=in_walk(head_of(skeleton, roles.get("pelvis"))),
        hip=in_walk([leg.hip for leg in legs]),
        knee=in_walk([leg.knee for leg in legs]),
        ankle=in_walk([leg.ankle for leg in legs]),
        heel=heel,
        ball=ball,
        toe=toe,
        toe_joint=in_walk([leg.toe_joint for leg in legs]),
        shoulder=shoulder,
        elbow=elbow,
        wrist=wrist,
        spine=in_walk(np.reshape([head_of(skeleton, bone) for bone in roles.spine()], (-1, 3))),
        neck=in_walk(head_of(skeleton, roles.get(NECK))),
        head=in_walk(head_of(skeleton, roles.get("head"))),
        clavicle=clavicle,
        eye=in_walk([head_of(skeleton, roles.get(eye)) for eye in EYES]),
        skin={role: points[(points @ AROUND).argmax(axis=0)] for role, points in skin.items()},
        one_bone_legs=not all(roles.has(sided("shin", side)) for side in SIDES),
    )


def _on_toes(skeleton: Skeleton, roles: RoleMap, skin: dict[str, np.ndarray]) -> Body:
    """Return the body of a bird, or that of a quadruped: the girdle at its hips, and the one at its
    shoulders."""
    four = roles.kind == QUADRUPED
    hips = np.mean([head_of(skeleton, roles.get(sided("thigh", side))) for side in SIDES], axis=0)
    forward = normalized(
        (_shoulders(skeleton, roles) - hips if four else _square(skeleton, roles)) * ON_GROUND
    )
    axes = np.stack([forward, np.cross(UP, forward), UP], axis=1)
    girdles = [
        [
            read_paw(skeleton, roles, parts, side, forward, skin.get(key + side), skin.get(PADS + key + side))
            for side in SIDES
        ]
        for parts, key in ((LEG_PARTS, ""), (FORE_PARTS[1:], "hand."))[: 1 + four]
    ]
    origin = hips.copy()
    origin[2] = min(float(paw.ball[2]) for girdle in girdles for paw in girdle)

    def in_walk(points: object) -> np.ndarray:
        return (np.asarray(points, dtype=float) - origin) @ axes

    def heads(bones: list[str]) -> np.ndarray:
        return in_walk(np.reshape([head_of(skeleton, bone) for bone in bones], (-1, 3)))

    def limbs(girdle: list[Paw]) -> dict[str, Any]:
        names = ("hip", "knee", "ankle", "toe_joint", "heel", "ball", "toe")
        joints = {name: in_walk([getattr(paw, name) for paw in girdle]) for name in names}
        measured = {
            name: np.array([getattr(paw, name) for paw in girdle]) for name in ("least_pitch", "pads")
        }
        return joints | measured

    neck = roles.neck()
    body = Body(
        **limbs(girdles[0]),
        **_NO_ARMS,
        walk_to_armature=_walk_to_armature(skeleton, axes, origin),
        pelvis=in_walk(head_of(skeleton, roles.get("pelvis"))),
        on_toes=True,
        spine=heads(roles.spine()),
        neck=in_walk(head_of(skeleton, roles.get(NECK))),
        nape=heads(neck[1:]),
        head=in_walk(head_of(skeleton, roles.get("head"))),
        eye=in_walk([head_of(skeleton, roles.get(eye)) for eye in EYES]),
        tail=in_walk(_tail_joints(skeleton, [roles.bones["pelvis"], *roles.tail()])),
        skin={
            role: points[(points @ AROUND).argmax(axis=0)]
            for role, points in ((part, in_walk(points)) for part, points in skin.items())
            if stem_of(role) in ("pelvis", SPINE, NECK, "head")
        },
    )
    if not four:
        return body
    ahead, moved = in_walk(_shoulders(skeleton, roles)) * FORWARD, np.eye(4)
    moved[:3, 3] = ahead
    fore = limbs(girdles[1])
    fore |= {name: points - ahead for name, points in fore.items() if points.ndim > 1}
    withers = head_of(skeleton, roles.bones[chest_of(roles)])
    collars = [head_of(skeleton, roles.get(sided("clavicle", side))) for side in SIDES]
    front = Body(
        **fore,
        **_NO_ARMS,
        walk_to_armature=body.walk_to_armature @ moved,
        pelvis=in_walk(withers) - ahead,
        clavicle=in_walk(collars) - ahead,
        on_toes=True,
        bends=_bend_of(fore),
        spine=np.empty((0, 3)),
        neck=body.neck - ahead,
        head=body.head - ahead,
        eye=body.eye - ahead,
    )
    return replace(body, fore=front, ahead=float(ahead[0]))


def _shoulders(skeleton: Skeleton, roles: RoleMap) -> np.ndarray:
    """Return the middle between the shoulders of a quadruped."""
    return np.mean([head_of(skeleton, roles.get(sided("upper_arm", side))) for side in SIDES], axis=0)


def _square(skeleton: Skeleton, roles: RoleMap) -> np.ndarray:
    """Return the direction that is square to hips and ankles."""
    left, right = (
        np.sum([head_of(skeleton, roles.get(sided(part, side))) for part in ("thigh", "shin")], axis=0)
        for side in SIDES
    )
    return np.cross(left - right, UP)


def _tail_joints(skeleton: Skeleton, bones: list[str]) -> np.ndarray:
    """Return the joints `(n, 3)` about which bones behind the first one turn: a tail may be drawn towards the
    pelvis."""
    at, joints = head_of(skeleton, bones[0]), []
    for row in (skeleton.index[bone] for bone in bones[1:]):
        ends = np.stack([skeleton.heads[row], skeleton.tails[row]])
        near = int(norms(ends - at).argmin())
        joints.append(ends[near])
        at = ends[1 - near]
    return np.reshape(joints, (-1, 3))


def _bend_of(limbs: Mapping[str, np.ndarray]) -> float:
    """Return 1 for limbs whose middle joint is ahead of the line between their ends, else -1."""
    line, knee = limbs["ankle"] - limbs["hip"], limbs["knee"] - limbs["hip"]
    share = (knee * line).sum(axis=-1) / (line**2).sum(axis=-1)
    off = float((knee - share[:, None] * line)[:, 0].mean())
    return 1.0 if off > _SEEN_BEND * float(norms(line).mean()) else -1.0


def is_even(axes: np.ndarray) -> bool:
    """Return whether axes `(3, 3)` are all of one length and perpendicular to each other."""
    gram = axes.T @ axes
    scale = np.trace(gram) / 3.0
    return bool(scale > 0.0 and np.abs(gram - scale * np.eye(3)).max() <= 2.0 * _EVEN * scale)


def refuse_zero_scale(axes: np.ndarray) -> None:
    """Raise NeuraRigError if axes `(3, 3)` of an armature object have no length, so that no scale can be
    applied to its bones."""
    lengths = np.linalg.norm(axes, axis=0)
    if lengths.min() <= _NOTHING * max(lengths.max(), 1.0):
        raise NeuraRigError("The armature object is scaled to zero: set its scale to 1 in Object Properties.")


def refuse_uneven_scale(skeleton: Skeleton) -> None:
    """Raise NeuraRigError if an armature object is scaled unevenly, mirrored, or to zero."""
    matrix = skeleton.to_world[:3, :3]
    refuse_zero_scale(matrix)
    if not is_even(matrix):
        raise NeuraRigError("The armature object is scaled unevenly: click Apply Scale below Generate Walk.")
    if np.linalg.det(matrix) < 0.0:
        raise NeuraRigError(
            "The armature object is mirrored by a negative scale: click Apply Scale below Generate Walk."
        )


def _refuse_lying(skeleton: Skeleton, legs: list[Leg], roles: RoleMap) -> None:
    for leg, side in zip(legs, SIDES, strict=True):
        bone = roles.get(sided("thigh", side))
        if leg.length <= 0.0:
            raise NeuraRigError(f"The leg '{bone}' has no length: move its joints in Edit Mode.")
    down = normalized(np.mean([normalized(leg.ankle - leg.hip) for leg in legs], axis=0))
    if -down[2] < _UPRIGHT:
        bone = roles.get(sided("thigh", "L"))
        trunk = head_of(skeleton, roles.get("head")) - head_of(skeleton, roles.get("pelvis"))
        if trunk @ down > 0.0:
            raise NeuraRigError(
                f"Legs and spine point the same way at rest (see '{bone}'): pose it standing, and it walks as"
                " it is posed."
            )
        raise NeuraRigError(
            f"The legs do not point down in the rest pose (see '{bone}'): pose it standing, and it walks as"
            " it is posed."
        )


def _axes(legs: list[Leg]) -> np.ndarray:
    """Return the walk frame's axes `(3, 3)` as columns in the world: forward, left, up.

    Forward is the mean of the feet's headings, or perpendicular to the hips if the feet are splayed unevenly
    or have no heading.
    """
    left, right = legs
    across = normalized((left.hip - right.hip + left.ankle - right.ankle) * ON_GROUND)
    square = np.cross(across, UP)
    forward = normalized(left.heading + right.heading)
    if forward @ square < _TURNED or not (left.heading.any() and right.heading.any()):
        forward = square
    return np.stack([forward, np.cross(UP, forward), UP], axis=1)


def _arm_joint(skeleton: Skeleton, roles: RoleMap, part: str, side: str) -> np.ndarray:
    """Return the head of an arm part; a missing hand starts at the forearm's tail."""
    forearm = roles.get(sided("forearm", side))
    if part == "hand" and not roles.has(sided("hand", side)) and forearm:
        return skeleton.tails[skeleton.index[forearm]]
    return head_of(skeleton, roles.get(sided(part, side)))


def _walk_to_armature(skeleton: Skeleton, axes: np.ndarray, origin: np.ndarray) -> np.ndarray:
    walk_to_world = np.eye(4)
    walk_to_world[:3, :3], walk_to_world[:3, 3] = axes, origin
    return np.linalg.inv(skeleton.to_world) @ walk_to_world
