"""The walks of characters as ways of discs over the ground, which the core leads past one another; and its
marks as waypoints."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np
from bpy.types import Object, Scene

from ...core.crowd.crossings import Marks, Passer
from ...core.crowd.meetings import CrowdWay
from ...core.gait.walker import Walker
from ...core.geometry.vectors import transformed
from ...core.path.path_on_ground import Laid
from ..animation.frame_range import played_range
from ..walk.changes import changes
from ..walk.source.source import source_of
from ..walk.source.walk_frame import walk_frame
from ..walk.walk import WalkSource
from ..walk.way import markers, path, world

EVERY = 0.1  # seconds
RADIUS = 0.3  # leg lengths: half the width of a person's shoulders, and a little room
AFTER = 60.0  # seconds for which those that wait may be late
LONGEST = 1800.0  # seconds
FAR = 1e6  # metres


@dataclass(frozen=True)
class Member:
    """A walking character: its walk, the matrix from its walk frame to the ground in metres `(4, 4)`, and its
    leg length."""

    obj: Object
    source: WalkSource
    to_world: np.ndarray
    to_ground: np.ndarray
    leg: float

    @classmethod
    def of(cls, obj: Object, scene: Scene) -> "Member":
        """Return a character; raises NeuraRigError if its walk is impossible."""
        to_world, leg = walk_frame(obj, scene)
        return cls(obj, source_of(obj, scene), to_world, to_world / np.linalg.norm(to_world[:3, 0]), leg)

    @property
    def may_wait(self) -> bool:
        """Whether its path takes waypoints."""
        return path.follows_one(self.obj) and not path.is_keyed(self.obj) and not self.source.path.lap

    def walker(self, marks: Marks = ()) -> Walker:
        """Return who walks, with other marks for those that make way; raises NeuraRigError if they are
        impossible."""
        walk = self.obj.neurarig.walk
        if not self.may_wait or not (marks or any(marker.yields for marker in walk.markers)):
            return self.source.planned
        source, to_walk = self.source, np.linalg.inv(self.to_world)
        with world.at_start(bpy.context.scene, source.clock.start, path.things(self.obj)) as look:
            own = markers.marks_of(self.obj, source.clock, look, to_walk, yields=False)
            curve = path.curve_of(self.obj, look, to_walk, self.leg, (*own, *marks))
        # Other heights are known of another curve: it has more rows where it turns on the spot.
        way = replace(source.path, path=curve, _known={}) if isinstance(source.path, Laid) else curve
        return replace(source, path=way).planned

    def ends(self, walker: Walker) -> float:
        """Return the frame at which a path ends, or -infinity for a walk that goes on."""
        if not self.may_wait:
            return -np.inf
        seconds = np.arange(0.0, LONGEST, 1.0)
        there = walker.rhythm.distance_at(seconds) >= walker.path.drawn.extent[1] - 0.01
        return float(walker.clock.frames(seconds[int(np.argmax(there))])) if there.any() else -np.inf

    def way(self, walker: Walker, frames: np.ndarray) -> CrowdWay:
        """Return the way of a walker at frames `(t,)`; in place it stands."""
        distance = walker.rhythm.distance_at(walker.clock.seconds(frames))
        places = (
            walker.path.drawn.at(distance).place if self.source.travels_with else np.zeros((len(frames), 3))
        )
        return CrowdWay(distance, np.clip(transformed(places, self.to_ground)[:, :2], -FAR, FAR))

    def passer(self, frames: np.ndarray, radius: float | None) -> Passer:
        """Return the walker as the core leads it past others; `radius` in metres, None for that of its
        body."""

        def again(marks: Marks) -> CrowdWay:
            return self.way(self.walker(marks), frames)

        start = float((self.source.clock.start - frames[0]) / self.source.clock.fps)
        return Passer(
            RADIUS * self.leg if radius is None else radius,
            again(()),
            again if self.may_wait else None,
            start,
        )


def frames_of(members: Sequence[Member], scene: Scene) -> np.ndarray:
    """Return the frames at which the ways of all are compared: from the first start, until all could have
    arrived."""
    clock = members[0].source.clock
    first = min(member.source.clock.start for member in members)
    last = max([float(played_range(scene)[1]), *(member.ends(member.walker()) for member in members)])
    seconds = min(max((last - first) / clock.fps, 0.0) + AFTER, LONGEST)
    return first + clock.fps * EVERY * np.arange(int(seconds / EVERY) + 2)


def set_waits(member: Member, marks: Marks) -> None:
    """Set the waypoints at which a character makes way, in place of earlier ones."""
    walk = member.obj.neurarig.walk
    if not marks and not any(marker.yields for marker in walk.markers):
        return
    kept = [one for one in markers.markers_of(member.obj) if "yields" not in one]
    clock = member.source.clock
    times = ({} if mark.due is None else {"frame": float(clock.frames(np.array(mark.due)))} for mark in marks)
    new = [
        {"distance": mark.distance, "pause": mark.pause, "yields": True} | time
        for mark, time in zip(marks, times, strict=True)
    ]
    with changes.as_one(member.obj):
        markers.set_markers(member.obj, [*kept, *new])
