"""Where a walk leads: a new path, the waypoints on it, and things of the scene that are chosen by a right
click on them."""

from typing import ClassVar

from ....animation.steps import Steps
from ....character.record import WALK
from ....character.selection import armature_behind
from ....interface import report_text
from ....interface.operator import CharacterOperator, StepsOperator
from ...api import path as path_api
from ...api import walk
from ...changes import changes
from ...way.ground import HAVE_FACES
from ...way.path import can_lead


class _WalkHere(StepsOperator):
    """An operator that makes the character walk where the active object is."""

    takes = WALK
    settings = {}
    setting: ClassVar[str]  # that the object is for

    def steps(self, context, obj) -> Steps[dict]:
        thing = context.view_layer.objects.active
        return walk.generate_walk.steps(obj, **self.settings, **{self.setting: thing})

    def done(self, context, obj, result: dict):
        self.warn(report_text.warning(obj.name, result))
        return report_text.greeting(obj.name, result)


class NEURARIG_OT_walk_along(_WalkHere):
    """Make the character walk along the active object: a curve, an empty, or what is moved by keys"""

    bl_label = "Walk Along This"
    needs = "Needs a character, and a curve or empty that is active"
    lacks = (
        "Select the character first, then the curve or empty to walk along",
        lambda context, _: (
            (thing := context.view_layer.objects.active)
            and thing.type in ("CURVE", "EMPTY")
            and can_lead(thing)
        ),
    )
    doing = "Walk Along This"
    setting, settings = "path", {"mode": "PATH"}


class NEURARIG_OT_walk_on(_WalkHere):
    """Make the character walk on the active object: its feet follow that ground"""

    bl_label = "Walk on This"
    needs = "Needs a character, and a mesh to walk on that is active"
    lacks = (
        "Select the character first, then the mesh to walk on",
        lambda context, _: (
            (thing := context.view_layer.objects.active)
            and thing.type in HAVE_FACES - {"CURVE"}
            and armature_behind(thing) is None
        ),
    )
    doing = "Walk on This"
    setting = "ground"


class NEURARIG_OT_add_path(CharacterOperator):
    """Add a curve in front of the character and walk along it. Edit its points to lead the character"""

    bl_label = "Add Path"

    def act(self, context, obj):
        path = path_api.add_path(obj)
        return f"'{obj.name}' follows '{path.name}'. Press Tab and move its points."


class NEURARIG_OT_add_marker(CharacterOperator):
    """Add a waypoint to the path: where to be when, and where to wait"""

    bl_label = "Add Waypoint"

    def act(self, context, obj):
        walk = obj.neurarig.walk
        with changes.as_one(obj):
            farthest = max((marker.distance for marker in walk.markers), default=0.0)
            marker = walk.markers.add()
            marker.distance, marker.frame = farthest + 2.0, context.scene.frame_current
            walk.active_marker = len(walk.markers) - 1
        return f"Added a waypoint {marker.distance:.3g} m along the path."


class NEURARIG_OT_remove_marker(CharacterOperator):
    """Remove the chosen waypoint from the path"""

    bl_label = "Remove Waypoint"
    needs = "Needs a waypoint: Add Waypoint adds one"
    lacks = "There is no waypoint. Add one", lambda _, obj: obj.neurarig.walk.markers

    def act(self, context, obj):
        walk = obj.neurarig.walk
        with changes.as_one(obj):
            walk.markers.remove(walk.active_marker)
            walk.active_marker = max(0, min(walk.active_marker, len(walk.markers) - 1))
        return "Removed a waypoint."
