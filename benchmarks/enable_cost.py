"""What enabling the add-on costs: processor's time and memory of a Blender that has its bytecode, and how
many files it reads."""

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

from benchmarks.table import Row

RUNS = 5  # the first of them writes the bytecode
ENABLE = """
import sys, time
import bpy

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

before, start = resident(), time.process_time()
import neurarig_addon
neurarig_addon.register()
spent, taken = time.process_time() - start, resident() - before
from neurarig_addon.core.later import Later
ours = [module for name, module in sys.modules.items() if name.startswith("neurarig_addon")]
print(spent, taken, sum(type(module) is not Later and not hasattr(module, "__path__") for module in ours))
"""


def rows() -> list[Row]:
    """Enable the add-on in Blenders of their own, one after the other."""
    with TemporaryDirectory() as folder:
        given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        given["PYTHONPYCACHEPREFIX"] = folder
        runs = [
            subprocess.check_output([sys.executable, "-c", ENABLE], env=given, text=True).split()[-3:]
            for _ in range(RUNS)
        ]
    spent, taken, read = (min(map(float, values)) for values in zip(*runs[1:], strict=True))
    return [
        Row("enabling: processor's time", spent, 0.2, "s"),
        Row("enabling: memory", taken, 15.0, "MB"),
        Row("enabling: files read", read, 250.0, ""),
    ]
