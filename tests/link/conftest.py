"""A server with a clock of its own on free ports of this computer, in the test's own thread: a packet sent is
there to be polled."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from examples.link_client import Client
from neurarig_addon.link.server import Server

from .walkers import DT, MemoryBrain, SineProfile, frame, original_frame


class Wire:
    """A server, its clients, and time that passes when the test says so."""

    def __init__(self, new_brain: type[MemoryBrain] | None):
        self.seconds = 0.0
        self.profile = SineProfile()
        self.server = Server(self.profile, new_brain, port=0, debug_port=0, now=lambda: self.seconds)
        self.clients: list[Client] = []

    def client(self) -> Client:
        """Return a new client of the server."""
        return self._kept(Client(port=self.server.address[1]))

    def listener(self) -> Client:
        """Return a new client of the debug port that has pinged it."""
        listener = self._kept(Client(port=self.server.debug_address[1]))
        listener.ping()
        self.server.poll()
        return listener

    def ask(self, client: Client, inputs: np.ndarray) -> np.ndarray | None:
        """Send one frame, let the server serve it, and return the answer if there is one."""
        client.send(inputs)
        self.server.poll(0.01)
        return client.receive()

    def walk(self, client: Client, frames: int, **manner: float) -> int:
        """Walk for some frames at 60 Hz, as the original's engine does, and return how many were answered."""
        return sum(self.ask(client, original_frame(**manner)) is not None for _ in range(frames))

    def converge(self, client: Client, **manner: float) -> None:
        """Walk until the server solves."""
        for number in range(1, 60):
            if self.ask(client, frame(number * DT, **manner)) is not None:
                return
        raise AssertionError("the server never answered")

    def close(self) -> None:
        """Close everything."""
        for client in self.clients:
            client.close()
        self.server.close()

    def _kept(self, client: Client) -> Client:
        self.clients.append(client)
        return client


@pytest.fixture
def open_wire() -> Iterator[Callable[..., Wire]]:
    """Return what opens a wire; all are closed at the end."""
    opened: list[Wire] = []

    def open_one(new_brain: type[MemoryBrain] | None) -> Wire:
        opened.append(Wire(new_brain))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


@pytest.fixture
def wire(open_wire: Callable[..., Wire]) -> Wire:
    """Return a wire with a brain that knows nothing yet."""
    return open_wire(MemoryBrain)
