"""The walk that a character's settings ask for, planned and checked."""

from dataclasses import replace

import bpy
import numpy as np

from ...core.character.body import Body
from ...core.gait.sliders.manner import is_somebody
from ...core.posing.rig_table import RigTable
from ...core.skeleton.roles import RoleMap
from ...core.styles.fitted import on_body
from .gait_source import gait_of, natural_gait
from .ground import deck
from .hands import held
from .layer import action_layer
from .read_settings import clock_of, track_of, travels_with
from .walk import WalkSource
from .way import facing, led


def planned(
    obj: bpy.types.Object,
    scene: bpy.types.Scene,
    settings: bpy.types.PropertyGroup,
    measured: tuple[Body, RoleMap, RigTable],
    hands: held.Hands,
) -> WalkSource:
    """Return an object's walk for its settings as `shown`; `measured`: its body, roles and rig; `hands`: that it poses.

    Raises NeuraRigError, naming the obstacle, if such a walk is impossible.
    """
    track, clock = track_of(obj, scene, settings), clock_of(obj, scene)
    body, roles, rig = measured
    gait = on_body(gait_of(obj.neurarig.walk, is_somebody(track)), body, natural_gait())
    first = float(np.radians(track.at("facing", np.array([clock.start]))[0]))
    lead = led.lead_of(obj, scene, body, rig.placement @ body.walk_to_armature, clock, first)
    if lead.speed is not None:
        track = replace(track, curves=track.curves | {"speed": lead.speed})
    way = travels_with(obj), lead.path, lead.ground, deck.of(obj) is not None
    faced = {"gaze": lead.gaze, "face": lead.face, "turns": facing.turns(obj)}
    layer, grips = action_layer.read(obj, scene, roles, rig), held.grips(hands, settings)
    source = WalkSource(body, roles, rig, track, clock, gait, *way, **faced, layer=layer, grips=grips)
    _ = source.planned  # only now is it known whether a path's times can be kept
    return source
