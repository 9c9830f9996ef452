"""Edited steps: rows of the plan replaced, and a time of its own for each foot.

Only from a foot's lift before an edited print to its landing after it does anything change. Uneven ground
gets hollows under prints that
were lowered or tilted, so that clearance does not push feet off them.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...body.sole import Sole
from ...character.body import LEFT, RIGHT
from ...easing import piece, smooth_between
from ...geometry.rotation import norms, rotated
from ...ground.fitting import fitted
from ...ground.prints import Prints
from ...ground.surface import Ground, Uneven
from ..steps.footsteps import BOTH, Footsteps, Steps, footsteps
from ..walker import Walker

# Distance from the foot's middle line up to which the ground is the print's plane, and from which it is as
# before, in foot lengths.
NEAR, FAR = 0.3, 1.5
# How much earlier or later a foot may touch or leave the ground, over the shorter of stance and swing: two
# neighbours at this limit leave a swing at more than half its usual pace.
MOST_SHIFT = 0.35
FLAT_AT = 0.4  # share of the stance at which a foot that stays on its print waits, flat
AS_PLANNED = 1e-9  # cycles
EASES = 0.3  # share of a swing or stance in which its pace blends into that of the next one
PUSHES_OFF = 0.55  # the same at the end of a stance: time gained or lost is made up while the foot is flat
MOST_IN_STANCE = 2.0  # x its own pace: limit on how quickly a stance begins and ends beside a quick swing
AROUND = 2  # steps before and after that a step's timing depends on
# What a held step takes from the step before, on whose print the foot stays.
OF_THE_PRINT = (
    "place",
    "moved",
    "distance",
    "came",
    "lifted",
    "heading",
    "slope",
    "bank",
    "aside",
    "natural",
    "push",
)


@dataclass(frozen=True)
class EditedGround(Uneven):
    """A `ground` that is nowhere above the planes of prints `(n,)` close to them.

    `place` `(n, 3)`; `slopes` `(n, 2)`: rise of a plane along x and y; `heel`, `tip` `(n, 2)`: both ends of
    the foot; `length`: metres of a foot.
    """

    ground: Ground
    place: np.ndarray
    slopes: np.ndarray
    heel: np.ndarray
    tip: np.ndarray
    length: float

    @classmethod
    def under(cls, ground: Ground, sole: Sole, prints: Prints, sides: np.ndarray) -> "EditedGround":
        """Return the ground with hollows for prints `(n,)` of the feet `sides`."""
        heel, tip = (
            prints.place[:, :2] + rotated(prints.axes, point[sides])[:, :2] for point in (sole.heel, sole.toe)
        )
        return cls(
            ground, prints.place, prints.rise, heel, tip, float(np.mean(sole.toe[:, 0] - sole.heel[:, 0]))
        )

    def height(self, places: np.ndarray) -> np.ndarray:
        """See Ground."""
        height = self.ground.height(places)
        at = places[..., None, :2]
        along = self.tip - self.heel
        share = np.clip(((at - self.heel) * along).sum(axis=-1) / (along * along).sum(axis=-1), 0.0, 1.0)
        away = norms(at - self.heel - share[..., None] * along) / self.length
        plane = self.place[:, 2] + ((at - self.place[:, :2]) * self.slopes).sum(axis=-1)
        lower = np.minimum(plane - height[..., None], 0.0) * smooth_between(away, FAR, NEAR)
        return height + lower.min(axis=-1)


@dataclass(frozen=True)
class EditedSteps:
    """The steps around some frames as edited, and as `planned`.

    `plan`: rows as in `planned`. `touch`, `leave` `(steps, 2)`: foot phases of touch and lift, in place of
    `contact` and
    `lift` of the plan. `stays` `(steps, 2)`: the foot stays on the print before. `edited` `(steps, 2)`:
    whether a print is edited.
    `apart` `(steps, 2)`: whether it does not lie on the ground.
    """

    planned: Footsteps
    plan: Footsteps
    touch: np.ndarray
    leave: np.ndarray
    stays: np.ndarray
    edited: np.ndarray
    apart: np.ndarray

    def ground(self, walker: Walker) -> Ground:
        """Return the ground as feet find it: uneven ground has hollows for prints that do not lie on it;
        level ground needs none."""
        rows, sides = np.nonzero(self.apart)
        if walker.ground.is_level or not len(rows):
            return walker.ground
        return EditedGround.under(walker.ground, walker.sole, self.plan.steps.prints.take(rows, sides), sides)

    def inside(self, phase: np.ndarray) -> np.ndarray:
        """Return whether either foot `(f, 2)` is between the lift before an edited print and the landing
        after it `(f,)`."""
        rows = self.planned.under_way(phase)
        swings = phase > self.planned.steps.lift[rows, BOTH]
        here, following = self.edited[rows, BOTH], self.edited[rows + 1, BOTH]
        either = here | (following & (swings | self.stays[rows + 1, BOTH]))
        return either[:, LEFT] | either[:, RIGHT]

    def with_heels_of(self, planned: Footsteps) -> "EditedSteps":
        """Return the steps with heels raised as in a plan around them; a foot that stays on its print waits
        there, flat."""
        waits = self.stays | np.concatenate([self.stays[1:], np.zeros((1, 2), dtype=bool)])
        rows = np.arange(len(waits))[:, None] + self.plan.first - planned.first
        there = (rows >= 0) & (rows < len(planned.steps.contact)) & ~waits
        raises = planned.steps.heel_raise[np.where(there, rows, 0), BOTH]
        return replace(self, plan=self.plan.with_heels(slice(None), np.where(there[..., None], raises, 0.0)))

    def timed(self, phase: np.ndarray) -> np.ndarray:
        """Return the phases `(f, 2)` in the plan for feet at phases `(f, 2)`; rising, with continuous
        slopes."""
        return np.stack([self._timed(phase[:, side], side) for side in BOTH], axis=-1)

    def paced(self, phase: np.ndarray) -> np.ndarray:
        """Return the phases `(f, 2)` with edited timing, held feet stepping as planned."""
        return np.stack([_through(phase[:, side], *self._knots(side)) for side in BOTH], axis=-1)

    def _knots(self, side: int) -> tuple[np.ndarray, np.ndarray]:
        """Return when a foot touches and leaves the ground, and the plan's phases then; a foot that stays
        comes and goes as planned."""
        steps, stays = self.plan.steps, self.stays[:, side]
        contact, lift = steps.contact[:, side], steps.lift[:, side]
        touch = np.where(stays, self.leave[:, side] - (lift - contact), self.touch[:, side])
        leave = np.where(np.append(stays[1:], False), touch + lift - contact, self.leave[:, side])
        return np.stack([touch, leave], axis=-1).reshape(-1), np.stack([contact, lift], axis=-1).reshape(-1)

    def _timed(self, phase: np.ndarray, side: int) -> np.ndarray:
        """Return the phases of one foot; a foot that stays rolls onto the flat sole, waits, and leaves from
        there."""
        contact, lift = self.plan.steps.contact[:, side], self.plan.steps.lift[:, side]
        stays, duty = self.stays[:, side], lift - contact
        follows = np.append(stays[1:], False)
        at, to = self._knots(side)
        touch, leave = at[::2], at[1::2]
        row = np.clip(np.searchsorted(self.touch[:, side], phase, side="right") - 1, 0, len(touch) - 1)
        flat = FLAT_AT * duty[row]
        arrives = np.where(
            phase < touch[row] + flat,
            contact[row] + flat * _settling((phase - touch[row]) / flat),
            contact[row] + flat,
        )
        ending, left = (1.0 - FLAT_AT) * duty[row], leave[row] - phase
        leaves = np.where(left < ending, lift[row] - ending * _settling(left / ending), contact[row] + flat)
        standing = np.where(stays[row] & (left >= 0.0), leaves, _through(phase, at, to))
        standing = np.where(follows[row], arrives, standing)
        return np.where(stays[row] & follows[row], contact[row] + flat, standing)


def _settling(share: np.ndarray) -> np.ndarray:
    """Return 0..1 for 0..1, with slope 1 at 0 and 0 at 1."""
    return share + share * share * (1.0 - share)


def _through(x: np.ndarray, at: np.ndarray, to: np.ndarray) -> np.ndarray:
    """Return a rising curve through knots, alternately touch and lift; straight between two that are as
    planned.

    Shorter swings make quicker knees, so the swing's pace is even except where it meets a planned one; the
    stance takes the rest.
    """
    planned = np.abs(at - to) < AS_PLANNED
    kept = planned[1:] & planned[:-1]
    secant = np.diff(to) / np.diff(at)
    pace = _paces(secant, kept)
    row = piece(at, x)
    width, start, end = at[row + 1] - at[row], pace[row], pace[row + 1]
    share, ends = (x - at[row]) / width, np.where(row % 2, EASES, PUSHES_OFF)
    held = (secant[row] - 0.5 * (EASES * start + ends * end)) / (1.0 - 0.5 * (EASES + ends))
    advance = (
        held * share
        + (start - held) * _leaving(share, EASES)
        + (end - held) * (0.5 * ends - _leaving(1.0 - share, ends))
    )
    return np.where(kept[row], to[row] + (x - at[row]), to[row] + width * advance)


def _paces(secant: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return the pace at knots `(n,)`: 1 where the foot leaves the ground, which knees feel most, and beside
    intervals `kept` `(n - 1,)`.

    Where it touches the ground it has the pace of the swing; the stance is long enough for that.
    """
    pace = np.ones(len(secant) + 1)
    stance, swing = secant[2::2], secant[1::2]
    landing = (swing - 0.5 * EASES) / (1.0 - 0.5 * EASES)
    pace[2::2] = np.where(kept[2::2] | kept[1::2], 1.0, np.minimum(landing, MOST_IN_STANCE * stance))
    return pace


