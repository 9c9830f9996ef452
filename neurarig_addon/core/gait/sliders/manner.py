"""What the sliders mean: from an animator's terms to factors on the natural walk.

Some are sampled once per step, at its heel strike, and kept until the foot lands again, so that no slider can
make a foot slip; the step height in the middle of the swing; the others on every frame.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np

from ...body.pelvis import SOFT_BAND
from ..inputs.gaze import Sight
from .individual import Individual, individual, of_sides
from .style import StyleTrack

MOST_OF_A_PERSON = 2.0
# how far apart runners' arm swings are, as a share of walkers': of few people runs were recorded
RUNS_APART = 0.4
# of an elbow that is bent more than the other, its upper arm is held back: of ten people, correlation -0.9
BENT_ARM_BACK = -0.8
SORE_SIDE = np.array([-1.0, 1.0])  # sign of a limp on the left and right leg


@dataclass(frozen=True)
class StepManner:
    """The sliders decided as a foot strikes, after the macros (energy, weight, asymmetry), each `(..., 2)`,
    sides last.

    Factors are relative to the natural walk; `splay` in radians; `duty` is added to `duty_factor` times the
    natural one; prints are moved `ahead`, in strides.
    """

    stride: np.ndarray
    stance_width: np.ndarray
    splay: np.ndarray
    duty: np.ndarray
    duty_factor: np.ndarray
    push: np.ndarray
    ahead: np.ndarray


@dataclass(frozen=True)
class Posture:
    """Additions to a walk's posture, `(f,)` each: rotations in radians relative to the root, and metres.

    `aside`, `ahead`: of the hips, left and forward positive.  Pitch is forward, roll to the right.
    """

    pelvis_yaw: np.ndarray
    chest_yaw: np.ndarray
    head_yaw: np.ndarray
    pelvis_roll: np.ndarray
    chest_roll: np.ndarray
    aside: np.ndarray
    ahead: np.ndarray
    chest_pitch: np.ndarray
    head_pitch: np.ndarray
    head_roll: np.ndarray

    @classmethod
    def of(cls, frames: int, **parts: np.ndarray) -> "Posture":
        """Return the given parts `(f,)`, the others zero."""
        return replace(cls(*np.zeros((len(fields(cls)), frames))), **parts)

    def __add__(self, other: "Posture") -> "Posture":
        """Return the sum of both."""
        return Posture(*(getattr(self, part.name) + getattr(other, part.name) for part in fields(self)))


@dataclass(frozen=True)
class BodyManner:
    """The per-frame sliders after the macros, each `(frames,)`.

    Factors are relative to the natural walk; angles in radians; `crouch` in leg lengths. `arms`, `elbows`
    `(frames, 2)`: a factor on each
    arm's swing, beyond what both arms do, and its extra elbow bend; `arms_out`, `arms_across` `(frames, 2)`:
    radians that its elbow goes
    out and its hand comes in per radian of forward swing; `arms_in`, `arms_apart`, `arms_forward` `(frames,
    2)`: that its hand is always
    held in, and the arm out and forward. `posture`: what path and idling add. `guard`: the reach guard's soft
    band (see `body.legs`).
    `stands`: 1 in a standstill, softly 0 some way from it. `bobs`: how much of the legs' pull hips follow at
    once: all in an easy walk,
    none in a run. `holds` `(frames, 2)`: how much each leg holds the pelvis, fully if None. `knees` `(frames,
    2)`: radians farther left
    than half way between pelvis and foot; None for 0. `turns`: role above the pelvis -> extra rotations
    `(frames, 3, 3)` of its bone
    about its own joint.  `sight`: what the eyes do; None
    for a body without eyes.  `leans`: the body's own. `head` `(frames, 3)`: where a bird's head is held,
    relative to the root; None for a head that the chest carries.
    """

    bounce: np.ndarray
    sway: np.ndarray
    twist: np.ndarray
    list: np.ndarray
    lean: np.ndarray
    arm_swing: np.ndarray
    head_bob: np.ndarray
    crouch: np.ndarray
    limp_lean: np.ndarray
    influence: np.ndarray
    arms: np.ndarray
    elbows: np.ndarray
    arms_out: np.ndarray
    arms_across: np.ndarray
    arms_in: np.ndarray
    arms_apart: np.ndarray
    arms_forward: np.ndarray
    posture: Posture
    guard: np.ndarray
    stands: np.ndarray
    bobs: np.ndarray
    holds: np.ndarray | None = None
    knees: np.ndarray | None = None
    turns: Mapping[str, np.ndarray] = field(default_factory=dict)
    sight: Sight | None = None
    leans: np.ndarray | None = None
    head: np.ndarray | None = None

    def and_turns(self, added: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
        """Return `turns` with others; a bone that has one already is turned by the other first."""
        return {
            **self.turns,
            **{role: self.turns[role] @ turn if role in self.turns else turn for role, turn in added.items()},
        }


def stride_factor(track: StyleTrack, frames: np.ndarray) -> np.ndarray:
    """Return the factor on natural strides; energy lengthens them, weight and a higher cadence shorten
    them."""
    energy, weight = _macro(track, "energy", frames), _macro(track, "weight", frames)
    who, much = person_of(track, frames)
    stride = (
        track.at("stride", frames) * who.factor("stride", much) / np.maximum(track.at("cadence", frames), 0.1)
    )
    return np.maximum(stride * (1.0 + 0.06 * energy - 0.06 * weight), 0.1)


def stance_width(track: StyleTrack, frames: np.ndarray) -> np.ndarray:
    """Return the factor on the natural step width; weight widens it."""
    who, much = person_of(track, frames)
    return (
        track.at("stance_width", frames)
        * who.factor("stance_width", much)
        * (1.0 + 0.7 * np.maximum(_macro(track, "weight", frames), 0.0))
    )


def beat_of(track: StyleTrack, start: float, known: float) -> float:
    """Return how many cycles a person's right foot is off the beat, in a walk that begins on frame
    `start`; for `known` see `_unlike`."""
    who, _ = person_of(track, np.array(start))
    return float(who.habits.beat * _unlike(track, np.array(start), known))


def _unlike(track: StyleTrack, frames: np.ndarray, known: float) -> np.ndarray:
    """Return how much of a person's feet's habits shows at frames `(...)`: less where walks are quicker than
    the `known` m/s at which they were measured, where knees would differ by more than anybody's."""
    return person_of(track, frames)[1] / np.maximum(np.abs(track.at("speed", frames)) / known, 1.0)


