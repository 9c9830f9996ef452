"""Acts on the way: adding one where the walk is, removing one, saving it as a file."""

from typing import Any

from bpy.types import Context, Object

from .....core.acts import flight
from .....core.acts.act_file import shipped_acts
from .....core.errors import NeuraRigError
from ....animation.objects import object_of, select
from ....animation.properties import ASKED, KEPT, in_scene_units, shown_as
from ....character import held
from ....character.record import WALK
from ....character.selection import armature_behind, armature_of
from ....interface.file_operator import reads, writes
from ....interface.language import said
from ....interface.operator import Button, CharacterOperator, named
from ....interface.screen import drawing, is_over
from ....interface.tool import Tool
from ...api import acts as act_api
from ...way import acts
from ...way.acts import HAND_ITEMS, HOW_ITEMS, ITEMS, OWN
from . import pointing

JUMPS_M, HOLDS_S = 1.0, 2.0  # of a new act: how far an adult jumps, how long it is held
RESTS_S = 0.15  # after which it is tried whether what is under the mouse can be done
STEPS = {"WHEELUPMOUSE": -1, "WHEELDOWNMOUSE": 1, "UP_ARROW": -1, "DOWN_ARROW": 1, "TAB": 1}
PASSED = {"MIDDLEMOUSE", "TRACKPADPAN", "TRACKPADZOOM", "NDOF_MOTION", "HOME", "TIMER", "WINDOW_DEACTIVATE"}
PASSED |= {f"NUMPAD_{name}" for name in (*range(10), "PERIOD", "PLUS", "MINUS")}


class _ActOperator(CharacterOperator):
    """An operator on the chosen act of a walking character."""

    holder = WALK
    needs = "Needs a walk with an act: Add Act adds one"
    lacks = "There is no act. Add one", lambda _, obj: obj.neurarig.walk.acts


@in_scene_units()
class NEURARIG_OT_add_act(Tool):
    """Point at a chair, a box, a door or a place on the way, and click: the character does something there"""

    bl_label = "Add Act"
    bl_property = "kind"
    holder = WALK

    kind: KEPT.choice("Act", "What the character does", items=[item for item in ITEMS if item[0] != OWN])
    thing: ASKED.text("Thing", "Name of the seat, or of what it is done with; else what is selected")
    place: ASKED.text("At Object", "Name of the object at which it is done, or on which something is put")
    distance: ASKED.number(
        "Distance",
        "Length of the way to where it begins. Below 0: at the playhead",
        default=-1.0,
        unit="LENGTH",
    )
    length: ASKED.number(
        "Length", "How far it is from the take-off to the landing of a jump", min=0.0, unit="LENGTH"
    )
    rise: ASKED.number(
        "Height", "How far the body rises in a jump. 0: as high as it needs", min=0.0, unit="LENGTH"
    )
    seconds: ASKED.number("For", "How long it is held", min=0.0, default=HOLDS_S, subtype="TIME_ABSOLUTE")
    weight: ASKED.share("Weight", "How heavy the thing is, as a share of the character")
    how: ASKED.choice("Down By", "How it goes down for its hands", items=HOW_ITEMS)
    hand: ASKED.choice("With", "Which hand it takes, or which foot it leaps off", items=HAND_ITEMS)

    def invoke(self, context, event):
        area, obj = context.area, armature_of(context)
        if self.properties.is_property_set("kind") or area is None or area.type != "VIEW_3D":
            return self.execute(context)
        try:
            self._pointing = pointing.Pointing(obj)
        except NeuraRigError as error:
            return self.refuse(error)
        self._region = next(region for region in area.regions if region.type == "WINDOW")
        self._timer = context.window_manager.event_timer_add(RESTS_S, window=context.window)
        begin, self._hide = drawing(
            ("SpaceView3D", self._pointing.draw, "POST_VIEW"),
            ("SpaceView3D", self._pointing.draw_words, "POST_PIXEL"),
        )
        begin()
        context.workspace.status_text_set(
            said("Click: Add. Wheel: Another Act. Middle Mouse: Turn the View. Esc or Right Mouse: Cancel")
        )
        return self.begin(context, obj)

    def modal(self, context, event):
        obj, pointing, region = object_of(self.uid), self._pointing, self._region
        if obj is None or context.area is None or event.type in ("RIGHTMOUSE", "ESC"):
            return self.end(context, {"CANCELLED"})
        is_press, is_beside = event.value == "PRESS", not is_over(context.area, event)
        if event.type == "LEFTMOUSE" and is_press:
            return (
                self.end(context, {"CANCELLED", "PASS_THROUGH"}) if is_beside else self._click(context, obj)
            )
        if event.type == "TIMER":
            if not pointing.try_it(obj):
                return {"PASS_THROUGH"}
        elif is_press and event.type in STEPS:
            pointing.turn(STEPS[event.type])
        elif event.type == "MOUSEMOVE" and not is_beside:
            mouse = event.mouse_x - region.x, event.mouse_y - region.y
            pointing.look(obj, region, context.area.spaces.active.region_3d, mouse)
        else:
            return {"PASS_THROUGH"} if event.type in PASSED or is_beside else {"RUNNING_MODAL"}
        context.area.header_text_set(pointing.words)
        region.tag_redraw()
        return {"RUNNING_MODAL"}

    def _click(self, context: Context, obj: Object) -> set[str]:
        pointing = self._pointing
        pointing.try_it(obj)
        offer, found = pointing.offer, pointing.found
        if offer is None or found is None or offer.why:
            self.report({"WARNING"}, pointing.words)
            return {"RUNNING_MODAL"}
        self.kind = offer.kind
        for name, value in found.given[offer.kind].items():
            setattr(self, name, value.name if isinstance(value, Object) else value)
        outcome = self.execute(context)
        return self.end(context, outcome) if outcome == {"FINISHED"} else {"RUNNING_MODAL"}

    def end(self, context, outcome):
        self._hide()
        context.window_manager.event_timer_remove(self._timer)
        context.workspace.status_text_set(None)
        return super().end(context, outcome)

    def draw(self, context):
        obj = armature_of(context)
        self.layout.use_property_split = True
        self.layout.prop(self, "kind")
        for name in acts.counting(obj.neurarig.walk.acts[-1]):
            if name in ("thing", "place"):
                self.layout.prop_search(self, name, context.scene, "objects")
            else:
                self.layout.prop(self, shown_as(self, name))

    def act(self, context, obj):
        kind, objects = shipped_acts()[self.kind], context.scene.objects
        counts = {"length": kind.flight, "rise": kind.flight, "seconds": kind.hold}
        given: dict[str, Any] = {
            name: getattr(self, name)
            for name in (*counts, "weight", "hand", "how")
            if counts.get(name, kind) is not None
        }
        if kind.flight is not None and not self.properties.is_property_set("length"):
            given["length"] = JUMPS_M * obj.neurarig.walk.leg_length / flight.ADULT_LEG
        thing = named(objects, self.thing, "object") if self.thing else _chosen(context, obj)
        if acts.needs_thing(kind) and thing is None:
            act_api.add_waiting(obj, self.kind, **given)
            return f"Added {kind.name}. Choose what for under Thing: until then '{obj.name}' walks on."
        if self.place:
            given["at"] = named(objects, self.place, "object")
        elif self.distance >= 0.0 and not acts.needs_thing(kind):
            given["at"] = self.distance
        if acts.needs_thing(kind) or self.thing:
            given["thing"] = thing
        if given.keys() & {"at", "thing"}:
            act_api.add_act(obj, self.kind, **given)
        else:
            act_api.add_after_others(obj, self.kind, context.scene.frame_current, **given)
        return f"'{obj.name}' does this now: {kind.name}. Set where and how in Acts."


