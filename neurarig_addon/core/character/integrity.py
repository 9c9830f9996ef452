"""Whether a character is in one piece: joints that touch at rest touch in every pose, and all bones of a limb
follow it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..skeleton.anatomy import LIMIT, BoneGroups

_BEHIND = 0.5  # share of the limb's displacement of a point: a bone that misses it by more was left behind
_MOST_PERCENT = 1e6  # of the leg: reported for a pose that is not finite
_MOST_NAMES = 20  # of joints and bones in a report
_AT_ONCE = 1 << 18  # places of joints looked at at a time, to limit memory


@dataclass(frozen=True)
class Integrity:
    """How far a character comes apart over some poses.

    `gaps` `(n,)`: the widest gap of each of the anatomy's joints in percent of the leg, infinite where a pose
    is not finite, 0 for joints
    that do not touch at rest and are within their limits. `open_joints`: pairs of bone names past their
    limits, widest first.
    `left_behind`: names of limb bones that did not follow their limb. `broken`: whether the body itself comes
    apart, not only what
    hangs on it (`Anatomy.vital`).
    """

    gaps: np.ndarray
    open_joints: tuple[tuple[str, str], ...]
    left_behind: tuple[str, ...]
    broken: bool

    @property
    def widest(self) -> float:
        """The widest gap in percent of the leg."""
        return float(self.gaps.max(initial=0.0))

    @property
    def whole(self) -> bool:
        """Return whether all joints are closed and no limb bone was left behind."""
        return not self.open_joints and not self.left_behind

    @property
    def reason(self) -> str:
        """Return the worst problem in words; '' if there is none."""
        if self.open_joints:
            first, second = self.open_joints[0]
            return f"'{second}' comes off '{first}' by {self.widest:.1f} % of the leg"
        return f"'{self.left_behind[0]}' stays behind its limb" if self.left_behind else ""


def integrity_figures(whole: Integrity | None) -> dict[str, Any]:
    """Return a report's figures of the deforming bones: the widest gap in percent of the leg, and names,
    worst first."""
    if whole is None:
        return {"integrity_percent": None, "open_joints": [], "left_behind": [], "broken": False}
    return {
        "integrity_percent": (
            min(whole.widest, _MOST_PERCENT) if math.isfinite(whole.widest) else _MOST_PERCENT
        ),
        "open_joints": [list(pair) for pair in whole.open_joints[:_MOST_NAMES]],
        "left_behind": list(whole.left_behind[:_MOST_NAMES]),
        "broken": whole.broken,
    }


def parting(figures: Mapping[str, Any]) -> str:
    """Return in words what comes apart by a report or `integrity_figures`, '' if nothing does."""
    if figures.get("left_behind"):
        return f"'{figures['left_behind'][0]}' does not follow its limb"
    if figures.get("open_joints"):
        first, second = figures["open_joints"][0]
        return f"'{first}' and '{second}' come apart by {figures['integrity_percent']:.1f} % of the leg"
    return ""


def integrity(body: BoneGroups, posed: np.ndarray) -> Integrity:
    """Return the integrity of evaluated poses `(frames, bones, 4, 4)`, or one `(bones, 4, 4)`, in armature
    space, rows as the skeleton's.

    A gap is the distance between the places to which two bones carry the point they share at rest, so a limb
    stretched as a whole is fine.
    """
    frames = posed.reshape(-1, *posed.shape[-3:])
    gaps = np.zeros(len(body.joints))
    behind = np.zeros(len(body.members), dtype=bool)
    chunk = max(1, _AT_ONCE // max(1, len(gaps) + len(behind)))
    for start in range(0, len(frames), chunk):
        moved = frames[start : start + chunk] @ body.from_rest
        gaps = np.maximum(gaps, _apart(moved, body.joints, body.points).max(axis=0, initial=0.0))
        missed = _apart(moved, body.members, body.places)
        carried = np.linalg.norm(_carried(moved, body.members[:, 1], body.places) - body.places, axis=2)
        left_behind = (missed > _BEHIND * carried) & (missed > LIMIT / 100.0 * body.leg) | ~np.isfinite(
            missed
        )
        behind |= left_behind.any(axis=0)
    percent = 100.0 * gaps / body.leg
    is_open = percent > body.limits
    percent = np.where(body.touching | is_open, percent, 0.0)
    order = np.argsort(-percent, kind="stable")
    opened = [k for k in order if is_open[k]]
    pairs = tuple((body.names[body.joints[k, 0]], body.names[body.joints[k, 1]]) for k in opened)
    broken = body.vital[body.joints[opened]].all(axis=1).any() or body.vital[body.members[behind, 0]].any()
    return Integrity(percent, pairs, tuple(body.names[row] for row in body.members[behind, 0]), bool(broken))


def without_open(body: BoneGroups, posed: np.ndarray) -> BoneGroups:
    """Return a body without the joints that are open, and the bones left behind, in a pose `(bones, 4,
    4)`."""
    found = integrity(body, posed)
    behind = set(found.left_behind)
    joined = found.gaps <= body.limits
    followed = np.array([body.names[row] not in behind for row in body.members[:, 0]], dtype=bool)
    return replace(
        body,
        joints=body.joints[joined], points=body.points[joined], limits=body.limits[joined],
        touching=body.touching[joined],
        members=body.members[followed], places=body.places[followed],
    )  # fmt: skip


def _apart(moved: np.ndarray, pairs: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the distance `(frames, n)` between where the two bones of each pair carry its point; infinite
    where a pose is not finite."""
    gap = _carried(moved, pairs[:, 0], points) - _carried(moved, pairs[:, 1], points)
    return np.nan_to_num(np.linalg.norm(gap, axis=2), nan=np.inf)


def _carried(moved: np.ndarray, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return points `(n, 3)` as carried by bones in each frame: `(frames, n, 3)`."""
    return np.einsum(
        "fnij,nj->fni", moved[:, rows, :3], np.concatenate([points, np.ones((len(points), 1))], axis=1)
    )
