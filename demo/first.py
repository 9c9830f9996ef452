"""The first film of README and site: python -m demo.first --out docs/images

A human walks up and down stairs, a dog goes by. The camera stands, so that planted feet are seen to stand.
Rendered by Cycles, in some twenty minutes. Writes first.webp, which repeats; `--still FRAME`: one picture.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector
from PIL import Image

import neurarig_addon
from demo import course
from demo.dog import make_dog
from demo.mannequin import activate
from demo.moving import open_made, shown
from demo.stage import linked
from demo.walk import FPS, make_character
from neurarig_addon.blender import api

SIZE, SAMPLES, QUALITY = (960, 480), 14, 72
FRAMES, BEGINS_AT = range(40, 234), 126  # between two empty stages; the first picture that is seen
SPEED_M_S, DOG_M_S, WAY_M = 1.45, 1.3, 4.6  # the way leads so far to either side of the picture's middle
FIRST_NOSE_M, RISER_M, TREAD_M, STEPS, LANDING_M, STAIRS_M = 0.75, 0.17, 0.32, 2, 0.95, 0.75
DOG_BESIDE_M, DOG_BEHIND_M = 1.25, 0.6
LENS_MM, AWAY_M, EYE_M, AIM_M = 70.0, 10.9, 2.1, 1.0
FLOOR, WOOD = (0.60, 0.59, 0.565), (0.50, 0.36, 0.23)
SUN = (0.65, -0.45, -1.0)
BODIES = ("Mannequin", "Body")
STILL = (2.0, 6.0)  # of 255: what changes less is the empty stage, and what changes more is not
ASIDE = 0.04  # of the picture: so far around the bodies and their shadows it is rendered again


def main() -> None:
    """Set the stage, let them pass, and film it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--still", type=int)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    kept = Path("out/recipes")
    kept.mkdir(parents=True, exist_ok=True)
    neurarig_addon.register()
    passed(kept)
    if options.still is not None:
        Image.fromarray(picture(options.still)).save(options.out / "first.png")
        return
    write(
        options.out / "first.webp", filmed([*range(BEGINS_AT, FRAMES.stop), *range(FRAMES.start, BEGINS_AT)])
    )
    print("Written:", options.out / "first.webp")


def write(path: Path, pictures: Iterator[Image.Image]) -> None:
    """Write pictures as an animated WebP that repeats, as small as it can be."""
    next(pictures).save(
        path,
        save_all=True,
        append_images=pictures,
        duration=round(1000.0 / FPS),
        loop=0,
        quality=QUALITY,
        method=6,
        minimize_size=True,
    )


def passed(kept: Path) -> None:
    """Set the stage and have them walk across it."""
    other, _ = open_made(kept, make_dog)
    names = [other.name, *(child.name for child in other.children)]
    hero, _ = open_made(kept, make_character)
    with bpy.data.libraries.load(str((kept / "make_dog.blend").resolve())) as (_, wanted):
        wanted.objects = names
    dog = linked(wanted.objects[0])
    for body in wanted.objects[1:]:
        linked(body)
    ground = stage()
    ways = [((0.0, WAY_M), (0.0, -WAY_M)), ((-DOG_BESIDE_M, WAY_M + DOG_BEHIND_M), (-DOG_BESIDE_M, -WAY_M))]
    for rig, way, speed in zip((hero, dog), ways, (SPEED_M_S, DOG_M_S), strict=True):
        activate(rig)
        bpy.context.view_layer.update()
        api.generate_walk(rig, mode="PATH", path=course.add_path(way, way), ground=ground, speed=speed)
    light()


