"""Several characters for scripts; `blender.api` hands these on."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import Object

from ...core.crowd.crossings import cleared
from ...core.crowd.draws import Draw, drawn
from ...core.crowd.meetings import Meeting, nearest
from ...core.crowd.timing import timed_line
from ...core.crowd.trajectories import read_trajectories
from ...core.errors import NeuraRigError
from ...core.files.json_text import is_finite
from ...core.geometry.rotation import norms
from ..animation.objects import is_deleted
from ..animation.steps import Steps, at_once, part_of
from ..character import holding, record
from ..follow import chains
from ..walk.api.walk import generate_walk, remove_walk
from ..walk.changes import changes
from ..walk.settings.backup import kept_on_failure, restore_settings, saved_settings
from ..walk.settings.requirements import require_walk
from ..walk.way import path, world
from . import loops, members, paths, ways
from .ways import Member

STAND, BESIDE = "STAND", "BESIDE"
Paths = str | Sequence[Object] | Mapping[str, Object]


@at_once
def copy_walk(
    hero: Object, others: Iterable[Object], *, paths: Paths = STAND, seed: int = 0
) -> Steps[dict[str, Any]]:
    """Make other characters walk as one does, each as a person of its own with its own phase and speed.

    Args:
        paths: 'STAND' gives each a copy of the path that begins where it stands, 'BESIDE' one in a lane
        beside it; or a list of curves,
            one for each in order, or a dict of them by name of the character. Curves of `load_trajectories`
            keep their times. Without
            a path each walks from where it stands. `hero` may be among the others: it takes a path, and stays
            as it is else.
        seed: draws persons, phases, speeds and lanes; the same number draws the same.

    Returns a dict with `reports` (name -> contact report), `paths` (name -> name of its curve), `notes` (a
    sentence for each that is not where its curve's times say) and `refused` (name -> sentence): a character
    that cannot walk stays as it was, and the others go on. Raises NeuraRigError if none can.
    """
    chosen = members.require_characters(hero, others)
    if not isinstance(seed, int) or not 0 <= seed < 2**31:
        raise NeuraRigError(f"The seed needs a whole number of 0 or more, not '{seed}'.")
    given = _given(hero, chosen, paths)
    reports: dict[str, Any] = {}
    refused: dict[str, str] = {}
    with ExitStack() as made:
        for number, obj in enumerate(chosen):
            before = saved_settings(obj), record.holds(obj, record.WALK)
            try:
                steps = _walked(hero, obj, given, drawn(seed, number), str(paths))
                reports[obj.name] = yield from part_of(
                    steps, number / len(chosen), (number + 1) / len(chosen)
                )
                made.callback(_undo, obj, *before)
            except NeuraRigError as refusal:
                refused[obj.name] = str(refusal)
        if not reports:
            raise NeuraRigError(next(iter(refused.values())))
        made.pop_all()
    leads = {
        obj: obj.neurarig.walk.path
        for obj in chosen
        if obj.name in reports and obj.neurarig.walk.path is not None
    }
    return {
        "reports": reports,
        "paths": {obj.name: thing.name for obj, thing in leads.items()},
        "notes": [note for obj in leads for note in _off_times(obj)],
        "refused": refused,
    }


def remove_copies(objs: Iterable[Object]) -> list[str]:
    """Remove the walks of characters, and the curves that were made for them.

    Returns the exceptions, a sentence each, as `remove_walk` does. Raises NeuraRigError, before anything is
    changed, if one has no walk.
    """
    found = list(dict.fromkeys(objs))
    for obj in found:
        require_walk(obj)
    for thing in loops.instances(bpy.context.scene):
        if thing[loops.STANDS_FOR] in found:
            loops.remove(thing)
    notes = [note for obj in found for note in remove_walk(obj)]
    for obj in found:
        with changes.as_one(obj):
            paths.remove_made(obj)
    return notes


def load_trajectories(file: str | Path, *, scale: float = 1.0, fps: float | None = None) -> list[Object]:
    """Add a curve for each agent of a file of trajectories, and return the curve objects in the order of the
    file.

    Args:
        file: a table (.csv, .tsv, .txt) with columns agent or id, t (seconds) or frame, x, y and perhaps z,
        or the same as .json;
            or one of ETH's and UCY's, without names of columns.
        scale: metres per unit of the file. fps: frames per second of a file with frames; by default those of
        the scene.

    Time 0 of the file is the first frame of the scene. The curves keep their times as keys of their
    Evaluation Time: who walks along
    one (see `copy_walk`) is where its agent was. Agents that move less than a step are left out. Raises
    NeuraRigError, naming the
    file and what it lacks, if it is no such table or nobody in it moves.
    """
    if not is_finite(scale) or scale <= 0.0 or (fps is not None and (not is_finite(fps) or fps <= 0.0)):
        raise NeuraRigError("Scale and frames per second must be numbers above 0.")
    table = Path(bpy.path.abspath(str(file)))
    render = bpy.context.scene.render
    rate = render.fps / render.fps_base
    lines, problem = [], "it has no agents"
    for agent in read_trajectories(table):
        try:
            seconds = agent.times / (fps or rate) if agent.in_frames else agent.times
            lines.append((agent, timed_line(seconds, scale * agent.places)))
        except NeuraRigError as refusal:
            problem = str(refusal)
    if not lines:
        raise NeuraRigError(f"'{table.name}' has no agent that walks. {problem}")
    unit = 1.0 / bpy.context.scene.unit_settings.scale_length
    return [
        paths.timed_curve(f"{table.stem} {agent.name}", line, rate, unit, agent.lost) for agent, line in lines
    ]


@at_once
def clear_crossings(objs: Iterable[Object], *, radius: float | None = None) -> Steps[dict[str, Any]]:
    """Have characters wait for one another where their paths cross, by waypoints on their paths; nobody
    leaves its path.

    Who comes first to a crossing goes first; a later one walks more slowly up to it, or stands before it.
    Waypoints of an earlier
    call are made anew.  Walks without a path, along keys or in laps go on, and the others wait for them.

    Args:
        radius: of each in metres; by default 0.3 leg lengths.

    Returns a dict with `waits` (name -> list of waypoints), `left` (sentences about those that still meet)
    and `nearest`, the least
    metres between two of them at any time, beyond their radii. Raises NeuraRigError for a character without a
    walk.
    """
    scene, found = bpy.context.scene, list(dict.fromkeys(objs))
    if radius is not None and (not is_finite(radius) or radius <= 0.0):
        raise NeuraRigError(f"The radius needs a number of metres above 0, not '{radius}'.")
    for obj in found:
        require_walk(obj)
    if len(found) < 2:
        raise NeuraRigError("Only one character walks. Give another one a walk, or select several.")
    walking = [Member.of(obj, scene) for obj in found]
    frames = ways.frames_of(walking, scene)
    passers = [member.passer(frames, radius) for member in walking]
    solution = yield from part_of(cleared(passers, ways.EVERY), 0.0, 0.9)
    with ExitStack() as kept:
        for member, marks in zip(walking, solution.marks, strict=True):
            kept.enter_context(kept_on_failure(member.obj))
            ways.set_waits(member, marks)
        seen = [(member := Member.of(obj, scene)).way(member.source.planned, frames) for obj in found]
    radii = np.array([passer.radius for passer in passers])
    return {
        "waits": {obj.name: waits for obj in found if (waits := _waits(obj))},
        "left": [_sentence(found, meeting, frames) for meeting in solution.left],
        "nearest": nearest(seen, radii),
    }


@at_once
def far_as_loops(objs: Iterable[Object]) -> Steps[dict[str, Any]]:
    """Show characters that are far away as instances of loops, which cost next to nothing: a loop for each
    look, style and class of speeds.

    An instance follows the path at its loop's speed, without waiting, and is hidden after the path's end; the
    character itself is hidden and paused until `near_again`.

    Returns a dict with `loops` (name of the loop's collection -> names of its characters) and `refused` (name
    -> sentence). Raises
    NeuraRigError, with nothing changed, for a character without a walk, or if none can be shown so.
    """
    scene, far, refused = bpy.context.scene, list[Member](), dict[str, str]()
    there = {thing[loops.STANDS_FOR] for thing in loops.instances(scene)}
    for obj in dict.fromkeys(objs):
        require_walk(obj)
        try:
            member = Member.of(obj, scene)
            loops.require_loop(member)
            far += [member] if obj not in there else []
        except NeuraRigError as refusal:
            refused[obj.name] = str(refusal)
    if not far:
        raise NeuraRigError(next(iter(refused.values()), "All of them are shown as loops already."))
    kinds: dict[Any, list[Member]] = {}
    for member in far:
        kinds.setdefault(loops.kind_of(member), []).append(member)
    found: dict[str, list[str]] = {}
    with ExitStack() as made:
        for number, alike in enumerate(kinds.values()):
            loop = yield from part_of(loops.loop_of(alike[0]), number / len(kinds), (number + 1) / len(kinds))
            unused = made.enter_context(ExitStack())
            unused.callback(loops.discard, loop.collection)
            for member in alike:
                made.callback(loops.remove, loops.instance(member, loop))
            unused.pop_all()  # goes with its last instance
            found[loop.collection.name] = [member.obj.name for member in alike]
        made.pop_all()
    return {"loops": found, "refused": refused}


def near_again(objs: Iterable[Object] | None = None) -> int:
    """Show characters (None: all) themselves again in place of instances of loops, and return how many;
    unused loops are deleted.

    Raises NeuraRigError if none is shown as a loop.
    """
    wanted = None if objs is None else set(objs)
    found = [
        thing
        for thing in loops.instances(bpy.context.scene)
        if wanted is None or thing[loops.STANDS_FOR] in wanted
    ]
    if not found:
        raise NeuraRigError("No character is shown as a loop. Click Far Ones as Loops first.")
    for thing in found:
        loops.remove(thing)
    return len(found)


def _given(hero: Object, chosen: list[Object], given: Paths) -> dict[str, Object]:
    """Return the given paths by name of the character; none if they are made."""
    if isinstance(given, str):
        if given not in (STAND, BESIDE):
            raise NeuraRigError(
                f"'{given}' is not a choice of paths; it is {STAND}, {BESIDE}, or a list of curves."
            )
        if hero in chosen:
            raise NeuraRigError(
                f"'{hero.name}' cannot take a copy of its own path. Leave it out, or give curves."
            )
        return {}
    listed = [given.get(obj.name) for obj in chosen] if isinstance(given, Mapping) else list(given)
    paths.require_paths(listed, len(chosen))
    return {obj.name: thing for obj, thing in zip(chosen, listed, strict=False) if thing is not None}


def _walked(hero: Object, obj: Object, given: dict[str, Object], draw: Draw, choice: str) -> Steps[dict]:
    """Make a character walk as another one; if it cannot, it is as it was."""
    holding.require_attachable(obj, record.WALK)
    scene, with_path = (
        bpy.context.scene,
        hero.neurarig.walk.mode == "PATH" and hero.neurarig.walk.path is not None,
    )
    person = {} if obj == hero else members.person_of(hero, obj, scene, draw)
    with ExitStack() as on_failure:
        way: dict[str, Any] = {}
        if given:
            thing = given[obj.name]
            way = {"mode": "PATH", "path": thing} | paths.begin_of(thing)
        elif with_path:
            thing = (
                paths.beside(hero, obj, scene, draw)
                if choice == BESIDE
                else paths.from_where_it_stands(hero, obj, scene)
            )
            on_failure.callback(paths.discard, thing)
            way = {"path": thing}
        before = obj.neurarig.walk.path
        with kept_on_failure(obj):
            with changes.as_one(obj):
                if obj != hero:
                    members.copy_settings(hero, obj, with_way=not given)
            report = yield from generate_walk.steps(obj, **person, **way)
            if obj != hero:
                chains.share(hero, obj)
        on_failure.pop_all()
    if before is not None and before != obj.neurarig.walk.path and paths.MADE in before:
        _discard_unused(before)
    return report


def _discard_unused(thing: Object) -> None:
    """Delete a path that was made earlier, if nobody walks along it any more."""
    if (
        not any(other.type == "ARMATURE" and other.neurarig.walk.path == thing for other in bpy.data.objects)
        and not thing[paths.MADE]
    ):
        paths.discard(thing)


def _undo(obj: Object, before: dict[str, Any], walked: bool) -> None:
    """Take a walk off a character again, or give it back the one it had."""
    if is_deleted(obj):
        return
    made = obj.neurarig.walk.path
    if not walked:
        remove_walk(obj)
    restore_settings(obj, before)
    if made is not None and made.get(paths.MADE) == "":
        _discard_unused(made)


def _off_times(obj: Object) -> list[str]:
    """Return a sentence if the keyed times of a character's curve are not its table's, and one if it is not
    where they lead it."""
    said = [paths.said_of(obj.neurarig.walk.path)]
    if not path.is_keyed(obj):
        return []
    member = Member.of(obj, bpy.context.scene)
    frames, places = path.keyed_places(obj.neurarig.walk.path, world.AS_IS)
    wanted = places[:, :2] * norms(member.to_ground[:3, 0]) / norms(member.to_world[:3, 0])
    off = norms(member.way(member.source.planned, frames).places - wanted)
    if off.max() > paths.FAR_OFF:
        said.append(
            f"'{obj.name}' is up to {off.max():.2f} m from its path's times, at frame"
            f" {frames[int(np.argmax(off))]:.0f}."
        )
    return [sentence for sentence in said if sentence]


def _waits(obj: Object) -> list[dict[str, float]]:
    """Return the waypoints at which a character makes way."""
    found = (marker for marker in obj.neurarig.walk.markers if marker.yields)
    return [
        {"distance": marker.distance, "pause": marker.pause}
        | ({"frame": marker.frame} if marker.is_timed else {})
        for marker in found
    ]


def _sentence(found: list[Object], meeting: Meeting, frames: np.ndarray) -> str:
    one, other = found[meeting.first].name, found[meeting.second].name
    when = f"at frame {frames[meeting.row]:.0f}"
    if meeting.is_head_on:
        return (
            f"'{one}' and '{other}' come towards each other on the same line {when}: waiting does not help."
            " Move one path aside."
        )
    return (
        f"'{one}' and '{other}' meet {when}, and no wait was found that lets them pass. Move a path aside, or"
        " let one start later."
    )
