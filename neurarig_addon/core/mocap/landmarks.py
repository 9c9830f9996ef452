"""Joints and end points that trackers do not give, from landmarks on the skin: the head from ears, eyes and
nose, feet and hands.

Pelvis and chest are not derived from hips and shoulders: the solver does that better
(docs/internals/neural-ik.md). If several people, or
people and props, were recorded, points are assigned to subjects first: `Ann:LASI`, `Ben:LASI`, `Sword:Tip`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import NeuraRigError
from ..geometry.rotation import normalized, norms
from ..neural.points import INDEX
from ..skeleton.roles import SIDES, sided
from .marker_names import (
    FEWEST,
    arranged,
    chosen_points,
    find_landmarks,
    find_points,
    find_skin_markers,
    joints_of,
    layouts,
)

SUBJECT = "subject"  # key of the chosen subject in a mapping of points
_MOST = 16  # subjects that are searched, those with most points first


def people(names: Sequence[str]) -> list[str]:
    """Return the people recorded, those with most known points first: the names before colons; none if there
    is only one such name."""
    counts = Counter(filter(None, map(_owner, names)))
    if len(counts) < 2:
        return []
    known = {
        owner: _known([name for name in names if _owner(name) == owner])
        for owner, _ in counts.most_common(_MOST)
    }
    return sorted((owner for owner in known if known[owner] >= FEWEST), key=lambda owner: -known[owner])


def _rows_of_one(names: Sequence[str], given: Mapping[str, str] | None) -> list[int]:
    """Return the rows of one person's points, the best known or the one named in the mapping, and of points
    without an owner.

    `given`: canonical point -> recorded name, and SUBJECT -> a person; raises NeuraRigError if there is no
    such person.
    """
    given = given or {}
    found = people(names)
    wanted = given.get(SUBJECT) or (found[0] if found else "")
    if wanted and wanted not in map(_owner, names):
        raise NeuraRigError(
            f"Nobody named '{wanted}' was recorded; there are {', '.join(found) or 'no names before colons'}."
        )
    return [
        row
        for row, name in enumerate(names)
        if not wanted or _owner(name) in ("", wanted) or name in given.values()
    ]


def _owner(name: str) -> str:
    return name.rpartition(":")[0]


def _known(names: list[str]) -> int:
    """Return how many of the names are known points of a body."""
    try:
        return len(find_skin_markers(names)) or len(find_points(names))
    except NeuraRigError:
        return 0


# In distances between the ears: the head's joint below the middle between them, and the top of the head above
# it.
_HEAD_BELOW, _HEAD_ABOVE = 0.35, 0.85
_BALL_SHARE = 0.72  # share of the distance from heel to toe tip


def points_of(names: Sequence[str], places: np.ndarray, given: Mapping[str, str] | None = None) -> np.ndarray:
    """Return canonical points `(f, 27, 3)` from recorded places `(f, n, 3)`, NaN where unknown.

    Any right-handed axes and any unit. `given`: canonical point -> recorded name, and the subject (SUBJECT);
    raises NeuraRigError
    like `find_points`.
    """
    rows = _rows_of_one(names, given)
    names, places, given = [names[row] for row in rows], places[:, rows], _of_points(given)
    skin = find_skin_markers(names)
    found = chosen_points(names, given) if skin else find_points(names, given)
    points = arranged(places, found)
    landmarks = {landmark: places[:, row] for landmark, row in find_landmarks(names).items()}
    derived = (
        joints_of({code: places[:, between].mean(axis=1) for code, between in skin.items()})
        if skin
        else _from_landmarks(landmarks, points)
    )
    for point, places_of_one in derived.items():
        if point not in found and point not in given:
            points[:, INDEX[point]] = places_of_one
    return points


def rows_that_tell(names: Sequence[str], given: Mapping[str, str] | None) -> list[int]:
    """Return the rows of the recorded points that `points_of` uses; raises NeuraRigError as it does."""
    rows = _rows_of_one(names, given)
    names, given = [names[row] for row in rows], _of_points(given)
    skin = find_skin_markers(names)
    found = chosen_points(names, given) if skin else find_points(names, given)
    on_skin = [row for between in skin.values() for row in between]
    return [rows[row] for row in sorted({*found.values(), *on_skin, *find_landmarks(names).values()})]


def _of_points(given: Mapping[str, str] | None) -> dict[str, str]:
    return {point: name for point, name in (given or {}).items() if point != SUBJECT}


def _from_landmarks(landmarks: Mapping[str, np.ndarray], points: np.ndarray) -> dict[str, np.ndarray]:
    """Return the points `(f, 3)` that follow from landmarks."""
    derived = _head(landmarks)
    for side in SIDES:
        knuckles = [
            landmarks[name] for name in (sided("index", side), sided("pinky", side)) if name in landmarks
        ]
        if knuckles:
            derived[sided("hand_tip", side)] = np.mean(knuckles, axis=0)
        toes = [
            landmarks[name]
            for name in (sided("big_toe", side), sided("small_toe", side))
            if name in landmarks
        ]
        toe = np.mean(toes, axis=0) if toes else points[:, INDEX[sided("toe_tip", side)]]
        heel = landmarks.get(sided("heel", side))
        if heel is not None:
            derived[sided("ball", side)] = heel + _BALL_SHARE * (toe - heel)
    return derived


def _head(landmarks: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the head's joint and top, perpendicular to the line of the ears and to the direction of the
    face.

    Eyes are a little above the ears, the nose as much below: if both are seen, the direction ahead is between
    them.
    """
    if not {"ear.L", "ear.R"} <= landmarks.keys():
        return {}
    left, right = landmarks["ear.L"], landmarks["ear.R"]
    middle = 0.5 * (left + right)
    face = [landmarks["nose"]] if "nose" in landmarks else []
    if {"eye.L", "eye.R"} <= landmarks.keys():
        face.append(0.5 * (landmarks["eye.L"] + landmarks["eye.R"]))
    if not face:
        return {"head": middle}
    wide = norms(left - right)[..., None]
    up = wide * normalized(np.cross(np.mean(face, axis=0) - middle, left - right))
    return {"head": middle - _HEAD_BELOW * up, "head_top": middle + _HEAD_ABOVE * up}