def _chosen(context: Context, obj: Object) -> Object | None:
    """Return what is selected besides a character, the active object first; nothing that is part of it, leads
    it, or is ours."""
    ours = held.of(obj)
    others = sorted(context.selected_objects, key=lambda other: other != context.view_layer.objects.active)
    return next((other for other in others if armature_behind(other) != obj and other not in ours), None)


class NEURARIG_OT_place_act(_ActOperator):
    """Get an empty where the chosen act is. Move it, and the act moves along the way"""

    bl_label = "Move Act"

    def act(self, context, obj):
        handle = act_api.place_act(obj, obj.neurarig.walk.active_act)
        select(handle)
        return f"Move '{handle.name}', and the act moves along the way."


class NEURARIG_OT_remove_act(_ActOperator):
    """Remove the chosen act: the walk goes on without it"""

    bl_label = "Remove Act"

    def act(self, context, obj):
        act_api.remove_act(obj, obj.neurarig.walk.active_act)
        return "Removed an act."


class NEURARIG_OT_save_act(_ActOperator, writes("JSON file to write", ".json")):
    """Save the chosen act as a file, for other characters"""

    bl_label = "Save Act"

    def file_name(self, obj):
        return "act.json"

    def act(self, context, obj):
        act_api.save_act(obj, obj.neurarig.walk.active_act, self.file())
        return f"Saved '{self.file()}'."


class NEURARIG_OT_load_act(reads("JSON file of an act", ".json")):
    """Add an act from a file"""

    bl_label = "Load Act"
    holder = WALK

    def act(self, context, obj):
        number = act_api.add_act(obj, OWN, frame=context.scene.frame_current, file=self.filepath)
        return f"'{obj.name}' does this now: {obj.neurarig.walk.acts[number].name}."


class NEURARIG_OT_free_thing(Button):
    """Take off the active object what holds it for a character that is gone"""

    bl_label = "Free"
    lacks = (
        "Select a thing that something holds",
        lambda context, _: (thing := context.view_layer.objects.active) and thing.neurarig.held,
    )

    def act(self, context, obj):
        thing = context.view_layer.objects.active
        act_api.free_thing(thing)
        return f"'{thing.name}' is free."
