"""Whether every shared biped stays in one piece, whoever poses it: python -m benchmarks one_piece.

Each is made to walk, takes a recorded walk, and follows targets, by its IK controls and by FK; what is judged
are the evaluated bones
that deform it.  `RIGS=word` in the environment: only files with that word.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import bpy
import numpy as np

from benchmarks.handler_speed import new_scene
from benchmarks.reached import reachable_points
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.blender.animation.scratch import pose_matrices
from neurarig_addon.blender.character.read_armature import read_skeleton, skin_bones
from neurarig_addon.blender.character.read_character import read_character
from neurarig_addon.blender.neural_pose import live, targets
from neurarig_addon.core.character.integrity import Integrity, integrity
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.neural.points import INDEX
from neurarig_addon.core.skeleton.anatomy import BoneGroups, anatomy
from tests import control_rigs
from tests.shared_data import shared_path
from tests.shared_rigs import BIPEDS, load

CLIP = ("data", "mocap", "walk", "cmu_02_01.bvh")
CLIP_FRAMES = 24  # of the clip, evenly spaced
CYCLE = range(1, 41, 2)


@dataclass(frozen=True)
class Came:
    """What came of one character in one feature: what took the pose, how whole it was; or why it was
    refused."""

    kind: str
    whole: Integrity | None = None
    refusal: str = ""

    @property
    def text(self) -> str:
        if self.whole is None:
            return f"refused: {self.refusal}"
        named = self.whole.open_joints[:1] or self.whole.left_behind[:1]
        apart = (
            f" {len(self.whole.open_joints)} open, {len(self.whole.left_behind)} behind: {named[0]}"
            if named
            else ""
        )
        return f"{self.kind:12s} {self.whole.widest:8.3f} %{apart}"


def rows() -> list[Row]:
    """Judge every biped in every way, print each, and return the figures."""
    came = [(file, how, one) for file, make in subjects() for how, one in judged(file, make)]
    files = {file for file, *_ in came}
    apart = [f"{file} {how}" for file, how, one in came if one.whole is not None and not one.whole.whole]
    refused = sorted({f"{file} {how}" for file, how, one in came if one.whole is None})
    share = 100.0 * len({name.split()[0] for name in refused}) / max(len(files), 1)
    return [
        Row(
            f"{len(files)} bipeds, {len(came)} ways: not in one piece",
            len(apart),
            0,
            "",
            note="; ".join(apart),
        ),
        Row(f"{len(files)} bipeds: refused in any way", share, 3.0, "%", note="; ".join(refused)),
    ]


def judged(file: str, make: Callable[[], bpy.types.Object]) -> Iterator[tuple[str, Came]]:
    """Yield how a character comes out of every feature, and print it."""
    for how, pose in WAYS.items():
        new_scene()
        obj = make()
        try:
            one = pose(obj)
        except NeuraRigError as refusal:
            one = Came("", refusal=str(refusal))
        print(f"{file:42s} {how:12s} {one.text}", flush=True)
        yield how, one


class _Looked:
    """The deforming bones of a character as they are evaluated."""

    def __init__(self, obj: bpy.types.Object) -> None:
        character = read_character(obj, bpy.context.scene)
        skeleton = read_skeleton(obj, bpy.context.scene).deforming(skin_bones(obj))
        self.obj, self.names = obj, skeleton.names
        self.body: BoneGroups = anatomy(skeleton, character.roles)
        self.poses: list[np.ndarray] = []

    def look(self) -> None:
        evaluated = self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        order = [evaluated.pose.bones.find(name) for name in self.names]
        self.poses.append(pose_matrices(evaluated)[order].astype(float))

    def frames(self, frames) -> None:
        for frame in frames:
            bpy.context.scene.frame_set(int(frame))
            self.look()

    def came(self) -> Came:
        return Came(
            json.loads(self.obj.neurarig.attachment)["kind"], integrity(self.body, np.array(self.poses))
        )


def _walked(obj: bpy.types.Object, kind: str) -> Came:
    looked = _Looked(obj)
    api.generate_walk(obj, controls=kind)
    looked.frames(CYCLE)
    return looked.came()


def _retargeted(obj: bpy.types.Object, controls: str) -> Came:
    looked = _Looked(obj)
    action = api.retarget(obj, file=shared_path(*CLIP), controls=controls)
    looked.frames(np.linspace(*action.frame_range, CLIP_FRAMES).round())
    return looked.came()


def _targeted(obj: bpy.types.Object, controls: str) -> Came:
    looked = _Looked(obj)
    api.pose_targets(obj, "FULL", controls=controls)
    metres = bpy.context.scene.unit_settings.scale_length
    rig = live.follower_of(obj).rig(obj, bpy.context.scene)
    to_world = rig.walk_to_world(obj, metres)
    looked.look()
    for points in reachable_points(rig.body).values():
        world = points @ to_world[:3, :3].T + to_world[:3, 3]
        for item in obj.neurarig.neural_pose.targets:
            targets.place(item.object, world[INDEX[item.point]] / metres)
        bpy.context.view_layer.update()
        if obj.neurarig.neural_pose.error:
            raise NeuraRigError(obj.neurarig.neural_pose.error)
        looked.look()
    return looked.came()


WAYS: dict[str, Callable[[bpy.types.Object], Came]] = {
    "walk": lambda obj: _walked(obj, "AUTO"),
    "walk FK": lambda obj: _walked(obj, "FK"),
    "retarget IK": lambda obj: _retargeted(obj, "IK"),
    "retarget FK": lambda obj: _retargeted(obj, "FK"),
    "pose IK": lambda obj: _targeted(obj, "IK"),
    "pose FK": lambda obj: _targeted(obj, "FK"),
}


def subjects() -> Iterator[tuple[str, Callable[[], bpy.types.Object]]]:
    """Yield file names, and what loads them into an empty scene."""
    wanted = os.environ.get("RIGS", "")
    yield from ((row["file"], lambda row=row: load(row)) for row in BIPEDS if wanted in row["file"])
    for row in control_rigs.ROWS:
        if wanted in row["file"] and control_rigs.is_readable(row):
            yield row["file"], lambda row=row: control_rigs.load(row)
