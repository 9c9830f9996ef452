"""What is remembered of one character that follows targets: its rig, and where everything was when it was posed last."""

import bpy
import numpy as np

from ...core.channels import Channels
from ...core.errors import NeuraRigError
from ...core.motion import Motion
from ..write_pose import apply_row
from . import base, targets
from . import rig as posed_rig
from .rig import PosedRig
from .solve import Trust, pose_channels, pose_motions

STILL = 2e-6  # relative: a target that has moved less has not been moved; float32 of a parent's matrix is no better
ONE_FRAME = np.zeros(1)


class Follower:
    """Numbers and names only, no Blender data: undo and loading may take away any of it."""

    def __init__(self) -> None:
        self._read_from: tuple = ()
        self._rig: PosedRig | None = None
        self._carried = np.zeros((2, 4, 4))
        self._to_walk = np.eye(4)
        self._seen = np.zeros((0, 3))  # world points that the pose was solved for
        self._trust: Trust | None = None  # None: to be read anew

    def rig(self, obj: bpy.types.Object, scene: bpy.types.Scene) -> PosedRig:
        """Return the character as it is posed, read again only where it changed; raises NeuraRigError where it cannot be posed."""
        read_from = posed_rig.key(obj, scene)
        if self._rig is None or self._read_from != read_from:
            self._rig, self._read_from = posed_rig.read(obj, scene), read_from
            self._carried, self._trust = np.zeros((2, 4, 4)), None
        return self._rig

    def rig_changed(self) -> None:
        """Have the rig read again before the next pose."""
        self._rig = None

    def settings_changed(self) -> None:
        """Have the settings read again before the next pose."""
        self._trust = None

    def show(self, obj: bpy.types.Object, scene: bpy.types.Scene) -> None:
        """Pose the character after its targets as the last update left them."""
        self.rig(obj, scene)
        self._trust = None
        self._seen = np.zeros((0, 3))
        self.update(obj, scene, None)

    def update(self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph | None) -> bool:
        """Pose the character if it or its targets have moved, and say whether they have; see `targets.world_points`."""
        rig = self._rig or self.rig(obj, scene)
        metres = scene.unit_settings.scale_length
        points = targets.world_points(obj, metres, depsgraph)
        shown = obj if depsgraph is None else obj.evaluated_get(depsgraph)
        carried = rig.carried(shown)
        if _is_near(carried, self._carried) and _is_near(points, self._seen):
            return False
        walk = self._in_walk(shown, rig, carried, metres, points)
        if np.isfinite(points).any():
            motions = pose_motions(rig, walk[None], self._trusted(obj, rig))
            apply_row(obj, pose_channels(rig, motions, ONE_FRAME), 0)
        self._seen = points
        return True

    def wanted(self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph | None) -> np.ndarray:
        """Return where the targets want the points `(27, 3)`, walk frame, metres."""
        rig = self.rig(obj, scene)
        metres = scene.unit_settings.scale_length
        shown = obj if depsgraph is None else obj.evaluated_get(depsgraph)
        return self._in_walk(shown, rig, rig.carried(shown), metres, targets.world_points(obj, metres, depsgraph))

    def solve(
        self, obj: bpy.types.Object, scene: bpy.types.Scene, points: np.ndarray, frames: np.ndarray
    ) -> tuple[dict[str, Motion], Channels]:
        """Return the pose for wanted points `(f, 27, 3)` at scene frames `(f,)`, and what it sets the bones to.

        Raises NeuraRigError where there is nothing to follow.
        """
        rig = self.rig(obj, scene)
        if not np.isfinite(points).any():
            raise NeuraRigError(f"'{obj.name}' has no target to follow. Use Create Targets, or choose objects for them.")
        motions = pose_motions(rig, points, self._trusted(obj, rig))
        return motions, pose_channels(rig, motions, frames)

    def adopt(self, obj: bpy.types.Object, scene: bpy.types.Scene) -> None:
        """Take the pose that the character has for that of its targets as they are."""
        rig = self.rig(obj, scene)
        metres = scene.unit_settings.scale_length
        self._seen = targets.world_points(obj, metres, None)
        self._in_walk(obj, rig, rig.carried(obj), metres, self._seen)

    def snap_targets(self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
        """Bring the empties that were made for the character to where its points are shown; animated ones stay."""
        rig = self.rig(obj, scene)
        metres = scene.unit_settings.scale_length
        to_world = rig.walk_to_world(obj.evaluated_get(depsgraph), metres)
        motions = rig.shown_motions(obj, depsgraph)
        base.remember(obj, rig, motions)
        self._trust = None
        world = rig.body.points(motions)[0] @ to_world[:3, :3].T + to_world[:3, 3]
        seen = targets.world_points(obj, metres, depsgraph)
        moved = [row for row in targets.snap(obj, scene, world) if np.isfinite(seen[row]).all()]
        seen[moved] = world[moved]
        self._seen = seen

    def _trusted(self, obj: bpy.types.Object, rig: PosedRig) -> Trust:
        if self._trust is None:
            self._trust = base.trust_over_base(obj, rig, targets.trust_of(obj))
        return self._trust

    def _in_walk(self, shown: bpy.types.Object, rig: PosedRig, carried: np.ndarray, metres: float, points: np.ndarray) -> np.ndarray:
        """Return world points in the walk frame of a character that is carried as said."""
        if not np.array_equal(carried, self._carried):
            self._to_walk = np.linalg.inv(rig.walk_to_world(shown, metres))
            self._carried = carried
        return points @ self._to_walk[:3, :3].T + self._to_walk[:3, 3]


def plays_keys(obj: bpy.types.Object) -> bool:
    """Say whether an action or the NLA may move the character."""
    data = obj.animation_data
    return data is not None and (data.action is not None or any(not track.mute for track in data.nla_tracks))


def _is_near(now: np.ndarray, before: np.ndarray) -> bool:
    """Say whether numbers are the same but for rounding, and the same ones are NaN."""
    if now.shape != before.shape:
        return False
    apart = np.fmax.reduce(np.abs(now - before), axis=None)
    near = not apart > STILL * (1.0 + np.fmax.reduce(np.abs(now), axis=None))
    return near and np.isnan(now).tobytes() == np.isnan(before).tobytes()
