"""The character as an engine gets it: a skeleton of its own and copies of its meshes, in a scene of their
own, removed afterwards."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Armature, Collection, NlaTrack, Object, Scene
from mathutils import Matrix

from ..animation import compat, scratch
from ..animation.keyframes import Channel, write_channels
from ..animation.scratch import remove_unused
from ..character.read_armature import meshes_of
from .skeleton import GameSkeleton

# an object of exactly this name is no bone to Unreal, whose root is then the skeleton's own
ARMATURE = "Armature"
SHORTEST = 1e-4  # of a bone


@dataclass(frozen=True)
class GameFigure:
    """A game character in a `scene` of its own: the armature `obj`, its `skeleton` as Blender keeps it, its
    `meshes`."""

    scene: Scene
    obj: Object
    skeleton: GameSkeleton
    meshes: tuple[Object, ...]

    @property
    def context(self) -> dict[str, Any]:
        """What of the context an operator has to find."""
        layer = self.scene.view_layers[0]
        return {"scene": self.scene, "view_layer": layer, "object": self.obj, "active_object": self.obj}

    def add_clip(self, name: str, channels: Sequence[Channel]) -> Action:
        """Add an action with a key on every frame from 0 on, on a track of its own, and return it."""
        action, slot = compat.new_action(name, self.obj)
        scratch.begin(action)
        write_channels(action, slot, np.arange(float(len(channels[0].values))), channels)
        track = self.obj.animation_data_create().nla_tracks.new()
        track.name = name
        strip = track.strips.new(name, 0, action)
        if slot is not None:
            strip.action_slot = slot
        track.mute = True
        return action

    def keep(self, name: str) -> Collection:
        """Keep the character and its clips, as large as the user's scene has it, in a collection of that name
        that no scene holds yet."""
        collection = bpy.data.collections.new(name)
        for thing in (self.obj, *self.meshes):
            scratch.finish(thing)
            scratch.finish(thing.data)
            collection.objects.link(thing)
        for track in self.obj.animation_data.nla_tracks:
            scratch.finish(track.strips[0].action)
        self.obj.name = name
        self.obj.scale = [1.0 / (self.skeleton.metre * bpy.context.scene.unit_settings.scale_length)] * 3
        return collection

    def keep_as_assets(self, name: str, pictures: Mapping[str, np.ndarray]) -> None:
        """Leave the character in the user's scene, with its clips as assets; `pictures` `(size, size, 4)`: by
        clip."""
        bpy.context.scene.collection.children.link(self.keep(name))
        for track in self.obj.animation_data.nla_tracks:
            action = track.strips[0].action
            action.use_fake_user = True
            action.asset_mark()
            picture = pictures[track.name]
            preview = action.preview_ensure()
            preview.image_size = picture.shape[:2]
            preview.image_pixels_float.foreach_set(picture.astype(np.float32).ravel())
            track.mute = True


@contextmanager
def game_figure(obj: Object, skeleton: GameSkeleton) -> Iterator[GameFigure]:
    """Yield a game character with a skeleton and the meshes of a character; what is not kept is removed,
    however the block ends."""
    scene = bpy.data.scenes.new("NeuraRig Set")
    made: list[Object] = []
    try:
        scratch.begin(scene)
        scene.render.fps, scene.render.fps_base = (
            bpy.context.scene.render.fps,
            bpy.context.scene.render.fps_base,
        )
        scene.unit_settings.scale_length = 1.0 / skeleton.metre
        with _free_name(ARMATURE):
            data = bpy.data.armatures.new(ARMATURE)
            armature = bpy.data.objects.new(ARMATURE, data)
            made.append(armature)
            for block in (data, armature):
                scratch.begin(block)
            scene.collection.objects.link(armature)
            figure = GameFigure(scene, armature, skeleton, ())
            _make_bones(figure)
            figure = replace(figure, skeleton=_as_made(figure))
            for mesh in meshes_of(obj):
                made.append(_copied(mesh, obj, figure))
                scene.collection.objects.link(made[-1])
            yield replace(figure, meshes=tuple(made[1:]))
    finally:
        made = [thing for thing in made if scratch.MARK in thing]  # the others are kept
        actions = [strip.action for track in _tracks(made) for strip in track.strips]
        remove_unused(bpy.data.scenes, scene)
        for thing in reversed(made):
            data = thing.data
            remove_unused(bpy.data.objects, thing)
            remove_unused(bpy.data.armatures if isinstance(data, Armature) else bpy.data.meshes, data)
        bpy.data.batch_remove([action for action in actions if action is not None])


def _tracks(made: list[Object]) -> list[NlaTrack]:
    data = made[0].animation_data if made else None
    return list(data.nla_tracks) if data else []


@contextmanager
def _free_name(name: str) -> Iterator[None]:
    """Free an object's name within the block."""
    there = bpy.data.objects.get(name)
    if there is not None:
        there.name = f"{name} (kept)"
    try:
        yield
    finally:
        if there is not None:
            made = bpy.data.objects.get(name)
            if made is not None:
                made.name = f"{name} (made)"
            there.name = name


