"""The analytic pose of points of which some are missing: these are placed where they most likely are by the seen ones.

Pelvis and chest are taken as rigid; a limb bends in the plane that its body and its foot suggest; what nothing shows hangs down.
Only directions matter to the pose that follows, so the places should be plausible and steady, not exact to the millimetre.

What depends only on which points are seen is an Evidence, computed once for a whole clip or a live session; all of it is sums over points.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from neurarig_addon.core.geometry.rotation import transposed
from neurarig_addon.core.geometry.vectors import dotted, lengths, nearest_rotation, triads_along
from neurarig_addon.core.neural.analytic.anchor import Analytic, Anchor
from neurarig_addon.core.neural.analytic.sight_lines import BEND, BONES, SHOWN_AT
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS, POINTS
from neurarig_addon.core.skeleton.roles import SIDES

UP = np.array([0.0, 0.0, 1.0])
LEFT = np.array([0.0, 1.0, 0.0])
# Pairs that show the side line (left minus right), and their weights.  The swing of a walk's arms and legs cancels out.
_SIDE_PAIRS = {"hip": 1.0, "shoulder": 1.0, "collar": 0.5, "knee": 0.2, "elbow": 0.2, "ankle": 0.15, "wrist": 0.15}
_FORWARD_TRUST = 0.3  # weight of the feet, from ankle to ball, in it
_LOW = {"pelvis": 1.0, "hip.L": 0.5, "hip.R": 0.5, "spine1": 0.5}
_HIGH = {"spine3": 1.0, "neck": 1.0, "shoulder.L": 0.5, "shoulder.R": 0.5, "collar.L": 0.5, "collar.R": 0.5, "spine2": 0.3, "head": 0.3}
# The weights of points in the rigid parts; small for those that move a little against them.
_PELVIS = {"pelvis": 1.0, "hip.L": 1.0, "hip.R": 1.0, "spine1": 1.0, "spine2": 0.05}
_CHEST = {"spine3": 1.0, "neck": 1.0, "collar.L": 1.0, "collar.R": 1.0, "shoulder.L": 0.3, "shoulder.R": 0.3, "head": 0.05, "spine2": 0.05}
_PRIOR = 1e-4  # weight of the figure's orientation in that of pelvis and chest, times its height squared
_WORLD = 1e-3 * np.stack([UP, LEFT, np.zeros(3)])  # heights: weights of the world's up and left in the figure's orientation
_FAR = 1e-3  # weight of a hand or foot for the trunk's place, against a point of the trunk
_ENOUGH = 0.05  # of a fully seen point: a part with less weight moves with the figure
_LIMBS = tuple((f"hip.{s}", f"knee.{s}", f"ankle.{s}") for s in SIDES) + tuple((f"shoulder.{s}", f"elbow.{s}", f"wrist.{s}") for s in SIDES)
_ROOTS, _MIDS, _ENDS = np.array([[INDEX[name] for name in limb] for limb in _LIMBS]).T
_FEET = np.array([INDEX["ball.L"], INDEX["ball.R"]])
_TOES = np.array([INDEX["toe_tip.L"], INDEX["toe_tip.R"]])
# Ends that nothing else can show: without them their bones stay with the bone above.
_TIPS = np.concatenate([_FEET, [INDEX["hand_tip.L"], INDEX["hand_tip.R"], INDEX["head_top"]]])
# In the figure's frame: where knees and elbows point, and how limbs hang if nothing shows them.
_POLES = np.array([[1.0, 0.0, 0.0]] * 2 + [[-0.8, 0.0, -0.6]] * 2)
_HANGING = np.array([[0.0, 0.0, -1.0]] * 2 + [[0.0, 0.2, -0.98], [0.0, -0.2, -0.98]])
_BENT = 0.998  # of a limb's length: its longest reach, so that it stays a little bent and its plane is defined
_BENDS = np.full((1, len(BEND), 3), 0.15**2)  # squared sines: the anchor's own
_TINY, _ZERO, _HALF = np.array(1e-9), np.array(0.0), np.array(0.5)


def _weights(table: dict[str, float]) -> np.ndarray:
    return np.array([table.get(point, 0.0) for point in POINTS])


_LOW_WEIGHTS, _HIGH_WEIGHTS = _weights(_LOW), _weights(_HIGH)
_PARTS = np.stack([_weights(_PELVIS), _weights(_CHEST)])
# How far a missing point of the trunk goes with the pelvis, 0, or the chest, 1.
_CHEST_SHARE = np.where(_PARTS[1] > 0.1, 1.0, 0.0)
_CHEST_SHARE[[INDEX["spine2"], INDEX["head"], INDEX["head_top"]]] = 0.5, 1.0, 1.0
_SHARES = np.stack([1.0 - _CHEST_SHARE, _CHEST_SHARE])
_ANY = np.where(_PARTS.max(axis=0) > 0.0, 1.0, _FAR)
_PAIR_ROWS = np.array([[INDEX[f"{part}.{side}"] for part in _SIDE_PAIRS] for side in SIDES])
_PAIR_WEIGHTS = np.array(list(_SIDE_PAIRS.values()))


class Limbs(NamedTuple):
    """Legs and arms of a body, metres, each number three times `(4, 3)`: lengths of the `upper` and `lower` part, the `shortest` and
    `longest` distance of the limb's ends, the upper length's `square`, and its difference from the lower's: `between`."""

    upper: np.ndarray
    lower: np.ndarray
    shortest: np.ndarray
    longest: np.ndarray
    square: np.ndarray
    between: np.ndarray

    @classmethod
    def of(cls, rest: np.ndarray) -> "Limbs":
        """Return the limbs of a body with reference pose `rest` `(27, 3)`."""
        parts = np.linalg.norm(np.diff(rest[[_ROOTS, _MIDS, _ENDS]], axis=0), axis=-1)
        upper, lower = np.repeat(parts[..., None], 3, axis=-1)
        square = upper * upper
        return cls(upper, lower, np.abs(upper - lower) + _TINY, _BENT * (upper + lower), square, square - lower * lower)


