"""Grounds that walks are tested on: flights of stairs, kerbs, and what is measured of feet over them."""

import numpy as np

from neurarig_addon.core.body.feet import FLAT
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.ground.surface import Ground, Surface
from neurarig_addon.core.skeleton.roles import SIDES
from tests.core.walk_measures import knee_angle
from tests.core.walkers import BODY

RISER = 0.17
ON_GROUND = 0.02  # metres: a point of a sole that is higher has nothing under it


def stairs(degrees: float, rises: float = 1.0, start: float = 4.0, count: int = 10) -> Surface:
    """Return a flight of risers of 17 cm across x, as steep as given; `rises` -1: down."""
    tread = RISER / np.tan(np.radians(degrees))
    return flight(rises * RISER, tread, start, count)


def flight(riser: float, tread: float, start: float, count: int, askew: float = 0.0) -> Surface:
    """Return a flight of so many risers; `askew`: radians that it is turned away from across x."""
    across = np.array([np.cos(askew), np.sin(askew)])
    return Surface(
        lambda places: riser * np.clip(np.floor((places[:, :2] @ across - start) / tread) + 1.0, 0.0, count)
    )


def kerb(height: float, at: float = 4.0) -> Surface:
    """Return a step of the ground ahead."""
    return Surface(lambda places: np.where(places[:, 0] > at, height, 0.0))


def over_ground(pose: WalkPose, ground: Ground, body: Body = BODY) -> np.ndarray:
    """Return how high heel, ball and tip of both feet are over the ground under them `(frames, 2, 3)`."""
    found = []
    for row, side in enumerate(SIDES):
        foot = pose.root.holding(pose.motions[f"foot.{side}"])
        toe = pose.root.holding(pose.motions[f"toe.{side}"]) if f"toe.{side}" in pose.motions else foot
        points = np.stack(
            [foot.carry(body.heel[row]), toe.carry(body.ball[row]), toe.carry(body.toe[row])], 1
        )
        found.append(points[..., 2] - ground.height(points))
    return np.stack(found, 1)


def hangs_over(pose: WalkPose, ground: Ground) -> float:
    """Return the greatest share of a standing sole, heel to tip, that has no ground under it."""
    worst = 0.0
    for row, side in enumerate(SIDES):
        foot = pose.root.holding(pose.motions[f"foot.{side}"])
        along = [
            foot.carry(BODY.heel[row] + share * (BODY.toe[row] - BODY.heel[row]))
            for share in np.linspace(0.0, 1.0, 51)
        ]
        points = np.stack(along, 1)[pose.pivot[:, row] == FLAT]
        hangs = points[..., 2] - ground.height(points) > ON_GROUND
        worst = max(worst, float(hangs.mean(axis=1).max(initial=0.0)))
    return worst


def greatest_kick(pose: WalkPose, fps: float) -> float:
    """Return the greatest angular acceleration of a knee in rad/s^2, for frames that follow each other `fps`
    a second."""
    return max(float(np.abs(np.diff(knee_angle(pose, side), 2)).max()) * fps**2 for side in SIDES)
