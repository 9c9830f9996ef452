"""How alike two strides are, by joint angles as a gait laboratory reads them, independent of rest poses and
proportions; and how well a learned style reproduces its clip, in degrees and in words.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..gait.kinds.gait import Gait
from ..gait.kinds.natural import GRAVITY, SOLE_LEG_SHARE
from ..gait.pose import WalkPose
from ..gait.sliders.style import Clock, Style, StyleTrack
from ..gait.synthesis import walk
from ..geometry.rotation import dot, normalized, to_euler
from ..skeleton.roles import SIDES, chest_of, sided, stem_of
from .cycle import PHASES, SAMPLES
from .learned_style import LearnedStyle
from .recording import RecordedStrides
from .strides import WORDS
from .styled_gait import in_styles

LIMBS = (("thigh", "shin", "foot", "knee"), ("upper_arm", "forearm", "hand", "elbow"))
TURNS = ("pitch", "yaw", "roll")
Angles = Mapping[str, np.ndarray]  # joint angle -> degrees (..., SAMPLES) over the left foot's phase


def joint_angles(motions: Mapping[str, Motion], feet_ahead: np.ndarray) -> dict[str, np.ndarray]:
    """Return joint angles in degrees `(f,)` of motions relative to the root, for the joints that the body
    has.

    Thigh and upper arm against the vertical, seen from side and front; knees and elbows; the pitch of the
    feet, with the soles' direction `feet_ahead` `(f, 2, 3)`; the rotations of pelvis, chest and head.
    """
    found = {
        f"foot.{side}": np.degrees(np.arcsin(np.clip(feet_ahead[:, row, 2], -1.0, 1.0)))
        for row, side in enumerate(SIDES)
    }
    for side in SIDES:
        for upper, lower, end, joint in LIMBS:
            if not {sided(part, side) for part in (upper, lower, end)} <= motions.keys():
                continue
            places = [motions[sided(part, side)].position for part in (upper, lower, end)]
            first, second = normalized(places[1] - places[0]), normalized(places[2] - places[1])
            found[sided(upper, side)] = np.degrees(np.unwrap(np.arctan2(first[:, 0], -first[:, 2])))
            found[sided(upper, side) + " aside"] = np.degrees(np.arcsin(np.clip(first[:, 1], -1.0, 1.0)))
            found[sided(joint, side)] = np.degrees(np.arccos(np.clip(dot(first, second), -1.0, 1.0)))
    for name, role in (("pelvis", "pelvis"), ("chest", chest_of(motions)), ("head", "head")):
        if role in motions:
            found |= {
                f"{name} {turn}": np.degrees(angle)
                for turn, angle in zip(TURNS, to_euler(motions[role].rotation), strict=True)
            }
    return found


def recorded_angles(recorded: RecordedStrides) -> dict[str, np.ndarray]:
    """Return the joint angles `(strides, SAMPLES)` of a recording."""
    found: dict[str, list[np.ndarray]] = {}
    for number in range(len(recorded.strides)):
        motions, feet, _ = recorded.seen(number)
        begins, ends = recorded.strides.begins[number], recorded.strides.ends[number]
        for name, angle in joint_angles(motions, feet.turn[..., 0]).items():
            found.setdefault(name, []).append(
                np.interp(begins + PHASES * (ends - begins), recorded.rows(number), angle)
            )
    return {name: np.array(angles) for name, angles in found.items()}


def walked_angles(body: Body, gait: Gait, vhat: float, style: Style | None = None) -> dict[str, np.ndarray]:
    """Return the joint angles `(SAMPLES,)` of a body's stride in a gait at a dimensionless speed."""
    pose = stride_of(body, gait, vhat, style)
    return joint_angles(pose.motions, soles_of(pose))


def soles_of(pose: WalkPose) -> np.ndarray:
    """Return the directions of a walk's soles `(f, 2, 3)`."""
    return np.stack([pose.motions[sided("foot", side)].rotation[:, :, 0] for side in SIDES], 1)


