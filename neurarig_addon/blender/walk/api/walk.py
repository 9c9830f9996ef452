"""Walks for scripts; `blender.api` hands these on.

    from bl_ext.user_default.neurarig.neurarig_addon.blender import api
    api.generate_walk(hero, speed=1.3, mode="TRAVEL", energy=0.5)

`obj` is an armature object of the current scene. Anything the user can fix raises a NeuraRigError and leaves
the file unchanged.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Collection, Object

from ....core.gait.inputs.print_edits import PrintEdits
from ....core.gait.prints.print_file import load_prints
from ....core.skeleton.roles import require_two_legs
from ...animation.steps import Steps, at_once, part_of
from ...character import bakes as bakes_of
from ...character import held, holding, integrity, lasting, names
from ...character.controls import REACH, PosingChoice
from ...character.integrity import find_controls_steps
from ...character.read_character import read_character
from ...character.record import WALK
from ...character.requirements import require_pose_seen
from ...character.roles import role_map
from ...over import wishes
from ..changes import changes
from ..footprints import act_handles, handles
from ..manner import presets, profiles, sliders, styles
from ..settings import requirements
from ..settings.backup import kept_on_failure
from ..show import carrying, live
from ..source import memory
from ..source.source import source_of
from ..way import acts, given_acts
from ..way.markers import set_markers
from .print_sets import set_edits
from .report import contact_report

# Legs outside this range, in metres, more likely mean a file in centimetres or inches than a giant or a
# mouse.
LIKELY_LEGS_M = (0.1, 8.0)
# leg lengths between the heights of the soles at rest, from which on it is seen that one does not touch the
# ground
UNEVEN = 0.015


@at_once
def generate_walk(
    obj: Object,
    *,
    preset: str | None = None,
    profile: str | None = None,
    prints: str | Path | None = None,
    **settings: Any,
) -> Steps[dict]:
    """Make a character walk, live, and return its contact report; a character that already walks is set up
    again.

    Args:
        preset: name of a walk preset, applied before the settings.
        profile: name of a shipped profile, or a profile file, to walk by instead of the human gait.
        prints: a file of edited footprints (see `save_prints`), replacing the character's own.
        settings: sliders and other fields of `Object.neurarig`, e.g. `speed=1.3` (m/s), `mode="TRAVEL"`,
        `controls="FK"`; what is not
            given stays as it is; the speed is natural for the leg length unless it was set.  Along a path
            `arrive=120` (the frame at its end, or None) and `markers=[{"distance": 3.0, "frame": 60, "pause":
            2.0}]`, or
            `"place": empty` instead of the distance. `acts=[{"kind": "JUMP", "distance": 3.0, "length":
            1.2}]`: see `add_act`.
            `styles={"Sad": 1.0, "March": 0.3}`: learned styles, by name or file, with weights;
            without a speed the walk takes the one at which they were learned. `blend_action=action`: the walk
            blends into an action of
            this character at about `blend_frame`, in `blend_seconds`, and goes on where it ends with
            `blend_back=True`.

    Raises NeuraRigError with the bone or setting and the remedy, if the armature is no biped, has another
    holder, or cannot walk so.
    """
    holding.require_attachable(obj, WALK)
    require_pose_seen(obj)
    requirements.require_settings(settings)
    edits = None if prints is None else load_prints(prints, 1.0)
    chosen = presets.load(presets.WALK, preset) if preset else None
    logic = profiles.load(profile) if profile else None
    return _whole(obj, chosen, logic, edits, settings)


def _whole(
    obj: Object,
    chosen: presets.Preset | None,
    logic: Any,
    edits: PrintEdits | None,
    settings: dict[str, Any],
) -> Steps[dict]:
    """Make a walk in the first way in which the character stays in one piece."""
    kind = settings.get("controls", obj.neurarig.walk.controls)
    first = PosingChoice("" if kind == "AUTO" else kind)
    # hands are held, or take something
    if wishes.has_targets(obj) or acts.takes_things(obj, settings.get("acts")):
        first = replace(first, kind=first.kind or REACH)
    if settings.get("blend_action", obj.neurarig.walk.blend_action) is not None:  # whatever it does
        first = replace(first, kind=first.kind or REACH, exact=True)
    found = yield from part_of(find_controls_steps(obj, first), 0.0, 0.5)
    ways = integrity.Ways(replace(first, found=found))
    while True:
        with ways as way:
            return (yield from part_of(_made(obj, chosen, logic, edits, settings, way), 0.5, 1.0))


def _made(
    obj: Object,
    chosen: presets.Preset | None,
    logic: Any,
    edits: PrintEdits | None,
    settings: dict[str, Any],
    way: PosingChoice,
) -> Steps[dict]:
    """Make a walk and return its contact report; if it fails or the character comes apart, everything is as
    before."""
    scene = bpy.context.scene
    # the pose last: settings pose it
    with holding.attached(obj, scene, WALK, way, afresh=True), kept_on_failure(obj):
        with changes.as_one(obj):
            sliders.set_defaults(
                obj, read_character(obj, scene).body, settings.get("gait", obj.neurarig.walk.gait)
            )
            if logic or settings.get("styles"):
                require_two_legs(role_map(obj), "styles and profiles are those of people")
            if chosen:
                sliders.set_walk(obj, chosen)
            if logic:
                profiles.use(obj, logic)
            # The gait first: it sets its natural speed.
            for name, value in sorted(_stored(settings).items(), key=lambda one: one[0] != "gait"):
                _set(obj, name, value)
            if settings.get("styles") and "speed" not in settings:
                sliders.take_own_speed(obj)
            if {"mode", "path"} & settings.keys():  # as set in the panel it walks in place until it has one
                requirements.require_path(obj)
            if edits is not None:
                set_edits(obj, edits.scaled(obj.neurarig.walk.leg_length))
            obj.neurarig.walk.error = ""
            obj.neurarig.walk.live = True
        requirements.require_live(obj)
        requirements.require_hands(obj, settings)
        report = yield from contact_report.steps(obj)
        integrity.require(obj, report)
        return report


def _stored(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings as properties: a ground is an object or a collection, with a property for each."""
    if "ground" not in settings:
        return settings
    given = settings["ground"]
    is_collection = isinstance(given, Collection)
    return settings | {
        "ground": None if is_collection else given,
        "ground_collection": given if is_collection else None,
    }


