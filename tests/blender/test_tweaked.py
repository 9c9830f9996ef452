"""While an NLA strip is in tweak mode, whatever would change the action or what plays says so, and has
changed nothing."""

from collections.abc import Callable

import bpy
import pytest

from neurarig_addon.blender import api
from tests.blender.keeping import animated, pose, tweak, walk, with_track
from tests.blender.retargeting import actor
from tests.blender.situations.record import differences, recorded, report
from tests.blender.walking import state_of
from tests.refusals import refuses
from tests.rigs import make_active

Call = Callable[[bpy.types.Object], object]


def link(obj: bpy.types.Object) -> None:
    make_active(obj)
    api.link_retarget(obj, source=bpy.data.objects["Actor"])


def bake(obj: bpy.types.Object) -> None:
    walk(obj)
    api.bake_walk(obj, frame_start=1, frame_end=9)


STATES: dict[str, tuple[Call, dict[str, Call]]] = {
    "free": (
        lambda obj: None,
        {
            "generate": walk,
            "retarget": link,
            "pose": pose,
            "reduce keys": lambda obj: api.reduce_keys(obj, bpy.data.actions["Hours of Work"]),
        },
    ),
    "walking": (
        walk,
        {
            "generate again": walk,
            "bake": lambda obj: api.bake_walk(obj, frame_start=1, frame_end=9),
            "bake deform bones": lambda obj: api.bake_walk(obj, frame_start=1, frame_end=9, target="DEFORM"),
            "targets": lambda obj: api.pose_targets(obj, ["wrist.L", "head"]),
            "remove": api.remove_walk,
        },
    ),
    "baked": (bake, {"bake again": api.rebake_walk, "go live": api.resume_walk, "remove": api.remove_walk}),
    "linked": (link, {"link again": link, "remove": api.remove_retarget}),
    "posed": (pose, {"key": api.key_pose, "remove": api.remove_targets}),
}
STEPS = [(state, step) for state, (_, steps) in STATES.items() for step in steps]


def kept_settings(obj: bpy.types.Object) -> dict[str, object]:
    """Return all that a refusal leaves as it was: everything but the sentence in the panel."""
    state = state_of(obj)
    return {**state, "settings": {**state["settings"], "error": ""}}


@pytest.mark.parametrize(("state", "step"), STEPS, ids=[f"{state}, {step}" for state, step in STEPS])
def test_nothing_is_changed_in_tweak_mode(state: str, step: str) -> None:
    prepare, steps = STATES[state]
    obj = animated()
    actor()
    make_active(obj)
    own = obj.animation_data.action
    prepare(obj)
    if state == "free":
        obj.animation_data.action = None
    tweak(obj, with_track(own, obj, "Mine"))
    before, settings = recorded(), kept_settings(obj)
    with refuses("tweak mode"):
        steps[step](obj)
    changed = differences(before, recorded())
    assert not changed, report(changed)
    assert kept_settings(obj) == settings