def stage() -> bpy.types.Collection:
    """Build floor and stairs; with a camera before it; return what is walked on."""
    scene = bpy.context.scene
    turn = np.linspace(0.0, 0.5 * np.pi, 24)
    deep = np.concatenate([[-14.0, 6.0], 6.0 + 9.0 * np.sin(turn)])
    high = np.concatenate([[0.0, 0.0], 9.0 * (1.0 - np.cos(turn))])
    x, y = np.meshgrid(deep, np.linspace(-30.0, 30.0, 5), indexing="ij")
    z = np.broadcast_to(high[:, None], x.shape)
    room = linked(bpy.data.objects.new("Room", course.grid_mesh("Room", np.stack([x, y, z], axis=-1))))
    room.data.shade_smooth()
    steps = linked(bpy.data.objects.new("Stairs", flight()))
    ground = bpy.data.collections.new("Ground")
    scene.collection.children.link(ground)
    for obj, colour in ((room, FLOOR), (steps, WOOD)):
        ground.objects.link(obj)
        obj.data.materials.append(matte(obj.name, colour))
    camera = linked(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    camera.data.lens = LENS_MM
    camera.location = (-AWAY_M, 0.0, EYE_M)
    camera.rotation_euler = Vector((AWAY_M, 0.0, AIM_M - EYE_M)).to_track_quat("-Z", "Y").to_euler()
    scene.camera = camera
    bpy.context.view_layer.update()
    return ground


def flight() -> bpy.types.Mesh:
    """Return steps up to a landing and down again, across the way."""
    up = FIRST_NOSE_M - TREAD_M * np.arange(STEPS)
    edges = np.concatenate([up, up[-1] - LANDING_M - TREAD_M * np.arange(STEPS)])
    levels = RISER_M * np.concatenate([np.arange(STEPS + 1), np.arange(STEPS - 1, -1, -1)])
    along = np.repeat(edges, 2)
    high = np.stack([levels[:-1], levels[1:]], axis=1).ravel()
    y, x = np.meshgrid(along, np.linspace(-STAIRS_M, STAIRS_M, 9), indexing="ij")
    z = np.broadcast_to(high[:, None], x.shape)
    return course.grid_mesh("Stairs", np.stack([x, y, z], axis=-1), sides=True)


def matte(name: str, colour: tuple[float, float, float]) -> bpy.types.Material:
    """Return a matte material of one colour."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    surface = material.node_tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = (*colour, 1.0)
    surface.inputs["Roughness"].default_value = 0.9
    surface.inputs["Specular IOR Level"].default_value = 0.1
    return material


def light() -> None:
    """Light the stage by a soft sun and a bright sky, and choose how it is rendered."""
    scene = bpy.context.scene
    sun = linked(bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN")))
    sun.data.energy, sun.data.angle = 2.7, np.radians(12.0)
    sun.data.color = (1.0, 0.95, 0.88)
    sun.rotation_euler = Vector(SUN).to_track_quat("-Z", "Y").to_euler()
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.use_nodes = True
    sky = scene.world.node_tree.nodes["Background"]
    sky.inputs["Color"].default_value, sky.inputs["Strength"].default_value = (0.72, 0.84, 1.0, 1.0), 0.5
    for material in (each for each in bpy.data.materials if each.name.startswith("Body")):
        nodes, links = material.node_tree.nodes, material.node_tree.links
        deeper = nodes.new("ShaderNodeGamma")  # the colours are as a screen shows them
        deeper.inputs["Gamma"].default_value = 2.2
        links.new(nodes["Attribute"].outputs["Color"], deeper.inputs["Color"])
        links.new(deeper.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    render = scene.render
    render.engine, render.use_persistent_data = "CYCLES", True
    render.resolution_x, render.resolution_y = SIZE
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = SAMPLES, True, 2
    scene.cycles.denoising_quality, scene.cycles.denoising_prefilter = "FAST", "NONE"
    scene.view_settings.view_transform = "Standard"


def picture(frame: int, part: tuple[float, float, float, float] | None = None) -> np.ndarray:
    """Return the rendered picture of a frame, or only a part of it: left, right, low, high as shares."""
    scene = bpy.context.scene
    scene.frame_set(frame)
    scene.render.use_border = part is not None
    if part:
        scene.render.border_min_x, scene.render.border_max_x = part[:2]
        scene.render.border_min_y, scene.render.border_max_y = part[2:]
    scene.render.filepath = str(Path(bpy.app.tempdir) / "first.png")
    bpy.ops.render.render(write_still=True)
    with Image.open(scene.render.filepath) as image:
        return np.array(image.convert("RGB"))


def filmed(frames: Iterable[int]) -> Iterator[Image.Image]:
    """Yield the pictures of frames; the empty stage is the same in all of them."""
    hide(True)
    empty = picture(FRAMES[0]).astype(float)
    hide(False)
    high, wide = empty.shape[:2]
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        left, right, low, upper = part = changed()
        seen = picture(frame, part)
        rows = slice(round((1.0 - upper) * high) + 1, round((1.0 - low) * high) - 1)
        columns = slice(round(left * wide) + 1, round(right * wide) - 1)
        off = (seen - empty)[rows, columns]
        share = np.clip(
            (np.abs(off).max(axis=-1, keepdims=True) - STILL[0]) / (STILL[1] - STILL[0]), 0.0, 1.0
        )
        shot = empty.copy()
        shot[rows, columns] += share * off
        yield Image.fromarray((shot + 0.5).astype(np.uint8))


def hide(is_hidden: bool) -> None:
    """Leave the bodies out of the picture, or have them in it."""
    for name in BODIES:
        bpy.data.objects[name].hide_render = is_hidden


def changed() -> tuple[float, float, float, float]:
    """Return the part of the picture with the bodies and their shadows: left, right, low, high as shares."""
    scene = bpy.context.scene
    places = np.concatenate([shown(bpy.data.objects[name], None).points[::20] for name in BODIES])
    shadows = places - places[:, 2:] / SUN[2] * np.array(SUN)
    seen = np.array(
        [world_to_camera_view(scene, scene.camera, Vector(place)) for place in (*places, *shadows)]
    )
    low, high = (np.clip(end, 0.0, 1.0) for end in (seen.min(axis=0) - ASIDE, seen.max(axis=0) + ASIDE))
    return low[0], max(high[0], low[0] + 2.0 * ASIDE), low[1], high[1]


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # some bpy modules crash in the interpreter's own exit
