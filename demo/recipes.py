"""The recipes of the site, done and filmed: python -m demo.recipes --out docs/images

Writes recipe_NAME.webp for each recipe, or for those that are named after the options. Each function does
with `api` what its page in
docs/recipes tells to click.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import bpy
import numpy as np
from mathutils import Euler, Vector

import neurarig_addon
from demo import course
from demo.dog import make_dog
from demo.mannequin import activate
from demo.moving import Shot, film, open_made
from demo.stage import armchair, block, box_and_table, disc, mound
from demo.stage import stairs as flight
from demo.walk import make_character
from neurarig_addon.blender import api
from tests.blender.reaching import place_of, target_of
from tests.rigs import biped, build

WOOD, CARD, STONE = (0.62, 0.45, 0.28), (0.78, 0.62, 0.42), (0.76, 0.74, 0.71)
ORANGE, WATER = (0.90, 0.36, 0.13), (0.36, 0.50, 0.62)


def mark(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Walk to a mark and stand there."""
    api.generate_walk(
        hero, mode="PATH", path=course.add_path([(0.0, 0.0), (0.5, -1.5), (0.0, -3.0)], ()), arrive=80
    )
    return Shot(range(1, 108), [body], things=[(disc("Mark", 0.0, -3.0, 0.26), ORANGE)])


