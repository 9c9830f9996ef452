"""The 0x01 handshake: a client describes its rig, the server accepts it or replies with one sentence why
not; and the ports of the link."""

import ipaddress
import select
import socket
from collections.abc import Mapping, Sequence

from ..core.errors import NeuraRigError
from ..core.logic.profile import Profile
from .contract import PacketError, Refusal, TimeMode
from .packets import MAX_DATAGRAM_BYTES, PROTOCOL, encode_handshake


def is_reply(message: Mapping[str, object]) -> bool:
    """Return whether a message answers a handshake: two servers would else answer each other for ever."""
    return "accept" in message


def fitting(reply: Mapping[str, object], room: int) -> bytes | None:
    """Return the packet of a reply in at most `room` bytes, with counts instead of names or only its `accept`
    if need be, else None.

    Who forges a sender's address could else have it flooded with far more than he sends.
    """
    counted = {key: len(value) if isinstance(value, list) else value for key, value in reply.items()}
    forms = (encode_handshake(form) for form in (reply, counted, {"accept": reply["accept"]}))
    return next((packet for packet in forms if len(packet) <= room), None)


def check(message: Mapping[str, object], profile: Profile) -> TimeMode:
    """Return the time mode a client asks for; raises PacketError, saying why, if its message does not fit the
    profile.

    Every entry is optional, and entries unknown to this version are ignored.
    """
    if message.get("protocol", PROTOCOL) != PROTOCOL:
        raise _misfit(f"This server speaks protocol {PROTOCOL}; the client's 'protocol' differs.")
    if message.get("profile", profile.name) != profile.name:
        raise _misfit(
            f"This server runs the profile '{profile.name}'; load the same one in the client, or leave"
            " 'profile' out."
        )
    time = message.get("time", TimeMode.AUTO)
    if time not in list(TimeMode):
        raise _misfit(f"The entry 'time' must be one of {', '.join(TimeMode)}.")
    for key, names in (("inputs", profile.inputs), ("outputs", profile.outputs)):
        if key in message:
            _check_numbers(key, message[key], names)
    return TimeMode(time)


def accepted(profile: Profile, time: TimeMode, solving: bool) -> dict[str, object]:
    """Return the reply to an accepted client: everything it needs to know of the profile."""
    return {
        "accept": True,
        "protocol": PROTOCOL,
        "profile": profile.name,
        "version": profile.version,
        "inputs": list(profile.inputs),
        "outputs": list(profile.outputs),
        "time": str(time),
        "state": "solving" if solving else "training",
    }


def rejected(reason: str) -> dict[str, object]:
    """Return the reply to a rejected client."""
    return {"accept": False, "protocol": PROTOCOL, "reason": reason}


def _check_numbers(key: str, found: object, names: Sequence[str]) -> None:
    """Compare a client's `inputs` or `outputs`, a count or a list of names, with the profile's names."""
    if isinstance(found, list) and all(isinstance(name, str) for name in found):
        for n, (theirs, ours) in enumerate(zip(found, names, strict=False)):
            if theirs != ours:
                raise _misfit(
                    f"Number {n} of the {key} is '{ours}' in this profile; the client's name differs."
                )
        found = len(found)
    if type(found) is not int:
        raise _misfit(f"The entry '{key}' must be a count or a list of names.")
    if found != len(names):
        raise _misfit(f"This profile has {len(names)} {key}; the client has a different number of them.")


def _misfit(sentence: str) -> PacketError:
    return PacketError(Refusal.MISFIT, sentence)


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
