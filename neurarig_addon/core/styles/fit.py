"""How well a learned style reproduces its clip, in degrees and in words."""

from dataclasses import dataclass

from ..gait.kinds.gait import Gait
from .learned_style import LearnedStyle
from .likeness import apart, mean_of, recorded_angles, walked_angles
from .recorded import Recorded
from .strides import WORDS
from .styled import in_styles

GRADES = ((4.0, "very close"), (7.0, "close"), (11.0, "roughly alike"))
WORST_GRADE = "not very alike: its feet may slide, or its strides differ"
UNSTEADY = 9.0  # degrees of spread about the mean stride above which the clip has more than one manner


@dataclass(frozen=True)
class StyleFit:
    """`strides` used; `left_out` by reason (a key of `strides.WORDS`); degrees RMS over joints and phase.

    `degrees`: between the walk in the style, on the clip's body, and the mean stride.  `spread`: of single strides about that mean.
    """

    strides: int
    left_out: dict[str, int]
    speed: float
    degrees: float
    spread: float

    @classmethod
    def of(cls, recorded: Recorded, style: LearnedStyle, natural: Gait) -> "StyleFit":
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
        grade = next((word for most, word in GRADES if self.degrees <= most), WORST_GRADE)
        sentences = [
            f"{_counted(self.strides, 'stride')} at {self.speed:.2f} m/s; the walk is within {self.degrees:.1f}° of them, {grade}."
        ]
        if self.left_out:
            parts = [f"{count} {WORDS[why][count > 1]}" for why, count in self.left_out.items()]
            sentences.append(f"Left out: {', '.join(parts)}.")
        if self.spread > UNSTEADY:
            sentences.append(f"The strides differ from each other by {self.spread:.0f}°: the style is their average.")
        return " ".join(sentences)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
