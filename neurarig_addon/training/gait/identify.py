"""From the norms to the human gait: find the curves whose *walk* has the joint angles measured by
laboratories.

The norms are joint angles of people; the walk is planted feet and a pelvis. Joint angles alone put the feet
through the floor, so the
ankle path, foot pitch and pelvis path are found by least squares through the same synthesis that will use
them, one speed at a time.
Needs scipy.
"""

from collections.abc import Callable

import numpy as np
from scipy.optimize import OptimizeResult, least_squares

from ...core.body.rocker import unflattened
from ...core.character.body import LEFT, Body
from ...core.contract.inputs import slow_inputs
from ...core.gait.kinds.natural import speed_of
from ...core.human.adult import human_body
from . import norms
from .human_gait import ROW, HumanGait
from .misfit import joint_angles, misfit, walked
from .norms import EVEN, HARMONICS, fourier, parity, rms
from .walk_goal import SAMPLES, GaitGoal, WalkGoal, given_curves, goal_of

NATURAL_BAND = 2  # index of the natural speed in the norms
WIDTH = 1 + 2 * HARMONICS
# leg lengths in mid swing: curves that clear the ground by themselves get no corners from the ground guard
OFF_THE_FLOOR = 0.024
# spreads of a joint angle that a deviation of one leg length or radian from the second search's start costs
KEEPS = 4.0
Places = tuple[np.ndarray, np.ndarray]  # rows and columns of coefficients
MOST_TRIED = 60  # function evaluations of a search


def identify(report=print) -> HumanGait:
    """Return the human gait at the speeds of the norms.

    First the curves with the angles, from a natural speed outward, each also started from its neighbours: the
    reach guard and the floor
    cause local minima. Then, from there, curves that move as people do (see `misfit`), as near to the first
    as possible.
    """
    stored, body = norms.load(), human_body("DOWN")
    speeds = stored["speeds"]
    upper = stored["spontaneous"] | {"tilt": speeds[NATURAL_BAND]["curves"]["pelvis_tilt"]}
    found: dict[int, np.ndarray] = {}
    for number in sorted(range(len(speeds)), key=lambda n: abs(n - NATURAL_BAND)):
        goal = goal_of(speeds[number], stored)
        given = given_curves(speeds[number], upper, goal)
        neighbours = [found[n][free_places()] for n in (number - 1, number + 1) if n in found]
        starts = [first_guess(goal, given)[free_places()], *neighbours]
        moved = min((_moved(body, goal, given, start) for start in starts), key=lambda one: one.cost)
        found[number] = as_walked(body, goal, with_values(given, moved.x))
        report(f"vhat {goal.vhat:.3f}: {errors_of(body, goal, with_values(given, moved.x))}")
    return HumanGait([entry["vhat"] for entry in speeds], np.array([found[n] for n in range(len(speeds))]))


def refine(stored_gait: HumanGait, rows: list[int], report=print) -> HumanGait:
    """Return a gait whose `rows`, speeds of the norms, are searched on from where they are, for curves that
    move as people do.

    A tenth of the work of `identify`: enough where only what `misfit` weighs has changed.
    """
    stored, body = norms.load(), human_body("DOWN")
    upper = stored["spontaneous"] | {"tilt": stored["speeds"][NATURAL_BAND]["curves"]["pelvis_tilt"]}
    found = stored_gait.coefficients.copy()
    for row in rows:
        goal = goal_of(stored["speeds"][row], stored)
        given = given_curves(stored["speeds"][row], upper, goal)
        moved = solution(body, goal, given, found[row][free_places()], in_motion=True)
        # they are off the floor already
        found[row] = as_walked(body, goal, with_values(given, moved.x), off_floor=0.0)
        report(f"vhat {goal.vhat:.3f}: {errors_of(body, goal, with_values(given, moved.x))}")
    return HumanGait(stored_gait.vhats, found)


def _moved(body: Body, goal: WalkGoal, given: np.ndarray, start: np.ndarray) -> OptimizeResult:
    """Return the search for curves that move as people do, starting from curves with the angles, found from
    `start`."""
    solved = solution(body, goal, given, start, in_motion=False)
    first = as_walked(body, goal, with_values(given, solved.x))
    return solution(body, goal, given, first[free_places()], in_motion=True)


def solution(
    body: Body, goal: WalkGoal, given: np.ndarray, start: np.ndarray, in_motion: bool
) -> OptimizeResult:
    """Return the search for the unknowns: ankle path, foot pitch and pelvis path; `in_motion`: as in
    `misfit`, kept near its start."""
    keeps = KEEPS if in_motion else 0.0

    def residual(values: np.ndarray) -> np.ndarray:
        return np.concatenate(
            [misfit(body, goal, with_values(given, values), in_motion), keeps * (values - start)]
        )

    return searched(residual, start, MOST_TRIED)


