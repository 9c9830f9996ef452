"""The kinds of packets on the wire to a game engine, both ways: a file is a handful of them, a line each,
some damaged."""

import socket
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from examples.link_client import Client, request
from neurarig_addon.core.errors import LONGEST
from neurarig_addon.core.logic.profile import FOLDER, Profile
from neurarig_addon.link import handshake, packets
from neurarig_addon.link.brains import OnlineBrains
from neurarig_addon.link.contract import PacketError, TimeMode
from neurarig_addon.link.handshake import LOOPBACK
from neurarig_addon.link.server import Server

from .kind import Kind
from .mutation import spoiled, spoiled_json

AT_ONCE = 16  # packets of a file
ENGINES = 24
FLOATS = (float("nan"), float("inf"), -float("inf"), 3e38, -1.0, -0.0, 1e-40, 1e6, 0.4)
# of the inputs of frames
SPANS = ((0.0, 3.0), *[(0.2, 0.6), (0.2, 0.6), (0.0, 1.0), (0.0, 0.3)] * 2, (0.0, 3.0), (0.0, 600.0))
# of delta time, speed, turn, thigh and shin
DRIVES = ((0.0, 0.05), (-1.0, 3.0), (-2.0, 2.0), (0.3, 0.6), (0.3, 0.6))
DEEP = (
    b"[" * 8000,
    b"{" * 9000,
    b'{"protocol":1e400}',
    b'{"inputs":' + b"9" * 5000 + b"}",
    b'{"time":"delta"}' * 2,
)


@cache
def profile() -> Profile:
    """Return the profile that is served."""
    return Profile.load(FOLDER / "1_plain_biped.json")


def lines_of(sent: list[bytes]) -> bytes:
    """Return packets as the lines of a file."""
    return b"\n".join(packet.hex().encode() for packet in sent)


def packets_of(path: Path) -> list[bytes]:
    """Return the packets of a file, those that are too long for a datagram cut off."""
    return [
        bytes.fromhex(line.decode())[: packets.MAX_DATAGRAM_BYTES] for line in path.read_bytes().split(b"\n")
    ]


def to_server() -> list[bytes]:
    """Return what an engine sends: a ping, handshakes, frames and drives."""
    served = profile()
    asked = [request(), request(served.name, served.inputs, len(served.outputs), TimeMode.AUTO)]
    frames = [packets.encode_frame(_frame(Random(number))) for number in range(4)]
    drives = [packets.encode_drive(_drive(Random(number))) for number in range(2)]
    return [lines_of([packets.PING, *map(packets.encode_handshake, asked), *frames, *drives])]


def to_client() -> list[bytes]:
    """Return what an engine is sent: answers, targets, motions and replies to handshakes."""
    served, outputs = profile(), np.linspace(-1.0, 1.0, len(profile().outputs))
    replies = [
        handshake.accepted(served, TimeMode.AUTO, True),
        handshake.rejected("This server speaks protocol 1."),
    ]
    return [
        lines_of(
            [
                packets.encode_answer(outputs),
                packets.encode_targets(outputs),
                packets.encode_motion(np.linspace(-1.0, 1.0, 39)),
                *map(packets.encode_handshake, replies),
            ]
        )
    ]


def _frame(rng: Random) -> np.ndarray:
    return np.array([rng.uniform(*span) for span in SPANS])


def _drive(rng: Random) -> np.ndarray:
    return np.array([1.0, rng.randrange(1000), *(rng.uniform(*span) for span in DRIVES)])


def few_spoiled(rng: Random, content: bytes) -> bytes:
    """Return the lines of AT_ONCE packets, each sound or damaged."""
    sound = [bytes.fromhex(line.decode()) for line in content.split(b"\n")]
    return lines_of([spoiled_packet(rng, rng.choice(sound)) for _ in range(AT_ONCE)])


def spoiled_packet(rng: Random, packet: bytes) -> bytes:
    """Return a packet with something wrong in it, or noise, or now and then a sound one."""
    if rng.random() < 0.1:
        return packet
    return rng.choice((_noise, _cut, _spoiled_numbers, _other_frame, _spoiled_message))(rng, packet)


def _noise(rng: Random, packet: bytes) -> bytes:
    size = rng.choice(
        (0, 1, 2, 43, 44, 45, 121, 156, rng.randrange(300), rng.randrange(300), rng.randrange(300))
    )
    size = packets.MAX_DATAGRAM_BYTES if rng.random() < 0.01 else size
    return rng.choice((b"", bytes([rng.randrange(8)]), packet[:1])) + rng.randbytes(size)