def _make_bones(figure: GameFigure) -> None:
    with bpy.context.temp_override(**figure.context):
        figure.scene.view_layers[0].objects.active = figure.obj
        bpy.ops.object.mode_set(mode="EDIT")
        try:
            edited = []
            for bone in figure.skeleton.bones:
                new = figure.obj.data.edit_bones.new(bone.name)
                new.head, new.tail = (0.0, 0.0, 0.0), (0.0, max(bone.length, SHORTEST), 0.0)
                new.matrix = Matrix(bone.rest.tolist())
                new.parent = edited[bone.parent] if bone.parent >= 0 else None
                edited.append(new)
        finally:
            bpy.ops.object.mode_set(mode="OBJECT")
    for bone in figure.obj.pose.bones:
        bone.rotation_mode = "QUATERNION"


def _as_made(figure: GameFigure) -> GameSkeleton:
    """Return the skeleton with the rest matrices that Blender has made of it."""
    made = figure.obj.data.bones
    bones = (
        replace(bone, rest=np.array(made[bone.name].matrix_local, dtype=float))
        for bone in figure.skeleton.bones
    )
    return replace(figure.skeleton, bones=tuple(bones))


def _copied(mesh: Object, obj: Object, figure: GameFigure) -> Object:
    """Return a copy of a mesh that an armature deforms or carries, for the game character."""
    copy, data = mesh.copy(), mesh.data.copy()
    copy.data = data
    copy.animation_data_clear()
    for block in (copy, data):
        scratch.begin(block)
    to_armature = np.linalg.solve(np.array(obj.matrix_world), np.array(mesh.matrix_world))
    if mesh.parent is obj and mesh.parent_type == "BONE" and mesh.parent_bone in obj.pose.bones:
        bone = obj.pose.bones[mesh.parent_bone]
        to_armature = np.array(bone.bone.matrix_local) @ np.linalg.solve(np.array(bone.matrix), to_armature)
    data.transform(Matrix((figure.skeleton.from_armature @ to_armature).tolist()), shape_keys=True)
    _hang(copy, mesh, figure)
    return copy


def _hang(copy: Object, mesh: Object, figure: GameFigure) -> None:
    """Have the game character's armature deform a copy of a mesh."""
    names = figure.skeleton.names
    for group in copy.vertex_groups:
        if group.name in names:
            group.name = f"\n{group.name}"
    for group in copy.vertex_groups:
        group.name = names.get(group.name.removeprefix("\n"), group.name)
    modifiers = [modifier for modifier in copy.modifiers if modifier.type == "ARMATURE"]
    if not modifiers:
        modifiers = [copy.modifiers.new(ARMATURE, "ARMATURE")]
        carrier = names.get(mesh.parent_bone, figure.skeleton.bones[0].name)
        copy.vertex_groups.new(name=carrier).add(range(len(copy.data.vertices)), 1.0, "REPLACE")
    for modifier in modifiers:
        modifier.object = figure.obj
    copy.parent, copy.parent_type = figure.obj, "OBJECT"
    copy.matrix_parent_inverse, copy.matrix_basis = Matrix(), Matrix()