def stairs(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Walk over a mesh with steps."""
    steps = flight()
    api.generate_walk(
        hero, mode="PATH", path=course.add_path([(0.0, 0.0), (0.0, -2.0), (0.0, -4.4)], ()), ground=steps
    )
    return Shot(range(24, 164), [body], around_deg=-65.0, up_deg=24.0, high_m=2.8, ground=[(steps, STONE)])


def box(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Carry a box to a table: picked up and put down with both hands."""
    api.generate_walk(hero, mode="TRAVEL")
    carried, table = box_and_table()
    api.add_act(hero, "PICK_UP", thing=carried, hand="BOTH")
    last = api.add_act(hero, "PUT_DOWN", thing=carried, at=table)
    first, end = int(api.list_acts(hero)[0]["frames"][0]), int(api.list_acts(hero)[last]["frames"][1])
    return Shot(
        range(first + 6, end - 8),
        [body],
        around_deg=-60.0,
        high_m=2.7,
        things=[(carried, CARD), (table, WOOD)],
    )


def sit(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Sit down in an armchair, its back to where the walk comes from, and go on."""
    api.generate_walk(hero, mode="TRAVEL")
    chair = armchair()
    act = api.add_act(hero, "SIT", thing=chair, seconds=1.0)
    first, end = (int(frame) for frame in api.list_acts(hero)[act]["frames"])
    return Shot(
        range(first - 12, end - 4), [body], around_deg=140.0, up_deg=18.0, stays=True, things=[(chair, WOOD)]
    )


def footprint(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Step beside a puddle: one print is moved aside."""
    api.generate_walk(hero, mode="TRAVEL")
    (planned,) = api.take_prints(hero, [("LEFT", 2)])
    puddle = planned.matrix_world.translation.copy()
    planned.location.x += 0.26
    planned.rotation_euler.z += 0.3
    bpy.context.view_layer.update()
    api.put_away_prints(hero)
    return Shot(
        range(25, 110),
        [body],
        around_deg=-40.0,
        things=[(disc("Puddle", puddle.x, puddle.y, 0.19), WATER)],
        prints=True,
    )


def bake(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Bake to few keys, and have the torso duck under a beam by moving its keys."""
    api.generate_walk(hero, mode="TRAVEL")
    action = api.bake_walk(hero, frame_start=1, frame_end=97, keys="EDITABLE")
    torso = hero.pose.bones["torso"]
    down = torso.bone.matrix_local.to_3x3().inverted() @ Vector((0.0, 0.0, -0.3))
    curves = action.layers[0].strips[0].channelbags[0].fcurves
    for number in range(3):
        moved = curves.find(torso.path_from_id("location"), index=number)
        for key in moved.keyframe_points:
            share = (
                max(0.0, np.cos(np.pi * (key.co.x - 50.0) / 44.0)) ** 2
                if abs(key.co.x - 50.0) < 22.0
                else 0.0
            )
            key.co.y += share * down[number]
            key.handle_left.y += share * down[number]
            key.handle_right.y += share * down[number]
        moved.update()
    bpy.context.scene.frame_set(50)
    under = place_of(hero, "head")
    beam = block("Beam", (-0.9, under[1] - 0.1, 1.55), (0.9, under[1] + 0.04, 1.67))
    return Shot(range(14, 92), [body], around_deg=-65.0, high_m=2.7, things=[(beam, WOOD)])


def wave(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Wave while walking: an action with keys of one arm, played on top."""
    hero.animation_data_create()
    hero.animation_data.action = action = bpy.data.actions.new("Wave")
    for frame, elbow in ((30, 60), (36, 25), (42, 60), (48, 25), (54, 60)):
        turn(hero, "upper_arm_fk.L", Euler(np.radians((0.0, -58.0, 0.0))), frame)
        turn(hero, "forearm_fk.L", Euler(np.radians((0.0, -elbow, 0.0))), frame)
    api.generate_walk(hero, mode="TRAVEL")
    api.layer_action(hero, action, parts=["LEFT_ARM"], ease=8)
    return Shot(range(14, 76), [body], around_deg=-20.0)


def bvh(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Put a BVH file on the character."""
    file = Path(bpy.app.tempdir) / "zombie.bvh"
    actor = build(biped(), "Actor")
    activate(actor)
    api.generate_walk(actor, mode="TRAVEL", styles={"Zombie": 1.0}, travel_with="BONE", controls="FK")
    api.bake_walk(actor, frame_start=1, frame_end=90)
    bpy.ops.export_anim.bvh(filepath=str(file), frame_start=1, frame_end=90)
    bpy.data.objects.remove(actor)
    activate(hero)
    api.retarget(hero, file=str(file))
    return Shot(range(6, 90), [body], around_deg=-50.0)


def run(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Run."""
    api.generate_walk(hero, gait="RUN", mode="TRAVEL")
    return Shot(range(20, 74), [body], around_deg=-70.0)


def touch(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Touch the floor with one hand: its target is moved, and the body follows."""
    api.pose_targets(hero, "MAIN")
    hand = target_of(hero, "wrist.L")
    stands = hand.location.copy()
    for frame, place in (
        (1, stands),
        (6, stands),
        (30, Vector((0.28, -0.42, 0.1))),
        (40, Vector((0.28, -0.42, 0.1))),
        (60, stands),
    ):
        hand.location = place
        hand.keyframe_insert("location", frame=frame)
    return Shot(range(1, 66), [body], around_deg=-45.0, stays=True)


def several(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Several characters, everyone somebody else and at another moment of the stride."""
    cast = [(hero, body), *(copied(hero, body, ((-1) ** number * 0.95, 0.5, 0.0)) for number in (1, 2))]
    for number, (rig, _) in enumerate(cast):
        activate(rig)
        api.generate_walk(
            rig,
            mode="TRAVEL",
            individual=1.0,
            person_seed=number + 1,
            variation=1.0,
            variation_seed=number,
            phase=0.3 * number,
        )
    return Shot(range(25, 97), [skin for _, skin in cast], around_deg=-22.0, high_m=2.9)


def animal(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """A dog walks round a bend, trots over a hill and gallops: its speed is keyed, and its gait follows."""
    hill, ground = mound(0.95, -3.3, 1.1, 0.2), bpy.data.collections.new("Ground")
    for each in (hill, block("Floor", (-2.0, -13.0, -0.1), (11.0, 2.0, 0.0))):
        ground.objects.link(each)
    way = [(0.0, 0.0), (0.0, -1.2), (0.35, -2.45), (1.2, -3.6), (4.2, -6.6), (8.2, -10.6)]
    api.generate_walk(
        hero, gait="BY_SPEED", mode="PATH", path=course.add_path(way, ()), ground=ground, speed=0.9
    )
    for frame, speed in ((52, 0.9), (60, 2.0), (84, 2.0), (92, 4.0)):
        hero.neurarig.walk.speed = speed
        hero.neurarig.walk.keyframe_insert("speed", frame=frame)
    return Shot(range(30, 118), [body], around_deg=-45.0, high_m=1.2, ground=[(hill, course.GRASS)], every=1)


RECIPES: dict[str, Callable[[bpy.types.Object, bpy.types.Object], Shot]] = {
    each.__name__: each
    for each in (mark, stairs, box, sit, footprint, bake, wave, bvh, run, touch, several, animal)
}
CAST = {animal: make_dog}  # who does it, where it is not the Rigify human


def copied(
    hero: bpy.types.Object, body: bpy.types.Object, place: tuple[float, float, float]
) -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a copy of a character at a place: its rig and its body."""
    bpy.ops.object.select_all(action="DESELECT")
    for obj in (body, hero):
        obj.select_set(True)
    bpy.context.view_layer.objects.active = hero
    bpy.ops.object.duplicate()
    chosen = list(bpy.context.selected_objects)
    rig, skin = (next(obj for obj in chosen if obj.type == kind) for kind in ("ARMATURE", "MESH"))
    rig.location = place
    return rig, skin


def turn(hero: bpy.types.Object, name: str, rotation: Euler, frame: int) -> None:
    """Key a control's rotation about the axes of the armature."""
    bone = hero.pose.bones[name]
    axes_of = bone.bone.matrix_local.to_3x3()
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = (axes_of.inverted() @ rotation.to_matrix() @ axes_of).to_quaternion()
    bone.keyframe_insert("rotation_quaternion", frame=frame)


def film_each(
    told: str,
    kind: str,
    shots: Mapping[str, Callable[[bpy.types.Object, bpy.types.Object], Shot]],
    cast: Mapping[Callable, Callable],
) -> None:
    """Do and film what the command line names, all by default, as KIND_NAME.webp; then leave."""
    parser = argparse.ArgumentParser(description=told.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("names", nargs="*", choices=[*shots, []], help="default: all")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    kept = Path("out/recipes")
    kept.mkdir(parents=True, exist_ok=True)
    neurarig_addon.register()
    for name in options.names or shots:
        file = options.out / f"{kind}_{name}.webp"
        film(shots[name](*open_made(kept, cast.get(shots[name], make_character))), file)
        print("Written:", file, flush=True)
    sys.stdout.flush()
    os._exit(0)  # some bpy modules crash in the interpreter's own exit


if __name__ == "__main__":
    film_each(__doc__, "recipe", RECIPES, CAST)
