"""The components in which recorded people's curves differ: from person to person, and from stride to stride
of one person.

Every stride is compared with the natural walk at its speed, and its difference brought to one speed. When a
foot strikes and lifts is
known to a frame or two only, so each foot's curves are shifted and stretched until they fit the common
manner's; what is left is shape.
Recorded feet slide and float, those of a walk do not; so curves of feet and pelvis are found once more,
through the walk itself, until
the legs' joints differ from the common manner's as the recorded ones do (`learn.refined`).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from ...core.contract.channels import CHANNELS, IS_LENGTH, OF_FEET
from ...core.contract.inputs import slow_inputs
from ...core.gait.inputs.proportions import natural_spacing
from ...core.gait.kinds.contacts import eased_phase
from ...core.gait.kinds.gait import Gait
from ...core.gait.kinds.natural import GRAVITY, GROWS, SOLE_LEG_SHARE, dimensionless_speed
from ...core.human.adult import human_body
from ...core.people.curves import HARMONICS, Component, PeopleCurves
from ...core.steps import finish
from ...core.styles.cycle import PHASES, SAMPLES, stride_channels
from ...core.styles.learn import fourier_terms, natural_curves, refined
from ...core.styles.learned_style import LearnedStyle, common_manner
from ...core.styles.likeness import recorded_angles, walked_angles
from ...core.styles.recording import RecordedStrides, record
from ...core.styles.styled_gait import in_styles
from ...core.waves import TERMS, fourier_basis
from .people import VHAT, mirrored, read_recording

# Who walks straight and evenly; whose clips are no walk of a stage, of rough ground or of an actor's manners.
WALKERS = json.loads(Path(__file__).with_name("walkers.json").read_text(encoding="utf-8"))
MOST_STRIDES = 3  # of a clip: some are one cycle, repeated
SPEEDS = 0.25, 0.6  # dimensionless
OF_PERSONS, OF_STRIDES = 8, 12  # components kept
# Share of the spread between people's means: the means of few clips are farther apart than people are. With
# the whole of it, walks of
# drawn persons would look as unusual as those of the recorded ones, who are judged 97 of 100.
BETWEEN = 0.85
# Share that is left between strides of what feet do, and hips ahead of them: prints and times of steps differ
# too, and knees are not to be hurried.
STEPS_LEFT = 0.2
# What counts alike: leg lengths, and radians of arms, which move most and matter least, of feet, and of what
# they carry.
UNIT = np.array(
    [
        0.05 if place else {"arm": 0.2, "foo": 0.1}.get(name[:3], 0.05)
        for name, place in zip(CHANNELS, IS_LENGTH, strict=True)
    ]
)
BODY = human_body()
BODY_SPEED = float(np.sqrt(GRAVITY * SOLE_LEG_SHARE * BODY.leg_length))  # m/s at a dimensionless speed of 1
# How feet are timed: cycles that they may be late, and longer on the ground; weights of their path ahead, up
# and of their pitch.
DUTY = 0.62
LATE, LONGER = np.arange(-0.1, 0.1001, 0.005), np.arange(-0.06, 0.0601, 0.01)
TOLD_BY = {"x": 1.5, "z": 3.0, "pitch": 1.0}
NOT_SEEN = ("ball", "arm_l.wrist", "arm_r.wrist")  # the recordings' toes have no markers
LEGS = ("foot", "knee", "thigh")
# by traits of a person
SCALED = (
    "pelvis.y",
    "pelvis.z",
    "pelvis.yaw",
    "pelvis.roll",
    "chest.yaw",
    "chest.roll",
    "foot_l.z",
    "foot_r.z",
)
# a stride's own mean belongs to its prints, not to its curves
STEADY = ("foot", "ball", "pelvis.x", "pelvis.z")
AXES = {name: number for number, name in enumerate(CHANNELS)}


@dataclass(frozen=True)
class SeenStride:
    """A stride's difference from the natural walk, as at VHAT: leg lengths and radians, and degrees of the
    joints.

    `channels` `(SAMPLES, 46)`, `knees` `(SAMPLES, 2)`: over the phase of each channel's own foot. `angles`:
    joint -> `(SAMPLES,)`, over
    the left foot's phase.
    """

    channels: np.ndarray
    knees: np.ndarray
    angles: dict[str, np.ndarray]


People = Sequence[Sequence[Sequence[SeenStride]]]  # the strides of each clip of each person


def people_curves_of(folder: Path, natural: Gait, walkers: Sequence[str] = tuple(WALKERS)) -> PeopleCurves:
    """Return the components of the given walkers, whose clips lie in a folder as the library's do."""
    people = [
        [found for clip in WALKERS[who] if (found := _strides(_clip(folder, clip), natural))]
        for who in walkers
    ]
    return PeopleCurves(_between_persons(people, natural), _between_strides(people))


def _clip(folder: Path, number: str) -> Path:
    group = "gaits" if number == "37_01" else "mocap"
    return folder / group / "walk" / f"cmu_{number}.bvh"


def _strides(clip: Path, natural: Gait) -> list[SeenStride]:
    recorded = record(*read_recording(clip))
    return list(_seen(recorded, natural))


