"""A standing pose for a clip whose rest pose is none: the posture that its upright frames have on the mean.

Files without a skin take as rest whatever frame they were saved in, and some readers lay every bone along one
axis, or turn the hips half
round. How long bones are and how joints lie around them is right in all of these, and so are the joints'
places in every frame.
"""

from dataclasses import replace

import numpy as np

from ..geometry.rotation import (
    ON_GROUND,
    UP,
    about_z,
    between,
    from_axis_angle,
    normalized,
    norms,
    orthonormal,
    rotated,
    transposed,
)
from ..geometry.vectors import nearest_rotation
from .clip import Clip
from .roles import ARM_PARTS, LEG_JOINTS, LEG_PARTS, SIDES, RoleMap, carrier_role, on_side, sided, stem_of
from .skeleton import Skeleton
from .standing_pose import Standing, raised, stands, stood, trunk_direction, uprightness

# Degrees that joints are turned from rest, on the mean of any clip of a biped, at most: sitting turns thighs
# and shins by 90.
_FARTHEST = {"thigh": 120.0, "shin": 140.0, "spine": 80.0}
# leg lengths by which a joint at rest is off its mirror image, at least, in a pose that is none of rest
_LOPSIDED = 0.08
# Of a rest pose that is played too: how far off its mirror image, how far bent or leaning; and the lean of
# figures that are no people.
_UNEVEN, _SAME_POSE, _BENT, _LEANS, _STOOPS = 0.03, *np.radians([2.0, 25.0, 12.0, 35.0])
# sine of the angle to the armature's axes, 3 degrees, from which on nobody has modelled a figure
_ASKEW = 0.05
# An armature's own axis that a figure faces who was modelled in it: -y where z is up, as in Blender, and z
# where y is, as elsewhere.
_FACES = ((2, np.array([0.0, -1.0, 0.0])), (1, np.array([0.0, 0.0, 1.0])))
_UPRIGHT = 0.9  # cosine: an armature's axis that is up
# of the line from hips to neck in modelled figures, forward: they stand straighter than people move
_LEAN = np.radians(-3.0)

_ROUNDS = 3


def is_rest(clip: Clip, roles: RoleMap) -> bool:
    """Return whether a clip's rest pose is one: upright, left and right alike, and joints do not play far
    away from it all the time.

    One that is played as well may be any frame, so it is to be as straight as figures are modelled.
    """
    skeleton = clip.skeleton
    if (
        not stands(skeleton, roles)
        or trunk_direction(skeleton.heads, skeleton, roles) @ UP <= 0.0
        or _is_lopsided(skeleton, roles, _LOPSIDED)
    ):
        return False
    if _is_played(clip, roles) and not is_straight(skeleton, roles):
        return False
    mean = _mean(transposed(clip.axes[:, skeleton.index[roles.bones["pelvis"]]]), clip.axes)
    rest = orthonormal(skeleton.to_world[:3, :3]) @ orthonormal(skeleton.rest[:, :3, :3])
    for role, bone in roles.bones.items():
        most = _FARTHEST.get(stem_of(role))
        carrier = roles.get(carrier_role(roles, role)) if most and bone else None
        if carrier:
            row, above = skeleton.index[bone], skeleton.index[carrier]
            turned = (rest[above].T @ rest[row]).T @ mean[above].T @ mean[row]
            if np.degrees(np.arccos(np.clip(0.5 * (np.trace(turned) - 1.0), -1.0, 1.0))) > most:
                return False
    return True


def standing_for(clip: Clip, roles: RoleMap) -> Standing:
    """Return how a clip's character stands: empty if it does at rest, else raised if it only lies there, else
    as on the mean."""
    lying = raised(clip.skeleton, roles)
    return lying if rests(clip, roles) else mean_standing(clip, roles) or lying


def rests(clip: Clip, roles: RoleMap) -> bool:
    """Return whether a clip's rest pose is one, lying ones included."""
    return is_rest(replace(clip, skeleton=stood(clip.skeleton, roles, raised(clip.skeleton, roles))), roles)


def _is_played(clip: Clip, roles: RoleMap) -> bool:
    """Return whether a clip's rest pose is one of its frames."""
    index, rest = clip.skeleton.index, clip.skeleton.rest[:, :3, :3]
    pairs = [
        (index[bone], index[above])
        for role, bone in roles.bones.items()
        if bone and (above := roles.get(carrier_role(roles, role)))
    ]
    row, above = np.array(pairs).T
    played = transposed(clip.axes[:, above]) @ clip.axes[:, row]
    trace = np.einsum("fnij,nij->fn", played, orthonormal(transposed(rest[above]) @ rest[row]))
    return bool((trace.min(axis=1) > 1.0 + 2.0 * np.cos(_SAME_POSE)).any())


