"""Hands on things over a walk: python -m benchmarks over_walk.

A plain rig, Rigify's and a control rig carry a box, hold a rail, point and wave while they walk; what is
measured are evaluated bones.
"""

from collections.abc import Callable

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.blender import api
from tests import control_rigs, rigs
from tests.blender.reaching import SITUATIONS, misses

FRAMES = range(1, 26)
CONTROL_RIG = "ctl_gamerig_human.blend"


def subjects() -> dict[str, Callable[[], bpy.types.Object]]:
    """Return what builds each character."""
    found = {"plain": lambda: rigs.build(rigs.biped(), "Hero"), "Rigify": rigs.rigify_human}
    return found | {
        row["file"]: lambda row=row: control_rigs.load(row)
        for row in control_rigs.ROWS
        if row["file"] == CONTROL_RIG
    }


def rows() -> list[Row]:
    """Measure every situation on every rig, print each, and return the worst."""
    slips, off = [], []
    for name, build in subjects().items():
        for situation, begin in SITUATIONS.items():
            new_scene()
            obj = build()
            api.generate_walk(obj, mode="TRAVEL")
            bpy.context.scene.frame_set(5)
            begin(obj)
            miss = []
            for frame in FRAMES:
                bpy.context.scene.frame_set(frame)
                miss += misses(obj).values()
            report = api.contact_report(obj, (FRAMES[0], FRAMES[-1]))
            slips.append(max(side["max"] or 0.0 for side in report["slip_mm"].values()))
            off.append(1e3 * max(miss))
            print(
                f"{name:28s} {situation:6s} hand {off[-1]:8.3f} mm  slip {slips[-1]:6.3f} mm "
                f" {obj.neurarig.walk.error}"
            )
    return [
        Row("over a walk: hand off its target", max(off), 1.0, "mm"),
        Row("over a walk: slip of planted feet", max(slips), 0.5, "mm"),
    ]
