"""Channels keyed in poses: controls on the same frames, with curves fitted to what is between."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.keys.deviation import LEGS, TRUNK
from ...core.keys.hermite import KeyCurve
from ...core.keys.pose_fit import EVENINGS, fitted
from ..animation import keyframes
from ..animation.keyframes import GENERATED, Channel, Keyed
from ..animation.steps import Steps
from .hanging import HangingBones
from .parts import KeyedPart

NEAR = 0.5  # share of a gap's worst error: the key goes to the row in its middle that has at least this
# multiples of the bound up to which a gap is first fitted with more weight there; the weight, at 1
PRESSED, WEIGHT = 1.4, 1.5
SAME = 0.03  # share of what matters: bones that are wanted elsewhere by no more keep their curve
# the same of rows where another limb has a pose: these come first, for an animator sees poses, not limbs
SHARED = 0.15


@dataclass(frozen=True)
class KeyMoments:
    """Key poses of frames `(f,)`, as rows.

    `poses`: all of them; `contacts`, `passings`: some of these; `breaks`: where a foot lands, or is last on
    the ground, of each pair of feet.
    `planted` `(f, feet, 3)`: points of the feet on the ground. `loop`: the last frame is the first of the
    next cycle.
    `knees` `(f, feet)`: how much more an error of a leg matters, as its knee is nearly straight.
    `recorded`: the motion trembles; keys need not, and every bone has those that it needs, not its whole
    limb.
    """

    poses: np.ndarray
    contacts: np.ndarray
    passings: np.ndarray
    breaks: Sequence[np.ndarray]
    planted: np.ndarray
    loop: bool = False
    knees: np.ndarray | None = None
    recorded: bool = False

    @property
    def every_pose(self) -> np.ndarray:
        """All rows to key: the key poses, the first and the last row."""
        return np.union1d(self.poses, [0, len(self.planted) - 1])

    def rows_of(self, limb: str) -> np.ndarray:
        """Return the rows to key of a limb: legs have a pose where a foot lifts as well."""
        return np.union1d(self.every_pose, self.breaks_of(limb))

    @property
    def legs(self) -> tuple[str, ...]:
        """The limbs that stand."""
        return LEGS[: self.planted.shape[1]]

    def breaks_of(self, limb: str) -> np.ndarray:
        """Return where the foot of a limb, or the one beside, lands or lifts; of others nowhere."""
        return self.breaks[self.legs.index(limb) // 2] if limb in self.legs else self.poses[:0]


class FittedPoses:
    """Poses of a character at `frames` `(f,)`; controls that never move stay as they are.

    `parts`: what moves, by bone.  `outward`: the bones as they are wanted, if they make up for their parents.
    """

    def __init__(
        self,
        frames: np.ndarray,
        channels: Sequence[Channel],
        parts: Mapping[str, KeyedPart],
        moments: KeyMoments,
        outward: HangingBones | None,
    ) -> None:
        self.channels, self._frames, self._moments, self._outward = channels, frames, moments, outward
        self.parts = parts
        found = parts.values()
        self.rows = {part.poses: moments.rows_of(part.limb) for part in found}
        self._curves: dict[str, KeyCurve] = {}
        # rows and values for which there is a curve
        self._fitted: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self._played: dict[str, np.ndarray] = {}
        self._weights = {part.poses: self._knees(part.limb) for part in found}

    def fit(self) -> Steps[None]:
        """Fit the curves of all bones whose poses have changed, or those of bones above them, from the root
        outward; yields the share done."""
        stages: dict[int, list[KeyedPart]] = {}
        for part in self.parts.values():
            stages.setdefault(self._outward.depth(part.bone) if self._outward else 0, []).append(part)
        if self._outward:
            self._outward.start()
        for number, depth in enumerate(sorted(stages)):
            together: dict[str, list[KeyedPart]] = {}
            for part in stages[depth]:
                wanted = self._outward.wanted(part) if self._outward else part.values
                if self._is_stale(part, wanted):
                    self._fitted[part.bone] = self.rows[part.poses], wanted
                    together.setdefault(part.poses, []).append(part)
            for parts in together.values():
                self._fit(parts)
                yield number / len(stages)
            for part in stages[depth] if self._outward else ():
                self._outward.place(part, self._played[part.bone])

    def _is_stale(self, part: KeyedPart, wanted: np.ndarray) -> bool:
        rows, before = self._fitted.get(part.bone, (None, part.values))
        return rows is not self.rows[part.poses] or bool((np.abs(wanted - before) > SAME * part.limits).any())

    def _knees(self, limb: str) -> np.ndarray:
        """Return how much more an error of a limb matters on each frame `(f, 1)`."""
        knees = self._moments.knees
        return (
            np.ones((len(self._frames), 1))
            if knees is None or limb not in self._moments.legs
            else knees[:, [LEGS.index(limb)]]
        )

    def _fit(self, parts: Sequence[KeyedPart]) -> None:
        """Fit the curves of bones that share their poses."""
        rows, moments = self.rows[parts[0].poses], self._moments
        wanted, limits = (
            np.concatenate([self._fitted[part.bone][1] for part in parts], axis=1),
            np.concatenate([p.limits for p in parts]),
        )
        breaks = np.intersect1d(moments.breaks_of(parts[0].limb), rows)
        weights = self._weights[parts[0].poses]
        evenings = 0 if moments.recorded else EVENINGS
        curve = fitted(
            self._frames,
            wanted,
            rows,
            limits,
            breaks,
            weights,
            evenings,
            free=moments.recorded,
            loop=moments.loop,
        )
        played = curve.at(self._frames)
        for part, columns in _slices(parts):
            self._curves[part.bone], self._played[part.bone] = curve.columns(columns), played[:, columns]

    def values(self) -> list[np.ndarray]:
        """Return the channels' values `(f, n)` as their keys play them."""
        found = [channel.values for channel in self.channels]
        for part in self.parts.values():
            for number, columns in part.columns():
                found[number] = self._played[part.bone][:, columns]
        return found

    def error(self, bone: str) -> np.ndarray:
        """Return how far a bone's channels are off by themselves `(f,)`, the worst of them, as a share of
        what matters."""
        off = np.abs(self._played[bone] - self._fitted[bone][1]) / self.parts[bone].limits
        return np.asarray(off.max(axis=1))

    def movers(self, bone: str, limb: str, by: str) -> tuple[str, ...]:
        """Return the keyed bones that may have a bone of a limb stray, `by` turning, its place or its
        sole."""
        if self._outward and (above := self._outward.above(bone, by)):
            return above
        return tuple(part.bone for part in self.parts.values() if part.limb in (limb, TRUNK))

    def add(self, past: Mapping[str, np.ndarray]) -> bool:
        """Give bones another pose in each gap in which `past` `(f,)` of them is above 1; return whether there
        was room."""
        of_poses: dict[str, np.ndarray] = {}
        for bone, strayed in past.items():
            name = self.parts[bone].poses
            of_poses[name] = np.maximum(of_poses.get(name, 0.0), strayed)
        others, added = np.unique(np.concatenate(list(self.rows.values()))), False
        for name, strayed in of_poses.items():
            rows, weights, new = self.rows[name], self._weights[name], []
            pressed = weights.copy()
            for first, last in itertools.pairwise(rows.tolist()):
                gap = strayed[first : last + 1, None]
                if (
                    self._moments.recorded
                    and 1.0 < gap.max() <= PRESSED
                    and last - first > 1
                    and weights[first + 1 : last].max() == 1.0
                ):
                    pressed[first : last + 1] = np.maximum(pressed[first : last + 1], WEIGHT * gap**2)
                elif (row := _between(strayed, first, last, others)) is not None:
                    new.append(row)
            if new or (pressed != weights).any():
                self.rows[name], self._weights[name] = np.union1d(rows, np.array(new, dtype=int)), pressed
                added = True
        return added

    def keyed(self) -> list[Keyed]:
        """Return all channels with their keys."""
        found = [
            Keyed(channel, KeyCurve.still(float(self._frames[0]), channel.values[0]), np.array([GENERATED]))
            for channel in self.channels
        ]
        for part in self.parts.values():
            for number, columns in part.columns():
                curve = self._curves[part.bone].columns(columns)
                found[number] = Keyed(self.channels[number], curve, self._kinds(self.rows[part.poses], curve))
        return found

    def dense(self, keyed: Sequence[Keyed]) -> int:
        """Return the number of keys of these channels with one on every frame."""
        moving = {number for part in self.parts.values() for number in part.channels}
        return sum(
            len(each.components()) * (len(self._frames) if number in moving else 1)
            for number, each in enumerate(keyed)
        )

    def _kinds(self, rows: np.ndarray, curve: KeyCurve) -> np.ndarray:
        """Return the types of keys at rows `(k,)`: Extreme at contact, Breakdown at passing, Moving Hold
        where the control stands still."""
        still = (np.diff(curve.values, axis=0) == 0.0).all(axis=1)
        kinds = np.where(np.append(still, False) | np.append(False, still), keyframes.MOVING_HOLD, GENERATED)
        kinds[np.isin(rows, self._moments.passings)] = keyframes.BREAKDOWN
        kinds[np.isin(rows, self._moments.contacts)] = keyframes.EXTREME
        return kinds


def _slices(parts: Sequence[KeyedPart]) -> list[tuple[KeyedPart, slice]]:
    """Return parts with their columns side by side."""
    ends = np.cumsum([len(part.limits) for part in parts]).tolist()
    return [(part, slice(start, end)) for part, start, end in zip(parts, [0, *ends], ends, strict=False)]


def _between(past: np.ndarray, first: int, last: int, others: np.ndarray) -> int | None:
    """Return the row between two for another key: near their middle, where the error is large; None if all is
    well or there is none.

    `others`: rows at which other limbs have a pose, which is better than one of its own.
    """
    gap = past[first + 1 : last]
    worst = past[first : last + 1].max()
    if worst <= 1.0 or not len(gap):
        return None
    shared = np.flatnonzero((gap >= SHARED * gap.max()) & np.isin(np.arange(first + 1, last), others))
    rows = shared if len(shared) else np.flatnonzero(gap >= NEAR * gap.max())
    return first + 1 + int(rows[np.argmin(np.abs(rows - (len(gap) - 1) / 2.0))])
