"""A batch on two workers against one after the other, with one of its Blenders killed, and run again when all
is done.

`COUNT=200` cells each way, in turns of 10, so that whatever else the machine does slows both; turns in which
that was little are also told apart.
"""

import os
import shlex
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.batch.cluster import run_here
from neurarig_addon.batch.job_file import Job, read_job
from neurarig_addon.batch.records import DONE
from tests import rigs

COUNT = int(os.environ.get("COUNT", "200"))
TURN = 10  # cells
QUIET = 0.1  # share of the machine that others may take in a turn that counts as quiet
WORKERS = 2
JOB = """
output = "out"
[[characters]]
name = "hero"
file = "hero.blend"
[[walks]]
name = "walk"
format = "bvh"
speeds = {speeds}
options = {{ mode = "travel", frames = [1, 24], bake = true }}
"""


def rows() -> list[Row]:
    """Measure all that."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        new_scene()
        rigs.build(rigs.biped(), "Hero")
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "hero.blend"))
        (folder / "job.toml").write_text(
            JOB.format(speeds=[round(0.8 + 0.005 * number, 3) for number in range(COUNT)])
        )
        os.environ.pop("BLENDER", None)  # the cells run in this Python's bpy
        job = read_job(folder / "job.toml")
        return [*_timed(job, folder), _again(folder)]


def _timed(job: Job, folder: Path) -> list[Row]:
    """Return the time of one after the other against that of the workers, and what a killed Blender cost the
    batch."""
    single = replace(job.conditions, output=str(folder / "single"))
    turns, ended = [], Counter[str]()
    for first in range(0, COUNT, TURN):
        cells = job.cells[first : first + TURN]
        begun, one = _machine_seconds(), _Spent.begin()
        for _ in run_here(cells, single, 1):
            pass
        one, many = one.until_now(), _Spent.begin()
        for number, (cell, record) in enumerate(run_here(cells, job.conditions, WORKERS)):
            ended[cell.name] += record.status == DONE
            if first == 0 and number == 2:
                _kill_one()
        many = many.until_now()
        turns.append((one, many, _others(begun, one.cpu + many.cpu)))
    missing = COUNT - sum(ended[cell.name] == 1 for cell in job.cells)
    results = len(list((folder / "out" / "walks").glob("*.bvh")))
    quiet = [turn for turn in turns[1:] if turn[2] < QUIET]  # without the first, in which a Blender is killed
    others = f"others took {sum(share for _, _, share in turns) / len(turns):.0%} of the machine"
    return [
        _ratio(f"{COUNT} cells on {WORKERS} workers, against one after the other", turns, others),
        *(
            [_ratio("the same while others took little", quiet, f"{len(quiet)} turns of {len(turns)}")]
            if quiet
            else []
        ),
        Row(
            "the same by processor time",
            WORKERS * sum(t[0].cpu for t in turns) / sum(t[1].cpu for t in turns),
            1.8,
            "x",
            True,
        ),
        Row("cells lost or made twice after a Blender was killed", missing + abs(COUNT - results), 0, ""),
    ]


def _ratio(what: str, turns: "list[tuple[_Spent, _Spent, float]]", note: str) -> Row:
    one, many = (sum(turn[way].wall for turn in turns) for way in range(2))
    return Row(what, one / many, 1.8, "x", True, f"{one:.0f} s and {many:.0f} s; {note}")


class _Spent(NamedTuple):
    """Seconds by the clock, and of the processor in children."""

    wall: float
    cpu: float

    @classmethod
    def begin(cls) -> "_Spent":
        used = getrusage(RUSAGE_CHILDREN)
        return cls(perf_counter(), used.ru_utime + used.ru_stime)

    def until_now(self) -> "_Spent":
        now = _Spent.begin()
        return _Spent(now.wall - self.wall, now.cpu - self.cpu)


def _kill_one() -> None:
    """Kill one of the Blenders that run now."""
    listed = subprocess.run(
        ["ps", "--ppid", str(os.getpid()), "-o", "pid=,args="], capture_output=True, text=True, check=True
    ).stdout
    running = [line.split()[0] for line in listed.splitlines() if "batch.in_bpy" in line]
    assert running
    os.kill(int(running[-1]), signal.SIGKILL)


def _again(folder: Path) -> Row:
    """Return how long the finished batch takes when it is run again, from the command line."""
    start = perf_counter()
    command = [sys.executable, "-m", "neurarig_addon.batch", str(folder / "job.toml")]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    took = perf_counter() - start
    assert f"{COUNT} of {COUNT} cells were done before" in told, shlex.join(command)
    return Row(f"run again: {COUNT} cells skipped", took, 2.0, "s")


def _machine_seconds() -> tuple[float, float]:
    """Return the busy and all processor seconds of the machine so far."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    per_second = os.sysconf("SC_CLK_TCK")
    return (sum(ticks) - ticks[3] - ticks[4]) / per_second, sum(ticks) / per_second


def _others(before: tuple[float, float], ours: float) -> float:
    """Return the share of the machine that other programs have taken since."""
    busy, whole = (now - then for now, then in zip(_machine_seconds(), before, strict=True))
    return max(0.0, busy - ours) / max(whole, 1e-9)
