"""The walk that a character's settings ask for, planned and checked."""

from dataclasses import replace
from functools import cache, partial
from math import isfinite
from operator import attrgetter

import numpy as np
from bpy.types import Object, PropertyGroup, Scene

from ....core.acts.ends import Walked
from ....core.acts.mark import ActMark, done
from ....core.acts.program import placed
from ....core.character.body import Body
from ....core.errors import NeuraRigError
from ....core.gait.kinds.gait import Gait
from ....core.gait.kinds.gaits import ANIMALS, animal_gait, require_kind
from ....core.gait.sliders.manner import is_somebody
from ....core.gait.sliders.style import SLIDERS, Clock, Style, StyleTrack
from ....core.gait.synthesis import walked
from ....core.gait.walker import Walker
from ....core.styles.body_fit import on_body
from ...animation.frame_range import played_range
from ...character import slider_curves
from ...follow import follower
from .. import blend, hands, layer
from ..manner.gait_source import gait_of, natural_gait
from ..walk import WalkSource
from ..way import act_marks, deck, gaze
from ..way.lead import lead_of
from ..way.path import travels_with
from ..way.things import ThingSight
from .memory import Rig

ROUNDS = 8  # of planning a walk to things that move
_slider_values = attrgetter(*SLIDERS)


def planned(obj: Object, scene: Scene, settings: PropertyGroup, rig: Rig) -> WalkSource:
    """Return an object's walk on its rig; `settings`: its own, or as they are evaluated.

    Things that move are where they are when the walk comes to them, which depends on where they are: it is
    planned until both agree.

    Raises NeuraRigError, naming the obstacle, if such a walk is impossible.
    """
    _require_numbers(settings, f"'{obj.name}'")
    for item in (*obj.neurarig.walk.markers, *obj.neurarig.walk.acts):
        _require_numbers(item, f"'{item.name}'" if item.name else "a waypoint")
    refusal = None
    for first in (obj.neurarig.walk.start_frame, float(played_range(scene)[1])):
        sight = ThingSight(obj, scene, rig.table.placement @ rig.body.walk_to_armature, first)
        for _ in range(ROUNDS):
            try:
                source = _planned(obj, scene, settings, rig, sight)
                before, sight = sight, sight.later(source.program)
                if sight.is_as(before):
                    sight.require_still()
                    return source
            except NeuraRigError as error:
                refusal = refusal or error
                break
        if not (moving := sight.moving()):
            break
    raise refusal or NeuraRigError(
        f"'{moving[0].name}' moves on whenever '{obj.name}' comes to it. Have it wait, or move the act."
    )


def _planned(
    obj: Object,
    scene: Scene,
    settings: PropertyGroup,
    rig: Rig,
    sight: ThingSight,
) -> WalkSource:
    track, clock = _track(obj, scene, settings), _clock(obj, scene)
    body, table = rig.body, rig.table
    gait = _gait(obj.neurarig.walk, body, track)
    first = float(np.radians(track.at("facing", np.array([clock.start]))[0]))
    to_armature = table.placement @ body.walk_to_armature
    lead = lead_of(obj, scene, body, to_armature, clock, first)

    def walks(acts: tuple[ActMark, ...]) -> tuple[Walker, Walked]:
        """Return the walk with acts."""
        led = lead_of(obj, scene, body, to_armature, clock, first, acts) if done(acts, on_feet=True) else lead
        walker = Walker.of(body, track, clock, gait, led.path, led.ground, led.face)
        return walker, partial(walked, walker)

    asked = act_marks.asked_of(obj, sight, body, lead.path)
    act_marks.require_possible(obj, asked, body)
    asked = placed(asked, walks)
    if done(asked, on_feet=True):
        lead = lead_of(obj, scene, body, to_armature, clock, first, asked)
    if lead.speed is not None:
        track = replace(track, curves={**track.curves, "speed": lead.speed})
    way = travels_with(obj), lead.path, lead.ground, deck.of(obj) is not None
    faced = {"gaze": lead.gaze, "face": lead.face, "turns": gaze.turns(obj)}
    over = {"layer": layer.read(obj, scene, rig.roles, table), "grips": hands.grips(rig.hands, settings)}
    over |= {"action": blend.read(obj, scene, rig.roles, body), "acts": asked}
    over |= {"hanging": follower.in_present_manners(obj, rig.hanging)}
    source = WalkSource(body, rig.roles, table, track, clock, gait, *way, **faced, **over)
    _ = source.planned  # only now is it known whether a path's times can be kept
    _ = source.program, source.blend  # nor whether acts are possible, or a foot stands
    return source


def _gait(settings: PropertyGroup, body: Body, track: StyleTrack) -> Gait:
    """Return the gait that a body's settings ask for; raises NeuraRigError for one that it does not have."""
    require_kind(settings.gait, body.kind)
    if body.kind in ANIMALS:
        sore = settings.limp_on == "FORE"
        return animal_gait(settings.gait, body, settings.lead == "RIGHT", sore)
    return on_body(gait_of(settings, track.person if is_somebody(track) else None), body, natural_gait())


@cache
def _numbers(kind: type) -> tuple[str, ...]:
    """Return the names of the numbers that a user sets in a group of settings."""
    return tuple(
        prop.identifier for prop in kind.bl_rna.properties if prop.type == "FLOAT" and not prop.is_hidden
    )


def _require_numbers(settings: PropertyGroup, called: str) -> None:
    """Refuse settings, as they are `called`, with one that is not finite: a driver or a script may set it
    so."""
    for name in _numbers(type(settings)):
        if not isfinite(getattr(settings, name)):
            raise NeuraRigError(
                f"The setting '{name}' of {called} is not a number. Type another value, or fix its driver."
            )


def _track(obj: Object, scene: Scene, settings: PropertyGroup) -> StyleTrack:
    """Return an object's sliders, constant ones from `settings`, and keyed ones."""
    constant = Style(**dict(zip(SLIDERS, _slider_values(settings), strict=True)))
    curves = {
        slider: slider_curves.sample(curve, *played_range(scene))
        for slider, curve in slider_curves.find(obj).items()
    }
    seeds = settings.idle_seed, settings.variation_seed, settings.variation_strides, settings.person_seed
    return StyleTrack(constant, curves, *seeds)


def _clock(obj: Object, scene: Scene) -> Clock:
    """Return frame rate and start of a walk."""
    settings = obj.neurarig.walk
    return Clock(scene.render.fps / scene.render.fps_base, settings.start_frame, settings.whole_frames)
