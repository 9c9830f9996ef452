"""Slopes and stairs: the joints of the walk beside people's, and what a plan over uneven ground costs.

Slopes: ten adults on treadmills at 5 and 10 degrees (Reznick et al. 2021, Sci Data 8:282), the middles of their bands at four moments of
the cycle.  Stairs: 73 adults on a staircase of two steps and a landing, on which their stride ends beside the other foot (Bovi et al. 2011,
Gait Posture 33:6); that table is not part of the repository (see tests/shared_data.py), and its rows are left out where it is missing.
"""

import csv
from pathlib import Path

import numpy as np

from benchmarks.human_body import human_body
from benchmarks.table import Row, best_of
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import Footsteps, footsteps
from neurarig_addon.core.gait.synthesis import walk, walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL, Ground, Surface
from neurarig_addon.core.ground.terrain import CLIMB, Part, Terrain
from neurarig_addon.core.ground.triangles import Triangles
from neurarig_addon.core.human.gait_network import GaitNetwork
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT
from neurarig_addon.core.path.path import Path as AnyPath
from neurarig_addon.training.gait.trial import joint_angles
from tests.shared_data import find_shared

LIMIT_DEG = 8.2
JOINTS = ("hip", "knee", "ankle")
# Degrees at 0, 25, 50 and 75 % of the cycle.
MOMENTS = np.array([0.0, 0.25, 0.5, 0.75])
SLOPES = {
    "level": ((0.0,), ([34, 14, -3, 30], [6, 11, 8, 64], [0, 8, 14, -2])),
    "up 5 and 10 degrees": ((5.0, 10.0), ([52, 25, 1, 36], [23, 18, 3, 61], [8, 17, 16, -1])),
    "down 5 and 10 degrees": ((-5.0, -10.0), ([28, 15, 1, 26], [3, 20, 23, 62], [-5, 6, 16, 3])),
}
SLOPE_SPEED, STAIR_SPEED = 1.0, 0.85  # m/s: with this the stride on the stairs takes as long as people's there
PLAN_SPEED = 1.2
PELVIC_TILT = 9.2  # degrees forward that people's pelvis has at rest and a rest pose has not
RISER, TREAD = 0.165, 0.39  # metres, from the legs of the people who were measured
STOPS = 0.57  # metres after the first edge: their stride is 0.44 m long, and ends 3 cm ahead of the other foot
STRIDE_SECONDS = {"ascending": 1.67, "descending": 1.38}
ANKLE_OFFSET = 22.0  # degrees to add to the table's ankle
STANCE = 0.7  # of the stride on stairs
STEPS, WAY_M, CELLS, BLOCK = 500, 360.0, 316, 64  # of a walk over a terrain of 100 000 quads; frames that are worked out at once

BODY, GAIT = human_body(), Gait(GaitNetwork.load())


def rows() -> list[Row]:
    """Compare slopes and stairs, and time a plan."""
    return [*slope_rows(), *stair_rows(), *cost_rows()]


def slope_rows() -> list[Row]:
    """Compare joints on slopes."""
    found = []
    for name, (slopes, told) in SLOPES.items():
        ours = np.mean([angles(walker(plane(slope), SLOPE_SPEED), 3, MOMENTS) for slope in slopes], axis=0)
        found += compared(f"{name}, {SLOPE_SPEED} m/s", ours, np.array(told, dtype=float))
    return found


