"""Characters filmed: where a bone is while frames are rendered, and a ball in its hand in rendered
pictures."""

from pathlib import Path

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view

PIXELS, SHOWN_M = 64, 1.6
NEAR = 0.25 / PIXELS  # of a picture: as exactly as the middle of a ball can be seen in one
FRAMES = range(1, 10, 2)


def film(obj: bpy.types.Object, bone: str, files: str) -> bpy.types.Object:
    """Put a ball on a bone and a camera in front, have FRAMES rendered to `files`, and return the ball."""
    for mesh in bpy.data.objects:
        mesh.hide_render = mesh.hide_render or mesh.type == "MESH"
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1, segments=16, ring_count=8)
    ball = bpy.context.object
    ball.parent, ball.parent_type, ball.parent_bone = obj, "BONE", bone
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.camera.data.type, scene.camera.data.ortho_scale = "ORTHO", SHOWN_M
    scene.camera.location, scene.camera.rotation_euler = (0.6, -5.0, 1.3), (np.pi / 2.0, 0.0, 0.0)
    render = scene.render
    render.engine, render.film_transparent, render.filepath = "CYCLES", True, files
    render.resolution_x = render.resolution_y = PIXELS
    scene.cycles.samples = 4
    scene.frame_start, scene.frame_end, scene.frame_step = FRAMES.start, FRAMES[-1], FRAMES.step
    return ball


def seen_at(ball: bpy.types.Object) -> np.ndarray:
    """Return where the ball is on each frame `(frames, 2)` as the time line is scrubbed, as shares of the
    picture's width and height."""
    scene, found = bpy.context.scene, []
    for frame in FRAMES:
        scene.frame_set(frame)
        evaluated = ball.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append(world_to_camera_view(scene, scene.camera, evaluated.matrix_world.translation)[:2])
    return np.array(found)


def rendered_at(files: str) -> np.ndarray:
    """Return where the ball is in the pictures `(frames, 2)`."""
    return np.array([_middle(Path(f"{files}{frame:04d}.png")) for frame in FRAMES])


def _middle(path: Path) -> np.ndarray:
    image = bpy.data.images.load(str(path))
    alpha = np.array(image.pixels[:]).reshape(PIXELS, PIXELS, 4)[..., 3]
    bpy.data.images.remove(image)
    rows, columns = np.indices(alpha.shape) + 0.5
    return np.array([(columns * alpha).sum(), (rows * alpha).sum()]) / alpha.sum() / PIXELS


def rendered_heads(obj: bpy.types.Object, bone: str, folder: Path, first: int) -> dict[float, np.ndarray]:
    """Return where a bone's head is in the world `(3,)` at each moment that is rendered: of two tiny frames
    with motion blur."""
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.render.engine, scene.render.use_motion_blur, scene.render.filepath = (
        "CYCLES",
        True,
        str(folder / "frame"),
    )
    scene.render.resolution_x = scene.render.resolution_y = 8
    scene.cycles.samples, scene.frame_start, scene.frame_end = 1, first, first + 1
    heads = {}

    def look(scene, depsgraph):
        if depsgraph.mode == "RENDER":
            evaluated = obj.evaluated_get(depsgraph)
            heads[scene.frame_current_final] = np.array(
                evaluated.matrix_world @ evaluated.pose.bones[bone].head
            )

    bpy.app.handlers.frame_change_post.append(look)
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.frame_change_post.remove(look)
    return heads


class Onlooker(bpy.types.RenderEngine):
    """A renderer that makes no picture: it notes where a bone's head is in what it is given to render."""

    bl_idname, bl_label = "NEURARIG_ONLOOKER", "Onlooker"
    looked_at: tuple[str, str] = "", ""
    heads: dict[float, np.ndarray] = {}  # noqa: RUF012

    def render(self, depsgraph: bpy.types.Depsgraph) -> None:
        name, bone = type(self).looked_at
        evaluated = bpy.data.objects[name].evaluated_get(depsgraph)
        type(self).heads[depsgraph.scene.frame_current_final] = np.array(
            evaluated.matrix_world @ evaluated.pose.bones[bone].head
        )


def heads_as_rendered(
    obj: bpy.types.Object, bone: str, folder: Path, frames: range
) -> dict[float, np.ndarray]:
    """Return where a bone's head is in the world `(3,)` on each frame that is rendered."""
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    bpy.utils.register_class(Onlooker)
    try:
        Onlooker.looked_at, Onlooker.heads = (obj.name, bone), {}
        scene.render.engine, scene.render.filepath = Onlooker.bl_idname, str(folder / "frame")
        scene.render.resolution_x = scene.render.resolution_y = 8
        scene.frame_start, scene.frame_end, scene.frame_step = frames.start, frames[-1], frames.step
        bpy.ops.render.render(animation=True)
    finally:
        scene.render.engine = "CYCLES"
        bpy.utils.unregister_class(Onlooker)
    return Onlooker.heads
