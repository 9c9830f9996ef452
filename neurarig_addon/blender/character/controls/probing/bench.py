"""The bench: a copy of an armature in a scene of its own, to move bones and set switches without touching the
character.

Its meshes are left out, so that an evaluation costs only the bones, and the curves between them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object, Scene, bpy_struct

from .....core.controls.rig import ControlRig, Trial
from .....core.geometry.rotation import from_rotation_vector
from .....core.posing.channels import Channels, in_mode, rotation_path
from ....animation import compat, scratch, write_pose
from ....animation.keyframes import Channel, write_channels
from ....animation.renames import bone_of
from ....animation.scratch import pose_matrices, remove_unused
from .. import snapshot
from . import paths

_SCENE = "NeuraRig Probe"


class Bench:
    """The copy, at rest, with its switches as saved."""

    def __init__(self, obj: Object, scene: Scene) -> None:
        self.obj, self._scene = obj, scene
        self._layer = scene.view_layers[0]
        self._saved: dict[str, float] = {}
        self._moved: set[str] = set()

    def answer(self, rig: ControlRig, trial: Trial) -> np.ndarray:
        """Return every bone's evaluated matrix `(n, 4, 4)` in a trial."""
        self.switch({rig.switches[number].path: value for number, value in trial.switches.items()})
        names = {rig.names[row]: move for row, move in trial.moves.items()}
        for name in self._moved - names.keys():
            snapshot.neutralise(self.obj, [name])
        for name, (location, turn) in names.items():
            bone = self.obj.pose.bones[name]
            bone.location = location.tolist()
            matrix = from_rotation_vector(turn)
            bone.path_resolve(rotation_path(bone.rotation_mode), False).foreach_set(
                in_mode(matrix, bone.rotation_mode).tolist()
            )
        self._moved = set(names)
        return self.matrices()

    def poses(self, channels: Channels) -> Iterator[np.ndarray]:
        """Yield every bone's evaluated matrix `(n, 4, 4)` for each row of channels, with the current
        switches."""
        for row in range(len(channels.values)):
            write_pose.apply_row(self.obj, channels, row)
            yield self.matrices()

    def played(self, frames: np.ndarray, channels: Iterable[Channel]) -> Iterator[np.ndarray]:
        """Yield every bone's evaluated matrix `(n, 4, 4)` on each of `frames`, with the channels' values
        keyed there.

        Of keys Blender takes the values alone; where properties are set, it copies the armature anew for each
        frame.
        """
        action, slot = compat.new_action(_SCENE, self.obj)
        scratch.begin(action)
        try:
            write_channels(
                action,
                slot,
                frames,
                (replace(each, rest=np.full(each.values.shape[1], np.inf)) for each in channels),
            )
            yield from self.acted(frames, action, slot)
        finally:
            bpy.data.actions.remove(action)

    def acted(self, frames: np.ndarray, action: Action | None, slot: Any) -> Iterator[np.ndarray]:
        """Yield every bone's evaluated matrix `(n, 4, 4)` on each of `frames`, as an action plays on the
        copy."""
        compat.assign(self.obj.animation_data_create(), action, slot)
        for frame in frames:
            self._scene.frame_float = frame  # `frame_set` has every window drawn, and every handler called
            yield self.matrices()

    def world(self) -> np.ndarray:
        """Return the copy's world matrix `(4, 4)`, with its scene up to date."""
        return np.array(self.obj.evaluated_get(self._layer.depsgraph).matrix_world)

    def switch(self, wanted: Mapping[str, float]) -> None:
        """Set switches, path -> value, and reset all others."""
        changed = False
        for path in {**self._saved, **wanted}:
            now = paths.value(self.obj, path)
            if now is None:
                continue
            saved = self._saved.setdefault(path, now)
            value = wanted.get(path, saved)
            if value != now:
                paths.put(self.obj, path, value)
                changed = True
        if changed:
            self.obj.update_tag()

    def lighten(self, kept: Collection[str]) -> None:
        """Take what costs time off all other bones: constraints, drivers, shapes."""
        for bone in self.obj.pose.bones:
            bone.custom_shape = None
            for constraint in list(bone.constraints) if bone.name not in kept else ():
                bone.constraints.remove(constraint)
        for owner in (self.obj, self.obj.data):
            data = owner.animation_data
            for driver in list(data.drivers) if data else ():
                if bone_of(driver.data_path) not in {"", *kept}:
                    data.drivers.remove(driver)
        self.obj.update_tag()

    def strip(self, kept: Collection[str]) -> None:
        """Take all other bones off, for an evaluation goes through every bone; not while something is drawn
        or rendered."""
        self.lighten(kept)
        for bone in self.obj.pose.bones:  # those that are muted need nothing, and complain
            for constraint in [
                each
                for each in bone.constraints
                if each.mute and getattr(each, "subtarget", "") not in {"", *kept}
            ]:
                bone.constraints.remove(constraint)
        layer = self._layer
        layer.objects.active = self.obj
        with bpy.context.temp_override(
            scene=self._scene, view_layer=layer, object=self.obj, active_object=self.obj
        ):
            bpy.ops.object.mode_set(mode="EDIT")
            self.obj.data.use_mirror_x = False
            bones = self.obj.data.edit_bones
            for bone in [bone for bone in bones if bone.name not in kept]:
                bones.remove(bone)
            bpy.ops.object.mode_set(mode="OBJECT")

    def matrices(self) -> np.ndarray:
        """Return every bone's current evaluated matrix."""
        self._layer.update()
        return pose_matrices(self.obj.evaluated_get(self._layer.depsgraph)).astype(float)


