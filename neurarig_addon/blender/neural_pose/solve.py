"""From wanted points to a pose: the network poses the body, locks are then met exactly, and the rig's bones
follow in closed form."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from bpy.types import Object

from ...core.character.motion import Motion, RolePose
from ...core.geometry.rotation import from_quaternion, norms, to_quaternion
from ...core.mocap.mending import mended, solve_recording
from ...core.neural.base_pose import BasePose, KeptLimbs
from ...core.neural.drag.drag import Drag
from ...core.neural.drag.holds import Holds, PoseBefore
from ...core.neural.points import INDEX, JOINTS, POINTS
from ...core.neural.reach.locks import Locks
from ...core.neural.solver import PoseSolver
from ...core.neural.tracking import Tracking
from ...core.posing.channels import Channels
from ...core.posing.posing import Travel, solve
from ..character.stored_json import parsed
from .rig import PosedRig


@dataclass(frozen=True, eq=False)
class PointTrust:
    """How far points are followed: `weights` `(27,)` or `(f, 27)` 0..1, names of `locked` points, error of
    points `noise_m` in metres.

    `base`, `limbs`: the pose in which noisy points are moved, `around` `(27, 3)` its own points; if None, the
    network poses all that
    the points do not show. `drag`: the same for exact points, which an animator drags; `free` ones hold
    nothing.
    `refine`: steps towards the likeliest pose (`PoseSolver.solve`): none live; clips have the time for them.
    `steady`: the noise that motion reveals is removed from points that come one after another.
    """

    weights: np.ndarray
    locked: tuple[str, ...]
    noise_m: float
    base: BasePose | None = None
    limbs: KeptLimbs | None = None
    around: np.ndarray | None = None
    drag: Drag | None = None
    free: frozenset[str] = frozenset()
    refine: int = 0
    steady: bool = False

    def over(self, rig: PosedRig, rotations: np.ndarray, points: np.ndarray) -> "PointTrust":
        """Return the same trust in points that are moved in a pose: `rotations` `(22, 3, 3)`, `points` `(27,
        3)` in the walk frame."""
        over = self
        if self.noise_m == 0.0:
            over = replace(
                self, drag=Drag.of(rig.body, PoseBefore.of(rig.body, rotations, points), self._holds())
            )
            if not over.drag.may_be_figure:
                return over
        solved, root = PoseSolver.load().solve(
            rig.body, points[None], self.weights, self.noise_m, refine=self.refine, around=points
        )
        base = BasePose.of(solved[0], root[0], rotations, points[0])
        return replace(over, base=base, limbs=KeptLimbs.of(rig.body.rest, rotations, points), around=points)

    def wanted(self, points: np.ndarray) -> tuple[str, ...]:
        """Return the names of the points that must be reached, for targets at `points` `(27, 3)`."""
        return self.locked if self.drag is None else self.drag.wanted(points)

    def _holds(self) -> Holds:
        names = [point for point in POINTS if self.weights[INDEX[point]] > 0.0 or point in self.free]
        weights = {name: 0.0 if name in self.free else float(self.weights[INDEX[name]]) for name in names}
        return Holds.of(names, self.locked, weights)

    def tracked(
        self, tracking: Tracking, points: np.ndarray, seconds: float
    ) -> tuple[np.ndarray, "PointTrust"]:
        """Return points `(27, 3)`, metres, `seconds` after the previous ones, with noise removed, and the
        trust in them.

        Locked ones are unchanged.
        """
        found, noise = tracking.follow(points, self.noise_m, seconds)
        return self._locked_as(points, found), replace(self, noise_m=noise)

    def mended(self, points: np.ndarray, fps: float) -> tuple[np.ndarray, "PointTrust"]:
        """Return points `(f, 27, 3)`, metres, of consecutive frames, made as smooth as people move, and the
        trust in them."""
        clean = mended(points, fps, self.noise_m)
        return self._locked_as(points, clean.points), replace(
            self, weights=self.weights * clean.trust, noise_m=clean.noise, refine=1
        )

    def _locked_as(self, points: np.ndarray, found: np.ndarray) -> np.ndarray:
        locked = [INDEX[point] for point in self.locked]
        found = found.copy()
        found[..., locked, :] = points[..., locked, :]
        return found


def pose_motions(rig: PosedRig, points: np.ndarray, trust: PointTrust) -> dict[str, Motion]:
    """Return the motion of every role for points `(f, 27, 3)` in the walk frame, NaN if unknown."""
    return rig.body.moved(*pose_turns(rig, points, trust))


def pose_turns(rig: PosedRig, points: np.ndarray, trust: PointTrust) -> tuple[np.ndarray, np.ndarray]:
    """Return the same stacked: rotations away from rest `(f, r, 3, 3)` and heads `(f, r, 3)` of the roles of
    the body's tree."""
    if trust.drag is None:
        return _figure_turns(rig, points, trust)
    are_figures = trust.drag.are_figures(points)
    if not are_figures.any():
        return _dragged_turns(rig, points, trust.drag)
    if are_figures.all():
        return _figure_turns(rig, points, trust)
    away, heads = _figure_turns(rig, points, trust)
    away[~are_figures], heads[~are_figures] = _dragged_turns(rig, points[~are_figures], trust.drag)
    return away, heads


