"""How few keys an editable bake needs: `python -m benchmarks editable_keys` prints every manner on three
rigs.

Half a degree and 5 mm of every deforming bone, 1 mm of planted feet, four seconds of walk. `RIGS=word` in the
environment: only rigs with
that word in their name; `MANNERS=word` the same of manners.
"""

import os
import time
from collections.abc import Callable

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.blender import api
from tests import control_rigs, rigs

FIRST, LAST = 1, 97
TOLERANCE = 0.005  # metres; half a degree goes with it, and 1 mm of slip
CONTROL_RIG = "mixamo_control"  # of the shared control rigs
MEAN, MOST = 35.0, 50.0  # % of the keys: whole poses, four a step of 8 to 16 frames
MANNERS = (
    "Natural",
    "Brisk",
    "Stroll",
    "Heavy",
    "Tired",
    "Prowl",
    "Parade",
    "Limp",
    "Runway",
    "Jaunty",
    "Sidestep",
)


def rows() -> list[Row]:
    """Print a line a bake, and return the worst figures."""
    wanted = {name: make for name, make in _RIGS.items() if os.environ.get("RIGS", "") in name}
    share, off, turned, slip = [], [], [], []
    for name, make in wanted.items():
        for manner in MANNERS:
            if os.environ.get("MANNERS", "") not in manner:
                continue
            new_scene()
            obj = make()
            api.generate_walk(obj, mode="TRAVEL")
            api.apply_preset(obj, manner)
            began = time.process_time()
            action = api.bake_walk(
                obj, frame_start=FIRST, frame_end=LAST, keys="EDITABLE", tolerance=TOLERANCE
            )
            took = time.process_time() - began
            share.append(100.0 * action["keys"] / action["dense_keys"])
            off.append(action["off_mm"])
            turned.append(action["off_degrees"])
            slip.append(action["slip_mm"])
            print(
                f"{name:12s} {manner:9s} {action['keys']:5d} of {action['dense_keys']:5d} keys"
                f" {share[-1]:5.1f} %, {off[-1]:.1f} mm, {turned[-1]:.2f} degrees, slip {slip[-1]:.2f} mm,"
                f" {took:.1f} s",
                flush=True,
            )
    return [
        Row("editable bakes: keys against dense, mean", sum(share) / len(share), MEAN, "%"),
        Row("editable bakes: keys against dense, most", max(share), MOST, "%"),
        Row("editable bakes: joints off", max(off), 1e3 * TOLERANCE, "mm"),
        Row("editable bakes: bones turned", max(turned), 0.5, "degrees"),
        Row("editable bakes: slip", max(slip), 1.0, "mm"),
    ]


def _control_rig() -> bpy.types.Object:
    return control_rigs.load(next(row for row in control_rigs.ROWS if CONTROL_RIG in row["file"]))


def _plain() -> bpy.types.Object:
    return rigs.build(rigs.biped(), "Plain")


_RIGS: dict[str, Callable[[], bpy.types.Object]] = {
    "Plain": _plain,
    "Control rig": _control_rig,
    "Rigify": rigs.rigify_human,
}
