"""Many short stretches of curves fitted at once: values, slopes and handles of their keys, by damped least squares.

At a fixed time a Bézier curve is linear in its keys' values and slopes but not in its handles' lengths.  So each round solves the problem
linearised around the current curve (Levenberg and Marquardt), for all stretches at once, and keeps what improved.
"""

from dataclasses import dataclass, replace

import numpy as np

from .hermite import THIRD, along, bernstein, parameter
from .normal import DRAWN_TO_THIRDS, Normal

SHORTEST, LONGEST = 0.1, 0.75  # length of a handle, as shares of its span
TOGETHER = 0.98  # most length of both handles, as a share of their span: Blender shortens more than 1
KEYS = ("values", "slopes", "ahead", "behind")
SETTLED = 0.5  # times the limits: smaller errors are near enough
EVENINGS, EVENING_ROUNDS = 2, 4  # times that stretches are evened, and rounds of fitting each time
NEARLY, LEAST_WEIGHT = 2.2, 0.3  # times the limits: errors worth it; weight of a sample without error
HOPELESS = (8.0, 3.0, 1.7)  # times the limits, round by round: larger errors are given up
DAMPING, CALMER, WILDER = 1e-2, 0.15, 10.0  # initial; factor after a round that improved; factor after one that did not


@dataclass(frozen=True)
class Windows:
    """`w` stretches of curves of one component, of at most `k` keys each; those with fewer repeat their last one.

    `at`, `values`, `slopes` `(w, k)`: keys; `ahead`, `behind` `(w, k - 1)`: handles as shares of spans; `free` `(w, k)`: keys whose
    value and slope are fitted.  `periodic`: the last key moves with the first.  `groups`: number of groups; the first so many windows
    are the groups' first components, the next so many their second ones, and so on.
    Samples are in the order of windows and spans: `window`, `span`, `frames`, `wanted` and `weights` `(r,)`, one over the limit.
    """

    at: np.ndarray
    values: np.ndarray
    slopes: np.ndarray
    ahead: np.ndarray
    behind: np.ndarray
    free: np.ndarray
    window: np.ndarray
    span: np.ndarray
    frames: np.ndarray
    wanted: np.ndarray
    weights: np.ndarray
    groups: int
    periodic: bool = False

    def worst(self, curve: np.ndarray) -> np.ndarray:
        """Return the worst error `(groups,)` of a curve `(r,)` in units of the limits, components taken together."""
        off = self.off(curve)
        return np.maximum.reduceat(off, np.flatnonzero(np.diff(self.window[: len(off)], prepend=-1)))

    def off(self, curve: np.ndarray) -> np.ndarray:
        """Return the errors `(r / components,)` of a curve `(r,)` in units of the limits, components taken together."""
        off = (self.weights * (curve - self.wanted)) ** 2
        return np.sqrt(off.reshape(len(self.at) // self.groups, -1).sum(axis=0))

    def some(self, groups: np.ndarray) -> tuple["Windows", np.ndarray, np.ndarray]:
        """Return only the windows of some groups `(groups,)`, and which windows `(w,)` and samples `(r,)` these are."""
        which = np.tile(groups, len(self.at) // self.groups)
        samples = which[self.window]
        number = np.cumsum(which) - 1
        keys = {name: getattr(self, name)[which] for name in (*KEYS, "at", "free")}
        rest = {name: getattr(self, name)[samples] for name in ("span", "frames", "wanted", "weights")}
        found = replace(self, **keys, **rest, window=number[self.window[samples]], groups=int(groups.sum()))
        return found, which, samples


def refined(start: Windows, rounds: int) -> tuple[Windows, np.ndarray]:
    """Return the stretches after at most `rounds` rounds of fitting, and their values at the samples `(r,)`.

    Fitting of a group ends once it is well within its limits, or so far off that it would not reach them.
    """
    found = replace(start, **{name: getattr(start, name).copy() for name in KEYS})
    curve = np.empty(len(start.frames))
    windows, samples = np.arange(len(start.at)), np.arange(len(start.frames))  # those still being fitted
    part, damping = start, np.full(len(start.at), DAMPING)
    look = _Look(part)
    cost = look.cost()
    for number in range(rounds):
        tried = _stepped(part, look, damping)
        seen = _Look(tried, look)
        costs = seen.cost()
        nearer = costs < cost
        if nearer.all():
            part, look = tried, seen
        else:
            part, look = _chosen(nearer, tried, part), seen.chosen(nearer, look)
        cost = np.where(nearer, costs, cost)
        damping *= np.where(nearer, CALMER, WILDER)
        for name in KEYS:
            getattr(found, name)[windows] = getattr(part, name)
        curve[samples] = look.curve
        worst = part.worst(look.curve)
        open_ = (worst > SETTLED) & (worst < HOPELESS[min(number, len(HOPELESS) - 1)])
        if number + 1 == rounds or not open_.any():
            break
        if not open_.all():
            part, which, rows = part.some(open_)
            windows, samples, cost, damping = windows[which], samples[rows], cost[which], damping[which]
            look = look.some(part, rows)
    return found, curve


def evened(start: Windows, fitted: Windows, curve: np.ndarray) -> tuple[Windows, np.ndarray]:
    """Return fitted stretches, and their values, whose worst errors are smaller at the expense of the others.

    Least squares leave a few errors far above the rest.  Stretches that are a little past their limits are fitted again, with each
    sample's weight raised by its error (Lawson).
    """
    for _ in range(EVENINGS):
        worst = start.worst(curve)
        near = (worst > 1.0) & (worst < NEARLY)
        if not near.any():
            break
        part, which, rows = fitted.some(near)
        components = len(part.at) // part.groups
        off = part.off(curve[rows])
        again, values = refined(replace(part, weights=part.weights * (LEAST_WEIGHT + np.tile(off, components))), EVENING_ROUNDS)
        better = np.tile(part.worst(values) < worst[near], components)
        windows, samples = np.flatnonzero(which)[better], better[part.window]
        for name in KEYS:
            getattr(fitted, name)[windows] = getattr(again, name)[better]
        curve[np.flatnonzero(rows)[samples]] = values[samples]
    return fitted, curve


class _Look:
    """Windows evaluated at their samples: the curve's parameter, the four points' shares, and the curve.

    `before`: the same windows with other keys' values, slopes and handles, evaluated.  `where` `(r,)`: each sample's span among all.
    """

    def __init__(self, windows: Windows, before: "_Look | None" = None) -> None:
        self.windows = windows
        if before is None:
            self.where = windows.window * (windows.at.shape[1] - 1) + windows.span
            self.length = np.diff(windows.at).take(self.where)
            self.x = (windows.frames - windows.at.take(self.where + windows.window)) / self.length
        else:
            self.where, self.length, self.x = before.where, before.length, before.x
        here = self.where + windows.window
        self.ahead, self.behind = windows.ahead.take(self.where), windows.behind.take(self.where)
        self.s = parameter(self.x, self.ahead, self.behind, before.s if before is not None else None)
        self.slopes = windows.slopes.take(here), windows.slopes.take(here + 1)
        start, end = windows.values.take(here), windows.values.take(here + 1)
        self.points = (start, start + self.slopes[0] * self.ahead * self.length, end - self.slopes[1] * self.behind * self.length, end)
        self.shares = bernstein(self.s)
        self.curve: np.ndarray = np.einsum("wr,wr->r", self.shares, self.points)

    def cost(self) -> np.ndarray:
        """Return each window's squared error `(w,)` in units of the limits, plus its handles' pull to a third of their span."""
        off = self.windows.weights * (self.curve - self.windows.wanted)
        handles = (self.windows.ahead - THIRD) ** 2 + (self.windows.behind - THIRD) ** 2
        return np.bincount(self.windows.window, off * off, len(self.windows.at)) + DRAWN_TO_THIRDS * handles.sum(axis=1)

    def some(self, windows: Windows, rows: np.ndarray) -> "_Look":
        """Return the evaluation of only some windows, at their samples `rows`."""
        found = object.__new__(_Look)
        found.windows, found.where = windows, windows.window * (windows.at.shape[1] - 1) + windows.span
        for name in ("length", "x", "ahead", "behind", "s", "curve"):
            setattr(found, name, getattr(self, name)[rows])
        for name in ("slopes", "points", "shares"):
            setattr(found, name, tuple(each[rows] for each in getattr(self, name)))
        return found

    def derivatives(self) -> np.ndarray:
        """Return the derivatives `(6, r)` of the curve by the span's value, slope, next value, next slope, and both handles."""
        first, second = self.shares[1], self.shares[2]
        p0, p1, p2, p3 = self.points
        back = 1.0 - self.s
        rises = 3.0 * (back**2 * (p1 - p0) + 2.0 * back * self.s * (p2 - p1) + self.s**2 * (p3 - p2))
        steep = rises / along(self.s, self.ahead, self.behind)
        found = np.empty((6, len(back)))
        np.add(self.shares[0], first, out=found[0])
        np.multiply(first, self.ahead * self.length, out=found[1])
        np.add(second, self.shares[3], out=found[2])
        np.multiply(second, -self.behind * self.length, out=found[3])
        np.multiply(first, self.slopes[0] * self.length - steep, out=found[4])
        np.multiply(second, steep - self.slopes[1] * self.length, out=found[5])
        return found

    def chosen(self, nearer: np.ndarray, other: "_Look") -> "_Look":
        """Return this evaluation for windows that are `nearer`, the other for the rest."""
        rows = nearer[self.windows.window]
        found = object.__new__(_Look)
        found.windows = _chosen(nearer, self.windows, other.windows)
        found.where, found.length, found.x = self.where, self.length, self.x
        for name in ("ahead", "behind", "s", "curve"):
            setattr(found, name, np.where(rows, getattr(self, name), getattr(other, name)))
        for name in ("slopes", "points", "shares"):
            pairs = zip(getattr(self, name), getattr(other, name), strict=True)
            setattr(found, name, tuple(np.where(rows, mine, theirs) for mine, theirs in pairs))
        return found


def _stepped(windows: Windows, look: _Look, damping: np.ndarray) -> Windows:
    """Return windows after one step."""
    normal = Normal.of(
        look.where,
        windows.weights * look.derivatives(),
        windows.weights * (windows.wanted - look.curve),
        np.stack([windows.ahead, windows.behind], axis=-1),
        windows.free,
    )
    step = normal.step(damping, windows.periodic)
    ahead = np.clip(windows.ahead + step.ahead, SHORTEST, LONGEST)
    behind = np.clip(windows.behind + step.behind, SHORTEST, LONGEST)
    over = np.maximum(ahead + behind, TOGETHER) / TOGETHER
    return replace(
        windows, values=windows.values + step.values, slopes=windows.slopes + step.slopes, ahead=ahead / over, behind=behind / over
    )


def _chosen(nearer: np.ndarray, one: Windows, other: Windows) -> Windows:
    """Return windows as in `one` if `nearer`, else as in `other`."""
    return replace(one, **{name: np.where(nearer[:, None], getattr(one, name), getattr(other, name)) for name in KEYS})
