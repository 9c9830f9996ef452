"""The engine's side of the link, for scripts and tests; `engine_client.py` shows the bytes themselves."""

import select
import socket
import time
from collections.abc import Mapping, Sequence
from types import TracebackType

import numpy as np

from neurarig_addon.link import packets
from neurarig_addon.link.contract import TimeMode
from neurarig_addon.link.handshake import LOOPBACK

REPLY_BYTES = 4096  # of a handshake, with spaces at its end: the reply is no longer


def request(
    profile: str | None = None,
    inputs: Sequence[str] | int | None = None,
    outputs: Sequence[str] | int | None = None,
    time: TimeMode = TimeMode.AUTO,
) -> dict[str, object]:
    """Return a client's message; entries that are None are left to the server."""
    said = {
        "protocol": packets.PROTOCOL,
        "profile": profile,
        "inputs": inputs,
        "outputs": outputs,
        "time": str(time),
    }
    return {
        key: value if isinstance(value, str | int) else list(value)
        for key, value in said.items()
        if value is not None
    }


class Client:
    """A connected UDP socket: only the server's packets are received.

    `outputs` is the number of outputs; a `handshake` sets it to the server's. Answers of another size raise
    PacketError.
    """

    def __init__(self, host: str = LOOPBACK, port: int = packets.SERVER_PORT, outputs: int = 30):
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        self._socket = socket.socket(family, kind, protocol)
        self._socket.setblocking(False)
        self._socket.connect(address)
        self.outputs = outputs

    def ping(self) -> None:
        """Send an empty packet: to the server's port as a keep-alive, to the debug port to subscribe to the
        ideal targets."""
        self._send(packets.PING)

    def handshake(self, request: Mapping[str, object], timeout_s: float = 1.0) -> dict[str, object] | None:
        """Send a description of the rig and return the server's reply, or None if it does not reply in
        time."""
        self._send(packets.encode_handshake(request, REPLY_BYTES))
        answer = self._await(packets.HANDSHAKE, timeout_s)
        if answer is None:
            return None
        found = packets.decode_handshake(answer)
        names = found.get("outputs")
        if isinstance(names, list):
            self.outputs = len(names)
        return found

    def send(self, inputs: np.ndarray) -> None:
        """Send one frame of inputs `(n,)`."""
        self._send(packets.encode_frame(inputs))

    def receive(self, timeout_s: float = 0.0) -> np.ndarray | None:
        """Return the next answer `(m,)`, or None if none arrives in time, as while the server trains."""
        return self._numbers(packets.ANSWER, timeout_s)

    def receive_targets(self, timeout_s: float = 0.0) -> np.ndarray | None:
        """Return the next ideal targets `(m,)`, for a client of the debug port that has pinged it."""
        return self._numbers(packets.TARGETS, timeout_s)

    def ask(self, inputs: np.ndarray, timeout_s: float = 0.1) -> np.ndarray | None:
        """Send one frame and return its answer `(m,)`, or None."""
        self.send(inputs)
        return self.receive(timeout_s)

    def drive(self, numbers: Sequence[float], timeout_s: float = 0.1) -> np.ndarray | None:
        """Send the numbers that begin a drive (see docs/reference/protocol.md) and return the motion `(39,)`
        that answers it, or None."""
        self._send(packets.encode_drive(np.asarray(numbers, dtype=float)))
        return self.receive_motion(timeout_s)

    def receive_motion(self, timeout_s: float = 0.0) -> np.ndarray | None:
        """Return the next motion `(39,)`, or None if none arrives in time."""
        packet = self._await(packets.MOTION, timeout_s)
        return (
            None if packet is None else packets.decode_floats(packet, packets.MOTION, packets.MOTION_NUMBERS)
        )

    def close(self) -> None:
        """Close the socket; the server forgets a silent client by itself."""
        self._socket.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _numbers(self, header: int, timeout_s: float) -> np.ndarray | None:
        packet = self._await(header, timeout_s)
        return None if packet is None else packets.decode_floats(packet, header, self.outputs)

    def _await(self, header: int, timeout_s: float) -> bytes | None:
        """Return the next packet with this header; others are skipped."""
        end = time.perf_counter() + timeout_s
        while select.select([self._socket], [], [], max(0.0, end - time.perf_counter()))[0]:
            try:
                packet = self._socket.recv(packets.MAX_DATAGRAM_BYTES)
            except OSError:  # the system reports that nobody listens there
                return None
            if not packets.is_ping(packet) and packet[0] == header:
                return packet
        return None

    def _send(self, packet: bytes) -> None:
        try:
            self._socket.send(packet)
        except OSError:  # nobody listens there yet: lost, as any packet may be
            return