def is_straight(skeleton: Skeleton, roles: RoleMap) -> bool:
    """Return whether a standing pose is one as figures are modelled: even, along its axes, limbs and trunk
    straight."""
    return not _is_lopsided(skeleton, roles, _UNEVEN) and not _is_bent(skeleton, roles)


def _is_bent(skeleton: Skeleton, roles: RoleMap) -> bool:
    """Return whether a knee or an elbow is bent, or the trunk leans, more than in figures as they are
    modelled; beasts lean much more."""
    heads = {role: skeleton.heads[skeleton.index[bone]] for role, bone in roles.bones.items() if bone}
    limbs = [on_side(parts, side) for parts in (LEG_JOINTS, ARM_PARTS[1:]) for side in SIDES]
    joints = [np.array([heads[role] for role in limb]) for limb in limbs if heads.keys() >= set(limb)]
    bends = [float(np.prod(normalized(np.diff(limb, axis=0)), axis=0).sum()) for limb in joints]
    if min(bends, default=1.0) < np.cos(_BENT):
        return True
    return bool(
        _LEANS
        < np.arccos(np.clip(trunk_direction(skeleton.heads, skeleton, roles) @ UP, -1.0, 1.0))
        < _STOOPS
    )


def _is_lopsided(skeleton: Skeleton, roles: RoleMap, limit: float) -> bool:
    """Return whether it rests askew to its own axes, or a knee, ankle or wrist is off its mirror image, as in
    a frame of a walk.

    `limit`: leg lengths.
    """
    heads, index, bones = skeleton.heads, skeleton.index, roles.bones
    left, right = (heads[index[bones[sided("thigh", side)]]] for side in SIDES)
    across = (left - right) * ON_GROUND
    # an object may stand turned in its scene
    along_axes = np.abs(across @ orthonormal(skeleton.to_world[:3, :3]))
    if np.sort(along_axes)[1] > _ASKEW * norms(across):
        return True
    axes = np.stack([np.cross(across, UP), across, norms(across) * UP])
    seen = (heads - 0.5 * (left + right)) @ (axes / max(norms(across), 1e-9)).T
    pairs = [
        [index.get(bones.get(sided(part, side), "")) for side in SIDES] for part in ("shin", "foot", "hand")
    ]
    leg = (
        norms(seen[index[bones["thigh.L"]]] - seen[index[bones["shin.L"]]]) * 2.0
        if roles.has("shin.L")
        else np.inf
    )
    apart = [
        np.abs(seen[one] - seen[other] * [1.0, -1.0, 1.0]).max()
        for one, other in pairs
        if one is not None and other is not None
    ]
    return bool(max(apart, default=0.0) > limit * leg)


def mean_standing(clip: Clip, roles: RoleMap) -> Standing:
    """Return how a clip's character stands on the mean of its more upright frames; empty if that does not
    stand.

    It faces its armature's front, at the pelvis' place at rest, on the ground of the clip: so the clip keeps
    its heading in the world.
    """
    skeleton = clip.skeleton
    heads = clip.heads - skeleton.to_world[:3, 3]
    upright = uprightness(heads, skeleton, roles)
    chosen = np.flatnonzero(upright >= np.median(upright))
    front = _front(skeleton)
    axes = _mean(_turns_to_front(heads[chosen], skeleton, roles, front), clip.axes[chosen])
    axes = _with_trunk_upright(axes, clip, roles, front)
    places = _placed(clip, _with_legs_together(axes, _placed(clip, axes), skeleton, roles, front))
    feet = roles.rows(skeleton, (sided(part, side) for side in SIDES for part in LEG_PARTS))
    pelvis = skeleton.index[roles.bones["pelvis"]]
    places += skeleton.heads[pelvis] - places[pelvis]
    places[:, 2] += np.percentile(heads[chosen][:, feet, 2].min(axis=1), 5.0) - places[feet, 2].min()
    found = {}
    to_armature = np.linalg.inv(skeleton.to_world[:3, :3])
    for role, bone in roles.bones.items():
        if bone:
            row, posed = skeleton.index[bone], np.eye(4)
            posed[:3, :3], posed[:3, 3] = orthonormal(to_armature @ axes[row]), to_armature @ places[row]
            found[role] = posed @ np.linalg.inv(skeleton.rest[row])
    again = stood(skeleton, roles, found)
    return found if stands(again, roles) and trunk_direction(again.heads, again, roles) @ UP > 0.0 else {}


