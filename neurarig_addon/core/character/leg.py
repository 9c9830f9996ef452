"""One leg of a skeleton at rest: its joints, and its foot's heading."""

from dataclasses import dataclass

import numpy as np

from ..detection.figure import Figure
from ..detection.legs import foot_joints
from ..geometry.rotation import normalized
from ..skeleton.roles import RoleMap, sided
from ..skeleton.skeleton import Skeleton

CLEAR = 0.06  # of the leg's length: a shorter reach of the foot gives no heading


@dataclass(frozen=True)
class Leg:
    """One leg in world metres: `rows` of thigh, shin (if any) and foot (if any); joints `(3,)`; `heading` horizontal, zero if unknown."""

    rows: list[int]
    has_foot: bool
    hip: np.ndarray
    knee: np.ndarray
    ankle: np.ndarray
    toe_joint: np.ndarray
    heading: np.ndarray

    @property
    def length(self) -> float:
        """Thigh plus shin in metres."""
        return float(np.linalg.norm(self.knee - self.hip) + np.linalg.norm(self.ankle - self.knee))


def read_leg(figure: Figure, roles: RoleMap, side: str, sole: np.ndarray | None) -> Leg:
    """Return one leg's joints; a missing knee is half way, without a foot the ankle is at the last bone's tail."""
    skeleton = figure.skeleton
    rows = [skeleton.index[bone] for bone in (roles.get(sided(part, side)) for part in ("thigh", "shin", "foot")) if bone in skeleton.index]
    has_foot = roles.has(sided("foot", side))
    hip = skeleton.heads[rows[0]]
    ankle = skeleton.heads[rows[-1]] if has_foot else skeleton.tails[rows[-1]]
    knee = head_of(skeleton, roles.get(sided("shin", side))) if roles.has(sided("shin", side)) else (hip + ankle) / 2.0
    toe_joint = head_of(skeleton, roles.get(sided("toe", side)))
    leg = Leg(rows, has_foot, hip, knee, ankle, toe_joint, np.zeros(3))
    return Leg(rows, has_foot, hip, knee, ankle, toe_joint, _heading(figure, leg, sole))


def _heading(figure: Figure, leg: Leg, sole: np.ndarray | None) -> np.ndarray:
    """Return the horizontal unit vector `(3,)` along a foot: to the toe joint, else the farthest joint, else the sole; zero if unknown."""
    points = [leg.toe_joint] if np.isfinite(leg.toe_joint).all() else list(foot_joints(figure, leg.rows)) if leg.has_foot else []
    reach = _farthest(points, leg.ankle)
    if np.linalg.norm(reach) < CLEAR * leg.length and sole is not None and len(sole):
        reach = (sole.min(axis=0) + sole.max(axis=0)) / 2.0 - leg.ankle
    flat = reach * [1.0, 1.0, 0.0]
    return normalized(flat) if np.linalg.norm(flat) > CLEAR * leg.length / 2.0 else np.zeros(3)


def _farthest(points: list[np.ndarray], start: np.ndarray) -> np.ndarray:
    flat = [(point - start) * [1.0, 1.0, 0.0] for point in points]
    return max(flat, key=lambda vector: float(np.linalg.norm(vector)), default=np.zeros(3))


def head_of(skeleton: Skeleton, bone: str | None) -> np.ndarray:
    """Return a bone's head in the world `(3,)`, NaN if there is no such bone."""
    return skeleton.heads[skeleton.index[bone]] if bone in skeleton.index else np.full(3, np.nan)
