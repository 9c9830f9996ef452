"""Characters far away as instances of loops: each kind of walk is baked once, on a character of its own that
all of them show."""

from collections.abc import Hashable
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Collection, Object, Scene

from ...core.character.character import Character
from ...core.errors import NeuraRigError
from ...core.gait.sliders.style import SLIDERS
from ...core.geometry.vectors import transformed
from ...core.sets.clip import clip_plans
from ...core.sets.cutting import clips_of
from ...core.sets.naming import PLAIN, convention
from ..animation import compat
from ..animation.frame_range import played_range
from ..animation.keyframes import Channel, write_channels
from ..animation.objects import link_beside
from ..animation.steps import Steps
from ..character import record
from ..character.read_armature import meshes_of, read_skeleton
from ..follow import follower
from ..sets.export_set import played, walking_of
from ..sets.figure import GameFigure, game_figure
from ..sets.skeleton import game_skeleton
from ..walk.way.path import travels_with
from .ways import Member

CLIPS = {"WALK": "walk_forward", "RUN": "run_forward"}
ON_FOUR_LEGS = {"TROT": "trot_forward", "CANTER": "canter_forward", "GALLOP": "gallop_forward"}
CLASS = 0.1  # speeds of the same class differ by less than that share
EVERY = 0.25  # metres of path from key to key
STANDS_FOR = "neurarig_far"  # custom property of an instance: the character that it stands for
WAS_LIVE = "neurarig_live"  # and whether that was live
HIDES = ("hide_viewport", "hide_render")
HIDDEN = "neurarig_hidden"  # custom property of what an instance hides
OF_ONE = {"speed", "phase", "individual"}  # sliders in which those that share a loop differ


@dataclass(frozen=True)
class Loop:
    """A collection with a character that walks on the spot in a loop, looking along -Y, and the speed in m/s
    at which it would travel."""

    collection: Collection
    speed: float


def kind_of(member: Member) -> Hashable:
    """Return what characters that share a loop have in common: how they look, their styles and sliders, and
    about their speed."""
    walk = member.obj.neurarig.walk
    looks = tuple(
        sorted(
            (len(mesh.data.vertices), *(slot.name for slot in mesh.material_slots))
            for mesh in meshes_of(member.obj)
        )
    )
    sliders = tuple(round(getattr(walk, name), 3) for name in SLIDERS if name not in OF_ONE)
    return (
        looks,
        walk.gait,
        tuple(slot.name for slot in walk.styles if slot.content),
        sliders,
        follower.key(member.obj),
        round(np.log(walk.speed) / CLASS),
    )


def require_loop(member: Member) -> None:
    """Refuse a character that no loop can stand for."""
    walk, name = member.obj.neurarig.walk, member.obj.name
    if walk.gait not in _clips(member) or walk.gait_source != "HUMAN":
        raise NeuraRigError(f"'{name}' neither walks nor runs, so no loop can stand for it. Leave it out.")
    if not travels_with(member.obj) or walk.speed <= 0.0:
        raise NeuraRigError(f"'{name}' goes nowhere. Choose Travel or Path, or leave it out.")
    if not meshes_of(member.obj):
        raise NeuraRigError(f"'{name}' has no mesh that could be seen. Leave it out.")


def _clips(member: Member) -> dict[str, str]:
    """Return the clip that shows each gait of a character."""
    return CLIPS | (ON_FOUR_LEGS if member.source.body.fore is not None else {})


def loop_of(member: Member) -> Steps[Loop]:
    """Make the loop of a character's walk; yields the share done."""
    obj, source, scene = member.obj, member.source, bpy.context.scene
    walking = walking_of(obj, source)
    names = (_clips(member)[obj.neurarig.walk.gait],)
    (clip,) = clips_of(walking, clip_plans(names=names, character=source.body.kind))
    who, name = Character(read_skeleton(obj, scene), source.roles, source.body), f"{obj.name} Loop"
    skeleton = game_skeleton(obj, who, source.walk_to_armature, convention(PLAIN))
    with game_figure(obj, skeleton) as figure:
        (channels,) = yield from played(obj, source, figure.skeleton, [(name, clip)], False)
        return Loop(_kept(figure, name, channels), clip.speed)


