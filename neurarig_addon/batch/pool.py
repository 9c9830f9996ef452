"""Makes cells side by side on this computer, each in a process of its own."""

from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from threading import Event

from .cell import Cell, Conditions
from .records import FAILED, Record
from .run_cell import run_cell


def run_here(
    cells: Sequence[Cell], conditions: Conditions, workers: int
) -> Generator[tuple[Cell, Record], None, None]:
    """Yield every cell with its record as it ends, `workers` of them at once; if closed early, the others are
    killed."""
    stopped = Event()
    with ThreadPoolExecutor(workers) as pool:  # of threads, as each only waits for its process
        running = {pool.submit(run_cell, cell, conditions, stopped.is_set): cell for cell in cells}
        try:
            for future in as_completed(running):
                yield running[future], _record(running[future], future)
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)


def _record(cell: Cell, future: Future[Record]) -> Record:
    """Return the record of a cell, also of one whose results we cannot take: the others go on."""
    if (problem := future.exception()) is None:
        return future.result()
    return Record(cell.key, cell.kind, cell.name, FAILED, sentence=f"{type(problem).__name__}: {problem}")
