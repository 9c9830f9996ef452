"""A few damaged files of some kinds in a process of their own, which holds them to their memory: what tests
of all suites call."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def faults(counts: Mapping[str, int], folder: Path) -> str:
    """Return what was said where so many files of each kind were neither read nor refused in a sentence, ''
    where all was well."""
    kinds = [f"{kind}={count}" for kind, count in counts.items()]
    command = [sys.executable, "-m", "tests.damage", *kinds, "--keep", str(folder)]
    finished = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, errors="replace", timeout=600, check=False
    )
    tried = {
        kind: int(count) for kind, count in re.findall(r"^(\w+) +(\d+) tried", finished.stdout, re.MULTILINE)
    }
    return "" if finished.returncode == 0 and tried == dict(counts) else finished.stdout + finished.stderr
