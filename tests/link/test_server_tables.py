"""Listeners, refusals, crowds and status: what a server counts, and what it forgets."""

import time

import numpy as np
import pytest

from examples.link_client import request
from neurarig_addon.link import packets, sessions
from neurarig_addon.link.contract import Refusal, TimeMode
from neurarig_addon.link.handshake import is_loopback
from neurarig_addon.link.server import Server, Status
from tests.refusals import refuses

from .walkers import DT, MemoryBrain, SineProfile, frame


def raw(wire, client, packet: bytes) -> None:
    client._socket.send(packet)
    wire.server.poll(0.01)


def test_targets_go_to_the_debug_port_while_training(wire):
    listener, client = wire.listener(), wire.client()
    inputs = frame(0.25)
    wire.ask(client, inputs)
    assert listener.receive_targets() == pytest.approx(wire.profile.evaluate(inputs[None])[0], abs=1e-6)
    raw(wire, listener, packets.encode_frame(inputs))
    assert wire.server.counts.refused[Refusal.HEADER] == 1


def test_the_newest_listeners_are_kept(wire):
    listeners = [wire.listener() for _ in range(sessions.MAX_LISTENERS + 2)]
    wire.ask(wire.client(), frame(0.1))
    heard = [listener.receive_targets() is not None for listener in listeners]
    assert heard == [False, False] + [True] * sessions.MAX_LISTENERS


def test_a_handshake_is_answered(wire):
    client = wire.client()
    client.send(frame(0.1))
    assert client.handshake(request("other"), timeout_s=0.0) is None
    while wire.server.poll().packets < 2:
        pass
    answer = client._await(packets.HANDSHAKE, 0.1)
    assert "sine" in packets.decode_handshake(answer)["reason"]
    client._send(packets.encode_handshake(request("sine", 11, 30, TimeMode.CYCLE)))
    wire.server.poll(0.01)
    assert packets.decode_handshake(client._await(packets.HANDSHAKE, 0.1))["accept"] is True
    assert [session.clock.mode for session in wire.server.sessions] == [TimeMode.CYCLE]
    raw(wire, client, b"\x01no json".ljust(200))
    assert packets.decode_handshake(client._await(packets.HANDSHAKE, 0.1))["accept"] is False
    assert wire.server.counts.refused[Refusal.MISFIT] == wire.server.counts.refused[Refusal.JSON] == 1


@pytest.mark.parametrize(
    ("packet", "refusal"),
    [
        (b"\x09abc", Refusal.HEADER),
        (packets.encode_answer(np.zeros(30)), Refusal.HEADER),
        (packets.encode_frame(np.ones(12)), Refusal.LENGTH),
        (b"\x02" + b"\xff" * 44, Refusal.NOT_FINITE),
        (packets.encode_frame(100.0 * frame(0.0)), Refusal.RANGE),
        (packets.encode_frame(frame(0.1, velocity=95.0)), Refusal.UNANSWERABLE),
        (bytes(65_507), Refusal.HEADER),
    ],
)
def test_what_is_not_served_is_counted_and_explained(wire, packet, refusal):
    client = wire.client()
    raw(wire, client, packet)
    assert wire.server.counts.refused[refusal] == wire.server.counts.all_refused == 1
    assert wire.server.last_refusal.endswith(".")
    assert str(refusal) in wire.server.counts.refusals()


def test_a_frame_that_the_profile_refuses_does_no_harm(wire):
    client = wire.client()
    wire.converge(client)
    for number in range(20):
        wire.ask(client, frame(number * DT, velocity=95.0))
    assert wire.server.counts.refused[Refusal.UNANSWERABLE] > 0
    assert wire.ask(client, frame(0.2)) is not None


