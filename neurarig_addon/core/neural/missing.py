"""Points that are not seen: where they most likely are, from those that are.

Pelvis and chest are taken as rigid; a limb bends in the plane that its body and its foot suggest; what nothing tells hangs down.
Only directions matter to the pose that follows, so this is about what is plausible and steady, not about millimetres.
"""

from dataclasses import dataclass

import numpy as np

from ..roles import SIDES
from .points import INDEX, PARENTS, POINTS
from .triad import crossed, nearest_rotation, triads

UP = np.array([0.0, 0.0, 1.0])
LEFT = np.array([0.0, 1.0, 0.0])
# What tells the side line (left minus right), and how well.  Of a walk's crossing arms and legs the swing cancels out.
_SIDE_PAIRS = {"hip": 1.0, "shoulder": 1.0, "collar": 0.5, "knee": 0.2, "elbow": 0.2, "ankle": 0.15, "wrist": 0.15}
_FORWARD_TRUST = 0.3  # what the feet, from ankle to ball, count in it
_LOW = {"pelvis": 1.0, "hip.L": 0.5, "hip.R": 0.5, "spine1": 0.5}
_HIGH = {"spine3": 1.0, "neck": 1.0, "shoulder.L": 0.5, "shoulder.R": 0.5, "collar.L": 0.5, "collar.R": 0.5, "spine2": 0.3, "head": 0.3}
# The rigid parts, with what moves a little against them.
_PELVIS = {"pelvis": 1.0, "hip.L": 1.0, "hip.R": 1.0, "spine1": 1.0, "spine2": 0.05}
_CHEST = {"spine3": 1.0, "neck": 1.0, "collar.L": 1.0, "collar.R": 1.0, "shoulder.L": 0.3, "shoulder.R": 0.3, "head": 0.05, "spine2": 0.05}
_PRIOR = 1e-4  # what the figure's orientation counts in that of pelvis and chest, times the square of its height
_FAINT = 1e-6  # what a point far from a part tells about its place
# Ends that nothing but themselves can show: without them their bones stay with the bone above.
_OPTIONAL = np.array([INDEX[f"{part}.{side}"] for part in ("ball", "hand_tip", "toe_tip") for side in SIDES] + [INDEX["head_top"]])
_LIMBS = tuple((f"hip.{s}", f"knee.{s}", f"ankle.{s}") for s in SIDES) + tuple((f"shoulder.{s}", f"elbow.{s}", f"wrist.{s}") for s in SIDES)
_LIMB_ROWS = np.array([[INDEX[name] for name in limb] for limb in _LIMBS]).T
_FEET = np.array([INDEX["ball.L"], INDEX["ball.R"]])
# In the figure's frame: where knees and elbows point, and how limbs hang that nothing shows.
_POLES = np.array([[1.0, 0.0, 0.0]] * 2 + [[-0.8, 0.0, -0.6]] * 2)
_HANGING = np.array([[0.0, 0.0, -1.0]] * 2 + [[0.0, 0.2, -0.98], [0.0, -0.2, -0.98]])
_BENT = 0.998  # of a limb's length: one that is out of reach is bent by this little, so that its plane is defined


def _weights(table: dict[str, float]) -> np.ndarray:
    return np.array([table.get(point, 0.0) for point in POINTS])


_LOW_WEIGHTS, _HIGH_WEIGHTS = _weights(_LOW), _weights(_HIGH)
_PARTS = np.stack([_weights(_PELVIS), _weights(_CHEST)])
_TRUNK = np.where(_PARTS.max(axis=0) > 0.0, 1.0, 1e-3)
# How far from the pelvis to the chest: where a trunk point goes that is not seen.
_CHEST_SHARE = np.where(_PARTS[1] > 0.1, 1.0, 0.0)
_CHEST_SHARE[[INDEX["spine2"], INDEX["head"], INDEX["head_top"]]] = 0.5, 1.0, 1.0
_PAIR_ROWS = np.array([[INDEX[f"{part}.{side}"] for part in _SIDE_PAIRS] for side in SIDES])
_PAIR_WEIGHTS = np.array(list(_SIDE_PAIRS.values()))


