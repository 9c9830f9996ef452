"""How recorded people reach down: their pelvis and trunk over the depth of their hands
(`core/body/stoop`)."""

import json
from collections.abc import Iterable

import numpy as np

from ...core.body.stoop import StoopHabit
from ...core.files import json_text
from ...core.geometry.rotation import about_z, norms, rotated
from ...core.neural.points import INDEX
from ...core.skeleton.roles import SIDES
from .poses import RATE, PoseClip

_ROWS = np.arange(0.0, 0.76, 0.15)  # metres: depths of the table, beyond what shoulders alone do
_SHOULDERS_DO = 0.15  # metres: hands so deep hardly move hips and trunk
_WIDE = 0.06  # metres: standard deviation of the depths that count for a row
_FULL = 6.0  # frames: a clip that has so many at a depth counts half
# metres: ankles and balls of who stands are lower than this above where they usually stand, and as level
_LOW, _LEVEL = 0.07, 0.06
_STILL = 0.35  # m/s: feet that are slower stand
_TOGETHER, _WIDEST = 0.35, 0.7  # metres: how far apart feet stand at most, ahead and aside
_ARM = 0.985  # of an arm's length: as far as a hand reaches from a standing body
_AHEAD = 0.1  # metres: hands that reach are at least so far ahead of the ankles
_SEAT = 0.25  # metres: whose pelvis is farther behind the ankles sits
_STANDING = 3.0  # percentile of a clip's heights at which feet stand
_SHOULDERS, _HIPS, _ANKLES, _BALLS = (
    [INDEX[f"{name}.{side}"] for side in SIDES] for name in ("shoulder", "hip", "ankle", "ball")
)


def stoop_habit(clips: Iterable[PoseClip]) -> StoopHabit:
    """Return the mean over clips of how people who stand reach down, each clip counting by how long it shows
    each depth."""
    sums, weights = np.zeros((len(_ROWS), 5)), np.zeros((len(_ROWS), 1))
    for clip in clips:
        depths, measures = _reaching(clip)
        rows = np.where(_ROWS > 0.0, _ROWS + _SHOULDERS_DO, 0.0)[:, None]
        near = np.exp(-0.5 * ((depths - rows) / _WIDE) ** 2)
        count = near.sum(axis=1, keepdims=True)
        share = count / (count + _FULL)
        sums += share * (near @ measures) / np.maximum(count, 1e-9)
        weights += share
    return StoopHabit(_ROWS, *(sums / weights).T)


def as_text(habit: StoopHabit) -> str:
    """Return the table as in the add-on's data."""
    lines = (f'"{name}": {json.dumps(json_text.rounded(row, 3))}' for name, row in habit._asdict().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _reaching(clip: PoseClip) -> tuple[np.ndarray, np.ndarray]:
    """Return the depths `(f,)` of the lower hand and the measures `(f, 5)`, as in `StoopHabit`, of the frames
    in which a person stands."""
    size = clip.body.size
    rest = clip.body.rest / size
    places = clip.points / size
    frames = _stands(places)
    points, ways = _from_ankles(places[frames], clip.rotations[frames])
    ankles = rest[[INDEX["ankle.L"], INDEX["ankle.R"]]].mean(axis=0)
    depths, hands = [], []
    for side in SIDES:
        shoulder, elbow, wrist = (INDEX[f"{part}.{side}"] for part in ("shoulder", "elbow", "wrist"))
        arm = norms(rest[elbow] - rest[shoulder]) + norms(rest[wrist] - rest[elbow])
        line = points[:, wrist] - (rest[shoulder] - ankles)
        far = norms(line)
        depths.append(np.maximum(far - _ARM * arm, 0.0) * np.maximum(-line[:, 2], 0.0) / far)
        hands.append(points[:, wrist, 0])
    deepest = np.argmax(depths, axis=0)
    apart = np.abs(points[:, _ANKLES[0]] - points[:, _ANKLES[1]])
    reach = (apart[:, 0] < _TOGETHER) & (apart[:, 1] < _WIDEST) & (points[:, 0, 0] > -_SEAT)
    reach &= np.array(hands)[deepest, np.arange(len(points))] > _AHEAD
    leg = norms(rest[INDEX["knee.L"]] - rest[INDEX["hip.L"]]) + norms(
        rest[INDEX["ankle.L"]] - rest[INDEX["knee.L"]]
    )
    hips, shoulders = points[:, _HIPS].mean(axis=1), points[:, _SHOULDERS].mean(axis=1)
    line = shoulders - hips
    leans = [
        np.arctan2(line[:, 0], line[:, 2]),
        *(_pitch(ways[:, INDEX[name]]) for name in ("pelvis", "head")),
    ]
    trunk, pelvis, head = np.degrees(leans)
    measures = np.stack([hips[:, 2] / leg, -hips[:, 0] / leg, pelvis, trunk, head], axis=1)
    return np.max(depths, axis=0)[reach], measures[reach]


def _from_ankles(points: np.ndarray, rotations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return points and rotations relative to the middle of the ankles, the feet pointing ahead."""
    ankles, balls = points[:, _ANKLES].mean(axis=1), points[:, _BALLS].mean(axis=1)
    way = balls - ankles
    back = about_z(-np.arctan2(way[:, 1], way[:, 0]))[:, None]
    return rotated(back, points - ankles[:, None]), back @ rotations


def _stands(points: np.ndarray) -> np.ndarray:
    """Return in which frames of points `(f, 27, 3)` in place a person stands on both feet `(f,)`."""
    ankles, balls = points[:, _ANKLES], points[:, _BALLS]
    feet = np.concatenate([ankles, balls], axis=1)
    above = feet[..., 2] - np.percentile(feet[..., 2], _STANDING, axis=0)
    speed = norms(np.gradient(ankles, 1.0 / RATE, axis=0))
    return (
        (above < _LOW).all(axis=1)
        & (speed < _STILL).all(axis=1)
        & (np.abs(ankles[:, 0, 2] - ankles[:, 1, 2]) < _LEVEL)
    )


def _pitch(rotations: np.ndarray) -> np.ndarray:
    """Return how far rotations lean forward `(f,)`, radians."""
    return np.arctan2(rotations[:, 0, 2], rotations[:, 2, 2])
