"""Everything that all steps and frames of a walk have in common: who walks, how, when and where."""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from ..character.body import Body
from ..contract.inputs import SLOW, VELOCITY
from ..ground.moving_ground import MovingTerrain
from ..ground.sole import Sole
from ..ground.surface import Ground
from ..path.path import Along, Path
from ..path.timetable import Timed
from ..remembered import remembered
from .inputs.compass import Compass
from .inputs.gaze import Gaze
from .inputs.print_edits import NO_EDITS, PrintEdits
from .inputs.proportions import FootBuild, foot_build, natural_spacing, spacing_of
from .kinds.any_way import any_way
from .kinds.contacts import require_turns
from .kinds.gait import Gait, gait_inputs, styling_of
from .kinds.natural import dimensionless_speed
from .moments import Moments
from .sliders.idle import ADULT_LEG, Looks, idle_loop, looks_around
from .sliders.manner import beat_of, stance_width
from .sliders.style import Clock, StyleTrack
from .sliders.variation import Variation, variation_of, varies
from .timing.getting_going import within_reach
from .timing.pacing import Stepping, rhythm
from .timing.rhythm import Rhythm
from .way.facing import Facing, faced, followed_in_time, way_of_legs
from .way.stairs import slowed_on
from .way.strides import Strides
from .way.treads import Treads, TreadWalker, treads_of

NATURAL_TOE_OUT = np.radians(6.5)  # foot progression angle; gait laboratories: 6 to 8.5 degrees
STANDING_BEAT = (-0.04, 0.1)  # cycles by which the right foot may be off the beat with both feet down in a standstill
KEYED_WIDTH = {"stance_width", "weight", "individual"}  # the sliders that decide the step width


@remembered
def _feet_of(body: Body, _same: Body) -> tuple[Sole, FootBuild]:
    """Return the soles of a body and the build of its feet."""
    sole = Sole.of(body)
    return sole, foot_build(body, sole)


