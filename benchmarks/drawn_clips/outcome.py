"""What comes of one draw, and of all draws of a kind."""

import traceback
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import dataclass, replace
from io import StringIO

import numpy as np

from benchmarks.table import Row
from neurarig_addon.core.errors import NeuraRigError

SEED = 78
LIMIT = 0.02  # metres off the truth, from which on something has to be said


@dataclass(frozen=True)
class Outcome:
    """How far a result is off the truth, in metres, and what was said of it, or that it was refused; `drawn`:
    what was drawn, in words."""

    drawn: str
    off: float
    said: str = ""
    is_refused: bool = False

    @property
    def is_silently_wrong(self) -> bool:
        return not self.off <= LIMIT and not self.said


@dataclass(frozen=True)
class Kind:
    """What is drawn, from a generator of random numbers, and how often by default. A refusal is raised as
    NeuraRigError."""

    name: str
    draw: Callable[[np.random.Generator], Outcome]
    draws: int = 200


def row_of(kind: Kind, numbers: range) -> Row:
    """Draw a kind, print what is silently wrong, and return how often that was."""
    outcomes = []
    for number in numbers:
        outcome = _tried(kind, number)
        if outcome.is_silently_wrong:
            print(f"  {kind.name} {number}: {outcome.drawn}: {outcome.off:.3f} m off", flush=True)
        outcomes.append(outcome)
    wrong = sum(outcome.is_silently_wrong for outcome in outcomes)
    return Row(f"{kind.name}: silently wrong", wrong, 0, "", note=_note(outcomes))


def _tried(kind: Kind, number: int) -> Outcome:
    told = StringIO()
    try:
        with redirect_stderr(told):
            outcome = kind.draw(np.random.default_rng([SEED, number]))
        lines = told.getvalue().strip().splitlines()
        return (
            replace(outcome, drawn=f"{outcome.drawn}: {lines[-1]}", off=np.inf, said="")
            if "Traceback" in told.getvalue()
            else outcome
        )
    except NeuraRigError as refusal:
        return Outcome("", 0.0, str(refusal), is_refused=True)
    except Exception as problem:
        place = traceback.extract_tb(problem.__traceback__)[-1]
        return Outcome(f"{type(problem).__name__} in {place.name}, line {place.lineno}: {problem}", np.inf)


def _note(outcomes: list[Outcome]) -> str:
    """Return how many were drawn, told of and refused, and how far the others are off."""
    done = [outcome for outcome in outcomes if not outcome.is_refused]
    offs = np.array([outcome.off for outcome in done]) * 1e3
    told = sum(outcome.off > LIMIT and bool(outcome.said) for outcome in done)
    off = f"off {np.median(offs):.2g} mm in the median, {offs.max():.3g} at most; " if done else ""
    return f"{len(outcomes)} drawn: {off}{told} farther off said so, {len(outcomes) - len(done)} refused"