def _leaving(share: np.ndarray, within: np.ndarray | float) -> np.ndarray:
    """Return the integral of a pace that falls from 1 to 0 over the share `within`, with zero slope at both
    ends."""
    s = np.clip(share / within, 0.0, 1.0)
    return within * s * (1.0 - s * s * (1.0 - 0.5 * s))


def edited_steps(walker: Walker, phase: np.ndarray) -> EditedSteps:
    """Return the steps around foot phases `(f, 2)` with the walker's edits."""
    edits = walker.edits
    first = np.floor(phase.min(axis=0)).astype(int) - AROUND
    last = np.floor(phase.max(axis=0)).astype(int) + AROUND
    near = (edits.numbers >= first[edits.sides]) & (edits.numbers <= last[edits.sides])
    first = np.array([edits.runs[near & (edits.sides == side)].min(initial=first[side]) for side in BOTH])
    return edited(walker, footsteps(walker, np.stack([first, last]) + 0.5))


def edited(walker: Walker, planned: Footsteps) -> EditedSteps:
    """Return planned steps with the walker's edits applied."""
    edits, steps = walker.edits, planned.steps
    rows = edits.numbers - planned.first[edits.sides]
    there = np.flatnonzero((rows >= 0) & (rows < len(steps.contact)))
    where = rows[there], edits.sides[there]
    offsets = {name: values[there] for name, values in edits.offsets.items()}
    touch, leave, stays, in_hand = (
        np.zeros(steps.contact.shape, dtype=kind) for kind in (float, float, bool, bool)
    )
    touch[where], leave[where], stays[where], in_hand[where] = (
        offsets["touch"],
        offsets["lift"],
        edits.held[there],
        True,
    )
    plan = _staying(_moved(walker, steps, offsets, where), stays)
    touch, leave = _within_reason(np.where(stays, 0.0, touch), leave, steps.duty)
    apart = np.zeros(stays.shape, dtype=bool)
    apart[where] = np.any([offsets[name] != 0.0 for name in ("height", "slope", "bank")], axis=0)
    return EditedSteps(
        planned,
        Footsteps(planned.first, plan),
        plan.contact + touch,
        plan.lift + leave,
        stays,
        in_hand,
        apart & ~stays,
    )


