"""A few damaged files of one kind in a process of their own, which holds them to their memory: what tests of all suites call."""

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def faults(kind: str, count: int, folder: Path) -> str:
    """Return what was said where files of a kind were neither read nor refused in a sentence, '' where all was well."""
    command = [sys.executable, "-m", "tests.damage", kind, "--count", str(count), "--keep", str(folder)]
    finished = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, errors="replace", timeout=300, check=False)
    is_well = finished.returncode == 0 and f"{count} tried" in finished.stdout
    return "" if is_well else finished.stdout + finished.stderr
