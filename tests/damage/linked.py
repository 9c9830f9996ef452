"""The kind of packets that Blender's own link is sent."""

import socket
from functools import cache
from pathlib import Path

import numpy as np

from neurarig_addon.blender.engine import link
from tests.blender.walking import seen_now

from . import packets
from .figure import walking
from .kind import Kind


@cache
def _engine() -> socket.socket:
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def use_link(path: Path) -> None:
    """Let Blender's timer come round after each packet, which may pose the character."""
    obj = walking()
    if link.server() is None:
        link.start(obj, link.DRIVE, 0, 0)
    server = link.server()
    assert server is not None
    for packet in packets.packets_of(path):
        _engine().sendto(packet, server.address)
        server.wait(1.0)
        assert link._tick() is not None, link.status()
    assert np.isfinite(seen_now(obj)).all()


KINDS = {
    "packets_to_blender": Kind(
        ".hex", packets.to_server, packets.few_spoiled, use_link, parts=packets.AT_ONCE
    )
}
