"""Clips of acts: jumps, crouching, gestures, from standing to standing."""

import numpy as np

from ..acts.act import BODY
from ..acts.act_file import shipped_acts
from ..acts.mark import ActMark, marks_of
from ..acts.program import Program, planned
from ..gait.synthesis import walked
from ..gait.walker import Walker
from ..ground.surface import LEVEL
from ..path.curve import Curve
from .clip_plan import ClipPlan

WAY_TO, WAY_ON = 6.0, 6.0  # leg lengths walked before an act and after it, which no clip shows
STOOD = -1e3  # seconds at which nobody has set off yet: where the upper body acts


def acted(walker: Walker, plan: ClipPlan) -> Program:
    """Return a walk in the manner of a walker to the act of a plan, and on; without steps for an act of the
    upper body."""
    act, leg = shipped_acts()[plan.act], walker.body.leg_length
    frame = float(np.floor(walker.clock.frames(np.array(STOOD)))) if act.base == BODY else None
    asked = (
        ActMark(
            act,
            WAY_TO * leg,
            length=plan.length * leg,
            rise=plan.rise * leg,
            frame=frame,
            seconds=plan.seconds,
        ),
    )
    line = np.array([[0.0, 0.0, 0.0], [(WAY_TO + plan.length + WAY_ON) * leg, 0.0, 0.0]])
    path = Curve.through(line, leg, starts=True, marks=marks_of(asked, leg))
    acting = Walker.of(walker.body, walker.track, walker.clock, walker.gait, path, LEVEL, None)
    return planned(acting, lambda frames: walked(acting, frames), asked)
