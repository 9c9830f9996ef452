"""A generated Rigify human walks: python -m demo.walk --out out

Writes walk.blend, walk.webp, walk_side.png, walk_front.png and report.json, and prints the contact report;
with --gait run, run.blend and so on.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import bpy
import numpy as np

import neurarig_addon
from demo.film import footprints, record
from demo.mannequin import activate, add_mannequin
from demo.pictures import FRONT_DEG, SIDE_DEG, Photographer, write_cycle, write_sheet

ENDINGS = (".blend", ".webp", "_side.png", "_front.png")
FPS = 24
BAKED_CYCLES = 4
FILMED_CYCLES = 3
TILES_IN_A_STRIDE = 4  # an even number, so that the ground repeats with the walk


def main() -> None:
    """Make the character, walk it, bake it, show it."""
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    neurarig_addon.register()
    rig, body = make_character()
    action = walk(rig, options)
    bpy.ops.wm.save_as_mainfile(filepath=str((options.out / f"{options.gait}.blend").resolve()))
    report = json.loads(rig.neurarig.walk.report)
    report_file = "report.json" if options.gait == "walk" else f"{options.gait}_report.json"
    (options.out / report_file).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    take_pictures(body, action, options.out, options.gait)
    print(json.dumps(report, indent=2))
    print(
        "Written:",
        *(str(options.out / f"{options.gait}{ending}") for ending in ENDINGS),
        str(options.out / report_file),
    )


def parse_arguments() -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--speed", type=float, help="m/s (default: natural for the leg length)")
    parser.add_argument("--gait", choices=("walk", "run", "skip", "gallop", "hop"), default="walk")
    parser.add_argument("--preset", help="a walk preset, such as Heavy")
    return parser.parse_args()


def make_character() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a generated Rigify human and its body in an otherwise empty scene."""
    import addon_utils  # part of bpy: found only once bpy is imported

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = FPS
    addon_utils.enable("rigify", default_set=True)
    bpy.ops.object.armature_human_metarig_add()
    metarig = bpy.context.object
    bpy.ops.pose.rigify_generate()
    rig = bpy.context.object
    bpy.data.objects.remove(metarig)
    bpy.context.view_layer.update()
    rig.name = "Walker"
    body = add_mannequin(rig)
    activate(rig)
    return rig, body


def walk(rig: bpy.types.Object, options: argparse.Namespace) -> bpy.types.Action:
    """Generate the walk, bake it in travel and return the action; the contact report is measured on the baked
    pose."""
    if options.preset:
        bpy.ops.neurarig.apply_preset(preset=options.preset)
    rig.neurarig.walk.gait = options.gait.upper()
    bpy.ops.neurarig.generate_walk()
    rig.neurarig.walk.mode = "TRAVEL"
    if options.speed:
        rig.neurarig.walk.speed = options.speed
    bpy.ops.neurarig.check_contacts()
    cycle = json.loads(rig.neurarig.walk.report)["cycle_frames"]
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 1 + round(BAKED_CYCLES * cycle)
    bpy.ops.neurarig.bake_walk(
        frame_start=scene.frame_start, frame_end=scene.frame_end, target="CONTROLS", keys="DENSE", check=True
    )
    return rig.animation_data.action


def take_pictures(body: bpy.types.Object, action: bpy.types.Action, folder: Path, gait: str) -> None:
    """Film the middle of the baked walk and write the pictures."""
    cycle = round(action["cycle_frames"])
    contact = next(
        marker.frame
        for marker in action.pose_markers
        if marker.name == "L Contact" and marker.frame > cycle // 2
    )
    film = record(body, range(contact - cycle, contact - cycle + FILMED_CYCLES * cycle))
    step = (film.middle(2 * cycle) - film.middle(cycle)) / cycle
    photographer = Photographer(
        film, step, float(np.linalg.norm(step)) * cycle / TILES_IN_A_STRIDE, footprints(film)
    )
    write_cycle(folder / f"{gait}.webp", photographer, range(cycle, 2 * cycle), FPS)
    poses = key_poses(action, contact, cycle)
    speed = float(action["ground_speed"])
    for around, name in ((SIDE_DEG, "side"), (FRONT_DEG, "front")):
        write_sheet(
            folder / f"{gait}_{name}.png",
            photographer,
            poses,
            around,
            f"NeuraRig {gait}, {speed:.2f} m/s, {name}",
        )


def key_poses(action: bpy.types.Action, contact: int, cycle: int) -> list[tuple[str, int]]:
    """Return the key poses of one cycle from a left contact as names and rows of the film."""
    markers = sorted(
        (marker.frame, marker.name)
        for marker in action.pose_markers
        if contact <= marker.frame < contact + cycle
    )
    return [(name, frame - contact + cycle) for frame, name in markers]


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # some bpy modules crash in the interpreter's own exit
