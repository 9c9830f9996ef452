"""Clips cut from stretches of walk: loops from a left contact to the next, starts to a contact, stops from
one, turns between."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from ..acts.act import FEET as ACT_FEET
from ..acts.act import GROUND
from ..body.feet import SWING
from ..character.body import LEFT
from ..easing import smoothstep
from ..gait.pose import WalkPose
from ..gait.synthesis import walked
from ..skeleton.roles import sided
from .clip import (
    ACT,
    FEET,
    FULL,
    IDLE,
    LOOP,
    START,
    STOP,
    STRIDE_TURN,
    TAKE,
    TURN,
    ClipPlan,
    SetClip,
    clip_plans,
    from_the_origin,
)
from .haste import SIDES, in_stride, quick_start, quick_stop
from .long_take import acted, wanderer
from .seams import SEAM, eased
from .stretch import QUIET, Stretch, StretchWay, Walking

AHEAD = StretchWay()
IDLE_S, WAKES_S = 5.0, 0.8  # seconds of an idle, and of its sway to come and to go
BEFORE_S = 5.0  # seconds before the first step that it ends
LONGER = (0.0, 0.25, 0.5, 0.75)  # strides by which a way to a stop is longer, to find the shortest
MATCHES, IN_STEP = 6, 1e-4  # ways to a corner that are tried; cycles that a step before it may be off
NEARLY = 1.1  # times as far off as the best
READY_S, AT_EASE_S = 0.1, 0.5  # seconds of standing before a clip leaves, and after it has arrived
SHORT = 4.0  # strides before a turn on the spot


def clips_of(walking: Walking, plans: Sequence[ClipPlan]) -> Iterator[SetClip]:
    """Yield the clips of some plans, in order; those of a group are equally long and join."""
    cutter = _Cutter(walking)
    for plan in plans:
        yield _WAYS[plan.kind](cutter, plan)


class _Cutter:
    """Stretches of walk, each made once for all clips that are cut from it."""

    def __init__(self, walking: Walking) -> None:
        self.walking = walking
        self._stretches: dict[tuple, Stretch] = {}

    def stretch(self, plan: ClipPlan, way: StretchWay = AHEAD) -> Stretch:
        """Return the walk that a clip is cut from: its cycle is as long as that of its group's walk ahead."""
        ahead = ClipPlan("", LOOP, plan.group)
        key = bare, _ = self._bare(plan), way
        alone = plan.tread or (ahead == bare and way == AHEAD)
        cycle = None if alone else self.stretch(ahead).cycle
        if key not in self._stretches:
            self._stretches[key] = Stretch.of(self.walking, plan, way, cycle)
        return self._stretches[key]

    def striding(self, plan: ClipPlan, phase: float) -> WalkPose:
        """Return the pose of a clip's loop at a phase."""
        loop = self.stretch(plan)
        return loop.pose(np.array([loop.steady[LEFT] + phase * loop.cycle]))

    def standing(self, plan: ClipPlan) -> WalkPose:
        """Return the pose in which everybody of a group stands."""
        return (
            self.stretch(replace(plan, toward=0.0, pace=1.0, slope=0.0)).standing
            if plan.group.crouch
            else self._upright
        )

    @cached_property
    def _upright(self) -> WalkPose:
        walk = next(plan for plan in clip_plans(FULL) if plan.kind == LOOP)
        return self.stretch(walk).standing

    @staticmethod
    def _bare(plan: ClipPlan) -> ClipPlan:
        """Return what of a plan decides its walk."""
        return ClipPlan("", LOOP, plan.group, plan.toward, plan.pace, slope=plan.slope, tread=plan.tread)


def _idle(cutter: _Cutter, plan: ClipPlan) -> SetClip:
    """Return a way to stand: sway that comes and goes, so that it begins and ends in the pose in which walks
    begin."""
    stretch, fps = cutter.stretch(plan), cutter.walking.fps
    last = round(IDLE_S * fps)
    frames = np.arange(last + 1.0) - last - round(BEFORE_S * fps)
    ease = smoothstep(np.minimum(frames - frames[0], frames[-1] - frames) / (WAKES_S * fps))
    track = replace(
        stretch.walker.track,
        seed=stretch.walker.track.seed + plan.seed,
        curves={"idle": (frames, np.maximum(ease, QUIET))},
    )
    standing = cutter.standing(plan)
    return _clip(
        cutter, plan, stretch, walked(replace(stretch.walker, track=track), frames), standing, standing
    )


