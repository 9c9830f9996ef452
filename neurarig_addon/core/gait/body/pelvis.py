"""The pelvis above both feet: where it should be, before the legs limit it, and how it sinks before they pull
it down."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...body.legs import LONGEST_REACH, hips_of
from ...body.pelvis import DEEPEST, Spans, descended, highest, lowered, nearer, too_far
from ...character.body import Body
from ...character.motion import Motion
from ...contract.channels import CHANNELS, SLICES, block
from ...contract.inputs import VELOCITY, legs_of
from ...easing import catmull_rom, over, smoothstep, within
from ...geometry.rotation import UP, from_euler, rotated
from ..feet.stance import Stand
from ..inputs.proportions import rest_extension, settled
from ..kinds.gait import Gait
from ..kinds.natural import GRAVITY, dimensionless_speed
from ..sliders.idle import ADULT_LEG
from ..sliders.manner import BodyManner, Posture
from ..steps.situation import Situation
from ..walker import Walker

BOUNCE_SAMPLES = 16  # per beat, to find the pelvis' highest and lowest point
HURRIED = 3.0  # seconds a cycle / sqrt(leg / g), 0.89 for an adult: quicker walks bounce little
MOST_RISE, RISE_BAND = 0.06, 0.01  # leg lengths that hips are higher in the short steps beside a standstill
ALL_HURRIED = 0.12  # of what a cycle lacks of an easy walk's (see `calm`) when a bounce is limited in full
MOST_BOUNCE = 0.85  # g: greatest acceleration of a walker's rise and fall
SAMPLE_S = 0.04  # seconds between samples of what the legs demand, for an adult
# Of these seconds, where paws roll over their tips at the end of the stance and legs reach far as they land;
# leg lengths of what they demand as they go straight on over level ground.
ON_TOES, SHALLOW = 0.25, 0.1
# Share of the guard's soft band by which hips give without delay at most, and the share of this that softens
# the limit.
AT_ONCE, AT_ONCE_BAND = 0.6, 0.3
ROUNDING = 1e-9  # samples
PITCHES, YAW = (
    [CHANNELS.index(f"{part}.pitch") for part in ("pelvis", "chest", "head")],
    CHANNELS.index("pelvis.yaw"),
)
# dimensionless speed, 3.5 m/s for an adult, above which pelves turn no farther: faster was hardly recorded
YAWS_NO_MORE = 1.18


def standing_height(body: Body) -> np.ndarray:
    """Return the height of the hips `(2,)` of a body that stands with its feet at walking width.

    A leg keeps its rest bend (a bird crouches, a person does not), but legs that are spread at rest come
    together and so raise the hips. Legs on toes stand as at rest, their ankles far behind the hips.
    """
    if body.on_toes:
        return body.hip[:, 2]
    leg = body.thigh_length + body.shin_length
    aside = 0.5 * np.abs(body.hip[:, 1])
    return body.ankle[:, 2] + np.sqrt(
        np.maximum((rest_extension(body) * leg) ** 2 - aside**2, (0.3 * leg) ** 2)
    )


def suited_to_feet(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner for planted feet of another build than an adult's: hips lower, and farther ahead."""
    walker, at = here.walker, here.body
    if not walker.gait.planted:
        return wish
    lower, ahead = settled(walker.build, at.vhat)
    posture = wish.posture + Posture.of(len(at.frames), ahead=ahead * walker.body.leg_length)
    return replace(wish, crouch=wish.crouch + lower, posture=posture)


def wanted_pelvis(body: Body, values: np.ndarray, wish: BodyManner) -> tuple[np.ndarray, np.ndarray]:
    """Return the pelvis' rotation from rest `(frames, 3, 3)` and the place of its head `(frames, 3)`, before
    the reach guard."""
    pelvis = block(values, "pelvis")
    added = wish.posture
    yaw, roll = pelvis[:, 4] * wish.twist + added.pelvis_yaw, pelvis[:, 5] * wish.list + added.pelvis_roll
    turn = from_euler(pelvis[:, 3] + 0.3 * wish.lean, yaw, roll)
    if wish.leans is not None:
        turn = turn @ wish.leans[0]
    hips_middle = body.hip.mean(axis=0)
    hips = np.stack(
        [
            hips_middle[0] + pelvis[:, 0] + added.ahead,
            hips_middle[1] + pelvis[:, 1] * wish.sway + added.aside,
            standing_height(body).mean() + pelvis[:, 2] - wish.crouch * body.leg_length,
        ],
        -1,
    )
    return turn, hips - rotated(turn, hips_middle - body.pelvis)


def calm(period: np.ndarray, leg_length: np.ndarray | float) -> np.ndarray:
    """Return 1 for cycles of `period` seconds `(f,)` as long as an easy walk's, less for quicker ones, as
    their square."""
    return np.minimum(period**2 / (HURRIED**2 * leg_length / GRAVITY), 1.0)


