"""A batch on two workers against one after the other, with one of its Blenders killed, and run again when all is done.

`COUNT=200` cells each way, in turns of 20, so that whatever else the machine does slows both; the note says how much that was.
"""

import os
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.batch.cell import Cell
from neurarig_addon.batch.job_file import Job, read_job
from neurarig_addon.batch.pool import run_here
from neurarig_addon.batch.records import DONE
from tests import rigs

COUNT = int(os.environ.get("COUNT", "200"))
TURN = 20  # cells
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
        (folder / "job.toml").write_text(JOB.format(speeds=[round(0.8 + 0.005 * number, 3) for number in range(COUNT)]))
        os.environ.pop("BLENDER", None)  # the cells run in this Python's bpy
        job = read_job(folder / "job.toml")
        return [*_timed(job, folder), _again(folder)]


def _timed(job: Job, folder: Path) -> list[Row]:
    """Return the time of one after the other against that of the workers, and what a killed Blender cost the batch."""
    single = replace(job.conditions, output=str(folder / "single"))
    walls, cpus, ended = {1: 0.0, WORKERS: 0.0}, {1: 0.0, WORKERS: 0.0}, Counter[str]()
    begun, total = perf_counter(), _machine_seconds()
    for first in range(0, COUNT, TURN):
        cells = job.cells[first : first + TURN]
        for workers, conditions in ((1, single), (WORKERS, job.conditions)):
            start, used = perf_counter(), _cpu_of_children()
            kills = workers == WORKERS and first == 0
            for number, (cell, record) in enumerate(run_here(cells, conditions, workers)):
                if workers == WORKERS:
                    ended[cell.name] += record.status == DONE
                if kills and number == 2:
                    _kill_one(cells)
            walls[workers] += perf_counter() - start
            cpus[workers] += _cpu_of_children() - used
    share = _others(total, sum(cpus.values()))
    missing = COUNT - sum(ended[cell.name] == 1 for cell in job.cells)
    results = len(list((folder / "out" / "walks").glob("*.bvh")))
    note = f"{walls[1]:.0f} s and {walls[WORKERS]:.0f} s; others took {share:.0%} of the machine in {perf_counter() - begun:.0f} s"
    return [
        Row(f"{COUNT} cells on {WORKERS} workers, against one after the other", walls[1] / walls[WORKERS], 1.8, "x", True, note),
        Row("the same by processor time: what they cost side by side", WORKERS * cpus[1] / cpus[WORKERS], 1.8, "x", True, "if alone"),
        Row("cells lost or made twice after a Blender was killed", missing + abs(COUNT - results), 0, ""),
    ]


def _kill_one(cells: Sequence[Cell]) -> None:
    """Kill one of the Blenders that run now."""
    listed = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "pid=,args="], capture_output=True, text=True, check=True).stdout
    running = [line.split()[0] for line in listed.splitlines() if "batch.in_bpy" in line]
    assert running and cells
    os.kill(int(running[-1]), signal.SIGKILL)


def _again(folder: Path) -> Row:
    """Return how long the finished batch takes when it is run again, from the command line."""
    start = perf_counter()
    command = [sys.executable, "-m", "neurarig_addon.batch", str(folder / "job.toml")]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    took = perf_counter() - start
    assert f"{COUNT} of {COUNT} cells were done before" in told, shlex.join(command)
    return Row(f"run again: {COUNT} cells skipped", took, 2.0, "s")


def _cpu_of_children() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _machine_seconds() -> tuple[float, float]:
    """Return the busy and all processor seconds of the machine so far."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    per_second = os.sysconf("SC_CLK_TCK")
    return (sum(ticks) - ticks[3] - ticks[4]) / per_second, sum(ticks) / per_second


def _others(before: tuple[float, float], ours: float) -> float:
    """Return the share of the machine that other programs have taken since."""
    busy, whole = (now - then for now, then in zip(_machine_seconds(), before, strict=True))
    return max(0.0, busy - ours) / max(whole, 1e-9)
