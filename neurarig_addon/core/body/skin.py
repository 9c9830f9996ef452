"""The skin of a body where it is widest: how low it comes, how near to a thing, and how long hands are."""

import numpy as np

from ..character.body import Body
from ..geometry.rotation import normalized
from ..skeleton.roles import SIDES, sided, spine_of

HEAD_SIZE, HEAD_UP = 0.13, 0.12  # leg lengths: of a head without skin, and its middle above its joint
SEATED = 0.01  # leg lengths that thighs are below the pelvis as one sits
# leg lengths that hips on a seat are behind the heels, and behind the ankles at least and at most
BEHIND, BEHIND_ANKLES = 0.19, np.array([0.16, 0.28])
HAND = 0.22  # leg lengths of a hand without skin
_BALL = normalized(
    np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 1)], dtype=float)
)


def head_points(body: Body) -> np.ndarray:
    """Return the outermost points `(n, 3)` of a head at rest."""
    leg = body.leg_length
    found = body.skin.get("head", body.head + leg * (HEAD_SIZE * _BALL + [0.0, 0.0, HEAD_UP]))
    # hair that hangs down behind the neck does not keep anybody from bowing
    return found[(found >= body.head)[:, [0, 2]].any(axis=1)]


def front(body: Body, top: float = np.inf) -> float:
    """Return how many metres a body is ahead of its hips below a height: toes, trunk and head."""
    found = [float(np.nanmax(body.toe[:, 0]))]
    for role in ("pelvis", *spine_of(body.skin), "head"):
        points = body.skin.get(role, np.zeros((0, 3)))
        found.append(float(points[points[:, 2] < top, 0].max(initial=-np.inf)))
    return max(found)


def seat_depth(body: Body, least: float) -> float:
    """Return how many metres the hip joints are above what one sits on; `least`: leg lengths."""
    low = body.skin["pelvis"][:, 2].min() if "pelvis" in body.skin else np.inf
    return max(float(body.hip[:, 2].mean() - low) + SEATED * body.leg_length, least * body.leg_length)


def seat_behind(body: Body) -> float:
    """Return how many metres hips on a seat are behind the feet of who sits down in balance, heels at its
    edge."""
    leg = body.leg_length
    return float(np.clip(BEHIND * leg - body.heel[:, 0].max(), *leg * BEHIND_ANKLES))


def hand_points(body: Body, row: int) -> np.ndarray:
    """Return the outermost points `(n, 3)` of a hand at rest, from its wrist."""
    along = normalized(body.wrist[row] - body.elbow[row])
    role = sided("hand", SIDES[row])
    if role in body.skin:
        return body.skin[role] - body.wrist[row]
    return HAND * body.leg_length * along[None]
