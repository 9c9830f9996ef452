"""Makes cells on many machines, by a Dask cluster that is there already; all of them see the job's folder and this repository.

A worker that is lost takes nothing along: its cell is made again by another one, and what it had begun is never used.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from importlib import util
from secrets import token_hex
from typing import Any

from ..core.errors import NeuraRigError
from .cell import Cell, Conditions
from .records import FAILED, Record
from .run_cell import run_cell

_CONNECTS_S = 20


def require_dask() -> None:
    """Raise NeuraRigError where Dask is missing."""
    if util.find_spec("distributed") is None:
        raise NeuraRigError("Dask is not installed here: install this package's extra 'batch', or leave --scheduler and --dask out.")


def run_there(cells: Sequence[Cell], conditions: Conditions, scheduler: str) -> Generator[tuple[Cell, Record], None, None]:
    """Yield every cell with its record as it ends on the workers of a scheduler; if closed early, the others are cancelled."""
    require_dask()
    from distributed import Client, as_completed

    try:
        client = Client(scheduler, timeout=_CONNECTS_S)
    except (OSError, TimeoutError, ValueError) as problem:
        raise NeuraRigError(f"No Dask scheduler answers at '{scheduler}': {problem}. Start one, or mend the address.") from None
    with client:
        run = token_hex(4)
        running = {client.submit(run_cell, cell, conditions, key=f"neurarig-{run}-{cell.key}", pure=False): cell for cell in cells}
        try:
            for future in as_completed(running):
                yield running[future], _record(running[future], future)
        finally:
            client.cancel(list(running))


def _record(cell: Cell, future: Any) -> Record:
    """Return the record of a cell, of one whose workers were lost again and again too."""
    if future.status == "finished":
        return future.result()
    problem = future.exception() if future.status == "error" else "it was cancelled"
    return Record(cell.key, cell.kind, cell.name, FAILED, sentence=f"{type(problem).__name__}: {problem}")


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """Run a Dask cluster of this computer for a while, a process each worker, and give the address of its scheduler."""
    require_dask()
    from distributed import LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster.scheduler_address
