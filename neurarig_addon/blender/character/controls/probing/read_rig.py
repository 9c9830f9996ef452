"""Reading an armature for probing: what looks like a control, what is locked, and what may depend on what."""

import re
from collections.abc import Iterable, Iterator, Mapping

import bpy
import numpy as np
from bpy.types import Constraint, Driver, Object, PoseBone

from .....core.controls import families as known
from .....core.controls.control_map import ControlMap
from .....core.controls.figure import ObservedRig
from .....core.controls.rig import ControlRig, Switch, closure
from .....core.skeleton.roles import RoleMap
from .....core.skeleton.skeleton import Skeleton
from ....animation.curve_pose import moved_by
from ....animation.steps import Steps, at_once
from . import paths
from .bench import bench, curve_movers

_BONE = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\](.*)', re.DOTALL)
_CONSTRAINT = re.compile(r'\.constraints\["((?:[^"\\]|\\.)*)"\]\.(\w+)')
_USUAL_TRIALS = 400  # typical for a rig; only for the progress bar


def read_rig(obj: Object) -> ControlRig:
    """Return an armature object's candidates for controls and switches."""
    bones = obj.pose.bones
    nodes = _Nodes(obj)
    for edge in _edges(obj, nodes):
        nodes.add(*edge)
    reach = nodes.closed()
    count = len(bones)
    names = tuple(bone.name for bone in bones)
    switches, rows = _switches(obj, nodes)
    return ControlRig(
        names=names,
        depth=np.array([len(bone.parent_recursive) for bone in bones]),
        rest=np.array([bone.bone.matrix_local for bone in bones], dtype=float),
        free_location=np.array([[not locked for locked in bone.lock_location] for bone in bones])
        & ~np.array([bone.bone.use_connect and bone.parent is not None for bone in bones])[:, None],
        free_rotation=np.array([[not locked for locked in bone.lock_rotation] for bone in bones]),
        shown=np.array([_shown(bone) for bone in bones]),
        reach=reach[:count, :count],
        switches=switches,
        switch_reach=reach[rows, :count],
    )


def direct_sources(obj: Object, switches: bool = False) -> dict[str, set[str]]:
    """Return for every bone those on which it depends directly: its parent, and the bones its constraints and
    drivers read.

    `switches`: and those of whose properties drivers read one.
    """
    nodes = _Nodes(obj)
    edges = list(_edges(obj, nodes))  # they add paths
    names = {row: name for name, row in nodes.rows.items()}
    if switches:
        names |= {
            row: bpy.utils.unescape_identifier(of[1])
            for path, row in nodes.paths.items()
            if (of := _BONE.match(path))
        }
    found: dict[str, set[str]] = {name: set() for name in nodes.rows}
    for source, drain in edges:
        if {names.get(source), names.get(drain)} <= found.keys():
            found[names[drain]].add(names[source])
    return found


def needed_for(bones: Iterable[str], sources: Mapping[str, set[str]]) -> set[str]:
    """Return some bones and all on which they depend; `sources`: see `direct_sources`."""
    found, waiting = set[str](), list(bones)
    while waiting:
        bone = waiting.pop()
        if bone not in found:
            found.add(bone)
            waiting += sources[bone]
    return found


def _shown(bone: PoseBone) -> float:
    """Return how much a bone looks like a control: by custom shape, then visibility, then colour."""
    settings = bone.bone
    seen = not settings.hide and (
        not settings.collections or any(c.is_visible_effectively for c in settings.collections)
    )
    coloured = bone.color.palette != "DEFAULT" or settings.color.palette != "DEFAULT"
    return 2.0 * (bone.custom_shape is not None) + 1.0 * seen + 0.5 * coloured


class _Nodes:
    """Bones and switches, by number, and what depends directly on what."""

    def __init__(self, obj: Object) -> None:
        self.rows = {bone.name: row for row, bone in enumerate(obj.pose.bones)}
        self.paths: dict[str, int] = {}
        self.pairs: set[tuple[int, int]] = set()

    def of_path(self, path: str) -> int:
        return self.paths.setdefault(path, len(self.rows) + len(self.paths))

    def add(self, source: int, drain: int) -> None:
        self.pairs.add((source, drain))

    def closed(self) -> np.ndarray:
        edges = np.zeros((len(self.rows) + len(self.paths),) * 2, dtype=bool)
        if self.pairs:
            sources, drains = np.array(sorted(self.pairs)).T
            edges[sources, drains] = True
        return closure(edges)