def bounced(
    values: np.ndarray, slow: np.ndarray, bounce: np.ndarray, gait: Gait, period: np.ndarray, beat: float
) -> np.ndarray:
    """Return channels with the pelvis' rise and fall, every `beat` of a cycle, scaled by `bounce`, and to
    what a walker bears in cycles of `period` seconds `(f,)`.

    Less bounce keeps the lowest height, which both legs reach in double support; more keeps the highest,
    where the leg is straight. A keyed bounce blends between the two around 1.
    """
    hurries = smoothstep((1.0 - calm(period, legs_of(slow))) / ALL_HURRIED) * (1.0 - gait.law.running(slow))
    scaled = np.flatnonzero((bounce != 1.0) | (hurries > 0.0))
    if not len(scaled):
        return values
    slow, bounce, period, hurries = (
        slow if len(slow) == 1 else slow[scaled],
        bounce[scaled],
        period[scaled],
        hurries[scaled],
    )
    once = beat * np.arange(BOUNCE_SAMPLES) / BOUNCE_SAMPLES
    rows = np.repeat(slow, BOUNCE_SAMPLES, axis=0)
    phases = np.tile(once, len(slow))
    height = block(gait.shapes.sample(rows, phases, phases + 0.5), "pelvis")[:, 2].reshape(
        len(slow), BOUNCE_SAMPLES
    )
    rises = np.ptp(height, axis=1)
    bends = np.abs(np.roll(height, 1, axis=1) - 2.0 * height + np.roll(height, -1, axis=1)).max(axis=1)
    most = MOST_BOUNCE * GRAVITY * (once[1] * period) ** 2 / np.maximum(bends, 1e-9)
    bounce = bounce + hurries * (within(bounce, most) - bounce)
    upward = np.clip(2.0 * bounce - 1.5, 0.0, 1.0)
    kept = height.min(axis=1) + rises * smoothstep(upward)
    values = values.copy()
    column = SLICES["pelvis"].start + 2
    values[scaled, column] = kept + (values[scaled, column] - kept) * bounce
    return values


def tempered(values: np.ndarray, slow: np.ndarray, gait: Gait, period: np.ndarray) -> np.ndarray:
    """Return a run's channels with less pitching in short cycles, of `period` seconds `(f,)`, and less of the
    pelvis' yaw at high speed.

    Steps beside standstills are short; a trunk that pitched as far in them would throw the head about.
    Pitching goes as the square.
    """
    runs = gait.law.running(slow)
    if not runs.any():
        return values
    shorter = np.minimum(period * slow[..., VELOCITY] / np.maximum(gait.law.stride(slow), 1e-9), 1.0)
    slower = np.minimum(
        YAWS_NO_MORE / np.maximum(dimensionless_speed(slow[..., VELOCITY], legs_of(slow)), 1e-9), 1.0
    )
    values = values.copy()
    values[:, PITCHES] *= (1.0 + runs * (shorter**2 - 1.0))[:, None]
    values[:, YAW] *= 1.0 + runs * (slower - 1.0)
    return values


@dataclass(frozen=True)
class WantedBody:
    """At frames `(f,)`, relative to the root: the manner, both feet, and the pelvis' `turn` and `place` (see
    `wanted_pelvis`).

    `values` `(f, 46)`: the gait's channels for the upper body; `hands`: the channels that hands follow.
    `reaches`: the legs reach as they are. `sockets` `(f, 2, 3)`: metres in the pelvis' axes by which it has
    its hips elsewhere than at rest; None for nowhere.
    """

    manner: BodyManner
    stand: Stand
    turn: np.ndarray
    place: np.ndarray
    values: np.ndarray
    hands: np.ndarray
    reaches: bool = False
    sockets: np.ndarray | None = None

    def hips(self, body: Body) -> np.ndarray:
        """Return the places of the hips `(f, 2, 3)`."""
        hips = hips_of(body, self.pelvis(body))
        return hips if self.sockets is None else hips + rotated(self.turn[:, None], self.sockets)

    def pelvis(self, body: Body) -> Motion:
        """Return the motion of the pelvis."""
        return Motion(self.turn, self.place, body.pelvis)

    def drop(self, body: Body) -> np.ndarray:
        """Return how far the pelvis must come down `(f,)` for the legs to reach."""
        if self.reaches:
            return np.zeros(len(self.place))
        return lowered(
            self.place[:, 2],
            self.hips(body),
            self.stand.feet.ankle,
            body,
            self.manner.holds,
            self.manner.guard,
        )

    def demand(self, body: Body) -> np.ndarray:
        """Return how far the pelvis is to come down over time `(f,)`; below 0 how far it rises, in the short
        steps beside a standstill.

        A little comes without delay and is left out: the bob of a steady walk.
        """
        drop, least = self.drop(body), AT_ONCE * self.manner.guard * body.leg_length
        demand = drop - self.manner.bobs * (least - over(least - drop, AT_ONCE_BAND * least))
        if not self.manner.stands.any():
            return demand
        height, straight = self.place[:, 2], np.minimum(rest_extension(body), LONGEST_REACH)
        rise = (
            highest(
                height, self.hips(body), self.stand.feet.ankle, body, self.manner.holds, extension=straight
            )
            - height
        )
        return demand - self.manner.stands * within(
            over(rise, RISE_BAND * body.leg_length), MOST_RISE * body.leg_length
        )

    def on_legs(self, body: Body, sinks: np.ndarray) -> "WantedBody":
        """Return the same with the pelvis low enough for its legs; `sinks` `(f,)`: by how much it comes down
        for the demand over time."""
        if self.reaches:
            return self
        sunk = self.sunk(sinks)
        return sunk.within_legs(body) if body.on_toes else sunk.sunk(sunk.drop(body))

    def within_legs(self, body: Body) -> "WantedBody":
        """Return the same with the pelvis just low enough for its legs."""
        most = highest(
            self.place[:, 2], self.hips(body), self.stand.feet.ankle, body, self.manner.holds, soft=1e-9
        )
        return self.sunk(np.maximum(self.place[:, 2] - most, 0.0))

    def in_reach(self, body: Body) -> "WantedBody":
        """Return the same with the pelvis near enough to both feet as seen from above."""
        hips, ankles = self.hips(body), self.stand.feet.ankle
        return replace(self, place=self.place + nearer(hips, ankles, too_far(hips, ankles, body)))

    def sunk(self, metres: np.ndarray) -> "WantedBody":
        """Return the same with the pelvis lower by metres `(f,)`."""
        return replace(self, place=self.place - metres[:, None] * UP)