def step_height(track: StyleTrack, frames: np.ndarray) -> np.ndarray:
    """Return the factor on the natural step height for swings with their middles at (fractional) frames
    `(..., 2)`."""
    energy, heavy = _macro(track, "energy", frames), np.maximum(_macro(track, "weight", frames), 0.0)
    who, much = person_of(track, frames)
    factor = who.factor("step_height", much) * np.exp(of_sides(who.habits.height, much))
    return np.maximum(track.at("step_height", frames) * factor * (1.0 + 0.35 * energy - 0.15 * heavy), 0.0)


def step_manner(track: StyleTrack, frames: np.ndarray, known: float) -> StepManner:
    """Return the sliders' effect on steps with heel strikes at (fractional) frames `(..., 2)`; for `known`
    see `_unlike`.

    Energy pushes off, below 0 it drags the feet. Weight widens the step and keeps feet down longer. Asymmetry
    hurries off the sore leg.
    """
    energy, weight, limp = (
        _macro(track, "energy", frames),
        _macro(track, "weight", frames),
        limp_of(track, frames),
    )
    heavy, tired = np.maximum(weight, 0.0), np.maximum(-energy, 0.0)
    who, much = person_of(track, frames)
    unlike = _unlike(track, frames, known)
    splay = track.at("foot_splay", frames) + who.degrees("foot_splay", much) + 5.0 * heavy
    sore, others = np.maximum(limp * SORE_SIDE, 0.0), np.maximum(-limp * SORE_SIDE, 0.0)
    return StepManner(
        stride=stride_factor(track, frames),
        stance_width=stance_width(track, frames),
        splay=np.radians(splay) + of_sides(who.habits.splay, much),
        duty_factor=np.maximum(track.at("duty_factor", frames), 0.0),
        duty=0.02 * weight - 0.08 * sore + 0.04 * others + of_sides(who.habits.duty, unlike),
        push=1.0 + 0.15 * energy - 0.25 * tired - 0.1 * heavy,
        ahead=of_sides(who.habits.print_ahead, unlike),
    )


