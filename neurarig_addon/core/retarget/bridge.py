"""Between footholds: the difference of held and wanted places is bridged.

A cubic carries the difference, with its slope, from the end of a hold to the beginning of the next.  In a long gap it fades to zero after
the first and returns before the second.  The result has no jump in place or velocity where the wanted motion has none.
"""

import numpy as np

from ..easing import smoothstep

SOONEST_S = 0.08  # shortest fade
SLOPE_S = 0.15  # seconds after which the slope's share has faded, so that a fast release does not carry far


def bridged(offset: np.ndarray, held: np.ndarray, fps: float, fade_s: float, kick: float | None = None) -> np.ndarray:
    """Return offsets `(f, n)`: as given where `held` `(f,)`, bridged in between, faded after `fade_s` seconds; 0 if nothing is held.

    `kick`: small offsets fade sooner, with at most this acceleration, in units per second squared.
    """
    if held.all():
        return offset
    rows = np.arange(len(held))
    last = np.maximum.accumulate(np.where(held, rows, -1))
    following = np.minimum.accumulate(np.where(held, rows, len(rows))[::-1])[::-1]
    has_last, has_next = last >= 0, following < len(rows)
    last, following = np.maximum(last, 0), np.minimum(following, len(rows) - 1)
    gap = np.where(has_last & has_next, following - last, len(rows) + fade_s * fps)
    fades = (_faded_after(offset[row], fade_s, kick) * fps for row in (last, following))
    leaving = _eased(rows - last, np.minimum(gap, next(fades)), offset[last], _slope(offset, held, last, -1), fps)
    arriving = _eased(following - rows, np.minimum(gap, next(fades)), offset[following], _slope(offset, held, following, 1), fps)
    between = np.where(has_last[:, None], leaving, 0.0) + np.where(has_next[:, None], arriving, 0.0)
    return np.where(held[:, None], offset, between)


def _faded_after(value: np.ndarray, fade_s: float, kick: float | None) -> np.ndarray:
    """Return the seconds `(f,)` over which values `(f, n)` fade: the cubic accelerates by 6 times the value over the time squared."""
    if kick is None:
        return np.full(len(value), fade_s)
    return np.clip(np.sqrt(6.0 * np.linalg.norm(value, axis=-1) / kick), min(SOONEST_S, fade_s), fade_s)


def _eased(since: np.ndarray, frames: np.ndarray, value: np.ndarray, slope: np.ndarray, fps: float) -> np.ndarray:
    """Return values `(f, n)` that begin as given, with a slope in units per frame, and reach 0 after `frames` `(f,)`."""
    length = np.maximum(frames, 1.0)
    share = np.clip(since / length, 0.0, 1.0)[:, None]
    short = np.maximum(np.minimum(frames, SLOPE_S * fps), 1.0)
    early = np.clip(since / short, 0.0, 1.0)[:, None]
    return (1.0 - smoothstep(share)) * value + early * (1.0 - early) ** 2 * short[:, None] * slope


def _slope(offset: np.ndarray, held: np.ndarray, row: np.ndarray, inward: int) -> np.ndarray:
    """Return the slopes of offsets per frame away from the hold `(f, n)`, at its end rows `row` `(f,)`; 0 for a hold of one frame."""
    found = np.zeros((len(row), offset.shape[1]))
    for steps in (2, 1):
        inside = np.clip(row + inward * steps, 0, len(held) - 1)
        whole = held[inside] & held[np.clip(row + inward, 0, len(held) - 1)] & (inside != row) & (found == 0.0).all(axis=1)
        found = np.where(whole[:, None], (offset[row] - offset[inside]) / np.maximum(np.abs(row - inside), 1)[:, None], found)
    return found