@dataclass(frozen=True)
class Neighbours:
    """What `complete` needs to know of a body: its points `rest` `(27, 3)` in the reference pose and its `height`, metres.

    `arms` `(27, 3)`: the points relative to their parents.
    """

    rest: np.ndarray
    height: float
    arms: np.ndarray
    limbs: Limbs

    @classmethod
    def of(cls, rest: np.ndarray) -> "Neighbours":
        """Return the tables for a body."""
        return cls(rest, float(np.ptp(rest[:, 2])), rest - np.where(PARENTS[:, None] >= 0, rest[PARENTS], 0.0), Limbs.of(rest))


@dataclass(frozen=True)
class Evidence:
    """What follows from a body and the weights `(..., 27)` of its seen points.

    `weights`; `known`, `shown` `(..., 27, 3)`: the same for each coordinate, and 1 where it is not 0; `trusted` `(..., 27)`: how far the
    points may be used once they are completed.
    `lines` `(..., 3, 27)`: sums of points that show up, left and ahead; `turned_back` `(..., 3, 3)`: the frame that they show in the
    reference pose, transposed.
    `means` `(..., 3, 27)`: sums that give the means of pelvis, chest and all.  `spreads` `(..., 27, 6)`: sums that give the covariances
    of both parts with the reference pose.  `guess_means` `(..., 27, 3)`, `guess_arms` `(..., 27, 9)`: a point's place from the means
    and from the rotations of pelvis, chest and figure.
    """

    weights: np.ndarray
    known: np.ndarray
    shown: np.ndarray
    trusted: np.ndarray
    lines: np.ndarray
    turned_back: np.ndarray
    means: np.ndarray
    spreads: np.ndarray
    guess_means: np.ndarray
    guess_arms: np.ndarray

    @classmethod
    def of(cls, body: Neighbours, weights: np.ndarray) -> "Evidence":
        """Return the evidence for a body of weights 0..1 `(..., 27)`."""
        lines, known = _lines(weights), np.repeat(weights[..., None], 3, axis=-1)
        near = np.concatenate([weights[..., None, :] * _PARTS, (weights * _ANY)[..., None, :] + _TINY**2], axis=-2)
        total = near.sum(axis=-1, keepdims=True)
        means = near / np.maximum(total, _TINY**2)
        arms = body.rest - (means @ body.rest)[..., None, :]
        spreads = np.swapaxes(near[..., :2, :, None] * arms[..., :2, :, :], -2, -3)
        shares = _SHARES * np.minimum(total[..., :2, :] / _ENOUGH, 1.0)
        shares = np.concatenate([shares, 1.0 - shares.sum(axis=-2, keepdims=True)], axis=-2)
        trusted = np.ones_like(weights)
        trusted[..., _TIPS] = weights[..., _TIPS]
        trusted[..., _TOES] = weights[..., _TOES]
        return cls(
            weights=weights,
            known=known,
            shown=np.where(known > 0.0, 1.0, 0.0),
            trusted=trusted,
            lines=lines,
            turned_back=np.swapaxes(_upright(lines @ body.rest, body.height), -1, -2),
            means=means,
            spreads=spreads.reshape(weights.shape + (6,)),
            guess_means=np.swapaxes(shares, -1, -2),
            guess_arms=np.swapaxes(shares[..., None] * arms, -2, -3).reshape(weights.shape + (9,)),
        )


