"""The connected clients and debug listeners, both limited in number and forgotten when they fall silent; and
the learner of each body."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Protocol

import numpy as np

from .contract import PacketError, Refusal, WalkClock
from .driving import Driven

CONVERGED_LOSS = 1e-5  # the original's limit on its loss, 0.1 times the mean square
LOSS_SCALE = 0.1
AUDIT_EVERY = 30  # frames between comparisons of an answer with the ideal targets

# Frames of training without convergence, 20 s of play, after which a brain starts over: odd frames may have
# taught it something incompatible with the rest.
PATIENCE = 1_200


class Brain(Protocol):
    """A trainable function of inputs; `converged`: its predictions hold for frames it has not seen."""

    @property
    def converged(self) -> bool: ...

    def train(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        """Learn targets `(m,)` of inputs `(n,)` and return the loss of the prediction before that."""
        ...

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(m,)` for inputs `(n,)`."""
        ...

    def reset(self) -> None:
        """Forget the stream and return to the loaded state."""
        ...


class NewBrain(Protocol):
    """The factory of brains for new bodies; `warm`: they start from trained weights."""

    @property
    def warm(self) -> bool: ...

    def __call__(self) -> Brain: ...


class Learner:
    """A brain in one of two states: training, or solving, with its answers audited at intervals.

    While training it gives no answers until it has converged once (or started from weights). After that, as
    when a new speed has to be
    learned, it answers the frames that it predicted correctly before they were taught.
    """

    def __init__(self, brain: Brain, warm: bool):
        self._brain = brain
        self._proven = warm
        self._until_audit = 1
        self._patience = PATIENCE
        self.solving = False
        self.loss = inf

    def answer(self, inputs: np.ndarray, targets_of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray | None:
        """Return outputs `(m,)` for inputs `(n,)`, or None if there is no answer.

        `targets_of` computes the ideal targets; it is called only if needed.
        """
        if not self.solving:
            return self._learn(inputs, targets_of(inputs))
        outputs = self._brain.predict(inputs)
        self._until_audit -= 1
        # After a prediction a brain may report by itself that it was never taught these inputs.
        if self._until_audit > 0 and self._brain.converged:
            return outputs
        targets = targets_of(inputs)
        self.loss = loss_of(outputs, targets)
        if self.loss < CONVERGED_LOSS and self._brain.converged:
            self._until_audit = AUDIT_EVERY
            return outputs
        return self._learn(inputs, targets)

    def _learn(self, inputs: np.ndarray, targets: np.ndarray) -> np.ndarray | None:
        self._until_audit = 1
        self._patience -= 1
        self.loss = float(self._brain.train(inputs, targets))
        if self._patience <= 0 or not isfinite(self.loss):
            self._brain.reset()
            self._patience = PATIENCE
        self.solving = self._brain.converged
        if self.solving:
            self._proven, self._patience = True, PATIENCE
        right = self.solving or (self._proven and self.loss < CONVERGED_LOSS)
        return self._brain.predict(inputs) if right else None


def loss_of(outputs: np.ndarray, targets: np.ndarray) -> float:
    """Return the original's loss of outputs against targets `(m,)`."""
    difference = outputs - targets
    return LOSS_SCALE * float(difference @ difference) / len(difference)


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
