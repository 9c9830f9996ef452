"""A walk, from a body and its sliders to the motion of every role.

From top to bottom: when (rhythm), where (footsteps), the gait's shapes, the feet on their prints, the pelvis above them, the legs
between, the upper body on top.  Everything is a function of the frame: any frame, in any order, alone or in a batch.
"""

from dataclasses import replace

import numpy as np

from ..character.body import LEFT, Body
from ..character.motion import Motion
from ..contract.channels import SLICES
from ..geometry.rotation import about_z, rotated, transposed
from ..ground.legs import SOFT_BAND, UNEVEN_BAND, drawn, leg_motions
from ..ground.moving_ground import MovingTerrain
from ..ground.surface import LEVEL, Ground
from ..path.path import STRAIGHT, Along, Path
from .body.bend import TIGHT_SINKS, banked, bend_at, tightness_at
from .body.drag import dragged
from .body.flown import flown
from .body.giving_way import giving_way
from .body.going import Going, going_at
from .body.head import held, looking, sight
from .body.pelvis import bounced, wanted_pelvis
from .body.standing import standing
from .body.turned_body import turned_body
from .body.upper_body import upper_motions
from .body.vault import Vault, vaulted
from .body.wanted import WantedBody
from .feet.carry import carried_root, carry_at
from .feet.feet import free_feet, planted_feet, with_carried
from .inputs.proportions import settled
from .kinds.contacts import eased_phase, moving
from .kinds.gait import PLAIN, Gait
from .kinds.natural import natural_speed
from .moments import Moments
from .pose import WalkPose
from .prints.in_hand import Taken, as_edited, as_planned, frames_in_hand
from .sliders.manner import BodyManner, Posture, body_manner, limping, uneven
from .sliders.style import Clock, StyleTrack
from .steps.footsteps import BOTH
from .steps.recorded import as_recorded, recorded_channels
from .steps.sideways import SIDE_SIGN
from .walker import Walker

__all__ = ["natural_speed", "walk"]

LEDGE_BAND = 0.045  # leg lengths, see `reach`: steps to and over ledges may be longer than on the level
UP = np.array([0.0, 0.0, 1.0])


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
    at = walker.moments(frames[rows])
    edited = _walk_at(walker, at, as_edited(walker, steps, at))
    return edited if len(rows) == len(frames) else _planned(walker, frames).with_rows(rows, edited)


def _planned(walker: Walker, frames: np.ndarray) -> WalkPose:
    clock = walker.clock
    cycle = walker.rhythm.whole_cycle(clock) if walker.repeats else 0
    if not cycle:
        return _walk_as_planned(walker, frames)
    since = frames - clock.start
    once, rows = np.unique(np.mod(since, cycle), return_inverse=True)
    cycles = np.floor(since / cycle) * max(1, walker.rhythm.lap)
    farther = np.zeros((len(frames), 3)) if walker.path.lap else walker.path.at(cycles * walker.rhythm.stride[0]).place
    return _walk_as_planned(walker, clock.start + once).repeated(rows, frames, cycles, farther)


def _walk_as_planned(walker: Walker, frames: np.ndarray) -> WalkPose:
    at = walker.moments(frames)
    return _walk_at(walker, at, as_planned(walker, at))


def _walk_at(walker: Walker, at: Moments, taken: Taken) -> WalkPose:
    pace, feet, plan = walker.rhythm, taken.feet, taken.feet_plan
    root, wanted = _wanted(walker, at, taken)
    if taken.follow is not None:
        wanted = wanted.sunk(giving_way(at.seconds, walker.body.leg_length, lambda seconds: _pulled_by_edits(walker, seconds)))
    elif len(walker.treads.crossings):
        wanted = wanted.sunk(giving_way(at.seconds, walker.body.leg_length, lambda seconds: _pulled_over(walker, seconds)))
    speed, stride = pace.speed_at(at.seconds), pace.stride_at(at.seconds)
    return WalkPose(
        frames=at.frames,
        motions=motions_of(walker.body, wanted),
        root=root,
        turns=walker.turns,
        pivot=wanted.stand.pivot,
        pitch=wanted.stand.pitch,
        phase=feet.phase,
        ground_speed=speed,
        stride=stride,
        duty=plan.steps.duty[plan.under_way(feet.phase), BOTH] * (walker.gait.law.contacts.carried != BOTH),
        carry=wanted.stand.carry,
        period=np.divide(stride, speed, out=np.full_like(speed, np.inf), where=speed > 1e-9),
        lap=max(1, pace.lap),
        steps=pace.contacts.of_a_foot,
    )


def _pulled_by_edits(walker: Walker, seconds: np.ndarray) -> np.ndarray:
    """Return how much farther down edited prints make the legs pull the pelvis `(n,)`; NaN where there are none."""
    frames, found = walker.frames_at(seconds), np.full(len(seconds), np.nan)
    rows, steps = frames_in_hand(walker, frames)
    if steps is not None and len(rows):
        at = walker.moments(frames[rows])
        ways = as_edited(walker, steps, at), as_planned(walker, at)
        edited, planned = (_wanted(walker, at, taken)[1].drop(walker.body) for taken in ways)
        found[rows] = np.maximum(edited - planned, 0.0)
    return found


def _pulled_over(walker: Walker, seconds: np.ndarray) -> np.ndarray:
    """Return how much farther down than usual the legs pull the pelvis `(n,)` in steps over obstacles."""
    found = np.zeros(len(seconds))
    rows = np.flatnonzero(walker.treads.at_any(walker.rhythm.distance_at(seconds), walker.body.leg_length))
    if len(rows):
        at = walker.moments(walker.frames_at(seconds[rows]))
        drop = _wanted(walker, at, as_planned(walker, at))[1].drop(walker.body)
        found[rows] = np.maximum(drop - SOFT_BAND * walker.body.leg_length, 0.0)
    return found