def _seen(recorded: RecordedStrides, natural: Gait) -> Iterator[SeenStride]:
    """Yield the first strides of a recording, timed alike."""
    strides, angles, leg = recorded.strides, recorded_angles(recorded), recorded.character.body.leg_length
    vhats = dimensionless_speed(strides.speed, leg)
    for number in np.flatnonzero((vhats > SPEEDS[0]) & (vhats < SPEEDS[1]))[:MOST_STRIDES]:
        usual, usual_angles, feet = _usual(natural, round(float(vhats[number]), 2))
        stride = stride_channels(recorded, number)
        channels = stride.channels / np.where(IS_LENGTH, leg, 1.0)
        (late_l, longer_l), (late_r, longer_r) = (_timing(channels, feet, side) for side in "lr")
        right = float(
            (strides.right[number] - strides.begins[number]) / (strides.ends[number] - strides.begins[number])
        )
        middle = 0.5 * (late_l + late_r + right - 0.5)
        at = {"l": PHASES + late_l, "r": PHASES + late_r, "": PHASES + middle}
        on_feet = {"l": _stretched(longer_l) + late_l, "r": _stretched(longer_r) + late_r}
        for column, name in enumerate(CHANNELS):
            block = name.partition(".")[0]
            side = block[-1] if block[-2:] in ("_l", "_r") else ""
            channels[:, column] = _at(
                channels[:, column], (on_feet if block.startswith("foot") else at)[side]
            )
        knees = np.stack([_at(stride.knees[:, row], on_feet[side]) for row, side in enumerate("lr")], -1)
        later = {"l": 0.0, "r": right, "": 0.0}  # joints are told over the left foot's phase
        joints: dict[str, np.ndarray] = {}
        for name in usual_angles:
            joint, _, side = name.partition(" ")[0].partition(".")
            side = side.lower()
            phases = (on_feet if joint in LEGS else at)[side] + later[side]
            joints[name] = _at(angles[name][number], np.roll(phases, SAMPLES // 2) if side == "r" else phases)
        grown = (VHAT / vhats[number]) ** GROWS
        away = {
            name: grown * ((angle - usual_angles[name] + 180.0) % 360.0 - 180.0)
            for name, angle in joints.items()
        }
        yield SeenStride(grown * (np.nan_to_num(channels) - usual), grown * knees, away)


@lru_cache(maxsize=64)
def _usual(natural: Gait, vhat: float) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray]:
    """Return the natural channels and joint angles at a speed, and the channels with the common manner
    added."""
    slow = slow_inputs(BODY, np.array([vhat * BODY_SPEED]), np.array([natural_spacing(BODY)]))
    channels = natural_curves(natural, slow, 0.0) / np.where(IS_LENGTH, BODY.leg_length, 1.0)
    common = (vhat / VHAT) ** GROWS * (fourier_basis(PHASES) @ common_manner().curves.T)
    return channels, walked_angles(BODY, natural, vhat), channels + common


def _timing(channels: np.ndarray, usual: np.ndarray, side: str) -> tuple[float, float]:
    """Return how many cycles a foot's curves are late, and its time on the ground is longer, against the
    usual ones."""
    columns = [AXES[f"foot_{side}.{axis}"] for axis in TOLD_BY]
    weights = np.array(list(TOLD_BY.values()))
    wanted = _swinging(usual[:, columns] * weights)
    tried = [(late, longer) for late in LATE for longer in LONGER]

    def off(timing: tuple[float, float]) -> float:
        late, longer = timing
        found = (
            np.stack([_at(channels[:, column], _stretched(longer) + late) for column in columns], -1)
            * weights
        )
        return float(np.square(_swinging(found) - wanted).sum())

    return min(tried, key=off)


def _stretched(longer: float) -> np.ndarray:
    """Return the phases `(SAMPLES,)` of a foot that is longer on the ground, as that of the usual foot goes
    through PHASES."""
    return eased_phase(PHASES, np.full(SAMPLES, DUTY), np.full(SAMPLES, DUTY + longer))


def _at(curve: np.ndarray, phases: np.ndarray) -> np.ndarray:
    return np.interp(phases, PHASES, curve, period=1.0)


def _swinging(curves: np.ndarray) -> np.ndarray:
    return curves - curves.mean(axis=0)


def _terms(curves: np.ndarray) -> np.ndarray:
    """Return Fourier terms `(n, TERMS)` of curves `(SAMPLES, n)`, up to HARMONICS."""
    terms = fourier_terms(curves)
    terms[:, 2 * HARMONICS + 2 :] = 0.0
    return terms


def _between_persons(people: People, natural: Gait) -> tuple[Component, ...]:
    """Return the components of persons' mean strides, less what other traits of a person already draw."""
    means = [_mean([_mean(clip) for clip in clips]) for clips in people]
    usual, found = _mean(means), []
    for mean in means:
        style = _walked(_less(mean, usual), natural)
        found += [_away(style, common_manner()), _away(mirrored(style), mirrored(common_manner()))]
    rows = np.array([_without_drawn(row, natural) for row in found])
    rows -= rows.mean(axis=0)
    _, sizes, ways = np.linalg.svd(rows / _UNITS, full_matrices=False)
    sizes = BETWEEN * sizes / np.sqrt(len(rows) - 2.0)
    return tuple(_component(row) for row in sizes[:OF_PERSONS, None] * ways[:OF_PERSONS] * _UNITS)


def _between_strides(people: People) -> tuple[Component, ...]:
    """Return the components of single strides, less the mean of their clip."""
    common, other = common_manner(), mirrored(common_manner())
    styles = [
        _read(part, still=False)
        for clips in people
        for clip in clips
        if len(clip) > 1
        for part in _about_mean(clip)
    ]
    rows = np.array(
        [_away(style, common) for style in styles] + [_away(mirrored(style), other) for style in styles]
    )
    _, sizes, ways = np.linalg.svd(rows / _UNITS, full_matrices=False)
    found = [
        _component(row) for row in sizes[:OF_STRIDES, None] / np.sqrt(len(rows)) * ways[:OF_STRIDES] * _UNITS
    ]
    left = np.where(OF_FEET | (np.array(CHANNELS) == "pelvis.x"), STEPS_LEFT, 1.0)[:, None]
    return tuple(Component(left * one.curves, np.zeros_like(one.knees)) for one in found)


def _mean(strides: Sequence[SeenStride]) -> SeenStride:
    angles = {name: np.mean([one.angles[name] for one in strides], axis=0) for name in strides[0].angles}
    return SeenStride(
        np.mean([one.channels for one in strides], axis=0),
        np.mean([one.knees for one in strides], axis=0),
        angles,
    )


def _less(one: SeenStride, other: SeenStride) -> SeenStride:
    angles = {name: _swinging(angle - other.angles[name]) for name, angle in one.angles.items()}
    return SeenStride(one.channels - other.channels, one.knees - other.knees, angles)


def _about_mean(clip: Sequence[SeenStride]) -> list[SeenStride]:
    """Return a clip's strides less their mean, as far from it as from that of many."""
    mean, more = _mean(clip), np.sqrt(len(clip) / (len(clip) - 1.0))
    apart = [_less(one, mean) for one in clip]
    return [
        SeenStride(
            more * one.channels, more * one.knees, {name: more * angle for name, angle in one.angles.items()}
        )
        for one in apart
    ]


def _read(away: SeenStride, still: bool) -> LearnedStyle:
    """Return the common manner with a difference added; `still`: without its mean, which is posture."""
    curves, knees = _terms(away.channels), _terms(away.knees)
    for number, name in enumerate(CHANNELS):
        if name.startswith(NOT_SEEN):
            curves[number] = 0.0
        elif still or name.startswith(STEADY):
            curves[number, 0] = 0.0
    knees[:, 0] = 0.0
    common = common_manner()
    return replace(common, curves=common.curves + curves, knees=common.knees + knees)


def _walked(away: SeenStride, natural: Gait) -> LearnedStyle:
    """Return the style of a difference whose walk has the legs' joints differ from the common manner's as
    told."""
    wanted = {name: angle + away.angles[name] for name, angle in _common_angles(natural).items()}
    return finish(refined(BODY, wanted, _read(away, still=True), natural))


@lru_cache(maxsize=4)
def _common_angles(natural: Gait) -> dict[str, np.ndarray]:
    return walked_angles(BODY, in_styles(natural, [common_manner()]), VHAT)


_UNITS = np.concatenate([np.repeat(UNIT, TERMS), np.full(2 * TERMS, 0.1)])


def _away(style: LearnedStyle, common: LearnedStyle) -> np.ndarray:
    """Return a style's curves and knees less the common ones, as one row."""
    return np.concatenate([(style.curves - common.curves).ravel(), (style.knees - common.knees).ravel()])


def _component(row: np.ndarray) -> Component:
    curves, knees = np.split(row, [len(CHANNELS) * TERMS])
    return Component(curves.reshape(-1, TERMS), knees.reshape(2, TERMS))


def _without_drawn(row: np.ndarray, natural: Gait) -> np.ndarray:
    """Return a difference `(n,)` without what a person's traits and habits make of it (see
    `gait.sliders.individual`).

    These are factors on some curves, and arms that swing more, late or in another plane.
    """
    usual = _terms(_usual(natural, VHAT)[2])
    usual[:, 0] = 0.0
    found = _component(row.copy())

    def without(name: str, *drawn: np.ndarray) -> None:
        basis = np.linalg.qr(np.stack(drawn, -1))[0]
        found.curves[AXES[name]] -= basis @ (basis.T @ found.curves[AXES[name]])

    for name in SCALED:
        without(name, usual[AXES[name]])
    for side in "lr":
        swing = usual[AXES[f"arm_{side}.flexion"]]
        orders, later = np.arange(1, TERMS // 2), np.zeros(TERMS)
        later[2::2], later[3::2] = orders * swing[3::2], -orders * swing[2::2]
        without(f"arm_{side}.flexion", swing, later)
        for axis in ("abduction", "rotation"):
            without(f"arm_{side}.{axis}", swing)
    return np.concatenate([found.curves.ravel(), found.knees.ravel()])
