"""Pictures of the panels for docs/images: run by Blender in a window on a display whose screen ImageMagick's `import` can read.

A character is built, and for each of PICTURES a few panels are shown, open, in the sidebar; the sidebar is written to
docs/images/panel_NAME.png.  Where REAL_BLENDER_READY names a file, it is made when all is done.
"""

import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from neurarig_addon.blender import registration  # noqa: E402
from tests.rigs import biped, build, make_active  # noqa: E402

STYLES = "NEURARIG_PT_manners"  # a menu, not in the sidebar
# Name -> labels of the panels that are shown, and what is pressed before.
PICTURES: dict[str, tuple[set[str], Callable[[], object]]] = {
    "rig": ({"Rig", "Bones"}, lambda: bpy.ops.neurarig.detect_rig()),
    "neural": ({"Neural Pose"}, lambda: bpy.ops.neurarig.pose_targets()),
    "retarget": ({"Retarget"}, lambda: bpy.ops.neurarig.remove_targets()),
    "walk": ({"Walk"}, lambda: bpy.ops.neurarig.generate_walk()),
    "sliders": ({"Walk", "Body", "Feet", "Arms"}, lambda: None),
    "way": ({"Walk", "Path & Ground", "Path", "Ground"}, lambda: bpy.ops.neurarig.add_path()),
    "check": ({"Walk", "Motion Check"}, lambda: bpy.ops.neurarig.check_contacts()),
    "styles": ({"Walk"}, lambda: None),
}
TABS, EDGE = 26, 4  # pixels: at the right of the sidebar, and around it
shown: set[str] = set()


def show_only_chosen() -> None:
    """Have every panel of the tab open, and shown only where its label is chosen."""
    for module in [module for name, module in sys.modules.items() if name.startswith("neurarig_addon.blender")]:
        for name, panel in list(vars(module).items()):
            if name.startswith("NEURARIG_PT_") and panel.bl_region_type == "UI" and "bl_label" in vars(panel) and name != STYLES:
                panel.bl_options = set(getattr(panel, "bl_options", ())) - {"DEFAULT_CLOSED"}
                if "chosen" not in vars(panel):
                    panel.chosen = panel.poll if hasattr(panel, "poll") else classmethod(lambda _, context: True).__get__(None, panel)
                    panel.poll = classmethod(lambda cls, context: cls.bl_label in shown and cls.chosen(context))


def story() -> Iterator[float]:
    """Take the pictures; yields the seconds to wait."""
    show_only_chosen()
    registration.register()
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    bpy.context.view_layer.update()
    make_active(build(biped(), "Hero"))
    bpy.context.preferences.system.use_region_overlap = False  # a plain background, cut off below the panels
    window = bpy.context.window_manager.windows[0]
    area = next(each for each in window.screen.areas if each.type == "VIEW_3D")
    area.spaces.active.show_region_ui = True
    yield 1.0
    sidebar, view = (next(each for each in area.regions if each.type == kind) for kind in ("UI", "WINDOW"))
    for name, (labels, press) in PICTURES.items():
        with bpy.context.temp_override(window=window, area=area, region=view):
            press()
            if name == "styles":
                window.cursor_warp(view.x + view.width // 2, view.y + round(0.8 * view.height))
                area.spaces.active.overlay.show_overlays = area.spaces.active.show_gizmo = False
        shown.clear()
        shown.update(labels)
        area.tag_redraw()
        yield 1.0
        sidebar.active_panel_category = "NeuraRig"
        area.tag_redraw()
        if name == "styles":
            with bpy.context.temp_override(window=window, area=area, region=view):
                bpy.ops.wm.call_panel(name=STYLES, keep_open=True)
            yield 12.0  # its pictures are drawn meanwhile
        yield 1.5
        chosen = view if name == "styles" else sidebar
        wide, high = chosen.width - (TABS if chosen == sidebar else 0) - 2 * EDGE, chosen.height - 2 * EDGE
        place = f"{wide}x{high}+{chosen.x + EDGE}+{window.height - chosen.y - chosen.height + EDGE}"
        picture = REPOSITORY / "docs" / "images" / f"panel_{name}.png"
        subprocess.run(["import", "-window", "root", "-crop", place, "-trim", "+repage", str(picture)], check=True)


def step(run: Iterator[float]) -> float | None:
    """Go on with the story; return the seconds to wait, None at its end."""
    try:
        return next(run)
    except StopIteration:
        pass
    except Exception:
        traceback.print_exc()
    if ready := os.environ.get("REAL_BLENDER_READY"):
        Path(ready).touch()
    return None


def start() -> None:
    """Begin as soon as the window is there."""
    run = story()
    bpy.app.timers.register(lambda: step(run), first_interval=1.0)


start()
