"""Kinds of scenes: slots of actions and keys of the user's own, rigs that do not stand straight, and walkers that look at each other."""

from dataclasses import replace
from functools import cache

import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector

from benchmarks.drawn_clips.outcome import Outcome
from benchmarks.drawn_clips.recordings import BESIDES, FPS, SECONDS, actor, any_recording, apart, hero, keyed, recorded, retargeted, shown, turned_to
from benchmarks.handler_speed import new_scene
from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.walk.source import source as walk_source
from tests.blender.planted import planted
from tests.blender.walking import played, seen
from tests.rigs import Bone, biped, build, split_limb_biped

LAST = FPS * SECONDS
_OWN_FRAMES = (1, 20, 45, 70)


@cache
def _plain(number: int) -> np.ndarray:
    """Return what a recording in a scene gives that has nothing else."""
    recorded(number)  # which empties the scene
    obj = hero()
    return shown(obj, retargeted(obj, source=actor(number, FPS, 1.0, LAST))[0])


def slots(rng: np.random.Generator) -> Outcome:
    """Draw which slots an action has, which is assigned, and what the character has keyed of its own, which plays on after a bake."""
    number, other = any_recording(rng), any_recording(rng)
    wanted, second = _plain(number), recorded(other)
    obj = hero()
    source = actor(number, FPS, 1.0, LAST, str(rng.choice(["", "Walk", "Other"])))
    action, own = source.animation_data.action, source.animation_data.action_slot
    drawn = [f"'{own.identifier}'"]
    for name in rng.permutation(["Empty", "Back", "Camera", "Actor"])[: rng.integers(4)].tolist():
        slot = action.slots.new("CAMERA" if name == "Camera" else "OBJECT", name)
        if name in ("Back", "Actor"):
            keyed(action, slot, second, LAST - 10.0, 1.0)
        drawn.append(f"'{slot.identifier}'")
    chosen = str(rng.choice(["assigned", "assigned", "none", "given"]))
    given: dict[str, object] = {"source": source}
    if chosen != "assigned":
        source.animation_data.action_slot = None
    if chosen == "given":
        given |= {"action": action, "slot": own.identifier}
    keys = _own_keys(obj, rng) if rng.random() < 0.7 else []
    before = _own(obj, keys)
    made, said = retargeted(obj, **given)
    found, after = shown(obj, made), _own(obj, keys)
    off = apart(turned_to(found, wanted), wanted) if found.shape == wanted.shape else np.inf
    return Outcome(f"{', '.join(drawn)}, {chosen}; {len(keys)} own keyed", max(off, np.abs(after - before).max(initial=0.0)), said)


def own_keys(rng: np.random.Generator) -> Outcome:
    """Draw what a character has keyed of its own in slots of any names, which plays on after a walk is baked, and comes back with its slot."""
    new_scene()
    obj = build([*biped(), *BESIDES], "Hero")
    keys = _own_keys(obj, rng)
    data = obj.animation_data
    for name in ("Empty", "Hero")[: rng.integers(3)]:
        data.action.slots.new("OBJECT", name)
    before, plays = _own(obj, keys), (data.action, data.action_slot.handle)
    api.generate_walk(obj, mode=str(rng.choice(["TRAVEL", "IN_PLACE"])), use_network=False)
    target = str(rng.choice(["CONTROLS", "DEFORM", "BOTH"]))
    api.bake_walk(obj, frame_start=1, frame_end=_OWN_FRAMES[-1], target=target, push_nla=bool(rng.random() < 0.3))
    off = np.abs(_own(obj, keys) - before).max(initial=0.0)
    api.remove_walk(obj)
    data = obj.animation_data
    back = (data.action, data.action_slot and data.action_slot.handle) == plays
    return Outcome(f"{keys}, {target}, {'back' if back else 'not given back'}", float(off) if back else np.inf)


def _own_keys(obj: bpy.types.Object, rng: np.random.Generator) -> list[str]:
    """Key some things of the user's own, and return their paths."""
    paths = []
    for path in ('pose.bones["Tail"].rotation_euler', 'pose.bones["Prop"].rotation_euler', '["mood"]', 'pose.bones["Prop"]["own"]'):
        if rng.random() < 0.7:
            paths.append(path)
    for frame in _OWN_FRAMES:
        for path in paths:
            owner = obj.pose.bones[path.split('"')[1]] if path.startswith("pose") else obj
            if path.endswith("rotation_euler"):
                owner.rotation_mode = "XYZ"
                owner.rotation_euler = rng.uniform(-1.0, 1.0, 3)
                owner.keyframe_insert("rotation_euler", frame=frame)
            else:
                name = path.split('"')[-2]
                owner[name] = float(rng.uniform(-1.0, 1.0))
                owner.keyframe_insert(f'["{name}"]', frame=frame)
    return paths


def _own(obj: bpy.types.Object, paths: list[str]) -> np.ndarray:
    """Return the values of what is keyed on some frames, flat."""
    found = []
    for frame in range(1, _OWN_FRAMES[-1] + 1, 7):
        bpy.context.scene.frame_set(frame)
        found += [np.ravel(obj.path_resolve(path)) for path in paths]
    return np.concatenate(found) if found else np.zeros(0)


def rig(rng: np.random.Generator) -> Outcome:
    """Draw how a biped rests: leaning, with bent limbs, apart from its mirror image, in an object that stands anyhow."""
    new_scene()
    leans = [np.radians(rng.uniform(-most, most)) if rng.random() < 0.5 else 0.0 for most in (15.0, 8.0)]
    bend, spread, spine = (np.radians(rng.uniform(*ends)) if rng.random() < 0.5 else 0.0 for ends in ((0, 40), (-5, 15), (-30, 30)))
    bones = split_limb_biped() if rng.random() < 0.2 else biped(bool(rng.random() < 0.8), rng.uniform(0.0, 80.0))
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
    place = Matrix.LocRotScale(rng.uniform(-2.0, 2.0, 3), Euler((np.pi / 2.0 * rng.integers(2), 0.0, rng.uniform(-np.pi, np.pi))), (size,) * 3)
    obj = build(bones, "Hero", place)
    if rng.random() < 0.3:
        for bone in obj.pose.bones:
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = rng.normal(scale=0.1, size=3)
        api.use_current_pose(obj)
    report = api.generate_walk(obj, mode="TRAVEL")
    said = report_text.warning(obj.name, report)
    floor = np.array(obj.matrix_world) @ walk_source.source_of(obj, bpy.context.scene).body.walk_to_armature
    figures = planted(obj, range(1, 41), None, height=float(floor[2, 3]))
    words = f"leans {np.degrees(leans).round()}, knees {np.degrees(bend):.0f}, legs apart {np.degrees(spread):.0f}, spine {np.degrees(spine):.0f}"
    off = np.inf if report["past_limits"] else max(figures[:3])
    return Outcome(f"{words}, {1e3 * off:.0f} mm anyhow: {figures}, past {report['past_limits']}", off, said)


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
    """Draw who looks at, faces and stands on whom among two to four walkers; a frame shows the same however it was reached."""
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
    return Outcome(", ".join(drawn), float(off), " ".join(filter(None, errors)) if off < 1e-4 else "")
