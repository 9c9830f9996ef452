"""What is driven on which family of control rigs: `python -m benchmarks control_rigs` prints the table of docs/rig-conventions.md."""

import json
import time
from dataclasses import dataclass

import bpy

from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.blender.animation.steps import finish
from neurarig_addon.blender.character.controls.probing.probe import probe_steps
from neurarig_addon.blender.character.read_armature import read_skeleton
from neurarig_addon.blender.character.roles import store_roles
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.roles import RoleMap
from tests import control_rigs

_OWN = "own controls"
_WORDS = {
    "CONTROLS": _OWN,
    "CONTROLS_FK": _OWN,
    "RIGIFY": _OWN,
    "RIGIFY_FK": _OWN,
    "LAYER": "control layer",
    "FK": "deform bones",
}


@dataclass(frozen=True)
class _Rig:
    """What came of one rig; `driven`: what takes the pose, of IK Controls and of FK Only."""

    family: str
    bones: str
    score: control_rigs.Score
    driven: tuple[str, str]
    slip: float
    seconds: float

    def line(self) -> str:
        cells = (
            self.family,
            self.bones,
            f"{self.score.found} of {self.score.asked}",
            *self.driven,
            f"{self.slip:.3f}",
            f"{self.seconds:.1f}",
        )
        return f"| {' | '.join(cells)} |"


def rows() -> list[Row]:
    """Print the table of families, and return the figures that must be reached."""
    print("| Family | Bones | Controls and switches found | IK Controls | FK Only | Slip, % of the leg | Search, CPU s |")
    print("|---|---|---|---|---|---|---|")
    rigs = []
    for row in control_rigs.ROWS:
        if control_rigs.is_readable(row):
            rigs.append(_tried(row))
            print(rigs[-1].line(), flush=True)
    found = sum(rig.score.found for rig in rigs) / max(sum(rig.score.asked for rig in rigs), 1)
    own = sum(_OWN in rig.driven for rig in rigs) / max(len(rigs), 1)
    return [
        Row("control rigs: controls and switches found", 100.0 * found, 90.0, "%", at_least=True),
        Row("control rigs: moved by their own controls", 100.0 * own, 90.0, "%", at_least=True),
        Row("control rigs: slip, share of the leg", max(rig.slip for rig in rigs), 0.1, "%"),
        Row("control rigs: slowest search, CPU time", max(rig.seconds for rig in rigs), 3.0, "s"),
    ]


def _tried(row: dict[str, str]) -> _Rig:
    obj, roles = _opened(row)
    skeleton, began = read_skeleton(obj, bpy.context.scene), time.process_time()
    found = finish(probe_steps(obj, skeleton, roles))
    took = time.process_time() - began
    score = control_rigs.score(row, found, {bone.name: bone.name for bone in obj.data.bones})
    walks = [_walked(row, kind) for kind in ("AUTO", "FK")]
    return _Rig(row["family"], row["bone_count"], score, (walks[0][0], walks[1][0]), max(slip for _, slip in walks), took)


def _walked(row: dict[str, str], kind: str) -> tuple[str, float]:
    """Return what takes the walk and the slip in percent of the leg."""
    obj, _ = _opened(row)
    try:
        report = api.generate_walk(obj, controls=kind)
    except NeuraRigError as problem:
        return f"refused: {problem}", 0.0
    slip = max(side["max"] for side in report["slip_mm"].values()) / (10.0 * report["leg_length_m"])
    return _WORDS[json.loads(obj.neurarig.attachment)["kind"]], slip


def _opened(row: dict[str, str]) -> tuple[bpy.types.Object, RoleMap]:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    obj = control_rigs.load(row)
    roles = control_rigs.true_roles(row)
    store_roles(obj, roles)
    return obj, roles
