"""Characters that an engine drives: known bytes, what is refused, clients apart from one another, and steps
on the ground."""

import struct
from dataclasses import replace

import numpy as np
import pytest

from examples import drive_client
from neurarig_addon.core.contract.channels import CHANNELS
from neurarig_addon.core.gait.inputs.proportions import natural_spacing
from neurarig_addon.core.gait.walker import NATURAL_TOE_OUT
from neurarig_addon.core.geometry.rotation import about_z, from_euler
from neurarig_addon.core.sequence.figure import LEG, figure
from neurarig_addon.link import packets, sessions
from neurarig_addon.link.contract import Refusal
from neurarig_addon.link.driving import DrivePacket

from .walkers import DT, frame

WALK = DrivePacket(1.0, 0.0, DT, 1.3, 0.0, 0.42, 0.43)
FOOT_X, PELVIS_Z = CHANNELS.index("foot_r.x"), CHANNELS.index("pelvis.z")
ROOT, STANDS = slice(30, 33), slice(33, 37)  # numbers of a motion


def driven(wire, client, drive: DrivePacket) -> np.ndarray | None:
    """Send a drive, let the server serve it, and return the motion that answers it, if there is one."""
    client.drive(drive.numbers, 0.0)
    wire.server.poll(0.01)
    return client.receive_motion()


def walked(wire, client, frames: int, drive: DrivePacket = WALK) -> np.ndarray:
    """Return the motions `(frames, 39)` of some equal drives."""
    return np.array([driven(wire, client, replace(drive, number=number)) for number in range(frames)])


def test_the_bytes_are_those_of_the_document():
    packet = packets.encode_drive(replace(WALK, number=2.0, delta_time=0.25, turn=-0.5).numbers)
    assert packet[:29] == bytes.fromhex("05 0000803f 00000040 0000803e 6666a63f 000000bf 3d0ad73e f628dc3e")
    assert len(packet) == 157 and packet[29:] == bytes(128)
    motion = packets.encode_motion(np.arange(39.0))
    assert motion == b"\x06" + struct.pack("<39f", *range(39))
    assert np.array_equal(packets.decode_floats(motion, packets.MOTION, 39), np.arange(39.0))


def test_the_example_writes_and_reads_these_bytes(wire):
    drive = DrivePacket(1.0, 7.0, DT, 1.3, 0.5, drive_client.THIGH, drive_client.SHIN)
    assert drive_client.drive_of(7, DT, 1.3, 0.5) == packets.encode_drive(drive.numbers)
    motion = drive_client.motion_of(packets.encode_motion(driven(wire, wire.client(), drive)))
    assert motion["frame"] == (1.0, 7.0) and motion["contacts"] == (1.0, 1.0, 1.0, 1.0)
    assert drive_client.motion_of(packets.encode_answer(np.zeros(39))) is None


def test_it_stands_until_it_is_told_to_walk_and_needs_neither_handshake_nor_profile(open_wire):
    wire = open_wire(None)
    client = wire.client()
    still = walked(wire, client, 60, replace(WALK, speed=0.0))
    assert np.abs(still[0, :30]).max() < 0.02 and np.abs(still[:, ROOT]).max() < 0.05
    assert (
        (still[:, STANDS] == 1.0).all()
        and (still[:, 37] == 1.0).all()
        and np.array_equal(still[:, 38], np.arange(60.0))
    )
    walk = walked(wire, client, 300)
    assert walk[-1, 30] - walk[-181, 30] == pytest.approx(3.0 * 1.3, rel=0.2)
    assert np.ptp(walk[-120:, FOOT_X]) > 0.4
    assert (
        not wire.server.sessions.learners() and wire.server.counts.drives == wire.server.counts.answers == 360
    )


def test_a_turn_goes_to_the_left(wire):
    client = wire.client()
    heading = np.unwrap(walked(wire, client, 300, replace(WALK, turn=0.5))[:, 32])
    assert (heading[-1] - heading[-121]) / 2.0 == pytest.approx(0.5, abs=0.15)


def test_the_same_drives_are_the_same_bytes_and_clients_do_not_touch_one_another(wire):
    one, other, alone = wire.client(), wire.client(), wire.client()
    expected = walked(wire, alone, 90)
    for number in range(90):
        first = driven(wire, one, replace(WALK, number=float(number)))
        driven(wire, other, replace(WALK, turn=1.0, speed=0.5))
        assert np.array_equal(first, expected[number])


