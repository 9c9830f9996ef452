"""The connected clients and debug listeners: both limited in number, both forgotten when they fall silent."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from .contract import PacketError, Refusal, WalkClock
from .driving import Driven
from .learner import Learner

Address = tuple  # from the socket: host, port, and two more in IPv6

MAX_CLIENTS = 256
MAX_LISTENERS = 8
CLIENT_SILENCE_S = 30.0
# The original's engine pings the debug port only once, when play begins; after a pause its listener must
# still be known.
LISTENER_SILENCE_S = 600.0
SAME_BODY_M = 1e-4  # lengths that differ by no more are one body: engines measure them on a moving pose


@dataclass(slots=True)
class Session:
    """One client; `body` `(lengths,)`, bone lengths and spacings in metres, and its learner come with a
    frame, `driven` with a drive."""

    last_seen: float
    clock: WalkClock = field(default_factory=WalkClock)
    body: np.ndarray | None = None
    learner: Learner | None = None
    driven: Driven | None = None

    @property
    def solving(self) -> bool:
        """Return whether its learner is solving, so that its frames are answered."""
        return self.learner is not None and self.learner.solving

    def has_body(self, body: np.ndarray) -> bool:
        """Return whether the client's body has these lengths `(lengths,)`."""
        return self.body is not None and bool((np.abs(self.body - body) <= SAME_BODY_M).all())


class Sessions:
    """The clients by address. If the table is full, a new one is refused, so that a flood cannot push out
    those being served."""

    def __init__(self) -> None:
        self._by_address: dict[Address, Session] = {}

    def __len__(self) -> int:
        return len(self._by_address)

    def __iter__(self) -> Iterator[Session]:
        return iter(self._by_address.values())

    def addresses(self) -> list[Address]:
        """Return the addresses of all clients."""
        return list(self._by_address)

    def touch(self, address: Address, now: float) -> Session | None:
        """Note that an address is alive and return its client, or None if unknown."""
        session = self._by_address.get(address)
        if session is not None:
            session.last_seen = now
        return session

    def welcome(self, address: Address, now: float) -> Session:
        """Return the client of an address, a new one if unknown; raises PacketError if the table is full."""
        session = self.touch(address, now)
        if session is None:
            if len(self._by_address) >= MAX_CLIENTS:
                raise PacketError(
                    Refusal.CROWDED,
                    f"The server already has {MAX_CLIENTS} clients; try again in {CLIENT_SILENCE_S:.0f} s.",
                )
            session = self._by_address[address] = Session(now)
        return session

    def learner_of(self, body: np.ndarray) -> Learner | None:
        """Return the learner of a client with the same body, None if there is none: equal bodies share
        one."""
        return next((session.learner for session in self if session.has_body(body)), None)

    def learners(self) -> list[Learner]:
        """Return the learners in use, each once."""
        return list(
            {id(session.learner): session.learner for session in self if session.learner is not None}.values()
        )

    def forget_silent(self, now: float) -> int:
        """Forget clients that have been silent too long, and return their number."""
        return _forget(
            self._by_address,
            {address: s.last_seen for address, s in self._by_address.items()},
            now - CLIENT_SILENCE_S,
        )

    def forget_bodies(self) -> None:
        """Forget all bodies and learners, so that all learn another profile from the start."""
        for session in self:
            session.body = session.learner = None
            session.clock.forget_stride_time()


class Listeners:
    """The senders of pings to the debug port. A new one is always accepted, as in the original; the longest
    silent one makes room."""

    def __init__(self) -> None:
        self._last_sign: dict[Address, float] = {}

    def __len__(self) -> int:
        return len(self._last_sign)

    def welcome(self, address: Address, now: float) -> None:
        """Register the sender of a ping."""
        if address not in self._last_sign and len(self._last_sign) >= MAX_LISTENERS:
            del self._last_sign[min(self._last_sign, key=self._last_sign.__getitem__)]
        self._last_sign[address] = now

    def beside(self, client: Address, now: float) -> list[Address]:
        """Return the listeners on a client's own host, which its frames keep alive; only they are sent its
        targets."""
        found = [address for address in self._last_sign if address[0] == client[0]]
        self._last_sign.update(dict.fromkeys(found, now))
        return found

    def forget_silent(self, now: float) -> None:
        """Forget listeners that have been silent too long."""
        _forget(self._last_sign, self._last_sign, now - LISTENER_SILENCE_S)


def _forget(table: dict, last_signs: dict[Address, float], before: float) -> int:
    silent = [address for address, last_sign in last_signs.items() if last_sign < before]
    for address in silent:
        del table[address]
    return len(silent)
