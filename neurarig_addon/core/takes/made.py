"""From a performance to a take: the walk's difference from the clip, found by playing the walk.

Pace, strides and prints are read from the clip.  The rest is found by iteration: the walk's difference from the clip is added, and after
a few rounds only what contacts and reach do not allow is left.
"""

from dataclasses import replace

from .curves import alike, turned
from .performance import Performance
from .played import Played, Stage
from .steps import TakenSteps
from .way import in_step, on_prints, paced

STEP_ROUNDS, CURVE_ROUNDS, TURN_ROUNDS = 3, 4, 2


def taken(performance: Performance, steps: TakenSteps, stage: Stage) -> Played:
    """Return the take with which the walk on a stage reproduces the clip, as it plays there.

    Raises NeuraRigError if the clip does not follow the path.
    """
    played = Played(performance, steps, stage, paced(performance, steps, stage))
    for _ in range(STEP_ROUNDS):
        played = replace(played, take=in_step(played))
    for _ in range(STEP_ROUNDS):
        played = replace(played, take=on_prints(played))
    for _ in range(CURVE_ROUNDS):
        played = replace(played, take=alike(played))
    for _ in range(TURN_ROUNDS):
        played = replace(played, take=replace(played.take, turns=turned(played)))
    return played
