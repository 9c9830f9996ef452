"""The wire loop on this computer: from a frame sent to its answer, and whether a crowd loses any; the server is another process."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from benchmarks.table import Row
from neurarig_addon.link.client import Client

PROFILE = "1_plain_biped"
FRAMES_PER_SECOND = 60.0
CLIENTS = 60
CROWD_S = 10.0
ROUND_TRIPS = 3_000
MOST_TEACHING_S = 30.0
LATE_S = 0.5  # an answer that has not come by then is lost


def rows() -> list[Row]:
    """Measure one client, a crowd of equal bodies, and a crowd in which everybody has a body of its own."""
    with serving() as port:
        median, worst = round_trip(port)
        lost = {kind: crowd(port, spread) for kind, spread in (("equal", 0.0), ("different", 0.1))}
    return [
        Row("round trip of a frame on loopback, solving", 1e3 * median, 0.3, "ms", note=f"99th percentile {1e3 * worst:.2f} ms"),
        *(
            Row(f"{CLIENTS} clients of {kind} bodies at 60 Hz: answers lost", float(missing), 0.0, "", note=f"of {sent}")
            for kind, (missing, sent) in lost.items()
        ),
    ]


@contextmanager
def serving() -> Iterator[int]:
    """Start a server on a free port and yield the port."""
    command = [sys.executable, "-m", "neurarig_addon.link", "serve", "--profile", PROFILE, "--port", "0", "--debug-port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(re.search(r"port (\d+),", process.stdout.readline())[1])
        finally:
            process.terminate()
            process.communicate()


def frame(seconds: float, longer: float = 0.0) -> np.ndarray:
    """Return the inputs `(11,)` of a walk at 1.3 m/s, some time after it began, for legs that are longer by some metres."""
    return np.array([1.3, 0.42 + longer, 0.43, 0.0, 0.08, 0.42 + longer, 0.43, 0.5, 0.08, seconds, seconds])


def round_trip(port: int) -> tuple[float, float]:
    """Return the median and the 99th percentile of the seconds from a frame to its answer, once the server solves."""
    with Client(port=port) as client:
        teach(client, 0.0)
        times = []
        for number in range(ROUND_TRIPS):
            inputs = frame(number / FRAMES_PER_SECOND)
            begin = time.perf_counter()
            if client.ask(inputs, LATE_S) is None:
                raise RuntimeError("the server stopped answering")
            times.append(time.perf_counter() - begin)
    return float(np.median(times)), float(np.quantile(times, 0.99))


def teach(client: Client, longer: float) -> None:
    """Walk, faster than time, until the server has answered a whole stride."""
    end = time.perf_counter() + MOST_TEACHING_S
    answered = number = 0
    while answered < FRAMES_PER_SECOND:
        if time.perf_counter() > end:
            raise RuntimeError("the server does not converge")
        number += 1
        answered = answered + 1 if client.ask(frame(number / FRAMES_PER_SECOND, longer), 0.005) is not None else 0
    while client.receive(0.05) is not None:
        pass


def crowd(port: int, spread: float) -> tuple[int, int]:
    """Return how many answers a crowd has lost, and how many frames it sent; legs differ by up to `spread` metres."""
    lengths = spread * np.arange(CLIENTS) / CLIENTS
    clients = [Client(port=port) for _ in range(CLIENTS)]
    try:
        for client, longer in zip(clients, lengths, strict=True):
            teach(client, longer)
        sent = answered = 0
        begin = time.perf_counter()
        # Spread over the frame's time, as the frames of independent games are.
        for number in range(int(CROWD_S * FRAMES_PER_SECOND)):
            for place, (client, longer) in enumerate(zip(clients, lengths, strict=True)):
                due = begin + (number + place / CLIENTS) / FRAMES_PER_SECOND
                time.sleep(max(0.0, due - time.perf_counter()))
                client.send(frame(number / FRAMES_PER_SECOND, longer))
                sent += 1
                while client.receive() is not None:
                    answered += 1
        time.sleep(LATE_S)
        for client in clients:
            while client.receive() is not None:
                answered += 1
    finally:
        for client in clients:
            client.close()
    return sent - answered, sent