def _set(obj: Object, name: str, value: Any) -> None:
    """Set one of a walk's settings."""
    if name == "markers":
        set_markers(obj, value)
        return
    if name == "acts":
        given_acts.set_acts(obj, value)
        return
    if name == "styles":
        styles.set_all(obj, value)
        return
    if name == "arrive":
        obj.neurarig.walk.is_due = value is not None
    if name != "arrive" or value is not None:
        setattr(obj.neurarig.walk, name, value)


def odd_size(obj: Object) -> str:
    """Return a sentence if a character's size looks unintended, else ''; the walk is right for the size, but
    a giant's is slow."""
    leg = obj.neurarig.walk.leg_length
    if not leg or LIKELY_LEGS_M[0] <= leg <= LIKELY_LEGS_M[1]:
        return ""
    factor = 0.01 if leg > LIKELY_LEGS_M[1] else 100.0
    return (
        f"The legs of '{obj.name}' are {leg:.3g} m long, so it walks like a body of that size. If the file is"
        f" in other units, set the scene's Unit Scale or the object's scale (perhaps to {factor:g}) and"
        " generate again"
    )


def uneven_feet(obj: Object) -> str:
    """Return a sentence if one foot of a walking character stands above the other at rest, as it then does in
    the walk, else ''."""
    body = source_of(obj).body
    higher = float(body.heel[0, 2] - body.heel[1, 2])
    if abs(higher) <= UNEVEN * body.leg_length:
        return ""
    side = "left" if higher > 0.0 else "right"
    return (
        f"The {side} foot of '{obj.name}' stands {100.0 * abs(higher):.3g} cm above the other at rest, and so"
        " it does in the walk. Remove the walk, level the feet in Pose Mode, click Use Current Pose and"
        " generate again"
    )


def resume_walk(obj: Object) -> None:
    """Turn a paused or failed walk on again; raises NeuraRigError if the reason of the failure is still
    there."""
    requirements.require_walk(obj)
    names.follow(obj)
    live.invalidate(obj)
    source_of(obj)
    with changes.as_one(obj):
        obj.neurarig.walk.error = ""
        obj.neurarig.walk.live = True
    requirements.require_live(obj)


def remove_walk(obj: Object, *, keep_bake: bool = False, bakes: str = lasting.MOVE) -> list[str]:
    """Remove a character's walk: rig, pose and animation are as before Generate Walk; sliders and roles stay.

    Returns the exceptions, a sentence each: what was renamed or deleted meanwhile, and what of the user's was
    kept.

    With `keep_bake` the character keeps playing its bake, as an action of its own. `bakes`: what becomes of
    actions that key the controls
    which NeuraRig added, played or not: 'MOVE', onto the character's own bones; 'KEEP', the controls stay, as
    its own; 'LEAVE', they stay
    in the file and move nothing.

    Raises NeuraRigError without a walk, or while it cannot be taken off (tweak mode, Edit Mode).
    """
    requirements.require_walk(obj)
    if keep_bake:
        bakes_of.require_playing(obj, "bake yet. Use Bake Frames or Bake Loop")
    holding.require_detachable(obj)
    wishes.ends.tell(obj)
    source = memory.known(obj)
    with changes.as_one(obj):
        notes = holding.detach(obj, keep_animation=keep_bake, bakes_on_layer=bakes)
        carrying.let_go(obj)
        handles.remove(obj)
        act_handles.remove_all(obj, source)
        held.remove_all(obj)
        obj.neurarig.walk.report = obj.neurarig.walk.error = ""
    return notes


holding.hand_over[WALK] = partial(remove_walk, keep_bake=True)
