"""As few knots as keep dense curves near."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..contract.channels import IS_LENGTH
from ..easing import catmull_rom
from .act import Act
from .act_file import MOST_KNOTS
from .curves import Curves

RATES = (12.0, 15.0, 20.0, 30.0)  # knots a second, of which the fewest are taken that are near enough
NEAR = np.where(IS_LENGTH, 0.009, np.radians(1.6))  # leg lengths and radians
AROUND_S = 0.15  # seconds around a flight with twice as many
SPARED = 0.8  # of all knots that an act may have, beside those for a flight


def with_few_knots(act: Act) -> Act:
    """Return an act whose evenly spaced curves have as few knots as keep them near; more of them around a
    flight."""
    at, values = act.curves.at, act.curves.values
    curves = act.curves
    for rate in RATES:
        knots = _knots(act.seconds, min(rate, SPARED * MOST_KNOTS / act.seconds), act.flight)
        curves = Curves(knots, _held_at_ends(_sampled(at, values, knots), values))
        if (np.abs(curves(at) - values) <= NEAR).all():
            break
    travel = Curves(curves.at, _held_at_ends(_sampled(at, act.travel(at), curves.at), act.travel.values))
    arms = (
        None
        if act.arms is None
        else Curves(curves.at, np.clip(_sampled(at, act.arms(at), curves.at), 0.0, 1.0))
    )
    return replace(act, curves=curves, travel=travel, arms=arms)


def _sampled(at: np.ndarray, values: np.ndarray, when: np.ndarray) -> np.ndarray:
    """Return values `(n, c)` of evenly spaced moments `at` at others `(m,)`."""
    return catmull_rom(values, (when - at[0]) / (at[-1] - at[0]) * (len(at) - 1.0))


def _held_at_ends(values: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return rows that begin and end exactly as others."""
    return np.concatenate([ends[:1], values[1:-1], ends[-1:]])


def _knots(seconds: float, rate: float, flight: tuple[float, float] | None) -> np.ndarray:
    """Return knots `(k,)` so many a second, twice as many around a flight; its edges are knots."""
    if flight is None:
        return np.linspace(0.0, seconds, max(4, round(seconds * rate) + 1))
    begin, end = max(flight[0] - AROUND_S, 0.0), min(flight[1] + AROUND_S, seconds)
    edges, rates = (0.0, begin, *flight, end, seconds), (rate, *(3 * (2.0 * rate,)), rate)
    parts = [
        np.linspace(first, last, max(2, round((last - first) * dense) + 1))
        for (first, last), dense in zip(pairwise(edges), rates, strict=True)
        if last > first
    ]
    return np.unique(np.round(np.concatenate(parts), 4))
