"""What a learned act still lacks for its use: how long it is held, what hands do, which way it is played."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...core.acts.act import HANDS, OBJECT, Act, ActContact
from ...core.acts.curves import Curves
from ...core.acts.knots import with_few_knots
from ...core.contract.channels import CHANNELS
from ...core.easing import within
from .made import eased
from .mean import RATE

TOUCH_S = (0.08, 0.12)  # seconds around the lowest moment in which a hand stays on what it takes


def dense(act: Act) -> Act:
    """Return an act with evenly spaced curves."""
    at = np.linspace(0.0, act.seconds, round(act.seconds * RATE) + 1)
    return replace(act, curves=Curves(at, act.curves(at)), travel=Curves(at, act.travel(at)))


def lowest(act: Act) -> float:
    """Return the seconds at which the hips are lowest."""
    at = act.curves.at
    return float(at[np.argmin(act.curves.values[:, act.channel("pelvis.z")])])


def lessened(act: Act, share: float) -> Act:
    """Return an act of which less is done."""
    return replace(act, curves=Curves(act.curves.at, share * act.curves.values))


def held_low(act: Act, seconds: float) -> Act:
    """Return an act that stays so many seconds where it is lowest, and may be held there."""
    own, low = dense(act), lowest(dense(act))
    at = np.linspace(0.0, act.seconds + seconds, round((act.seconds + seconds) * RATE) + 1)
    filed = np.where(at < low, at, np.maximum(at - seconds, low))
    contacts = tuple(
        replace(one, end=one.end + seconds if one.end > low else one.end) for one in act.contacts
    )
    found = replace(
        own, curves=Curves(at, own.curves(filed)), travel=Curves(at, own.travel(filed)), contacts=contacts
    )
    return with_few_knots(replace(found, hold=(low + 0.2 * seconds, low + 0.8 * seconds)))


def with_keys(act: Act, keys: Mapping[str, Sequence[tuple[float, float]]]) -> Act:
    """Return an act whose arms, and other channels, are made of keys, at shares of the act and in degrees, in
    place of its own."""
    own = dense(act)
    values, at = own.curves.values.copy(), own.curves.at
    for column, channel in enumerate(CHANNELS):
        if channel.startswith("arm"):
            values[:, column] = 0.0
    for channel, points in keys.items():
        values[:, CHANNELS.index(channel)] = eased(
            at, [(share * act.seconds, degrees) for share, degrees in points]
        )
    return with_few_knots(replace(own, curves=Curves(at, values)))


def bowing(act: Act, most: float) -> Act:
    """Return an act whose chest is pitched so many degrees at most: from one beyond level, arms would hang to
    the other side."""
    own = dense(act)
    values, column = own.curves.values.copy(), act.channel("chest.pitch")
    values[:, column] = within(values[:, column], np.radians(most))
    return with_few_knots(replace(own, curves=Curves(own.curves.at, values)))


def taking(act: Act, side: str) -> Act:
    """Return an act whose hand touches an object while it is lowest."""
    low, part = lowest(dense(act)), next(hand for hand in HANDS if hand.endswith(side))
    return replace(
        act, contacts=(*act.contacts, ActContact(part, low - TOUCH_S[0], low + TOUCH_S[1], OBJECT))
    )


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


def looking_ahead(act: Act) -> Act:
    """Return an act held low with the head as it stands, not where the recorded people looked."""
    assert act.hold is not None
    own = dense(act)
    at, values = own.curves.at, own.curves.values.copy()
    low = values[:, own.channel("pelvis.z")] / values[:, own.channel("pelvis.z")].min()
    column = own.channel("head.pitch")
    rests = (at > act.hold[0]) & (at < act.hold[1])
    values[:, column] -= np.clip(low, 0.0, 1.0) * np.median(values[rests, column])
    return with_few_knots(replace(own, curves=Curves(at, values)))
