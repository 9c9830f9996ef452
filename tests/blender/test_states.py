"""The states of an attached character, as the table in docs/internals/architecture.md has them: each step in
each state, by holder."""

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record, stash
from neurarig_addon.blender.character.holding import require_attachable
from neurarig_addon.blender.character.record import CLIP, HOLDERS, POSE, WALK
from neurarig_addon.blender.character.state import State, state_of
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.retargeting import actor
from tests.blender.walking import state_of as all_of
from tests.refusals import refuses
from tests.rigs import biped, build

FREE, LIVE, BAKED, STOPPED, PAUSED = State


def character() -> bpy.types.Object:
    """Return a character with an action of its own, beside an actor whose clip it can take."""
    actor()
    obj = build(biped(), "Hero")
    obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=3)
    obj.animation_data.action.name = "Wave"
    return obj


def go_live(obj: bpy.types.Object, holder: str) -> None:
    if holder == WALK:
        api.generate_walk(obj, use_network=False)
    elif holder == CLIP:
        api.link_retarget(obj, source=bpy.data.objects["Actor"])
    else:
        api.pose_targets(obj, ["wrist.L"])


def bake(obj: bpy.types.Object, holder: str) -> None:
    if holder == WALK:
        api.bake_walk(obj, frame_start=1, frame_end=5)
    elif holder == CLIP:
        api.retarget(obj, source=bpy.data.objects["Actor"], check=False)
    else:
        api.key_pose(obj)
        obj.neurarig.neural_pose.live = False


def turn(on: bool) -> Callable[[bpy.types.Object, str], None]:
    def act(obj: bpy.types.Object, holder: str) -> None:
        record.settings_of(obj, holder).live = on

    return act


def remove(obj: bpy.types.Object, holder: str) -> None:
    {WALK: api.remove_walk, CLIP: api.remove_retarget, POSE: api.remove_targets}[holder](obj)


def keep(obj: bpy.types.Object, holder: str) -> None:
    if holder == CLIP:
        api.remove_retarget(obj, keep_clip=True)
    else:
        api.remove_targets(obj, keep_pose=True)


def stop(obj: bpy.types.Object, holder: str) -> None:
    """Bring about what turns a live pose off: a bone that it needs is gone."""
    settings = record.settings_of(obj, holder)
    settings.error, settings.live = "Bone 'LeftLeg' is gone.", False


def reach(obj: bpy.types.Object, holder: str, state: State) -> None:
    """Bring a free character into a state."""
    if state is not FREE:
        go_live(obj, holder)
    {BAKED: bake, PAUSED: turn(False), STOPPED: stop}.get(state, lambda *_: None)(obj, holder)
    assert state_of(obj) is state


# Step -> state -> the state afterwards; what is not listed is refused.
TABLE = {
    go_live: {FREE: LIVE, LIVE: LIVE, BAKED: LIVE, STOPPED: LIVE, PAUSED: LIVE},
    remove: {LIVE: FREE, BAKED: FREE, STOPPED: FREE, PAUSED: FREE},
    turn(False): {FREE: FREE, LIVE: PAUSED, BAKED: BAKED, STOPPED: STOPPED, PAUSED: PAUSED},
    turn(True): {FREE: FREE, LIVE: LIVE, BAKED: LIVE, STOPPED: LIVE, PAUSED: LIVE},
    bake: {LIVE: BAKED, BAKED: BAKED, STOPPED: BAKED, PAUSED: BAKED},
}
FROM_FREE = {CLIP: {bake: BAKED}}  # Retarget attaches by itself


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("step", TABLE, ids=("go_live", "remove", "live_off", "live_on", "bake"))
def test_each_step_in_each_state(step: Callable, state: State, holder: str) -> None:
    obj = character()
    reach(obj, holder, state)
    expected = TABLE[step].get(state) or (FROM_FREE.get(holder, {}).get(step) if state is FREE else None)
    if holder == POSE and step is list(TABLE)[3] and state is BAKED:
        expected = LIVE  # keys play on below a live pose
    if expected is None:
        before = all_of(obj)
        with refuses():
            step(obj, holder)
        assert all_of(obj) == before and state_of(obj) is state
        return
    step(obj, holder)
    assert state_of(obj) is expected
    if expected is FREE and state is not FREE:
        assert (
            obj.animation_data.action.name == "Wave" and not obj.neurarig.attachment and not obj.neurarig.kept
        )


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("other", HOLDERS)
@pytest.mark.parametrize("state", [LIVE, BAKED, PAUSED])
def test_one_holder_at_a_time_and_the_refusal_says_who(holder: str, other: str, state: State) -> None:
    if holder == other:
        return
    if other == POSE:
        return  # goes over it, see below
    obj = character()
    reach(obj, holder, state)
    before = all_of(obj)
    with refuses(f"{HOLDERS[holder].has}. {HOLDERS[holder].remedy} first"):
        go_live(obj, other)
    assert all_of(obj) == before


