"""The skin of a body where it is widest: how low it comes, how near to a thing, and how long hands are."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..easing import over
from ..geometry.rotation import normalized, norms, rejected, rotated
from ..memory import remembered
from ..skeleton.roles import SIDES, sided, spine_of

HEAD_SIZE, HEAD_UP = 0.13, 0.12  # leg lengths: of a head without skin, and its middle above its joint
# leg lengths that thighs are thick at most; shares of a trunk's size within which points come out of it
# softly, and from its middle on
THICK, GRAZES, NEAR = 0.2, 0.05, 0.3
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


def front(body: Body, top: float = np.inf, beside: float = 0.0) -> float:
    """Return how many metres a body is ahead of its hips below a height: toes, head, and trunk with something
    `beside` that."""
    found = [float(np.nanmax(body.toe[:, 0]))]
    for role in ("pelvis", *spine_of(body.skin), "head"):
        points, more = body.skin.get(role, np.zeros((0, 3))), beside * (role != "head")
        found.append(float(points[points[:, 2] < top + more, 0].max(initial=-np.inf)) + more)
    return max(found)


@remembered(objects=1)
def sleeve(body: Body) -> float:
    """Return how many metres forearms are thick around their bones at most; 0 without skin."""
    found = [0.0]
    for row, side in enumerate(SIDES):
        points = body.skin.get(sided("forearm", side), body.elbow[row])
        found.append(float(norms(rejected(points - body.elbow[row], along(body, row))).max(initial=0.0)))
    return max(found)


def along(body: Body, row: int) -> np.ndarray:
    """Return the direction `(3,)` of a forearm at rest."""
    return normalized(body.wrist[row] - body.elbow[row])


def seat_depth(body: Body, least: float) -> float:
    """Return how many metres the hip joints are above what one sits on, pelvis and the backs of thighs;
    `least`: leg lengths."""
    hip, leg, depths = body.hip.mean(axis=0), body.leg_length, [least * body.leg_length]
    if "pelvis" in body.skin:
        depths.append(float(hip[2] - body.skin["pelvis"][:, 2].min()) + SEATED * leg)
    for role in (sided("thigh", side) for side in SIDES):
        if role in body.skin:
            depths.append(min(float(hip[0] - body.skin[role][:, 0].min()), THICK * leg))
    return max(depths)


class Girth(NamedTuple):
    """A trunk as an ellipsoid that its skin is around, at rest: its `middle` and `half` its size, `(3,)`."""

    middle: np.ndarray
    half: np.ndarray

    def out(self, motions: Mapping[str, Motion], points: np.ndarray, beside: float = 0.0) -> np.ndarray:
        """Return how points `(f, n, 3)` of one part have to move for none to be in the trunk `(f, 3)`, or so
        near `beside` it."""
        spine, half = spine_of(motions), self.half + beside
        trunk = motions[spine[len(spine) // 2] if spine else "pelvis"]
        seen = (trunk.seen(points) - self.middle) / half
        out = over(1.0 / np.maximum(norms(seen), NEAR) - 1.0, GRAZES)[..., None]
        shares = out**4 / np.maximum((out**4).sum(axis=1, keepdims=True), 1e-30)  # the deepest count most
        return rotated(trunk.rotation, (shares * out * seen).sum(axis=1) * half)


@remembered(objects=1)
def girth(body: Body) -> Girth | None:
    """Return the trunk of a body; None without skin."""
    skins = [body.skin[role] for role in ("pelvis", *spine_of(body.skin)) if role in body.skin]
    if not skins:
        return None
    points = np.concatenate(skins)
    low, high = points.min(axis=0), points.max(axis=0)
    return Girth(0.5 * (low + high), 0.5 * (high - low))


def seat_behind(body: Body) -> float:
    """Return how many metres hips on a seat are behind the feet of who sits down in balance, heels at its
    edge, and calves off it."""
    leg, heel = body.leg_length, float(body.heel[:, 0].max())
    legs = (body.skin.get(sided(part, side), body.heel) for part in ("shin", "foot") for side in SIDES)
    calf = max(heel - min(float(points[:, 0].min()) for points in legs), 0.0)
    return float(np.clip(BEHIND * leg - heel, *leg * BEHIND_ANKLES)) + calf


def hand_points(body: Body, row: int) -> np.ndarray:
    """Return the outermost points `(n, 3)` of a hand at rest, from its wrist."""
    role = sided("hand", SIDES[row])
    if role in body.skin:
        return body.skin[role] - body.wrist[row]
    return HAND * body.leg_length * along(body, row)[None]
