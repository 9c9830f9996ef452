"""A walk, from a body and its sliders to the motion of every role.

From top to bottom: when (rhythm), where (footsteps), the gait's shapes, the feet on their prints, the pelvis above them, the legs
between, the upper body on top.  Everything is a function of the frame: any frame, in any order, alone or in a batch.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..geometry.rotation import about_z, rotated, transposed
from ..ground.legs import SOFT_BAND, drawn, leg_motions
from ..ground.moving_ground import MovingTerrain
from ..ground.surface import LEVEL, Ground
from ..path.path import STRAIGHT, Along, Path
from .body.channels import as_recorded, channels, with_styled_knees
from .body.flight import running
from .body.head import looking, turning_the_head
from .body.hills import on_uneven_ground
from .body.pelvis import WantedBody, bounced, giving_way, suited_to_feet, wanted_pelvis
from .body.spots import on_the_spot
from .body.standing import standing
from .body.turns import bending, facing_elsewhere
from .body.unevenness import limping, varying, with_habits
from .body.upper_body import upper_motions
from .body.vault import hitching, vaulted
from .feet.carry import carried_root, carry_at
from .feet.feet import free_feet, planted_feet, with_carried
from .feet.stance import Stand
from .kinds.gait import PLAIN, Gait
from .kinds.natural import natural_speed
from .pose import WalkPose
from .prints.follow import as_edited, following_prints, frames_in_hand
from .sliders.manner import BodyManner, body_manner
from .sliders.style import Clock, StyleTrack
from .steps.footsteps import BOTH
from .steps.situation import Situation
from .walker import Walker

__all__ = ["natural_speed", "walk"]

UP = np.array([0.0, 0.0, 1.0])
# What adds to the sliders' manner of a body, in order; each decides from the situation whether it applies.
MANNER: tuple[Callable[[BodyManner, Situation], BodyManner], ...] = (
    limping,
    with_habits,
    bending,  # before what turns the whole posture off the path, its lean into the bend included
    facing_elsewhere,
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
    body: Body, track: StyleTrack, clock: Clock, frames: np.ndarray, gait: Gait = PLAIN, path: Path = STRAIGHT, ground: Ground = LEVEL
) -> WalkPose:
    """Return the walk of a body at (fractional) frames `(f,)`, in any order.

    A steady straight walk whose cycle is a whole number of frames is computed for its first cycle and repeated: the seam is then
    exact, and a long bake costs no more than one cycle.
    """
    return walked(Walker.of(body, track, clock, gait, path, ground), np.asarray(frames, dtype=float))


def walked(walker: Walker, frames: np.ndarray) -> WalkPose:
    """Return the walk of a walker at frames `(f,)`: as planned, except where edited prints change it."""
    rows, steps = frames_in_hand(walker, frames)
    if steps is None or not len(rows):
        return _planned(walker, frames)
    edited = _pose(as_edited(walker, steps, walker.moments(frames[rows])))
    return edited if len(rows) == len(frames) else _planned(walker, frames).with_rows(rows, edited)


def _planned(walker: Walker, frames: np.ndarray) -> WalkPose:
    clock = walker.clock
    cycle = walker.rhythm.whole_cycle(clock) if _repeats(walker) else 0
    if not cycle:
        return _pose(Situation.planned(walker, walker.moments(frames)))
    since = frames - clock.start
    once, rows = np.unique(np.mod(since, cycle), return_inverse=True)
    cycles = np.floor(since / cycle) * max(1, walker.rhythm.lap)
    farther = np.zeros((len(frames), 3)) if walker.path.lap else walker.path.at(cycles * walker.rhythm.stride[0]).place
    return _pose(Situation.planned(walker, walker.moments(clock.start + once))).repeated(rows, frames, cycles, farther)


def _repeats(walker: Walker) -> bool:
    """Return whether everything repeats after a straight cycle, a lap of strides or a lap of a closed path."""
    still = walker.gaze is None or len(walker.gaze.frames) == 1
    return walker.ground.is_level and (still if walker.path.lap and walker.rhythm.lap else walker.gaze is None and not walker.turns)


def _pose(here: Situation) -> WalkPose:
    walker, at, pace = here.walker, here.at, here.walker.rhythm
    root, wanted = _wanted(here)
    if here.follow is not None:
        wanted = wanted.sunk(giving_way(at.seconds, walker.body.leg_length, lambda seconds: _pulled_by_edits(walker, seconds)))
    elif len(walker.treads.crossings):
        wanted = wanted.sunk(giving_way(at.seconds, walker.body.leg_length, lambda seconds: _pulled_over(walker, seconds)))
    speed, stride, phase = pace.speed_at(at.seconds), pace.stride_at(at.seconds), here.feet.phase
    duty = here.feet_steps.steps.duty[here.feet_steps.under_way(phase), BOTH]
    return WalkPose(
        frames=at.frames,
        motions=motions_of(walker.body, wanted),
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


def _pulled_by_edits(walker: Walker, seconds: np.ndarray) -> np.ndarray:
    """Return how much farther down edited prints make the legs pull the pelvis `(n,)`; NaN where there are none."""
    frames, found = walker.clock.frames(seconds), np.full(len(seconds), np.nan)
    rows, steps = frames_in_hand(walker, frames)
    if steps is not None and len(rows):
        at = walker.moments(frames[rows])
        ways = as_edited(walker, steps, at), Situation.planned(walker, at)
        edited, planned = (_wanted(here)[1].drop(walker.body) for here in ways)
        found[rows] = np.maximum(edited - planned, 0.0)
    return found


def _pulled_over(walker: Walker, seconds: np.ndarray) -> np.ndarray:
    """Return how much farther down than usual the legs pull the pelvis `(n,)` in steps over obstacles."""
    found = np.zeros(len(seconds))
    rows = np.flatnonzero(walker.treads.at_any(walker.rhythm.distance_at(seconds), walker.body.leg_length))
    if len(rows):
        at = walker.moments(walker.clock.frames(seconds[rows]))
        drop = _wanted(Situation.planned(walker, at))[1].drop(walker.body)
        found[rows] = np.maximum(drop - SOFT_BAND * walker.body.leg_length, 0.0)
    return found


def _wanted(here: Situation) -> tuple[Motion, WantedBody]:
    """Return the root, and the wanted body relative to it."""
    walker, ground = here.walker, here.walker.ground
    values, hands = channels(here)
    wish, along = _manner(here), _root(here)
    stand = _feet(here, values, along.place[:, 2])
    if isinstance(ground, MovingTerrain):
        stand = stand.carried(carry_at(walker, ground, here.feet_steps, here.feet.phase, here.at.seconds))
        along = carried_root(walker, ground, here.body_steps, here.at, along)
    turn, place = wanted_pelvis(walker.body, bounced(values, here.at.slow, wish.bounce, walker.gait.shapes), wish)
    if here.follow is not None:
        place = place + rotated(transposed(along.root.rotation), here.follow.shift)
    wanted = WantedBody(wish, stand.seen_from(along, walker.turns), turn, place, values, hands)
    wanted = wanted if here.going is None and here.follow is None else wanted.in_reach(walker.body)
    return along.root, vaulted(wanted, here, along)


def _manner(here: Situation) -> BodyManner:
    """Return the manner of the body: that of the sliders, and what the situation adds."""
    wish = body_manner(here.walker.track, here.body.frames)
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
    """Return both feet on still ground for channels `(f, 46)`; a carried foot is above the root's `height` `(f,)`."""
    gait, carried = here.walker.gait, here.walker.gait.law.contacts.carried
    if not gait.planted:
        stand = free_feet(here.walker, here.feet_steps, here.feet, values)
    else:
        stand = planted_feet(here.on_prints, here.feet_steps, here.feet)
    if carried is None:
        return stand
    return with_carried(here.walker, stand, free_feet(here.walker, here.feet_steps, here.feet, values), carried, height)


