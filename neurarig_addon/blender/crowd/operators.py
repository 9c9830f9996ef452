"""Several characters: the walk of the active one on the selected ones, curves from crowd tools, who waits for
whom."""

from pathlib import Path
from typing import Any

import bpy

from ..animation.properties import KEPT
from ..animation.steps import Steps
from ..character import record
from ..character.record import WALK
from ..interface.file_operator import reads
from ..interface.operator import CharacterOperator, StepsOperator
from . import api, loops, members, paths

CURVES = "CURVES"


class NEURARIG_OT_copy_walk(StepsOperator):
    """Make the other selected characters walk as the active one, each as a person of its own, with its own
    phase and speed"""

    bl_label = "Copy to Selected"
    needs = "Needs a walk, and other characters selected besides"
    holder = WALK
    lacks = (
        "Select the characters that are to walk too, and the one that walks last",
        lambda context, _: members.selected_others(context),
    )
    doing = "Copy Walk"
    confirm = "Copy"

    paths: KEPT.choice(
        "Paths",
        "Where each walks",
        items=(
            ("STAND", "From Where They Stand", "A copy of the path for each, beginning where it stands"),
            ("BESIDE", "Beside", "A copy of the path for each, in lanes on both sides"),
            (
                CURVES,
                "Selected Curves",
                "One selected curve for each, both by name; loaded trajectories keep their times",
            ),
        ),
        default="STAND",
    )
    seed: KEPT.whole("Seed", "Another number draws other persons, phases and speeds", min=0)

    def invoke(self, context, event):
        if members.selected_curves(context) and not self.properties.is_property_set("paths"):
            self.paths = CURVES
        return super().invoke(context, event)

    def steps(self, context, obj) -> Steps[dict[str, Any]]:
        given = members.selected_curves(context) if self.paths == CURVES else self.paths
        return api.copy_walk.steps(obj, members.selected_others(context), paths=given, seed=self.seed)

    def done(self, context, obj, result: dict[str, Any]):
        self.tell([*result["refused"].values(), *result["notes"]])
        return f"{_counted(len(result['reports']), 'walks', 'walk')} as '{obj.name}'."


class _OthersOperator(CharacterOperator):
    """An operator on the other selected characters, of which some walk."""

    needs = "Needs other selected characters that walk"
    lacks = (
        "None of the other selected characters walks",
        lambda context, _: _walking_others(context),
    )


class NEURARIG_OT_remove_copies(_OthersOperator):
    """Remove the walks of the other selected characters, and the curves that were made for them"""

    bl_label = "Remove from Selected"

    def act(self, context, obj):
        others = _walking_others(context)
        self.tell(api.remove_copies(others))
        return f"{_counted(len(others), 'is back as it was', 'are back as they were')} before the walk."


class NEURARIG_OT_load_trajectories(
    reads("Table of agents, times and places", ".csv", ".tsv", ".txt", ".json")
):
    """Load a table of trajectories from a crowd tool (.csv or .json): a curve for each agent that keeps its
    times"""

    bl_label = "Load Trajectories"

    scale: KEPT.number("Scale", "Metres per unit of the file", default=1.0, min=1e-6, soft_max=100.0)

    def act(self, context, obj):
        curves = api.load_trajectories(self.filepath, scale=self.scale)
        for curve in curves:
            curve.select_set(True)
        self.tell([said for curve in curves if (said := paths.said_of(curve))])
        return (
            f"Loaded {len(curves)} paths from '{Path(self.filepath).name}'. Select the characters, and click"
            " Copy to Selected."
        )


class NEURARIG_OT_clear_crossings(StepsOperator):
    """Have the selected characters wait for one another where their paths cross, by waypoints; with one
    selected, all that walk"""

    bl_label = "Clear Crossings"
    needs = "Needs several characters that walk along paths"
    holder = WALK
    doing = "Clear Crossings"

    def steps(self, context, obj) -> Steps[dict[str, Any]]:
        chosen = [each for each in members.selected(context) if record.holds(each, WALK)]
        return api.clear_crossings.steps(chosen if len(chosen) > 1 else members.walkers(context.scene))

    def done(self, context, obj, result: dict[str, Any]):
        self.tell(result["left"])
        if not result["waits"]:
            return "Nobody has to wait."
        return f"{_counted(len(result['waits']), 'makes way', 'make way')} for others, by waypoints."


class NEURARIG_OT_far_as_loops(_OthersOperator, StepsOperator):
    """Show the other selected characters as instances of shared loops, which cost next to nothing: for those
    far away"""

    bl_label = "Far Ones as Loops"
    doing = "Far Ones as Loops"

    def steps(self, context, obj) -> Steps[dict[str, Any]]:
        return api.far_as_loops.steps(_walking_others(context))

    def done(self, context, obj, result: dict[str, Any]):
        self.tell([*result["refused"].values()])
        shown, kinds = sum(map(len, result["loops"].values())), len(result["loops"])
        return f"{_counted(shown, 'is', 'are')} shown by {'1 loop' if kinds == 1 else f'{kinds} loops'}."


class NEURARIG_OT_near_again(CharacterOperator):
    """Show all characters themselves again in place of loops"""

    bl_label = "Near Again"
    needs = "Needs characters that are shown as loops"
    lacks = "No character is shown as a loop", lambda context, _: loops.instances(context.scene)

    def act(self, context, obj):
        return f"{_counted(api.near_again(), 'is', 'are')} near again."


def _walking_others(context: bpy.types.Context) -> list[bpy.types.Object]:
    return [obj for obj in members.selected_others(context) if record.holds(obj, WALK)]


def _counted(count: int, one: str, several: str) -> str:
    return f"1 character {one}" if count == 1 else f"{count} characters {several}"