def _edges(obj: Object, nodes: _Nodes) -> Iterator[tuple[int, int]]:
    rows, solved = nodes.rows, _solved(obj)
    for bone in obj.pose.bones:
        if bone.parent is not None:
            yield rows[bone.parent.name], rows[bone.name]
        for constraint in bone.constraints:
            if constraint.mute and not _is_driven(obj, bone, constraint):
                continue
            moved = [rows[name] for name in moved_by(bone, constraint)]
            sources = [rows[name] for name in _looked_at(obj, constraint) if name in rows]
            if constraint.type in {"IK", "SPLINE_IK"}:
                sources += [*moved, rows[bone.name]]
            yield from ((source, drain) for source in sources for drain in moved)
            if constraint.type != "IK" and not (constraint.type == "LIMIT_ROTATION" and bone.name in solved):
                continue  # others come several per limb: without a switch for all, no animator would use them
            influence = f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].constraints["'
            influence += f'{bpy.utils.escape_identifier(constraint.name)}"].influence'
            yield from ((nodes.of_path(influence), drain) for drain in moved)
    data = obj.animation_data
    for curve in data.drivers if data else ():
        drains = [*_driven(obj, curve.data_path, nodes)]
        for source in _inputs(obj, curve.driver, nodes):
            yield from ((source, drain) for drain in drains)


def _solved(obj: Object) -> set[str]:
    """Return the bones that IK solvers bend; limits on these are turned off with the solver."""
    solvers = [
        (bone, one)
        for bone in obj.pose.bones
        for one in bone.constraints
        if one.type == "IK" and not one.mute
    ]
    return {name for bone, one in solvers for name in moved_by(bone, one)}


def _looked_at(obj: Object, constraint: Constraint) -> Iterator[str]:
    if constraint.type == "SPLINE_IK" and constraint.target is not None:
        yield from curve_movers(constraint.target, obj)
    if getattr(constraint, "target", None) == obj:
        yield getattr(constraint, "subtarget", "")
    if getattr(constraint, "pole_target", None) == obj:
        yield getattr(constraint, "pole_subtarget", "")
    for target in getattr(constraint, "targets", ()):
        if target.target == obj:
            yield target.subtarget


def _is_driven(obj: Object, bone: PoseBone, constraint: Constraint) -> bool:
    names = map(bpy.utils.escape_identifier, (bone.name, constraint.name))
    base = 'pose.bones["{}"].constraints["{}"]'.format(*names)
    data = obj.animation_data
    return any(data.drivers.find(f"{base}.{key}") for key in ("mute", "enabled")) if data else False


def _driven(obj: Object, path: str, nodes: _Nodes) -> Iterator[int]:
    """Yield what a driver of this property moves: bones, or another switch."""
    found = _BONE.fullmatch(path)
    if not found:
        yield nodes.of_path(path)
        return
    name, rest = bpy.utils.unescape_identifier(found[1]), found[2]
    bone = obj.pose.bones.get(name)
    if bone is None:
        return
    inner = _CONSTRAINT.match(rest)
    constraint = bone.constraints.get(bpy.utils.unescape_identifier(inner[1])) if inner else None
    if constraint is not None:
        yield nodes.of_path(path) if inner[2] == "influence" else nodes.rows[name]
        yield from (nodes.rows[link] for link in moved_by(bone, constraint))
    elif rest.startswith("["):
        yield nodes.of_path(path)
    else:
        yield nodes.rows[name]


def _inputs(obj: Object, driver: Driver, nodes: _Nodes) -> Iterator[int]:
    """Yield the bones and switches that a driver reads."""
    for variable in driver.variables:
        for target in variable.targets:
            if target.id not in (obj, obj.data):
                continue
            if variable.type != "SINGLE_PROP":
                if target.bone_target in nodes.rows:
                    yield nodes.rows[target.bone_target]
                continue
            path = target.data_path if target.id == obj else f"data{target.data_path}"
            found = _BONE.fullmatch(path)
            if found and found[2].startswith("."):
                name = bpy.utils.unescape_identifier(found[1])
                if name in nodes.rows:
                    yield nodes.rows[name]
            else:
                yield nodes.of_path(path)


def _switches(obj: Object, nodes: _Nodes) -> tuple[tuple[Switch, ...], list[int]]:
    """Return the switches that nothing drives, and their numbers."""
    data = obj.animation_data
    driven = {curve.data_path for curve in data.drivers} if data else set()
    found = []
    for path, row in nodes.paths.items():
        value = paths.value(obj, path)
        if value is not None and path not in driven:
            others = _others(float(value), *paths.limits(obj, path))
            if others:
                found.append((Switch(path, float(value), others), row))
    return tuple(switch for switch, _ in found), [row for _, row in found]


def _others(value: float, low: float, high: float) -> tuple[float, ...]:
    """Return the values to try besides a switch's own: the ends of its range."""
    if abs(low) > 100.0 or abs(high) > 100.0:
        low, high = 0.0, 1.0
    return tuple(other for other in (low, high) if abs(other - value) > 1e-6)


@at_once
def probe(obj: Object, skeleton: Skeleton, roles: RoleMap) -> Steps[ControlMap]:
    """Find a rig's controls; the file stays as it was, even if closed early."""
    with bench(obj) as place:
        rig = read_rig(place.obj)
        figure = ObservedRig.of(skeleton, roles, rig.names)
        search = known.find_known_controls(rig, figure, known.families())
        trials = 0
        try:
            trial = next(search)
            while True:
                trials += 1
                trial = search.send(place.answer(rig, trial))
                yield 1.0 - _USUAL_TRIALS / (_USUAL_TRIALS + trials)
        except StopIteration as finished:
            return finished.value