def motions_of(body: Body, wanted: WantedBody) -> dict[str, Motion]:
    """Return the motion of every role for a wanted body; the pelvis is lowered here so that both legs reach."""
    wish, stand, turn = wanted.manner, wanted.stand, wanted.turn
    hips, place = wanted.hips(body), wanted.place
    feet = stand.feet
    drop = wanted.drop(body)
    place, hips = place - drop[:, None] * UP, hips - drop[:, None, None] * UP
    if wish.holds is not None:
        feet = replace(feet, ankle=drawn(hips, feet.ankle, body, wish.holds))
    level = about_z(-body.foot_heading)
    motions = {"pelvis": Motion(turn, place, body.pelvis)}
    motions |= leg_motions(body, hips, feet, _knee_forward(turn, stand.heading, wish.knees), np.stack([level, level]))
    return motions | upper_motions(body, wanted.values, wanted.hands, wish, motions["pelvis"])


def _knee_forward(pelvis_turn: np.ndarray, heading: np.ndarray, added: np.ndarray | None) -> np.ndarray:
    """Return each knee's direction `(f, 2, 3)`: half way between the pelvis' and the foot's, plus what the manner adds to the left."""
    pelvis_yaw = np.arctan2(pelvis_turn[:, 1, 0], pelvis_turn[:, 0, 0])
    yaw = 0.5 * (pelvis_yaw[:, None] + heading)
    yaw = yaw if added is None else yaw + added
    return np.stack([np.cos(yaw), np.sin(yaw), np.zeros_like(yaw)], -1)
