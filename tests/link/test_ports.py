"""The ports of the link: what cannot be opened is a sentence, and leaves nothing open."""

import socket
import warnings
from contextlib import suppress

import numpy as np
import pytest

from examples.link_client import Client
from neurarig_addon.link.handshake import is_loopback
from neurarig_addon.link.server import Server
from tests.refusals import refuses

from .walkers import MemoryBrain, SineProfile


def test_a_port_that_is_taken_leaves_no_socket_behind():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        number = taken.getsockname()[1]
        for ports in ({"port": number, "debug_port": 0}, {"port": 0, "debug_port": number}):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                with refuses(f"port {number} of '127.0.0.1' cannot be opened"):
                    Server(SineProfile(), MemoryBrain, **ports)
            assert not [warning for warning in told if warning.category is ResourceWarning]


@pytest.mark.parametrize("fails", [False, True])
def test_a_server_gives_its_ports_back_at_the_end_of_its_block(fails):
    server = Server(SineProfile(), MemoryBrain, port=0, debug_port=0)
    numbers = server.address[1], server.debug_address[1]
    with suppress(KeyboardInterrupt), server:
        if fails:
            raise KeyboardInterrupt
    for number in numbers:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as another:
            another.bind(("127.0.0.1", number))


def test_a_client_of_nobody_has_no_answer():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as gone:
        gone.bind(("127.0.0.1", 0))
        number = gone.getsockname()[1]
    with Client(port=number) as client:
        client.ping()
        assert client.ask(np.zeros(3), 0.05) is None and client.receive(0.05) is None
        assert client.handshake({"name": "rig"}, 0.05) is None


@pytest.mark.parametrize(("host", "ours"), [
    ("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False),
    ("192.168.0.2", False),
    ("::", False), ("fe80::1%eth0", False), ("example.org", False), ("", False),
])  # fmt: skip
def test_only_this_computer_is_this_computer(host, ours):
    assert is_loopback(host) == ours
