"""What a plan over uneven ground costs, and frames on it: python -m benchmarks plan_speed."""

import numpy as np

from benchmarks.table import Row, best_of
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import Footsteps, footsteps
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL, Surface
from neurarig_addon.core.ground.terrain import CLIMB, Terrain, TerrainPart
from neurarig_addon.core.ground.triangles import Triangles
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.human.gait_network import GaitNetwork
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT

# of a walk over a terrain of 100 000 quads; frames that are worked out at once
STEPS, WAY_M, CELLS, BLOCK = 500, 360.0, 316, 64
RISER, TREAD = 0.165, 0.39  # metres
BODY, GAIT = human_body(), Gait(GaitNetwork.load())
TRACK, CLOCK = StyleTrack(Style(speed=1.2)), Clock(whole_frames=False)


def rows() -> list[Row]:
    """Time the plan of a long way over bumps, the terrain's table built, and a block of frames on level
    ground and on two steps."""
    along = np.linspace(0.0, 1.0, 400)
    path = Curve.through(
        WAY_M * np.stack([along, 0.02 * np.sin(20.0 * along), 0.0 * along], -1), BODY.leg_length
    )
    terrain = bumpy()
    Walker.of(BODY, TRACK, CLOCK, GAIT, path, terrain)  # finds the ledges, once

    def plan() -> Footsteps:
        return footsteps(
            Walker.of(BODY, TRACK, CLOCK, GAIT, path, terrain),
            np.array([[0.0, 0.5], [STEPS / 2, STEPS / 2 + 0.5]]),
        )

    stairs = Surface(lambda places: RISER * np.clip(np.floor((places[:, 0] - 4.0) / TREAD) + 1.0, 0.0, 2.0))
    frames = np.arange(100.0, 100.0 + BLOCK)
    found = [Row(f"plan of {STEPS} steps over {CELLS**2} quads", 1e3 * best_of(plan, 5), 60.0, "ms")]
    for name, ground, limit in (("level ground", LEVEL, 15.0), ("stairs", stairs, 25.0)):
        cost = best_of(lambda ground=ground: walk(BODY, TRACK, CLOCK, frames, GAIT, STRAIGHT, ground), 5)
        found.append(Row(f"{BLOCK} frames on {name}", 1e3 * cost, limit, "ms"))
    return found


def bumpy() -> Terrain:
    """Return a terrain of many quads under the path."""
    x, y = np.meshgrid(
        np.linspace(-5.0, WAY_M + 5.0, CELLS + 1), np.linspace(-20.0, 20.0, CELLS + 1), indexing="ij"
    )
    height = 0.1 * np.sin(0.9 * x) * np.cos(0.7 * y)
    points = np.stack([x, y, height], -1).reshape(-1, 3)
    corner = (np.arange(CELLS)[:, None] * (CELLS + 1) + np.arange(CELLS)).reshape(-1)
    right = np.stack([corner, corner + CELLS + 1, corner + CELLS + 2], 1)
    left = np.stack([corner, corner + CELLS + 2, corner + 1], 1)
    return Terrain(
        (TerrainPart(Triangles.of(points, np.concatenate([right, left])), np.eye(4)),),
        CLIMB * BODY.leg_length,
    )
