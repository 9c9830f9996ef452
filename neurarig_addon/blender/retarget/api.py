"""Retargeting for scripts; exported by `blender.api`.

    from bl_ext.user_default.neurarig.neurarig_addon.blender import api
    api.retarget(hero, source=actor, action=bpy.data.actions["Jump"], root="OBJECT")
    api.retarget(hero, file="walk.bvh")
    api.retarget_folder(hero, "//mocap", controls="IK")
    api.link_retarget(hero, source=actor)
    api.continue_motion(hero, seconds=20.0, turn=15.0)
    api.continue_motion(hero, to=bpy.data.objects["Door"], stand=True)

`obj` is the armature object that takes the clip. A source, action or file and every option of
`options.OPTIONS` may be given; the
others are taken from `Object.neurarig.retarget`. Errors that the user can fix are raised as NeuraRigError and
leave the file unchanged.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Action, Object

from ...core.errors import NeuraRigError
from ...core.ikrig import storage
from ...core.ikrig.encoding import Encoding
from ...core.sequence.continuation import require_seconds
from ..animation import compat
from ..animation.frame_range import play_range, played_range
from ..animation.scratch import same_frame_after, show, show_again
from ..animation.steps import Steps, at_once, part_of
from ..character import bakes as bakes_of
from ..character import holding, integrity, lasting, record, requirements, stash
from ..character.record import CLIP
from ..over import wishes
from . import bake, lead, read_source, settings
from . import live as link
from . import source as clip_source
from .bake import BatchResult
from .choices import Choices
from .clip import first_way
from .settings import CONTINUING
from .source import ClipSource

WRITABLE = clip_source.ENCODINGS
_CONTINUED = {name.removeprefix("continue_"): name for name in (*CONTINUING, "continue_to")}


def _one_action(steps: Callable[..., Steps[list[BatchResult]]]) -> Any:
    """Have a function that begins retargeting one clip do all of it and return the action; `steps`: the
    results, step by step."""
    whole = at_once(steps)

    @wraps(steps)
    def action(*given: Any, **named: Any) -> Action:
        return whole(*given, **named)[-1].action

    found: Any = action
    found.steps = steps
    return found


@_one_action
def retarget(
    obj: Object, *, check: bool = True, action_name: str = "", **given: Any
) -> Steps[list[BatchResult]]:
    """Retarget a clip to a character as a new action, play it, and return it; the user's own actions are not
    changed.

    Args:
        check: measure the clip on the evaluated pose and store the report in the settings. action_name: of
        the new action, else it is called after the clip. given: `source`, `action` and its `slot`, or `file`;
        `controls`, `root`, `contacts`, `stride` and the others of `options.OPTIONS`.

    Raises NeuraRigError if the character cannot take a clip now, or the source does not move a biped; nothing
    has changed then.
    """
    require_target(obj)
    choices = Choices.of(obj, **given)
    clip_source.check(choices.source, obj)
    return _steps(obj, choices, [choices.source], check, action_name.strip())


@_one_action
def continue_motion(obj: Object, seconds: float | None = None, **given: Any) -> Steps[list[BatchResult]]:
    """Let a character's motion go on by itself after its end, as a new action; play it, and return it.

    What goes on is the clip that the character was given, live or baked, or else the action that it plays.

    Args:
        seconds: for how long; None: until the scene ends. given: `speed`, relative to the motion's; `turn`,
        in degrees a second to the left; `to`, a curve to go along, or an object to go to
            and to follow; `stand`, to come to a stand at the end; an `action` of the character's own to go on
            from; and what `retarget` takes.

    Raises NeuraRigError if there is no clip to go on from, or for a wish that it cannot keep.
    """
    given = {_CONTINUED.get(name, name): value for name, value in given.items()} | {
        "continue_until_end": seconds is None
    }
    if seconds is not None:
        given["continue_for"] = seconds
    if seconds == 0:
        require_seconds(0.0)
    action = _own_action(obj, given, "go on")
    if action is not None and seconds is None:
        _require_room(action)
    lead.require_apart(obj, given.get("continue_to"))
    return retarget.steps(obj, **given)


@_one_action
def fill_motion(obj: Object, frame_start: int, frame_end: int, **given: Any) -> Steps[list[BatchResult]]:
    """Make the frames between two anew, from the motion before and after them, as a new action; play it, and
    return it.

    The motion is the clip that the character was given, live or baked, or else the action that it plays.
    Experimental.

    Args:
        frame_start, frame_end: they and all outside stay to the bit, keys too; up to two seconds apart.
        given: an `action` of the character's own; and what `retarget` takes.

    Raises NeuraRigError if there is no clip, or the frames are too few or too far apart.
    """
    if _own_action(obj, given, "be filled") is not None:
        given = {"continue_for": 0.0, "continue_until_end": False} | given
    return retarget.steps(obj, **given | {"fill": True, "fill_start": frame_start, "fill_end": frame_end})


def _own_action(obj: Object, given: dict[str, Any], what: str) -> Action | None:
    """Return the character's own action that is meant where no clip is, and add it to what is given; None
    where a clip is."""
    if record.holds(obj, CLIP) or "source" in given or "file" in given:
        return None
    action = given.setdefault("action", bakes_of.playing(obj) or compat.playing(obj)[0])
    if action is None:
        raise NeuraRigError(
            f"'{obj.name}' plays no action that could {what}. Assign one, or retarget a clip first."
        )
    given["source"] = obj
    given.setdefault("fill", False)
    return action


@at_once
def retarget_actions(
    obj: Object, actions: Sequence[Action], *, check: bool = False, **given: Any
) -> Steps[list[BatchResult]]:
    """Retarget several actions of a source to a character, each as a new action, and return the results;
    refused ones are skipped.

    Of an action that holds several clips as slots, each becomes one; `slot` takes that one alone.

    Raises NeuraRigError if the character cannot take a clip now, or no action of an armature is given.
    """
    require_target(obj)
    choices = Choices.of(obj, **given)
    armature = choices.source.armature
    if armature is None:
        raise NeuraRigError("Actions need their armature. Choose an armature as the source in Retarget.")
    clip_source.check(choices.source, obj)
    if not actions:
        raise NeuraRigError(f"No action of '{armature.name}' is chosen. Choose one or more.")
    slots = [given["slot"]] if given.get("slot") else None
    sources = [
        ClipSource(armature, action, slot=slot)
        for action in actions
        for slot in slots or clip_source.clips_of(armature, action) or [""]
    ]
    return _steps(obj, choices, sources, check)


@at_once
def retarget_folder(
    obj: Object, folder: str | Path, *, check: bool = False, **given: Any
) -> Steps[list[BatchResult]]:
    """Retarget every clip of a folder (.bvh, .fbx, .glb, .npz, .npy, .csv) to a character, each as an action
    named after its file.

    Returns the results; refused files are skipped.

    Raises NeuraRigError if the character cannot take a clip now, or the folder has none.
    """
    require_target(obj)
    sources = bake.clips_in(Path(bpy.path.abspath(str(folder))))
    return _steps(obj, Choices.of(obj, file=sources[0].file, **given), sources, check)


def actions_of_source(obj: Object, source: Object | None = None) -> list[Action]:
    """Return the actions that move the bones of a target's source: the armature named in its settings, unless
    another is given."""
    source = source or obj.neurarig.retarget.source
    if source is None or source.type != "ARMATURE":
        raise NeuraRigError(f"'{obj.name}' has no armature as its source. Choose one in Retarget.")
    found = [action for action in bpy.data.actions if clip_source.clips_of(source, action)]
    if not found:
        raise NeuraRigError(
            f"No action of this file has keys on the bones of '{source.name}'. Choose another source in"
            " Retarget."
        )
    return found


@at_once
def link_retarget(obj: Object, **given: Any) -> Steps[None]:
    """Link a character to a clip live, until it is baked by `retarget` or removed; an existing link is
    computed again.

    Raises NeuraRigError if the character cannot take a clip now, or the source does not move a biped.
    """
    require_target(obj)
    choices = Choices.of(obj, **given)
    clip_source.check(choices.source, obj)
    if choices.source.armature == obj and clip_source.needs_steps(bpy.context.scene, choices.source):
        raise NeuraRigError(
            f"'{choices.source.action.name}' moves controls of '{obj.name}' itself, so it cannot be live."
            " Press Continue."
        )
    return _linked(obj, choices)


def _linked(obj: Object, choices: Choices) -> Steps[None]:
    own, scene, first = obj.neurarig.retarget, bpy.context.scene, first_way(choices["controls"])
    found = yield from part_of(integrity.find_controls_steps(obj, first), 0.0, 0.5)
    ways = integrity.Ways(replace(first, found=found))
    while True:
        with (
            ways as way,
            settings.kept_on_failure(obj),
            _where_it_starts(obj, choices.source),
            holding.attached(obj, scene, CLIP, way),
        ):
            link.forget(obj)
            with settings.changes.as_one(obj):
                choices.store(obj)
                own.error, own.live = "", True
            if own.error:
                raise NeuraRigError(own.error)
            if clip := link.clip_of(obj, scene):
                roles = clip.target.character.roles
                yield from part_of(integrity.require_steps(obj, scene, roles, clip.frames), 0.5, 1.0)
            _remember(obj, choices)
            return


def remove_retarget(obj: Object, *, keep_clip: bool = False, bakes: str = lasting.MOVE) -> list[str]:
    """Remove a clip, live or baked, from a character: rig, pose, place and animation are restored; baked
    actions stay in the file.

    With `keep_clip` the character keeps playing its baked clip, as an action of its own. `bakes`: as of
    `remove_walk`.
    Returns the exceptions, a sentence each: what was renamed or deleted meanwhile, and what of the user's was
    kept.

    Raises NeuraRigError without a clip.
    """
    requirements.require_editable(obj)
    record.require_held_by(obj, CLIP)
    if keep_clip:
        bakes_of.require_playing(obj, "retargeted action yet. Press Retarget")
    own = obj.neurarig.retarget
    holding.require_detachable(obj)
    wishes.ends.tell(obj)
    with settings.changes.as_one(obj):
        notes = holding.detach(obj, keep_animation=keep_clip, bakes_on_layer=bakes)
        own.report = own.error = ""
    if own.source_kind == settings.OWN:
        show_again(bpy.context.scene)  # it is back where its own action began
    return notes


holding.hand_over[CLIP] = partial(remove_retarget, keep_clip=True)


@at_once
def encode_action(obj: Object, path: str | Path, action: Action | None = None) -> Steps[Encoding]:
    """Write the motion of an armature (an action; without one, its present motion) as an encoding, .npz or
    .csv, and return it.

    Raises NeuraRigError if the armature is no character, does not move, or the file cannot be written; a
    motion on four legs needs an .npz.
    """
    path = Path(bpy.path.abspath(str(path)))
    if path.suffix.lower() not in WRITABLE:
        raise NeuraRigError(f"'{path.name}' must end in one of {', '.join(WRITABLE)}.")
    source = ClipSource(obj, action)
    clip_source.check(source)
    encoding = (yield from read_source.read_steps(bpy.context, source))[0]
    storage.save(path, encoding)
    return encoding


def play(obj: Object, action: Action) -> None:
    """Play one of the actions made for a character on it."""
    stash.play(obj, action, compat.suitable_slot(action, obj))


def _require_room(action: Action) -> None:
    """Raise NeuraRigError if the scene ends before an action does."""
    last, end = action.frame_range[1], played_range(bpy.context.scene)[1]
    if last >= end:
        raise NeuraRigError(
            f"'{action.name}' ends on frame {last:g}, and the scene on frame {end}. Set the scene's end"
            " later, or turn off Until Scene End."
        )


def require_target(obj: Object) -> None:
    """Raise NeuraRigError if a character cannot take a clip now."""
    holding.require_attachable(obj, CLIP)
    if obj.data.pose_position == "REST":
        raise NeuraRigError(
            f"'{obj.name}' is shown in its rest position; switch its armature to Pose Position first."
        )


@contextmanager
def _where_it_starts(obj: Object, source: ClipSource) -> Iterator[None]:
    """Show the first frame of an action of the character's own during the block: what goes on begins where
    that does."""
    if source.armature != obj or source.action is None:
        yield
        return
    with same_frame_after(bpy.context.scene):
        show(bpy.context.scene, source.action.frame_range[0])
        yield


def _steps(
    obj: Object, choices: Choices, sources: list[ClipSource], check: bool, name: str = ""
) -> Steps[list[BatchResult]]:
    with settings.kept_on_failure(obj), _where_it_starts(obj, choices.source):
        results = yield from bake.batch_steps(obj, choices, sources, check)
    own = obj.neurarig.retarget
    last = next(clip for clip in reversed(results) if clip.action)
    if name:
        last.action.name = name
        results[results.index(last)] = last = replace(last, name=last.action.name)
    with settings.changes.as_one(obj):
        choices.store(obj, source_too=sources == [choices.source])
        own.error = ""
        own.report = json.dumps(last.report) if last.report else ""
    own.report_is_old = False
    _remember(obj, choices)
    if choices["fit_range"]:
        play_range(bpy.context.scene, *(round(frame) for frame in last.action.frame_range))
    return results


def _remember(obj: Object, choices: Choices) -> None:
    if choices.source.armature not in (None, obj):
        clip_source.remember_roles(obj, choices.source.armature)