def analytic_pose(anchor: Anchor, body: Neighbours, points: np.ndarray, seen: np.ndarray) -> tuple[Analytic, np.ndarray]:
    """Return the analytic pose of points `(f, 27, 3)` with weights `(27,)` or `(f, 27)`, and all points completed.

    Points that are not finite are missing; ends that are go where their joints carry them.
    """
    finite = np.isfinite(points).all(axis=-1)
    points, weights = np.where(finite[..., None], points, 0.0), np.asarray(seen, dtype=float)
    if not (finite | (weights == 0.0)).all():
        weights = weights * finite
    evidence = Evidence.of(body, np.clip(np.nan_to_num(weights), 0.0, 1.0))
    points, figure = complete(body, evidence, points * evidence.shown)
    axes, trunk, twists_shown = anchor.axes(_known_lines(anchor, evidence, points, figure), _BENDS)
    found = Analytic(axes, anchor.back, trunk, twists_shown, points[..., 0, :])
    ends = slice(len(JOINTS), len(POINTS))
    holders = PARENTS[ends]
    arms = (found.rotations[..., holders, :, :] @ body.arms[ends, :, None])[..., 0]
    hidden = evidence.weights[..., ends, None] == 0.0
    points[..., ends, :] = np.where(hidden, points[..., holders, :] + arms, points[..., ends, :])
    return found, points


def _known_lines(anchor: Anchor, evidence: Evidence, points: np.ndarray, figure: np.ndarray) -> np.ndarray:
    """Return the directions of the lines `(..., 29, 3)` of completed points, shorter than 1 where less is known of them."""
    lines = anchor.sight @ points
    long = lengths(lines)
    apart = long > anchor.shortest
    known = anchor.given * apart
    known[..., :BONES, :] = 1.0
    known[..., BONES:, :] *= evidence.trusted[..., SHOWN_AT, None]
    if not apart.all():
        lines = np.where(apart, lines, anchor.rest_lines @ transposed(figure))
        long = lengths(lines)
    return lines * (known / long)


