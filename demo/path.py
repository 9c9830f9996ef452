"""A generated Rigify human walks down a path over a hill: python -m demo.path --out out

Writes path.blend and path.png, and prints the contact report.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import bpy
import numpy as np

import neurarig_addon
from demo.film import Film, read, record
from demo.pictures import as_image
from demo.raster import Solid, camera, draw
from demo.walk import make_character

PATH_M = ((0.0, 0.0), (1.1, -2.0), (-1.1, -4.2), (0.0, -6.6))
SPEED_M_S = 1.2
FRAMES = range(1, 161)
SHOWN_EVERY = 16
HILL_HEIGHT_M, HILL_WIDTH_M, HILL_Y_M = 0.55, 1.1, -3.3
BUMPS_M, BUMPS_A_METRE = 0.03, (0.8, 0.65)
GROUND_M, GROUND_CELLS = 11.0, 140
SAND = (0.75, 0.72, 0.62)
SIZE, VIEW_HEIGHT_M, AROUND_DEG, UP_DEG = (1200, 560), 3.6, 62.0, 16.0
TILE_M = 0.5


def main() -> None:
    """Make the character, its path and its ground, walk it, show it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out"))
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    neurarig_addon.register()
    rig, body = make_character()
    hill = add_hill()
    settings = rig.neurarig.walk
    settings.path, settings.ground, settings.mode, settings.speed = add_path(), hill, "PATH", SPEED_M_S
    bpy.ops.neurarig.generate_walk()
    bpy.ops.neurarig.check_contacts(frame_start=FRAMES[0], frame_end=FRAMES[-1])
    bpy.ops.wm.save_as_mainfile(filepath=str((out / "path.blend").resolve()))
    print(json.dumps(json.loads(settings.report), indent=2))
    as_image(picture(record(body, FRAMES), hill)).save(out / "path.png")
    print("Written:", out / "path.blend", out / "path.png")


def add_path() -> bpy.types.Object:
    """Add the curve that the character follows."""
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    points = curve.splines.new("BEZIER").bezier_points
    points.add(len(PATH_M) - 1)
    for point, (x, y) in zip(points, PATH_M, strict=True):
        point.co = (x, y, 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    path = bpy.data.objects.new("Path", curve)
    bpy.context.collection.objects.link(path)
    return path


def add_hill() -> bpy.types.Object:
    """Add a mesh with a rounded hill across the path, and bumps on it; the character starts at its foot."""
    across = np.linspace(-GROUND_M / 2.0, GROUND_M / 2.0, GROUND_CELLS + 1)
    x, y = np.meshgrid(across, across + HILL_Y_M, indexing="ij")
    away = ((x / 2.0) ** 2 + (y - HILL_Y_M) ** 2) / HILL_WIDTH_M**2
    bumps = np.sin(2.0 * np.pi * BUMPS_A_METRE[0] * x) * np.sin(2.0 * np.pi * BUMPS_A_METRE[1] * y)
    points = np.stack([x, y, HILL_HEIGHT_M * np.exp(-away / 2.0) + BUMPS_M * bumps], axis=2).reshape(-1, 3)
    corner = (np.arange(GROUND_CELLS)[:, None] * (GROUND_CELLS + 1) + np.arange(GROUND_CELLS)).ravel()
    faces = np.stack([corner, corner + GROUND_CELLS + 1, corner + GROUND_CELLS + 2, corner + 1], axis=1)
    mesh = bpy.data.meshes.new("Hill")
    mesh.from_pydata(points.tolist(), [], faces.tolist())
    hill = bpy.data.objects.new("Hill", mesh)
    bpy.context.collection.objects.link(hill)
    bpy.context.view_layer.update()
    return hill


def picture(film: Film, hill: bpy.types.Object) -> np.ndarray:
    """Return the character at some moments of its way in one picture, on its ground."""
    shown = [film.solid(row) for row in range(0, len(film.points), SHOWN_EVERY)]
    middle = np.mean([solid.points.mean(axis=0) for solid in shown], axis=0)
    view = camera(middle, AROUND_DEG, UP_DEG, SIZE, VIEW_HEIGHT_M)
    return draw(view, together([*shown, ground(hill)]), TILE_M, [])


def ground(hill: bpy.types.Object) -> Solid:
    """Return the ground to draw."""
    mesh = hill.data
    mesh.calc_loop_triangles()
    triangles = read(mesh.loop_triangles, "vertices", 3, np.int32)
    points = read(mesh.vertices, "co", 3)
    return Solid(points, read(mesh.vertices, "normal", 3), np.tile(SAND, (len(points), 1)), triangles)


def together(solids: list[Solid]) -> Solid:
    """Return several solids as one."""
    starts = np.cumsum([0] + [len(solid.points) for solid in solids[:-1]])
    points, normals, colours = (np.concatenate([getattr(solid, name) for solid in solids]) for name in ("points", "normals", "colours"))
    return Solid(points, normals, colours, np.concatenate([solid.triangles + start for solid, start in zip(solids, starts, strict=True)]))


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # some bpy modules crash in the interpreter's own exit
