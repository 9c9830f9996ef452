"""Faults in Blender's rooms, put into the functions of a running bpy: python -m tests.mutants.within [ROOM ...] [--count N] [--seed N].

Scenarios of Blender's record that run the statement are played, until one is not as recorded; nothing is started or imported anew, so that
a fault takes seconds.  The first run plays all scenarios once, to learn which run what; what has changed since is played again.  The record
alone is asked: what survives is for `tests.mutants`.  What is not as recorded without a fault is not asked.  A crash finds a fault as well;
whatever a fault leaves behind ends the process, and another one goes on.
"""

import argparse
import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from tests.blender.record.record import FILE, differences
from tests.blender.record.scenarios import played, scenarios
from tests.core.record import record
from tests.mutants import lines
from tests.mutants.__main__ import ROOT, drawn, share
from tests.mutants.callers import processor_seconds
from tests.mutants.faults import Fault
from tests.mutants.trials import FOUND, REPOSITORY, SURVIVED, environment

KNOWN = REPOSITORY / "out" / "mutants" / "record.json"
UNTRIED = "no scenario runs it"
ON_IMPORT_S = 4.0  # of scenarios for what no scenario runs itself: it may run on import, and cannot be changed afterwards
Cache = type(lru_cache(int))
TRACED_S = 600.0
LATE_S, TIMES = 20.0, 6.0  # seconds of the processor that a scenario may take, and so many times what it took


class LateError(BaseException):
    """A scenario that does not end."""


def main() -> int:
    """Draw faults, try them in processes that go on where the last one ended, print what survived; 1 when something did."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="*", default=["blender"], metavar="ROOM")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=15.0, help="of scenarios for one fault, at most")
    parser.add_argument("--go-on", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    faults = drawn(options.rooms, options.count, options.seed)
    if options.go_on:
        go_on(faults, options.go_on, options.seconds)
    verdicts = KNOWN.with_name(f"within-{options.seed}.jsonl")
    verdicts.unlink(missing_ok=True)
    KNOWN.parent.mkdir(parents=True, exist_ok=True)
    while len(settled := dict(read(verdicts))) < len(faults):
        command = [sys.executable, "-m", "tests.mutants.within", *sys.argv[1:], "--go-on", str(verdicts)]
        subprocess.run(command, cwd=REPOSITORY, env=environment(), check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        begun = [number for number, _ in read(verdicts, begun=True)]
        if begun and begun[-1] not in dict(read(verdicts)):
            if begun.count(begun[-1]) > 1:  # the first time it may have been what another one left behind
                tell(verdicts, begun[-1], FOUND, "a crash")
        elif not begun:
            raise RuntimeError("The scenarios could not be played: python -m tests.blender.record")
    missed = 0
    for number, (verdict, by) in sorted(settled.items()):
        path, fault = faults[number]
        was, now = fault.shown((ROOT / path).read_bytes())
        missed += verdict != FOUND
        print(f"{verdict:15s} {path}:{fault.line}" + (f"   {by}" if verdict == FOUND else f"\n    - {was}\n    + {now}"))
    print(share("all", len(settled) - missed, missed))
    return 1 if missed else 0


def read(verdicts: Path, begun: bool = False) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield faults by number with what became of them; with `begun` those that were begun."""
    for row in verdicts.read_text(encoding="utf-8").splitlines() if verdicts.exists() else ():
        number, verdict, by = json.loads(row)
        if begun != bool(verdict):
            yield number, (verdict, by)


def tell(verdicts: Path, number: int, verdict: str = "", by: str = "") -> None:
    """Write what became of a fault; without a verdict, that it has begun."""
    with verdicts.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps([number, verdict, by])}\n")


def go_on(faults: list[tuple[str, Fault]], verdicts: Path, limit_s: float) -> None:
    """Try faults that nobody has tried, and end this process: after the last one, or where one has left something behind."""
    seconds, known = known_lines()
    done = dict(read(verdicts))
    for number, (path, fault) in enumerate(faults):
        if number in done:
            continue
        tell(verdicts, number)
        head = set(lines.statement((ROOT / path).read_bytes(), fault))
        names = sorted((name for name, run in known.items() if not head.isdisjoint(run.get(path, ()))), key=lambda name: seconds[name])
        if names:
            play(names[0], LATE_S)  # imports what is imported late
        live, code = live_functions(path, fault), mutated(path, fault)
        if not names or code is None or any(code.co_freevars != each.__code__.co_freevars for each in live) or not live:
            told = names or [name for name in known if name.startswith("definitions")]
            by = tried_from_the_start(path, fault, within(in_turns(told), seconds, ON_IMPORT_S))
            tell(verdicts, number, FOUND if by else SURVIVED if names else UNTRIED, by)
            continue
        by = tried(live, code, within(in_turns(names), seconds, limit_s), seconds)
        tell(verdicts, number, FOUND if by else SURVIVED, by)
        if by and play(by.partition(" > ")[0], LATE_S):
            break
    os._exit(0)


