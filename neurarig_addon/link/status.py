"""A server's status in one line."""

import time

from .server import Server


class Status:
    """The status of a server; its rate is that since the last line."""

    def __init__(self, server: Server):
        self._server = server
        self._since, self._frames = time.monotonic(), 0

    def line(self) -> str:
        """Return the state, the number of clients, the rate, the answers, the loss, and what was refused."""
        server, counts = self._server, self._server.counts
        now = time.monotonic()
        rate = (counts.frames - self._frames) / max(now - self._since, 1e-9)
        self._since, self._frames = now, counts.frames
        parts = [_state(server), f"{_number(len(server.sessions), 'client')}", f"{rate:.0f} frames/s", f"{counts.answers} answers"]
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
        return "waiting"
    if not training:
        return "solving"
    return "training" if training == len(learners) else f"training {training} of {len(learners)} bodies"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