@dataclass(frozen=True)
class Neighbours:
    """What completing needs of a body: its points `rest` `(27, 3)` in the reference pose and its `height`, metres.

    `arms` `(27, 3)`: the points from their parents.  `limbs` `(2, 4)`: lengths of the upper and lower parts of legs and arms.
    """

    rest: np.ndarray
    height: float
    arms: np.ndarray
    limbs: np.ndarray

    @classmethod
    def of(cls, rest: np.ndarray) -> "Neighbours":
        """Return the tables for a body."""
        limbs = np.linalg.norm(np.diff(rest[_LIMB_ROWS], axis=0), axis=-1)
        return cls(rest, float(np.ptp(rest[:, 2])), rest - np.where(PARENTS[:, None] >= 0, rest[PARENTS], 0.0), limbs)


def complete(body: Neighbours, points: np.ndarray, seen: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all points `(..., 27, 3)`, how far each may be trusted `(..., 27)`, and the figure's orientation `(..., 3, 3)`.

    A point of weight 1 stays; one of less is pulled to where the others suggest it is.
    """
    finite = np.isfinite(points).all(axis=-1)
    weights = finite * (1.0 if seen is None else np.clip(np.nan_to_num(seen), 0.0, 1.0))
    points = np.where(weights[..., None] > 0.0, points, 0.0)
    figure = _orientation(body, points, weights)
    guess = _trunk(body, points, weights, figure)
    known = weights[..., None]
    full = guess + known * (points - guess)
    _limbs(body, full, points, weights, figure)
    for row in _OPTIONAL:
        parent = PARENTS[row]
        place = full[..., parent, :] + figure @ body.arms[row]
        full[..., row, :] = place + known[..., row, :] * (points[..., row, :] - place)
    trusted = np.ones_like(weights)
    trusted[..., _OPTIONAL] = weights[..., _OPTIONAL]
    return full, trusted, figure


def _orientation(body: Neighbours, points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the turn `(..., 3, 3)` of the whole figure away from the reference pose, as the same points tell in both."""
    both = np.stack([points, np.broadcast_to(body.rest, points.shape)])
    now, then = _upright_frames(both, weights, body.height)
    return now @ np.swapaxes(then, -1, -2)


def _upright_frames(points: np.ndarray, weights: np.ndarray, height: float) -> np.ndarray:
    """Return a frame `(..., 3, 3)`: x up along the trunk, y to the left as sides and feet tell; the world's where nothing does."""
    low, high = weights * _LOW_WEIGHTS, weights * _HIGH_WEIGHTS
    sure = np.minimum(10.0 * np.minimum(low.sum(axis=-1), high.sum(axis=-1)), 1.0)[..., None]
    up = (_mean(points, high) - _mean(points, low)) * sure + 1e-3 * height * UP
    up = up / np.sqrt(np.sum(up * up, axis=-1, keepdims=True))
    left, right = _PAIR_ROWS
    trust = _PAIR_WEIGHTS * weights[..., left] * weights[..., right]
    side = np.sum(trust[..., None] * (points[..., left, :] - points[..., right, :]), axis=-2)
    heel = PARENTS[_FEET]
    trust = _FORWARD_TRUST * weights[..., _FEET] * weights[..., heel]
    ahead = np.sum(trust[..., None] * (points[..., _FEET, :] - points[..., heel, :]), axis=-2)
    return triads(up, side + crossed(up, ahead) + 1e-3 * height * LEFT)


def _trunk(body: Neighbours, points: np.ndarray, weights: np.ndarray, figure: np.ndarray) -> np.ndarray:
    """Return where every point would be `(..., 27, 3)` if it moved with the pelvis or the chest, the spine between the two."""
    near = weights[..., None, :] * _PARTS
    total = near.sum(axis=-1)
    rest = (near @ body.rest) / np.maximum(total, _FAINT)[..., None]
    seen = (near @ points) / np.maximum(total, _FAINT)[..., None]
    arms = body.rest - rest[..., None, :]
    spread = np.swapaxes(near[..., None] * (points[..., None, :, :] - seen[..., None, :]), -1, -2) @ arms
    turns = nearest_rotation(spread + _PRIOR * body.height**2 * figure[..., None, :, :])
    guesses = arms @ np.swapaxes(turns, -1, -2) + seen[..., None, :]
    # A part of which nothing is seen stands where the figure puts it: from the other part, or from whatever is seen.
    whole = weights * _TRUNK + 1e-12
    middle = body.rest - _mean(np.broadcast_to(body.rest, points.shape), whole)[..., None, :]
    plain = middle @ np.swapaxes(figure, -1, -2) + _mean(points, whole)[..., None, :]
    sure = np.minimum(total * 20.0, 1.0)[..., None, None]
    guesses = plain[..., None, :, :] + sure * (guesses - plain[..., None, :, :])
    share = _CHEST_SHARE[:, None]
    return guesses[..., 0, :, :] * (1.0 - share) + guesses[..., 1, :, :] * share


def _limbs(body: Neighbours, full: np.ndarray, points: np.ndarray, weights: np.ndarray, figure: np.ndarray) -> None:
    """Put knees, ankles, elbows and wrists into `full`, in place."""
    roots, mids, ends = _LIMB_ROWS
    start = full[..., roots, :]
    hanging = _HANGING @ np.swapaxes(figure, -1, -2)
    pole = _POLES @ np.swapaxes(figure, -1, -2)
    foot = points[..., _FEET, :] - points[..., ends[:2], :]
    foot = foot * (weights[..., _FEET] * weights[..., ends[:2]] / np.maximum(np.sqrt(np.sum(foot * foot, axis=-1)), 1e-9))[..., None]
    pole[..., :2, :] += foot
    upper, lower = body.limbs[0][:, None], body.limbs[1][:, None]
    known_mid, known_end = weights[..., mids][..., None], weights[..., ends][..., None]
    bent = _bend(start, points[..., ends, :], pole, upper, lower)
    middle = start + upper * hanging
    middle += known_end * (bent - middle)
    middle += known_mid * (points[..., mids, :] - middle)
    full[..., mids, :] = middle
    # A shin hangs, whatever the thigh does; a forearm goes on as the upper arm.
    along = middle - start
    along /= np.maximum(np.sqrt(np.sum(along * along, axis=-1, keepdims=True)), 1e-9)
    along[..., :2, :] = hanging[..., :2, :]
    end = middle + lower * along
    full[..., ends, :] = end + known_end * (points[..., ends, :] - end)


def _bend(start: np.ndarray, end: np.ndarray, pole: np.ndarray, upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """Return the middle joints `(..., 3)` of limbs from `start` to `end` that bend towards `pole` (law of cosines)."""
    line = end - start
    distance = np.maximum(np.sqrt(np.sum(line * line, axis=-1, keepdims=True)), 1e-9)
    along = line / distance
    aside = pole - np.sum(pole * along, axis=-1, keepdims=True) * along
    aside = aside / np.maximum(np.sqrt(np.sum(aside * aside, axis=-1, keepdims=True)), 1e-9)
    reach = np.clip(distance, np.abs(upper - lower) + 1e-6, _BENT * (upper + lower))
    part = (reach**2 + upper**2 - lower**2) / (2.0 * reach)
    return start + part * along + np.sqrt(np.maximum(upper**2 - part**2, 0.0)) * aside


def _mean(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the weighted means `(..., 3)` of points `(..., 27, 3)`, zero without weight."""
    return (weights[..., None, :] @ points)[..., 0, :] / np.maximum(weights.sum(axis=-1), _FAINT**2)[..., None]
