"""A flood of damaged packets over the wire: nothing comes out but counts, and memory stays flat.

NEURARIG_FUZZ_PACKETS sets how many; a million take some minutes. `python -m tests.damage packets_to_server`
sends them to a real profile.
"""

import numpy as np

from neurarig_addon.link import packets
from neurarig_addon.link.contract import Refusal

from .walkers import DT, MemoryBrain, frame


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
