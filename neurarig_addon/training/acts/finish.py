"""What a learned act still lacks for its use: how long it is held, what hands do, which way it is played."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...core.acts.act import BODY, HANDS, OBJECT, OF_ARMS, Act, ActContact, Curves
from ...core.acts.learn import with_few_knots
from ...core.contract.channels import CHANNELS, IS_LENGTH
from ...core.easing import piece, running, smootherstep, smoothstep, within
from ...core.geometry.rotation import norms

RATE = 60.0  # samples a second
CREDIT = "Made of keys"
Keys = Mapping[str, Sequence[tuple[float, float]]]


@dataclass(frozen=True)
class MadeGesture:
    """An act to make: `keys` of channels, seconds and degrees, 0 before the first and at the end.

    `arm`: seconds in which the right arm comes into the act, and leaves it; None if the arms go on swinging.
    `hold`, `ways` as in Act.
    """

    number: int
    name: str
    description: str
    seconds: float
    keys: Keys
    arm: tuple[float, float] | None
    hold: tuple[float, float] | None
    ways: int = 1

    def act(self) -> Act:
        """Return it as an act."""
        at = np.linspace(0.0, self.seconds, round(self.seconds * RATE) + 1)
        values = np.zeros((len(at), len(CHANNELS)))
        for channel, points in self.keys.items():
            values[:, CHANNELS.index(channel)] = eased(at, points)
        arms = None
        if self.arm is not None:
            (comes, goes), lasts = self.arm, self.seconds / self.ways
            into = at % lasts
            right = smootherstep(into / comes) * smootherstep((lasts - into) / goes)
            arms = Curves(at, np.stack([0.0 * right, right], axis=-1))
        travel = Curves(at, (at / self.seconds)[:, None])
        hold, description = self.hold and tuple(self.hold), f"{self.description} (made)"
        act = Act(
            self.name,
            BODY,
            Curves(at, values),
            travel,
            hold=hold,
            arms=arms,
            ways=self.ways,
            description=description,
            credit=CREDIT,
        )
        return with_few_knots(act)


def eased(at: np.ndarray, points: Sequence[tuple[float, float]]) -> np.ndarray:
    """Return radians `(f,)` at times `(f,)` through keys of seconds and degrees, level at each, 0 at both
    ends."""
    moments = np.array([at[0], *(moment for moment, _ in points), at[-1]])
    degrees = np.array([0.0, *(value for _, value in points), 0.0])
    row = piece(moments, at)
    share = (at - moments[row]) / (moments[row + 1] - moments[row])
    return np.radians(degrees[row] + smootherstep(share) * (degrees[row + 1] - degrees[row]))


LIBRARY = json.loads(Path(__file__).with_name("library.json").read_text(encoding="utf-8"))
# of somebody who stoops for something with the right hand, and who crouches
ARMS: Mapping[str, Keys] = LIBRARY["arms"]
GESTURES = tuple(MadeGesture(**row) for row in LIBRARY["gestures"])


# leg lengths from hips to chest; leg lengths a second of a chest that hardly moves; how much sooner that
# passes at an act's ends, and until how many x its seconds
TRUNK, STILL, UNTIL = 0.5, 0.3, 1.7
TOUCH_S = (0.08, 0.12)  # seconds around the lowest moment in which a hand stays on what it takes


def dense(act: Act) -> Act:
    """Return an act with evenly spaced curves of its own."""
    at = np.linspace(0.0, act.seconds, round(act.seconds * RATE) + 1)
    return replace(act, curves=Curves(at, act.curves(at)), travel=Curves(at, act.travel(at)))


def lowest(act: Act) -> float:
    """Return the seconds at which the hips are lowest."""
    at = act.curves.at
    return float(at[np.argmin(act.curves.values[:, CHANNELS.index("pelvis.z")])])


def lessened(act: Act, share: float, **others: float) -> Act:
    """Return an act of which less is done; `others`: of the pitch of parts in place of that share."""
    shares = np.full(len(CHANNELS), share)
    for part, other in others.items():
        shares[CHANNELS.index(f"{part}.pitch")] = other
    return replace(act, curves=Curves(act.curves.at, shares * act.curves.values))


def held_low(act: Act, seconds: float) -> Act:
    """Return an act that stays so many seconds where it is lowest, and may be held there."""
    own, low = dense(act), lowest(dense(act))
    at = np.linspace(0.0, act.seconds + seconds, round((act.seconds + seconds) * RATE) + 1)
    filed = np.where(at < low, at, np.maximum(at - seconds, low))
    hold = (low + 0.2 * seconds, low + 0.8 * seconds)
    return _retimed(own, at, filed, lambda moment: moment + seconds * (moment > low), hold)


def _retimed(
    act: Act,
    at: np.ndarray,
    filed: np.ndarray,
    moved: Callable[[float], float],
    hold: tuple[float, float] | None,
) -> Act:
    """Return an act that is at times `at` `(f,)` where it was at `filed` `(f,)`, with a hold; `moved`: from a
    filed moment to when that is."""
    contacts = tuple(replace(one, begin=moved(one.begin), end=moved(one.end)) for one in act.contacts)
    curves, travel = (Curves(at, each(filed)) for each in (act.curves, act.travel))
    return with_few_knots(replace(act, curves=curves, travel=travel, contacts=contacts, hold=hold))


def with_keys(act: Act, keys: Mapping[str, Sequence[tuple[float, float]]]) -> Act:
    """Return an act whose arms, and other channels, are made of keys, at shares of the act and in degrees or
    leg lengths, in place of its own."""
    own = dense(act)
    values, at = own.curves.values, own.curves.at
    values[:, OF_ARMS.any(axis=0)] = 0.0
    for channel, points in keys.items():
        column = CHANNELS.index(channel)
        found = eased(at, [(share * act.seconds, value) for share, value in points])
        values[:, column] = np.degrees(found) if IS_LENGTH[column] else found
    return with_few_knots(own)


def bowing(act: Act, most: float) -> Act:
    """Return an act whose chest is pitched so many degrees at most: from one beyond level, arms would hang to
    the other side."""
    own, column = dense(act), CHANNELS.index("chest.pitch")
    own.curves.values[:, column] = within(own.curves.values[:, column], np.radians(most))
    return with_few_knots(own)


def taking(act: Act, side: str, on: str = OBJECT) -> Act:
    """Return an act whose hand touches an object, or a surface, while it is lowest."""
    low, part = lowest(dense(act)), next(hand for hand in HANDS if hand.endswith(side))
    return replace(act, contacts=(*act.contacts, ActContact(part, low - TOUCH_S[0], low + TOUCH_S[1], on)))


def backwards(act: Act) -> Act:
    """Return an act played backwards."""
    seconds = act.seconds

    def turned(span: tuple[float, float] | None) -> tuple[float, float] | None:
        return None if span is None else (seconds - span[1], seconds - span[0])

    return replace(
        act,
        curves=Curves(seconds - act.curves.at[::-1], act.curves.values[::-1]),
        travel=Curves(seconds - act.travel.at[::-1], 1.0 - act.travel.values[::-1]),
        contacts=tuple(
            replace(one, begin=seconds - one.end, end=seconds - one.begin) for one in act.contacts
        ),
        flight=turned(act.flight),
        hold=turned(act.hold),
    )


def prompt(act: Act, sooner: float = 0.7) -> Act:
    """Return an act that begins and ends at once: the seconds in which a body hardly moves yet, or any more,
    pass sooner."""
    own = dense(act)
    at, rate = own.curves.at, np.ones(len(own.curves.at))
    ahead, up, leans = (
        own.curves.values[:, CHANNELS.index(name)] for name in ("pelvis.x", "pelvis.z", "chest.pitch")
    )
    chest = np.column_stack([ahead + TRUNK * leans, up])
    moves = at[norms(np.gradient(chest, at, axis=0)) > STILL]
    for since, quiet in ((at, moves[0]), (act.seconds - at, act.seconds - moves[-1])):
        rate *= 1.0 - sooner * (1.0 - smoothstep(since / (UNTIL * quiet)))
    played = running(0.5 * (rate[1:] + rate[:-1]) * np.diff(at))

    def moment(filed: float) -> float:
        return float(np.interp(filed, at, played))

    evenly = np.linspace(0.0, played[-1], len(at))
    hold = act.hold and (moment(act.hold[0]), moment(act.hold[1]))
    return _retimed(own, evenly, np.interp(evenly, played, at), moment, hold)


def looking_ahead(act: Act) -> Act:
    """Return an act held low with the head as it stands, not where the recorded people looked."""
    assert act.hold is not None
    own = dense(act)
    at, values = own.curves.at, own.curves.values
    low = values[:, CHANNELS.index("pelvis.z")] / values[:, CHANNELS.index("pelvis.z")].min()
    column = CHANNELS.index("head.pitch")
    rests = (at > act.hold[0]) & (at < act.hold[1])
    values[:, column] -= np.clip(low, 0.0, 1.0) * np.median(values[rests, column])
    return with_few_knots(own)