def _within_reason(touch: np.ndarray, leave: np.ndarray, duty: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how much later feet touch and leave the ground `(steps, 2)`, limited to the time their
    neighbours leave."""
    most = MOST_SHIFT * np.minimum(duty, 1.0 - duty)
    both = np.minimum(most, np.concatenate([most[:1], most[:-1]]))
    return np.clip(touch, -both, both), np.clip(leave, -most, most)


def _moved(
    walker: Walker, steps: Steps, offsets: dict[str, np.ndarray], where: tuple[np.ndarray, np.ndarray]
) -> Steps:
    """Return the steps with those at `where` moved and turned, laid on the ground there."""
    names = ("place", "heading", "slope", "bank", "ball_pivot", "distance")
    place, heading, slope, bank, ball_pivot, distance = (np.array(getattr(steps, name)) for name in names)
    course = np.broadcast_to(steps.course, heading.shape)[where]
    cos, sin = np.cos(course), np.sin(course)
    place[(*where, 0)] += offsets["along"] * cos - offsets["aside"] * sin
    place[(*where, 1)] += offsets["along"] * sin + offsets["aside"] * cos
    moved = place[..., :2] - steps.place[..., :2]
    distance[where] += offsets["along"]
    heading[where] += offsets["yaw"]
    away = (offsets["along"] != 0.0) | (offsets["aside"] != 0.0) | (offsets["yaw"] != 0.0)
    if away.any() and not walker.ground.is_level:
        rows, sides = where[0][away], where[1][away]
        fit = fitted(walker.ground, walker.sole, place[rows], heading[rows], walker.body.leg_length).prints
        at = np.arange(len(rows)), sides
        place[rows, sides], slope[rows, sides], bank[rows, sides] = fit.place[at], fit.slope[at], fit.bank[at]
    place[(*where, 2)] += offsets["height"]
    slope[where] += offsets["slope"]
    bank[where] += offsets["bank"]
    ball_pivot[where] += offsets["ball_pivot"]
    return replace(
        steps,
        place=place,
        heading=heading,
        slope=slope,
        bank=bank,
        ball_pivot=ball_pivot,
        moved=moved,
        distance=distance,
    )


def _staying(steps: Steps, stays: np.ndarray) -> Steps:
    """Return the steps with held ones on the print of the step before."""
    if not stays.any():
        return steps
    stands = np.maximum.accumulate(np.where(stays, 0, np.arange(len(stays))[:, None]), axis=0)
    taken = steps.take(stands)
    duty = np.where(stays, taken.duty, steps.duty)
    waits = stays | np.concatenate([stays[1:], np.zeros((1, 2), dtype=bool)])
    ball_pivot = np.where(waits, 0.0, steps.ball_pivot)  # a foot that waits on its print does not turn on it
    return replace(
        steps,
        lift=steps.contact + duty,
        ball_pivot=ball_pivot,
        **{name: getattr(taken, name) for name in OF_THE_PRINT},
    )