def heels_and_balls(motion: np.ndarray) -> np.ndarray:
    """Return where an engine has heel and ball of both feet `(2, 2, 3)`, right first, of a character with an
    adult's feet."""
    body, sole, size = figure().character.body, figure().sole, 0.85 / LEG
    back = about_z(np.array(motion[32]))
    found = []
    for row, (foot, ball, side) in enumerate(
        ((motion[:6], motion[12:18], 1), (motion[6:12], motion[18:24], 0))
    ):
        aside = (1 - 2 * side) * size * natural_spacing(body)
        toe_out = (1 - 2 * side) * NATURAL_TOE_OUT
        ankle = foot[:3] + [0.0, aside, size * sole.ankle[side, 2]]
        turn = from_euler(foot[3], foot[4] + toe_out, foot[5])
        heel = ankle + size * turn @ (sole.heel - sole.ankle)[side]
        joint = ankle + size * turn @ (sole.joint - sole.ankle)[side]
        assert joint - about_z(np.array(toe_out)) @ (size * (sole.joint - sole.ankle)[side]) - [
            0.0,
            aside,
            size * sole.ankle[side, 2],
        ] == (pytest.approx(ball[:3], abs=1e-6)), row
        # toes lie flat where the ball stands
        under = joint + size * about_z(np.array(foot[4] + toe_out)) @ (sole.ball - sole.joint)[side]
        found.append([heel, under])
    return np.array(found) @ back.T + [*motion[30:32], 0.0]


@pytest.mark.few
@pytest.mark.parametrize("delta_time", [1.0 / 60.0, 1.0 / 144.0])
def test_what_stands_does_not_slip_where_the_engine_puts_it(wire, delta_time):
    client, before, steps = wire.client(), None, 0
    for number in range(600):
        speed, turn = ((0.0, 0.0), (1.3, 0.0), (1.3, 0.6), (0.7, -0.6), (1.9, 0.0), (0.0, 0.0))[number // 100]
        motion = driven(wire, client, replace(WALK, delta_time=delta_time, speed=speed, turn=turn))
        here = heels_and_balls(motion), motion[STANDS].reshape(2, 2) > 0.5
        if before is not None:
            still = here[1] & before[1]
            assert np.linalg.norm(here[0] - before[0], axis=-1)[still].max(initial=0.0) < 5e-4, number
            steps += int((before[1] & ~here[1]).sum())
        before = here
    assert steps > 4


@pytest.mark.parametrize(
    ("packet", "refusal"),
    [
        (packets.encode_drive(WALK.numbers)[:-4], Refusal.LENGTH),
        (packets.encode_drive(WALK.numbers)[:29], Refusal.LENGTH),
        (packets.encode_drive(WALK.numbers) + bytes(4), Refusal.LENGTH),
        (packets.encode_drive(WALK.numbers)[:-4] + struct.pack("<f", np.nan), Refusal.NOT_FINITE),
        (packets.encode_motion(np.zeros(39)), Refusal.HEADER),
        *(
            (packets.encode_drive(replace(WALK, **{name: value}).numbers), Refusal.RANGE)
            for name, value in [
                ("version", 2.0), ("number", -1.0), ("number", 2.0**25), ("delta_time", -DT),
                ("delta_time", 0.3), ("speed", 130.0),
                ("turn", -101.0), ("thigh", 42.0), ("thigh", 0.0), ("shin", 1e-3),
            ]
        ),
    ],
)  # fmt: skip
def test_what_is_no_drive_is_refused_and_not_answered(wire, packet, refusal):
    client = wire.client()
    client._socket.send(packet)
    wire.server.poll(0.01)
    assert wire.server.counts.refused[refusal] == wire.server.counts.all_refused == 1
    assert client._await(packets.MOTION, 0.0) is None and len(wire.server.sessions) == 0
    assert wire.server.last_refusal.endswith(".")


def test_a_motion_is_no_longer_than_its_drive_and_comes_once(wire):
    client = wire.client()
    client._socket.send(packets.encode_drive(WALK.numbers))
    wire.server.poll(0.01)
    assert len(client._await(packets.MOTION, 0.0)) == len(packets.encode_drive(WALK.numbers))
    assert client._await(packets.MOTION, 0.0) is None


def test_a_crowd_is_refused(wire, monkeypatch):
    monkeypatch.setattr(sessions, "MAX_CLIENTS", 2)
    answers = [driven(wire, wire.client(), WALK) for _ in range(3)]
    assert [answer is None for answer in answers] == [False, False, True]
    assert wire.server.counts.refused[Refusal.CROWDED] == 1


def test_a_client_may_drive_and_teach_at_once_and_another_profile_leaves_the_motion_alone(wire):
    client = wire.client()
    wire.converge(client)
    before = walked(wire, client, 60)[-1]
    wire.server.set_profile(wire.profile, None)
    after = driven(wire, client, WALK)
    assert np.abs(after[ROOT] - before[ROOT]).max() < 0.1
    assert wire.ask(client, frame(0.5)) is None
