"""Which bones are the eyes: a mirrored pair at the head that the names call eyes.

They change nothing else in the map: a rig whose eyes are not found walks as it did.
"""

from collections.abc import Mapping

import numpy as np

from ..geometry.rotation import normalized, norms
from ..skeleton.naming import LAYERS, PlainName, plain_names
from ..skeleton.roles import EYES, SIDES, RoleMap
from ..skeleton.skeleton import Skeleton

_EYE = ("eye", "eyeball", "eyes", "目", "眼")
_AFTER = ("joint", "jnt", "bone", "bn")  # words that may follow
_ANOTHER = {"master", "target", "ctrl", "control", "aim", "look", "track", "socket", "lid", "brow", "lash", "parent", "pivot", "common"}
_AT_HEAD = 0.5  # trunk lengths from the head's joint: eyes are nearer, the controls that they point at are not
_BEHIND = 0.1  # trunk lengths that eyes may be behind or below the head's joint
_OFF_THE_MIDDLE = 0.25  # share of the distance between the eyes that the point between them may be off the middle
_LEVEL = 0.9  # cosine between the line through both eyes and the line through both hips


def find_eyes(skeleton: Skeleton, roles: RoleMap) -> Mapping[str, str]:
    """Return the bones of `eye.L` and `eye.R`, or none if they are not a pair at the head; `roles`: of the skeleton without eyes."""
    at = {role: skeleton.index[bone] for role in ("head", "pelvis", "thigh.L", "thigh.R") if (bone := roles.get(role))}
    if len(at) < 4:
        return {}
    candidates = _candidates(skeleton, at)
    if not all(candidates.values()):
        return {}
    left, right = (min(candidates[side], key=lambda found: found[0])[1] for side in SIDES)
    hips = skeleton.heads[at["thigh.L"]] - skeleton.heads[at["thigh.R"]]
    across, apart = normalized(hips), skeleton.heads[left] - skeleton.heads[right]
    wide = float(np.linalg.norm(apart))
    middle = 0.5 * (skeleton.heads[left] + skeleton.heads[right]) - skeleton.heads[at["head"]]
    if wide <= 0.0 or abs(apart @ across) < _LEVEL * wide or abs(middle @ across) > _OFF_THE_MIDDLE * wide:
        return {}
    pair = (left, right) if apart @ across > 0.0 else (right, left)
    return {role: skeleton.names[row] for role, row in zip(EYES, pair, strict=True)}


def _candidates(skeleton: Skeleton, at: Mapping[str, int]) -> dict[str, list[tuple[tuple[int, int, int], int]]]:
    """Return for both sides of names the rows called eyes at the head, each after a key by which the least is the best."""
    head = skeleton.heads[at["head"]]
    up = head - skeleton.heads[at["pelvis"]]
    trunk = float(np.linalg.norm(up))
    away = skeleton.heads - head
    near = (norms(away) < _AT_HEAD * trunk) & (away @ normalized(up) > -_BEHIND * trunk)
    found: dict[str, list[tuple[tuple[int, int, int], int]]] = {side: [] for side in SIDES}
    for row, name in enumerate(plain_names(skeleton.names)):
        if name.side and near[row] and _is_eye(name) and row != at["head"]:
            found[name.side].append(((LAYERS.index(name.layer), len(name.words), row), row))
    return found


def _is_eye(name: PlainName) -> bool:
    words = [word for word in name.words if not word.isdigit()]
    while words and words[-1] in _AFTER:
        words.pop()
    return bool(words) and words[-1] in _EYE and not _ANOTHER & set(words)