@contextmanager
def bench(obj: Object, resting: Iterable[str] | None = None) -> Iterator[Bench]:
    """Yield a bench with a copy of an armature object at rest, or with only some bones `resting`; it is
    removed however the block ends."""
    scene = bpy.data.scenes.new(_SCENE)
    copy, data, bent = None, None, []
    try:
        copy, data = obj.copy(), obj.data.copy()
        copy.data = data
        for block in (scene, copy, data):
            scratch.begin(block)
        _isolate(obj, copy)
        scene.collection.objects.link(copy)
        for curve in hooked_curves(obj):
            bent.append(_copied_curve(curve, obj, copy))
            scratch.begin(bent[-1])
            scene.collection.objects.link(bent[-1])
        snapshot.neutralise(copy, [bone.name for bone in copy.pose.bones] if resting is None else resting)
        for bone in copy.pose.bones if resting is None else ():
            bone.scale = (1.0, 1.0, 1.0)
        yield Bench(copy, scene)
    finally:
        remove_unused(bpy.data.scenes, scene)
        for thing in (*bent, *([copy] if copy else [])):
            remove_unused(bpy.data.objects, thing)
        if data is not None:
            remove_unused(bpy.data.armatures, data)


def _isolate(obj: Object, copy: Object) -> None:
    """Retarget the copy's own references to itself, stop its animation, and detach it from any character."""
    if hasattr(copy, "neurarig"):  # if the add-on is enabled
        copy.neurarig.attachment = ""
    copy.parent = None
    copy.matrix_basis = obj.matrix_world
    for owner in (copy, copy.data):
        if owner.animation_data is not None:
            owner.animation_data.use_tweak_mode = False  # the action cannot be changed in it
            owner.animation_data.action = None
            owner.animation_data.use_nla = False
            for driver in owner.animation_data.drivers:
                for variable in driver.driver.variables:
                    for target in variable.targets:
                        _remap(target, "id", obj, copy)
    for bone in copy.pose.bones:
        for constraint in bone.constraints:
            for key in ("target", "pole_target"):
                _remap(constraint, key, obj, copy)
            for target in getattr(constraint, "targets", ()):
                _remap(target, "target", obj, copy)
    copy.data.pose_position = "POSE"


def _remap(owner: bpy_struct, key: str, obj: Object, copy: Object) -> None:
    looked_at = getattr(owner, key, None)
    if looked_at == obj:
        setattr(owner, key, copy)
    elif looked_at is not None and looked_at == obj.data:
        setattr(owner, key, copy.data)


def hooked_curves(obj: Object) -> list[Object]:
    """Return the curves that spline IK of an armature follows and that its own bones move."""
    targets = [
        constraint.target
        for bone in obj.pose.bones
        for constraint in bone.constraints
        if constraint.type == "SPLINE_IK"
    ]
    return [curve for curve in dict.fromkeys(targets) if curve is not None and any(curve_movers(curve, obj))]


def curve_movers(curve: Object, obj: Object) -> Iterator[str]:
    """Yield the names of the bones of an armature that move a curve: those its points are hooked to, and its
    parent."""
    for modifier in curve.modifiers:
        if modifier.type == "HOOK" and modifier.object == obj and modifier.subtarget:
            yield modifier.subtarget
    if curve.parent == obj and curve.parent_type == "BONE":
        yield curve.parent_bone


def _copied_curve(curve: Object, obj: Object, copy: Object) -> Object:
    """Return a copy of a curve that follows the copy of its armature as it follows the armature, and that the
    copy's bones follow."""
    other = curve.copy()
    if other.parent == obj:
        other.parent = copy
    elif other.parent is not None:
        world = curve.matrix_world.copy()
        other.parent = None
        other.matrix_world = world
    for modifier in other.modifiers:
        if modifier.type == "HOOK" and modifier.object == obj:
            back = modifier.matrix_inverse.copy()
            modifier.object = copy
            modifier.matrix_inverse = back  # Blender forgets it with the object
    for bone in copy.pose.bones:
        for constraint in bone.constraints:
            if constraint.type == "SPLINE_IK" and constraint.target == curve:
                constraint.target = other
    return other
