"""A walk, from a body and its sliders to the motion of every role.

From top to bottom: when (rhythm), where (footsteps), the gait's shapes, the feet on their prints, the pelvis
above them, the legs
between, the upper body on top. Everything is a function of the frame: any frame, in any order, alone or in a
batch.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..body.legs import hips_of, leg_motions, within_reach
from ..character.body import Body
from ..character.motion import Motion, rows_of
from ..geometry.rotation import about_z, rotated, transposed, yaw_of
from ..ground.moving_ground import MovingTerrain
from ..ground.surface import LEVEL, Ground
from ..path.path import STRAIGHT, Along, Path
from .body.channels import as_recorded, channels, with_styled_knees
from .body.flight import running
from .body.head import looking, turning_the_head
from .body.hills import on_uneven_ground
from .body.pelvis import Descent, WantedBody, bounced, calm, suited_to_feet, tempered, wanted_pelvis
from .body.speeding import speeding
from .body.spots import on_the_spot
from .body.standing import standing
from .body.turns import bending, facing_elsewhere
from .body.unevenness import limping, varying, with_habits
from .body.upper_body import upper_motions
from .body.vault import hitching, vaulted
from .feet.carry import carried_root, carry_at
from .feet.feet import free_feet, planted_feet, with_carried
from .feet.heel_raise import heel_raises, late_phases
from .feet.stance import Stand
from .kinds.gait import PLAIN, Gait
from .kinds.natural import natural_speed
from .pose import WalkPose, joined
from .prints.follow import as_edited, following_prints, frames_in_hand, near_edits
from .sliders.manner import BodyManner, body_manner
from .sliders.style import STYLE_STRENGTHS, Clock, StyleTrack
from .steps.footsteps import BOTH, Footsteps, footsteps
from .steps.situation import Situation
from .walker import Moments, Walker

__all__ = ["natural_speed", "walk"]

# dimensionless speed, 1.9 m/s for an adult, up to which the legs of a steady natural walk hardly pull the
# pelvis
EASY = 0.65
STEADY = 1e-6  # m/s by which a steady speed may differ from itself
DRAWN_BAND = 0.04  # leg lengths: soft band in which swinging feet are drawn towards hips too far away
FRAME_DIGITS = 9  # decimals by which frames differ
# What adds to the sliders' manner of a body, in order; each decides from the situation whether it applies.
MANNER: tuple[Callable[[BodyManner, Situation], BodyManner], ...] = (
    limping,
    with_habits,
    bending,  # before what turns the whole posture off the path, its lean into the bend included
    facing_elsewhere,
    speeding,
    standing,
    on_the_spot,
    turning_the_head,  # after all that turns the chest: a head turns only so far against it
    looking,  # an object overrides whatever the head did before
    varying,
    on_uneven_ground,  # from here on the reach guard only gets softer
    suited_to_feet,
    running,  # falls and bounces as much as all of these ask
    following_prints,
    hitching,  # replaces the pelvis' own roll
    with_styled_knees,
    as_recorded,  # adds to these
)


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
    edited = near_edits(walker, frames)
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
    once, rows = np.unique(np.mod(since, cycle), return_inverse=True)
    cycles = np.floor(since / cycle) * max(1, walker.rhythm.lap)
    farther = (
        np.zeros((len(frames), 3))
        if walker.path.lap
        else walker.path.at(cycles * walker.rhythm.stride[0]).place
    )
    return _one_by_one(walker, clock.start + once, cycle).repeated(rows, frames, cycles, farther)


def _one_by_one(walker: Walker, wished: np.ndarray, cycle: int = 0) -> WalkPose:
    """Return the walk at frames `(f,)`; what happens around them repeats after a `cycle` of frames, if any.

    The pelvis needs to know its legs before and after: all frames are looked at together.
    """
    if not walker.gait.planted or walker.compass is not None:
        return _posed(walker, wished, np.zeros_like)
    descent, start = Descent.of(walker), walker.clock.start
    samples = descent.samples(wished)
    samples = start + np.mod(samples - start, cycle) if cycle else samples
    frames, both = np.unique(np.concatenate([wished, samples]).round(FRAME_DIGITS), return_inverse=True)
    asked, sampled = np.split(both, [len(wished)])

    def sinks(demand: np.ndarray) -> np.ndarray:
        sunk = np.zeros(len(frames))
        sunk[asked] = descent.at(wished, demand[sampled])
        return sunk

    return _posed(walker, frames, sinks).repeated(
        asked, wished, np.zeros(len(wished)), np.zeros((len(wished), 3))
    )


def _posed(walker: Walker, frames: np.ndarray, sinks: Callable[[np.ndarray], np.ndarray]) -> WalkPose:
    """Return the poses at frames `(f,)`; `sinks`: from what the legs demand `(f,)` to how far the pelvis
    sinks over time `(f,)`."""
    demand = np.zeros(len(frames))
    bodies = [(rows, here, *_wanted(here, body)) for rows, here, body in _situations(walker, frames)]
    for rows, _, _, wanted in bodies:
        demand[rows] = wanted.demand(walker.body)
    sunk = sinks(demand)
    return joined(
        [_pose(here, root, wanted, sunk[rows]) for rows, here, root, wanted in bodies],
        [rows for rows, *_ in bodies],
    )


def _situations(walker: Walker, frames: np.ndarray) -> list[tuple[np.ndarray, Situation, "_Carriage"]]:
    """Return the situations at frames `(f,)` that are as planned, those around edited prints, the rows of
    each, and the body above its feet."""
    at = walker.moments(frames)
    rows, edited = frames_in_hand(walker, frames)
    plan, body = _steps(walker, at)
    if edited is None or not len(rows):
        return [(np.arange(len(frames)), Situation.planned(walker, at, plan), body)]
    here = as_edited(walker, edited.with_heels_of(plan), walker.moments(frames[rows]))
    situations = [(rows, here, _carriage(here))]
    others = np.setdiff1d(np.arange(len(frames)), rows)
    if len(others):
        here = Situation.planned(walker, walker.moments(frames[others]), plan)
        situations.append((others, here, body.part(others)))
    return situations


def _steps(walker: Walker, at: Moments) -> tuple[Footsteps, "_Carriage"]:
    """Return the planned steps around moments, and the body above them.

    Heels are raised as the body asks late in each stance: it is asked for all moments together.
    """
    phase = at.phase
    plan = footsteps(walker, np.stack([np.floor(phase.min(axis=0)), np.floor(phase.max(axis=0)) + 1.0]))
    if not _raises_heels(walker):
        return plan, _carriage(Situation.planned(walker, at, plan))
    used = np.unique(plan.under_way(phase))
    steps = rows_of(plan.steps, used)
    late = walker.clock.frames(walker.rhythm.seconds_when(late_phases(steps))).reshape(-1)
    moments = walker.moments(np.concatenate([at.frames, late]))
    body, now = _carriage(Situation.planned(walker, moments, plan)), len(at.frames)
    pelvis = Motion(body.turn, body.place, walker.body.pelvis)[now:]
    hips = body.along.root[now:].carried(hips_of(walker.body, pelvis)).reshape(len(used), -1, 2, 2, 3)
    plan = plan.with_heels(used, heel_raises(walker, steps, hips[:, :, BOTH, BOTH]))
    return plan, body.part(slice(now))


def _raises_heels(walker: Walker) -> bool:
    """Return whether the speed or the style asks more of legs than an easy walk does."""
    if not (walker.gait.planted and walker.compass is None):
        return False
    slow = walker.inputs.at(np.zeros(1))
    hurries = bool(((walker.inputs.vhat_of(slow) > EASY) & (walker.gait.law.running(slow) < 1.0)).any())
    return hurries or _has_style(walker) or bool(np.ptp(walker.rhythm.speed) > STEADY)


def _has_style(walker: Walker) -> bool:
    """Return whether learned styles have any weight at any time."""
    styling, track = walker.gait.styling, walker.track
    if styling is None:
        return False
    weights = styling.columns(track, np.array([walker.clock.start]))[:, : -len(STYLE_STRENGTHS)]
    return bool(weights.any() or set(styling.sliders) & track.curves.keys())


def _repeats(walker: Walker) -> bool:
    """Return whether everything repeats after a straight cycle, a lap of strides or a lap of a closed
    path."""
    still = walker.gaze is None or len(walker.gaze.frames) == 1
    return walker.ground.is_level and (
        still if walker.path.lap and walker.rhythm.lap else walker.gaze is None and not walker.turns
    )


def _pose(here: Situation, root: Motion, wanted: WantedBody, sinks: np.ndarray) -> WalkPose:
    """Return the pose in a situation; `sinks` `(f,)`: metres that the pelvis sinks over time."""
    walker, at, pace = here.walker, here.at, here.walker.rhythm
    speed, stride, phase = pace.speed_at(at.seconds), pace.stride_at(at.seconds), here.feet.phase
    duty = here.feet_steps.steps.duty[here.feet_steps.under_way(phase), BOTH]
    return WalkPose(
        frames=at.frames,
        motions=motions_of(walker.body, wanted.on_legs(walker.body, sinks)),
        root=root,
        turns=walker.turns,
        pivot=wanted.stand.pivot,
        pitch=wanted.stand.pitch,
        phase=phase,
        ground_speed=speed,
        stride=stride,
        duty=duty * (walker.gait.law.contacts.carried != BOTH),
        carry=wanted.stand.carry,
        period=np.divide(stride, speed, out=np.full_like(speed, np.inf), where=speed > 1e-9),
        lap=max(1, pace.lap),
        steps=pace.contacts.of_a_foot,
    )


@dataclass(frozen=True)
class _Carriage:
    """The body above its feet, before legs limit it: its `manner`, the root's place `along`, and what
    `WantedBody` tells of the pelvis."""

    manner: BodyManner
    along: Along
    turn: np.ndarray
    place: np.ndarray
    values: np.ndarray
    hands: np.ndarray

    def part(self, rows: slice | np.ndarray) -> "_Carriage":
        """Return the body at some of its moments."""
        found = rows_of(self, rows)
        return replace(found, manner=replace(found.manner, leans=self.manner.leans))


def _carriage(here: Situation) -> _Carriage:
    walker = here.walker
    period = walker.rhythm.period_at(here.at.seconds)
    values, hands = (tempered(late, here.at.slow, walker.gait, period) for late in channels(here))
    wish, along = _manner(here), _root(here)
    wish = replace(wish, bobs=wish.bobs * calm(period, walker.body.leg_length))
    bobbing = bounced(values, here.at.slow, wish.bounce, walker.gait, period)
    turn, place = wanted_pelvis(walker.body, bobbing, wish)
    if here.follow is not None:
        place = place + rotated(transposed(along.root.rotation), here.follow.shift)
    return _Carriage(wish, along, turn, place, values, hands)


def _wanted(here: Situation, body: _Carriage) -> tuple[Motion, WantedBody]:
    """Return the root, and the wanted body relative to it, for a body above its feet."""
    walker, ground, along = here.walker, here.walker.ground, body.along
    stand = _feet(here, body.values, along.place[:, 2])
    if isinstance(ground, MovingTerrain):
        stand = stand.carried(carry_at(walker, ground, here.feet_steps, here.feet.phase, here.at.seconds))
        along = carried_root(walker, ground, here.body_steps, here.at, along)
    wanted = WantedBody(
        body.manner, stand.seen_from(along, walker.turns), body.turn, body.place, body.values, body.hands
    )
    wanted = wanted if here.going is None and here.follow is None else wanted.in_reach(walker.body)
    return along.root, vaulted(wanted, here, along)


def _manner(here: Situation) -> BodyManner:
    """Return the manner of the body: that of the sliders, and what the situation adds."""
    walker, at = here.walker, here.body
    wish = body_manner(walker.track, at.frames, walker.gait.law.running(at.slow))
    wish = replace(wish, leans=walker.body.leans)
    for added in MANNER:
        wish = added(wish, here)
    return wish


def _root(here: Situation) -> Along:
    """Return the root's place: on the path and on the ground."""
    along = here.walker.along_at(here.at.seconds, here.at.distance)
    if here.going is None:
        return along
    return replace(along, place=np.concatenate([along.place[:, :2], here.going.height[:, None]], axis=1))


