"""Makes cells side by side: here, or on many machines by a Dask cluster that is there already; all of them
see the job's folder and this repository.

A worker that is lost takes nothing along: its cell is made again by another one, and what it had begun is
never used.
"""

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from importlib import util
from pathlib import Path
from secrets import token_hex
from threading import Event
from typing import Any

from ..core.errors import NeuraRigError
from .cell import Cell, Conditions, addon_hash
from .records import FAILED, Record
from .run_cell import run_cell

_CONNECTS_S = 20
_PACKAGE = Path(__file__).resolve().parents[1].name


def require_dask() -> None:
    """Raise NeuraRigError where Dask is missing."""
    if util.find_spec("distributed") is None:
        raise NeuraRigError(
            "Dask is not installed here: install this package's extra 'batch', or leave --scheduler and"
            " --dask out."
        )


def run_there(
    cells: Sequence[Cell], conditions: Conditions, scheduler: str
) -> Generator[tuple[Cell, Record], None, None]:
    """Yield every cell with its record as it ends on the workers of a scheduler; if closed early, the others
    are cancelled."""
    require_dask()
    from distributed import Client, as_completed

    try:
        client = Client(scheduler, timeout=_CONNECTS_S)
    except (OSError, TimeoutError, ValueError) as problem:
        raise NeuraRigError(
            f"No Dask scheduler answers at '{scheduler}': {problem}. Start one, or mend the address."
        ) from None
    with client:
        _require_same_addon(client)
        run = token_hex(4)
        running = {
            client.submit(run_cell, cell, conditions, key=f"neurarig-{run}-{cell.key}", pure=False): cell
            for cell in cells
        }
        try:
            for future in as_completed(running):
                yield running[future], _record(running[future], future)
        finally:
            client.cancel(list(running))


def _require_same_addon(client: Any) -> None:
    """Raise NeuraRigError where scheduler or workers do not find this add-on, or another version of it."""
    found = {"scheduler": client.run_on_scheduler(util.find_spec, _PACKAGE)}
    found |= {f"worker {worker}": spec for worker, spec in client.run(util.find_spec, _PACKAGE).items()}
    for name, spec in found.items():
        if spec is None:
            raise NeuraRigError(
                f"The Dask {name} does not find this repository; start it with PYTHONPATH set to it."
            )
    for worker, version in client.run(addon_hash, False, on_error="return").items():
        if version != addon_hash(False):
            raise NeuraRigError(
                f"The Dask worker {worker} has another version of this repository; start it with the same."
            )


def _record(cell: Cell, future: Any) -> Record:
    """Return the record of a cell, also of one whose results we cannot take, or whose workers were lost again
    and again: the others go on."""
    problem = "it was cancelled" if future.cancelled() else future.exception()
    if problem is None:
        return future.result()
    return Record(cell.key, cell.kind, cell.name, FAILED, sentence=f"{type(problem).__name__}: {problem}")


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """Run a Dask cluster of this computer for a while, a process each worker, and give the address of its
    scheduler."""
    require_dask()
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


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
