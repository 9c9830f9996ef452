"""Who walks in the tests: the adult, and the gaits that ship."""

from neurarig_addon.core.gait.kinds.bounce import bounces
from neurarig_addon.core.gait.kinds.bouncing_gait import bouncing_gait
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.kinds.gait_change import BySpeed
from neurarig_addon.core.gait.kinds.law import RUN
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.human.gait_network import BUNDLED_RUN, GaitNetwork
from neurarig_addon.training.gait.human_gait import HumanGait

BODY = human_body()
WALKING, RUNNING, HUMAN = (
    Gait(GaitNetwork.load()),
    Gait(GaitNetwork.load(BUNDLED_RUN), RUN),
    Gait(HumanGait.load()),
)
_EITHER = BySpeed(WALKING, RUNNING)
BY_SPEED = Gait(_EITHER, _EITHER)
# Each with the highest speed that people go in it, m/s.
GAITS = {
    "walk": (WALKING, 2.2),
    "run": (RUNNING, 5.0),
    "by speed": (BY_SPEED, 5.0),
    "skip": (bouncing_gait(bounces()["skip"]), 3.0),
    "gallop": (bouncing_gait(bounces()["gallop"]), 4.0),
    "hop": (bouncing_gait(bounces()["hop_on_both"]), 3.0),
}