_LIMBS = (("hip", "knee"), ("knee", "ankle"), ("shoulder", "elbow"), ("elbow", "wrist"))


def named(places: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Return the names of points `(f, n, 3)`, or flat `(f, 3 n)`, of a known tracker, and their places `(f,
    m, 3)`.

    Raises ValueError with the reason if they are of none.
    """
    if places.ndim == 4 and len(places) == 1:
        places = places[0]
    counts = sorted({count for layout in layouts() for count in layout["counts"]})
    if places.ndim == 2 and places.shape[1] in {3 * count for count in counts}:
        places = places.reshape(len(places), -1, 3)
    if places.ndim == 3 and places.shape[2] == 2:
        raise ValueError("its points are flat, without depth; a figure needs points in space")
    if places.ndim != 3 or places.shape[2] not in (3, 4) or not len(places):
        raise ValueError(f"it needs frames x points x 3, not {' x '.join(map(str, places.shape))}")
    known = [layout["points"].split() for layout in layouts() if places.shape[1] in layout["counts"]]
    if not known:
        raise ValueError(
            f"it has {places.shape[1]} points without names; known are {', '.join(map(str, counts))}"
        )
    places = places[..., :3]
    names = min(known, key=lambda names: _oddness(places, names)) if len(known) > 1 else known[0]
    return names, places[:, : len(names)]


def _oddness(places: np.ndarray, names: Sequence[str]) -> float:
    """Return how unlike a body's the limbs are that points so named form: left and right in length, and over
    time."""
    try:
        rows = find_points(names)
    except NeuraRigError:
        return np.inf
    odd = 0.0
    for start, end in _LIMBS:
        lengths = [
            np.linalg.norm(places[:, rows[sided(end, side)]] - places[:, rows[sided(start, side)]], axis=1)
            for side in SIDES
        ]
        lengths = [found[np.isfinite(found)] for found in lengths]
        if not all(len(found) for found in lengths):
            continue
        left, right = (float(np.median(found)) for found in lengths)
        spread = sum(float(np.mean(np.abs(found - np.median(found)))) for found in lengths)
        odd += (abs(left - right) + spread) / max(left + right, 1e-9)
    return odd