def searched(residual: Callable[[np.ndarray], np.ndarray], start: np.ndarray, most: int) -> OptimizeResult:
    """Return the search for the unknowns that make residuals least, with so many evaluations at most."""
    return least_squares(residual, start, method="trf", x_scale=0.02, diff_step=1e-4, max_nfev=most)


def with_values(given: np.ndarray, values: np.ndarray, places: Places | None = None) -> np.ndarray:
    """Return coefficients with the unknowns inserted, in the walk's places or in given ones."""
    whole = given.copy()
    whole[places or free_places()] = values
    return whole


def errors_of(body: Body, goal: GaitGoal, coefficients: np.ndarray) -> str:
    """Return the RMS errors of the joint angles in degrees and the rise of the hips, as text."""
    angles = joint_angles(walked(body, goal, coefficients))
    errors = ", ".join(
        f"{name} {rms(angles[name] - getattr(goal, name)):.1f}" for name in ("thigh", "knee", "ankle")
    )
    return f"{errors}, bob mm {1000.0 * float(np.ptp(angles['hips'][:, 2])):.1f}"


def as_walked(
    body: Body, goal: GaitGoal, coefficients: np.ndarray, off_floor: float = OFF_THE_FLOOR
) -> np.ndarray:
    """Return coefficients whose foot channels follow the ankle's actual path, raised by `off_floor` leg
    lengths in mid swing.

    The swing takes only the shape of the foot's path, so the search leaves its mean and slope open; the
    channels' contract does not.
    """
    ankle = walked(body, goal, coefficients).motions["foot.L"].position / body.leg_length
    speed = np.array(speed_of(goal.vhat, body.leg_length))
    # the root is under the hips, the curves' is not
    lead = float(goal.law.lead(slow_inputs(body, speed, np.zeros(())))) / body.leg_length
    found = coefficients.copy()
    found[ROW["foot.x"]] = fourier(ankle[:, 0] + lead)
    found[ROW["foot.z"]] = fourier(
        ankle[:, 2] - body.ankle[LEFT, 2] / body.leg_length + off_floor * _mid_swing(goal, body)
    )
    return found


def _mid_swing(goal: GaitGoal, body: Body) -> np.ndarray:
    """Return a weight `(SAMPLES,)`: 1 in mid swing, 0 in the stance and well before heels come down, which
    are low by then."""
    duty = float(
        goal.law.duty(slow_inputs(body, np.array(speed_of(goal.vhat, body.leg_length)), np.zeros(())), LEFT)
    )
    share = np.clip((np.arange(SAMPLES) / SAMPLES - duty) / (1.0 - duty), 0.0, 1.0)
    return (4.0 * share * (1.0 - share)) ** 6


def first_guess(goal: GaitGoal, given: np.ndarray) -> np.ndarray:
    """Return coefficients from the joint angles alone: forward kinematics from hips moving on a level
    line."""
    thigh, shank = np.radians(goal.thigh), np.radians(goal.thigh - goal.knee)
    guess = given.copy()
    guess[ROW["foot.x"]] = fourier(0.5 * (np.sin(thigh) + np.sin(shank)))
    guess[ROW["foot.z"]] = fourier(0.5 * (2.0 - np.cos(thigh) - np.cos(shank)) - 0.02)
    guess[ROW["foot.pitch"]] = fourier(unflattened(np.radians(goal.knee - goal.thigh - goal.ankle)))
    guess[ROW["pelvis.z"]] = np.zeros(WIDTH)
    guess[ROW["pelvis.z"], 0] = -0.02
    guess[ROW["pelvis.z"], 3] = -0.5 * goal.bob
    return guess


def free_places(of_pelvis: tuple[int, ...] = (0, *EVEN)) -> Places:
    """Return the rows and columns of the unknown coefficients; `of_pelvis`: harmonics of its path."""
    places = []
    for name, orders in (
        ("foot.x", range(1, HARMONICS + 1)),
        ("foot.z", range(HARMONICS + 1)),
        ("foot.pitch", range(HARMONICS + 1)),
        ("pelvis.x", of_pelvis),
        ("pelvis.z", of_pelvis),
    ):
        places += [(ROW[name], column) for column in np.flatnonzero(parity(tuple(orders)))]
    rows, columns = zip(*places, strict=True)
    return np.array(rows), np.array(columns)
