"""What a game engine does to walk with NeuraRig: one packet out a frame, one packet in. Plain Python, to be
read and rewritten in yours.

    python -m neurarig_addon.link serve --profile 1_plain_biped        # in one terminal
    python examples/engine_client.py --seconds 20                      # in another

The packets are described to the last byte in docs/reference/protocol.md.
"""

import argparse
import json
import socket
import struct
import time
from collections.abc import Iterator

HANDSHAKE, FRAME, ANSWER = 0x01, 0x02, 0x03
FRAMES_PER_SECOND = 60
LARGEST_PACKET = 65_507
REPLY_BYTES = 4096  # the server's reply is no longer than the handshake, so spaces make room for it


def shake_hands(wire: socket.socket) -> dict:
    """Ask the server what it serves: the names of all inputs and outputs, in the order of the packets.
    Optional."""
    wire.send((bytes([HANDSHAKE]) + json.dumps({"protocol": 1, "time": "delta"}).encode()).ljust(REPLY_BYTES))
    wire.settimeout(1.0)
    answer = json.loads(wire.recv(LARGEST_PACKET)[1:])
    if not answer["accept"]:
        raise SystemExit(answer.get("reason", "The server refuses this rig."))
    return answer


def frame_of(names: list[str], character: dict[str, float]) -> bytes:
    """Return the packet of a frame: the header, then a little-endian float32 for every input."""
    return struct.pack(f"<B{len(names)}f", FRAME, *(character[name] for name in names))


def outputs_of(packet: bytes, names: list[str]) -> dict[str, float] | None:
    """Return the outputs of an answer by name, such as `foot_r.x` in metres, or None for any other packet."""
    if len(packet) != 1 + 4 * len(names) or packet[0] != ANSWER:
        return None
    return dict(zip(names, struct.unpack_from(f"<{len(names)}f", packet, 1), strict=True))


def walk(wire: socket.socket, rig: dict, character: dict[str, float], seconds: float) -> tuple[int, int]:
    """Walk for some seconds and return how many frames were sent and answered."""
    wire.setblocking(False)  # an engine never waits: an answer that is late is taken a frame later
    sent = answered = 0
    begin = last = time.perf_counter()
    while (now := time.perf_counter()) - begin < seconds:
        # In this time mode t_cycle is the time since the last frame; the server keeps the phase of the walk.
        character["t_cycle"], last = now - last, now
        wire.send(frame_of(rig["inputs"], character))
        sent += 1
        for pose in poses_that_came(wire, rig["outputs"]):
            answered += 1
            if answered % FRAMES_PER_SECOND == 1:
                print(
                    f"{now - begin:6.2f} s: right foot {pose['foot_r.x']:+.3f} m forward,"
                    f" {pose['foot_r.z']:+.3f} m up"
                )
        time.sleep(max(0.0, begin + sent / FRAMES_PER_SECOND - time.perf_counter()))
    return sent, answered


def poses_that_came(wire: socket.socket, names: list[str]) -> Iterator[dict[str, float]]:
    """Yield the outputs of the answers that have come in: none while the server is training."""
    while True:
        try:
            pose = outputs_of(wire.recv(LARGEST_PACKET), names)
        except OSError:  # nothing there
            return
        if pose is not None:
            yield pose


def main() -> None:
    """Walk straight on at one speed."""
    parser = argparse.ArgumentParser(description="Walk straight on at one speed, with a NeuraRig server.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=6003)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--speed", type=float, default=1.3, help="metres a second")
    options = parser.parse_args()
    wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    wire.connect((options.host, options.port))  # so that only the server's packets come in
    try:
        rig = shake_hands(wire)
    except OSError:
        raise SystemExit(f"No server answers on {options.host} port {options.port}; start one.") from None
    print(f"'{rig['profile']}': {len(rig['inputs'])} inputs, {len(rig['outputs'])} outputs")
    # A character: metres and fractions of a cycle. An input that is not known here is left at 1, which suits
    # scales and dilations.
    known = {
        "velocity": options.speed,
        "bone_l1": 0.42,
        "bone_l2": 0.43,
        "offset_right": 0.0,
        "offset_left": 0.5,
        "spacing": 0.08,
    }
    character = {
        name: next((value for key, value in known.items() if name.startswith(key)), 1.0)
        for name in rig["inputs"]
    }
    character |= {"t_cycle": 0.0, "t_accumulated": 0.0}
    sent, answered = walk(wire, rig, character, options.seconds)
    print(f"{sent} frames sent, {answered} answered; the first ones teach.")


if __name__ == "__main__":
    main()
