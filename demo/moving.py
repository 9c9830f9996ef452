"""A character that is filmed while it does what a recipe says, as a small picture that moves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from demo import course
from demo.film import Film, footprints, read, sole
from demo.pictures import write_frames
from demo.raster import Solid, camera, draw, together
from demo.walk import FPS

SIZE, TILE_M = (360, 270), 0.5
EVERY = 2  # frames
CALM_S = 0.8  # the camera goes after the character so calmly


@dataclass(frozen=True)
class Shot:
    """What is filmed: characters' bodies, things beside them in a colour, and ground that does not move.

    `around_deg`, `up_deg`: where the camera stands, 0 before a character that faces -Y. `stays`: the camera
    does not go along.
    `prints`: the first body leaves footprints. `every` so many frames is filmed.
    """

    frames: range
    bodies: Sequence[bpy.types.Object]
    around_deg: float = -55.0
    up_deg: float = 12.0
    high_m: float = 2.5
    stays: bool = False
    things: Sequence[tuple[bpy.types.Object, tuple[float, float, float]]] = ()
    ground: Sequence[tuple[bpy.types.Object, tuple[float, float, float]]] = ()
    prints: bool = False
    every: int = EVERY


def open_made(
    folder: Path, make: Callable[[], tuple[bpy.types.Object, bpy.types.Object]]
) -> tuple[bpy.types.Object, bpy.types.Object]:
    """Open a file with a character, made on the first call, and return its rig and its body."""
    file = folder / f"{make.__name__}.blend"
    if not file.exists():
        make()
        bpy.ops.wm.save_as_mainfile(filepath=str(file.resolve()))
    bpy.ops.wm.open_mainfile(filepath=str(file.resolve()), use_scripts=True)
    rig = bpy.context.view_layer.objects.active
    return rig, next(child for child in rig.children if child.type == "MESH")


def film(shot: Shot, path: Path) -> None:
    """Film a shot and write it."""
    pieces = [course.Piece.of(obj.data, colour) for obj, colour in shot.ground]
    solids, middles, walked = [], [], []
    for frame in shot.frames[:: shot.every]:
        bpy.context.scene.frame_set(frame)
        bodies = [shown(body, None) for body in shot.bodies]
        walked.append(bodies[0])
        middles.append(np.mean([body.points.mean(axis=0) for body in bodies], axis=0))
        shaded = course.with_ground(pieces, bodies) if pieces else together(bodies)
        solids.append(together([shaded, *(shown(thing, colour) for thing, colour in shot.things)]))
    targets = (
        calm(np.array(middles), shot.every)
        if not shot.stays
        else np.tile(np.mean(middles, axis=0), (len(middles), 1))
    )
    targets[:, 2] += 0.42 * shot.high_m - targets[0, 2]
    prints = printed(shot.bodies[0], walked) if shot.prints else []
    views = [camera(target, shot.around_deg, shot.up_deg, SIZE, shot.high_m) for target in targets]
    write_frames(
        path,
        (draw(view, solid, TILE_M, prints) for view, solid in zip(views, solids, strict=True)),
        FPS / shot.every,
    )


def printed(body: bpy.types.Object, walked: list[Solid]) -> list[np.ndarray]:
    """Return the outlines of the footprints of a body that walked."""
    points, normals = (np.array([getattr(each, name) for each in walked]) for name in ("points", "normals"))
    return footprints(
        Film(points, normals, walked[0].triangles, walked[0].colours, (sole(body, "L"), sole(body, "R")))
    )


def shown(obj: bpy.types.Object, colour: tuple[float, float, float] | None) -> Solid:
    """Return a mesh as it is now: smooth in its own colours, or in one colour with sharp edges."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    mesh.transform(evaluated.matrix_world)
    if colour is None:
        mesh.calc_loop_triangles()
        colours = read(obj.data.attributes["Colour"].data, "color", 4)[:, :3]
        triangles = read(mesh.loop_triangles, "vertices", 3, np.int32)
        solid = Solid(read(mesh.vertices, "co", 3), read(mesh.vertices, "normal", 3), colours, triangles)
    else:
        solid = course.Piece.of(mesh, colour).solid
    evaluated.to_mesh_clear()
    return solid


def calm(places: np.ndarray, every: int) -> np.ndarray:
    """Return places `(n, 3)`, `every` so many frames one, without what is quicker than the camera."""
    reach = round(CALM_S * FPS / every)
    kernel = np.hanning(2 * reach + 3)[1:-1] / np.hanning(2 * reach + 3).sum()
    return np.stack(
        [
            np.convolve(np.pad(axis, reach, mode="reflect", reflect_type="odd"), kernel, mode="valid")
            for axis in places.T
        ],
        axis=1,
    )
