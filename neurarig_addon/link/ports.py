"""A UDP port that never blocks and never raises once it is open."""

import ipaddress
import select
import socket
from collections.abc import Sequence

from ..core.errors import NeuraRigError
from .packets import MAX_DATAGRAM_BYTES

LOOPBACK = "127.0.0.1"
# Holds some seconds of 60 clients' frames while Blender draws; the system may allow less.
_RECEIVE_BUFFER_BYTES = 1 << 20
# Windows lets another program take over a port, unless this option is set.
_EXCLUSIVE: int | None = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)


class Port:
    """One bound socket with its own buffer, into which every packet is read."""

    def __init__(self, host: str, number: int):
        self._socket = _bound(host, number)
        self.address = self._socket.getsockname()
        self._buffer = bytearray(MAX_DATAGRAM_BYTES + 1)
        self._view = memoryview(self._buffer)

    def receive(self) -> tuple[memoryview, tuple] | None:
        """Return the next packet, valid until the next call, and its sender; None if none is waiting."""
        while True:
            try:
                size, sender = self._socket.recvfrom_into(self._buffer)
            # Windows: an earlier answer was not delivered; not about this packet
            except ConnectionResetError:
                continue
            except OSError:
                return None
            return self._view[:size], sender

    def send(self, packet: bytes, address: tuple) -> bool:
        """Send a packet and return whether the system accepted it."""
        try:
            self._socket.sendto(packet, address)
        except OSError:  # full buffer, a sender's port 0, a lost network: UDP guarantees nothing
            return False
        return True

    def fileno(self) -> int:
        """Return the socket's number, for `select`."""
        return self._socket.fileno()

    def close(self) -> None:
        """Close the socket; closing twice is fine."""
        self._socket.close()


def wait(ports: Sequence[Port], timeout_s: float) -> None:
    """Sleep until a packet waits at one of the ports, at most `timeout_s` seconds."""
    select.select(ports, [], [], timeout_s)


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached only from this computer."""
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"


def _bound(host: str, number: int) -> socket.socket:
    """Return a bound socket; raises NeuraRigError, naming the address, if it cannot be opened."""
    opened = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, number, type=socket.SOCK_DGRAM)[0]
        opened = socket.socket(family, kind, protocol)
        opened.setblocking(False)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER_BYTES)
        if _EXCLUSIVE is not None:
            opened.setsockopt(socket.SOL_SOCKET, _EXCLUSIVE, 1)
        opened.bind(address)
    except (OSError, OverflowError, UnicodeError) as error:
        if opened is not None:
            opened.close()
        reason = getattr(error, "strerror", None) or error
        raise NeuraRigError(
            f"UDP port {number} of '{host}' cannot be opened ({reason}); stop what uses it, or choose"
            " another."
        ) from None
    return opened
