"""A flood of damaged packets over the wire: nothing comes out but counts, and memory stays flat.

NEURARIG_FUZZ_PACKETS sets how many; a million take some minutes. `python -m tests.damage packets_to_server`
sends them to a real profile.
"""

import gc
import os
import tracemalloc
from random import Random

import numpy as np
import pytest

from neurarig_addon.link import packets
from neurarig_addon.link.contract import Refusal
from tests.cases import some
from tests.damage.packets import spoiled_packet

from .walkers import DT, MemoryBrain, frame

COUNT = int(os.environ.get("NEURARIG_FUZZ_PACKETS") or some(20_000))
AT_ONCE = 16  # fewer than any receive buffer holds
FLAT_BYTES = 200_000


def used() -> int:
    """Return the bytes in use; numpy's windows over arrays are cycles, which wait for the collector."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_damaged_packets_are_counted_and_nothing_more(wire):
    client = wire.client()
    wire.converge(client)
    attacker = wire.client()
    rng, shake = (
        Random(0),
        packets.encode_handshake(
            {"protocol": 1, "profile": "sine", "inputs": 11, "outputs": 30, "time": "auto"}
        ),
    )
    drive = packets.encode_drive([1.0, 0.0, 1e-3, 1.3, 0.2, 0.42, 0.43])
    # a drive costs ten times as much as the others
    sound = [*[packets.encode_frame(frame(0.3)), shake] * 6, drive]
    tracemalloc.start()
    begin = 0
    for sent in range(0, COUNT, AT_ONCE):
        for _ in range(AT_ONCE):
            attacker._socket.send(spoiled_packet(rng, rng.choice(sound))[: packets.MAX_DATAGRAM_BYTES])
        wire.server.poll(1.0)
        while any(
            attacker._await(header, 0.0) is not None
            for header in (packets.ANSWER, packets.HANDSHAKE, packets.MOTION)
        ):
            pass
        if sent == COUNT // 4 // AT_ONCE * AT_ONCE:
            begin = used()
    growth = used() - begin
    tracemalloc.stop()
    counts = wire.server.counts
    assert counts.packets >= COUNT
    assert all(counts.refused[kind] > 0 for kind in set(Refusal) - {Refusal.CROWDED, Refusal.UNANSWERABLE})
    assert growth < FLAT_BYTES
    assert wire.ask(client, frame(0.5)) is not None


def test_ever_new_clients_and_bodies_do_not_pile_up(wire):
    wire.server.listeners.welcome(("127.0.0.1", 9), 0.0)
    rng = np.random.default_rng(0)
    for number in range(2_000):
        packet = memoryview(packets.encode_frame(frame(number * DT, leg=float(rng.uniform(0.5, 1.2)))))
        wire.server._serve(packet, ("127.0.0.1", 20_000 + number))
        wire.server._serve(packet, ("127.0.0.1", 20_000))
    assert len(wire.server.sessions) <= 256
    assert len(wire.server.sessions.learners()) <= 256
    wire.seconds += 60.0
    wire.server.poll()
    assert len(wire.server.sessions) == 0


@pytest.mark.parametrize("size", [0, 1, 2, 45, 1_472, 65_507])
def test_every_size_that_udp_can_carry(wire, size):
    client = wire.client()
    client._socket.send(b"\x02" * size)
    wire.server.poll(0.01)
    assert wire.server.counts.packets == 1
    assert wire.server.counts.pings + wire.server.counts.all_refused + wire.server.counts.frames == 1


def test_a_brain_may_fail_in_any_way_that_numbers_can(open_wire):
    class Failing(MemoryBrain):
        failures = (
            np.linalg.LinAlgError("singular"),
            ZeroDivisionError(),
            OverflowError(),
            FloatingPointError(),
            ValueError("shape"),
        )

        def train(self, inputs, targets):
            raise self.failures[int(inputs[9] / DT + 0.5) % len(self.failures)]

    wire = open_wire(Failing)
    client = wire.client()
    for number in range(5):
        assert wire.ask(client, frame(number * DT)) is None
    assert wire.server.counts.refused[Refusal.UNANSWERABLE] == 5
