"""Everything that all steps and frames of a walk have in common: who walks, how, when and where."""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from ..body.sole import Sole
from ..character.body import LEFT, Body
from ..errors import NeuraRigError
from ..ground.moving_ground import MovingTerrain
from ..ground.surface import Ground
from ..memory import remembered
from ..path.path import Along, Path
from ..path.timetable import Timed
from ..path.variants import InFront, Round
from .inputs.gaze import Gaze
from .inputs.print_edits import NO_EDITS, PrintEdits
from .inputs.proportions import Compass, FootBuild, foot_build, natural_spacing
from .kinds.contacts import require_turns
from .kinds.direction import any_way, reined_back, shares_of
from .kinds.gait import Gait
from .kinds.natural import GROWS, MOST_GROWN, NATURAL_VHAT, chosen_speed
from .pose import WalkPose
from .sliders.manner import StepManner, beat_of, step_manner
from .sliders.style import Clock, StyleTrack
from .slow_inputs import SlowInputs
from .timing.pacing import LIMP_SHIFT, Stepping, rhythm
from .timing.rests import LITTLE_SHORTER, SHORTER
from .timing.rhythm import Rhythm
from .timing.speed import within_reach
from .way.facing import Facing, agility_of, faced, followed_in_time, unhurried, way_of_legs
from .way.spots import evenly_turned, turn_in_a_step
from .way.stairs import slowed_on, usual_speed
from .way.strides import Strides
from .way.treads import Treads, treads_of

NATURAL_TOE_OUT = np.radians(6.5)  # foot progression angle; gait laboratories: 6 to 8.5 degrees
# cycles by which the right foot may be off the beat with both feet down in a standstill
STANDING_BEAT = (-0.04, 0.1)


@dataclass(frozen=True)
class Moments:
    """Some frames `(f,)` of a walk.

    `phase` `(f, 2)`: of both feet. `distance` `(f,)`: metres travelled. `slow` `(f or 1, 9)`: slow inputs,
    one row where all are
    equal, so that a network is evaluated once, and `(f, 2, 9)` where each foot has a time of its own. `vhat`
    `(f or 1,)`: their
    dimensionless speed.
    """

    frames: np.ndarray
    seconds: np.ndarray
    phase: np.ndarray
    distance: np.ndarray
    slow: np.ndarray
    vhat: np.ndarray

    def part(self, rows: np.ndarray) -> "Moments":
        """Return some of the moments."""
        return Moments(*(values if len(values) == 1 else values[rows] for values in vars(self).values()))


@remembered(objects=1)
def _feet_of(body: Body) -> tuple[Sole, FootBuild]:
    """Return the soles of a body and the build of its feet."""
    sole = Sole.of(body)
    return sole, foot_build(body, sole)