def body_manner(track: StyleTrack, frames: np.ndarray, running: np.ndarray | float = 0.0) -> BodyManner:
    """Return the sliders' effect on the body at (fractional) frames `(frames,)`.

    Energy scales swings up, below 0 down. Weight lowers the body, shifts it farther over the feet and holds
    the arms off. For the lurch
    of a limp see `body.unevenness`.
    """
    energy, weight = (_macro(track, name, frames) for name in ("energy", "weight"))
    heavy, lively, tired = np.maximum(weight, 0.0), np.maximum(energy, 0.0), np.maximum(-energy, 0.0)
    who, much = person_of(track, frames)
    habits, sides = who.habits, much[:, None]
    swings = much * (1.0 - (1.0 - RUNS_APART) * running)
    elbows = of_sides(who.elbow, sides)
    spread = np.radians(track.at("arm_spread", frames) + 6.0 * heavy) + who.off * much
    bend = np.radians(
        track.at("elbow_bend", frames) + who.degrees("elbow_bend", much) + 10.0 * lively - 8.0 * tired
    )
    return BodyManner(
        bounce=track.at("bounce", frames)
        * who.factor("bounce", much)
        * (1.0 + 0.35 * energy + 0.25 * weight),
        sway=track.at("sway", frames) * who.factor("sway", much) * (1.0 + 0.5 * weight),
        twist=track.at("twist", frames) * who.factor("twist", much) * (1.0 + 0.25 * energy),
        list=track.at("list", frames) * who.factor("list", much) * (1.0 + 0.3 * weight),
        lean=np.radians(
            track.at("lean", frames) + who.degrees("lean", much) + 7.0 * tired + 3.0 * heavy - 1.5 * lively
        ),
        arm_swing=np.maximum(
            track.at("arm_swing", frames)
            * who.factor("arm_swing", swings)
            * (1.0 + 0.45 * energy - 0.2 * heavy),
            0.0,
        ),
        head_bob=np.clip(track.at("head_bob", frames) + 0.6 * tired, 0.0, 1.0),
        crouch=track.at("crouch", frames) + habits.crouch * much + 0.02 * heavy + 0.012 * tired,
        limp_lean=np.zeros(len(frames)),
        influence=np.clip(track.at("influence", frames), 0.0, 1.0),
        arms=np.exp(of_sides(who.arm, swings[:, None])),
        elbows=elbows + bend[:, None],
        arms_out=habits.out * swings[:, None],
        arms_across=habits.across * swings[:, None],
        arms_in=habits.held_in * sides,
        arms_apart=habits.apart * sides + spread[:, None],
        arms_forward=BENT_ARM_BACK * elbows,
        posture=_bearing(who, much),
        guard=np.full(len(frames), SOFT_BAND),
        stands=np.zeros(len(frames)),
        bobs=np.ones(len(frames)),
    )


def person_of(track: StyleTrack, frames: np.ndarray) -> tuple[Individual, np.ndarray]:
    """Return the individual, and its strength against the mean at frames `(...)`."""
    return individual(track.person), np.clip(track.at("individual", frames), 0.0, MOST_OF_A_PERSON)


def is_somebody(track: StyleTrack) -> bool:
    """Return whether a walk is a person's at any time."""
    keyed = track.curves.get("individual")
    return bool((track.constant.individual if keyed is None else keyed[1].max()) > 0.0)


def limp_of(track: StyleTrack, frames: np.ndarray) -> np.ndarray:
    """Return how much a walk limps at frames `(...)`: -1 on the left leg to 1 on the right."""
    return _macro(track, "asymmetry", frames)


def _bearing(who: Individual, much: np.ndarray) -> Posture:
    """Return a person's bearing, scaled by `much` `(f,)`."""
    head = {"head_pitch": much * who.nod, "head_yaw": much * who.head_turn, "head_roll": much * who.head_tilt}
    chest = {
        "chest_roll": much * who.shoulder_tilt,
        "chest_pitch": much * who.habits.back,
        "chest_yaw": much * who.habits.chest,
    }
    return Posture.of(len(much), **chest, **head)


def _macro(track: StyleTrack, name: str, frames: np.ndarray) -> np.ndarray:
    return np.clip(track.at(name, frames), -1.0, 1.0)