@dataclass(frozen=True)
class Walker:
    """A body that walks in a gait and a manner, along a path, over ground; `rhythm`: when; `sole` and `build`: its feet.

    `edits`: edited prints.  `gaze`: what is looked at.  `facing`: where the body faces; None for the direction of travel.
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
    def of(cls, body: Body, track: StyleTrack, clock: Clock, gait: Gait, path: Path, ground: Ground, face: Gaze | None = None) -> "Walker":
        """Return the walker, with the rhythm that speed, strides, stairs and corners give.

        `face`: what the walker faces on the way.
        """
        track = track if isinstance(path, Timed) else within_reach(track.going(), clock, body.leg_length)
        track = followed_in_time(track, clock, path, face)
        faces = faced(track, clock, path, face)
        if faces is not None:
            require_turns(gait.law.contacts, "always faces the way it goes", "Set Facing to 0 and clear Face")
            gait = any_way(gait)
        sole, build = _feet_of(body, body)
        strides = Strides(body, build, gait, track, clock, faces)
        treads = treads_of(
            ground, path, TreadWalker.of(sole, body.leg_length, NATURAL_TOE_OUT, natural_spacing(body), 0.5 * strides.natural)
        )
        if len(treads.ledges.at):
            require_turns(gait.law.contacts, "cannot use stairs, kerbs or gaps", "Choose other ground")
        path = slowed_on(path, treads, body.leg_length, strides.natural)
        take, kept = gait.take, float(track.at("as_recorded", np.array(clock.start)))
        if take is not None:
            require_turns(gait.law.contacts, "cannot keep a recorded walk", "Set the gait to Walk, or remove the recorded walk")
            path = take.paced(path, body.leg_length, kept)
        stepping = Stepping(gait.law.contacts, strides.marks(path, treads), strides.changes)
        pace = rhythm(track, clock, body.leg_length, path, partial(strides.along, path, treads), stepping)
        beat = beat_of(track, clock.start) + (0.0 if gait.styling is None else gait.styling.beat(track, clock.start))
        if beat:
            pace = replace(pace, feet=pace.feet + np.array([0.0, np.clip(beat, *STANDING_BEAT) if len(pace.rests) else beat]))
        if take is not None:
            pace = replace(pace, feet=pace.feet + np.array([0.0, kept * take.beat]))
        facing = None if faces is None else faces.facing(pace)
        return cls(body, gait, track, clock, path, ground, treads, pace, sole, build, facing=facing)

    @cached_property
    def compass(self) -> Compass | None:
        """How it walks on rigid legs (see `body.vault`); None on others, in runs, and on moving ground."""
        law, still = self.gait.law, not isinstance(self.ground, MovingTerrain)
        vaults = self.body.rigid_legs and self.gait.planted and not law.runs and law.contacts.takes_turns and still
        return Compass.of(self.sole, self.body.leg_length) if vaults else None

    @property
    def turns_its_facing(self) -> bool:
        """Whether it faces now one way, now another."""
        return self.facing is not None and not self.facing.is_constant

    @cached_property
    def is_steady(self) -> bool:
        """Whether what the gait's curves depend on never changes."""
        styling = () if self.gait.styling is None else self.gait.styling.sliders
        return (
            self.rhythm.is_steady
            and self.gait.take is None
            and not self.turns_its_facing
            and not (KEYED_WIDTH | set(styling)) & self.track.curves.keys()
        )

    @cached_property
    def variation(self) -> Variation | None:
        """How strides vary; None if all are the same."""
        return variation_of(self.track) if varies(self.track) else None

    def planned_phase(self, phase: np.ndarray) -> np.ndarray:
        """Return the phases `(..., 2)` that feet at phases `(..., 2)` would have without added steps."""
        return phase if self.unadded is None else self.unadded.phase_at(self.rhythm.seconds_when(phase)) + self.rhythm.feet

    @cached_property
    def looks(self) -> Looks | None:
        """How the walker looks around, repeating with the lap if there is one; None if it does not."""
        if not looks_around(self.track):
            return None
        leg, pace = self.body.leg_length, self.rhythm
        period = float(pace.seconds[-1] - pace.seconds[0]) if pace.lap else idle_loop(self.clock, leg)
        return Looks(self.track.seed, period, float(np.sqrt(leg / ADULT_LEG)))

    @cached_property
    def turns(self) -> bool:
        """Whether the root turns, with the path or relative to it."""
        if self.path.turns or self.facing is None:
            return self.path.turns
        return not self.facing.is_constant or bool(self.path.at(np.zeros(1)).heading[0] + self.facing.angles[0])

    @cached_property
    def repeats(self) -> bool:
        """Whether everything repeats after a straight cycle, a lap of strides or a lap of a closed path."""
        still = self.gaze is None or len(self.gaze.frames) == 1
        return self.ground.is_level and (still if self.path.lap and self.rhythm.lap else self.gaze is None and not self.turns)

    def facing_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the body's turn off its path `(...)` at times `(...)`, in radians."""
        return np.zeros(np.shape(seconds)) if self.facing is None else self.facing.at(self.rhythm.phase_at(seconds))

    def along_at(self, seconds: np.ndarray, distance: np.ndarray) -> Along:
        """Return the root's place on the path at distances in metres `(...)`, turned as at times `(...)`."""
        along = self.path.at(distance)
        return along if self.facing is None else along.turned(self.facing_at(seconds))

    def slow_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the gait's slow inputs `(..., 9)` at times `(...)`; one row `(1, 9)` if they never change."""
        if self.is_steady:
            return self._slow_at(np.zeros(1))
        return self._slow_at(seconds)

    def _slow_at(self, seconds: np.ndarray) -> np.ndarray:
        spacing = self._spacing
        if spacing is None:
            spacing = spacing_of(self.body, stance_width(self.track, self.frames_at(seconds)))
        return self._inputs_at(seconds, self.rhythm.felt_speed_at(seconds), np.broadcast_to(spacing, np.shape(seconds)))

    @cached_property
    def _spacing(self) -> np.ndarray | None:
        """Half the step width in metres `(1,)`; None if it changes."""
        if KEYED_WIDTH & self.track.curves.keys():
            return None
        return spacing_of(self.body, stance_width(self.track, np.array([self.clock.start])))

    def law_inputs(self, seconds: np.ndarray) -> np.ndarray:
        """Return the slow inputs `(..., 9)` for a law at times `(...)`: with the unsmoothed speed and no step width."""
        speed = self.rhythm.going_at(seconds)
        return self._inputs_at(seconds, speed, np.zeros_like(speed))

    def _inputs_at(self, seconds: np.ndarray, speed: np.ndarray, spacing: np.ndarray) -> np.ndarray:
        way = None if self.facing is None else way_of_legs(self.facing_at(seconds))
        styling = styling_of(self.gait, self.track, self.frames_at(seconds))
        return gait_inputs(self.body, speed, spacing, self.rhythm.running_at(seconds), styling, way)

    def as_begun(self, slow: np.ndarray, seconds: np.ndarray) -> np.ndarray:
        """Return slow inputs `(..., n)` with at least the share of running at times `(...)`: steps begun in a run land as in a run."""
        running = self.rhythm.running_at(seconds)
        if running is None or self.is_steady:
            return slow
        slow = slow.copy()
        slow[..., SLOW] = np.maximum(slow[..., SLOW], running)
        return slow

    def still_inputs(self) -> np.ndarray:
        """Return the slow inputs `(1, 9)` at rest, for a law; without any running."""
        nothing = np.zeros(1)
        running, way = (None if values is None else nothing for values in (self.rhythm.running, self.facing))
        return gait_inputs(self.body, nothing, nothing, running, styling_of(self.gait, self.track, np.array([self.clock.start])), way)

    def frames_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the scene's frames at times in seconds since the start."""
        return self.clock.start + seconds * self.clock.fps

    def vhat_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the dimensionless speeds `(...)` along the path at times `(...)`, also in turns on the spot."""
        if self.is_steady and self.rhythm.moved is self.rhythm.distance:
            return self.vhat_of(self.slow_at(seconds))
        return dimensionless_speed(self.rhythm.felt_pace_at(seconds), self.body.leg_length)

    def vhat_of(self, slow: np.ndarray) -> np.ndarray:
        """Return the dimensionless speeds `(...)` of slow inputs `(..., 9)`."""
        return dimensionless_speed(slow[..., VELOCITY], self.body.leg_length)

    def moments(self, frames: np.ndarray) -> Moments:
        """Return the moments at frames `(f,)`."""
        seconds = self.clock.seconds(frames)
        slow = self.slow_at(seconds)
        slow = slow[:1] if (slow == slow[0]).all() else slow
        vhat = self.vhat_of(slow) if self.rhythm.moved is self.rhythm.distance else self.vhat_at(seconds)
        return Moments(frames, seconds, self.rhythm.phases_at(seconds), self.rhythm.distance_at(seconds), slow, vhat)