@dataclass(frozen=True)
class Walker:
    """A body that walks in a gait and a manner, along a path, over ground; `rhythm`: when; `sole` and
    `build`: its feet.

    `edits`: edited prints. `gaze`: what is looked at. `facing`: where the body faces; None for the direction
    of travel.
    `unadded`: the rhythm without added steps; None without any.
    """

    body: Body
    gait: Gait
    track: StyleTrack
    clock: Clock
    path: Path
    ground: Ground
    treads: Treads
    rhythm: Rhythm
    sole: Sole
    build: FootBuild
    edits: PrintEdits = NO_EDITS
    gaze: Gaze | None = None
    facing: Facing | None = None
    unadded: Rhythm | None = None

    @classmethod
    def of(
        cls,
        body: Body,
        track: StyleTrack,
        clock: Clock,
        gait: Gait,
        path: Path,
        ground: Ground,
        face: Gaze | None = None,
    ) -> "Walker":
        """Return the walker, with the rhythm that speed, strides, stairs and corners give.

        `face`: what the walker faces on the way.
        """
        if body.fore is not None:
            path = Round(path) if len(path.spots) and not isinstance(path, Timed) else path
        track = track if isinstance(path, Timed) else within_reach(track.going(), clock, body.leg_length)
        track = followed_in_time(track, clock, path, face)
        faces = faced(track, clock, path, face, agility_of(body))
        if faces is not None:
            if body.fore is not None:
                _require_even(gait)
                track = track if isinstance(path, Timed) else unhurried(track, clock, faces, body)
                faces = replace(faces, track=track)
            require_turns(gait.law.contacts, "always faces the way it goes", "Set Facing to 0 and clear Face")
            gait = any_way(gait)
        sole, build = _feet_of(body)
        strides = Strides(body, build, gait, track, clock, faces)
        treads = treads_of(
            ground, path, sole, body.leg_length, NATURAL_TOE_OUT, natural_spacing(body), 0.5 * strides.natural
        )
        if len(treads.ledges.at):
            require_turns(gait.law.contacts, "cannot use stairs, kerbs or gaps", "Choose other ground")
            if body.fore is not None and faces is not None:
                raise NeuraRigError(
                    "On stairs, kerbs and gaps a body on four legs faces the way it goes. Set Facing to 0 and"
                    " clear Face, or choose other ground."
                )
        path = slowed_on(path, treads, body.leg_length, strides.natural)
        path = evenly_turned(
            path, usual_speed(track), body.leg_length, sole.length, strides.natural, turn_in_a_step(body)
        )
        take, kept = gait.take, float(track.at("as_recorded", np.array(clock.start)))
        if take is not None:
            require_turns(
                gait.law.contacts,
                "cannot keep a recorded walk",
                "Set the gait to Walk, or remove the recorded walk",
            )
            path = take.paced(path, body.leg_length, kept)
        only_runs, climbs = gait.law.runs and not gait.law.changes_at, bool(len(treads.ledges.at))
        shorter = (
            LITTLE_SHORTER if only_runs or climbs or faces is not None or body.fore is not None else SHORTER
        )
        stepping = Stepping(gait.law.contacts, strides.marks(path, treads), strides.changes, shorter)
        even = track if body.fore is None else track.without("asymmetry")  # whose legs limp: see `girdles`
        pace = rhythm(even, clock, body.leg_length, path, partial(strides.along, path, treads), stepping)
        pace = _off_beat(pace, gait, track, clock.start, kept, chosen_speed(body.leg_length))
        facing = None if faces is None else faces.facing(pace)
        return cls(body, gait, track, clock, path, ground, treads, pace, sole, build, facing=facing)

    @cached_property
    def inputs(self) -> SlowInputs:
        """What its gait is asked for at any time."""
        return SlowInputs(self.body, self.gait, self.track, self.clock, self.rhythm, self.facing)

    @cached_property
    def cycles(self) -> dict[int, WalkPose]:
        """The poses of its whole cycle by that one's frames, once they have been asked for."""
        return {}

    @cached_property
    def girdles(self) -> "tuple[Walker, ...]":
        """The girdles that walk: one on two legs; on four the one at the shoulders as well, which goes the
        same way ahead of the hips, its feet so much later as the gait has it."""
        body, gait, falls = self.body.fore, self.gait.fore, self.gait.footfalls
        if body is None or gait is None or falls is None:
            return (self,)
        sole, build = _feet_of(body)
        pace, even = self.rhythm, self.track.without("asymmetry")
        facing, begun = self.facing, falls(pace.speed, pace.running)
        if facing is not None:
            begun = reined_back(begun, shares_of(way_of_legs(facing.at(pace.phase), facing.legs))[1])
        hind, fore = begun
        sore = LIMP_SHIFT * self.track.at("asymmetry", np.array([self.clock.start])) * [0.0, 1.0]
        hind, fore = (hind, fore + sore) if gait.limps else (hind + sore, fore)
        slow = self.inputs.for_law(pace.seconds)
        duty = self.gait.law.duty(slow, LEFT), gait.law.duty(slow, LEFT)
        ahead, path = self.body.ahead, self.path
        if facing is not None or len(path.spots):  # the fore hand goes round the hips
            ahead, path = 0.0, InFront(path, ahead, self._turned, self.ground.height)
        track = self.track if gait.limps else even
        front = replace(
            self,
            body=body,
            gait=gait,
            sole=sole,
            build=build,
            path=path,
            rhythm=pace.of_pair(ahead, fore, duty[1]),
            track=replace(track, seed=track.seed + 1),  # shoulders shift their weight on their own
            edits=self.edits.of_pair(1),
            unadded=None,
        )
        back = pace.of_pair(0.0, hind, duty[0])
        own = self.edits.of_pair(0)
        return replace(self, rhythm=back, edits=own, track=even if gait.limps else self.track), front

    @cached_property
    def compass(self) -> Compass | None:
        """How it walks on rigid legs (see `body.vault`); None on others, in runs, and on moving ground."""
        law, still = self.gait.law, not isinstance(self.ground, MovingTerrain)
        vaults = (
            self.body.rigid_legs and self.gait.planted and not law.runs and law.contacts.takes_turns and still
        )
        return Compass.of(self.sole, self.body.leg_length) if vaults else None

    def varied(self, seconds: np.ndarray, slow: np.ndarray) -> np.ndarray:
        """Return how much the curves of strides vary `(...)` at times `(...)`, for slow inputs `(..., n)`:
        like walks ahead."""
        ahead = 1.0 if self.facing is None else shares_of(slow[..., -1])[0]
        grown = np.minimum((np.maximum(self.inputs.vhat_of(slow), 0.0) / NATURAL_VHAT) ** GROWS, MOST_GROWN)
        return ahead * grown * np.maximum(self.track.at("variation", self.clock.frames(seconds)), 0.0)

    @property
    def turns_its_facing(self) -> bool:
        """Whether it faces now one way, now another."""
        return self.facing is not None and not self.facing.is_constant

    @property
    def turns_its_feet(self) -> bool:
        """Whether feet step round one another: it faces now one way, now another, or turns on the spot."""
        return self.turns_its_facing or len(self.path.spots) > 0

    def planned_phase(self, phase: np.ndarray) -> np.ndarray:
        """Return the phases `(..., 2)` that feet at phases `(..., 2)` would have without added steps."""
        return (
            phase
            if self.unadded is None
            else self.unadded.phase_at(self.rhythm.seconds_when(phase)) + self.rhythm.feet
        )

    @cached_property
    def turns(self) -> bool:
        """Whether the root turns, with the path or relative to it."""
        if self.path.turns or self.facing is None:
            return self.path.turns
        return not self.facing.is_constant or bool(
            self.path.at(np.zeros(1)).heading[0] + self.facing.angles[0]
        )

    def facing_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the body's turn off its path `(...)` at times `(...)`, in radians."""
        return (
            np.zeros(np.shape(seconds))
            if self.facing is None
            else self.facing.at(self.rhythm.phase_at(seconds))
        )

    def _turned(self, distance: np.ndarray) -> np.ndarray:
        """Return the body's turn off its path `(...)` at distances, in radians."""
        if self.facing is None:
            return np.zeros(np.shape(distance))
        return self.facing.at(self.rhythm.phase_at_distance(distance))

    def along_at(self, seconds: np.ndarray, distance: np.ndarray) -> Along:
        """Return the root's place on the path at distances in metres `(...)`, turned as at times `(...)`."""
        along = self.path.at(distance)
        return along if self.facing is None else along.turned(self.facing_at(seconds))

    def step_manner(self, frames: np.ndarray) -> StepManner:
        """Return the sliders' effect on steps with heel strikes at frames `(..., 2)`."""
        return step_manner(self.track, frames, chosen_speed(self.body.leg_length))

    def moments(self, frames: np.ndarray) -> Moments:
        """Return the moments at frames `(f,)`."""
        seconds, pace, inputs = self.clock.seconds(frames), self.rhythm, self.inputs
        slow = inputs.at(seconds)
        slow = slow[:1] if (slow == slow[0]).all() else slow
        vhat = inputs.vhat_of(slow) if pace.moved is pace.distance else inputs.vhat_at(seconds)
        return Moments(frames, seconds, pace.phases_at(seconds), pace.distance_at(seconds), slow, vhat)


def _require_even(gait: Gait) -> None:
    """Raise NeuraRigError, with the remedy, for a gait on four legs in which the feet of a pair do not take
    even turns: a canter, a gallop, a bound."""
    falls = gait.footfalls and gait.footfalls(np.ones(1), np.zeros(1))
    if falls is not None and np.ptp(falls, axis=-1).any():
        raise NeuraRigError(
            "Who canters, gallops or bounds faces the way he goes. Set Facing to 0 and clear Face, or set"
            " Gait to Walk or Trot."
        )


def _off_beat(pace: Rhythm, gait: Gait, track: StyleTrack, start: float, kept: float, known: float) -> Rhythm:
    """Return the rhythm with the right foot off the beat, as person, styles and a recorded walk, `kept` so
    far, have it."""
    beat = beat_of(track, start, known) + (0.0 if gait.styling is None else gait.styling.beat(track, start))
    if beat:
        pace = replace(
            pace, feet=pace.feet + np.array([0.0, np.clip(beat, *STANDING_BEAT) if len(pace.rests) else beat])
        )
    if gait.take is not None:
        pace = replace(pace, feet=pace.feet + np.array([0.0, kept * gait.take.beat]))
    return pace