def test_a_brain_that_breaks_begins_anew(open_wire):
    class Breaking(MemoryBrain):
        def predict(self, inputs):
            return np.full(30, np.nan) if inputs[0] > 2.0 else super().predict(inputs)

    wire = open_wire(Breaking)
    client = wire.client()
    wire.converge(client)
    assert wire.ask(client, frame(0.5, velocity=3.0)) is None
    assert wire.server.counts.refused[Refusal.UNANSWERABLE] == 1
    wire.converge(client)


def test_silent_clients_are_forgotten(wire):
    first, second = wire.client(), wire.client()
    wire.ask(first, frame(0.1))
    wire.ask(second, frame(0.1))
    wire.seconds += 0.6 * sessions.CLIENT_SILENCE_S
    second.ping()
    wire.server.poll(0.01)
    wire.seconds += 0.6 * sessions.CLIENT_SILENCE_S
    wire.server.poll()
    assert len(wire.server.sessions) == wire.server.counts.forgotten == 1


def test_sixty_clients_are_all_answered(wire):
    clients = [wire.client() for _ in range(60)]
    wire.converge(clients[0])
    for number in range(10):
        for client in clients:
            client.send(frame(number * DT))
        wire.server.poll(1.0)
        assert all(client.receive() is not None for client in clients)


def test_a_crowd_does_not_push_out_who_is_served(wire, monkeypatch):
    monkeypatch.setattr(sessions, "MAX_CLIENTS", 3)
    clients = [wire.client() for _ in range(5)]
    for client in clients:
        wire.ask(client, frame(0.1))
    assert len(wire.server.sessions) == 3
    assert wire.server.counts.refused[Refusal.CROWDED] == 2
    wire.converge(clients[0])


def test_without_a_brain_frames_are_kept_and_outputs_published(open_wire):
    wire = open_wire(None)
    client = wire.client()
    assert wire.ask(client, frame(0.3, velocity=1.2)) is None
    assert wire.server.newest.inputs == pytest.approx(frame(0.3, velocity=1.2))
    outputs = np.linspace(-1.0, 1.0, 30)
    assert wire.server.publish(outputs) == 1
    assert client.receive() == pytest.approx(outputs)


def test_poll_keeps_to_its_budget(wire):
    client = wire.client()
    for number in range(200):
        client.send(frame(number * DT))
    begin = time.process_time()
    wire.server.poll(0.0)
    assert time.process_time() - begin < 0.1
    assert wire.server.counts.packets == 1
    while wire.server.poll(0.001).packets < 200:
        pass
    assert wire.server.counts.frames == 200


def test_a_taken_port_is_told_in_a_sentence(wire):
    port = wire.server.address[1]
    with refuses(str(port)):
        Server(SineProfile(), None, port=port, debug_port=0)
    free = Server(SineProfile(), None, port=0, debug_port=None)
    number = free.address[1]
    free.close()
    free.close()
    with refuses():
        Server(SineProfile(), None, port=number, debug_port=port)
    Server(SineProfile(), None, port=number, debug_port=None).close()
    with refuses():
        Server(SineProfile(), None, host="no such host.invalid", port=0)


def test_it_listens_on_this_computer_unless_told_otherwise(wire):
    assert wire.server.address[0] == wire.server.debug_address[0] == "127.0.0.1"
    assert is_loopback("127.0.0.1") and is_loopback("::1") and is_loopback("localhost")
    assert not is_loopback("0.0.0.0") and not is_loopback("::") and not is_loopback("192.168.1.2")


def test_the_status_line_says_what_goes_on(wire):
    status = Status(wire.server)
    assert status.line().startswith("waiting | 0 clients")
    client, other = wire.client(), wire.client()
    wire.ask(client, frame(0.1))
    assert status.line().startswith("training | 1 client |")
    wire.converge(client)
    assert status.line().startswith("solving")
    wire.ask(other, frame(0.1, leg=0.8))
    raw(wire, other, b"\x09abc")
    assert "training 1 of 2 bodies | 2 clients" in (line := status.line())
    assert line.endswith("refused: 1 unknown header")
