"""The mean of several acts of one kind: their events brought to the same moments, their curves averaged."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...core.acts.act import BODY, BODY_PART, FEET, HANDS, SEAT, STEP, Act, ActContact, Curves
from ...core.acts.learn import with_few_knots
from ...core.acts.score import Score
from ...core.contract.channels import CHANNELS, OF_FEET, SLICES
from ...core.easing import running
from ...core.gait.body.upper_body import HANGING_ABDUCTION, HANGING_ELBOW
from ...core.geometry.rotation import about_z, from_euler, normalized, rotated, transposed
from ...core.retarget.spans import smoothed
from ...core.styles.read_channels import ELBOW_TELLS

RATE = 60.0  # samples a second of a mean
SMOOTHED_S = 0.05  # seconds to either side over which a mean is smoothed
DOWN = np.array([0.0, 0.0, -1.0])
APART_S = 0.04  # seconds between two events at least
HELD = 0.5  # of the time on a seat, in its middle, that may be held


def mean_act(acts: Sequence[Act], feet: Sequence[bool], arms: Sequence[bool], seated_s: float = 2.0) -> Act:
    """Return the mean of acts of one kind; a seat is sat on for so many seconds.

    `feet`, `arms`: which of them show what feet and arms do.
    """
    own = [events(act) for act in acts]
    lasts = np.median(np.diff(own, axis=1), axis=0)
    if acts[0].of(SEAT):
        lasts[1] = seated_s
    shared = running(lasts)
    at = np.linspace(0.0, shared[-1], round(shared[-1] * RATE) + 1)
    when = [Score(moments, shared).filed_at(at) for moments in own]
    each = np.stack([act.curves(moments) for act, moments in zip(acts, when, strict=True)])
    values = np.where(OF_FEET, each[np.array(feet)].mean(axis=0), each.mean(axis=0))
    travel = np.mean([act.travel(moments) for act, moments in zip(acts, when, strict=True)], axis=0)
    swings = [act.arms(moments) for act, moments in zip(acts, when, strict=True) if act.arms is not None]
    for letter in "lr":
        columns = SLICES[f"arm_{letter}"]
        values[:, columns] = mean_arm(each[np.array(arms)][..., columns])
    values = smoothed(values, SMOOTHED_S, RATE)
    values[[0, -1]], travel[0], travel[-1] = 0.0, 0.0, 1.0
    flight = None if acts[0].flight is None else _flight(acts[0], shared)
    seats = [ActContact(SEAT, float(shared[1]), float(shared[2]), SEAT)] if acts[0].of(SEAT) else []
    away = 0.5 * (1.0 - HELD) * seated_s
    found = replace(
        acts[0],
        curves=Curves(at, values),
        travel=Curves(at, travel),
        contacts=(*_feet(acts[0], flight, float(at[-1])), *seats, *_hands(acts, own, shared)),
        flight=flight,
        arms=Curves(at, np.mean(swings, axis=0)) if swings else None,
        hold=(seats[0].begin + away, seats[0].end - away) if seats else None,
    )
    return with_few_knots(found)


def events(act: Act) -> np.ndarray:
    """Return the moments `(n,)` that all acts of a kind have: its ends, its flight and the bottoms around it,
    its seat, or its lowest."""
    at = np.linspace(0.0, act.seconds, round(act.seconds * RATE) + 1)
    height = act.curves(at)[:, CHANNELS.index("pelvis.z")]

    def lowest(begin: float, end: float) -> float:
        within = np.flatnonzero((at > begin + APART_S) & (at < end - APART_S))
        return float(at[within[np.argmin(height[within])]])

    if act.flight is not None and act.base == STEP:
        return np.array([0.0, *act.flight, act.seconds])
    if act.flight is not None:
        off, down = act.flight
        return np.array([0.0, lowest(0.0, off), off, down, lowest(down, act.seconds), act.seconds])
    if act.of(SEAT):
        seat = act.of(SEAT)[0]
        return np.array([0.0, seat.begin, seat.end, act.seconds])
    return np.array([0.0, lowest(0.0, act.seconds), act.seconds])


def mean_arm(each: np.ndarray) -> np.ndarray:
    """Return the mean `(f, 5)` of an arm's channels `(n, f, 5)`: of the directions of its two bones, not of
    angles, which go round."""
    flexion, abduction, rotation, elbow, _ = np.moveaxis(each, -1, 0)
    placed = from_euler(-flexion, 0.0 * flexion, abduction + HANGING_ABDUCTION)
    bent = placed @ about_z(-rotation) @ from_euler(-elbow - HANGING_ELBOW, 0.0 * elbow, 0.0 * elbow)
    upper, fore = (normalized(rotated(turn, DOWN).mean(axis=0)) for turn in (placed, bent))
    outward = np.arcsin(np.clip(upper[:, 1], -1.0, 1.0))
    raised = np.unwrap(np.arctan2(upper[:, 0], -upper[:, 2]))
    seen = rotated(transposed(from_euler(-raised, 0.0 * raised, outward)), fore)
    sine = np.hypot(seen[:, 0], seen[:, 1])
    # an elbow that is straight tells nothing
    inward = np.arctan2(-seen[:, 1], seen[:, 0] + ELBOW_TELLS**2 / (sine + ELBOW_TELLS))
    bends = np.arctan2(sine, -seen[:, 2])
    found = np.stack(
        [raised, outward - HANGING_ABDUCTION, inward, bends - HANGING_ELBOW, 0.0 * bends], axis=-1
    )
    return found - found[0]


def _flight(act: Act, shared: np.ndarray) -> tuple[float, float]:
    first = 1 if act.base == STEP else 2
    return float(shared[first]), float(shared[first + 1])


def _feet(act: Act, flight: tuple[float, float] | None, seconds: float) -> list[ActContact]:
    """Return the stances of both feet where they began, and where they land after a flight."""
    if act.base == BODY:
        return []
    if flight is None:
        return [ActContact(part, 0.0, seconds) for part in FEET]
    if act.base == STEP:
        return [
            ActContact(part, 0.0, flight[0])
            if any(one.begin <= 0.0 for one in act.of(part))
            else ActContact(part, flight[1], seconds)
            for part in FEET
        ]
    return [ActContact(part, *span) for span in ((0.0, flight[0]), (flight[1], seconds)) for part in FEET]


def _hands(acts: Sequence[Act], own: Sequence[np.ndarray], shared: np.ndarray) -> list[ActContact]:
    """Return when hands lie on thighs in most of the acts."""
    found = []
    for part in HANDS:
        spans = []
        for act, moments in zip(acts, own, strict=True):
            lying = [contact for contact in act.of(part) if contact.on == BODY_PART]
            if lying:
                longest = max(lying, key=lambda contact: contact.end - contact.begin)
                spans.append(Score(shared, moments).filed_at(np.array([longest.begin, longest.end])))
        if 2 * len(spans) > len(acts):
            begin, end = map(float, np.median(spans, axis=0))
            found.append(ActContact(part, begin, end, BODY_PART))
    return found