def complete(body: Neighbours, evidence: Evidence, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return all points `(..., 27, 3)` and the rotation of the whole figure `(..., 3, 3)` from the reference pose.

    `points`: finite where their weight is not 0, and 0 elsewhere.  A point of weight 1 stays; one of less is pulled to where the others
    suggest.
    """
    figure = _upright(evidence.lines @ points, body.height) @ evidence.turned_back
    known = evidence.known
    full = _trunk(body, evidence, points, figure)
    full += known * (points - full)
    back = figure.swapaxes(-1, -2)
    _limbs(body, full, points, known, back)
    arms = body.arms @ back
    for rows in (_TIPS, _TOES):
        place = full.take(PARENTS[rows], axis=-2) + arms.take(rows, axis=-2)
        place += known.take(rows, axis=-2) * (points.take(rows, axis=-2) - place)
        full[..., rows, :] = place
    return full, figure


def _lines(weights: np.ndarray) -> np.ndarray:
    """Return the sums `(..., 3, 27)` of points that show up, left and ahead."""
    low, high = weights * _LOW_WEIGHTS, weights * _HIGH_WEIGHTS
    low_total, high_total = low.sum(axis=-1, keepdims=True), high.sum(axis=-1, keepdims=True)
    sure = np.minimum(np.minimum(low_total, high_total) / _ENOUGH, 1.0)
    lines = np.zeros(weights.shape[:-1] + (3, len(POINTS)))
    lines[..., 0, :] = sure * (high / np.maximum(high_total, _TINY) - low / np.maximum(low_total, _TINY))
    for row, (plus, minus, trust) in enumerate(((*_PAIR_ROWS, _PAIR_WEIGHTS), (_FEET, PARENTS[_FEET], _FORWARD_TRUST)), 1):
        trusted = trust * weights[..., plus] * weights[..., minus]
        lines[..., row, plus] = trusted
        lines[..., row, minus] = -trusted
    return lines


def _upright(lines: np.ndarray, height: float) -> np.ndarray:
    """Return the frame `(..., 3, 3)` of lines that show up, left and ahead `(..., 3, 3)`: x up, y left; the world's if none do."""
    lines = lines + height * _WORLD
    up = lines.take(0, axis=-2)
    up /= lengths(up)
    return triads_along(up, lines.take(1, axis=-2) + np.cross(up, lines.take(2, axis=-2)))


def _trunk(body: Neighbours, evidence: Evidence, points: np.ndarray, figure: np.ndarray) -> np.ndarray:
    """Return the places of all points `(..., 27, 3)` if they moved with pelvis, chest or, where these do not show, the figure."""
    spreads = (np.swapaxes(points, -1, -2) @ evidence.spreads).reshape(figure.shape[:-1] + (2, 3))
    turns = np.empty(figure.shape[:-2] + (3, 3, 3))
    turns[..., :2, :, :] = nearest_rotation(np.swapaxes(spreads, -2, -3) + (_PRIOR * body.height**2) * figure[..., None, :, :])
    turns[..., 2, :, :] = figure
    across = np.swapaxes(turns, -1, -2).reshape(figure.shape[:-2] + (9, 3))
    return evidence.guess_arms @ across + evidence.guess_means @ (evidence.means @ points)


def _limbs(body: Neighbours, full: np.ndarray, points: np.ndarray, known: np.ndarray, back: np.ndarray) -> None:
    """Put knees, ankles, elbows and wrists into `full`, in place; `back` `(..., 3, 3)`: the figure's rotation, transposed."""
    start, limbs = full.take(_ROOTS, axis=-2), body.limbs
    hanging, pole = _HANGING @ back, _POLES @ back
    shown, known_end = points.take(_ENDS, axis=-2), known.take(_ENDS, axis=-2)
    foot = points.take(_FEET, axis=-2) - shown[..., :2, :]
    foot *= known.take(_FEET, axis=-2) * known_end[..., :2, :]
    pole[..., :2, :] += foot / (lengths(foot) + _TINY)
    middle = start + limbs.upper * hanging
    middle += known_end * (_bend(start, shown, pole, body.limbs) - middle)
    middle += known.take(_MIDS, axis=-2) * (points.take(_MIDS, axis=-2) - middle)
    full[..., _MIDS, :] = middle
    # A shin hangs, whatever the thigh does; a forearm continues the upper arm.
    along = middle - start
    along /= lengths(along) + _TINY
    along[..., :2, :] = hanging[..., :2, :]
    end = middle + limbs.lower * along
    end += known_end * (shown - end)
    full[..., _ENDS, :] = end


def _bend(start: np.ndarray, end: np.ndarray, pole: np.ndarray, limbs: Limbs) -> np.ndarray:
    """Return the middle joints `(..., 3)` of limbs from `start` to `end` that bend towards `pole` (law of cosines)."""
    line = end - start
    distance = lengths(line)
    distance += _TINY
    line /= distance
    aside = pole - dotted(pole, line) * line
    aside /= lengths(aside) + _TINY
    reach = np.minimum(np.maximum(distance, limbs.shortest), limbs.longest)
    part = (reach + limbs.between / reach) * _HALF
    aside *= np.sqrt(np.maximum(limbs.square - part * part, _ZERO))
    line *= part
    line += aside
    line += start
    return line
