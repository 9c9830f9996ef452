"""A generated Rigify human walks a course: over a hill, round a corner, up and down stairs, and stops: python
-m demo.path --out out

Writes path.blend, path.webp, path.png, path_sheet.png, and the pictures of the listing at
extensions.blender.org, picture.jpg and icon.png (`listing/` holds those that ship), and prints the contact
report.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

import neurarig_addon
from demo import course
from demo.film import Film, record
from demo.pictures import as_image, write_frames, write_row
from demo.raster import Camera, camera, draw
from demo.walk import FPS, make_character

SPEED_M_S = 1.2
LONGEST_S, STANDS_S = 34, 1.0  # of the film; of what is left of it after the stop
WALKS_M = 0.008  # from one picture to the next
SHOWN_EVERY_M = 0.95
WHOLE_SIZE, WHOLE_AROUND_DEG, WHOLE_UP_DEG, MARGIN = (1400, 640), 34.0, 26.0, 1.12
LISTED_SIZE, LISTED_QUALITY = (1920, 1080), 88  # as the site asks
ICON_SIZE, ICON_HIGH_M, ICON_AROUND_DEG, ICON_UP_DEG = (256, 256), 2.1, -55.0, 8.0  # seen round from the face
ICON_LEVEL_M = 0.08  # the middle of a sole is no higher where both feet are on the floor
FILM_SIZE, FILM_HIGH_M, FILM_AROUND_DEG, FILM_UP_DEG = (640, 390), 2.7, 28.0, 16.0
FILMED_EVERY = 5  # frames
PANEL, PANEL_HIGH_M = (270, 330), 2.3
CAMERA_S = 1.2  # the camera goes after the character so calmly
TILE_M = 0.5


def main() -> None:
    """Make the character, its path and its ground, walk it, show it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out"))
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    neurarig_addon.register()
    rig, body = make_character()
    ground = course.add_ground()
    settings = rig.neurarig.walk
    settings.path, settings.ground_collection, settings.mode, settings.speed = (
        course.add_path(),
        ground,
        "PATH",
        SPEED_M_S,
    )
    bpy.ops.neurarig.generate_walk()
    scene = bpy.context.scene
    film = until_it_stands(record(body, range(1, LONGEST_S * FPS, FILMED_EVERY)))
    scene.frame_start, scene.frame_end = 1, 1 + FILMED_EVERY * (len(film.points) - 1)
    bpy.ops.neurarig.check_contacts(frame_start=1, frame_end=scene.frame_end)
    scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=str((out / "path.blend").resolve()))
    print(json.dumps(json.loads(settings.report), indent=2))
    pieces = course.pieces(ground)
    as_image(whole(film, pieces, LISTED_SIZE)).save(
        out / "picture.jpg", quality=LISTED_QUALITY, optimize=True
    )
    as_image(whole(film, pieces, WHOLE_SIZE)).save(out / "path.png")
    as_image(icon(film)).save(out / "icon.png", optimize=True)
    write_frames(out / "path.webp", followed(film, pieces), FPS / FILMED_EVERY)
    write_row(out / "path_sheet.png", moments(film, pieces), "NeuraRig, down a path")
    print(
        "Written:",
        *(
            str(out / name)
            for name in ("path.blend", "path.png", "path.webp", "path_sheet.png", "picture.jpg", "icon.png")
        ),
    )


def until_it_stands(film: Film) -> Film:
    """Return a film that ends a little after the character has come to stand."""
    steps = np.linalg.norm(np.diff([film.middle(row)[:2] for row in range(len(film.points))], axis=0), axis=1)
    end = int(np.flatnonzero(steps > WALKS_M)[-1]) + 1 + round(STANDS_S * FPS / FILMED_EVERY)
    return replace(film, points=film.points[:end], normals=film.normals[:end])


def whole(film: Film, ground: list[course.Piece], size: tuple[int, int]) -> np.ndarray:
    """Return one picture of the course, with the character every metre of its way."""
    middles = np.array([film.middle(row) for row in range(len(film.points))])
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(middles[:, :2], axis=0), axis=1))])
    rows = np.unique(np.searchsorted(gone, np.arange(0.0, gone[-1], SHOWN_EVERY_M)))
    bodies = [film.solid(row) for row in [*rows, len(gone) - 1]]
    return draw(
        around(np.concatenate([body.points for body in bodies]), size),
        course.with_ground(ground, bodies),
        TILE_M,
        [],
    )


def icon(film: Film) -> np.ndarray:
    """Return a small picture of the longest step on the level, seen from the side and a little from
    before."""
    left, right = (film.points[:, rows].mean(axis=1) for rows in film.soles)
    apart = np.where(np.maximum(left, right)[:, 2] < ICON_LEVEL_M, np.linalg.norm(left - right, axis=1), 0.0)
    row = int(np.argmax(apart[:-1]))
    heading = film.middle(row + 1) - film.middle(row)
    around_deg = float(np.degrees(np.arctan2(heading[0], -heading[1]))) + ICON_AROUND_DEG
    target = 0.5 * (film.points[row].min(axis=0) + film.points[row].max(axis=0))
    return draw(camera(target, around_deg, ICON_UP_DEG, ICON_SIZE, ICON_HIGH_M), film.solid(row), TILE_M, [])


def around(points: np.ndarray, size: tuple[int, int]) -> Camera:
    """Return a camera that has points `(n, 3)` in the middle of its picture."""
    level = camera(np.zeros(3), WHOLE_AROUND_DEG, WHOLE_UP_DEG, size, 1.0)
    seen = points @ level.axes.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    wide, tall, _ = MARGIN * (high - low)
    return camera(
        0.5 * (low + high) @ level.axes,
        WHOLE_AROUND_DEG,
        WHOLE_UP_DEG,
        size,
        max(tall, wide * size[1] / size[0]),
    )


def followed(film: Film, ground: list[course.Piece]) -> Iterator[np.ndarray]:
    """Yield the pictures of the walk, the camera going along."""
    middles = np.array([film.middle(row) for row in range(len(film.points))])
    reach = round(CAMERA_S * FPS / FILMED_EVERY)
    kernel = np.hanning(2 * reach + 3)[1:-1] / np.hanning(2 * reach + 3).sum()
    calm = np.stack(
        [np.convolve(np.pad(axis, reach, mode="edge"), kernel, mode="valid") for axis in middles.T], axis=1
    )

    def picture(row: int) -> np.ndarray:
        return at(film, ground, row, camera(calm[row], FILM_AROUND_DEG, FILM_UP_DEG, FILM_SIZE, FILM_HIGH_M))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(picture, range(len(calm)))


def moments(film: Film, ground: list[course.Piece]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name and the picture of each moment of the course."""
    middles = np.array([film.middle(row) for row in range(len(film.points))])
    for name, place in course.moments().items():
        row = (
            int(np.argmin(np.linalg.norm(middles[:, :2] - place, axis=1)))
            if name != "stop"
            else len(middles) - 1
        )
        yield (
            name,
            at(film, ground, row, camera(middles[row], FILM_AROUND_DEG, FILM_UP_DEG, PANEL, PANEL_HIGH_M)),
        )


def at(film: Film, ground: list[course.Piece], row: int, view: Camera) -> np.ndarray:
    """Return the picture of one frame."""
    return draw(view, course.with_ground(ground, [film.solid(row)]), TILE_M, [])


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # some bpy modules crash in the interpreter's own exit