def _cut(rng: Random, packet: bytes) -> bytes:
    return (
        packet[: rng.randrange(len(packet) + 1)]
        if rng.random() < 0.5
        else packet + rng.randbytes(rng.randrange(1, 50))
    )


def _spoiled_numbers(rng: Random, packet: bytes) -> bytes:
    """Return a packet with some of its numbers replaced, or all in the wrong order of bytes."""
    count = max(len(packet) - 1, 0) // packets.FLOAT_BYTES
    if rng.random() < 0.2:
        return packet[:1] + b"".join(packet[at : at + 4][::-1] for at in range(1, 1 + 4 * count, 4))
    for at in rng.sample(range(count), min(rng.choice((1, 1, 2, 11)), count)):
        packet = packet[: 1 + 4 * at] + struct.pack("<f", rng.choice(FLOATS)) + packet[5 + 4 * at :]
    return packet


def _other_frame(rng: Random, packet: bytes) -> bytes:
    """Return a frame or a drive of another body and another time; of what is neither, the packet under
    another header."""
    if packet[:1] == bytes([packets.FRAME]):
        return packets.encode_frame(_frame(rng))
    if packet[:1] == bytes([packets.DRIVE]):
        return packets.encode_drive(_drive(rng))
    return bytes([rng.choice(packets.HEADERS)]) + packet[1:]


def _spoiled_message(rng: Random, packet: bytes) -> bytes:
    """Return a handshake with its JSON spoiled; of what is none, the packet spoiled anywhere."""
    if packet[:1] != bytes([packets.HANDSHAKE]) or rng.random() < 0.3:
        return spoiled(rng, packet)
    return packet[:1] + (rng.choice(DEEP) if rng.random() < 0.05 else spoiled_json(rng, packet[1:]))


@cache
def _server() -> Server:
    return Server(profile(), OnlineBrains.of(profile()), port=0, debug_port=0)


@cache
def _engines() -> list[socket.socket]:
    return [_bound() for _ in range(ENGINES)]


def _bound() -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setblocking(False)
    made.bind((LOOPBACK, 0))
    return made


def use_server(path: Path) -> None:
    """Send packets to a server that learns, each from one of some engines, and some of them to its debug
    port."""
    server = _server()
    for packet in packets_of(path):
        number = server.counts.packets
        engine = _engines()[number % ENGINES]
        engine.sendto(packet, (number % AT_ONCE == 0 and server.debug_address) or server.address)
        server.wait(1.0)
        counts = server.poll()
        assert counts.packets == number + 1, "a packet is lost"
        counted = counts.pings + counts.handshakes + counts.frames + counts.drives + counts.all_refused
        assert counts.packets <= counted, "a packet is not counted"
        _emptied(engine)
    assert server.newest is None or server.newest.outputs is None or np.isfinite(server.newest.outputs).all()


def _emptied(receiver: socket.socket) -> None:
    """Take whatever a socket has received."""
    try:
        while True:
            receiver.recv(packets.MAX_DATAGRAM_BYTES)
    except BlockingIOError:
        return


@cache
def _wire() -> tuple[socket.socket, Client]:
    """Return a stand-in for a server, and its client."""
    served = _bound()
    return served, Client(port=served.getsockname()[1])


def use_client(path: Path) -> None:
    """Let a client receive packets, each as an answer, targets, a motion or the reply to a handshake."""
    served, client = _wire()
    receives: dict[int, Callable[[], object]] = {
        packets.ANSWER: client.receive,
        packets.TARGETS: client.receive_targets,
        packets.MOTION: client.receive_motion,
        packets.HANDSHAKE: lambda: client.handshake({}, 0.0),
    }
    for number, packet in enumerate(packets_of(path)):
        client.outputs = len(profile().outputs)
        served.sendto(packet, client._socket.getsockname())
        wanted = packet[0] if packet[:1] and packet[0] in receives else [*receives][number % len(receives)]
        try:
            found = receives[wanted]()
        except PacketError as refusal:
            assert str(refusal).isprintable() and len(str(refusal)) <= LONGEST, refusal
        else:
            assert not isinstance(found, np.ndarray) or np.isfinite(found).all()
    _emptied(served)


KINDS = {
    "packets_to_server": Kind(".hex", to_server, few_spoiled, use_server, parts=AT_ONCE),
    "packets_to_client": Kind(".hex", to_client, few_spoiled, use_client, parts=AT_ONCE),
}