@pytest.mark.few(2)
@pytest.mark.parametrize("holder", [WALK, CLIP])
@pytest.mark.parametrize("state", [LIVE, BAKED, PAUSED])
def test_targets_go_over_what_is_live(holder: str, state: State) -> None:
    obj = character()
    reach(obj, holder, state)
    before = all_of(obj)
    if state is LIVE:
        go_live(obj, POSE)
        assert state_of(obj) is LIVE and obj.neurarig.neural_pose.targets
        remove(obj, POSE)
        assert state_of(obj) is LIVE
        assert all_of(obj)["data"] == before["data"] and all_of(obj)["pose"] == before["pose"]
        go_live(obj, POSE)
        bake(obj, holder)
        assert state_of(obj) is BAKED
        remove(obj, holder)
        assert state_of(obj) is FREE and not obj.neurarig.neural_pose.targets
    else:
        with refuses(r"is not live\. Turn on Live in"):
            go_live(obj, POSE)
        assert all_of(obj) == before


@pytest.mark.parametrize("holder", [CLIP, POSE])
def test_what_was_baked_can_be_kept(holder: str) -> None:
    obj = character()
    reach(obj, holder, BAKED)
    baked = obj.animation_data.action
    keep(obj, holder)
    assert state_of(obj) is FREE and obj.animation_data.action == baked
    assert bpy.data.actions["Wave"].use_fake_user


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("state", State)
def test_a_state_outlives_saving(holder: str, state: State, tmp_path: Path) -> None:
    obj = character()
    reach(obj, holder, state)
    path = str(tmp_path / "a.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = bpy.data.objects["Hero"]
    assert state_of(obj) is state
    if state is not FREE:
        remove(obj, holder)
    assert obj.animation_data.action.name == "Wave"


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_copy_is_a_character_of_its_own(holder: str) -> None:
    obj = character()
    reach(obj, holder, LIVE)
    bpy.ops.object.select_all(action="DESELECT")
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.duplicate()
    copy = bpy.context.view_layer.objects.active
    bpy.context.view_layer.update()
    assert copy != obj and state_of(copy) is LIVE
    remove(copy, holder)
    assert state_of(copy) is FREE and state_of(obj) is LIVE
    remove(obj, holder)
    assert obj.animation_data.action.name == "Wave"


@pytest.mark.few(30)
@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("call", [1, 2, 3])
def test_where_making_ready_fails_late_all_is_as_before(
    holder: str, call: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At whichever of its steps the animation's way out is interrupted, all comes back."""
    obj = character()
    before = all_of(obj)
    store, calls = stash.store, []

    def fails_once(*arguments: object) -> None:
        calls.append(arguments)
        if len(calls) == call:
            raise NeuraRigError("No room.")
        store(*arguments)

    monkeypatch.setattr(stash, "store", fails_once)
    with refuses("No room"):
        go_live(obj, holder)
    assert all_of(obj) == before
    assert obj.animation_data.action.name == "Wave" and not obj.neurarig.kept


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("made", [False, True], ids=["none", "made meanwhile"])
def test_who_had_no_animation_data_has_none_again(holder: str, made: bool):
    """What the user made meanwhile stays."""
    actor()
    obj = build(biped(), "Still")
    assert obj.animation_data is None
    go_live(obj, holder)
    if made:
        obj.driver_add("hide_render").driver.expression = "frame > 100"
    remove(obj, holder)
    left = [driver.data_path for driver in obj.animation_data.drivers] if obj.animation_data else None
    assert left == (["hide_render"] if made else None)


@pytest.mark.parametrize("held", [WALK, CLIP, POSE])
def test_who_is_held_is_attached_for_no_other_mode(held):
    obj = character()
    go_live(obj, held)
    require_attachable(obj, held)
    for other in {WALK, CLIP, POSE} - {held}:
        with refuses(f"'Hero' {HOLDERS[held].has}. {HOLDERS[held].remedy} first."):
            require_attachable(obj, other)
