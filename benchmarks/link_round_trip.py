"""The wire loop on this computer: from a frame sent to its answer, and whether a crowd loses any; the server
is another process."""

import itertools
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np

from benchmarks.table import Row
from examples.link_client import Client

PROFILE = "1_plain_biped"
FRAMES_PER_SECOND = 60.0
CLIENTS = 60
CROWD_S = 10.0
ROUND_TRIPS = 3_000
MOST_TEACHING_S = 60.0
LATE_S = 0.5  # an answer that has not come by then is lost


def rows() -> list[Row]:
    """Measure one client, a crowd of equal bodies, and a crowd in which everybody has a body of its own."""
    with serving() as port:
        median, worst = round_trip(port)
        lost = {kind: crowd(port, spread) for kind, spread in (("equal", 0.0), ("different", 0.1))}
    return [
        Row(
            "round trip of a frame on loopback, solving",
            1e3 * median,
            0.3,
            "ms",
            note=f"99th percentile {1e3 * worst:.2f} ms",
        ),
        *(
            Row(
                f"{CLIENTS} clients of {kind} bodies at 60 Hz: answers lost",
                float(missing),
                0.0,
                "",
                note=f"of {sent}",
            )
            for kind, (missing, sent) in lost.items()
        ),
    ]


@contextmanager
def serving() -> Iterator[int]:
    """Start a server on a free port and yield the port."""
    command = [
        sys.executable,
        "-m",
        "neurarig_addon.link",
        "serve",
        "--profile",
        PROFILE,
        "--port",
        "0",
        "--debug-port",
        "0",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(re.search(r"port (\d+),", process.stdout.readline())[1])
        finally:
            process.terminate()
            process.communicate()


def frame(seconds: float, longer: float = 0.0) -> np.ndarray:
    """Return the inputs `(11,)` of a walk at 1.3 m/s, some time after it began, for legs that are longer by
    some metres."""
    return np.array([1.3, 0.42 + longer, 0.43, 0.0, 0.08, 0.42 + longer, 0.43, 0.5, 0.08, seconds, seconds])


def round_trip(port: int) -> tuple[float, float]:
    """Return the median and the 99th percentile of the seconds from a frame to its answer, once the server
    solves."""
    with Client(port=port) as client:
        teach(client)
        times = []
        for number in range(ROUND_TRIPS):
            inputs = frame(number / FRAMES_PER_SECOND)
            begin = time.perf_counter()
            if client.ask(inputs, LATE_S) is None:
                raise RuntimeError("the server stopped answering")
            times.append(time.perf_counter() - begin)
    return float(np.median(times)), float(np.quantile(times, 0.99))


def teach(client: Client) -> None:
    """Walk, faster than time, until the server has answered a whole stride."""
    end = time.perf_counter() + MOST_TEACHING_S
    answered = number = 0
    while answered < FRAMES_PER_SECOND:
        if time.perf_counter() > end:
            raise RuntimeError("the server does not converge")
        number += 1
        answered = answered + 1 if client.ask(frame(number / FRAMES_PER_SECOND), 0.005) is not None else 0
    while client.receive(0.05) is not None:
        pass


def crowd(port: int, spread: float) -> tuple[int, int]:
    """Return how many answers a crowd has lost, and how many frames it sent; legs differ by up to `spread`
    metres."""
    walkers = [(Client(port=port), spread * number / CLIENTS) for number in range(CLIENTS)]
    rounds = itertools.count()
    second, all_of_it = int(FRAMES_PER_SECOND), int(CROWD_S * FRAMES_PER_SECOND)
    try:
        end = time.perf_counter() + MOST_TEACHING_S
        while walk_together(walkers, itertools.islice(rounds, second)) < second * CLIENTS:
            if time.perf_counter() > end:
                raise RuntimeError("the server does not converge on the crowd")
        answered = walk_together(walkers, itertools.islice(rounds, all_of_it))
    finally:
        for client, _ in walkers:
            client.close()
    return all_of_it * CLIENTS - answered, all_of_it * CLIENTS


def walk_together(walkers: list[tuple[Client, float]], rounds: Iterable[int]) -> int:
    """Let everybody send a frame in each round, 60 rounds a second, and return how many answers came."""
    answered = 0
    begin, waited = time.perf_counter(), 0
    for number in rounds:
        for client, longer in walkers:
            # Spread over the frame's time, as the frames of independent games are.
            waited += 1
            time.sleep(max(0.0, begin + waited / (FRAMES_PER_SECOND * CLIENTS) - time.perf_counter()))
            client.send(frame(number / FRAMES_PER_SECOND, longer))
            answered += received(client)
    time.sleep(LATE_S)
    return answered + sum(received(client) for client, _ in walkers)


def received(client: Client) -> int:
    """Return how many answers have come for a client."""
    count = 0
    while client.receive() is not None:
        count += 1
    return count
