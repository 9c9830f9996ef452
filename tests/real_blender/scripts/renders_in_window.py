"""Render frames of a live walk in a window, on several threads, while panels draw and a slider of another
walker is dragged."""

import sys
from collections.abc import Generator
from pathlib import Path

import bpy
import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[3])]

from telling import AT_ONCE, Story, tell, until, view  # noqa: E402

from tests.blender.filming import FRAMES, NEAR, film, rendered_at, seen_at  # noqa: E402

folder = Path(sys.argv[-1])


def dragged(other: bpy.types.Object) -> Generator[float | None, None, int]:
    """Render the film while a slider of another walker is dragged, and return how often it was."""
    with view():
        bpy.ops.render.render("INVOKE_DEFAULT", animation=True)
    yield from until(lambda: bpy.app.is_job_running("RENDER"), "rendering begins")
    drags = 0
    while bpy.app.is_job_running("RENDER"):
        drags += 1
        other.neurarig.walk.speed = 0.6 + 0.1 * (drags % 9)
        for area in bpy.context.window_manager.windows[0].screen.areas:
            area.tag_redraw()
        yield AT_ONCE
    return drags


def story() -> Story:
    obj = bpy.data.objects["Character"]
    bpy.context.view_layer.objects.active = obj
    with view():
        bpy.context.area.spaces.active.show_region_ui = True
        assert bpy.ops.neurarig.generate_walk() == {"FINISHED"}
        other = obj.copy()
        other.data, other.location.x = obj.data.copy(), 9.0
        bpy.context.collection.objects.link(other)
        ball = film(obj, "LeftHand", str(folder / "window_"))
        bpy.context.view_layer.objects.active = obj
    scene, walk = bpy.context.scene, obj.neurarig.walk
    scene.render.threads_mode, scene.render.threads = "FIXED", 4
    scene.cycles.samples = 600
    places = seen_at(ball)
    assert np.ptp(places, axis=0).max() > 2.0 * NEAR, "the hand moves through the picture"
    drawn = []
    bpy.app.handlers.render_write.append(lambda *_: drawn.append(scene.frame_current))
    drags = rendered = 0
    while drags < 2 and rendered < 4:  # the window's first drawing may take as long as a whole film
        rendered += 1
        drags = yield from dragged(other)
    assert drags > 1
    assert not walk.error and walk.live and not other.neurarig.walk.error and other.neurarig.walk.live
    assert drawn == [*FRAMES] * rendered
    assert np.abs(rendered_at(str(folder / "window_")) - places).max() < NEAR


tell(story())
