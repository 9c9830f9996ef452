"""The packets byte by byte, as docs/reference/protocol.md has them, and everything that must be refused."""

import struct

import numpy as np
import pytest

from neurarig_addon.link import packets
from neurarig_addon.link.contract import PacketError, Refusal

ELEVEN = np.linspace(0.0, 1.0, 11)
FRAME = bytes([2]) + struct.pack("<11f", *ELEVEN)


def test_a_frame_is_a_header_and_little_endian_floats():
    assert packets.encode_frame(ELEVEN) == FRAME
    assert packets.encode_answer([1.0, -2.0]) == bytes.fromhex("03 0000803f 000000c0")
    assert packets.encode_targets([0.5]) == bytes.fromhex("04 0000003f")
    assert packets.PING == b""


def test_what_was_encoded_is_decoded():
    numbers = np.random.default_rng(0).normal(size=30)
    packet = packets.encode_answer(numbers)
    assert np.array_equal(packets.decode_floats(packet, packets.ANSWER, 30), numbers.astype(np.float32))
    message = {"profile": "Näme", "inputs": ["a", "b"]}
    assert packets.decode_handshake(packets.encode_handshake(message)) == message
    assert packets.encode_handshake({"a": 1}) == b'\x01{"a":1}'


@pytest.mark.parametrize("packet", [b"", b"\x02", b"\xff"])
def test_a_packet_without_payload_is_a_ping(packet):
    assert packets.is_ping(packet)


@pytest.mark.parametrize(
    ("packet", "refusal"),
    [
        (b"\x05" + FRAME[1:], Refusal.HEADER),
        (b"\x03" + FRAME[1:], Refusal.HEADER),
        (FRAME[:-1], Refusal.LENGTH),
        (FRAME + b"\0\0\0\0", Refusal.LENGTH),
        (FRAME * 1400, Refusal.LENGTH),
        (b"\x02\x00", Refusal.LENGTH),
        (FRAME[:-4] + struct.pack("<f", np.nan), Refusal.NOT_FINITE),
        (FRAME[:-4] + struct.pack("<f", -np.inf), Refusal.NOT_FINITE),
    ],
)
def test_a_frame_that_is_not_one_is_refused(packet, refusal):
    with pytest.raises(PacketError) as caught:
        packets.decode_floats(packet, packets.FRAME, 11)
    assert caught.value.refusal is refusal


@pytest.mark.parametrize(
    ("payload", "refusal"),
    [
        (b"{", Refusal.JSON),
        (b"\xff\xfe{}", Refusal.JSON),
        (b"[1]", Refusal.JSON),
        (b'{"a": NaN}', Refusal.JSON),
        (b"[" * 8_000, Refusal.JSON),
        (b'{"a":' * 1_600, Refusal.JSON),
        (b'{"a":' + b"9" * 8_000 + b"}", Refusal.JSON),
        (b'{"a": "' + b"x" * 8_192 + b'"}', Refusal.LENGTH),
    ],
)
def test_a_handshake_that_is_not_one_is_refused(payload, refusal):
    with pytest.raises(PacketError) as caught:
        packets.decode_handshake(b"\x01" + payload)
    assert caught.value.refusal is refusal


def test_headers_are_known_or_refused():
    assert [packets.header_of(bytes([header, 0])) for header in packets.HEADERS] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(PacketError, match="0x7f"):
        packets.header_of(b"\x7f\x00")


@pytest.mark.parametrize("number", [np.nan, np.inf, 1e39])
def test_what_32_bits_cannot_carry_is_not_sent(number):
    with pytest.raises(PacketError, match="not finite"):
        packets.encode_frame([0.0, number])


@pytest.mark.parametrize("header", [0, 2, 3, 4, 255])
def test_only_a_handshake_is_read_as_one(header):
    with pytest.raises(PacketError, match=f"begins with 0x{header:02x} where 0x01") as error:
        packets.decode_handshake(bytes([header]) + b"{}")
    assert error.value.refusal is Refusal.HEADER