def _front(skeleton: Skeleton) -> float:
    """Return the heading in the world, radians, of a figure that faces the front of its armature, whose
    object may be turned."""
    own = orthonormal(skeleton.to_world[:3, :3])
    faces = next((own @ ahead for axis, ahead in _FACES if own[2, axis] > _UPRIGHT), _FACES[0][1])
    return float(np.arctan2(faces[1], faces[0]))


def _with_trunk_upright(axes: np.ndarray, clip: Clip, roles: RoleMap, front: float) -> np.ndarray:
    """Return axes with the trunk above the pelvis as upright as it is modelled, the head as level as it was:
    people lean as they move."""
    rows = {role: clip.skeleton.index[bone] for role, bone in roles.bones.items() if bone}
    tops = [rows[role] for role in ("neck",) if role in rows] or [
        rows[role] for side in SIDES if (role := sided("upper_arm", side)) in rows
    ]
    spine, thighs = rows.get("spine.1"), [rows[sided("thigh", side)] for side in SIDES]
    if spine is None or not tops:
        return axes
    head = _below(clip.skeleton, rows["head"]) if "head" in rows else []
    trunk = [row for row in _below(clip.skeleton, spine) if row not in head]
    wanted = np.array([np.sin(_LEAN) * np.cos(front), np.sin(_LEAN) * np.sin(front), np.cos(_LEAN)])
    for _ in range(_ROUNDS):  # the spine turns about its own joint, not about the hips
        places = _placed(clip, axes)
        line = normalized(places[tops].mean(axis=0) - places[thighs].mean(axis=0))
        if line @ wanted < np.cos(_STOOPS):
            break
        axes[trunk] = between(line, wanted) @ axes[trunk]
    return axes


def _with_legs_together(
    axes: np.ndarray, places: np.ndarray, skeleton: Skeleton, roles: RoleMap, front: float
) -> np.ndarray:
    """Return axes with no ankle ahead of its hip, and the feet pointing out alike: a part of a stride has one
    leg ahead."""
    ahead = np.array([np.cos(front), np.sin(front), 0.0])
    left = np.array([-ahead[1], ahead[0], 0.0])
    rows = {role: skeleton.index[bone] for role, bone in roles.bones.items() if bone}
    for side in SIDES:
        thigh, foot = rows[sided("thigh", side)], rows.get(sided("foot", side))
        if foot is not None:
            way = places[foot] - places[thigh]
            leg = [row for row in _below(skeleton, thigh) if row not in _below(skeleton, foot)]
            axes[leg] = from_axis_angle(left, np.arctan2(way @ ahead, -way[2])) @ axes[leg]
    feet, toes = (
        [rows[role] for side in SIDES if (role := sided(part, side)) in rows] for part in ("foot", "toe")
    )
    if len(feet) == len(toes) == len(SIDES):
        pointing = (places[toes] - places[feet]) @ np.stack([ahead, left], axis=1)
        back = about_z(-np.arctan2(pointing[:, 1], pointing[:, 0]).mean())
        for foot in feet:
            axes[_below(skeleton, foot)] = back @ axes[_below(skeleton, foot)]
    return axes


def _below(skeleton: Skeleton, top: int) -> list[int]:
    """Return the rows of a bone and of all below it."""
    return [row for row in range(len(skeleton.names)) if row == top or top in skeleton.ancestors(row)]


def _turns_to_front(heads: np.ndarray, skeleton: Skeleton, roles: RoleMap, front: float) -> np.ndarray:
    """Return the rotations `(f, 3, 3)` about the vertical that bring the hips of each frame to a heading."""
    left = heads[:, skeleton.index[roles.bones["thigh.L"]]] - heads[:, skeleton.index[roles.bones["thigh.R"]]]
    ahead = np.cross(left, UP)
    return about_z(front - np.arctan2(ahead[:, 1], ahead[:, 0]))


def _mean(turns: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Return the mean `(bones, 3, 3)` of axes `(f, bones, 3, 3)` that are turned by rotations `(f, 3, 3)`."""
    return nearest_rotation((turns[:, None] @ axes).mean(axis=0))


def _placed(clip: Clip, axes: np.ndarray) -> np.ndarray:
    """Return heads `(bones, 3)` in the world of bones with `axes` `(bones, 3, 3)`, whose joints lie around
    them as in the clip."""
    places = np.zeros((len(axes), 3))
    for row, parent in enumerate(clip.skeleton.parents.tolist()):
        if parent >= 0:
            held = rotated(transposed(clip.axes[:, parent]), clip.heads[:, row] - clip.heads[:, parent])
            places[row] = places[parent] + axes[parent] @ np.median(held, axis=0)
    return places
