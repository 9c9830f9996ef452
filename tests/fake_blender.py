"""A program that takes the place of Blender where only how cells are run is tested: quick, and it fails as
its file says.

python fake_blender.py -b FILE --command neurarig COMMAND --output=RESULT [--report=FILE] [--labels=FILE]

FILE is JSON: result name -> what goes wrong: `fails`, how many times; `how`, one of HOW; and under "seconds"
how long every cell takes. Beside it `FILE.log` tells who has begun and ended.
"""

import json
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from time import sleep

FAILS, MISUSED, DIES, HANGS, GROWS = HOW = "fails", "misused", "dies", "hangs", "grows"
SENTENCE = "The bone 'tail' <is> odd; cut it off."
BEGUN, ENDED = "begun", "ended"
_REPORT = {"slip_mm": {"L": {"max": 0.1}, "R": {"max": 0.25}}, "reach": 0.99, "past_limits": []}


def command() -> str:
    """Return the command line that takes the place of `blender`."""
    return shlex.join([sys.executable, str(Path(__file__).resolve())])


def write_character(
    path: Path, labels: Path, seconds: float = 0.0, trouble: Mapping[str, tuple[int, str]] | None = None
) -> None:
    """Write a character's file; `labels` are what its cells write; `trouble`: result -> how many times it
    fails, and how."""
    wrong = {name: {"fails": fails, "how": how} for name, (fails, how) in (trouble or {}).items()}
    path.write_text(json.dumps({"seconds": seconds, "labels": str(labels), "wrong": wrong}))


def told(path: Path, what: str) -> list[str]:
    """Return the results that have begun or ended with a character's file, in order."""
    log = path.with_suffix(".log")
    lines = log.read_text().splitlines() if log.exists() else []
    return [line.split()[1] for line in lines if line.startswith(what)]


def _main(arguments: list[str]) -> int:
    file = Path(arguments[1])
    given = dict(
        argument[2:].split("=", 1) for argument in arguments if argument.startswith("--") and "=" in argument
    )
    asked, name = json.loads(file.read_text()), Path(given["output"]).stem
    _tell(file, BEGUN, name)
    wrong = asked["wrong"].get(name, {"fails": 0})
    if told(file, BEGUN).count(name) <= wrong["fails"]:
        return _fail(wrong["how"])
    sleep(asked["seconds"])
    Path(given["output"]).write_text(name)
    if "report" in given:
        Path(given["report"]).write_text(json.dumps(_REPORT))
    if "labels" in given:
        shutil.copyfile(asked["labels"], given["labels"])
    _tell(file, ENDED, name)
    return 0


def _fail(how: str) -> int:
    if how == DIES:
        os.kill(os.getpid(), signal.SIGKILL)
    if how == HANGS:
        sleep(60.0)
    if how == GROWS:
        held = bytearray(200 << 20)
        sleep(60.0)
        return len(held)
    print(f"neurarig: {SENTENCE}", file=sys.stderr)
    return 2 if how == MISUSED else 1


def _tell(file: Path, what: str, name: str) -> None:
    with file.with_suffix(".log").open("a") as log:
        log.write(f"{what} {name}\n")


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