def _loop(cutter: _Cutter, plan: ClipPlan) -> SetClip:
    stretch = cutter.stretch(plan)
    begin = stretch.steady[LEFT]
    end = stretch.again if plan.tread else begin + stretch.cycle
    return _clip(
        cutter,
        plan,
        stretch,
        stretch.between(begin, end),
        None,
        cutter.striding(plan, 0.0),
        (0.0, 0.0),
    )


def _start(cutter: _Cutter, plan: ClipPlan) -> SetClip:
    """Return a start: from standing to the first contact whose pose is that of the loop."""
    if plan.haste:
        stretch, leaves, end, phase = quick_start(cutter.stretch(plan), plan)
        return _started(cutter, plan, stretch, leaves, end, phase)
    stretch = cutter.stretch(plan, StretchWay(left_first=plan.foot == "LEFT"))
    end, phase = stretch.join(int(_steady(stretch)[0]))
    return _started(cutter, plan, stretch, stretch.leaves, end, phase)


def _started(
    cutter: _Cutter, plan: ClipPlan, stretch: Stretch, leaves: float, end: float, phase: float
) -> SetClip:
    """Return a start of a walk that leaves at a frame, and joins its loop at a phase at another."""
    begin = end - np.ceil(end - leaves + READY_S * cutter.walking.fps)
    ends = cutter.standing(plan), cutter.striding(plan, phase)
    return _clip(cutter, plan, stretch, stretch.between(begin, end), *ends, (None, phase))


def _stop(cutter: _Cutter, plan: ClipPlan) -> SetClip:
    """Return a stop: from the last contact whose pose is that of the loop to standing."""
    if plan.haste:
        stretch, begin, phase = quick_stop(cutter.stretch(plan), plan)
        return _stopped(cutter, plan, stretch, begin, phase)
    found = []
    for first in (True, False):
        for more in LONGER:
            stretch = cutter.stretch(plan, StretchWay(left_first=first, strides=AHEAD.strides + more))
            steps = [
                contact
                for contact in _steady(stretch)
                if stretch.contacts[contact][0] == SIDES.index(plan.foot)
            ]
            begin, phase = stretch.join(int(steps[-1]))
            found.append((stretch.rests - begin, stretch, begin, phase))
    _, stretch, begin, phase = min(found, key=lambda each: each[0])
    return _stopped(cutter, plan, stretch, begin, phase)


def _stopped(cutter: _Cutter, plan: ClipPlan, stretch: Stretch, begin: float, phase: float) -> SetClip:
    """Return a stop of a walk that leaves its loop at a phase at a frame."""
    end = begin + np.ceil(stretch.rests - begin + AT_EASE_S * cutter.walking.fps)
    ends = cutter.striding(plan, phase), cutter.standing(plan)
    return _clip(cutter, plan, stretch, stretch.between(begin, end), *ends, (phase, None))


def _steady(stretch: Stretch, there: np.ndarray | bool = True) -> np.ndarray:
    """Return which of its contacts `there` are in full stride `(n,)`: like those of the loop, or nearly so
    where none is."""
    off = np.where(there, stretch.off_stride, np.inf)
    return np.flatnonzero(off <= max(SEAM, NEARLY * float(off.min())))


def _turn(cutter: _Cutter, plan: ClipPlan) -> SetClip:
    """Return a turn on the spot, from standing to standing."""
    stretch, standing, fps = (
        cutter.stretch(plan, StretchWay(spot=np.radians(plan.degrees), strides=SHORT)),
        cutter.standing(plan),
        cutter.walking.fps,
    )
    begin = np.floor(stretch.leaves - READY_S * fps)
    end = np.ceil(stretch.rests + AT_EASE_S * fps)
    return _clip(cutter, plan, stretch, stretch.between(begin, end), standing, standing)


def _stride_turn(cutter: _Cutter, plan: ClipPlan) -> SetClip:
    """Return a turn in full stride: between the last contact before it and the first one after it that are
    those of the loop.

    Its way is so long that the walk meets the corner in step: else many steps before it differ a little.
    """
    stretch = _met_in_step(cutter, plan, StretchWay(corner=np.radians(plan.degrees)))
    at = np.array([frame for _, frame in stretch.contacts])
    (begin, enters), (end, leaves) = (
        stretch.join(int(_steady(stretch, there)[which]))
        for there, which in ((at < stretch.bend[0], -1), (at > stretch.bend[1], 0))
    )
    ends = cutter.striding(plan, enters), cutter.striding(plan, leaves)
    return _clip(cutter, plan, stretch, stretch.between(begin, end), *ends, (enters, leaves))


