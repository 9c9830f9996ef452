"""A gait that nobody has: every channel swings in its own way and depends on all that it is asked, so that none can be mixed up unseen."""

from dataclasses import fields, replace

import numpy as np

from benchmarks.human_body import human_body
from neurarig_addon.core.character.body import Body
from neurarig_addon.core.contract.channels import BLOCKS, CHANNELS
from neurarig_addon.core.contract.inputs import SLOW
from neurarig_addon.core.gait.kinds.gait import Gait, PlainGait
from neurarig_addon.core.gait.kinds.law import RUN

ORDERS = np.arange(1, 4)
SWINGS_M, TURNS = 0.004, 0.03  # how much is added to the plain walk, in metres and radians


class Somehow:
    """The plain walk and a few sines in every channel; see `gait.GaitShape`."""

    def __init__(self, seed: int = 0) -> None:
        draw = np.random.default_rng(seed)
        axes = [axis for axes in BLOCKS.values() for axis in axes]
        size = np.where(np.isin(axes, ["x", "y", "z"]), SWINGS_M, TURNS)
        shape = (2, len(ORDERS), len(CHANNELS))
        self.sizes, self.begins = size * draw.uniform(0.3, 1.0, shape) / ORDERS[:, None], draw.uniform(0.0, 6.0, shape)
        self.asks = draw.uniform(-0.5, 0.5, (SLOW, len(CHANNELS)))
        self.plain = PlainGait()

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """See GaitShape."""
        added = 0.0
        for foot, phase in enumerate((phase_right, phase_left)):
            turns = 2.0 * np.pi * ORDERS[:, None] * phase[:, None, None]
            added = added + (self.sizes[foot] * np.sin(turns + self.begins[foot])).sum(axis=1)
        return self.plain.sample(slow, phase_right, phase_left) + added * (1.0 + slow[..., :SLOW] @ self.asks)


def crooked(body: Body, metres: float = 0.015, seed: int = 5) -> Body:
    """Return a body whose every joint is elsewhere by a little; its soles stay on the ground."""
    draw = np.random.default_rng(seed)
    moved = {}
    for field in fields(Body):
        place = getattr(body, field.name)
        if field.name not in ("walk_to_armature", "one_bone_legs", "rigid_legs"):
            level = np.array([1.0, 1.0, 0.0 if field.name in ("heel", "ball", "toe") else 1.0])
            moved[field.name] = place + metres * level * draw.uniform(-1.0, 1.0, np.shape(place))
    return replace(body, **moved)


ADULT = crooked(human_body())
WALKING, RUNNING = Gait(Somehow()), Gait(Somehow(1), RUN)
