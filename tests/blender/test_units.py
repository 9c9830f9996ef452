"""What is typed is what walks, in every unit of the scene, and files keep what they had."""

from math import radians

import bpy
import pytest
from bpy.utils import units

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.properties import shown_as
from neurarig_addon.blender.walk.settings import backup
from tests.blender.drawing import drawn, of_kind
from tests.blender.walking import walker
from tests.rigs import biped, build, make_active

# unit system, unit scale and a speed as it is typed there, with the metres per second that it is
SCENES = [
    ("METRIC", 1.0, "1.2", 1.2),
    ("METRIC", 1.0, "5 km/h", 5.0 / 3.6),
    ("IMPERIAL", 1.0, "3 mph", 1.34112),
    ("IMPERIAL", 1.0, "4", 4.0 * 0.3048),
    ("NONE", 1.0, "1.2", 1.2),
    ("METRIC", 0.01, "1.2", 1.2),
    ("IMPERIAL", 0.01, "4", 4.0 * 0.3048),
    ("NONE", 0.01, "120", 1.2),
]


def type_in(of: bpy.types.bpy_struct, name: str, text: str) -> None:
    """Set a setting as Blender does when a text is typed into its field."""
    scene = bpy.context.scene.unit_settings
    shown = shown_as(of, name)
    unit = of.bl_rna.properties[shown].unit
    if scene.system == "NONE" or unit == "NONE":
        setattr(of, shown, float(text))
    else:
        setattr(of, shown, units.to_value(scene.system, unit, text) / scene.scale_length)


@pytest.mark.few(30)
@pytest.mark.parametrize(("system", "scale", "text", "metres"), SCENES)
def test_what_is_typed_is_what_walks(system: str, scale: float, text: str, metres: float) -> None:
    scene = bpy.context.scene
    scene.unit_settings.system, scene.unit_settings.scale_length = system, scale
    hero = build(biped(), "Hero")
    hero.scale = [1.0 / scale] * 3
    api.generate_walk(hero, use_network=False, mode="TRAVEL")
    walk = hero.neurarig.walk
    type_in(walk, "speed", text)
    assert walk.speed == pytest.approx(metres, rel=1e-5)
    places = []
    for frame in (101, 101 + scene.render.fps):
        scene.frame_set(frame)
        places.append(hero.matrix_world @ hero.pose.bones["Hips"].head)
    assert (places[1] - places[0]).length * scale == pytest.approx(metres, rel=0.08)
    act = walk.acts.add()
    for name in ("distance", "length", "rise"):
        type_in(act, name, text.split()[0])
        assert getattr(act, name) == pytest.approx(_metres(system, scale, text), rel=1e-5)


def _metres(system: str, scale: float, text: str) -> float:
    number = float(text.split()[0])
    if system == "NONE":
        return number * scale
    return units.to_value(system, "LENGTH", text.split()[0])


def test_what_shows_a_setting_in_the_scenes_units_sets_nothing_by_itself() -> None:
    walk = build(biped(), "Hero").neurarig.walk
    walk.lean = 5.0
    backup.restore_settings(walk.id_data, backup.saved_settings(walk.id_data))
    assert walk.is_property_set("lean") and not walk.is_property_set("speed")


def test_angles_follow_the_scene_and_are_kept_in_degrees() -> None:
    walk = walker().neurarig.walk
    for system, given in (("DEGREES", 20.0), ("RADIANS", radians(20.0))):
        bpy.context.scene.unit_settings.system_rotation = system
        for name in ("lean", "facing", "elbow_bend", "end_turn"):
            setattr(walk, shown_as(walk, name), given)
            assert getattr(walk, name) == pytest.approx(20.0, rel=1e-5), name


def test_panels_show_the_settings_in_the_scenes_units() -> None:
    make_active(walker())
    for scale, name in ((1.0, "speed"), (0.01, "speed_in_scene")):
        bpy.context.scene.unit_settings.scale_length = scale
        assert name in of_kind(drawn("NEURARIG_PT_walk"), "prop")
