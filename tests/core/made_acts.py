"""Acts made of a few keys, and walks with them, for the tests of acts."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from neurarig_addon.core.acts.act import BODY, STAND, STEP, Act, ActContact, Curves
from neurarig_addon.core.acts.mark import ActMark, marks_of
from neurarig_addon.core.acts.program import Program, planned
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.contract.channels import CHANNELS
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL, Surface
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path_on_ground import Laid
from tests.core.walkers import RUNNING, WALKING

FPS = 24.0


def made(
    name: str,
    base: str,
    at: Sequence[float],
    channels: Mapping[str, Sequence[float]],
    contacts: Sequence[ActContact] = (),
    flight: tuple[float, float] | None = None,
    hold: tuple[float, float] | None = None,
) -> Act:
    """Return an act with channels through values at times."""
    times, values = np.array(at), np.zeros((len(at), len(CHANNELS)))
    for channel, given in channels.items():
        values[:, CHANNELS.index(channel)] = given
    return Act(
        name,
        base,
        Curves(times, values),
        Curves(times, (times / times[-1])[:, None]),
        tuple(contacts),
        flight,
        hold,
    )


def both(stem: str, axis: str, values: Sequence[float]) -> dict[str, Sequence[float]]:
    """Return a channel of both sides."""
    return {f"{stem}_{side}.{axis}": values for side in "lr"}


def on_feet(*spans: tuple[float, float]) -> list[ActContact]:
    """Return contacts of both feet."""
    return [ActContact(f"foot_{side}", begin, end) for begin, end in spans for side in "lr"]


JUMP = made(
    "Jump", STAND, [0.0, 0.4, 0.7, 0.9, 1.15, 1.3, 1.6, 2.1],
    {
        "chest.pitch": [0, 0.6, 0.35, 0.1, 0.3, 0.5, 0.4, 0],
        "pelvis.pitch": [0, 0.35, 0.2, 0.05, 0.1, 0.3, 0.3, 0],
        **both("arm", "flexion", [0, -1.0, 0.8, 2.2, 1.2, 0.5, 0.2, 0]),
        **both("foot", "pitch", [0, 0, 0.4, 1.0, 0.2, 0, 0, 0]),
        **both("foot", "z", [0, 0, 0, 0.1, 0.2, 0, 0, 0]),
        **both("ball", "pitch", [0, 0, -0.4, -0.8, -0.1, 0, 0, 0]),
    },
    on_feet((0.0, 0.8), (1.25, 2.1)), flight=(0.8, 1.25),
)  # fmt: skip
LEAP = made(
    "Leap", STEP, [0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9],
    {
        "foot_r.pitch": [0, 0.1, 0.8, 0.9, 0.5, 0.2, 0], "ball_r.pitch": [0, 0, -0.5, -0.3, 0, 0, 0],
        "foot_l.pitch": [0, 0, -0.2, -0.3, -0.2, 0, 0], "chest.pitch": [0, 0.1, 0.1, 0, 0.1, 0.1, 0],
    },
    [ActContact("foot_r", 0.0, 0.3), ActContact("foot_l", 0.65, 0.9)], flight=(0.3, 0.65),
)  # fmt: skip
SIT = made(
    "Sit", STAND, [0.0, 0.4, 0.8, 1.2, 1.6, 2.6, 3.0, 3.4, 3.8, 4.4],
    {
        "pelvis.z": [0, -0.1, -0.3, -0.42, -0.45, -0.45, -0.42, -0.3, -0.1, 0],
        "pelvis.x": [0, -0.15, -0.35, -0.45, -0.45, -0.45, -0.4, -0.3, -0.1, 0],
        "pelvis.pitch": [0, 0.3, 0.35, 0.1, -0.1, -0.1, 0.3, 0.35, 0.2, 0],
        "chest.pitch": [0, 0.5, 0.6, 0.3, 0, 0, 0.6, 0.6, 0.3, 0],
    },
    [*on_feet((0.0, 4.4)), ActContact("seat", 1.3, 2.8, "seat"), ActContact("hand_l", 1.6, 2.5, "body"),
        ActContact("hand_r", 1.6, 2.5, "body")],
    hold=(1.7, 2.5),
)  # fmt: skip
PICK_UP = made(
    "Pick Up", STAND, [0.0, 0.5, 0.9, 1.1, 1.5, 2.0],
    {
        "pelvis.z": [0, -0.2, -0.45, -0.45, -0.2, 0], "pelvis.x": [0, -0.05, -0.12, -0.12, -0.05, 0],
        "pelvis.pitch": [0, 0.4, 0.8, 0.8, 0.4, 0], "chest.pitch": [0, 0.8, 1.3, 1.3, 0.7, 0],
        "head.pitch": [0, 0.3, 0.5, 0.4, 0.2, 0],
        "arm_r.flexion": [0, 0.3, 0.8, 0.8, 0.3, 0],
    },
    [*on_feet((0.0, 2.0)), ActContact("hand_r", 0.9, 1.1, "object")],
)  # fmt: skip
WAVE = made(
    "Wave", BODY, [0.0, 0.4, 0.7, 1.0, 1.3, 1.6, 2.0],
    {
        "arm_r.flexion": [0, 1.5, 1.6, 1.6, 1.6, 1.5, 0], "arm_r.elbow": [0, 1.2, 1.6, 1.0, 1.6, 1.2, 0],
        "head.yaw": [0, 0.2, 0.3, 0.3, 0.3, 0.2, 0], "chest.yaw": [0, 0.1, 0.2, 0.2, 0.2, 0.1, 0],
    },
)  # fmt: skip


@cache
def gait(kind: str) -> Gait:
    """Return the human walk or run."""
    return WALKING if kind == "WALK" else RUNNING


def program(
    body: Body,
    *acts: ActMark,
    kind: str = "WALK",
    heights: Callable[[np.ndarray], np.ndarray] | None = None,
    points: Sequence[Sequence[float]] = ((0.0, 0.0, 0.0), (40.0, 0.0, 0.0)),
    **style: float,
) -> Program:
    """Return a walk with acts along a line, over ground of heights at places `(n, 2)`; speeds and lines are
    an adult's, in metres."""
    size = body.leg_length / 0.85
    line = size * np.array(points)
    path = Curve.through(
        line, body.leg_length, slows=False, ends=False, marks=marks_of(acts, body.leg_length)
    )
    way, ground = path, LEVEL
    if heights is not None:
        ground = Surface(heights)
        way = Laid.over(
            path,
            lambda places: (np.ones(len(places), dtype=int), heights(places)),
            0.4 * body.leg_length,
            body.leg_length,
        )
    track = StyleTrack(Style(**{"speed": 1.3 * float(np.sqrt(size)), **style}))
    walker = Walker.of(body, track, Clock(FPS), gait(kind), way, ground, None)
    return planned(walker, lambda frames: walked(walker, frames), acts)