def stride_of(body: Body, gait: Gait, vhat: float, style: Style | None = None) -> WalkPose:
    """Return one stride of a walk straight ahead at SAMPLES phases of the left foot; `style` has its own
    speed."""
    track = StyleTrack(
        Style(speed=vhat * np.sqrt(GRAVITY * SOLE_LEG_SHARE * body.leg_length)) if style is None else style
    )
    seconds = float(walk(body, track, Clock(start=0.0, whole_frames=False), np.zeros(1), gait).period[0])
    clock = Clock(fps=SAMPLES / seconds, start=0.0, whole_frames=False)
    return walk(body, track, clock, np.arange(SAMPLES, 2 * SAMPLES, dtype=float), gait)


def apart(first: Angles, second: Angles) -> float:
    """Return the difference of angles in degrees, RMS over common joints and all phases."""
    shared = [name for name in first if name in second]
    away = np.array([first[name] - second[name] for name in shared])
    return float(np.sqrt(np.mean(np.square((away + 180.0) % 360.0 - 180.0))))


def likely_mean(strides: Angles, usual: Angles) -> dict[str, np.ndarray]:
    """Return the likely mean of a manner's strides `(n, SAMPLES)`, for the joints that the `usual` angles
    `(SAMPLES,)` have too.

    The mean of a few strides is nearer to that of all when it is drawn to the usual one by what strides
    differ by (see `manner_share`), equally on both sides.
    """
    found = {name: mean for name, mean in mean_of(strides).items() if name in usual}
    away = {name: (mean - usual[name] + 180.0) % 360.0 - 180.0 for name, mean in found.items()}
    count = len(next(iter(strides.values())))
    shares = {}
    for joint in {stem_of(name) for name in found}:
        alike = [name for name in found if stem_of(name) == joint]
        unsure = (
            sum(float(strides[name].var(axis=0, ddof=1).mean()) for name in alike) / count
            if count > 1
            else 0.0
        )
        shares[joint] = manner_share(sum(float(np.mean(away[name] ** 2)) for name in alike), unsure, count)
    return {name: usual[name] + shares[stem_of(name)] * away[name] for name in found}


def manner_share(seen: float, unsure: float, strides: int) -> float:
    """Return how much of a mean difference is the manner, 0..1, for its mean square and that by which the
    mean of `strides` is unsure.

    The rest is what strides differ by (James and Stein 1961, for a variance that is estimated from the
    strides).
    """
    by_chance = unsure * (strides - 1) / (strides + 1)
    return 1.0 - min(by_chance / seen, 1.0) if seen > 0.0 else 1.0


def mean_of(angles: Angles) -> dict[str, np.ndarray]:
    """Return the mean over strides."""
    return {name: values.mean(axis=0) for name, values in angles.items()}


_GRADES = ((4.0, "very close"), (7.0, "close"), (11.0, "roughly alike"))
_WORST_GRADE = "not very alike: its feet may slide, or its strides differ"
_UNSTEADY = 9.0  # degrees of spread about the mean stride above which the clip has more than one manner


@dataclass(frozen=True)
class StyleFit:
    """`strides` used; `left_out` by reason (a key of `strides.WORDS`); degrees RMS over joints and phase.

    `degrees`: between the walk in the style, on the clip's body, and the mean stride. `spread`: of single
    strides about that mean.
    """

    strides: int
    left_out: dict[str, int]
    speed: float
    degrees: float
    spread: float

    @classmethod
    def of(cls, recorded: RecordedStrides, style: LearnedStyle, natural: Gait) -> "StyleFit":
        """Return how well a style fits its recording."""
        strides = recorded_angles(recorded)
        mean = mean_of(strides)
        walked = walked_angles(recorded.character.body, in_styles(natural, [style]), style.vhat)
        spread = apart(strides, {name: angles[None] for name, angles in mean.items()})
        used = recorded.strides
        return cls(len(used), dict(used.left_out), float(used.speed.mean()), apart(mean, walked), spread)

    @property
    def words(self) -> str:
        """A few short sentences."""
        grade = next((word for most, word in _GRADES if self.degrees <= most), _WORST_GRADE)
        sentences = [
            f"{_counted(self.strides, 'stride')} at {self.speed:.2f} m/s; the walk is within"
            f" {self.degrees:.1f}° of them, {grade}."
        ]
        if self.left_out:
            parts = [f"{count} {WORDS[why][count > 1]}" for why, count in self.left_out.items()]
            sentences.append(f"Left out: {', '.join(parts)}.")
        if self.spread > _UNSTEADY:
            sentences.append(
                f"The strides differ from each other by {self.spread:.0f}°: the style is their average."
            )
        return " ".join(sentences)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
