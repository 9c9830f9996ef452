"""Who is accepted, and the sentence for who is not."""

import json

import pytest

from examples.link_client import request
from neurarig_addon.link import handshake, packets
from neurarig_addon.link.contract import PacketError, TimeMode

from .walkers import INPUTS, OUTPUTS, SineProfile

PROFILE = SineProfile()


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"profile": "sine", "inputs": 11, "outputs": 30},
        {"inputs": list(INPUTS), "outputs": list(OUTPUTS), "engine": "some engine 5.4"},
        request("sine", INPUTS, OUTPUTS, TimeMode.DELTA),
    ],
)
def test_a_rig_that_fits_is_accepted(message):
    assert handshake.check(message, PROFILE) == message.get("time", TimeMode.AUTO)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"protocol": 2}, "protocol 1"),
        ({"protocol": [1]}, "protocol 1"),
        ({"profile": "cosine"}, "runs the profile 'sine'"),
        ({"inputs": 12}, "11 inputs"),
        ({"outputs": list(OUTPUTS[:29])}, "30 outputs"),
        ({"inputs": ["velocity", "bone_l2_r"]}, "Number 1 of the inputs is 'bone_l1_r'"),
        ({"inputs": {"velocity": 1}}, "a count or a list"),
        ({"inputs": [1, 2]}, "a count or a list"),
        ({"inputs": True}, "a count or a list"),
        ({"outputs": None}, "a count or a list"),
        ({"time": "frames"}, "auto, delta, cycle"),
        ({"time": ["delta"]}, "auto, delta, cycle"),
    ],
)
def test_a_rig_that_does_not_fit_is_told_why(message, sentence):
    with pytest.raises(PacketError, match=sentence):
        handshake.check(message, PROFILE)


def test_the_answers_are_json_with_everything_a_client_needs():
    answer = json.loads(json.dumps(handshake.accepted(PROFILE, TimeMode.AUTO, True)))
    assert answer == {
        "accept": True, "protocol": 1, "profile": "sine", "version": 1,
        "inputs": list(INPUTS), "outputs": list(OUTPUTS), "time": "auto", "state": "solving",
    }  # fmt: skip
    assert handshake.rejected("No.") == {"accept": False, "protocol": 1, "reason": "No."}


@pytest.mark.parametrize("room", [3, 15, 16, 17, 100, 200, 4096])
def test_a_reply_is_no_longer_than_what_it_replies_to(wire, room: int) -> None:
    client = wire.client()
    client._send(packets.encode_handshake({}, room))
    wire.server.poll(0.1)
    reply = client._await(packets.HANDSHAKE, 0.1)
    assert (
        (reply is None) == (room < len(b'\x01{"accept":true}'))
        and len(reply or b"") <= room
        and len(wire.server.sessions) == 1
    )
    assert room < 4096 or packets.decode_handshake(reply)["outputs"] == list(OUTPUTS)
