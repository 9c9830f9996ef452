"""Acts learned from a clip between two of its steps: a leap."""

from dataclasses import replace

import numpy as np

from ...core.acts.act import OF_ARMS, STEP, Act, Curves, in_order
from ...core.acts.learn import levelled, with_few_knots, with_toes
from ...core.acts.shown import ShownPart, rows_of
from ...core.acts.touches import feet_of, flight_of
from ...core.contract.channels import CHANNELS, IS_LENGTH, OF_FEET
from ...core.easing import smootherstep, smoothstep
from ...core.errors import NeuraRigError
from ...core.takes.performance import Performance

SWINGS_S = 0.18  # seconds in which arms come into such an act, and leave it
LEANS = [CHANNELS.index(f"{part}.pitch") for part in ("pelvis", "chest", "head")]


def learned_step(performance: Performance, name: str, first: float, last: float) -> Act:
    """Return the act between two moments, in seconds of a clip, at which the body stands on one foot and then
    on the other.

    Raises NeuraRigError if it does not.
    """
    rows = rows_of(performance, first, last)
    stands = performance.standing[rows[[0, -1]]]
    if stands.sum(axis=1).tolist() != [1, 1] or (stands[0] == stands[1]).all():
        raise NeuraRigError(
            f"'{performance.name}' does not stand on one foot at {first:.2f} s and on the other at {last:.2f}"
            " s. Choose other seconds."
        )
    shown = _along(performance, rows)
    flight, at = flight_of(shown), shown.at
    travel = Curves(at, shown.travel[:, None])
    act = Act(name, STEP, Curves(at, shown.values), travel, in_order(feet_of(shown, flight)), flight)
    own = smoothstep(at / SWINGS_S) * smoothstep((at[-1] - at) / SWINGS_S)
    added = with_toes(at, _added_to_steps(act, shown.share), act.contacts)
    added = np.where(OF_ARMS.any(axis=0), own[:, None] * shown.values, added)
    arms = Curves(at, np.stack([own, own], axis=-1))
    return with_few_knots(replace(act, curves=Curves(at, added), arms=arms))


def _along(performance: Performance, rows: np.ndarray) -> ShownPart:
    """Return a part of a clip under a root that goes evenly straight ahead under the hips."""
    way = performance.way[rows[[0, -1]]]
    floor = performance.under[0][rows[[0, -1]], :, 2].min()
    ahead = way[1] - way[0]
    heading = np.full(2, np.arctan2(ahead[1], ahead[0]))
    return ShownPart(
        performance,
        rows,
        np.linspace(0.0, 1.0, len(rows)),
        np.column_stack([way, np.full(2, floor)]),
        heading,
    )


def _added_to_steps(act: Act, share: np.ndarray) -> np.ndarray:
    """Return the channels `(n, 46)` of an act less those that lead from one step into another at shares
    `(n,)`, 0 at both ends.

    Feet are as in the step before until they go their own way, and come to that after from there on; both
    steps lean the trunk alike.
    """
    values, at = act.curves.values, act.curves.at
    left = np.repeat(share[:, None], len(CHANNELS), axis=1)
    left[:, LEANS] = 0.5
    come, (until, since) = left.copy(), act.between
    left[:, OF_FEET] = smootherstep(at / until)[:, None]
    come[:, OF_FEET] = smootherstep((at - since) / (at[-1] - since))[:, None]
    added = values - (1.0 - left) * values[0] - come * values[-1]
    return np.where(OF_FEET & IS_LENGTH, added, levelled(at, added, (True, True)))
