"""The link inside Blender: an engine drives a character, or hears its walk; it ends cleanly, and never
blocks."""

import time

import bpy
import numpy as np
import pytest

import neurarig_addon
from examples.link_client import Client
from neurarig_addon.blender import api
from neurarig_addon.blender.engine import link as engine_link
from neurarig_addon.blender.walk.show import live
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.core.gait.contract_pose import outputs_of
from tests.blender.walking import seen_now, walker

BODY = (0.43, 0.43)


@pytest.fixture(autouse=True)
def no_link_left():
    yield
    engine_link.stop()


def start(mode: str) -> Client:
    """Start a link of the active character on free ports, and return a client of it."""
    assert bpy.ops.neurarig.start_link(mode=mode, port=0, debug_port=0) == {"FINISHED"}
    return Client(port=engine_link.server().address[1])


def tick(client: Client, count: int = 1) -> None:
    """Let Blender's timer come round, as it does with a window."""
    for _ in range(count):
        time.sleep(0.002)
        assert engine_link._tick() is not None


def test_a_dear_packet_leaves_blender_the_time_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    walker("Hero")
    taken = [0.0]
    monkeypatch.setattr(engine_link, "perf_counter", lambda: taken.pop() if taken else 0.0)
    with start("DRIVE"):
        for spent in (0.001, 0.004, 0.015, 2.0):
            taken[:] = [spent, 0.0]
            rest = engine_link._tick()
            assert rest is not None and engine_link.INTERVAL_S <= rest <= engine_link.LONGEST_REST_S
            assert (
                rest == engine_link.LONGEST_REST_S
                or spent <= (spent + rest) * engine_link.BUDGET_S / engine_link.INTERVAL_S
            )


def frame(speed: float, t_cycle: float) -> np.ndarray:
    side = (*BODY, 0.0, 0.1)
    return np.array([speed, *side, BODY[0], BODY[1], 0.5, 0.1, t_cycle, t_cycle + 10.0])


@pytest.mark.parametrize("profile", [None, "Plain Biped"])
def test_an_engine_drives_the_character(profile) -> None:
    obj = walker("Hero", profile=profile)
    with start("DRIVE") as client:
        assert not live.is_walking(obj) and obj.neurarig.walk.live, (
            "its own walk pauses, and a file saved now would walk"
        )
        client.send(frame(1.2, 0.05))
        tick(client)
        first = seen_now(obj)
        client.send(frame(1.2, 0.4))
        tick(client)
        assert np.abs(seen_now(obj) - first).max() > 0.02
        client.send(frame(1.2, 0.05))
        tick(client)
        assert np.abs(seen_now(obj) - first).max() < 0.02
        bpy.context.scene.frame_set(9)
        assert np.abs(seen_now(obj) - first).max() < 0.02, "the timeline does not move it"
    engine_link.stop()
    assert np.abs(seen_now(obj) - first).max() > 0.02, "and goes on"


def test_an_engine_is_answered_once_the_profile_is_learned() -> None:
    walker("Hero", profile="Plain Biped")
    profile = engine_link.profile_gait(bpy.context.object.neurarig.walk).profile
    with start("DRIVE") as client:
        period = float(profile.period(frame(1.2, 0.0)[None])[0])
        answer, inputs = None, None
        for n in range(400):
            inputs = frame(1.2, (n / 60.0) % period)
            client.send(inputs)
            tick(client)
            answer = client.receive(0.002)
            if answer is not None:
                break
        assert answer is not None
        assert np.abs(answer - profile.evaluate(inputs.astype(np.float32)[None])[0]).max() < 1e-3
        assert "solving" in engine_link.Status(engine_link.server()).line()


def test_a_moved_constant_is_driven_and_learned_from_the_next_frame_on() -> None:
    obj = walker("Hero", profile="Plain Biped")
    with start("DRIVE") as client:
        client.send(frame(1.2, 0.4))
        tick(client)
        session = next(iter(engine_link.server().sessions))
        before, learner = seen_now(obj), session.learner
        obj.neurarig.walk.profile_constants["lift_share"].value *= 3.0
        client.send(frame(1.2, 0.4))
        tick(client)
        assert np.abs(seen_now(obj) - before).max() > 0.02
        assert session.learner is not learner, (
            "what was learned of the old constants is no answer to the new ones"
        )


def test_a_profile_that_cannot_walk_ends_the_link_with_a_reason() -> None:
    obj = walker("Hero", profile="Plain Biped")
    with start("DRIVE") as client:
        client.send(frame(1.2, 0.4))
        tick(client)
        obj.neurarig.walk.profile = "{}"
        assert engine_link._tick() is None and not engine_link.is_running()
        assert "Schema is missing" in engine_link.status()


@pytest.mark.parametrize("profile", [None, "Stalking Wader"])
def test_the_walk_is_streamed_out(profile) -> None:
    obj = walker("Hero", profile=profile)
    with start("STREAM") as client:
        assert obj.neurarig.walk.live
        client.outputs = len(engine_link.server().teacher.profile.outputs)
        client.send(frame(1.0, 0.1) if profile is None else np.insert(frame(1.0, 0.1), 10, 1.0))
        tick(client)
        while client.receive() is not None:
            pass
        for shown in (5.0, 12.0):
            bpy.context.scene.frame_set(int(shown))
            tick(client)
            heard = client.receive(0.05)
            source = walk_source.source_of(obj, bpy.context.scene)
            assert (
                np.abs(heard[:30] - outputs_of(source.body, source.pose(np.array([shown])))[0]).max() < 1e-6
            )


def test_only_one_link_and_only_with_a_walk() -> None:
    obj = walker("Hero")
    start("STREAM").close()
    with pytest.raises(RuntimeError, match="'Hero' is linked"):
        bpy.ops.neurarig.start_link(mode="DRIVE", port=0, debug_port=0)
    assert bpy.ops.neurarig.stop_link() == {"FINISHED"}
    api.remove_walk(obj)
    assert not bpy.ops.neurarig.start_link.poll()


def test_noise_is_counted_and_shown() -> None:
    walker("Hero")
    with start("DRIVE") as client:
        for packet in (b"\x02abc", b"\x07nonsense", b"\x02" + b"\xff" * 44):
            client._send(packet)
        tick(client, 3)
        assert engine_link.server().counts.all_refused == 3
        assert "refused" in engine_link.Status(engine_link.server()).line()


def test_a_link_ends_with_its_character_its_file_and_the_addon() -> None:
    obj = walker("Hero")
    start("DRIVE").close()
    api.remove_walk(obj)
    assert engine_link._tick() is None and not engine_link.is_running()
    assert "no longer has a walk" in engine_link.status()
    api.generate_walk(obj)
    assert live.is_walking(obj)

    walker("Second")
    start("STREAM").close()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert not engine_link.is_running() and not bpy.app.timers.is_registered(engine_link._tick)

    walker("Third")
    start("STREAM").close()
    neurarig_addon.unregister()
    assert not engine_link.is_running() and not bpy.app.timers.is_registered(engine_link._tick)
    neurarig_addon.register()


def test_a_taken_port_is_said_in_one_sentence() -> None:
    walker("Hero")
    start("STREAM").close()
    port = engine_link.server().address[1]
    taken = engine_link.server()
    with pytest.raises(Exception, match="cannot be opened"):
        engine_link.Server(taken.teacher.profile, None, port=port, debug_port=None)