def _feet(here: Situation, values: np.ndarray, height: np.ndarray) -> Stand:
    """Return both feet on still ground for channels `(f, 46)`; a carried foot is above the root's `height`
    `(f,)`."""
    gait, carried = here.walker.gait, here.walker.gait.law.contacts.carried
    if not gait.planted:
        stand = free_feet(here.walker, here.feet_steps, here.feet, values)
    else:
        stand = planted_feet(here.on_prints, here.feet_steps, here.feet)
    if carried is None:
        return stand
    return with_carried(
        here.walker, stand, free_feet(here.walker, here.feet_steps, here.feet, values), carried, height
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
        body, hips, feet, _knee_forward(turn, stand.heading, wish.knees), np.stack([level, level])
    )


def _knee_forward(pelvis_turn: np.ndarray, heading: np.ndarray, added: np.ndarray | None) -> np.ndarray:
    """Return each knee's direction `(f, 2, 3)`: half way between the pelvis' and the foot's, plus what the
    manner adds to the left."""
    pelvis_yaw = yaw_of(pelvis_turn)
    yaw = 0.5 * (pelvis_yaw[:, None] + heading)
    yaw = yaw if added is None else yaw + added
    return np.stack([np.cos(yaw), np.sin(yaw), np.zeros_like(yaw)], -1)
