"""What is remembered of a character that follows targets: its rig, and where everything was when it was last
posed."""

from collections.abc import Sequence
from itertools import groupby
from time import monotonic
from typing import NamedTuple

import numpy as np
from bpy.types import Depsgraph, Object, Scene
from mathutils import Matrix

from ...core.errors import NeuraRigError
from ...core.neural.points import INDEX
from ...core.neural.tracking import Tracking
from ...core.posing.channels import Channels
from ..animation import compat
from ..animation.write_pose import put_row
from ..character import standing
from . import places, solve, targets
from . import rig as posed_rig
from .places import PointPlaces, are_near, is_anywhere
from .rig import PosedRig
from .solve import PointTrust, pose_turns, turned_channels

MISSED = 3e-4  # share of the body's height: a target farther from its point is out of reach


class WantedPoints(NamedTuple):
    """Where a frame's targets want the points `(27, 3)`, walk frame, metres, and how far to trust them."""

    points: np.ndarray
    trust: PointTrust


class Follower:
    """Poses one character to its targets.

    Numbers and names only, no Blender data: undo and loading may remove any of it.
    """

    def __init__(self) -> None:
        self._read_from: tuple = ()
        self._rig: PosedRig | None = None
        self._places: PointPlaces | None = None  # None, as below: to be read again
        self._trust: PointTrust | None = None
        self._played: tuple = ()  # settings that may be animated, as last read
        self._stands: tuple[Matrix, ...] = ()  # transforms that carry the character
        self._to_walk = np.eye(3), np.zeros(3)
        # target positions `(n, 3)`, in Blender units, when the pose was solved
        self._seen: np.ndarray | None = None
        # role rotations and heads, wanted points
        self._posed: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self._missed: dict[str, float] | None = None
        self._remembers = False  # the pose depends on earlier points; the next frame's must not
        self._tracking = Tracking()
        self._when = -np.inf  # seconds of the clock when points were last tracked

    def rig(self, obj: Object, scene: Scene) -> PosedRig:
        """Return the character as it is posed, read again only if it changed; raises NeuraRigError if it
        cannot be posed."""
        # on its current parent: measured as that stands on this frame, it would differ on the next
        standing.remember(obj)
        read_from = posed_rig.key(obj, scene)
        if self._rig is None or self._read_from != read_from:
            self._rig, self._read_from = posed_rig.read(obj, scene), read_from
            self._stands, self._trust, self._seen, self._posed = (), None, None, None
        return self._rig

    def rig_changed(self) -> None:
        """Have the rig read again before the next pose."""
        self._rig = None

    def settings_changed(self) -> None:
        """Have the settings read again before the next pose."""
        self._places = self._trust = None

    def show(self, obj: Object, scene: Scene) -> None:
        """Pose the character to its targets as of the last update."""
        self.rig(obj, scene)
        self.settings_changed()
        self._seen = None
        self.update(obj, scene, None)

    def update(self, obj: Object, scene: Scene, depsgraph: Depsgraph | None) -> bool:
        """Pose the character if it or its targets have moved, and return whether they have.

        `depsgraph`: whose evaluation is read, that of a new frame; without it, that of the view's last
        update.
        """
        rig = self.rig(obj, scene) if self._rig is None or standing.has_new_carrier(obj) else self._rig
        shown = obj if depsgraph is None else obj.evaluated_get(depsgraph)
        if depsgraph is not None and obj.animation_data is not None:
            self._play_settings(shown)
        found, stands = self._read(obj, depsgraph), rig.stands(shown)
        must = self._remembers and depsgraph is not None and not plays_keys(obj)
        if (
            self._seen is not None
            and not must
            and are_near(found, self._seen)
            and _stand_near(stands, self._stands)
        ):
            return False
        metres = scene.unit_settings.scale_length
        points = self._places_of(obj).points(found, metres)
        known, trust = self._known(points, self._trusted(shown, rig), is_new_frame=depsgraph is not None)
        self._stand(shown, rig, stands, metres)
        walk = self._asked(obj, known, trust)
        self._seen = found
        if is_anywhere(found) or np.isfinite(walk).any():
            away, heads = pose_turns(rig, walk[None], trust)
            put_row(obj, turned_channels(rig, away, heads), 0)
            self._posed, self._missed = (away, heads, walk), None
            if depsgraph is None or depsgraph.mode == "VIEWPORT":
                self.bring_along(obj, scene)
        return True

    def wanted(self, obj: Object, scene: Scene, depsgraph: Depsgraph | None) -> WantedPoints:
        """Return where the targets want the points, and how far to trust them."""
        rig = self.rig(obj, scene)
        metres = scene.unit_settings.scale_length
        shown = obj if depsgraph is None else obj.evaluated_get(depsgraph)
        if depsgraph is not None and obj.animation_data is not None:
            self._play_settings(shown)
        points = self._places_of(obj).points(self._read(obj, depsgraph), metres)
        self._stand(shown, rig, rig.stands(shown), metres)
        trust = self._trusted(shown, rig)
        return WantedPoints(self._asked(obj, points, trust), trust)

    def solve(self, obj: Object, scene: Scene, wanted: Sequence[WantedPoints]) -> Channels:
        """Return the bones' channels for what is wanted on consecutive frames.

        Raises NeuraRigError if there is nothing to follow.
        """
        rig = self.rig(obj, scene)
        if not any(np.isfinite(one.points).any() for one in wanted):
            raise NeuraRigError(
                f"'{obj.name}' has no target to follow. Use Create Targets, or choose objects for them."
            )
        solved = []
        for trust, run in groupby(wanted, lambda one: one.trust):
            points = np.array([one.points for one in run])
            if trust.steady and len(wanted) > 1:
                points, trust = trust.mended(points, scene.render.fps / scene.render.fps_base)
            solved.append(pose_turns(rig, points, trust))
        away, heads = (np.concatenate(part) for part in zip(*solved, strict=True))
        self._posed, self._missed = (away[-1:], heads[-1:], wanted[-1].points), None
        return turned_channels(rig, away, heads)

    def missed(self) -> dict[str, float]:
        """Return the locked or dragged points that miss their targets in the last pose, and by how many
        metres; computed once per pose."""
        if self._posed is None or self._rig is None or self._trust is None:
            return {}
        if self._missed is None:
            away, heads, wanted = self._posed
            body, locked = self._rig.body, self._trust.wanted(wanted)
            rows = [INDEX[point] for point in locked]
            apart = np.linalg.norm(body.tree.points(away, heads)[0, rows] - wanted[rows], axis=-1)
            self._missed = {
                point: float(far)
                for point, far in zip(locked, apart, strict=True)
                if far > MISSED * body.height
            }
        return self._missed

    def posed_points(self, metres: float) -> np.ndarray | None:
        """Return the points `(27, 3)` of the last pose in the world, Blender units; None if unknown."""
        if self._posed is None or self._rig is None:
            return None
        away, heads, _ = self._posed
        turn, shift = self._to_walk
        return (self._rig.body.tree.points(away, heads)[0] - shift) @ np.linalg.inv(turn) / metres

    def bring_along(self, obj: Object, scene: Scene) -> None:
        """Move the empties of points that nobody drags to where these are in the last pose; the pose does not
        depend on that."""
        metres = scene.unit_settings.scale_length
        world = self.posed_points(metres)
        if world is None or self._posed is None or self._trust is None or self._trust.drag is None:
            return
        still = np.flatnonzero(self._trust.drag.still(self._posed[2]))
        moved = targets.bring_along(obj, scene, metres * world, still.tolist())
        if self._seen is not None:
            for at, row in enumerate(self._places_of(obj).rows):
                if row in moved:
                    self._seen[at] = world[row]

    def adopt(self, obj: Object, scene: Scene) -> None:
        """Take the character's pose as that of its targets as they are now."""
        rig = self.rig(obj, scene)
        self._seen = self._read(obj, None)
        self._stand(obj, rig, rig.stands(obj), scene.unit_settings.scale_length)
        self._remembers, self._posed = self._trusted(obj, rig).steady, None

    def snap_targets(self, obj: Object, scene: Scene, depsgraph: Depsgraph) -> None:
        """Move the empties made for the character to its points as shown; animated ones stay."""
        rig = self.rig(obj, scene)
        metres = scene.unit_settings.scale_length
        motions, world = rig.shown_points(obj, depsgraph, metres)
        self._posed = None
        solve.remember_base(obj, rig, motions)
        self._trust = None
        found = self._read(obj, depsgraph)
        snapped = targets.snap(obj, scene, world)
        for at, row in enumerate(self._places_of(obj).rows):
            if row in snapped:
                found[at] = world[row] / metres
        self._seen = found

    def _read(self, obj: Object, depsgraph: Depsgraph | None) -> np.ndarray:
        found = self._places_of(obj).read(obj, depsgraph)
        if found is None:  # a target is gone, which nothing reports
            self.settings_changed()
            found = self._places_of(obj).read(obj, depsgraph)
        return np.empty((0, 3)) if found is None else found

    def _places_of(self, obj: Object) -> PointPlaces:
        if self._places is None:
            self._places = PointPlaces.of(obj)
        return self._places

    def _play_settings(self, shown: Object) -> None:
        """Have animated settings read again if they differ from the previous frame's."""
        played = places.played_settings(shown)
        if played != self._played:
            self.settings_changed()
            self._places, self._played, self._seen = PointPlaces.of(shown), played, None

    def _trusted(self, obj: Object, rig: PosedRig) -> PointTrust:
        if self._trust is None:
            self._trust = solve.trust_over_base(obj, rig, places.trust_of(obj))
        return self._trust

    def _stand(self, shown: Object, rig: PosedRig, stands: tuple[Matrix, ...], metres: float) -> None:
        """Remember the transforms that carry the character."""
        if stands != self._stands:
            to_walk = np.linalg.inv(rig.walk_to_world(shown, metres))
            self._to_walk = to_walk[:3, :3].T.copy(), to_walk[:3, 3]
            self._stands = stands

    def _in_walk(self, points: np.ndarray) -> np.ndarray:
        """Return world points in the character's walk frame."""
        turn, shift = self._to_walk
        return points.dot(turn) + shift

    def _asked(self, obj: Object, points: np.ndarray, trust: PointTrust) -> np.ndarray:
        """Return where world points are asked to be in the walk frame: those brought along with the body
        where they were before."""
        walk = self._in_walk(points)
        if trust.drag is not None:
            rows = targets.brought_along(obj)
            walk[rows] = trust.drag.before.seen[rows]
        return walk

    def _known(
        self, points: np.ndarray, trust: PointTrust, is_new_frame: bool
    ) -> tuple[np.ndarray, PointTrust]:
        """Return world points, tracked through noise if targets are steadied, and the trust in them.

        Earlier points count only while time stands still and targets stream in: what a frame shows depends on
        that frame alone.
        """
        self._remembers = trust.steady and not is_new_frame
        if not trust.steady:
            return points, trust
        now = monotonic()
        since, self._when = np.inf if is_new_frame else now - self._when, now
        return trust.tracked(self._tracking, points, since)


def plays_keys(obj: Object) -> bool:
    """Return whether an action or the NLA moves bones of the character."""
    playing = compat.playing(obj), *map(compat.assigned, compat.strips(obj))
    return any(
        curve.data_path.startswith("pose.bones")
        for action in playing
        for curve in compat.find_channels(*action)
    )


def _stand_near(now: tuple[Matrix, ...], before: tuple[Matrix, ...]) -> bool:
    return now == before or (len(now) == len(before) and are_near(np.array(now), np.array(before)))
