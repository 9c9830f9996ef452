"""Curves of people: strides are timed alike, and what traits draw is no curve's."""

import numpy as np
import pytest

from neurarig_addon.core.contract.channels import CHANNELS
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.human.gait_network import GaitNetwork
from neurarig_addon.core.people.curves import people_curves
from neurarig_addon.core.styles.cycle import PHASES
from neurarig_addon.core.waves import fourier_basis
from neurarig_addon.training.styles import curves
from neurarig_addon.training.styles.people import VHAT

NATURAL = Gait(GaitNetwork.load())


@pytest.mark.parametrize(("late", "longer"), [(0.0, 0.0), (0.03, 0.02), (-0.05, -0.03)])
@pytest.mark.parametrize("side", "lr")
def test_how_late_a_foot_is_and_how_long_it_stands_is_found_by_its_curves(
    late: float, longer: float, side: str
) -> None:
    usual = curves._usual(NATURAL, VHAT)[2]
    # the usual foot's phase at each phase of this one
    before = np.interp(PHASES - late, curves._stretched(longer), PHASES, period=1.0)
    moved = np.stack([np.interp(before, PHASES, curve, period=1.0) for curve in usual.T], -1)
    np.testing.assert_allclose(curves._timing(moved, usual, side), (late, longer), atol=0.006)


def test_people_s_curves_scale_nothing_that_traits_scale():
    usual = curves._usual(NATURAL, VHAT)[2]
    for one in people_curves().persons:
        for name in (*curves.SCALED, "arm_l.flexion", "arm_r.flexion"):
            own, scaled = (
                fourier_basis(PHASES)[:, 1:] @ one.curves[CHANNELS.index(name), 1:],
                usual[:, CHANNELS.index(name)],
            )
            alike = np.mean(own * (scaled - scaled.mean())) / np.std(scaled) / 0.05
            assert abs(alike) < 0.02, name
