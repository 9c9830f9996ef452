"""Acts as scripts and saved settings give them: checked, put into `Object.neurarig.walk.acts`, and read from
there."""

from collections.abc import Iterable, Mapping
from typing import Any

from bpy.types import Object

from ....core.acts.act_file import from_json, shipped_acts
from ....core.errors import NeuraRigError
from .acts import CHOICES, FIELDS, NUMBERS, OWN, NeuraRigAct, act_of, kinds, lacking, needs_thing
from .markers import OBJECTS, require_dictionaries, require_value


def require_acts(given: Any) -> None:
    """Refuse anything but a list of acts, before anything is changed."""
    require_dictionaries("acts", given, "{'kind': 'JUMP', 'distance': 3.0, 'length': 1.2}")
    for one in given:
        require_act(one)
        act = from_json(one["text"], "The learned act") if one["kind"] == OWN else shipped_acts()[one["kind"]]
        if needs_thing(act) and one.get("thing") is None:
            raise NeuraRigError(lacking(act.name))


def require_act(one: Mapping[str, Any]) -> None:
    """Refuse an act with unknown fields, or impossible values."""
    for name, value in one.items():
        if name not in FIELDS:
            raise NeuraRigError(f"An act has no '{name}'; it has {', '.join(FIELDS)}.")
        if name == "kind" and value not in (*kinds(), OWN):
            raise NeuraRigError(f"'{value}' is not an act; choose one of {', '.join(kinds())}.")
        if name == "hand" and value not in CHOICES[name]:
            raise NeuraRigError(f"'{value}' is no hand; choose one of {', '.join(CHOICES[name])}.")
        if name == "how" and value not in CHOICES[name]:
            raise NeuraRigError(f"'{value}' is no way down; choose one of {', '.join(CHOICES[name])}.")
        if name in (*NUMBERS, *OBJECTS):
            require_value("an act", name, value)
    if "kind" not in one:
        raise NeuraRigError(f"An act needs a kind; choose one of {', '.join(kinds())}.")
    if one["kind"] == OWN:
        from_json(str(one.get("text", "")), "The learned act")


def put(item: NeuraRigAct, given: Mapping[str, Any]) -> None:
    """Set the fields of an act (see `require_act`)."""
    for name, value in given.items():
        setattr(item, name, value)
    item.is_timed = item.is_timed or "frame" in given
    item.name = act_of(item).name


def set_acts(obj: Object, given: Iterable[Mapping[str, Any]]) -> None:
    """Set the acts of a character (see `require_acts`)."""
    acts, wanted = obj.neurarig.walk.acts, list(given)
    for number, one in enumerate(wanted):
        item = acts[number] if number < len(acts) else acts.add()
        # what stays as it is may be damaged, or of a newer version
        if not item.name or fields_of(item) != one:
            for name in (*FIELDS, "is_timed"):
                item.property_unset(name)
            put(item, one)
    while len(acts) > len(wanted):
        acts.remove(len(acts) - 1)


def acts_of(obj: Object) -> list[dict[str, Any]]:
    """Return the acts of a character, as `set_acts` takes them."""
    return [fields_of(item) for item in obj.neurarig.walk.acts]


def fields_of(item: NeuraRigAct) -> dict[str, Any]:
    """Return the fields of an act that differ from its defaults."""
    found: dict[str, Any] = {"kind": item.kind} | ({"text": item.text} if item.kind == OWN else {})
    found |= {name: getattr(item, name) for name in NUMBERS if name != "frame" and getattr(item, name)}
    found |= {name: getattr(item, name) for name in OBJECTS if getattr(item, name)}
    found |= {"frame": item.frame} if item.is_timed else {}
    return found | {name: getattr(item, name) for name in CHOICES if getattr(item, name) != "AUTO"}