def _dragged_turns(rig: PosedRig, points: np.ndarray, drag: Drag) -> tuple[np.ndarray, np.ndarray]:
    """Return the same for a pose in which an animator drags some targets."""
    if rig.trunk is not None:
        return rig.trunk.dragged(drag, points)
    away, root = drag.apply(points)
    return away, rig.body.tree.heads(away, root)


def _figure_turns(rig: PosedRig, points: np.ndarray, trust: PointTrust) -> tuple[np.ndarray, np.ndarray]:
    """Return the same for points that show a whole figure: the network poses it."""
    body = rig.body
    solver = PoseSolver.load()
    solve_points = solver.solve if len(points) == 1 else partial(solve_recording, solver)
    rotations, root = solve_points(
        body, points, trust.weights, trust.noise_m, refine=trust.refine, around=trust.around
    )
    if trust.base is not None:
        rotations, root = trust.base.apply(rotations, root)
    if trust.limbs is not None:
        rotations = trust.limbs.apply(rotations, points)
    away = body.role_turns(rotations)
    if rig.trunk is not None:
        if trust.locked:
            away, root = rig.trunk.locked(trust.locked, away, root, points)
        return away, rig.trunk.heads(away, root)
    if trust.locked:
        away, root = Locks.of(body, trust.locked).apply(away, root, points)
    return away, body.tree.heads(away, root)


def turned_channels(rig: PosedRig, away: np.ndarray, heads: np.ndarray) -> Channels:
    """Return the driven bones' channels for role rotations and heads as `pose_turns` returns them."""
    if rig.legs is not None:
        turned, placed = rig.legs.posed(away.take(rig.leg_rows, axis=1), heads.take(rig.leg_rows, axis=1))
        away, heads = np.concatenate([away, turned], axis=1), np.concatenate([heads, placed], axis=1)
    return rig.poser.solve(away, heads)


def pose_channels(rig: PosedRig, motions: Mapping[str, Motion], frames: np.ndarray) -> Channels:
    """Return the driven bones' channels for the motions of roles at scene frames `(f,)`."""
    if rig.legs is not None:
        motions = rig.legs.motions(motions)
    return solve(rig.attached_table, RolePose.standing(frames, motions), Travel.NOTHING)


def remember_base(obj: Object, rig: PosedRig, motions: Mapping[str, Motion]) -> None:
    """Store a pose, one frame, as the one in which targets are moved from now on."""
    turns = to_quaternion(rig.body.rotations(motions)[0])
    obj.neurarig.neural_pose.base = json.dumps(
        {"turns": turns.round(7).tolist(), "points": rig.body.points(motions)[0].round(7).tolist()}
    )


def trust_over_base(obj: Object, rig: PosedRig, trust: PointTrust) -> PointTrust:
    """Return the trust in targets that are moved in the stored pose; unchanged if there is none, or it is not
    to be kept."""
    own = obj.neurarig.neural_pose
    if not own.keep_base or not own.base:
        return trust
    stored = parsed(own.base)
    try:
        turns, points = (np.array(stored[key], dtype=float) for key in ("turns", "points"))
    except (ValueError, LookupError, TypeError, OverflowError):  # a file may hold anything
        return trust
    if (
        turns.shape != (len(JOINTS), 4)
        or points.shape != (len(POINTS), 3)
        or not (np.isfinite(turns).all() and np.isfinite(points).all())
    ):
        return trust
    length = norms(turns)[..., None]
    return trust.over(rig, from_quaternion(turns / np.where(length > 0.0, length, 1.0)), points)
