"""Moving controls, several at a time if none can affect what another one moves, and recording how the observed bones respond."""

from collections.abc import Generator, Iterable, Mapping

import numpy as np

from .figure import Figure
from .response import Response, nudge, response, turn
from .rig import ControlRig, Trial

Trials = Generator[Trial, np.ndarray, dict[int, Response]]
_NOWHERE = np.zeros(3)


def survey(rig: ControlRig, figure: Figure, zero: np.ndarray, rows: Iterable[int], switches: Mapping[int, float]) -> Trials:
    """Yield trials that move and turn each of these bones and return their responses; `zero`: the pose in this setting at rest.

    Some controls, such as a heel's, work in one direction only: those that do nothing are tried in the other one too.
    """
    found = yield from _moved(rig, figure, zero, rows, switches, 1.0)
    silent = [row for row, answer in found.items() if not answer.touches()]
    back = yield from _moved(rig, figure, zero, silent, switches, -1.0)
    return found | back


def _moved(rig: ControlRig, figure: Figure, zero: np.ndarray, rows: Iterable[int], switches: Mapping[int, float], way: float) -> Trials:
    found: dict[int, Response] = {}
    for pack in packs(rig, figure, rows):
        moved = yield Trial({row: (way * nudge(rig, figure, zero, row), _NOWHERE) for row in pack}, switches)
        turned = yield Trial({row: (_NOWHERE, way * turn(rig, row)) for row in pack}, switches)
        for row in pack:
            mine = rig.reach[row]
            found[row] = response(figure, zero, _only(zero, moved, mine), _only(zero, turned, mine), row)
    return found


def packs(rig: ControlRig, figure: Figure, rows: Iterable[int]) -> list[list[int]]:
    """Return the bones in groups in which no two can affect the same observed bone, and none can affect another of the group."""
    groups: list[tuple[np.ndarray, list[int]]] = []
    for row in rows:
        reached = np.append(rig.reach[row, figure.bones], False)
        for taken, members in groups:
            apart = not (taken & reached).any()
            if apart and not rig.reach[row, members].any() and not rig.reach[members, row].any():
                taken |= reached
                members.append(row)
                break
        else:
            groups.append((reached, [row]))
    return [members for _, members in groups]


def _only(zero: np.ndarray, posed: np.ndarray, mine: np.ndarray) -> np.ndarray:
    """Return the posed matrices of the bones that a control can affect, and those of `zero` for the rest."""
    return np.where(mine[:, None, None], posed, zero)