def tried(live: list[FunctionType], code: CodeType, names: list[str], seconds: dict[str, float]) -> str:
    """Return the first scenario that is not as recorded with other code in some functions, and what is other; '' where all are."""
    before = [function.__code__ for function in live]
    caches = [each for each in gc.get_objects() if isinstance(each, Cache) and each.__wrapped__ in live]
    for name in names:
        try:
            _put(live, [code] * len(live), caches)
            differs = play(name, LATE_S + TIMES * seconds[name])
        finally:
            _put(live, before, caches)
        if differs:
            return f"{name} > {differs[0]}"
    return ""


def tried_from_the_start(path: str, fault: Fault, names: list[str]) -> str:
    """Return the first scenario that is not as recorded in a process that begins with a fault, and what is other; '' where all are."""
    command = [sys.executable, "-m", "tests.mutants.imported", path, str(fault.start), str(fault.end), fault.new.decode(), *names]
    ended = subprocess.run(command, cwd=REPOSITORY, env=environment(), check=False, capture_output=True, text=True, errors="replace")
    told = [line for line in ended.stdout.splitlines() if " > " in line]
    return "" if ended.returncode == 0 else told[-1] if told else "a crash"


def _put(live: list[FunctionType], codes: list[CodeType], caches: list[Any]) -> None:
    """Give functions other code, and forget what they have answered."""
    for function, code in zip(live, codes, strict=True):
        function.__code__ = code
    for each in caches:
        each.cache_clear()


def within(names: list[str], seconds: dict[str, float], limit_s: float) -> list[str]:
    """Return the first names whose scenarios take no longer together than allowed."""
    chosen, total = [], 0.0
    for name in names:
        total += seconds[name]
        if total <= limit_s or not chosen:
            chosen.append(name)
    return chosen


def in_turns(names: list[str]) -> list[str]:
    """Return names in their order, but one of each room before the next of any."""
    places = [(sum(other.partition(":")[0] == name.partition(":")[0] for other in names[:row]), row) for row, name in enumerate(names)]
    return [names[row] for _, row in sorted(places)]


def live_functions(path: str, fault: Fault) -> list[FunctionType]:
    """Return the functions, as they are in memory, that a fault belongs into."""
    file = str(ROOT / path)
    functions = (each for each in gc.get_objects() if isinstance(each, FunctionType))
    return [each for each in functions if each.__code__.co_filename == file and each.__code__.co_qualname == fault.function]


def mutated(path: str, fault: Fault) -> CodeType | None:
    """Return the code of a function with a fault in."""
    whole = compile(fault.put_into((ROOT / path).read_bytes()), str(ROOT / path), "exec")
    return next((code for code in _codes(whole) if code.co_qualname == fault.function), None)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def known_lines() -> tuple[dict[str, float], dict[str, dict[str, list[int]]]]:
    """Return how long every scenario takes, and which lines of which files it runs; it is played for it where that is not known."""
    known = json.loads(KNOWN.read_text(encoding="utf-8")) if KNOWN.exists() else {}
    package = sorted(ROOT.rglob("*.py"))
    found = {}
    for name in scenarios():
        state = _state((*package, FILE.with_name(f"{name.partition(':')[0]}.py")))
        found[name] = known.get(name, {})
        if found[name].get("of") != state:
            began = processor_seconds()
            with lines.noted("blender/") as run:
                differs = play(name, TRACED_S)
            rows = {path: sorted(numbers) for path, numbers in run.items()}
            found[name] = {"of": state, "seconds": processor_seconds() - began, "lines": {} if differs else rows, "differs": differs}
            KNOWN.write_text(json.dumps(known | found), encoding="utf-8")
    KNOWN.write_text(json.dumps(found), encoding="utf-8")
    return tuple({name: each[part] for name, each in found.items()} for part in ("seconds", "lines"))


@cache
def _state(files: tuple[Path, ...]) -> str:
    """Return a checksum of files."""
    state = sha256()
    for path in files:
        state.update(path.read_bytes())
    return state.hexdigest()


def play(name: str, limit_s: float) -> list[str]:
    """Return what is not as recorded in a scenario, within so many seconds of the processor."""
    signal.signal(signal.SIGPROF, _late)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        return differences(played(scenarios()[name]), record.read(FILE)[name])
    except LateError:
        return ["it does not end"]
    except Exception as failure:
        return [f"{type(failure).__name__}: {failure}"]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def _late(*_: object) -> None:
    raise LateError


if __name__ == "__main__":
    raise SystemExit(main())
