"""The motion of exported bones in a clip: the character is posed on a bench, its controls included, and its
bones are read."""

import numpy as np

from ...core.follow.rows import followed_rows
from ...core.posing.channels import QUATERNION, continuous_rows, in_mode
from ...core.posing.posing import Travel, solve
from ...core.sets.clip import SetClip
from ..animation.keyframes import REST, Channel, bone_channels, bone_path
from ..animation.steps import Steps
from ..animation.write_pose import apply_row
from ..character.controls.probing.bench import Bench
from ..character.controls.probing.read_rig import direct_sources, needed_for
from ..walk.walk import WalkSource
from .skeleton import FORWARD, GameSkeleton

# evaluated matrices are float32: less than that from rest counts as none; metres, or parts of a quaternion
STILL = 4e-6
Matrices = np.ndarray


class Player:
    """A character on a bench, ready to play clips for an export."""

    def __init__(self, bench: Bench, source: WalkSource, skeleton: GameSkeleton) -> None:
        self._bench, self._source, self._skeleton = bench, source, skeleton
        names = [bone.source for bone in skeleton.bones if bone.source]
        fingers = source.fingers(np.zeros(1))
        needed = needed_for(names, direct_sources(bench.obj, switches=True))
        needed |= {bone.name for bone in source.hanging.bones} if source.hanging else set()
        bench.strip(needed if fingers is None else needed | {*fingers.bones()})
        self._rows = [bench.obj.pose.bones.find(name) for name in names]
        if fingers is not None:
            apply_row(bench.obj, fingers, 0)

    def play(self, clip: SetClip, travels: bool) -> Steps[list[Channel]]:
        """Return the channels of the exported bones in a clip, a row a frame; yields the share done;
        `travels`: the first bone does."""
        source = self._source
        channels = solve(source.rig, clip.pose, Travel.NOTHING)
        leg = source.body.leg_length
        channels = followed_rows(source.hanging, channels, clip.pose, clip.fps, leg, clip.plan.loops)
        seen = np.tile(np.eye(4), (len(clip.pose.frames), len(self._skeleton.bones), 1, 1))
        first = len(self._skeleton.bones) - len(self._rows)
        for row in range(first):  # a root of ours
            seen[:, row] = self._skeleton.bones[row].rest
        for row, matrices in enumerate(self._bench.played(clip.pose.frames, bone_channels(channels))):
            seen[row, first:] = self._skeleton.rigid(matrices[self._rows])
            yield (row + 1) / len(seen)
        return _channels(self._skeleton, carried(clip, self._skeleton.metre) @ seen if travels else seen)


def carried(clip: SetClip, metre: float) -> Matrices:
    """Return how the root has moved and turned on each frame, in the export's space `(f, 1, 4, 4)`."""
    root = clip.pose.root
    found = np.tile(np.eye(4), (len(root.position), 1, 1))
    found[:, :3, :3] = FORWARD @ root.rotation @ FORWARD.T
    found[:, :3, 3] = metre * root.position @ FORWARD.T
    return found[:, None]


def _channels(skeleton: GameSkeleton, seen: Matrices) -> list[Channel]:
    """Return the bones' own locations and rotations for their matrices `(f, bones, 4, 4)`."""
    rests = np.array([bone.rest for bone in skeleton.bones])
    parents = np.array([bone.parent for bone in skeleton.bones])
    hangs = parents >= 0
    rests[hangs] = np.linalg.solve(rests[parents[hangs]], rests[hangs])
    turns, places = np.empty((*seen.shape[:2], 4)), np.empty((*seen.shape[:2], 3))
    for at in range(len(seen)):  # all frames at once would take as much memory again
        unmoved = np.where(hangs[:, None, None], seen[at, parents], np.eye(4)) @ rests
        own = np.linalg.solve(unmoved, seen[at])
        turns[at], places[at] = in_mode(own[:, :3, :3], QUATERNION), own[:, :3, 3]
    found = []
    for row, bone in enumerate(skeleton.bones):
        for path, rows, still in (
            ("rotation_quaternion", continuous_rows(turns[:, row], QUATERNION), STILL),
            ("location", places[:, row], STILL * skeleton.metre),
        ):
            # keys on every frame, or exporters evaluate the bone
            if bone.parent < 0 or np.abs(rows - REST[path]).max() > still:
                rest = np.array(REST[path])
                found.append(
                    Channel(bone_path(bone.name, path), rows, rest, bone.name, together=True, still=-1.0)
                )
    return found
