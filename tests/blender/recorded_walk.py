"""One recorded walk on rigs made by others, and whether its feet slip."""

import json
import math

import bpy

from neurarig_addon.blender import api
from tests.shared_data import shared_path
from tests.shared_rigs import load

FPS = 60
SLIP_MM, SLIP_SHARE = 1.0, 1e-3  # of the leg, for tiny and huge ones
HUMAN_LEGS_M = (0.4, 1.6)


def retargeted(row: dict[str, str], controls: str) -> dict:
    """Return the report of the clip on one of the shared rigs."""
    clip = shared_path("data", "mocap", "walk", "cmu_02_01.bvh")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = FPS
    obj = load(row)
    bpy.context.scene.render.fps = FPS  # an importer may have changed it
    api.retarget(obj, file=clip, controls=controls)
    return json.loads(obj.neurarig.retarget.report)


def slip_mm(report: dict) -> float:
    """Return the greatest slip of both feet."""
    found = [side["max"] for side in report["slip_mm"].values()]
    return max(math.inf if value is None or not math.isfinite(value) else value for value in found)


def allowed_share(report: dict) -> float:
    """Return the greatest slip as a share of what is allowed to legs of that length."""
    leg = report["leg_length_m"]
    allowed = SLIP_MM if HUMAN_LEGS_M[0] <= leg <= HUMAN_LEGS_M[1] else 1e3 * SLIP_SHARE * leg
    return slip_mm(report) / allowed
