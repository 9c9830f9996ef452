"""An act learned from a clip: from where the body leaves standing to where it stands again, as differences
from how it stands."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..body.hold import held
from ..contract.channels import CHANNELS, IS_LENGTH, OF_FEET, SLICES
from ..easing import catmull_rom, hermite, outside, smoothstep
from ..errors import NeuraRigError
from ..retarget.spans import held_on
from ..takes.performance import Performance
from .act import BODY, FEET, STAND, Act, ActContact, Curves, in_order
from .act_file import MOST_KNOTS
from .clip_body import at_rest
from .shown import ShownPart, between, rows_of, span_of
from .touches import feet_of, flight_of, hands_of, sits_of

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
        curves = Curves(knots, _sampled(at, values, knots))
        if (np.abs(curves(at) - values) <= NEAR).all():
            break
    travel = Curves(curves.at, _sampled(at, act.travel(at), curves.at))
    arms = act.arms and Curves(curves.at, _sampled(at, act.arms(at), curves.at).clip(0.0, 1.0))
    return replace(act, curves=curves, travel=travel, arms=arms)


def _sampled(at: np.ndarray, values: np.ndarray, when: np.ndarray) -> np.ndarray:
    """Return values `(n, c)` of evenly spaced moments `at` at others `(m,)`, exact at both ends."""
    found = catmull_rom(values, (when - at[0]) / (at[-1] - at[0]) * (len(at) - 1.0))
    found[[0, -1]] = values[[0, -1]]
    return found


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


# seconds over which differences begin at an end that stands; that lead from rest to one that moves
LEVELS_S, SETTLES_S = 0.1, 0.5
MOST_BEND, MOST_CURL = np.radians(55.0), np.radians(20.0)  # of toes upward and downward
TOES_S = 0.12  # seconds after a foot has left the ground from which its toes are as recorded
ACTS = np.radians(12.0)  # an arm whose channels differ more from hanging acts
ARMS_S = 0.35  # seconds in which an arm comes into an act, and leaves it
UPPER = np.array([channel.startswith(("chest", "head", "arm")) for channel in CHANNELS])


def learned(
    performance: Performance, name: str, first: float | None = None, last: float | None = None
) -> Act:
    """Return the act between two moments of a clip at which the body stands, in seconds of the clip; None:
    where it does, as found.

    Raises NeuraRigError, with what to do, if it does not stand there or leaves the ground more than once.
    """
    shown = ShownPart.of(performance, span_of(performance, first, last))
    flight, (hold, seat) = flight_of(shown), sits_of(shown)
    feet = feet_of(shown, flight)
    added = with_toes(shown.at, _added(shown), feet)
    act = Act(
        name=name,
        base=STAND,
        curves=Curves(shown.at, added),
        travel=Curves(shown.at, shown.travel[:, None]),
        contacts=in_order([*feet, *hands_of(shown), *seat]),
        flight=flight,
        hold=hold,
    )
    return with_few_knots(_from_rest(act, shown.stands))


def learned_upper(
    performance: Performance, name: str, first: float | None = None, last: float | None = None
) -> Act:
    """Return what chest, head and arms do between two moments of a clip, in seconds; None: at its beginning
    and its end.

    Raises NeuraRigError if they do nothing.
    """
    ends = 0.0 if first is None else first, performance.seconds[-1] if last is None else last
    shown = ShownPart.under_hips(performance, rows_of(performance, *ends))
    values = shown.values
    off = values - between(values[0], values[-1], shown.share)
    added = np.where(UPPER, levelled(shown.at, off, (True, True)), 0.0)
    weights = []
    for letter in "lr":
        arm = SLICES[f"arm_{letter}"]
        weights.append(_weight(shown.at, np.abs(off[:, arm]).max(axis=1) > ACTS))
        added[:, arm] = weights[-1][:, None] * values[:, arm]
    if not (np.abs(added) > ACTS).any():
        raise NeuraRigError(
            f"'{performance.name}' moves neither trunk nor arms between {ends[0]:.2f} and {ends[1]:.2f} s."
            " Choose other seconds."
        )
    acting = np.stack(weights, axis=-1)
    arms = Curves(shown.at, acting) if acting.any() else None
    return with_few_knots(
        Act(name, BODY, Curves(shown.at, added), Curves(shown.at, shown.share[:, None]), arms=arms)
    )


def _added(shown: ShownPart) -> np.ndarray:
    """Return the channels `(n, 46)` less those of standing, 0 at both ends."""
    values, rest = shown.values, at_rest(shown.performance)
    ends = [
        values[row] if stands or rest is None else np.where(OF_FEET, values[row], rest)
        for row, stands in zip((0, -1), shown.stands, strict=True)
    ]
    return levelled(shown.at, values - between(ends[0], ends[1], shown.share), shown.stands)


def _from_rest(act: Act, stands: tuple[bool, bool]) -> Act:
    """Return an act with dense curves that begins and ends at rest: where the clip still moves, it is led
    there and back."""
    at, values = act.curves.at, act.curves.values
    step = float(at[1])
    before, after = (0 if still else round(SETTLES_S / step) for still in stands)
    values = _led(_led(values, before)[::-1], after)[::-1]
    later, end = before * step, (len(values) - 1) * step
    contacts = tuple(
        replace(
            one,
            begin=one.begin + later if one.begin > 0.0 else 0.0,
            end=one.end + later if one.end < act.seconds else end,
        )
        for one in act.contacts
    )
    at = step * np.arange(len(values))
    flight, hold = (
        None if span is None else (span[0] + later, span[1] + later) for span in (act.flight, act.hold)
    )
    return replace(
        act,
        curves=Curves(at, values),
        travel=Curves(at, held_on(act.travel.values, before, after)),
        contacts=contacts,
        flight=flight,
        hold=hold,
    )


def _led(values: np.ndarray, count: int) -> np.ndarray:
    """Return values `(n, c)` to which so many rows lead from rest; feet come to them at rest."""
    rate = np.where(OF_FEET, 0.0, count * (values[1] - values[0]))
    share = np.linspace(0.0, 1.0, count, endpoint=False)[:, None]
    return np.concatenate([hermite(share, 0.0 * rate, 0.0 * rate, values[0], rate), values])


def levelled(at: np.ndarray, values: np.ndarray, stands: tuple[bool, bool]) -> np.ndarray:
    """Return differences `(n, c)` that begin and end softly at 0 where the body stands."""
    comes, goes = (min(LEVELS_S, 0.4 * at[-1]) * still for still in stands)
    return values * held(at, comes, at[-1] - goes, comes, goes)[:, None]


def with_toes(at: np.ndarray, values: np.ndarray, contacts: Iterable[ActContact]) -> np.ndarray:
    """Return channels `(n, 46)` with toes that stay flat while a foot that stands lifts its heel: recordings
    hardly show how toes bend."""
    found = values.copy()
    for part in FEET:
        pitch, bend = (CHANNELS.index(f"{name}.pitch") for name in (part, part.replace("foot", "ball")))
        found[:, bend] = np.clip(values[:, bend], -MOST_BEND, MOST_CURL)
        lacking = np.minimum(-np.clip(values[:, pitch], 0.0, MOST_BEND) - found[:, bend], 0.0)
        away = np.min([outside(at, one.begin, one.end) for one in contacts if one.part == part], axis=0)
        found[:, bend] += lacking * (1.0 - smoothstep(away / TOES_S))
    return found


def _weight(at: np.ndarray, acts: np.ndarray) -> np.ndarray:
    """Return 0..1 `(n,)`: 1 while an arm acts, eased in and out, 0 at both ends."""
    rows = np.flatnonzero(acts)
    if not len(rows):
        return np.zeros(len(at))
    begin, end = (float(edge) for edge in (at[rows[[0, -1]]] + [-ARMS_S, ARMS_S]).clip(at[0], at[-1]))
    eased = min(ARMS_S, 0.5 * (end - begin))
    return held(at, begin + eased, end - eased, eased, eased)
