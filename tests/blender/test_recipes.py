"""What the site's recipes tell to do works: each is done on a Rigify human, by the code that its moving
picture is made with."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from mathutils import Vector

pytest.importorskip("PIL", reason="Pillow is not installed (the demo extra)")

from demo.recipes import RECIPES
from tests.blender.reaching import place_of
from tests.rigs import make_active, rigify_human


def stands_on_the_mark(hero: bpy.types.Object) -> bool:
    return bool(
        np.linalg.norm((place_of(hero, "foot.L") + place_of(hero, "foot.R"))[:2] / 2.0 - [0.0, -3.0]) < 0.25
    )


def is_up_the_stairs(hero: bpy.types.Object) -> bool:
    return place_of(hero, "foot.L")[2] > 0.8


def box_is_on_the_table(hero: bpy.types.Object) -> bool:
    box = bpy.data.objects["Box"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    corners = np.array([box.matrix_world @ Vector(corner) for corner in box.bound_box])
    return bool(
        abs(corners[:, 2].min() - 0.74) < 0.005 and corners[:, 1].min() > -3.6 and corners[:, 1].max() < -2.9
    )


def sat_on_the_chair(hero: bpy.types.Object) -> bool:
    bpy.context.scene.frame_set(bpy.context.scene.frame_current - 50)
    return abs(place_of(hero, "thigh.L")[2] - 0.53) < 0.05 and place_of(hero, "foot.L")[1] > -2.2


def hand_was_on_the_floor(hero: bpy.types.Object) -> bool:
    bpy.context.scene.frame_set(36)
    return place_of(hero, "hand.L")[2] < 0.15


def went_on(hero: bpy.types.Object) -> bool:
    return place_of(hero, "foot.L")[1] < -1.0


HOLDS: dict[str, Callable[[bpy.types.Object], bool]] = {
    "mark": stands_on_the_mark,
    "stairs": is_up_the_stairs,
    "box": box_is_on_the_table,
    "sit": sat_on_the_chair,
    "touch": hand_was_on_the_floor,
}


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_does_what_its_page_says(name: str) -> None:
    hero = rigify_human()
    make_active(hero)
    body = bpy.data.objects.new("Body", bpy.data.meshes.new("Body"))
    bpy.context.scene.collection.objects.link(body)
    shot = RECIPES[name](hero, body)
    bpy.context.scene.frame_set(shot.frames[-1])
    assert HOLDS.get(name, went_on)(hero)
