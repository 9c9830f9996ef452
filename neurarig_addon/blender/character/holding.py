"""The only way in and back: a character is prepared to be posed by a mode, and given back as it was.

The states, and what each step does, are in the table in docs/internals/architecture.md.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import bpy
import numpy as np
from bpy.types import Object, Scene

from ...core.character.character import Character
from ...core.errors import NeuraRigError
from ...core.geometry.rotation import yaw_of
from ...core.posing.rig_table import ROOT_ROLE
from ...core.skeleton.roles import EYES, RoleMap
from ..animation import compat
from ..animation.objects import is_deleted
from . import (
    bakes,
    carry,
    controls,
    fingers,
    hanging,
    lasting,
    moving,
    names,
    own_animation,
    record,
    restore_point,
    standing,
    stash,
)
from .controls import BONES, REACH, PosingChoice, editing, layer, snapshot, way_back
from .controls.attachment import IDENTITY, LAYER, RIGIFY, placed, standing_in
from .controls.stored_map import current_map, forget_map
from .integrity import controls_of, leader, require_whole
from .read_character import read_character
from .requirements import require_editable, require_not_edited
from .roles import role_map, store_roles
from .standing_pose import shown_in
from .state import State, not_free_for, state_of

# per holder, what makes its bake the character's own action
hand_over: dict[str, Callable[[Object], Any]] = {}
_SAME_PLACE, _SAME_FLOOR = 0.01, 0.005  # leg lengths; a pose that is nearer to rest stands as at rest
_SAME_FACING = np.radians(2.0)
NOT_STANDING = "Its rest pose is not a standing pose, so its bones are driven, not its IK controls."


def require_attachable(obj: Object, holder: str) -> None:
    """Refuse a character that a holder cannot have now, before anything is changed."""
    require_editable(obj)
    other = record.holder_of(obj)
    if taken := not_free_for(obj, holder):
        raise NeuraRigError(taken)
    if other not in ("", holder) and (on_ours := lasting.on_layer(obj)):
        raise NeuraRigError(
            f"'{on_ours[0][0].name}' moves NeuraRig's controls of '{obj.name}', which have to go. Click Apply"
            " first."
        )
    require_not_edited(obj)
    stash.require_untweaked(obj)
    require_whole(obj)
    if record.is_attached(obj):
        require_detachable(obj)


def require_detachable(obj: Object) -> None:
    """Refuse a character that cannot be given back now."""
    require_editable(obj)
    stash.require_untweaked(obj)
    attachment = record.attachment(obj)
    if attachment["kind"] == LAYER or attachment["loosened"]:
        if obj.override_library:
            raise NeuraRigError(
                f"The controls of '{obj.name}' are linked from another file and cannot be removed here. Pause"
                " it, bake it, or make it local (Object > Relations > Make Local > All) first."
            )
        editing.require_bone_edits(obj)


@contextmanager
def attached(
    obj: Object, scene: Scene, holder: str, way: PosingChoice, afresh: bool = False
) -> Iterator[None]:
    """Prepare a character for a holder, within the block and afterwards; if the block fails, everything is as
    before.

    A character that is already prepared stays so, unless `afresh`, or this is not the first way tried. A bake
    of another holder becomes
    the character's own action.
    Raises NeuraRigError, with nothing changed, if that is impossible.
    """
    require_attachable(obj, holder)
    names.follow(obj)
    hanging.end_layer(obj)
    before, stood = _Before.of(obj), restore_point.take(obj)
    other = before.holder if before.holder != holder else ""
    played = restore_point.PlayedBefore.of(obj)
    try:
        if other:
            hand_over[other](obj)
        is_ready = (
            before.attachment
            and not other
            and (before.kind == "FK") == (way.is_fk or before.stands)
            and _fits(obj)
        )
        if not is_ready or afresh or way.why or way.lenient:
            _attach(obj, scene, holder, way)
        yield
    except BaseException:
        if not is_deleted(obj):
            before.come_back(obj, scene)
            if record.is_attached(obj) == bool(before.attachment):  # else it cannot be posed any more
                played.come_back(obj)
            restore_point.restore(obj, stood)
        raise


def attach_exactly(obj: Object) -> None:
    """Attach a rig's trunk bone by bone if its chest control would bend the spine in its own way: hands must
    be exact."""
    if record.attachment(obj)["kind"] != RIGIFY:
        return
    holder = record.holder_of(obj)
    with attached(obj, bpy.context.scene, holder, PosingChoice(REACH), afresh=True):
        record.settings_of(obj, holder).live = True


def make_way(obj: Object, channels: tuple[str, ...] = ()) -> None:
    """Set aside animation of the character's own that would play over what its holder moves, `channels` of
    the object too."""
    names.follow(obj)
    was_animated = bakes.keyed_of_object(obj)
    stash.make_way(obj, own_animation.MovedParts(record.attachment(obj), channels))
    controls.unroll(obj, record.attachment(obj))
    if was_animated and obj.neurarig.is_carried:
        carry.left_where_it_is(obj)  # the bake left it there


def playing_over(obj: Object) -> list[str]:
    """Return the names of actions and NLA tracks that were added after a character went live and play over
    it."""
    if state_of(obj) is not State.LIVE:
        return []
    action, tracks = own_animation.playing(
        obj, own_animation.MovedParts(record.attachment(obj), carry.moved_channels(obj))
    )
    return [each.name for each in (action, *tracks) if each is not None]


def detach(
    obj: Object,
    keep_animation: bool = False,
    keep_pose: bool = False,
    bakes_on_layer: str = lasting.MOVE,
) -> list[str]:
    """Give a character back as it was: controls, pose, animation and place; returns the exceptions, a
    sentence each.

    With `keep_animation` our baked action plays on as the user's, with the rig's switches and the object as
    they are now.
    With `keep_pose` the bones stay as they are posed. `bakes_on_layer`: what becomes of actions on our
    controls, see `lasting`.
    Raises NeuraRigError, with nothing changed, if that is not possible now.
    """
    require_detachable(obj)
    names.follow(obj)
    keeps_controls = bakes_on_layer == lasting.KEEP and bool(lasting.on_layer(obj))
    baked = bakes.of(obj)
    settled, stays = lasting.settle(obj, bakes_on_layer)
    attachment = dict(record.attachment(obj))
    _stop(obj)
    held = snapshot.take_shown(obj, attachment["held"]) if keep_pose else {}  # this evaluates the whole scene
    played = compat.playing(obj)
    keeps_action = keep_animation and not held and bakes.plays_ours(obj)
    attachment |= {"switches": []} if keep_animation or keep_pose else {}
    attachment |= {"pose": {}, "fingers": {}, "played": {}, "follow": {}} if keep_pose else {}
    if keep_animation:
        obj.neurarig.is_carried = False
    else:
        carry.put_back(obj, bakes.keyed_of_object(obj))
    attachment["loosened"] = [bone for bone in attachment["loosened"] if bone not in stays]
    if stays:
        settled.append(
            f"Bakes move {', '.join(map(repr, stays))} of '{obj.name}' away from their parents, so these stay"
            " disconnected."
        )
    notes = settled + stash.give_back(obj)
    if keeps_controls:
        attachment |= layer.leave(obj, attachment)
        notes.append(f"NeuraRig's controls of '{obj.name}' are its own now.")
    notes += controls.detach(obj, attachment)
    bakes.drop_gone(obj, baked)
    for name, basis in held.items():
        obj.pose.bones[name].matrix_basis = basis
    if keeps_action:
        notes += bakes.hand_over(obj, *played)
    _forget(obj)
    return notes


def _attach(obj: Object, scene: Scene, holder: str, way: PosingChoice) -> None:
    """Attach a free character, or attach it again, when its own animation stays set aside."""
    character = read_character(obj, scene)
    own = obj.neurarig
    kept_shown = (
        {key: record.attachment(obj)[key] for key in ("shown", "leans")} if record.is_attached(obj) else {}
    )
    shown = shown_in(obj, character) if holder == record.WALK and not kept_shown else None
    if record.is_attached(obj):
        _stop(obj)
        carry.put_back(obj, bakes.keyed_of_object(obj))
        # else an evaluation would take it for the character's pose
        stash.make_way(obj, own_animation.MovedParts(record.attachment(obj)))
        controls.detach(obj, dict(record.attachment(obj)))
        own.attachment = ""
        character = read_character(obj, scene, character.standing)  # without our own bones
    way = _way_of(obj, character, way)
    find = partial(current_map, found=way.found)
    # only walks turn eyes
    roles = (
        character.roles
        if holder == record.WALK and not character.standing
        else replace(character.roles, eyes={})
    )
    # whatever fails from here on is undone by the attachment
    hands = fingers.taken(obj, character, record.settings_of(obj, holder))
    kept = {"fingers": hands, "lenient": way.lenient}
    attachment = controls.attach(obj, character.skeleton, roles, character.body, way, find) | kept
    attachment |= kept_shown
    if shown is not None:
        frame, leans = shown
        attachment["shown"] = _shown(
            frame, placed(attachment) @ character.body.walk_to_armature, character.body.leg_length
        )
        attachment["leans"] = leans.reshape(-1, 9).tolist()
    if attachment["shown"] != IDENTITY:
        controls.place_root(obj, attachment)
    attachment["played"] = own_animation.taken(obj, attachment, record.settings_of(obj, holder))
    attachment["follow"] = hanging.taken(obj, attachment)
    if character.standing:
        attachment["stands"] = {role: move.ravel().tolist() for role, move in character.standing.items()}
        attachment["why"] = NOT_STANDING
    own.attachment, own.holders = json.dumps(attachment), {holder}
    store_roles(obj, character.roles)
    names.note(obj)
    carry.stand(obj)
    standing.remember(obj)
    record.changes.tell(obj)
    make_way(obj)
    moving.mark(obj)


def _shown(shown: np.ndarray, stands: np.ndarray, leg: float) -> list[float]:
    """Return the 16 numbers of the motion from where a character `stands` to where it is `shown`, both walk
    frames `(4, 4)`."""
    away = np.linalg.inv(stands) @ shown
    place, floor, turn = np.hypot(*away[:2, 3]) / leg, abs(away[2, 3]) / leg, abs(yaw_of(away))
    if place < _SAME_PLACE and floor < _SAME_FLOOR and turn < _SAME_FACING:
        return list(IDENTITY)
    return (shown @ np.linalg.inv(stands)).ravel().tolist()


def _way_of(obj: Object, character: Character, way: PosingChoice) -> PosingChoice:
    """Return the way to pose a character whose own controls may be out of reach."""
    if character.standing:
        # controls and solvers start from the rest pose
        return PosingChoice(BONES, way.why, lenient=way.lenient)
    if led_by := leader(obj, character.roles):
        why = (
            f"'{obj.name}' follows '{led_by.name}' by constraints. They are off for now. Select"
            f" '{led_by.name}' to move both."
        )
    elif held_by := controls_of(obj, character.roles):
        why = f"The controls of '{obj.name}' are in another armature, '{held_by.name}'. They are off for now."
    else:
        return way
    return PosingChoice(BONES if way.is_fk else LAYER, why, lenient=way.lenient)


def _stop(obj: Object) -> None:
    for holder in record.HOLDERS:
        if record.is_live(obj, holder):
            record.settings_of(obj, holder).live = False


def _forget(obj: Object) -> None:
    own = obj.neurarig
    own.attachment, own.names, own.holders = "", "", set()
    standing.forget(obj)
    moving.unmark(obj)
    record.changes.tell(obj)


@dataclass(frozen=True)
class _Before:
    """How a character was attached, '' for not at all."""

    attachment: str
    holder: str
    kind: str
    roles: RoleMap
    has_map: bool
    stands: bool

    @classmethod
    def of(cls, obj: Object) -> "_Before":
        holder, own = record.holder_of(obj), obj.neurarig
        standing = bool(own.attachment) and standing_in(record.attachment(obj))
        return cls(
            own.attachment, holder, record.kind_of(obj), role_map(obj), bool(own.control_rig), bool(standing)
        )

    def come_back(self, obj: Object, scene: Scene) -> None:
        """Restore the attachment."""
        if not self.attachment:
            if record.is_attached(obj):
                detach(obj, bakes_on_layer=lasting.LEAVE)
        elif obj.neurarig.attachment != self.attachment:
            self._attach_again(obj, scene)
        if not self.roles.bones:
            obj.neurarig.kind = self.roles.kind
            obj.neurarig.roles.clear()
        if not self.has_map:
            forget_map(obj)

    def _attach_again(self, obj: Object, scene: Scene) -> None:
        try:
            _attach(obj, scene, self.holder, way_back(record.read_or_empty(self.attachment)))
        except NeuraRigError:  # it cannot be posed any more, so it is freed
            stash.give_back(obj)
            _forget(obj)


def _fits(obj: Object) -> bool:
    """Return whether the attachment was made for the current roles."""
    made_for = {
        role: bone for bone, role, *_ in record.attachment(obj)["deform"] if role not in (ROOT_ROLE, *EYES)
    }
    roles = role_map(obj).bones
    return all(roles.get(role) == bone for role, bone in made_for.items()) and (
        not made_for or roles.keys() == made_for.keys()
    )
