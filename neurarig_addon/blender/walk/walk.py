"""Everything that decides a walk, as one value, and single frames of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...core.acts.mark import ActMark
from ...core.acts.program import Program
from ...core.acts.program import planned as planned_acts
from ...core.blend.blend import Blend
from ...core.character.body import Body
from ...core.character.motion import Motion, Posed, RolePose, in_world
from ...core.follow.follow import Grid
from ...core.follow.following import Following, Hanging
from ...core.gait import synthesis
from ...core.gait.inputs.gaze import Gaze
from ...core.gait.inputs.print_edits import NO_EDITS, Print, PrintEdits
from ...core.gait.kinds.gait import Gait
from ...core.gait.pose import WalkPose
from ...core.gait.prints.added_steps import with_added, without_room
from ...core.gait.sliders.style import Clock, StyleTrack
from ...core.gait.walker import Walker
from ...core.ground.surface import LEVEL, Ground
from ...core.hands.hand_pose import Grip
from ...core.over.layer import Layer
from ...core.path.path import STRAIGHT, Path
from ...core.posing.channels import Channels
from ...core.posing.posing import Travel, solve
from ...core.posing.rig_table import RigTable
from ...core.skeleton.roles import RoleMap
from ..character import carry
from ..over.taker import Taker
from . import hands
from .blend import ActionPoses

_TRAVEL = {
    "": Travel.NOTHING,
    "OBJECT": Travel.NOTHING,
    "BONE": Travel.ROOT_BONE,
    "CONTROLS": Travel.CONTROLS,
}


@dataclass(frozen=True)
class WalkSource:
    """Everything that decides a walk; the pose at any frame follows from it alone.

    `travels_with`: '' in place, else 'OBJECT', 'BONE' or 'CONTROLS'. `path`, `ground`: where it leads, and
    over what. `rides`: whether
    a moving deck carries it, to which everything is relative.  `edits`: edited prints.
    `gaze`, `face`: what it looks at and faces.  `turns`: whether it turns, and the object with it.
    `layer`: an action of the animator's over it.  `acts`: acts on the way, whose marks the path has.
    `action`: an action into which it blends.  `grips`: how it holds its hands.
    `hanging`: what hangs on it and follows.
    """

    body: Body
    roles: RoleMap
    rig: RigTable
    track: StyleTrack
    clock: Clock
    gait: Gait
    travels_with: str
    path: Path = STRAIGHT
    ground: Ground = LEVEL
    rides: bool = False
    edits: PrintEdits = NO_EDITS
    gaze: Gaze | None = None
    face: Gaze | None = None
    turns: bool = False
    layer: Layer | None = None
    acts: tuple[ActMark, ...] = ()
    action: ActionPoses | None = None
    grips: Mapping[str, Grip] = field(default_factory=dict)
    hanging: Hanging | None = None

    @cached_property
    def alone(self) -> Walker:
        """The walker without edits."""
        return Walker.of(self.body, self.track, self.clock, self.gait, self.path, self.ground, self.face)

    @cached_property
    def planned(self) -> Walker:
        """The walker with added steps, but without other edits."""
        return with_added(self.alone, self.edits.added)

    @cached_property
    def lacks_room(self) -> tuple[str, ...]:
        """A sentence for each added print that the walk has no room for."""
        none = without_room(self.alone, self.edits.added)
        return tuple(f"The walk has no room for the added {Print(*key)}. Reset it." for key in none)

    @cached_property
    def walker(self) -> Walker:
        """Who walks."""
        edits = self.edits if self.body.fore is not None else self.edits.of_pair(0)
        return replace(self.planned, edits=edits, gaze=self.gaze)

    def with_edits(self, edits: PrintEdits) -> "WalkSource":
        """Return the walk with other edited prints; the plan is not computed again."""
        other = replace(self, edits=edits)
        other.__dict__["alone"] = self.alone
        if edits.added == self.edits.added:
            other.__dict__["planned"] = self.planned
        return other

    def pose(self, frames: np.ndarray) -> WalkPose:
        """Return the walk at frames `(f,)`, and what it blends into."""
        frames = np.asarray(frames, dtype=float)
        return self.acted(frames) if self.blend is None else self.blend.pose(frames)

    @cached_property
    def blend(self) -> Blend | None:
        """How the walk blends into an action; raises NeuraRigError if it cannot."""
        return None if self.action is None else self.action.planned(self.acted, self.body, self.clock.fps)

    @cached_property
    def program(self) -> Program | None:
        """When and how its acts play, None without any; raises NeuraRigError for one that cannot be done."""
        return (
            planned_acts(self.walker, self.walked, self.acts)
            if any(not one.waits for one in self.acts)
            else None
        )

    def walk_frames(self, frames: np.ndarray) -> np.ndarray:
        """Return the walk's own frames `(f,)`: it waits while acts play."""
        return frames if self.program is None else self.program.walk_frames(frames)

    def shown_frames(self, frames: np.ndarray) -> np.ndarray:
        """Return the frames `(f,)` on which those of the walk itself are shown."""
        return (
            frames
            if self.program is None
            else np.array([self.program.shown(frame) for frame in frames.tolist()])
        )

    def acted(self, frames: np.ndarray) -> WalkPose:
        """Return the walk with its acts at frames `(f,)`."""
        return self.walked(frames) if self.program is None else self.program.pose(frames)

    def walked(self, frames: np.ndarray) -> WalkPose:
        """Return the walk alone at frames `(f,)`."""
        found = synthesis.walked(self.walker, np.asarray(frames, dtype=float))
        return (
            found
            if self.layer is None
            else replace(found, motions=self.layer.over(found.motions, found.frames))
        )

    def solve(self, frames: np.ndarray) -> tuple[Channels, WalkPose]:
        """Return the driven bones' channels and the walk at frames `(f,)`."""
        pose = self.pose(frames)
        return self.solve_pose(pose), pose

    def block(self, frames: np.ndarray) -> "Block":
        """Return frames `(f,)` of the walk, solved."""
        channels, pose = self.solve(frames)
        return Block(self, channels, pose, self.fingers(frames))

    def fingers(self, frames: np.ndarray) -> Channels | None:
        """Return the channels of fingers, and of what else an action moves, at frames `(f,)`, in a single row
        if they never move."""
        found = hands.channels(self.grips, self.track, frames) if self.grips else None
        if self.action is None or self.action.beside is None or self.blend is None:
            return found
        return self.action.beside.over(
            found, frames, self.blend.action_frames(frames), self.blend.weight(frames)
        )

    def solve_pose(self, pose: Posed) -> Channels:
        """Return the driven bones' channels for a computed walk."""
        return self.followed(self.solve_alone(pose), pose)

    def solve_alone(self, pose: Posed) -> Channels:
        """Return the same without what follows the walk."""
        return solve(self.rig, pose, self.travel)

    def followed(self, channels: Channels, pose: Posed) -> Channels:
        """Return channels of the walk, alone or with a pose over it, with those of what follows."""
        return channels if self.following is None else self.following.over(channels, pose)

    @cached_property
    def following(self) -> Following | None:
        """What follows, None if nothing does."""
        if self.hanging is None:
            return None
        grid = Grid.of(self.clock.fps, self._repeats())
        looks = float(self.gaze is not None)
        return self.hanging.following(
            lambda frames: in_world(self.pose(frames)), grid, self.body.leg_length, looks
        )

    def _repeats(self) -> float:
        """Return the frames after which a walk repeats for ever, 0 if it does not."""
        told = self.layer, self.program, self.action, self.face, self.gaze
        varies = self.track.curves or self.edits or self.path.varies or self.rides or self.ground is not LEVEL
        if varies or any(each is not None for each in told):
            return 0.0
        return self.lap_frames if np.isfinite(self.lap_frames) else 0.0

    @property
    def travel(self) -> Travel:
        """Return what of the armature travels."""
        return _TRAVEL[self.travels_with]

    @cached_property
    def taker(self) -> Taker:
        """The character as taker of a pose, for targets over it."""
        return Taker(self.body, self.rig, self.travel)

    @cached_property
    def walk_to_armature(self) -> np.ndarray:
        """From the walk frame to armature space `(4, 4)`, including the root control."""
        return self.rig.placement @ self.body.walk_to_armature

    @cached_property
    def metre_forward(self) -> np.ndarray:
        """One metre of travel in armature space `(3,)`."""
        return self.rig.travel_direction()

    def carried(self, places: np.ndarray) -> np.ndarray:
        """Return how far an object is carried to places `(..., 3)` of a root that never turns, in armature
        space."""
        return places[..., :1] * self.metre_forward + places[..., 1:] @ self.walk_to_armature[:3, 1:3].T

    @cached_property
    def lap_frames(self) -> float:
        """Frames after which a steady walk repeats, infinite where it stands."""
        pose = self.pose(np.array([self.clock.start]))
        return float(pose.period[0]) * pose.lap * self.clock.fps

    @property
    def cycle_frames(self) -> float:
        """Frames in a cycle at the start of the walk."""
        return self.pace(self.clock.start)[1]

    def pace(self, frame: float) -> tuple[float, float]:
        """Return metres and frames per cycle at a frame."""
        pose = self.pose(np.array([frame]))
        return float(pose.stride[0]), float(pose.period[0] * self.clock.fps)


@dataclass(frozen=True)
class Block:
    """Frames of a walk solved together: the driven bones' `channels`, the `pose` they come from, and the
    `fingers` if it holds them."""

    source: WalkSource
    channels: Channels
    pose: WalkPose
    fingers: Channels | None = None

    @property
    def root(self) -> Motion:
        """Where the walk has taken the root."""
        return self.pose.root

    @cached_property
    def steps(self) -> np.ndarray:
        """How far the object has moved and turned: K `(f, 4, 4)` (see `carry`)."""
        return carry.steps(self.root, self.source.walk_to_armature)


class Row(NamedTuple):
    """One frame: a block, and its row there."""

    block: Block
    index: int

    @property
    def source(self) -> WalkSource:
        """The walk."""
        return self.block.source

    @property
    def place(self) -> np.ndarray:
        """Place of a root that never turns, metres in the walk frame `(3,)`."""
        return self.block.root.position[self.index]

    @property
    def pose(self) -> RolePose:
        """The pose of the frame, before anything goes over it."""
        return RolePose.rows_of(self.block.pose, slice(self.index, self.index + 1))

    @property
    def step(self) -> np.ndarray:
        """How far the object has moved and turned: K `(4, 4)`."""
        return self.block.steps[self.index]
