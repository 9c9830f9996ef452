"""Pictures of the panels for docs/images: run by Blender in a window on a display whose screen ImageMagick's
`import` can read.

A character is built, and for each of PICTURES a few panels are shown, open, in the sidebar; the sidebar is
written to
docs/images/panel_NAME.png.  Where REAL_BLENDER_READY names a file, it is made when all is done.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import bpy

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from demo.window import Wait, Window, play  # noqa: E402
from neurarig_addon.blender import registration  # noqa: E402
from tests.rigs import biped, build, make_active  # noqa: E402

STYLES = "NEURARIG_PT_manners"  # a menu, not in the sidebar
# Name -> labels of the panels that are shown, and what is pressed before.
PICTURES: dict[str, tuple[set[str], Callable[[], object]]] = {
    "rig": ({"Rig", "Bones"}, lambda: bpy.ops.neurarig.detect_rig()),
    "neural": ({"Neural Pose"}, lambda: bpy.ops.neurarig.pose_targets()),
    "poses": ({"Neural Pose", "Poses"}, lambda: None),
    "retarget": ({"Retarget"}, lambda: bpy.ops.neurarig.remove_targets()),
    "walk": ({"Walk"}, lambda: bpy.ops.neurarig.generate_walk()),
    "sliders": ({"Walk", "Body", "Feet", "Arms"}, lambda: None),
    "way": ({"Walk", "Path & Ground", "Path", "Ground"}, lambda: bpy.ops.neurarig.add_path()),
    "check": ({"Walk", "Motion Check"}, lambda: bpy.ops.neurarig.check_contacts()),
    "source": ({"Walk", "Advanced"}, lambda: None),
    "engine": ({"Game Engine"}, lambda: None),
    "trouble": ({"Walk"}, lambda: key_a_bone()),
    "styles": ({"Walk"}, lambda: None),
}
shown: set[str] = set()


def key_a_bone() -> None:
    """Key a bone that the walk moves, as Auto Keying would: the panel says so."""
    bpy.data.objects["Hero"].pose.bones["LeftUpLeg"].keyframe_insert("rotation_quaternion")


def show_only_chosen() -> None:
    """Have every panel of the tab open, and shown only where its label is chosen."""
    for module in [
        module for name, module in sys.modules.items() if name.startswith("neurarig_addon.blender")
    ]:
        for name, panel in list(vars(module).items()):
            if (
                name.startswith("NEURARIG_PT_")
                and panel.bl_region_type == "UI"
                and "bl_label" in vars(panel)
                and name != STYLES
            ):
                panel.bl_options = set(getattr(panel, "bl_options", ())) - {"DEFAULT_CLOSED"}
                if "chosen" not in vars(panel):
                    panel.chosen = (
                        panel.poll
                        if hasattr(panel, "poll")
                        else classmethod(lambda _, context: True).__get__(None, panel)
                    )
                    panel.poll = classmethod(
                        lambda cls, context: cls.bl_label in shown and cls.chosen(context)
                    )


def story() -> Wait:
    """Take the pictures."""
    show_only_chosen()
    registration.register()
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    bpy.context.view_layer.update()
    make_active(build(biped(), "Hero"))
    bpy.context.preferences.system.use_region_overlap = False  # a plain background, cut off below the panels
    shown_in = Window()
    window, area = shown_in.window, shown_in.area
    yield 1.0
    view = shown_in.region("WINDOW")
    for name, (labels, press) in PICTURES.items():
        with bpy.context.temp_override(window=window, area=area, region=view):
            press()
            if name == "styles":
                window.cursor_warp(view.x + view.width // 2, view.y + round(0.8 * view.height))
                area.spaces.active.overlay.show_overlays = area.spaces.active.show_gizmo = False
        shown.clear()
        shown.update(labels)
        yield from shown_in.show_tab()
        if name == "styles":
            with bpy.context.temp_override(window=window, area=area, region=view):
                bpy.ops.wm.call_panel(name=STYLES, keep_open=True)
            yield 12.0  # its pictures are drawn meanwhile
        yield 1.5
        shown_in.shot(
            REPOSITORY / "docs" / "images" / f"panel_{name}.png",
            "WINDOW" if name == "styles" else "UI",
            "-trim",
            "+repage",
        )
    yield from baked(shown_in)


def baked(shown_in: Window) -> Wait:
    """Take a picture of the keys that a bake makes, in the dope sheet."""
    area = shown_in.area
    yield from shown_in.keys("Escape")  # the menu of pictures
    with bpy.context.temp_override(window=shown_in.window, area=area, region=shown_in.region("WINDOW")):
        bpy.ops.neurarig.generate_walk()
        bpy.ops.neurarig.bake_walk(frame_start=1, frame_end=60, target="CONTROLS", keys="EDITABLE")
    area.ui_type = "DOPESHEET"
    yield 1.0
    with bpy.context.temp_override(window=shown_in.window, area=area, region=shown_in.region("WINDOW")):
        bpy.ops.anim.channels_expand(all=True)
        bpy.ops.anim.channels_expand(all=True)
        bpy.ops.action.view_all()
    yield 1.5
    shown_in.shot(REPOSITORY / "docs" / "images" / "baked.webp", "", "-resize", "900", "-quality", "82")


play(story)  # REAL_BLENDER_READY is made at its end
