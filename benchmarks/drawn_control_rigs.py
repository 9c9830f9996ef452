"""Control rigs drawn at random, of makes that nothing was developed on: python -m benchmarks
drawn_control_rigs.

`SEEDS=first:last` in the environment: which are drawn.
"""

import os
from collections import Counter

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.one_piece import WAYS
from benchmarks.table import Row
from neurarig_addon.blender.character.controls.attachment import CONTROLS, CONTROLS_FK
from neurarig_addon.blender.character.controls.probing.read_rig import probe
from neurarig_addon.blender.character.read_armature import read_skeleton
from neurarig_addon.blender.character.roles import store_roles
from neurarig_addon.core.errors import NeuraRigError
from tests.drawn_rigs import DrawnRig, draw_rig

SEEDS = "1000:1020"


def rows() -> list[Row]:
    """Find the controls of every rig, pose it in every way, print what fails, and return the figures."""
    first, last = map(int, os.environ.get("SEEDS", SEEDS).split(":"))
    asked = found = apart = 0
    own: Counter[str] = Counter()
    for seed in range(first, last):
        rig = _drawn(seed)
        problems = rig.missed(probe(rig.obj, read_skeleton(rig.obj, bpy.context.scene), rig.role_map))
        asked, found = asked + rig.asked, found + rig.asked - len(problems)
        for way, pose in WAYS.items():
            rig = _drawn(seed)
            store_roles(rig.obj, rig.role_map)
            try:
                came = pose(rig.obj)
            except NeuraRigError as refusal:
                problems.append(f"{way} refused: {refusal}")
                continue
            own[way] += came.kind in (CONTROLS, CONTROLS_FK)
            apart += not (came.whole and came.whole.whole)
            if came.kind not in (CONTROLS, CONTROLS_FK):
                problems.append(f"{way}: {came.kind}")
        print(seed, rig.make, *problems, sep="\n    " if problems else " ", flush=True)
    count = max(last - first, 1)
    return [
        Row(
            f"{count} drawn control rigs: controls and switches found",
            100.0 * found / max(asked, 1),
            90.0,
            "%",
            at_least=True,
        ),
        *(
            Row(
                f"drawn control rigs: {way} by their own controls",
                100.0 * own[way] / count,
                90.0,
                "%",
                at_least=True,
            )
            for way in WAYS
        ),
        Row("drawn control rigs: not in one piece", apart, 0, ""),
    ]


def _drawn(seed: int) -> DrawnRig:
    new_scene()
    return draw_rig(seed)
