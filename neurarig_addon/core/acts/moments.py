"""When on a walk acts are: in which standstill, or between which of its steps."""

import numpy as np

from ..gait.steps.footsteps import steps_at
from ..gait.timing.course import extended
from ..gait.walker import Walker
from ..path.marks import EITHER, Mark
from .act import STAND
from .mark import ActMark, done

# Cycles after the other foot has left the ground, and before it touches it again, at which a step is left for
# an act, and at which the walk goes on; in a run, whose other foot is in the air all the time, shares of the
# stance.
APART, EARLIEST, LATEST = 0.025, 0.05, 0.9
MIDDLE = 0.25  # cycles after its heel strike that a foot is about in the middle of its stance
NEARLY = 1e-6  # frames
NEAR = 0.05  # leg lengths that a standstill may be off its mark
# x sqrt(leg in metres), seconds: an act plays for so much of a standstill before and after its middle, and is
# over so long before a foot leaves
AROUND_S, OVER_S = 0.5, 0.06


def reached_by(walker: Walker, acts: tuple[ActMark, ...]) -> dict[int, tuple[float, float]]:
    """Return between which frames of the walk acts on feet play, by number in their order; without those that
    it never comes to."""
    found = ((_frames(walker, number, asked), number) for number, asked in done(acts, on_feet=True).items())
    return {
        number: frames
        for frames, number in sorted((frames, number) for frames, number in found if frames is not None)
    }


def seconds_at(walker: Walker, *ways: float) -> np.ndarray:
    """Return when the walk comes to distances on its path `(n,)`."""
    pace = walker.rhythm
    rises = np.concatenate([[True], np.diff(pace.distance) > 1e-9])
    return extended(np.array(ways), pace.distance[rises], pace.seconds[rises])


def _frames(walker: Walker, number: int, asked: ActMark) -> tuple[float, float] | None:
    """Return the whole frames of the walk at which it is left for an act, and goes on; None if it never comes
    there."""
    marks = [mark for mark in walker.path.marks if mark.act == number]
    if not marks:
        return None
    if asked.act.base == STAND:
        stands = [stand for stand in (_standing(walker, mark) for mark in marks) if stand is not None]
        if len(stands) < len(marks):
            return None
        moments = [stands[0][0], stands[-1][1]]
    else:
        moments = _stepping(walker, marks[0], marks[1])
    left, entered = (float(walker.clock.frames(np.array(moment))) for moment in moments)
    left = float(np.ceil(left - NEARLY))
    return left, max(float(np.floor(entered + NEARLY)), left)


def _standing(walker: Walker, mark: Mark) -> tuple[float, float] | None:
    """Return the seconds of a standstill at a mark from the last foot's landing to the first one's leaving,
    about its middle."""
    pace, near = walker.rhythm, NEAR * walker.body.leg_length
    rests = pace.rests
    found = np.flatnonzero(np.abs(rests.distance - mark.way) < near)
    found = found[np.isfinite(rests.end[found]) & np.isfinite(rests.begin[found])]
    if not len(found):
        return None
    middle = 0.5 * float(rests.begin[found[0]] + rests.end[found[0]])
    phases = pace.phases_at(np.array([middle]))
    steps = steps_at(walker, phases)
    lands, leaves = (pace.seconds_when(at) for at in (steps.contact, steps.lift))
    pendulum = float(np.sqrt(walker.body.leg_length))
    around, over = AROUND_S * pendulum, OVER_S * pendulum
    return max(float(lands.max()), middle - around), min(float(leaves.min()) - over, middle + around)


def _stepping(walker: Walker, take_off: Mark, landing: Mark) -> list[float]:
    """Return the seconds late in the stance of the foot that stands at a mark, and in that of the next foot
    at another."""
    pace = walker.rhythm
    when = seconds_at(walker, take_off.way, landing.way)
    phases = pace.phases_at(when[:1])[0] - MIDDLE
    off = np.abs(phases - np.round(phases))
    foot = int(np.argmin(off)) if take_off.foot == EITHER else int(take_off.foot or 0)
    (stood, lifts), (lands, stands) = _stance(walker, when[0], foot), _stance(walker, when[1], 1 - foot)
    begins = stood + max(lifts - stood - 0.5 + APART, EARLIEST * (lifts - stood))
    ends = lands + min(0.5 - APART, LATEST * (stands - lands))
    return [
        float(pace.seconds_when(np.full((1, 2), at))[0, side])
        for at, side in ((begins, foot), (ends, 1 - foot))
    ]


def _stance(walker: Walker, when: float, foot: int) -> tuple[float, float]:
    """Return the phases at which a foot touches the ground and leaves it, of the stance in whose middle it is
    at about `when` seconds."""
    number = np.round(walker.rhythm.phases_at(np.array([when])) - MIDDLE)
    steps = steps_at(walker, number + MIDDLE)
    return float(steps.contact[0, foot]), float(steps.lift[0, foot])