def stair_rows() -> list[Row]:
    """Compare joints on stairs: the whole stride, and its stance; and how long it takes."""
    found = []
    for name, way in (("ascending", 1.0), ("descending", -1.0)):
        table = find_shared("data", "gait-norms", f"bovi2011_{name}_stairs_adult.csv")
        if table is None:
            continue
        phase, told = read(table)
        who, cycle = first_step(way * RISER)
        ours = angles(who, cycle, phase)
        stands = phase < STANCE
        seconds = np.ptp(who.rhythm.seconds_when(np.array([[cycle, cycle], [cycle + 1.0, cycle + 1.0]]))[:, 0])
        found += compared(f"stairs, {name}", ours, told)
        found += compared(f"stairs, {name}, while the foot stands", ours[:, stands], told[:, stands])
        off = abs(float(seconds) / STRIDE_SECONDS[name] - 1.0)
        found.append(
            Row(f"stairs, {name}: time of the stride, off people's {STRIDE_SECONDS[name]} s", off, 0.15, "", note=f"{seconds:.2f} s")
        )
    return found


def compared(name: str, ours: np.ndarray, told: np.ndarray) -> list[Row]:
    """Return how far joints `(3, n)` are off people's."""
    off = np.sqrt(np.mean((ours - told) ** 2, axis=1))
    return [Row(f"{name}: {joint}", float(value), LIMIT_DEG, "deg") for joint, value in zip(JOINTS, off, strict=True)]


def plane(degrees: float) -> Ground:
    """Return ground that rises ahead."""
    rise = np.tan(np.radians(degrees))
    return Surface(lambda places: rise * places[:, 0]) if degrees else LEVEL


def first_step(riser: float) -> tuple[Walker, int]:
    """Return who walks to a staircase of two steps and stops on them, the left foot on the first, and the cycle in which that stands."""
    for start in np.arange(4.0, 5.0, 0.1):
        who = walker(
            staircase(riser, start), STAIR_SPEED, Curve.through(np.array([[0.0, 0.0, 0.0], [start + STOPS, 0.0, 0.0]]), BODY.leg_length)
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
    return Walker.of(BODY, StyleTrack(Style(speed=speed)), Clock(whole_frames=False), GAIT, path, ground)


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


def cost_rows() -> list[Row]:
    """Time the plan of a long way over bumps and stairs, the terrain's table built, and a block of frames on it."""
    along = np.linspace(0.0, 1.0, 400)
    path = Curve.through(WAY_M * np.stack([along, 0.02 * np.sin(20.0 * along), 0.0 * along], -1), BODY.leg_length)
    terrain = bumpy()
    walker(terrain, PLAN_SPEED, path)  # finds the ledges, once

    def plan() -> Footsteps:
        return planned(walker(terrain, PLAN_SPEED, path), STEPS / 2)

    frames = np.arange(100.0, 100.0 + BLOCK)
    track, clock = StyleTrack(Style(speed=PLAN_SPEED)), Clock(whole_frames=False)
    rows = [Row(f"plan of {STEPS} steps over {CELLS**2} quads", 1e3 * best_of(plan, 5), 60.0, "ms")]
    for name, ground, limit in (("level ground", LEVEL, 5.0), ("stairs", staircase(RISER, 4.0), 15.0)):
        cost = best_of(lambda ground=ground: walk(BODY, track, clock, frames, GAIT, STRAIGHT, ground), 5)
        rows.append(Row(f"{BLOCK} frames on {name}", 1e3 * cost, limit, "ms"))
    return rows


def bumpy() -> Terrain:
    """Return a terrain of many quads under the path."""
    x, y = np.meshgrid(np.linspace(-5.0, WAY_M + 5.0, CELLS + 1), np.linspace(-20.0, 20.0, CELLS + 1), indexing="ij")
    height = 0.1 * np.sin(0.9 * x) * np.cos(0.7 * y)
    points = np.stack([x, y, height], -1).reshape(-1, 3)
    corner = (np.arange(CELLS)[:, None] * (CELLS + 1) + np.arange(CELLS)).reshape(-1)
    right = np.stack([corner, corner + CELLS + 1, corner + CELLS + 2], 1)
    left = np.stack([corner, corner + CELLS + 2, corner + 1], 1)
    return Terrain((Part(Triangles.of(points, np.concatenate([right, left])), np.eye(4)),), CLIMB * BODY.leg_length)
