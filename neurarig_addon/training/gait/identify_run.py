"""From the norms of runners to the human run: find the curves whose run, through the synthesis, has their
joint angles.

As in `identify`, the ankle's path and the foot's pitch are found by least squares; the pelvis' rise and fall
is not: it is the spring
and the free fall of `gait.kinds.flight`.  Needs scipy.
"""

import numpy as np
from scipy.optimize import minimize

from ...core.body.rocker import unflattened
from ...core.character.body import LEFT, Body
from ...core.contract.inputs import slow_inputs
from ...core.gait.body.flight import Pushes, spring_rise
from ...core.gait.kinds.natural import dimensionless_speed
from ...core.human.adult import human_body
from . import run_goal
from .human_gait import ROW, HumanGait
from .identify import as_walked, free_places, searched, with_values
from .identify import errors_of as errors_of_angles
from .misfit import walked
from .norms import fourier
from .run_goal import PHASE, RunGoal, given_curves, goal_of, low_soles, misfit

SPEEDS = (1.6, 2.0, 2.5, 3.0, 3.5, 4.5, 5.5, 7.0, 9.0)  # m/s of the adult of `adult`
# spreads of a joint angle that a deviation of one leg length or radian from a search's start costs
KEEPS = 8.0
MOST_TRIED = 25  # function evaluations of a search


def identify(report=print) -> HumanGait:
    """Return the human run at SPEEDS.

    First the curves with the angles; then, from the path that feet really take with those, curves that swing
    feet clear of the ground
    and evenly (see `misfit`). What the first curves do below planted feet nobody sees, and they do not change
    evenly with the speed.
    """
    stored, body = run_goal.load(), human_body("DOWN")
    found = []
    for speed in SPEEDS:
        goal = goal_of(stored, speed, body)
        guess = first_guess(body, goal, given_curves(stored, goal, body))
        first = as_walked(body, goal, fit(body, goal, guess, in_motion=False), off_floor=0.0)
        found.append(centred(body, goal, fit(body, goal, first, in_motion=True)))
        report(f"{speed} m/s: {errors_of(body, goal, found[-1])}")
    vhats = [float(dimensionless_speed(speed, body.leg_length)) for speed in SPEEDS]
    return HumanGait(vhats, np.array(found))


def first_guess(body: Body, goal: RunGoal, given: np.ndarray) -> np.ndarray:
    """Return coefficients whose ankles follow from the spring's hips by the goal's angles.

    The hips' lead over the prints and their height are searched for: planted feet must reach the ground.
    """
    thigh, shank = np.radians(goal.thigh), np.radians(goal.thigh - goal.knee)
    slow = slow_inputs(body, np.array(goal.speed), np.zeros(()))
    duty, period = float(goal.law.duty(slow, LEFT)), float(goal.law.stride(slow)) / goal.speed
    rise = (
        spring_rise(PHASE, Pushes(np.array([0.0, 0.5]), np.full(2, duty), np.ones(2)), period)
        / body.leg_length
    )
    pelvis_x = given[ROW["pelvis.x"]]

    def hung(places: np.ndarray) -> np.ndarray:
        ahead, level = places
        whole = given.copy()
        whole[ROW["foot.x"]] = pelvis_x + fourier(ahead + 0.5 * (np.sin(thigh) + np.sin(shank)))
        whole[ROW["foot.z"]] = fourier(1.0 + level + rise - 0.5 * (np.cos(thigh) + np.cos(shank)))
        whole[ROW["foot.pitch"]] = fourier(unflattened(np.radians(goal.knee - goal.thigh - goal.ankle)))
        whole[ROW["pelvis.x"], 0] = ahead
        whole[ROW["pelvis.z"], 0] = level
        return whole

    begin = np.array([0.2, -0.02])
    search = {"initial_simplex": begin + np.array([[0.0, 0.0], [-0.08, 0.0], [0.0, -0.03]]), "maxfev": 60}
    squares = lambda places: float(np.sum(misfit(body, goal, hung(places), in_motion=False) ** 2))  # noqa: E731
    return hung(minimize(squares, begin, method="Nelder-Mead", options=search).x)


def fit(body: Body, goal: RunGoal, start: np.ndarray, in_motion: bool) -> np.ndarray:
    """Return coefficients with the ankle's path, the foot's pitch and the pelvis' height fitted; `in_motion`:
    as in `misfit`."""
    # What the swing's ends cancel does not show in the angles; it is kept near the start, so that it changes
    # evenly with the speed.
    values = start[_FREE]

    def residual(found: np.ndarray) -> np.ndarray:
        return np.concatenate(
            [misfit(body, goal, with_values(start, found, _FREE), in_motion), KEEPS * (found - values)]
        )

    return with_values(start, searched(residual, values, MOST_TRIED).x, _FREE)


def centred(body: Body, goal: RunGoal, coefficients: np.ndarray) -> np.ndarray:
    """Return coefficients whose feet have the mean of the ankle's actual path: the swing only uses their
    shape."""
    ankle = walked(body, goal, coefficients).motions["foot.L"].position.mean(axis=0) / body.leg_length
    found = coefficients.copy()
    found[ROW["foot.x"], 0] = ankle[0]
    found[ROW["foot.z"], 0] = ankle[2] - body.ankle[LEFT, 2] / body.leg_length
    return found


def errors_of(body: Body, goal: RunGoal, coefficients: np.ndarray) -> str:
    """Return the errors of the joint angles, the rise of the hips, and how far the sole is too low, as
    text."""
    low = -1000.0 * body.leg_length * low_soles(body, goal, coefficients).min()
    return f"{errors_of_angles(body, goal, coefficients)}, sole too low by mm {low:.1f}"


_FREE = free_places((0,))
