"""Kinds of walkers: those whose rig does not stand straight, and those that look at, face and stand on each
other."""

from dataclasses import replace

import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector

from benchmarks.drawn_clips.outcome import Outcome
from benchmarks.handler_speed import new_scene
from neurarig_addon.blender import api
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.walk.source import source as walk_source
from tests.blender.planted import planted
from tests.blender.walking import seen
from tests.rigs import Bone, biped, build, split_limb_biped


def rig(rng: np.random.Generator) -> Outcome:
    """Draw how a biped rests: leaning, with bent limbs, apart from its mirror image, in an object that stands
    anyhow."""
    new_scene()
    leans = [np.radians(rng.uniform(-most, most)) if rng.random() < 0.5 else 0.0 for most in (15.0, 8.0)]
    bend, spread, spine = (
        np.radians(rng.uniform(*ends)) if rng.random() < 0.5 else 0.0
        for ends in ((0, 40), (-5, 15), (-30, 30))
    )
    bones = (
        split_limb_biped() if rng.random() < 0.2 else biped(bool(rng.random() < 0.8), rng.uniform(0.0, 80.0))
    )
    for side, out in (("Left", 1.0), ("Right", -1.0)):
        bones = _turned(bones, f"{side}UpLeg", Euler((-0.5 * bend, -out * spread, 0.0)))
        bones = _turned(bones, f"{side}Leg", Euler((bend, 0.0, 0.0)))
        bones = _turned(bones, f"{side}Foot", Euler((-0.5 * bend, out * spread, 0.0)))
    bones = _turned(bones, "Spine", Euler((spine, 0.0, 0.0)))
    bones = _turned(bones, "Hips", Euler((*leans, 0.0)))
    off = rng.uniform(0.0, 0.015) * (rng.random() < 0.5)
    shifts = {bone.name: Matrix.Translation(rng.uniform(-off, off, 3)) for bone in bones}
    bones = [_moved(bone, shifts[bone.name]) for bone in bones]
    size = float(rng.choice([0.01, 0.3, 1.0, 1.0, 3.0]))
    place = Matrix.LocRotScale(
        rng.uniform(-2.0, 2.0, 3),
        Euler((np.pi / 2.0 * rng.integers(2), 0.0, rng.uniform(-np.pi, np.pi))),
        (size,) * 3,
    )
    obj = build(bones, "Hero", place)
    if rng.random() < 0.3:
        for bone in obj.pose.bones:
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = rng.normal(scale=0.1, size=3)
        api.use_current_pose(obj)
    report = api.generate_walk(obj, mode="TRAVEL")
    said = " ".join(filter(None, (report_text.warning(obj.name, report), api.uneven_feet(obj))))
    floor = np.array(obj.matrix_world) @ walk_source.source_of(obj, bpy.context.scene).body.walk_to_armature
    figures = planted(obj, range(1, 41), None, height=float(floor[2, 3]))
    off = np.inf if report["past_limits"] else max(figures[:3])
    lean = ", ".join(f"{angle:.0f}" for angle in np.degrees([*leans, bend, spread, spine]))
    return Outcome(f"leans {lean} degrees, {size:g} as large, past {report['past_limits']}", off, said)


def _turned(bones: list[Bone], name: str, turn: Euler) -> list[Bone]:
    """Return a table with a bone, and all below it, turned about its head."""
    below = {name}
    for bone in bones:
        if bone.parent in below:
            below.add(bone.name)
    head = Matrix.Translation(next(bone.head for bone in bones if bone.name == name))
    moved = head @ turn.to_matrix().to_4x4() @ head.inverted()
    return [_moved(bone, moved) if bone.name in below else bone for bone in bones]


def _moved(bone: Bone, by: Matrix) -> Bone:
    return replace(bone, head=tuple(by @ Vector(bone.head)), tail=tuple(by @ Vector(bone.tail)))


def looks(rng: np.random.Generator) -> Outcome:
    """Draw who looks at, faces and stands on whom among two to four walkers; a frame shows the same however
    it was reached."""
    new_scene()
    walkers = []
    for number in range(int(rng.integers(2, 5))):
        obj = build(biped(), f"Walker {number}")
        obj.location = (3.0 * number, rng.uniform(-2.0, 2.0), 0.0)
        bpy.context.view_layer.update()
        api.generate_walk(obj, mode=str(rng.choice(["TRAVEL", "IN_PLACE"])), use_network=False)
        walkers.append(obj)
    drawn = []
    for _ in range(int(rng.integers(1, 2 * len(walkers) + 1))):
        one, other = rng.choice(len(walkers), 2, replace=False)
        setting = str(rng.choice(["look_at", "face", "stand_on"], p=[0.45, 0.35, 0.2]))
        bpy.context.scene.frame_set(int(rng.integers(1, 60)))
        setattr(walkers[one].neurarig.walk, setting, walkers[other])
        bpy.context.view_layer.update()
        drawn.append(f"{one} {setting} {other}")
    frames = rng.choice(np.arange(1.0, 60.0, 0.5), 6, replace=False)
    found = []
    for order in (rng.permutation(frames) for _ in range(3)):
        poses = {frame: np.array([seen(obj, frame) for obj in walkers]) for frame in order}
        found.append(np.array([poses[frame] for frame in frames]))
    errors = [obj.neurarig.walk.error for obj in walkers]
    if any("internal error" in error for error in errors):
        return Outcome(f"{', '.join(drawn)}: {errors}", np.inf)
    off = max(np.abs(other - found[0]).max() for other in found[1:])
    return Outcome(", ".join(drawn), float(off), is_refused=any(errors))