def instance(member: Member, loop: Loop) -> Object:
    """Show a loop in place of a character, along its path at the loop's speed, and hide the character;
    returns the new object."""
    obj, source = member.obj, member.source
    thing = bpy.data.objects.new(f"{obj.name} Far", None)
    link_beside(obj, thing)
    thing.instance_type, thing.instance_collection = "COLLECTION", loop.collection
    thing[STANDS_FOR] = obj
    _, last = played_range(bpy.context.scene)
    start, fps = source.clock.start, source.clock.fps
    ends = (
        source.path.drawn.extent[1]
        if member.may_wait
        else max(loop.speed * (last + 1.0 - start) / fps, 2.0 * EVERY)
    )
    distance = np.linspace(0.0, ends, int(ends / EVERY) + 2)
    along = source.path.at(distance)
    places = transformed(along.place, member.to_world)
    ahead = along.ahead @ member.to_world[:3, :3].T
    turns = np.zeros((len(distance), 3))
    turns[:, 2] = np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0])) + 0.5 * np.pi
    frames = start + fps * distance / loop.speed
    action, slot = compat.new_action(thing.name, thing)
    group, rest = "Object Transforms", np.zeros(3)
    moves = [
        Channel(path, rows, rest, group, True, still=-1.0)
        for path, rows in (("location", places), ("rotation_euler", turns))
    ]
    write_channels(action, slot, frames, moves)
    compat.assign(thing.animation_data_create(), action, slot)
    for name in HIDES if member.may_wait else ():  # it does not walk on the spot where the path ends
        for frame, hidden in ((frames[0], False), (frames[-1], True)):
            setattr(thing, name, hidden)
            thing.keyframe_insert(name, frame=frame)
        setattr(thing, name, False)
    thing[WAS_LIVE] = obj.neurarig.walk.live
    _set_live(obj, False)
    _hide(obj)
    return thing


def instances(scene: Scene) -> list[Object]:
    """Return the objects that stand for characters."""
    return [thing for thing in scene.objects if STANDS_FOR in thing]


def remove(thing: Object) -> None:
    """Delete an object that stands for a character, with the last one its loop, and show the character as it
    was."""
    obj = thing[STANDS_FOR]
    if obj is not None:
        for each in (obj, *meshes_of(obj)):
            for name in each.pop(HIDDEN, "").split():
                setattr(each, name, False)
        if thing.get(WAS_LIVE) and record.holds(obj, record.WALK):
            _set_live(obj, True)
    collection, (action, _) = thing.instance_collection, compat.playing(thing)
    bpy.data.objects.remove(thing)
    if action is not None and not action.users:
        bpy.data.actions.remove(action)
    if collection is not None and not any(
        other.instance_collection == collection for other in bpy.data.objects
    ):
        discard(collection)


def discard(collection: Collection) -> None:
    """Delete a loop with its character and its action."""
    made = list(collection.objects)
    data = {thing.data for thing in made}
    actions = {action for thing in made for action, _ in compat.all_actions(thing)}
    bpy.data.batch_remove([collection, *made])
    bpy.data.batch_remove([block for block in (*data, *actions) if block is not None and not block.users])


def _kept(figure: GameFigure, name: str, channels: list[Channel]) -> Collection:
    """Keep a game character that plays a clip again and again, in a collection that only instances show."""
    figure.add_clip(name, channels)
    collection = figure.keep(name)
    (track,) = figure.obj.animation_data.nla_tracks
    track.mute = False
    track.strips[0].repeat = 1000.0
    return collection


def _set_live(obj: Object, live: bool) -> None:
    """Pause a walk or let it go on; its report is as true as before."""
    walk = obj.neurarig.walk
    was_old, walk.live = walk.report_is_old, live
    walk.report_is_old = was_old


def _hide(obj: Object) -> None:
    for each in (obj, *meshes_of(obj)):
        shown = [name for name in HIDES if not getattr(each, name)]
        for name in shown:
            setattr(each, name, True)
        each[HIDDEN] = " ".join(shown)
