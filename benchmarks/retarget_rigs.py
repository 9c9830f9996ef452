"""One recorded walk on every biped of the shared rigs, measured on the evaluated pose: python -m benchmarks retarget_rigs."""

import json
import math
from pathlib import Path

import bpy

from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.core.errors import NeuraRigError
from tests.shared_data import shared_path
from tests.shared_rigs import STANDING, load

CLIP = ("data", "mocap", "walk", "cmu_02_01.bvh")
FPS = 60
SLIP_MM, SLIP_SHARE = 1.0, 1e-3  # of the leg, for tiny and huge ones
HUMAN_LEGS_M = (0.4, 1.6)
CONTROLS = ("FK", "IK")


def rows() -> list[Row]:
    """Measure every standing biped on FK bones and on IK controls, and print each."""
    clip = shared_path(*CLIP)
    found = []
    for controls in CONTROLS:
        worst_slip = worst_reach = 0.0
        refused = []
        for row in STANDING:
            try:
                report = retargeted(row, clip, controls)
            except NeuraRigError as refusal:
                refused.append(f"{row['file']}: {refusal}")
                continue
            slip, reach = allowed_share(report), report["reach"] or 0.0
            worst_slip, worst_reach = max(worst_slip, slip), max(worst_reach, reach)
            print(line(row["file"], controls, report))
        note = "; ".join(refused)
        found += [
            Row(f"recorded walk on {len(STANDING)} rigs, {controls}: refused", len(refused), 0, "rigs", note=note),
            Row(f"recorded walk on {len(STANDING)} rigs, {controls}: slip, as a share of 1 mm or 0.1 % of the leg", worst_slip, 1.0, ""),
            Row(f"recorded walk on {len(STANDING)} rigs, {controls}: greatest reach", worst_reach, 1.0, "legs"),
        ]
    return found


def retargeted(row: dict[str, str], clip: Path, controls: str) -> dict:
    """Return the report of the clip on one rig."""
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


def line(file: str, controls: str, report: dict) -> str:
    """Return one rig's figures."""
    reach = "one bone" if report["reach"] is None else f"{report['reach']:.4f}"
    return (
        f"{file:44s} {controls} leg {report['leg_length_m']:8.3f} m  slip {slip_mm(report):8.4f} mm  "
        f"penetration {report['penetration_mm']:8.3f} mm  reach {reach}  past {', '.join(report['past_limits']) or '-'}"
    )
