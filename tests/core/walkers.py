"""Who walks in the tests: the adult, and the gaits that ship."""

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
