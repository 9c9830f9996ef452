"""The packets, byte for byte: one header byte, then little-endian float32 numbers or, in a handshake, JSON in
UTF-8.

Pure functions of bytes and arrays; docs/reference/protocol.md describes the same in words.
"""

import json
from collections.abc import Mapping
from typing import NoReturn

import numpy as np

from ..core.files import json_text
from .contract import PacketError, Refusal

HANDSHAKE, FRAME, ANSWER, TARGETS, DRIVE, MOTION = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
HEADERS = (HANDSHAKE, FRAME, ANSWER, TARGETS, DRIVE, MOTION)
PROTOCOL = 1
SERVER_PORT, DEBUG_PORT = 6003, 6004

FLOAT_BYTES = 4
MOTION_NUMBERS = 39  # of a drive too, so that no answer is longer than what asks for it
MAX_DATAGRAM_BYTES = 65_507  # largest payload of UDP over IPv4
MAX_HANDSHAKE_BYTES = 8_192
PING = b""
_LITTLE_FLOAT = np.dtype("<f4")


def is_ping(packet: bytes | memoryview) -> bool:
    """Return whether a packet is empty: no bytes, or a header without payload."""
    return len(packet) <= 1


def header_of(packet: bytes | memoryview) -> int:
    """Return the header of a packet that is not a ping; raises PacketError if it is unknown to the
    protocol."""
    header = packet[0]
    if header not in HEADERS:
        raise PacketError(
            Refusal.HEADER, f"A packet begins with 0x{header:02x}; the protocol has 0x01 to 0x06."
        )
    return header


def encode_frame(inputs: np.ndarray) -> bytes:
    """Return the 0x02 packet of one frame of inputs `(n,)`."""
    return _encode_floats(FRAME, inputs)


def encode_answer(outputs: np.ndarray) -> bytes:
    """Return the 0x03 packet of predicted outputs `(m,)`."""
    return _encode_floats(ANSWER, outputs)


def encode_targets(targets: np.ndarray) -> bytes:
    """Return the 0x04 packet of ideal targets `(m,)`."""
    return _encode_floats(TARGETS, targets)


def encode_drive(numbers: np.ndarray) -> bytes:
    """Return the 0x05 packet of some first numbers `(n,)`; zeros fill it up to the length of the motion that
    answers it."""
    return _encode_floats(DRIVE, np.pad(numbers, (0, MOTION_NUMBERS - len(numbers))))


def encode_motion(numbers: np.ndarray) -> bytes:
    """Return the 0x06 packet of a motion `(MOTION_NUMBERS,)`."""
    return _encode_floats(MOTION, numbers)


def decode_floats(packet: bytes | memoryview, header: int, count: int) -> np.ndarray:
    """Return the numbers `(count,)` float64 of any packet but a handshake.

    Raises PacketError for another header, for any other length than 1 + 4 * count bytes, and for a number
    that is not finite.
    """
    if packet[0] != header:
        raise PacketError(
            Refusal.HEADER, f"A packet begins with 0x{packet[0]:02x} where 0x{header:02x} is expected."
        )
    expected = 1 + FLOAT_BYTES * count
    if len(packet) != expected:
        raise PacketError(
            Refusal.LENGTH,
            f"A 0x{header:02x} packet has {len(packet)} bytes; {count} numbers make {expected} bytes.",
        )
    with np.errstate(invalid="ignore"):  # casting a signalling NaN raises a warning
        numbers = np.frombuffer(packet, dtype=_LITTLE_FLOAT, offset=1).astype(float)
    if not np.isfinite(numbers).all():
        place = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise PacketError(Refusal.NOT_FINITE, f"Number {place} of a 0x{header:02x} packet is not finite.")
    return numbers


def encode_handshake(message: Mapping[str, object], room: int = 0) -> bytes:
    """Return the 0x01 packet of a JSON object, with spaces at its end if it is shorter than `room` bytes: a
    reply is no longer than that.

    Raises PacketError if it is too long for the protocol.
    """
    packet = bytes([HANDSHAKE]) + json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
    if len(packet) > 1 + MAX_HANDSHAKE_BYTES:
        raise PacketError(
            Refusal.LENGTH,
            f"A handshake has {len(packet) - 1} bytes of JSON; {MAX_HANDSHAKE_BYTES} are the most.",
        )
    return packet.ljust(room)


def decode_handshake(packet: bytes | memoryview) -> dict[str, object]:
    """Return the JSON object of a 0x01 packet; raises PacketError unless it is exactly one, of strict
    JSON."""
    if packet[0] != HANDSHAKE:
        raise PacketError(Refusal.HEADER, f"A packet begins with 0x{packet[0]:02x} where 0x01 is expected.")
    if len(packet) > 1 + MAX_HANDSHAKE_BYTES:
        raise PacketError(
            Refusal.LENGTH,
            f"A handshake has {len(packet) - 1} bytes of JSON; {MAX_HANDSHAKE_BYTES} are the most.",
        )
    try:
        message = json_text.parsed(bytes(packet[1:]), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise PacketError(Refusal.JSON, "A handshake is not JSON in UTF-8.") from None
    if not isinstance(message, dict):
        raise PacketError(Refusal.JSON, "A handshake is not a JSON object.")
    return message


def _encode_floats(header: int, numbers: np.ndarray) -> bytes:
    with np.errstate(over="ignore"):
        payload = np.asarray(numbers, dtype=float).ravel().astype(_LITTLE_FLOAT)
    if not np.isfinite(payload).all():
        raise PacketError(
            Refusal.NOT_FINITE,
            f"A 0x{header:02x} packet cannot carry a number that is not finite in 32 bits.",
        )
    return bytes([header]) + payload.tobytes()


def _no_constant(name: str) -> NoReturn:
    """Raise ValueError for NaN and Infinity, which Python reads but JSON does not have."""
    raise ValueError(f"{name} is not JSON")
