"""A standing pose for a clip whose rest pose is none: the posture that its upright frames have on the mean.

Files without a skin take as rest whatever frame they were saved in, and some readers lay every bone along one axis, or turn the hips half
round.  How long bones are and how joints lie around them is right in all of these, and so are the joints' places in every frame.
"""

from dataclasses import replace

import numpy as np

from ..geometry.rotation import UP, about_x, about_z, orthonormal, rotated, transposed
from ..geometry.vectors import nearest_rotation
from .clip import Clip
from .roles import LEG_PARTS, SIDES, RoleMap, carrier_role, sided
from .skeleton import Skeleton
from .standing_pose import Standing, raised, stands, stood, trunk_direction, uprightness

# Degrees that joints are turned from rest, on the mean of any clip of a biped, at most: sitting turns thighs and shins by 90.
_FARTHEST = {"thigh": 120.0, "shin": 140.0, "spine": 80.0}
_LOPSIDED = 0.08  # leg lengths by which a joint at rest is off its mirror image, at least, in a pose that is none of rest
_ASKEW = 0.05  # sine of the angle to the armature's axes, 3 degrees, from which on nobody has modelled a figure
_FRONT = -0.5 * np.pi  # heading of what faces the front in Blender, -y; a figure that stands in a file faces there


def is_rest(clip: Clip, roles: RoleMap) -> bool:
    """Return whether a clip's rest pose is one: upright, left and right alike, and joints do not play far away from it all the time."""
    skeleton = clip.skeleton
    if not stands(skeleton, roles) or trunk_direction(skeleton.heads, skeleton, roles) @ UP <= 0.0 or _is_lopsided(skeleton, roles):
        return False
    mean = _mean(transposed(clip.axes[:, skeleton.index[roles.bones["pelvis"]]]), clip.axes)
    rest = orthonormal(skeleton.to_world[:3, :3]) @ orthonormal(skeleton.rest[:, :3, :3])
    for role, bone in roles.bones.items():
        most = _FARTHEST.get(role.partition(".")[0])
        carrier = roles.get(carrier_role(roles, role)) if most and bone else None
        if carrier:
            row, above = skeleton.index[bone], skeleton.index[carrier]
            turned = (rest[above].T @ rest[row]).T @ mean[above].T @ mean[row]
            if np.degrees(np.arccos(np.clip(0.5 * (np.trace(turned) - 1.0), -1.0, 1.0))) > most:
                return False
    return True


def standing_for(clip: Clip, roles: RoleMap) -> Standing:
    """Return how a clip's character stands: empty if it does at rest, else raised if it only lies there, else as on the mean."""
    lying = raised(clip.skeleton, roles)
    return lying if rests(clip, roles) else mean_standing(clip, roles) or lying


def rests(clip: Clip, roles: RoleMap) -> bool:
    """Return whether a clip's rest pose is one, lying ones included."""
    return is_rest(replace(clip, skeleton=stood(clip.skeleton, roles, raised(clip.skeleton, roles))), roles)


def _is_lopsided(skeleton: Skeleton, roles: RoleMap) -> bool:
    """Return whether it rests askew to its own axes, or a knee, an ankle or a wrist is not its mirror image's: as in a frame of a walk."""
    heads, index, bones = skeleton.heads, skeleton.index, roles.bones
    left, right = (heads[index[bones[sided("thigh", side)]]] for side in SIDES)
    across = (left - right) * [1.0, 1.0, 0.0]
    along_axes = np.abs(across @ orthonormal(skeleton.to_world[:3, :3]))  # an object may stand turned in its scene
    if np.sort(along_axes)[1] > _ASKEW * np.linalg.norm(across):
        return True
    axes = np.stack([np.cross(across, UP), across, np.linalg.norm(across) * UP])
    seen = (heads - 0.5 * (left + right)) @ (axes / max(np.linalg.norm(across), 1e-9)).T
    pairs = [[index.get(bones.get(sided(part, side), "")) for side in SIDES] for part in ("shin", "foot", "hand")]
    leg = np.linalg.norm(seen[index[bones["thigh.L"]]] - seen[index[bones["shin.L"]]]) * 2.0 if roles.has("shin.L") else np.inf
    apart = [np.abs(seen[one] - seen[other] * [1.0, -1.0, 1.0]).max() for one, other in pairs if one is not None and other is not None]
    return bool(max(apart, default=0.0) > _LOPSIDED * leg)