def _wanted(walker: Walker, at: Moments, taken: Taken) -> tuple[Motion, WantedBody]:
    """Return the root, and the wanted body relative to it."""
    body, feet, plan = taken.body, taken.feet, taken.feet_plan
    duty = taken.body_plan.steps.duty[taken.body_plan.under_way(body.phase), BOTH]
    values, hands = dragged(walker, body, lambda late: _shapes(walker, body, duty, late))
    going = None if walker.ground.is_level else going_at(walker, taken.body_plan, at)
    wish = _manner(walker, body, going)
    if walker.gait.law.runs:
        wish = flown(walker, body, duty, wish)
    wish = wish if taken.follow is None else taken.follow.manner(wish)
    stand = planted_feet(taken.walker, plan, feet) if walker.gait.planted else free_feet(walker, plan, feet, values)
    along = _root(walker, at, going)
    if (carried := walker.gait.law.contacts.carried) is not None:
        stand = with_carried(walker, stand, free_feet(walker, plan, feet, values), carried, along.place[:, 2])
    if isinstance(walker.ground, MovingTerrain):
        stand = stand.carried(carry_at(walker, walker.ground, plan, feet.phase, at.seconds))
        along = carried_root(walker, walker.ground, taken.body_plan, at, along)
    vault = Vault.of(walker, plan, feet)
    wish = wish if vault is None else vault.hitched(wish)
    turn, place = wanted_pelvis(walker.body, bounced(values, at.slow, wish.bounce, walker.gait.shapes), wish)
    if taken.follow is not None:
        place = place + rotated(transposed(along.root.rotation), taken.follow.shift)
    if walker.gait.styling is not None:
        wish = replace(wish, knees=SIDE_SIGN * walker.gait.styling.knees(body.slow, body.phase))
    if walker.gait.take is not None:
        wish = as_recorded(walker, walker.gait.take, body, wish)
    wanted = WantedBody(wish, stand.seen_from(along, walker.turns), turn, place, values, hands)
    wanted = wanted if going is None and taken.follow is None else wanted.in_reach(walker.body)
    return along.root, wanted if vault is None else vaulted(walker, vault, feet, along, wanted)


def _shapes(walker: Walker, at: Moments, duty: np.ndarray, late: np.ndarray) -> np.ndarray:
    """Return the gait's channels `(frames, 46)`, `late` `(frames, 2)` cycles behind, with the root under the hips."""
    law, number = walker.gait.law, np.floor(at.phase)
    phase = law.contacts.order(number) + eased_phase(at.phase, duty, law.duty(at.slow[:, None], law.contacts.which(number))) - late
    values = walker.gait.shapes.sample(at.slow, phase[:, 1], phase[:, 0])
    values[:, SLICES["pelvis"].start] -= law.lead(at.slow)
    if walker.gait.take is not None:
        values = values + recorded_channels(walker, walker.gait.take, at)
    return values


def _manner(walker: Walker, at: Moments, going: Going | None) -> BodyManner:
    """Return the manner from sliders, path and ground; planted feet of another build lower the walk a little."""
    wish = limping(body_manner(walker.track, at.frames), at.phase)
    wish = uneven(wish, walker.track, at.frames, walker.planned_phase(at.phase)[:, LEFT])
    if walker.path.turns:
        tight = tightness_at(walker, at)
        guard = wish.guard + (UNEVEN_BAND - wish.guard) * tight
        wish = replace(
            wish, posture=wish.posture + bend_at(walker, at), crouch=wish.crouch + TIGHT_SINKS * tight + banked(walker, at), guard=guard
        )
    if walker.facing is not None:
        wish = turned_body(walker, walker.facing, at, wish)
    if walker.rhythm.closes and len(walker.rhythm.rests):
        wish = standing(walker, at, wish)
    wish = replace(wish, posture=held(walker, at.seconds, wish.posture), sight=sight(walker, at.seconds))
    if walker.gaze is not None:
        wish = replace(wish, posture=looking(walker, at.seconds, wish.posture))
    if walker.variation is not None:
        stride, much = walker.planned_phase(at.phase)[:, LEFT], walker.track.at("variation", at.frames)
        wish = walker.variation.manner(wish, stride, much)
    if len(walker.treads.ledges.at):
        wish = replace(wish, guard=np.maximum(wish.guard, LEDGE_BAND))
    if going is not None:
        goes = moving(at.vhat)  # standing on a hill is upright, on straight legs, hips over the feet
        posture = wish.posture + Posture.of(len(at.frames), ahead=goes * going.ahead * walker.body.leg_length)
        guard = np.maximum(wish.guard, SOFT_BAND + goes * (going.guard - SOFT_BAND))
        wish = replace(wish, posture=posture, lean=wish.lean + goes * going.lean, crouch=wish.crouch + goes * going.sunk, guard=guard)
    if not walker.gait.planted:
        return wish
    lower, ahead = settled(walker.build, at.vhat)
    posture = wish.posture + Posture.of(len(at.frames), ahead=ahead * walker.body.leg_length)
    return replace(wish, crouch=wish.crouch + lower, posture=posture)


def _root(walker: Walker, at: Moments, going: Going | None) -> Along:
    """Return the root's place: on the path and on the ground."""
    along = walker.along_at(at.seconds, at.distance)
    if going is None:
        return along
    return replace(along, place=np.concatenate([along.place[:, :2], going.height[:, None]], axis=1))


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
