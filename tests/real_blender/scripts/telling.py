"""Stories told to a Blender with a window: what a user does there, in steps that yield until Blender has
drawn, and its end."""

import os
import sys
import traceback
from collections.abc import Callable, Generator
from time import monotonic

import bpy

Story = Generator[float | None, None, None]
AT_ONCE, PATIENCE_S = 0.05, 100.0


def tell(story: Story) -> None:
    """Go through a story in a window, then quit Blender as a user does; with status 1 where it fails."""

    def go_on() -> float | None:
        try:
            return next(story) or AT_ONCE
        except StopIteration:
            print("told", flush=True)
            bpy.ops.wm.quit_blender()
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)

    bpy.context.preferences.view.show_splash = False
    bpy.app.timers.register(go_on, first_interval=0.5, persistent=True)


def until(seen: Callable[[], object], what: str) -> Story:
    """Wait until something is seen; raises AssertionError where it never is."""
    end = monotonic() + PATIENCE_S
    while not seen():
        assert monotonic() < end, f"not seen: {what}"
        yield AT_ONCE


def window(number: int = 0) -> bpy.types.Window:
    """Return one of Blender's windows."""
    return bpy.context.window_manager.windows[number]


def view(number: int = 0):
    """Return the context of a 3D view in a window, for `with`."""
    area = next(area for area in window(number).screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "WINDOW")
    return bpy.context.temp_override(window=window(number), area=area, region=region)


def press(key: str, number: int = 0, **held: bool) -> None:
    """Press and release a key over the 3D view of a window, with others held."""
    with view(number):
        area = bpy.context.area
        where = {"x": area.x + area.width // 2, "y": area.y + area.height // 2}
    for value in ("PRESS", "RELEASE"):
        window(number).event_simulate(key, value, **where, **held)


def working(number: int = 0) -> list[str]:
    """Return what is under way in a window."""
    return [operator.bl_idname for operator in window(number).modal_operators]
