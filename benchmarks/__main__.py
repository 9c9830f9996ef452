"""Measure and print the speed table: python -m benchmarks PART ... [--keep FILE] [--after FILE].

The parts need different Pythons (torch for one, bpy for the others), so one run may keep its rows for the
next to print.
"""

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path

from benchmarks import table
from tests.shared_data import find_shared

WITHOUT_BLENDER = (
    "network_speed",
    "profile_logic",
    "online_learning",
    "ikrig_codec",
    "plan_speed",
    "styles",
    "parametric",
    "retarget_clips",
    "neural_ik",
    "neural_solver_speed",
    "link_round_trip",
    "sequence",
    "sequence_led",
    "played_stream",
)
IN_BLENDER = (
    "enable_cost",
    "panel_draws",
    "handler_speed",
    "ground_speed",
    "crowd_speed",
    "footprint_speed",
    "act_drags",
    "bake_speed",
    "batch_speed",
    "editable_keys",
    "reduce_keys",
    "retarget_speed",
    "retarget_rigs",
    "neural_pose_speed",
    "neural_pose_rigs",
    "pose_drags",
    "neural_clip",
    "detection",
    "control_rigs",
    "drawn_bodies",
    "drawn_clips",
    "drawn_control_rigs",
    "one_piece",
    "given_back",
    "same_frame",
    "paths_on_rigs",
    "anywhere",
    "over_walk",
    "bounces_on_rigs",
    "runs_on_rigs",
    "follow_through",
)
# What is not part of the repository (see `tests.shared_data`), and who measures nothing without it.
SHARED = {
    "rigs": (
        "bounces_on_rigs",
        "follow_through",
        "given_back",
        "one_piece",
        "paths_on_rigs",
        "retarget_rigs",
        "runs_on_rigs",
    ),
    "control-rigs": ("control_rigs", "editable_keys", "over_walk"),
    "data": (
        "ikrig_codec",
        "parametric",
        "reduce_keys",
        "retarget_clips",
        "retarget_rigs",
        "sequence",
        "sequence_led",
        "styles",
    ),
}


def main() -> None:
    """Measure the parts named and print all rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="+", choices=(*WITHOUT_BLENDER, *IN_BLENDER))
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="write the rows to a file instead of printing them"
    )
    parser.add_argument("--after", type=Path, metavar="FILE", help="print these rows first")
    parser.add_argument(
        "--mocap",
        metavar="FOLDER",
        help="of sequence and sequence_led: recordings of people that the network has not seen",
    )
    options = parser.parse_args()
    if options.mocap:
        os.environ["SEQUENCE_MOCAP"] = options.mocap
    for folder, parts in SHARED.items():
        missing = [part for part in options.parts if part in parts and not find_shared(folder)]
        if missing and not options.mocap:
            sys.exit(f"No shared '{folder}' for {', '.join(missing)}: set NEURARIG_SHARED to what holds it.")
    rows = table.load(options.after) if options.after else []
    if not set(options.parts).isdisjoint(IN_BLENDER):
        register_addon()
    for part in options.parts:
        rows += import_module(f"benchmarks.{part}").rows()
    if options.keep:
        table.save(rows, options.keep)
    else:
        print()
        table.print_table(rows)


def register_addon() -> None:
    """Register NeuraRig in the bpy module."""
    import neurarig_addon

    neurarig_addon.register()


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # some bpy modules crash in the interpreter's own exit
