"""One girdle above its feet: from who walks to the situations he is in, the manner of the body, both feet,
and the pelvis as it is wanted before the legs limit it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..body.legs import hips_of
from ..character.motion import Motion, rows_of
from ..geometry.rotation import rotated, transposed
from ..ground.moving_ground import MovingTerrain
from ..path.path import Along
from .body.back import sockets_moved
from .body.channels import as_recorded, channels, with_styled_knees
from .body.flight import running
from .body.head import looking, turning_the_head
from .body.hills import on_uneven_ground
from .body.neck import thrusting
from .body.pelvis import WantedBody, bounced, calm, suited_to_feet, tempered, wanted_pelvis
from .body.speeding import speeding
from .body.spots import on_the_spot
from .body.standing import standing
from .body.turns import bending, facing_elsewhere
from .body.unevenness import limping, varying, with_habits
from .body.vault import hitching, vaulted
from .feet.carry import carried_root, carry_at
from .feet.feet import free_feet, planted_feet, with_carried
from .feet.heel_raise import heel_raises, late_phases
from .feet.stance import Stand
from .prints.follow import as_edited, following_prints, frames_in_hand
from .sliders.manner import BodyManner, body_manner
from .sliders.style import STYLE_STRENGTHS
from .steps.footsteps import BOTH, Footsteps, footsteps
from .steps.situation import Situation
from .walker import Moments, Walker

# dimensionless speed, 1.9 m/s for an adult, up to which the legs of a steady natural walk hardly pull the
# pelvis
EASY = 0.65
STEADY = 1e-6  # m/s by which a steady speed may differ from itself
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
    thrusting,  # last: above the body as it is without its steps
)


def situations(walker: Walker, frames: np.ndarray) -> list[tuple[np.ndarray, Situation, "Carriage"]]:
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


def _steps(walker: Walker, at: Moments) -> tuple[Footsteps, "Carriage"]:
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
    if walker.body.on_toes and not walker.ground.is_level:
        return True
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


@dataclass(frozen=True)
class Carriage:
    """The body above its feet, before legs limit it: its `manner`, the root's place `along`, and what
    `WantedBody` tells of the pelvis."""

    manner: BodyManner
    along: Along
    turn: np.ndarray
    place: np.ndarray
    values: np.ndarray
    hands: np.ndarray

    def part(self, rows: slice | np.ndarray) -> "Carriage":
        """Return the body at some of its moments."""
        found = rows_of(self, rows)
        return replace(found, manner=replace(found.manner, leans=self.manner.leans))


def _carriage(here: Situation) -> Carriage:
    walker = here.walker
    period = walker.rhythm.period_at(here.at.seconds)
    values, hands = (tempered(late, here.at.slow, walker.gait, period) for late in channels(here))
    wish, along = _manner(here), _root(here)
    wish = replace(wish, bobs=wish.bobs * calm(period, walker.body.leg_length))
    beat = 1.0 if walker.body.on_toes else 0.5  # animals rise once or twice a cycle
    bobbing = bounced(values, here.at.slow, wish.bounce, walker.gait, period, beat)
    turn, place = wanted_pelvis(walker.body, bobbing, wish)
    if here.follow is not None:
        place = place + rotated(transposed(along.root.rotation), here.follow.shift)
    return Carriage(wish, along, turn, place, values, hands)


def wanted_above(here: Situation, body: Carriage) -> tuple[Motion, WantedBody]:
    """Return the root, and the wanted body relative to it, for a body above its feet."""
    walker, ground, along = here.walker, here.walker.ground, body.along
    stand = _feet(here, body.values, along.place[:, 2])
    if isinstance(ground, MovingTerrain):
        stand = stand.carried(carry_at(walker, ground, here.feet_steps, here.feet.phase, here.at.seconds))
        along = carried_root(walker, ground, here.body_steps, here.at, along)
    wanted = WantedBody(
        body.manner,
        stand.seen_from(along, walker.turns),
        body.turn,
        body.place,
        body.values,
        body.hands,
        sockets=sockets_moved(walker.body, body.values),
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
