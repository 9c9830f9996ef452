"""The network's features of a walker, relative to one side.

Strides in NeuraRig's style grow with the root of speed times leg, angles with the root of speed over leg:
these roots are features, and
so is every bend of the rule.  Times and offsets are not; they only set the phase.
"""

from functools import cache

import numpy as np

from .stream_inputs import SLOWEST
from .walk_curves import WalkCurves

_SPEEDS = ("speed", "root_speed", "root_speed_leg", "root_speed_per_leg", "froude_speed")
_ALWAYS = (*_SPEEDS, "leg", "root_leg", "thigh", "spacing", "other_leg")


def feature_names(curves: WalkCurves) -> tuple[str, ...]:
    """Return the names of the columns of `view_features`."""
    bends = (f"{what}_bend_{n}" for n in range(len(curves.bends)) for what in ("up_to", "past"))
    return (*_ALWAYS, *bends, *(curves.places.names[column] for column in curves.places.others))


def view_features(curves: WalkCurves, inputs: np.ndarray) -> np.ndarray:
    """Return the features `(2, n, features)`, relative to the left and to the right side, for inputs `(n,
    inputs)`."""
    places = curves.places
    legs = np.maximum(places.legs(inputs), SLOWEST)
    speeds = np.broadcast_to(places.speeds(inputs), legs.shape)
    roots = np.sqrt(speeds)
    own = [
        speeds,
        roots,
        roots * np.sqrt(legs),
        roots / np.sqrt(legs),
        places.froude_speeds(inputs),
        legs,
        np.sqrt(legs),
    ]
    own += [
        inputs.T[list(places.thighs)],
        inputs.T[list(places.spacings)],
        legs[::-1],
        *bend_functions(curves, speeds, legs),
    ]
    own += [np.broadcast_to(inputs[:, column], legs.shape) for column in places.others]
    return np.stack(own, axis=-1)


def bend_functions(curves: WalkCurves, speeds: np.ndarray, legs: np.ndarray) -> list[np.ndarray]:
    """Return for each bend the root of speed up to it and the speed above it, relative to the bend's
    speed."""
    shares = [bend.shares(speeds, legs) for bend in curves.bends]
    return [
        values
        for share in shares
        for values in (np.sqrt(np.minimum(share, 1.0)), np.maximum(share - 1.0, 0.0))
    ]


def with_products(features: np.ndarray) -> np.ndarray:
    """Return normalised features `(..., features)` followed by the products of any two of them."""
    first, second = _pairs(features.shape[-1])
    return np.concatenate([features, features[..., first] * features[..., second]], axis=-1)


@cache
def _pairs(count: int) -> tuple[np.ndarray, np.ndarray]:
    return np.triu_indices(count)
