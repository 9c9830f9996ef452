"""Moving controls and recording how the observed bones respond, in every setting of the switches.

Several controls are moved at a time if none can affect what another one moves. Switches are tried to find
which setting of a limb enables
controls that do nothing as saved.
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from .figure import LIMBS, ObservedRig
from .response import Response, nudge, response, turn
from .rig import ControlRig, Trial

_Trials = Generator[Trial, np.ndarray, dict[int, Response]]
_NOWHERE = np.zeros(3)


def _responses(
    rig: ControlRig, figure: ObservedRig, zero: np.ndarray, rows: Iterable[int], switches: Mapping[int, float]
) -> _Trials:
    """Yield trials that move and turn each of these bones and return their responses; `zero`: the pose in
    this setting at rest.

    Some controls, such as a heel's, work in one direction only: those that do nothing are tried in the other
    one too.
    """
    found = yield from _moved(rig, figure, zero, rows, switches, 1.0)
    silent = [row for row, answer in found.items() if not answer.touches()]
    back = yield from _moved(rig, figure, zero, silent, switches, -1.0)
    return found | back


def _moved(
    rig: ControlRig,
    figure: ObservedRig,
    zero: np.ndarray,
    rows: Iterable[int],
    switches: Mapping[int, float],
    way: float,
) -> _Trials:
    found: dict[int, Response] = {}
    for pack in packs(rig, figure, rows):
        moved = yield Trial({row: (way * nudge(rig, figure, zero, row), _NOWHERE) for row in pack}, switches)
        turned = yield Trial({row: (_NOWHERE, way * turn(rig, row)) for row in pack}, switches)
        for row in pack:
            mine = rig.reach[row]
            found[row] = response(figure, zero, _only(zero, moved, mine), _only(zero, turned, mine), row)
    return found


def packs(rig: ControlRig, figure: ObservedRig, rows: Iterable[int]) -> list[list[int]]:
    """Return the bones in groups in which no two can affect the same observed bone, and none can affect
    another of the group."""
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


Setting = dict[int, float]
Look = Generator[Trial, np.ndarray, None]
_STILL = 1e-3  # leg lengths: a limb whose bones go further has moved


class _Silence(NamedTuple):
    """Whether a bone does nothing to a limb when it is moved, and when it is turned."""

    when_moved: bool
    when_turned: bool


@dataclass
class Findings:
    """What was found of a rig: for each setting its switch values, and row -> response."""

    rig: ControlRig
    figure: ObservedRig
    rows: list[int]
    settings: list[Setting] = field(default_factory=list)
    responses: list[dict[int, Response]] = field(default_factory=list)

    @property
    def limbs(self) -> list[str]:
        """The limbs that have root, middle and end."""
        return [limb for limb in LIMBS if self.figure.is_whole(limb)]

    @property
    def widest(self) -> int:
        """The number of the setting in which most bones were tried; the last if several."""
        return max(range(len(self.responses)), key=lambda number: (len(self.responses[number]), number))

    def look(self, setting: Setting, rows: Iterable[int] | None = None) -> Look:
        """Yield trials and record the responses to bones, all candidates unless given, in a setting."""
        zero = yield Trial({}, setting)
        found = yield from _responses(
            self.rig, self.figure, zero, self.rows if rows is None else rows, setting
        )
        self.settings.append(setting)
        self.responses.append(found)

    def look_further(self, number: int, rows: list[int]) -> Look:
        """Yield trials and record the responses to more bones in a setting that was looked at before."""
        zero = yield Trial({}, self.settings[number])
        self.responses[number] |= yield from _responses(
            self.rig, self.figure, zero, rows, self.settings[number]
        )

    def wake(
        self, base: int, limbs: Iterable[str], numbers: Iterable[int], is_done: Callable[[str], bool]
    ) -> Look:
        """Try switches, those of different limbs together, and survey limbs moved by a control that did
        nothing in setting `base`.

        Limbs that are done are not tried further. All controls that move the limb but not the trunk are
        surveyed: those of the other
        state may have had a small effect before.
        """
        setting = self.settings[base]
        own = {limb: self._own(limb) for limb in limbs}
        silent = {limb: quiet for limb in own if (quiet := self._silent(base, limb, own[limb]))}
        for together in self._rounds(silent, [number for number in numbers if number not in setting]):
            tried = {limb: choice for limb, choice in together.items() if not is_done(limb)}
            if not tried:
                continue
            woken = yield from self._woken(
                setting | dict(tried.values()), {limb: silent[limb] for limb in tried}
            )
            if woken:
                chosen = {number: value for limb, (number, value) in tried.items() if limb in woken}
                yield from self.look(setting | chosen, sorted({row for limb in woken for row in own[limb]}))

    def unsolve(self, base: int, limbs: Iterable[str], influences: Iterable[int]) -> Look:
        """Survey limbs that several solvers bend together, in a setting with all of these turned off."""
        numbers = list(influences)
        solvers = {limb: [number for number in numbers if self.reaches(number, limb)] for limb in limbs}
        bent = {limb: found for limb, found in solvers.items() if len(found) > 1}
        if bent:
            off = {
                number: 0.0 for found in bent.values() for number in found if self.rig.switches[number].value
            }
            yield from self.look(
                self.settings[base] | off, sorted({row for limb in bent for row in self._own(limb)})
            )

    def _own(self, limb: str) -> list[int]:
        """Return the candidates that can affect a limb but not the trunk."""
        trunk = self.figure.bones[self.figure.rows("pelvis", "spine")]
        chain = self.figure.bones[self.figure.chain(limb)]
        return [
            row
            for row in self.rows
            if self.rig.reach[row, chain].any() and not self.rig.reach[row, trunk].any()
        ]

    def _silent(self, base: int, limb: str, rows: list[int]) -> dict[int, _Silence]:
        """Return the bones that do nothing to a limb in a setting, moved or turned."""
        chain, known = self.figure.chain(limb), self.responses[base]
        found = {
            row: _Silence(not known[row].is_moved(chain), not known[row].is_turned(chain))
            if row in known
            else _Silence(True, True)
            for row in rows
        }
        return {row: silence for row, silence in found.items() if any(silence)}

    def _woken(
        self, setting: Setting, silent: Mapping[str, Mapping[int, _Silence]]
    ) -> Generator[Trial, np.ndarray, list[str]]:
        """Yield trials and return the limbs that move in a setting when all their silent bones do at once
        what had no effect."""
        still = yield Trial({}, setting)
        moves = {
            row: (
                silence.when_moved * nudge(self.rig, self.figure, still, row),
                silence.when_turned * turn(self.rig, row),
            )
            for members in silent.values()
            for row, silence in members.items()
        }
        moved = yield Trial(moves, setting)
        shifts = np.abs(moved[self.figure.bones] - still[self.figure.bones]).max(axis=(1, 2))
        return [
            limb for limb in silent if not shifts[self.figure.chain(limb)].max() <= _STILL * self.figure.size
        ]

    def _rounds(self, limbs: Iterable[str], numbers: Iterable[int]) -> list[dict[str, tuple[int, float]]]:
        """Return what to try together: limb -> (switch, value); a switch that affects several limbs is tried
        for all of them."""
        waiting: dict[str, list[tuple[int, float]]] = {limb: [] for limb in limbs}
        shared: list[dict[str, tuple[int, float]]] = []
        for number in sorted(numbers, key=self._unlikely):
            reached = [limb for limb in waiting if self.reaches(number, limb)]
            for value in self.rig.switches[number].others:
                if len(reached) == 1:
                    waiting[reached[0]].append((number, value))
                elif reached:
                    shared.append(dict.fromkeys(reached, (number, value)))
        apart = [
            {limb: choice for limb, choice in zip(waiting, row, strict=True) if choice is not None}
            for row in zip_longest(*waiting.values())
        ]
        return apart + shared

    def _unlikely(self, number: int) -> tuple[bool, int]:
        """Return the sort key of switches: those with two values first, then those that affect most of the
        figure."""
        return len(self.rig.switches[number].others) > 1, -int(
            np.count_nonzero(self.rig.switch_reach[number, self.figure.bones])
        )

    def reaches(self, number: int, limb: str) -> bool:
        """Return whether a switch can change a limb."""
        return bool(self.rig.switch_reach[number, self.figure.bones[self.figure.chain(limb)]].any())