@dataclass(frozen=True)
class Descent:
    """How far the pelvis sinks for its legs on samples around any moment (see `body.pelvis.descended`).

    `every`: frames from sample to sample, the first of them on frame `start`; `beat`: seconds that they last;
    `deepest`: metres. `landing`: of an animal, the frames `(n, 2)` nearest to some `(n,)` on which its feet
    land.
    """

    start: float
    every: float
    beat: float
    deepest: float
    landing: Callable[[np.ndarray], np.ndarray] | None = None

    @classmethod
    def of(cls, walker: Walker) -> "Descent":
        """Return that of a walker; where its walk repeats, samples do, and those of the left and the right
        foot are alike."""
        leg, clock, pace = walker.body.leg_length, walker.clock, walker.unadded or walker.rhythm
        every = SAMPLE_S * clock.fps * float(np.sqrt(leg / ADULT_LEG))
        every *= ON_TOES if walker.body.on_toes else 1.0
        even = walker.body.on_toes and pace.is_steady and walker.ground.is_level and not walker.turns
        deepest = leg * (SHALLOW if even else DEEPEST)
        cycle = pace.cycle_frames(clock)
        if cycle:
            every = 0.5 * cycle / np.ceil(0.5 * cycle / every)
            start = clock.start - float(pace.feet[0]) * cycle / max(1, pace.lap)
        else:  # on whole frames, which are looked at anyway
            every, start = (
                float(np.round(every)) if every > 1.0 else 1.0 / np.round(1.0 / every),
                np.floor(clock.start),
            )

        def landing(frames: np.ndarray) -> np.ndarray:
            return clock.frames(pace.seconds_when(np.round(pace.phases_at(clock.seconds(frames)))))

        return cls(start, every, every / clock.fps, deepest, landing if walker.body.on_toes else None)

    def _sample(self, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the last samples `(f,)` before frames, and how far these are on the way to the next."""
        since = (frames - self.start) / self.every
        sample = np.floor(since + ROUNDING).astype(int)
        return sample, since - sample

    def _around(self, sample: np.ndarray) -> np.ndarray:
        """Return the samples `(n,)`, rising, whose demands are felt between some `(f,)` and the next ones."""
        reach = Spans.of(self.deepest, self.beat).around + 1
        return np.unique(sample[:, None] + np.arange(-reach, reach + 2))

    def samples(self, frames: np.ndarray) -> np.ndarray:
        """Return the frames `(n,)` whose demands decide the curve on frames `(f,)`.

        Animals land on straight legs, which pull most at once: of two samples beside a landing both are on
        it.
        """
        even = self.start + self.every * self._around(self._sample(frames)[0])
        if self.landing is None:
            return even
        lands = self.landing(even)
        nearest = np.abs(lands - even[:, None]).argmin(axis=1)
        lands = lands[np.arange(len(even)), nearest]
        return np.where(np.abs(lands - even) < self.every, lands, even)

    def at(self, frames: np.ndarray, demand: np.ndarray) -> np.ndarray:
        """Return metres `(f,)` on frames `(f,)`; `demand` `(n,)`: how far the legs pull the pelvis down on
        `samples` of these."""
        sample, share = self._sample(frames)
        # Samples that lie far apart are neighbours here: what mixes them is not asked for.
        row = np.searchsorted(self._around(sample), sample) - Spans.of(self.deepest, self.beat).around - 1
        return catmull_rom(descended(demand, self.deepest, self.beat), row + 1.0 + share)
