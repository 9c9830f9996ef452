"""The server loop: frames of an engine come in, the brain learns from them, answers go out once it has
converged.

One thread, no blocking: `run` waits for packets itself, `poll` serves what has arrived, for a caller with
other work, such as Blender. No packet can raise out of either: one that is not served is counted under its
reason.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

import numpy as np

from ..core.errors import NeuraRigError
from ..core.logic.profile import Profile
from . import handshake, packets
from .contract import Counts, PacketError, Refusal
from .driving import Driven, DrivePacket
from .handshake import LOOPBACK, Port, wait
from .sessions import Address, Listeners, NewBrain, Sessions
from .teacher import Teacher

_HOUSEKEEPING_S = 1.0
_DEBUG_PACKETS_A_POLL = 32  # pings are rare; a flood of them must not delay frames
_TURN_S = 0.2


@dataclass(frozen=True, slots=True)
class Served:
    """The newest served frame: inputs `(n,)` with the times of the contract, and outputs `(m,)`, or None
    while training."""

    sender: Address
    inputs: np.ndarray
    outputs: np.ndarray | None


class Server:
    """Serves one profile on one address.

    `new_brain` (see `brains`) makes a brain for every body (bone lengths, spacings), so that each is learned
    separately;
    clients with equal bodies share one. Without it nothing is learned or answered: frames are only kept in
    `newest`, to drive
    Blender, and `publish` sends out Blender's own walk.
    """

    def __init__(
        self,
        profile: Profile,
        new_brain: NewBrain | None,
        host: str = LOOPBACK,
        port: int = packets.SERVER_PORT,
        debug_port: int | None = packets.DEBUG_PORT,
        now: Callable[[], float] = time.monotonic,
    ):
        self.teacher = Teacher(profile, new_brain)
        self.counts = Counts()
        self.newest: Served | None = None
        self.last_refusal = ""
        self.sessions, self.listeners = Sessions(), Listeners()
        self._now = now
        self._housekept = now()
        self._port = Port(host, port)
        try:
            self._debug = None if debug_port is None else Port(host, debug_port)
        except NeuraRigError:
            self._port.close()
            raise

    @property
    def address(self) -> Address:
        """The address that the server listens on."""
        return self._port.address

    @property
    def debug_address(self) -> Address | None:
        """The address where listeners subscribe to the ideal targets, None without one."""
        return self._debug.address if self._debug else None

    def set_profile(self, profile: Profile, new_brain: NewBrain | None) -> None:
        """Serve another profile from now on: every learner trains again."""
        self.teacher = Teacher(profile, new_brain)
        self.sessions.forget_bodies()

    def run(self, each_turn: Callable[[], object] = lambda: None) -> None:
        """Serve until a KeyboardInterrupt; `each_turn` is called several times a second."""
        while True:
            self.wait(_TURN_S)
            self.poll(_TURN_S)
            each_turn()

    def wait(self, timeout_s: float) -> None:
        """Sleep until there is something to serve, at most `timeout_s` seconds."""
        wait([port for port in (self._port, self._debug) if port], timeout_s)

    def poll(self, budget_s: float = 0.0) -> Counts:
        """Serve what has arrived, at least one packet and no longer than the budget, and return the running
        totals."""
        end = time.perf_counter() + budget_s
        self._keep_house()
        self._serve_debug()
        while (arrived := self._port.receive()) is not None:
            self._serve(*arrived)
            if time.perf_counter() >= end:
                break
        return self.counts

    def publish(self, outputs: np.ndarray) -> int:
        """Send outputs `(m,)` to every client as an answer, and return how many were sent."""
        packet = packets.encode_answer(outputs)
        return sum(self._send_answer(packet, address) for address in self.sessions.addresses())

    def close(self) -> None:
        """Close the ports; closing twice is fine."""
        for port in (self._port, self._debug):
            if port:
                port.close()

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _serve(self, packet: memoryview, sender: Address) -> None:
        """Serve one packet, or count the reason why not."""
        self.counts.packets += 1
        try:
            if packets.is_ping(packet):
                self.counts.pings += 1
                self.sessions.touch(sender, self._now())
            elif (header := packets.header_of(packet)) == packets.HANDSHAKE:
                self._serve_handshake(packet, sender)
            elif header == packets.DRIVE:
                self._serve_drive(packet, sender)
            else:
                self._serve_frame(packet, sender)
        except PacketError as error:
            self._refuse(error)

    def _serve_frame(self, packet: memoryview, sender: Address) -> None:
        sent = packets.decode_floats(packet, packets.FRAME, len(self.teacher.profile.inputs))
        self.teacher.contract.check(sent)
        session = self.sessions.welcome(sender, self._now())
        inputs = self.teacher.inputs_of(session, sent)
        self.counts.frames += 1
        self._send_targets(inputs, sender)
        outputs = self.teacher.outputs(session, self.sessions, inputs)
        self.newest = Served(sender, inputs, outputs)
        if outputs is not None:
            self._send_answer(packets.encode_answer(outputs), sender)

    def _serve_drive(self, packet: memoryview, sender: Address) -> None:
        """Answer with the character's motion; a client that is driven learns nothing, and needs no
        profile."""
        drive = DrivePacket.of(packets.decode_floats(packet, packets.DRIVE, packets.MOTION_NUMBERS))
        session = self.sessions.welcome(sender, self._now())
        self.counts.drives += 1
        if session.driven is None or not session.driven.suits(drive):
            session.driven = Driven(drive)
        self._send_answer(packets.encode_motion(session.driven.answer(drive)), sender)

    def _send_targets(self, inputs: np.ndarray, sender: Address) -> None:
        """Send the ideal targets to the listeners on the sender's host."""
        listeners = self.listeners.beside(sender, self._now())
        if self._debug is None or not listeners:
            return
        packet = packets.encode_targets(self.teacher.targets(inputs))
        self.counts.targets += sum(self._debug.send(packet, listener) for listener in listeners)

    def _send_answer(self, packet: bytes, address: Address) -> bool:
        sent = self._port.send(packet, address)
        self.counts.answers += sent
        self.counts.unsent += not sent
        return sent

    def _serve_handshake(self, packet: memoryview, sender: Address) -> None:
        """Reply to a client whether its rig fits, in no more bytes than it sent; an accepted one is a client
        from now on."""
        self.counts.handshakes += 1
        try:
            message = packets.decode_handshake(packet)
            if handshake.is_reply(message):
                self._refuse(
                    PacketError(
                        Refusal.HEADER, "A reply to a handshake is no handshake; send one without 'accept'."
                    )
                )
                return
            time_mode = handshake.check(message, self.teacher.profile)
            session = self.sessions.welcome(sender, self._now())
        except PacketError as error:
            self._refuse(error)
            answer = handshake.rejected(str(error))
        else:
            session.clock.mode = time_mode
            answer = handshake.accepted(self.teacher.profile, time_mode, session.solving)
        reply = handshake.fitting(answer, len(packet))
        self.counts.unsent += reply is None or not self._port.send(reply, sender)

    def _serve_debug(self) -> None:
        """Register the senders of pings to the debug port; nothing else is served there."""
        for _ in range(_DEBUG_PACKETS_A_POLL):
            arrived = self._debug.receive() if self._debug else None
            if arrived is None:
                return
            packet, sender = arrived
            self.counts.packets += 1
            if packets.is_ping(packet):
                self.counts.pings += 1
                self.listeners.welcome(sender, self._now())
            else:
                self._refuse(
                    PacketError(
                        Refusal.HEADER, "The debug port takes pings only; send frames to the other port."
                    )
                )

    def _refuse(self, error: PacketError) -> None:
        self.counts.refused[error.refusal] += 1
        self.last_refusal = str(error)

    def _keep_house(self) -> None:
        """Forget silent clients and listeners, at intervals."""
        now = self._now()
        if now - self._housekept >= _HOUSEKEEPING_S:
            self._housekept = now
            self.counts.forgotten += self.sessions.forget_silent(now)
            self.listeners.forget_silent(now)


class Status:
    """The status of a server; its rate is that since the last line."""

    def __init__(self, server: Server):
        self._server = server
        self._since, self._served = time.monotonic(), 0

    def line(self) -> str:
        """Return the state, the number of clients, the rate, the answers, the loss, and what was refused."""
        server, counts = self._server, self._server.counts
        now = time.monotonic()
        served = counts.frames + counts.drives
        rate = (served - self._served) / max(now - self._since, 1e-9)
        self._since, self._served = now, served
        parts = [
            _state(server),
            f"{_number(len(server.sessions), 'client')}",
            f"{rate:.0f} frames/s",
            f"{counts.answers} answers",
        ]
        learners = server.sessions.learners()
        if learners:
            parts.append(f"loss {max(learner.loss for learner in learners):.2e}")
        if counts.all_refused:
            parts.append(f"refused: {counts.refusals()}")
        return " | ".join(parts)


def _state(server: Server) -> str:
    learners = server.sessions.learners()
    training = sum(not learner.solving for learner in learners)
    if not learners:
        return "driving" if any(session.driven for session in server.sessions) else "waiting"
    if not training:
        return "solving"
    return "training" if training == len(learners) else f"training {training} of {len(learners)} bodies"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
