"""What a game engine does to steer a character with NeuraRig: speed and turn out, pose and place in. Plain
Python.

    python -m neurarig_addon.link serve --profile 1_plain_biped        # in one terminal; any profile will do
    python examples/drive_client.py                                    # in another

No handshake and no learning: every packet is answered. docs/reference/protocol.md describes both to the last
byte.
"""

import argparse
import math
import socket
import struct
import time

DRIVE, MOTION, VERSION = 0x05, 0x06, 1
NUMBERS = 39  # of both packets: a drive is filled up with zeros
FRAMES_PER_SECOND = 60
LONGEST_FRAME_S = 0.25
# x, y, z in metres, then pitch, yaw, roll in radians
BLOCKS = ("foot_r", "foot_l", "ball_r", "ball_l", "pelvis")
THIGH, SHIN = 0.42, 0.43  # metres, of the engine's character
# What a player does: until when (s), speed (m/s), turn to the left (radians a second).
PLAY = ((1.0, 0.0, 0.0), (5.0, 1.3, 0.0), (9.0, 1.3, 0.6), (12.0, 1.8, -0.3), (15.0, 0.0, 0.0))


def drive_of(number: int, delta_time: float, speed: float, turn: float) -> bytes:
    """Return the packet of a frame: the header, seven little-endian float32, and zeros."""
    numbers = (VERSION, number, delta_time, speed, turn, THIGH, SHIN)
    return struct.pack(f"<B{NUMBERS}f", DRIVE, *numbers, *[0.0] * (NUMBERS - len(numbers)))


def motion_of(packet: bytes) -> dict[str, tuple[float, ...]] | None:
    """Return the pose by block, the root's x, y and heading, which contacts stand, and the frame's number;
    None for another packet."""
    if len(packet) != 1 + 4 * NUMBERS or packet[0] != MOTION:
        return None
    numbers = struct.unpack_from(f"<{NUMBERS}f", packet, 1)
    pose = {name: numbers[6 * n : 6 * n + 6] for n, name in enumerate(BLOCKS)}
    return pose | {"root": numbers[30:33], "contacts": numbers[33:37], "frame": (numbers[37], numbers[38])}


def play(wire: socket.socket) -> tuple[int, int]:
    """Play what PLAY says and return how many frames were sent and answered."""
    wire.setblocking(False)  # an engine never waits: a motion that is late is taken a frame later
    sent = answered = 0
    begin = last = time.perf_counter()
    while (seconds := (now := time.perf_counter()) - begin) < PLAY[-1][0]:
        speed, turn = next(told for until, *told in PLAY if seconds < until)
        wire.send(drive_of(sent, min(now - last, LONGEST_FRAME_S), speed, turn))
        sent, last = sent + 1, now
        while (motion := received(wire)) is not None:
            answered += 1
            if answered % FRAMES_PER_SECOND == 1:
                show(seconds, motion)
        time.sleep(max(0.0, begin + sent / FRAMES_PER_SECOND - time.perf_counter()))
    return sent, answered


def received(wire: socket.socket) -> dict[str, tuple[float, ...]] | None:
    """Return the next motion that has come in, if any."""
    try:
        return motion_of(wire.recv(65_507))
    except OSError:  # nothing there
        return None


def show(seconds: float, motion: dict[str, tuple[float, ...]]) -> None:
    """Print where the character is: here an engine would move it there, and put its feet and hips where they
    belong by two-bone IK."""
    x, y, heading = motion["root"]
    stands = "".join(
        name if on else "-" for name, on in zip(("H", "B", "h", "b"), motion["contacts"], strict=True)
    )
    place = f"{x:+7.2f} {y:+7.2f} m, heading {math.degrees(heading):+4.0f} degrees"
    print(f"{seconds:5.1f} s: {place}, right foot {motion['foot_r'][0]:+.2f} m forward, standing {stands}")


def main() -> None:
    """Stand, walk, turn, walk faster, and stop."""
    parser = argparse.ArgumentParser(description="Steer a character, with a NeuraRig server.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=6003)
    options = parser.parse_args()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        wire.connect((options.host, options.port))  # so that only the server's packets come in
        try:
            sent, answered = play(wire)
        except ConnectionError:
            sent = answered = 0
    if not answered:
        raise SystemExit(f"No server answers on {options.host} port {options.port}; start one.")
    print(f"{sent} frames sent, {answered} answered.")


if __name__ == "__main__":
    main()