def _met_in_step(cutter: _Cutter, plan: ClipPlan, corner: StretchWay) -> Stretch:
    """Return the walk round a corner, on a way so long that no step before it has to be adjusted; found by
    secants."""
    found = [cutter.stretch(plan, corner)]
    lengths = [corner.strides, corner.strides + found[0].out_of_step]
    while len(found) < MATCHES:
        found.append(cutter.stretch(plan, replace(corner, strides=lengths[-1])))
        off, before = found[-1].out_of_step, found[-2].out_of_step
        if abs(off) < IN_STEP or off == before:
            break
        lengths.append(lengths[-1] - off * (lengths[-1] - lengths[-2]) / (off - before))
    return found[-1]


def _take(cutter: _Cutter, plan: ClipPlan) -> SetClip:
    """Return a long take, from standing to standing."""
    walker, fps, standing = (
        wanderer(cutter.walking, plan.seconds, plan.seed),
        cutter.walking.fps,
        cutter.standing(plan),
    )
    stretch = Stretch(walker, 0)
    frames = np.arange(
        np.floor(walker.rhythm.rests.end[0] * fps - READY_S * fps),
        np.ceil(stretch.rests + AT_EASE_S * fps) + 1.0,
    )
    return _clip(cutter, plan, stretch, stretch.pose(frames), standing, standing)


def _act(cutter: _Cutter, plan: ClipPlan) -> SetClip:
    """Return an act, from standing to standing."""
    stretch, standing, fps = cutter.stretch(plan), cutter.standing(plan), cutter.walking.fps
    found = acted(stretch.walker, plan)
    span, ready = found.spans[0], np.round(READY_S * fps)
    pose = found.pose(np.arange(span.begin - ready, span.end + ready + 1.0))
    landed = [
        (touch.part, touch.begin - pose.frames[0])
        for touch in span.touches
        if touch.on == GROUND and touch.begin > span.begin
    ]
    clip = _clip(cutter, plan, stretch, pose, standing, standing)
    return replace(
        clip, contacts=tuple((FEET[ACT_FEET.index(part)], round(float(at), 4)) for part, at in landed)
    )


_WAYS: Mapping[str, Callable[[_Cutter, ClipPlan], SetClip]] = {
    IDLE: _idle,
    LOOP: _loop,
    START: _start,
    STOP: _stop,
    TURN: _turn,
    STRIDE_TURN: _stride_turn,
    TAKE: _take,
    ACT: _act,
}


def _clip(
    cutter: _Cutter,
    plan: ClipPlan,
    stretch: Stretch,
    pose: WalkPose,
    begins: WalkPose | None,
    ends: WalkPose | None,
    phases: tuple[float | None, float | None] = (None, None),
) -> SetClip:
    fps = cutter.walking.fps
    moves = phases != (None, None)
    speed = plan.pace * cutter.walking.speed_of(plan.group) if moves else 0.0
    contacts = stretch.contacts_between(pose.frames[0], pose.frames[-1])
    played = from_the_origin(pose, evenly=plan.kind == LOOP)
    stride = float(played.root.position[-1, 0]) if plan.tread else speed * stretch.cycle / fps
    if plan.haste:
        loop, row = (begins, 0) if plan.kind == STOP else (ends, -1)
        side = SIDES.index(plan.foot) if plan.kind == STOP else FEET.index(contacts[-1][0])
        assert loop is not None
        played = in_stride(played, loop, sided("foot", "LR"[side]), row)
    return SetClip(
        plan=plan,
        fps=fps,
        pose=eased(
            played,
            begins,
            ends,
            min(AT_EASE_S * fps, 0.5 * len(pose.frames)),
            pose.pivot != SWING if plan.haste else None,
        ),
        phase=pose.phase,
        pivot=pose.pivot,
        contacts=contacts,
        speed=stride * fps / stretch.cycle if plan.tread else speed,
        stride=stride,
        cycle=float(stretch.cycle) if moves else 0.0,
        enters=phases[0],
        leaves=phases[1],
    )