def mean_standing(clip: Clip, roles: RoleMap) -> Standing:
    """Return how a clip's character stands on the mean of its more upright frames; empty if that does not stand.

    It faces the front, at the pelvis' place at rest, on the ground of the clip: so the clip keeps its heading in the world.
    """
    skeleton = clip.skeleton
    heads = clip.heads - skeleton.to_world[:3, 3]
    upright = uprightness(heads, skeleton, roles)
    chosen = np.flatnonzero(upright >= np.median(upright))
    axes = _mean(_turns_to_front(heads[chosen], skeleton, roles), clip.axes[chosen])
    places = _placed(clip, _with_legs_together(axes, _placed(clip, axes), skeleton, roles))
    feet = [skeleton.index[bone] for side in SIDES for part in LEG_PARTS if (bone := roles.get(sided(part, side)))]
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


def _with_legs_together(axes: np.ndarray, places: np.ndarray, skeleton: Skeleton, roles: RoleMap) -> np.ndarray:
    """Return axes with no ankle ahead of its hip, and the feet pointing out alike: a part of a stride has one leg ahead."""
    rows = {role: skeleton.index[bone] for role, bone in roles.bones.items() if bone}
    for side in SIDES:
        thigh, foot = rows[sided("thigh", side)], rows.get(sided("foot", side))
        if foot is not None:
            way = places[foot] - places[thigh]
            leg = [row for row in _below(skeleton, thigh) if row not in _below(skeleton, foot)]
            axes[leg] = about_x(np.arctan(way[1] / way[2])) @ axes[leg]
    feet, toes = ([rows[role] for side in SIDES if (role := sided(part, side)) in rows] for part in ("foot", "toe"))
    if len(feet) == len(toes) == len(SIDES):
        ahead = places[toes] - places[feet]
        back = about_z(_FRONT - np.arctan2(ahead[:, 1], ahead[:, 0]).mean())
        for foot in feet:
            axes[_below(skeleton, foot)] = back @ axes[_below(skeleton, foot)]
    return axes


def _below(skeleton: Skeleton, top: int) -> list[int]:
    """Return the rows of a bone and of all below it."""
    return [row for row in range(len(skeleton.names)) if row == top or top in skeleton.ancestors(row)]


def _turns_to_front(heads: np.ndarray, skeleton: Skeleton, roles: RoleMap) -> np.ndarray:
    """Return the rotations `(f, 3, 3)` about the vertical that bring the hips of each frame to face the front."""
    left = heads[:, skeleton.index[roles.bones["thigh.L"]]] - heads[:, skeleton.index[roles.bones["thigh.R"]]]
    ahead = np.cross(left, UP)
    return about_z(_FRONT - np.arctan2(ahead[:, 1], ahead[:, 0]))


def _mean(turns: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Return the mean `(bones, 3, 3)` of axes `(f, bones, 3, 3)` that are turned by rotations `(f, 3, 3)`."""
    return nearest_rotation((turns[:, None] @ axes).mean(axis=0))


def _placed(clip: Clip, axes: np.ndarray) -> np.ndarray:
    """Return heads `(bones, 3)` in the world of bones with `axes` `(bones, 3, 3)`, whose joints lie around them as in the clip."""
    places = np.zeros((len(axes), 3))
    for row, parent in enumerate(clip.skeleton.parents.tolist()):
        if parent >= 0:
            held = rotated(transposed(clip.axes[:, parent]), clip.heads[:, row] - clip.heads[:, parent])
            places[row] = places[parent] + axes[parent] @ np.median(held, axis=0)
    return places
