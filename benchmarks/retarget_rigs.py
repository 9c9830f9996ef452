"""One recorded walk on every biped of the shared rigs, measured on the evaluated pose: python -m benchmarks retarget_rigs."""

import csv
import importlib.util
import json
import math
from pathlib import Path
from types import ModuleType

import bpy

from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.core.errors import NeuraRigError
from tests.shared_data import shared_path

CLIP = ("data", "mocap", "walk", "cmu_02_01.bvh")
FPS = 60
SLIP_MM, SLIP_SHARE = 1.0, 1e-3  # of the leg, for tiny and huge ones
HUMAN_LEGS_M = (0.4, 1.6)
LYING = ("lying", "degenerate")  # rest poses that say nothing: refused with a sentence
CONTROLS = ("FK", "IK")


def rows() -> list[Row]:
    """Measure every standing biped on FK bones and on IK controls, and print each."""
    folder = shared_path("rigs")
    clip = shared_path(*CLIP)
    loader = rig_loader(folder)
    bipeds = [row for row in csv.DictReader((folder / "manifest.csv").open(encoding="utf-8")) if row["is_biped"] == "true"]
    standing = [row for row in bipeds if row["rest_pose"] not in LYING]
    found = []
    for controls in CONTROLS:
        worst_slip = worst_reach = 0.0
        refused = []
        for row in standing:
            try:
                report = retargeted(loader, folder, row, clip, controls)
            except NeuraRigError as refusal:
                refused.append(f"{row['file']}: {refusal}")
                continue
            slip, reach = allowed_share(report), report["reach"] or 0.0
            worst_slip, worst_reach = max(worst_slip, slip), max(worst_reach, reach)
            print(line(row["file"], controls, report))
        note = "; ".join(refused)
        found += [
            Row(f"recorded walk on {len(standing)} rigs, {controls}: refused", len(refused), 0, "rigs", note=note),
            Row(f"recorded walk on {len(standing)} rigs, {controls}: slip, as a share of 1 mm or 0.1 % of the leg", worst_slip, 1.0, ""),
            Row(f"recorded walk on {len(standing)} rigs, {controls}: greatest reach", worst_reach, 1.0, "legs"),
        ]
    return found


def rig_loader(folder: Path) -> ModuleType:
    """Return the module that comes with the rigs and loads them."""
    spec = importlib.util.spec_from_file_location("load_rig", folder / "load_rig.py")
    assert spec and spec.loader
    loader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loader)
    return loader


def retargeted(loader: ModuleType, folder: Path, row: dict[str, str], clip: Path, controls: str) -> dict:
    """Return the report of the clip on one rig."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = FPS
    obj = loader.load(str(folder / row["file"]), row["armature"] or None)
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
