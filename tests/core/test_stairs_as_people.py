"""Joints on slopes and stairs are as people's.

Slopes: ten adults on treadmills at 5 and 10 degrees (Reznick et al. 2021, Sci Data 8:282), the middles of
their bands at four moments of
the cycle. Stairs: 73 adults on a staircase of two steps and a landing, on which their stride ends beside the
other foot (Bovi et al. 2011,
Gait Posture 33:6); that table is not part of the repository.
"""

import csv
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import Footsteps, footsteps
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL, Ground, Surface
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT
from neurarig_addon.core.path.path import Path as AnyPath
from neurarig_addon.training.gait.misfit import joint_angles
from tests.core.walkers import BODY, WALKING
from tests.shared_data import shared_path

LIMIT_DEG = 8.2
# Degrees of hip, knee and ankle at 0, 25, 50 and 75 % of the cycle.
MOMENTS = np.array([0.0, 0.25, 0.5, 0.75])
SLOPES = {
    "level": ((0.0,), ([34, 14, -3, 30], [6, 11, 8, 64], [0, 8, 14, -2])),
    "up 5 and 10 degrees": ((5.0, 10.0), ([52, 25, 1, 36], [23, 18, 3, 61], [8, 17, 16, -1])),
    "down 5 and 10 degrees": ((-5.0, -10.0), ([28, 15, 1, 26], [3, 20, 23, 62], [-5, 6, 16, 3])),
}
# m/s: with this the stride on the stairs takes as long as people's there
SLOPE_SPEED, STAIR_SPEED = 1.0, 0.85
PELVIC_TILT = 9.2  # degrees forward that people's pelvis has at rest and a rest pose has not
RISER, TREAD = 0.165, 0.39  # metres, from the legs of the people who were measured
# metres after the first edge: their stride is 0.44 m long, and ends 3 cm ahead of the other foot
STOPS = 0.57
STRIDE_SECONDS = {"ascending": 1.67, "descending": 1.38}
ANKLE_OFFSET = 22.0  # degrees to add to the table's ankle


@pytest.mark.parametrize("way", SLOPES)
def test_joints_on_slopes_are_within_eight_degrees_of_people(way: str) -> None:
    slopes, told = SLOPES[way]
    ours = np.mean([angles(walker(plane(slope), SLOPE_SPEED), 3, MOMENTS) for slope in slopes], axis=0)
    assert (off(ours, np.array(told, dtype=float)) < LIMIT_DEG).all()


@pytest.mark.parametrize("way", STRIDE_SECONDS)
def test_joints_on_stairs_are_within_eight_degrees_of_people_and_a_stride_takes_as_long(way: str) -> None:
    phase, told = read(shared_path("data", "gait-norms", f"bovi2011_{way}_stairs_adult.csv"))
    who, cycle = first_step(RISER if way == "ascending" else -RISER)
    assert (off(angles(who, cycle, phase), told) < LIMIT_DEG).all()
    seconds = np.ptp(who.rhythm.seconds_when(np.array([[cycle, cycle], [cycle + 1.0, cycle + 1.0]]))[:, 0])
    assert seconds == pytest.approx(STRIDE_SECONDS[way], rel=0.15)


def off(ours: np.ndarray, told: np.ndarray) -> np.ndarray:
    """Return how far hip, knee and ankle `(3, n)` are off people's `(3,)`, degrees."""
    return np.sqrt(np.mean((ours - told) ** 2, axis=1))


def plane(degrees: float) -> Ground:
    """Return ground that rises ahead."""
    rise = np.tan(np.radians(degrees))
    return Surface(lambda places: rise * places[:, 0]) if degrees else LEVEL


def first_step(riser: float) -> tuple[Walker, int]:
    """Return who walks to a staircase of two steps and stops on them, the left foot on the first, and the
    cycle in which that stands."""
    for start in np.arange(4.0, 5.0, 0.1):
        who = walker(
            staircase(riser, start),
            STAIR_SPEED,
            Curve.through(np.array([[0.0, 0.0, 0.0], [start + STOPS, 0.0, 0.0]]), BODY.leg_length),
        )
        plan = planned(who, 9)
        on_it = np.flatnonzero(np.abs(plan.steps.place[:, 0, 2] - riser) < 1e-3)
        if len(on_it):
            return who, int(plan.steps.contact[on_it[0], 0])
    raise RuntimeError("the left foot is on no first step")


def staircase(riser: float, start: float) -> Ground:
    """Return two steps up or down across the way, and a landing."""
    return Surface(lambda places: riser * np.clip(np.floor((places[:, 0] - start) / TREAD) + 1.0, 0.0, 2.0))


def walker(ground: Ground, speed: float, path: AnyPath = STRAIGHT) -> Walker:
    """Return the adult on some ground."""
    return Walker.of(BODY, StyleTrack(Style(speed=speed)), Clock(whole_frames=False), WALKING, path, ground)


def planned(who: Walker, cycles: float) -> Footsteps:
    """Return the steps of so many cycles from the start."""
    return footsteps(who, np.array([[0.0, 0.5], [cycles, cycles + 0.5]]))


def angles(who: Walker, cycle: int, phase: np.ndarray) -> np.ndarray:
    """Return hip, knee and ankle of the left leg in degrees `(3, n)` at phases of a cycle."""
    seconds = who.rhythm.seconds_when(np.stack([cycle + phase, cycle + phase], axis=1))[:, 0]
    pose = walked(who, who.clock.frames(seconds))
    found = joint_angles(pose)
    tilt = np.degrees(np.arcsin(-pose.motions["pelvis"].rotation[:, 2, 0]))
    return np.stack([found["thigh"] + tilt + PELVIC_TILT, found["knee"], found["ankle"]])


def read(table: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the phases `(n,)` of a table, and hip, knee and ankle `(3, n)`."""
    with table.open(newline="") as file:
        lines = list(csv.DictReader(file))
    names = ("hip_flexion_mean", "knee_flexion_mean", "ankle_dorsiflexion_mean")
    told = np.array([[float(line[name]) for line in lines] for name in names])
    told[2] += ANKLE_OFFSET
    return np.array([float(line["pct_cycle"]) for line in lines]) / 100.0, told
