"""Every packet is counted once, as what it is."""

from collections import Counter

import numpy as np
import pytest

from examples.link_client import REPLY_BYTES, request
from neurarig_addon.link import packets
from neurarig_addon.link.contract import Refusal

from .walkers import DT, frame


@pytest.mark.parametrize("seed", range(3))
def test_every_packet_is_counted_once(wire, seed):
    draw, sent = np.random.default_rng(seed), Counter()
    clients = [wire.client() for _ in range(3)]
    for number in range(60):
        kind = str(draw.choice(["ping", "handshake", "frame", "unknown"]))
        packet = {
            "ping": packets.PING,
            "handshake": packets.encode_handshake(request("sine", 11, 30)),
            "frame": packets.encode_frame(frame(number * DT)),
            "unknown": b"\x7fabc",
        }[kind]
        clients[draw.integers(3)]._socket.send(packet)
        wire.server.poll(0.01)
        sent[kind] += 1
        counts = wire.server.counts
        assert counts.packets == number + 1
        assert (counts.pings, counts.handshakes, counts.frames) == (
            sent["ping"],
            sent["handshake"],
            sent["frame"],
        )
        assert counts.refused[Refusal.HEADER] == counts.all_refused == sent["unknown"]


def test_a_client_reads_as_many_outputs_as_the_server_has(wire):
    client = wire.client()
    client.outputs = 7
    message = request("sine", 11, 30)
    client._send(packets.encode_handshake(message, REPLY_BYTES))
    wire.server.poll(0.01)
    assert client.handshake(message, 0.1)["accept"] is True and client.outputs == 30
    wire.server.poll(0.01)
    client._await(packets.HANDSHAKE, 0.1)
    client.outputs = 30
    client._socket.send(packets.encode_handshake(request("another", 11, 30), REPLY_BYTES))
    wire.server.poll(0.01)
    assert client.handshake(message, 0.1)["accept"] is False and client.outputs == 30, (
        "a refusal names no outputs"
    )
