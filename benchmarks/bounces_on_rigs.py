"""Whether shared bipeds skip, gallop and hop with planted feet: python -m benchmarks bounces_on_rigs.

The contact report is measured on the evaluated bones over three seconds of Travel. `RIGS=word` in the
environment: only files with that
word; `EVERY=n`: only each nth of them.
"""

import os

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.paths_on_rigs import Went, figures_of
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.core.errors import NeuraRigError
from tests.shared_rigs import STANDING, load

SECONDS = 3.0
KINDS = {
    "skip": {"gait": "SKIP"},
    "gallop": {"gait": "GALLOP", "lead": "RIGHT"},
    "hop": {"gait": "HOP", "hop_on": "BOTH"},
    "hop on the left foot": {"gait": "HOP", "hop_on": "LEFT"},
}


def rows() -> list[Row]:
    """Have every standing biped do all of it, print each, and return the figures."""
    wanted, every = os.environ.get("RIGS", ""), int(os.environ.get("EVERY", "1"))
    went: dict[str, Went] = {}
    for row in [row for row in STANDING if wanted in row["file"]][::every]:
        new_scene()
        obj = load(row)
        for name, settings in KINDS.items():
            one = went[f"{row['file']}, {name}"] = bounced(obj, settings)
            print(f"{row['file']:42s} {name:22s} {one.text}", flush=True)
    return figures_of(f"{len(went)} skips, gallops and hops", went)


def bounced(obj: bpy.types.Object, settings: dict[str, str]) -> Went:
    """Return how a character does it, at the natural speed of the gait."""
    try:
        api.generate_walk(obj, mode="TRAVEL", **settings)
        report = api.contact_report(obj, (1, round(SECONDS * bpy.context.scene.render.fps)))
        api.remove_walk(obj)
    except NeuraRigError as refusal:
        return Went(refusal=str(refusal))
    percent = 0.1 / report["leg_length_m"]
    return Went(
        percent * max(side["max"] or 0.0 for side in report["slip_mm"].values()),
        percent * report["penetration_mm"],
    )
