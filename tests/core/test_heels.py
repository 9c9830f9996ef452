"""Where a rig's solvers hold a heel control: nowhere else at rest, along with the leg, and at its paw."""

import numpy as np
import pytest

from neurarig_addon.core.character.motion import Motion
from neurarig_addon.core.geometry.rotation import from_axis_angle, norms
from neurarig_addon.core.posing.heels import HELD, Heel, Hinge, with_held

AXIS, FORWARD, UP = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
HIP, KNEE, HOCK, PAW = (
    np.array(point) for point in ((0.0, 0.1, 1.0), (0.1, 0.1, 0.6), (-0.2, 0.1, 0.3), (-0.1, 0.1, 0.0))
)
LONG_KNEE = HIP + 1.6 * (KNEE - HIP)
POLE = KNEE + FORWARD
ROLES = {"pelvis": HIP, "toe.L": PAW, "foot.L": HOCK, "knee.L": POLE}


def hind() -> Heel:
    reach = Hinge(LONG_KNEE, PAW, AXIS, HIP)
    return Heel(
        "foot.L",
        "pelvis",
        "toe.L",
        "knee.L",
        reach,
        POLE - HIP,
        Hinge(KNEE, HOCK, AXIS, PAW),
        UP,
        np.array(0.0),
    )


def fore() -> Heel:
    return Heel(
        "foot.L",
        "pelvis",
        "toe.L",
        "knee.L",
        Hinge(KNEE, PAW, AXIS, HIP),
        POLE - HIP,
        None,
        FORWARD,
        np.array(0.7),
    )


def pose(**moved: np.ndarray) -> dict[str, Motion]:
    """Return the leg at rest, with some roles moved by `(3,)`; `_` for the points in their names."""
    still = np.eye(3)[None]
    return {
        role: Motion(still, (at + moved.get(role.replace(".", "_"), 0.0))[None], at)
        for role, at in ROLES.items()
    }


def held(heel: Heel, motions: dict[str, Motion]) -> Motion:
    return with_held((heel,), motions)[HELD + "foot.L"]


@pytest.mark.parametrize("heel", [hind(), fore()], ids=["hind", "fore"])
def test_it_rests_with_the_leg_and_goes_along_with_it(heel: Heel) -> None:
    motions = pose()
    np.testing.assert_allclose(held(heel, motions).rotation[0], np.eye(3), atol=1e-12)
    moved = Motion(
        from_axis_angle(np.array([0.6, 0.0, 0.8]), np.array([0.9])), np.array([[1.0, 2.0, 3.0]]), np.zeros(3)
    )
    along = {role: moved.holding(motion) for role, motion in pose(toe_L=0.1 * FORWARD + 0.05 * UP).items()}
    there, here = held(heel, along), moved.holding(held(heel, pose(toe_L=0.1 * FORWARD + 0.05 * UP)))
    np.testing.assert_allclose(there.rotation, here.rotation, atol=1e-12)
    np.testing.assert_allclose(there.position, here.position, atol=1e-12)


@pytest.mark.parametrize("lift", np.linspace(0.0, 0.4, 5))
def test_the_second_chain_keeps_its_lengths_bends_backward_and_ends_at_the_paw(lift: float) -> None:
    heel = held(hind(), pose(toe_L=lift * (UP + 0.3 * FORWARD)))
    paw, hock = heel.carry(PAW)[0], heel.carry(HOCK)[0]
    np.testing.assert_allclose(paw, PAW + lift * (UP + 0.3 * FORWARD), atol=1e-12)
    assert hock[0] < 0.5 * (paw[0] + HIP[0])
    assert norms(hock - paw) == pytest.approx(float(norms(HOCK - PAW)))


def test_what_is_out_of_reach_is_pointed_at() -> None:
    far = held(hind(), pose(toe_L=-3.0 * UP))
    assert np.isfinite(far.rotation).all() and far.carry(HOCK)[0, 2] > far.carry(PAW)[0, 2]


def test_a_leg_without_its_roles_is_left_out() -> None:
    motions = pose()
    del motions["knee.L"]
    assert with_held((hind(),), motions).keys() == motions.keys()
