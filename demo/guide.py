"""Moving pictures of pages of the guide: python -m demo.guide --out docs/images

Writes guide_NAME.webp for each, or for those that are named after the options. Each function does with `api`
what its page in docs/guide tells to click.
"""

from collections.abc import Callable

import bpy

from demo import course
from demo.dog import make_dog
from demo.mannequin import activate
from demo.moving import Shot
from demo.recipes import ORANGE, copied, film_each
from demo.stage import block
from neurarig_addon.blender import api


def facing(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Turn from ahead to sideways and on to backward, while walking."""
    api.generate_walk(hero, mode="TRAVEL")
    for frame, degrees in ((30, 0), (40, 90), (62, 90), (72, 180)):
        hero.neurarig.walk.facing = degrees
        hero.neurarig.walk.keyframe_insert("facing", frame=frame)
    return Shot(range(14, 106), [body], around_deg=-40.0)


def looking(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Look at a thing while passing it."""
    ball = block("Ball", (-0.6, -1.75, 0.25), (-0.45, -1.6, 0.4))
    api.generate_walk(hero, mode="TRAVEL", look_at=ball)
    things = [(ball, ORANGE)]
    return Shot(range(12, 64), [body], around_deg=-35.0, up_deg=20.0, high_m=1.6, stays=True, things=things)


def style(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Walk in a recorded style."""
    api.generate_walk(hero, mode="TRAVEL", styles={"Zombie": 1.0})
    return Shot(range(14, 96), [body], around_deg=-55.0)


def tail(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Run with a tail that swings."""
    api.generate_walk(hero, gait="BY_SPEED", mode="TRAVEL", speed=1.6)
    api.follow_through(hero)
    return Shot(range(24, 72), [body], around_deg=-125.0, up_deg=20.0, high_m=1.2, every=1)


def blend(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Go over from the walk into an action of one's own, here a sneak, and back."""
    api.generate_walk(hero, mode="TRAVEL", speed=0.6, crouch=0.3)
    sneak = api.bake_walk(hero, frame_start=1, frame_end=56, keys="DENSE")
    api.remove_walk(hero)
    hero.animation_data.action = None
    for name, value in (("speed", 1.3), ("crouch", 0.0)):
        setattr(hero.neurarig.walk, name, value)
    api.generate_walk(hero, mode="TRAVEL", blend_action=sneak, blend_frame=42, blend_back=True)
    return Shot(range(18, 130), [body], around_deg=-60.0)


def crossing(hero: bpy.types.Object, body: bpy.types.Object) -> Shot:
    """Cross another's path: who comes first goes first."""
    other, skin = copied(hero, body, (-2.2, -2.2, 0.0))
    ways = [[(0.0, 0.0), (0.0, -4.6)], [(-2.2, -2.2), (2.6, -2.2)]]
    for rig, way in zip((hero, other), ways, strict=True):
        activate(rig)
        api.generate_walk(rig, mode="PATH", path=course.add_path(way, way))
    api.clear_crossings([hero, other])
    return Shot(range(8, 124), [body, skin], around_deg=-35.0, up_deg=24.0, high_m=3.4, stays=True)


SHOTS: dict[str, Callable[[bpy.types.Object, bpy.types.Object], Shot]] = {
    each.__name__: each for each in (facing, looking, style, tail, blend, crossing)
}

if __name__ == "__main__":
    film_each(__doc__, "guide", SHOTS, {tail: make_dog, looking: make_dog})
