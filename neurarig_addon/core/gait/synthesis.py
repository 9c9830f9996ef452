"""A walk, from a body and its sliders to the motion of every role.

From top to bottom: when (rhythm), where (footsteps), the gait's shapes, the feet on their prints, the pelvis
above them, the legs
between, the upper body on top. Everything is a function of the frame: any frame, in any order, alone or in a
batch.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..body.back import FORE_ROLES
from ..body.legs import leg_motions, within_reach
from ..character.body import Body
from ..character.motion import Motion, rows_of
from ..geometry.rotation import about_z, yaw_of
from ..ground.surface import LEVEL, Ground
from ..path.path import STRAIGHT, Path
from .body.back import from_fore, on_the_trunk, spanned
from .body.pelvis import Descent, WantedBody
from .body.upper_body import upper_motions
from .carriage import situations, wanted_above
from .kinds.gait import PLAIN, Gait
from .kinds.natural import natural_speed
from .pose import WalkPose, joined
from .prints.follow import near_edits
from .sliders.style import Clock, StyleTrack
from .steps.footsteps import BOTH
from .steps.situation import Situation
from .walker import Walker

__all__ = ["natural_speed", "walk"]

DRAWN_BAND = 0.04  # leg lengths: soft band in which swinging feet are drawn towards hips too far away
# leg lengths: girdles that have sunk less give way to one another alike, else rather the one that sank less
BARELY_SUNK = 0.004
FRAME_DIGITS = 9  # decimals by which frames differ


def walk(
    body: Body,
    track: StyleTrack,
    clock: Clock,
    frames: np.ndarray,
    gait: Gait = PLAIN,
    path: Path = STRAIGHT,
    ground: Ground = LEVEL,
) -> WalkPose:
    """Return the walk of a body at (fractional) frames `(f,)`, in any order.

    A steady straight walk whose cycle is a whole number of frames is computed for its first cycle and
    repeated: the seam is then exact, and a long bake costs no more than one cycle.
    """
    return walked(Walker.of(body, track, clock, gait, path, ground), np.asarray(frames, dtype=float))


def walked(walker: Walker, frames: np.ndarray) -> WalkPose:
    """Return the walk of a walker at frames `(f,)`: as planned, except where edited prints change it."""
    edited = np.any([near_edits(girdle, frames) for girdle in walker.girdles], axis=0)
    if edited.all():
        return _one_by_one(walker, frames)
    planned = _planned(walker, frames[~edited])
    if not edited.any():
        return planned
    return joined(
        [planned, _one_by_one(walker, frames[edited])], [np.flatnonzero(~edited), np.flatnonzero(edited)]
    )


def _planned(walker: Walker, frames: np.ndarray) -> WalkPose:
    clock = walker.clock
    cycle = walker.rhythm.whole_cycle(clock) if _repeats(walker) else 0
    if not cycle:
        return _one_by_one(walker, frames)
    since = frames - clock.start
    once, rows = _of_cycle(walker, np.mod(since, cycle), cycle)
    cycles = np.floor(since / cycle) * max(1, walker.rhythm.lap)
    farther = (
        np.zeros((len(frames), 3))
        if walker.path.lap
        else walker.path.at(cycles * walker.rhythm.stride[0]).place
    )
    return once.repeated(rows, frames, cycles, farther)


def _of_cycle(walker: Walker, since: np.ndarray, cycle: int) -> tuple[WalkPose, np.ndarray]:
    """Return poses of a `cycle` of frames, and which `(f,)` of them are those `since` `(f,)` frames into it.

    All its whole frames are remembered once they have been asked for together.
    """
    once, rows = np.unique(since, return_inverse=True)
    is_whole = np.array_equal(once, np.round(once))
    if is_whole and (known := walker.cycles.get(cycle)) is not None:
        return known, since.astype(int)
    found = _one_by_one(walker, walker.clock.start + once, cycle)
    if is_whole and len(once) == cycle:
        walker.cycles[cycle] = found
    return found, rows


def _one_by_one(walker: Walker, wished: np.ndarray, cycle: int = 0) -> WalkPose:
    """Return the walk at frames `(f,)`; what happens around them repeats after a `cycle` of frames, if any.

    The pelvis needs to know its legs before and after: all frames are looked at together.
    """
    girdles = walker.girdles
    if not walker.gait.planted or walker.compass is not None:
        return _posed(girdles, wished, [np.zeros_like for _ in girdles])
    descents, start = [Descent.of(girdle) for girdle in girdles], walker.clock.start
    samples = [descent.samples(wished) for descent in descents]
    samples = [start + np.mod(each - start, cycle) if cycle else each for each in samples]
    frames, rows = np.unique(np.concatenate([wished, *samples]).round(FRAME_DIGITS), return_inverse=True)
    asked, *sampled = np.split(rows, np.cumsum([len(wished), *map(len, samples[:-1])]))

    def sinking(descent: Descent, seen: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        def sinks(demand: np.ndarray) -> np.ndarray:
            sunk = np.zeros(len(frames))
            sunk[asked] = descent.at(wished, demand[seen])
            return sunk

        return sinks

    return _posed(girdles, frames, list(map(sinking, descents, sampled))).repeated(
        asked, wished, np.zeros(len(wished)), np.zeros((len(wished), 3))
    )


def _posed(
    girdles: Sequence[Walker], frames: np.ndarray, sinks: Sequence[Callable[[np.ndarray], np.ndarray]]
) -> WalkPose:
    """Return the poses at frames `(f,)`; `sinks`: of each girdle, from what its legs demand `(f,)` to how far
    it sinks over time `(f,)`."""
    parts = _together([_parts(girdle, frames) for girdle in girdles])
    sunk = []
    for number, sink in enumerate(sinks):
        demand = np.zeros(len(frames))
        for part in parts:
            one = part[number]
            demand[one.rows] = one.wanted.demand(one.here.walker.body)
        sunk.append(sink(demand))
    poses = [
        (_pose_on_four if len(part) > 1 else _pose)(
            *(one.on_legs(sinks[one.rows]) for one, sinks in zip(part, sunk, strict=True))
        )
        for part in parts
    ]
    return joined(poses, [part[0].rows for part in parts])


@dataclass(frozen=True)
class _Borne:
    """A girdle at the frames in `rows` `(n,)`: its situation, its root, and the wanted body; `sinks` `(n,)`:
    metres that this has sunk for its legs."""

    rows: np.ndarray
    here: Situation
    root: Motion
    wanted: WantedBody
    sinks: np.ndarray | float = 0.0

    def at(self, rows: np.ndarray) -> "_Borne":
        """Return the girdle at some of its rows."""
        if len(rows) == len(self.rows):
            return self
        some = np.searchsorted(self.rows, rows)
        wanted = rows_of(self.wanted, some)
        wanted = replace(wanted, manner=replace(wanted.manner, leans=self.wanted.manner.leans))
        return _Borne(rows, self.here.part(some), self.root[some], wanted)

    def on_legs(self, sinks: np.ndarray) -> "_Borne":
        """Return the girdle low enough for its legs; `sinks` `(n,)`: metres that it sinks over time."""
        return replace(self, wanted=self.wanted.on_legs(self.here.walker.body, sinks), sinks=sinks)


def _parts(walker: Walker, frames: np.ndarray) -> list[_Borne]:
    """Return a girdle at frames `(f,)`, before the legs limit it, those around edited prints apart."""
    return [_Borne(rows, here, *wanted_above(here, body)) for rows, here, body in situations(walker, frames)]


def _together(girdles: Sequence[list[_Borne]]) -> list[tuple[_Borne, ...]]:
    """Return what all girdles are in at the same frames; two are as far apart as the back is long."""
    if len(girdles) == 1:
        return [(one,) for one in girdles[0]]
    found = []
    for hind, fore in product(*girdles):
        rows = np.intersect1d(hind.rows, fore.rows)
        if len(rows):
            back, front = hind.at(rows), fore.at(rows)
            body, between = hind.here.walker.body, back.root.seeing(front.root)
            wanted = spanned(body, back.wanted, front.wanted, between)
            found.append((replace(back, wanted=wanted[0]), replace(front, wanted=wanted[1])))
    return found


def _repeats(walker: Walker) -> bool:
    """Return whether everything repeats after a straight cycle, a lap of strides or a lap of a closed
    path."""
    still = walker.gaze is None or len(walker.gaze.frames) == 1
    return walker.ground.is_level and (
        still if walker.path.lap and walker.rhythm.lap else walker.gaze is None and not walker.turns
    )


def _pose(one: _Borne) -> WalkPose:
    """Return the pose of a body on two legs."""
    return _told(one, motions_of(one.here.walker.body, one.wanted))


def _pose_on_four(hind: _Borne, fore: _Borne) -> WalkPose:
    """Return the pose of a body on four legs: each girdle on its own, the back between them, and what hangs
    on both."""
    body, fore_root = hind.here.walker.body, hind.root.seeing(fore.root)
    lack = [np.maximum(one.sinks, 0.0) + BARELY_SUNK * body.leg_length for one in (hind, fore)]
    gives = (lack[1] / (lack[0] + lack[1]))[:, None]
    back, front, _ = spanned(body, hind.wanted, fore.wanted, fore_root, gives)
    back, front = back.within_legs(body), front.within_legs(body.front)
    back, front, spine = spanned(body, back, front, fore_root, gives)
    limbs = _on_legs(body.front, front)
    motions = _on_legs(body, back) | on_the_trunk(body, back, front, spine, fore_root)
    motions |= {
        FORE_ROLES[role]: from_fore(body, fore_root, motion)
        for role, motion in limbs.items()
        if role in FORE_ROLES
    }
    return replace(_told(hind, motions), fore=_told(fore, limbs))


def _told(one: _Borne, motions: Mapping[str, Motion]) -> WalkPose:
    """Return the motions of a girdle with what it tells of its feet."""
    here, stand = one.here, one.wanted.stand
    walker, at, pace = here.walker, here.at, here.walker.rhythm
    speed, stride, phase = pace.speed_at(at.seconds), pace.stride_at(at.seconds), here.feet.phase
    duty = here.feet_steps.steps.duty[here.feet_steps.under_way(phase), BOTH]
    return WalkPose(
        frames=at.frames,
        motions=motions,
        root=one.root,
        turns=walker.turns,
        pivot=stand.pivot,
        pitch=stand.pitch,
        phase=phase,
        ground_speed=speed,
        stride=stride,
        duty=duty * (walker.gait.law.contacts.carried != BOTH),
        carry=stand.carry,
        period=np.divide(stride, speed, out=np.full_like(speed, np.inf), where=speed > 1e-9),
        lap=max(1, pace.lap),
        steps=pace.contacts.of_a_foot,
    )


def motions_of(body: Body, wanted: WantedBody) -> dict[str, Motion]:
    """Return the motion of every role for a wanted body on its legs."""
    motions = _on_legs(body, wanted)
    return motions | upper_motions(body, wanted.values, wanted.hands, wanted.manner, motions["pelvis"])


def moved_on_legs(body: Body, wanted: WantedBody, motions: Mapping[str, Motion]) -> dict[str, Motion]:
    """Return motions whose pelvis, turned alike, is where a wanted body on its legs has it; what is above
    goes with it."""
    legs = _on_legs(body, wanted)
    off = legs["pelvis"].position - motions["pelvis"].position
    return {role: legs[role] if role in legs else one.moved(off) for role, one in motions.items()}


def _on_legs(body: Body, wanted: WantedBody) -> dict[str, Motion]:
    """Return the motions of pelvis and legs."""
    wish, stand, turn = wanted.manner, wanted.stand, wanted.turn
    hips, feet = wanted.hips(body), stand.feet
    if wish.holds is not None and not wanted.reaches:
        band = DRAWN_BAND * (1.0 - wish.holds)
        feet = replace(feet, ankle=within_reach(body, hips, feet.ankle, band))
    level = about_z(-body.foot_heading)
    motions = {"pelvis": wanted.pelvis(body)}
    return motions | leg_motions(
        body,
        hips,
        feet,
        body.bends * _knee_forward(turn, stand.heading, wish.knees),
        np.stack([level, level]),
    )


def _knee_forward(pelvis_turn: np.ndarray, heading: np.ndarray, added: np.ndarray | None) -> np.ndarray:
    """Return each knee's direction `(f, 2, 3)`: half way between the pelvis' and the foot's, plus what the
    manner adds to the left."""
    pelvis_yaw = yaw_of(pelvis_turn)
    yaw = 0.5 * (pelvis_yaw[:, None] + heading)
    yaw = yaw if added is None else yaw + added
    return np.stack([np.cos(yaw), np.sin(yaw), np.zeros_like(yaw)], -1)
