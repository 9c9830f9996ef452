"""What is remembered of one character that follows targets: its rig, and where everything was when it was posed last."""

import bpy
import numpy as np
from mathutils import Matrix

from ...core.channels import Channels
from ...core.errors import NeuraRigError
from ..write_pose import put_row
from . import base, places, targets
from . import rig as posed_rig
from .places import Places
from .rig import PosedRig
from .solve import Trust, pose_turns, turned_channels

STILL = 2e-6  # relative: a target that has moved less has not been moved; float32 of a parent's matrix is no better


class Follower:
    """Numbers and names only, no Blender data: undo and loading may take away any of it."""

    def __init__(self) -> None:
        self._read_from: tuple = ()
        self._rig: PosedRig | None = None
        self._places: Places | None = None  # None, as all below: to be read anew
        self._trust: Trust | None = None
        self._played: tuple = ()  # settings that may be animated
        self._stands: tuple[Matrix, ...] = ()  # what carries the character
        self._to_walk = np.eye(4)
        self._found: list[float] = []  # places of the targets when they were looked at last
        self._seen: np.ndarray | None = None  # world points that the pose was solved for

    def rig(self, obj: bpy.types.Object, scene: bpy.types.Scene) -> PosedRig:
        """Return the character as it is posed, read again only where it changed; raises NeuraRigError where it cannot be posed."""
        read_from = posed_rig.key(obj, scene)
        if self._rig is None or self._read_from != read_from:
            self._rig, self._read_from = posed_rig.read(obj, scene), read_from
            self._stands, self._trust, self._seen = (), None, None
        return self._rig

    def rig_changed(self) -> None:
        """Have the rig read again before the next pose."""
        self._rig = None

    def settings_changed(self) -> None:
        """Have the settings read again before the next pose."""
        self._places = self._trust = None

    def show(self, obj: bpy.types.Object, scene: bpy.types.Scene) -> None:
        """Pose the character after its targets as the last update left them."""
        self.rig(obj, scene)
        self.settings_changed()
        self._seen = None
        self.update(obj, scene, None)

    def update(self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph | None) -> bool:
        """Pose the character if it or its targets have moved, and say whether they have.

        `depsgraph`: whose evaluation is read, that of a new frame; without it what the last update of the view left.
        """
        rig = self._rig or self.rig(obj, scene)
        shown = obj if depsgraph is None else obj.evaluated_get(depsgraph)
        if depsgraph is not None and obj.animation_data is not None:
            self._play_settings(shown)
        found, stands = self._read(obj, depsgraph), rig.stands(shown)
        if self._seen is not None and found == self._found and stands == self._stands:
            return False
        metres = scene.unit_settings.scale_length
        points = self._places_of(obj).points(found, metres)
        if self._is_seen(points) and _are_near(stands, self._stands):
            self._found = found
            return False
        walk = self._in_walk(shown, rig, stands, metres, points)
        if np.isfinite(walk).any():
            turned = pose_turns(rig, walk[None], self._trusted(shown, rig))
            put_row(obj, turned_channels(rig, *turned), 0)
        self._found, self._seen = found, points
        return True

    def wanted(self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph | None) -> np.ndarray:
        """Return where the targets want the points `(27, 3)`, walk frame, metres."""
        rig = self.rig(obj, scene)
        metres = scene.unit_settings.scale_length
        shown = obj if depsgraph is None else obj.evaluated_get(depsgraph)
        return self._in_walk(shown, rig, rig.stands(shown), metres, places.world_points(obj, metres, depsgraph))

    def solve(self, obj: bpy.types.Object, scene: bpy.types.Scene, points: np.ndarray) -> Channels:
        """Return what a pose sets the bones to for wanted points `(f, 27, 3)`; raises NeuraRigError where there is nothing to follow."""
        rig = self.rig(obj, scene)
        if not np.isfinite(points).any():
            raise NeuraRigError(f"'{obj.name}' has no target to follow. Use Create Targets, or choose objects for them.")
        return turned_channels(rig, *pose_turns(rig, points, self._trusted(obj, rig)))

    def adopt(self, obj: bpy.types.Object, scene: bpy.types.Scene) -> None:
        """Take the pose that the character has for that of its targets as they are."""
        rig = self.rig(obj, scene)
        metres = scene.unit_settings.scale_length
        self._found = self._read(obj, None)
        self._seen = self._places_of(obj).points(self._found, metres)
        self._in_walk(obj, rig, rig.stands(obj), metres, self._seen)

    def snap_targets(self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
        """Bring the empties that were made for the character to where its points are shown; animated ones stay."""
        rig = self.rig(obj, scene)
        metres = scene.unit_settings.scale_length
        to_world = rig.walk_to_world(obj.evaluated_get(depsgraph), metres)
        motions = rig.shown_motions(obj, depsgraph)
        base.remember(obj, rig, motions)
        self._trust = None
        world = rig.body.points(motions)[0] @ to_world[:3, :3].T + to_world[:3, 3]
        seen = places.world_points(obj, metres, depsgraph)
        moved = [row for row in targets.snap(obj, scene, world) if np.isfinite(seen[row]).all()]
        seen[moved] = world[moved]
        self._seen = seen

    def _read(self, obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph | None) -> list[float]:
        found = self._places_of(obj).read(obj, depsgraph)
        if found is None:  # a target has gone, of which nobody tells
            self.settings_changed()
            found = self._places_of(obj).read(obj, depsgraph)
        return found or []

    def _places_of(self, obj: bpy.types.Object) -> Places:
        if self._places is None:
            self._places = Places.of(obj)
        return self._places

    def _play_settings(self, shown: bpy.types.Object) -> None:
        """Have animated settings read again where they are others than on the frame before."""
        played = places.played_settings(shown)
        if played != self._played:
            self.settings_changed()
            self._places, self._played, self._seen = Places.of(shown), played, None

    def _trusted(self, obj: bpy.types.Object, rig: PosedRig) -> Trust:
        if self._trust is None:
            self._trust = base.trust_over_base(obj, rig, places.trust_of(obj))
        return self._trust

    def _in_walk(self, shown: bpy.types.Object, rig: PosedRig, stands: tuple[Matrix, ...], metres: float, points: np.ndarray) -> np.ndarray:
        """Return world points in the walk frame of a character that stands as said."""
        if stands != self._stands:
            self._to_walk = np.linalg.inv(rig.walk_to_world(shown, metres))
            self._stands = stands
        return points @ self._to_walk[:3, :3].T + self._to_walk[:3, 3]

    def _is_seen(self, points: np.ndarray) -> bool:
        return self._seen is not None and _is_near(points, self._seen)


def plays_keys(obj: bpy.types.Object) -> bool:
    """Say whether an action or the NLA may move the character."""
    data = obj.animation_data
    return data is not None and (data.action is not None or any(not track.mute for track in data.nla_tracks))


def _are_near(now: tuple[Matrix, ...], before: tuple[Matrix, ...]) -> bool:
    return now == before or (len(now) == len(before) and _is_near(np.array(now), np.array(before)))


def _is_near(now: np.ndarray, before: np.ndarray) -> bool:
    """Say whether numbers are the same but for rounding, and the same ones are NaN."""
    apart = np.fmax.reduce(np.abs(now - before), axis=None)
    near = not apart > STILL * (1.0 + np.fmax.reduce(np.abs(now), axis=None))
    return near and np.isnan(now).tobytes() == np.isnan(before).tobytes()
