"""The command line of batches: python -m neurarig_addon.batch JOB.toml."""

import argparse
import os
import shutil
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import time

from ..core.errors import NeuraRigError
from . import records, report
from .cell import Cell
from .cluster import run_here
from .job_file import MOST_WORKERS, Job, read_job
from .records import ATTEMPTS, DONE, STOPPED, Record
from .report import BatchProgress

FAILED, MISUSED, INTERRUPTED = 1, 2, 130  # exit statuses
LOCK = "running.lock"  # in the output folder
_LEFT_AFTER_S = 60.0  # beyond the limit of a cell: what is older was left behind by a batch that was killed


def main(arguments: list[str] | None = None) -> int:
    """Run a job and return the exit status: 0 if every cell is done, 1 if one failed, 2 for a mistake in the
    job."""
    options = _parser().parse_args(arguments)
    try:
        job = read_job(options.job)
        if options.list:
            return _list(job)
        output = Path(job.conditions.output)
        _make_folder(output)
        with _alone_in(output):
            return _run(job, output, options)
    except NeuraRigError as problem:
        print(f"neurarig: {problem}", file=sys.stderr)
        return MISUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m neurarig_addon.batch", description="Make what a job file asks for, many at once."
    )
    parser.add_argument("job", type=Path, metavar="JOB.toml")
    parser.add_argument(
        "--workers",
        type=_count,
        metavar="N",
        help="how many cells at once on this computer (default: as in the job)",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--scheduler", metavar="tcp://HOST:PORT", help="a Dask scheduler, whose workers make the cells"
    )
    where.add_argument("--dask", action="store_true", help="a Dask cluster of this computer, for trying")
    parser.add_argument(
        "--again", action="store_true", help="make everything again, whether it is done or not"
    )
    parser.add_argument(
        "--list", action="store_true", help="print the cells and whether they are done, and make nothing"
    )
    return parser


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {MOST_WORKERS}")
    return number


def _list(job: Job) -> int:
    output = Path(job.conditions.output)
    for cell in job.cells:
        print(f"{'done' if records.finished(output, cell) else 'open'}  {cell.title}")
    return 0


def _run(job: Job, output: Path, options: argparse.Namespace) -> int:
    _clear_attempts(output, job.conditions.seconds)
    if options.again:
        for cell in job.cells:
            records.file_of(output, cell).unlink(missing_ok=True)
    found: dict[str, Record] = {
        cell.key: record for cell in job.cells if (record := records.finished(output, cell))
    }
    left = [cell for cell in job.cells if cell.key not in found]
    if found:
        print(f"{len(found)} of {len(job.cells)} cells were done before.")
    was_stopped = not _make(job, left, found, options) if left else False
    rows = [
        (cell, found.get(cell.key) or Record(cell.key, cell.kind, cell.name, STOPPED, attempts=0))
        for cell in job.cells
    ]
    _report(output, job.name, rows)
    failed = sum(record.status not in (DONE, STOPPED) for _, record in rows)
    done = sum(record.status == DONE for _, record in rows)
    print(f"{done} of {len(rows)} cells are done, {failed} failed. See '{output / 'report.html'}'.")
    return INTERRUPTED if was_stopped else FAILED if failed else 0


def _make(job: Job, left: Sequence[Cell], found: dict[str, Record], options: argparse.Namespace) -> bool:
    """Make the cells that are left and add their records to `found`; return whether that was not
    interrupted."""
    progress = BatchProgress(len(left), sys.stderr)
    try:
        with _ended_by_signals(), ExitStack() as stack:
            for cell, record in stack.enter_context(closing(_makers(job, left, options, stack))):
                found[cell.key] = record
                progress.tell(cell, record)
    except KeyboardInterrupt:
        return False
    finally:
        progress.end()
    return True


def _makers(
    job: Job, left: Sequence[Cell], options: argparse.Namespace, stack: ExitStack
) -> Generator[tuple[Cell, Record], None, None]:
    """Return the generator of cells and their records, here or on a cluster."""
    workers = options.workers or job.workers
    if not (options.dask or options.scheduler):
        return run_here(left, job.conditions, workers)
    from . import cluster

    scheduler = options.scheduler or stack.enter_context(cluster.local_cluster(workers))
    return cluster.run_there(left, job.conditions, scheduler)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Have a request to end treated like Ctrl-C: cells that are being made are killed, and the report is
    written."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _make_folder(output: Path) -> None:
    try:
        (output / ATTEMPTS).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise NeuraRigError(
            f"The folder '{output}' cannot be made: {problem.strerror}; name another as 'output'."
        ) from None


@contextmanager
def _alone_in(output: Path) -> Iterator[None]:
    """Keep other batches out of a folder; the lock goes with the process, however it ends."""
    with (output / LOCK).open("ab") as file:
        try:
            if os.name == "posix":
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            else:
                import msvcrt

                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            raise NeuraRigError(
                f"Another batch writes to '{output}'; wait until it ends, or name another folder as 'output'."
            ) from None
        yield


def _clear_attempts(output: Path, seconds: float) -> None:
    """Remove what killed batches have left behind."""
    for path in (output / ATTEMPTS).iterdir():
        if time() - path.stat().st_mtime > seconds + _LEFT_AFTER_S:
            shutil.rmtree(path, ignore_errors=True)


def _report(output: Path, name: str, rows: list[tuple[Cell, Record]]) -> None:
    report.write_csv(output / "report.csv", rows)
    report.write_html(output / "report.html", name, rows)


if __name__ == "__main__":
    sys.exit(main())
