"""Who is who and which control does what: detected, corrected, probed, saved and applied as presets; scales, odd rest poses, no bipeds."""

from functools import partial

import bpy
from mathutils import Matrix

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.manner.presets import CONTROLS, ROLES
from tests import rigs
from tests.blender.record.characters import RIGS
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.drawn_rigs import draw_rig
from tests.rigs import make_active

FRAMES = (1, 12)
NO_BIPEDS = {
    "quadruped": rigs.quadruped,
    "arms only": rigs.arms_only,
    "one leg": rigs.one_leg,
    "half": lambda: rigs.biped()[:4],
    "nothing": list,
}


def found(make: str, seen: Seen) -> None:
    """Detect bones and find controls, look, and make the rig walk by them in its IK and FK controls."""
    obj = RIGS[make]()
    make_active(obj)
    seen.ask(api.detect_rig, obj)
    seen.note("map", seen.ask(api.find_controls, obj))
    seen.look(1)
    for kind in ("AUTO", "FK"):
        seen.ask(api.generate_walk, obj, use_network=False, controls=kind)
        seen.look(*FRAMES)
        seen.ask(api.bake_walk, obj, frame_start=1, frame_end=5)
        seen.ask(api.remove_walk, obj)
        seen.look(1)


def corrected(seen: Seen) -> None:
    """Correct roles and controls by hand, find again, save both as presets and apply them to another."""
    obj = RIGS["drawn 8"]()
    make_active(obj)
    seen.press("detect_rig")
    seen.press("find_controls")
    own = obj.neurarig
    for item in own.roles:
        if item.role in ("head", "toe.L"):
            item.bone = ""
    for item in list(own.control_bones)[:2]:
        item.bone = ""
    seen.look(1)
    seen.press("find_controls")
    seen.look(1)
    for kind in (ROLES, CONTROLS, "WALK"):
        seen.press("add_preset", kind=kind, preset="Mine")
        seen.press("add_preset", kind=kind, preset="")
    other = draw_rig(8).obj
    make_active(other)
    for kind in (ROLES, CONTROLS, "WALK"):
        seen.press("apply_preset", kind=kind, preset="Mine")
        seen.press("apply_preset", kind=kind, preset="Yours")
    seen.look(1)
    seen.press("generate_walk")
    seen.look(*FRAMES)
    for item in other.neurarig.roles:
        if item.role == "shin.L":
            item.bone = "nothing"
    seen.look(*FRAMES)
    seen.press("generate_walk")
    for kind in (ROLES, CONTROLS, "WALK"):
        seen.press("remove_preset", kind=kind, preset="Mine")
        seen.press("remove_preset", kind=kind, preset="Mine")
    bones = RIGS["bones"]()
    make_active(bones)
    seen.press("find_controls")
    for kind in (ROLES, CONTROLS):
        seen.press("add_preset", kind=kind, preset="Mine")
    seen.look(1)


def no_biped(name: str, seen: Seen) -> None:
    """Ask all of what is no biped."""
    obj = rigs.build(NO_BIPEDS[name](), "Odd")
    for call in (api.detect_rig, api.find_controls, api.generate_walk, api.pose_targets, api.apply_scale, api.add_path):
        seen.ask(call, obj)
    seen.press("detect_rig")
    seen.press("generate_walk")
    seen.look(1)


def scaled(seen: Seen) -> None:
    """Scale unevenly, mirror, turn over, under parents; with and without keys; and apply it."""
    for number, scale in enumerate([(1.0, 1.0, 1.4), (-1.0, 1.0, 1.0), (0.5, 0.5, 0.5), (0.0, 1.0, 1.0), (2.0, 1.0, 1.0)]):
        obj = RIGS["animated"]()
        obj.scale = scale
        if number == 4:
            obj.keyframe_insert("scale", frame=1)
        bpy.context.view_layer.update()
        seen.ask(api.generate_walk, obj, use_network=False)
        seen.press("apply_scale")
        seen.look(1)
        seen.ask(api.generate_walk, obj, use_network=False)
        seen.look(*FRAMES)
        seen.press("apply_scale")
        bpy.data.objects.remove(obj)
        bpy.context.view_layer.update()
    obj = RIGS["bones"]()
    ship = bpy.data.objects.new("Ship", None)
    bpy.context.scene.collection.objects.link(ship)
    ship.scale = (1.0, 1.3, 1.0)
    obj.parent = ship
    bpy.context.view_layer.update()
    make_active(obj)
    seen.press("apply_scale")
    seen.look(1)
    seen.press("generate_walk")
    seen.look(*FRAMES)


def resting(seen: Seen) -> None:
    """Make characters walk whose rest pose does not stand: lying, and bent in the knees."""
    lying = rigs.build(rigs.biped(), "Lying", Matrix.Rotation(1.5707963, 4, "X"))
    make_active(lying)
    lying.matrix_world = Matrix()
    bpy.context.view_layer.update()
    seen.ask(api.detect_rig, lying)
    seen.ask(api.generate_walk, lying, use_network=False)
    seen.look(*FRAMES)
    seen.ask(api.remove_walk, lying)
    bent = RIGS["bones"]()
    make_active(bent)
    bpy.ops.object.mode_set(mode="EDIT")
    for side in ("Left", "Right"):
        bone = bent.data.edit_bones[f"{side}Leg"]
        bone.tail.y += 0.2
        bent.data.edit_bones[f"{side}Foot"].head.y += 0.2
    bpy.ops.object.mode_set(mode="OBJECT")
    seen.ask(api.generate_walk, bent, use_network=False)
    seen.look(*FRAMES)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{f"found on {make}": partial(found, make) for make in ("leg ik", "drawn 8")},
        "corrected": corrected,
        **{f"{name} is none": partial(no_biped, name) for name in NO_BIPEDS},
        "scaled": scaled,
        "resting": resting,
    }
