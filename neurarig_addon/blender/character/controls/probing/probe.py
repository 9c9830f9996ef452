"""From an armature to the map of its controls, trial by trial."""

from collections.abc import Generator

import bpy

from .....core.controls.control_map import ControlMap
from .....core.controls.families import families, find_known_controls
from .....core.controls.figure import Figure
from .....core.skeleton.roles import RoleMap
from .....core.skeleton.skeleton import Skeleton
from ....animation.steps import finish_in_sight
from .bench import bench
from .read_rig import read_rig

_USUAL_TRIALS = 400  # typical for a rig; only for the progress bar


def probe(obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap) -> ControlMap:
    """Find a rig's controls at once, with Blender's progress cursor."""
    return finish_in_sight(probe_steps(obj, skeleton, roles))


def probe_steps(obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap) -> Generator[float, None, ControlMap]:
    """Find a rig's controls step by step, yielding the share done; the file stays as it was, even if closed early."""
    with bench(obj) as place:
        rig = read_rig(place.obj)
        figure = Figure.of(skeleton, roles, rig.names)
        search = find_known_controls(rig, figure, families())
        trials = 0
        try:
            trial = next(search)
            while True:
                trials += 1
                trial = search.send(place.answer(rig, trial))
                yield 1.0 - _USUAL_TRIALS / (_USUAL_TRIALS + trials)
        except StopIteration as finished:
            return finished.value
