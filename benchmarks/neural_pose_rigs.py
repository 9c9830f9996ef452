"""Locked targets within reach on every biped of the shared rigs and on Rigify's: python -m benchmarks
neural_pose_rigs.

Within reach are the points of poses that the rig's own bones make (`reached`). Every target, or
the locked ones alone, is
put there, and the pose that Blender evaluates is compared with it.
"""

import os
from collections.abc import Callable, Iterator

import bpy

from benchmarks.reached import farthest_miss_mm
from benchmarks.table import Row
from neurarig_addon.core.errors import NeuraRigError
from tests import rigs
from tests.shared_rigs import STANDING, load

LIMIT_MM = 0.1
SETS = ("MAIN", "FULL")
CONTROLS = ("FK", "IK")


def rows() -> list[Row]:
    """Measure every standing biped on FK bones and on IK controls, and print each; `RIGS=word` in the
    environment: only some."""
    found = []
    for controls in CONTROLS:
        worst, refused = (0.0, "-"), []
        count = 0
        for name, make in _subjects():
            count += 1
            for point_set in SETS:
                try:
                    miss, where = farthest_miss_mm(make, point_set, controls)
                except NeuraRigError as refusal:
                    refused.append(f"{name}: {refusal}")
                    print(f"{name:42s} {controls} {point_set:4s} refused: {refusal}")
                    continue
                worst = max(worst, (miss, f"{name}, {point_set}, {where}"))
                print(f"{name:42s} {controls} {point_set:4s} {miss:9.4f} mm  {where}", flush=True)
        found += [
            Row(
                f"locked targets within reach on {count} rigs, {controls}: farthest miss",
                worst[0],
                LIMIT_MM,
                "mm",
                note=worst[1],
            ),
            Row(
                f"locked targets within reach on {count} rigs, {controls}: refused",
                len(refused),
                0,
                "",
                note="; ".join(refused),
            ),
        ]
    return found


def _subjects() -> Iterator[tuple[str, Callable[[], bpy.types.Object]]]:
    """Yield what to pose: a name, and what loads it into an empty scene."""
    subjects: list[tuple[str, Callable[[], bpy.types.Object]]] = [
        ("Rigify human, generated here", rigs.rigify_human),
        ("Rigify metarig, made here", rigs.rigify_metarig),
        ("metarig with IK legs, made here", rigs.metarig_with_leg_ik),
    ]
    subjects += [(row["file"], lambda row=row: load(row)) for row in STANDING]
    wanted = os.environ.get("RIGS", "")
    return (subject for subject in subjects if wanted in subject[0])
