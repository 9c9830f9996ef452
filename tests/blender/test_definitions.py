"""What is said of every setting and every button's option: a name, a tooltip, limits around the default,
choices that differ."""

from collections.abc import Iterator

import bpy

OWN = ("rna_type", "bl_rna", "name")


def structs() -> Iterator[tuple[str, bpy.types.Struct]]:
    """Yield our groups of settings, each once, and what our buttons ask."""
    waiting, known = [("Object", bpy.types.Object.bl_rna.properties["neurarig"].fixed_type)], set()
    while waiting:
        path, struct = waiting.pop()
        if struct.identifier not in known:
            known.add(struct.identifier)
            yield path, struct
            held = ((prop, getattr(prop, "fixed_type", None)) for prop in struct.properties)
            waiting += [
                (f"{path}.{prop.identifier}", kind)
                for prop, kind in held
                if kind and kind.identifier.startswith("NEURARIG_")
            ]
    for name in dir(bpy.ops.neurarig):
        yield name, getattr(bpy.ops.neurarig, name).get_rna_type()


def properties() -> dict[str, bpy.types.Property]:
    return {
        f"{path}.{prop.identifier}": prop
        for path, struct in structs()
        for prop in struct.properties
        if prop.identifier not in OWN
    }


def test_what_is_seen_has_a_name_and_a_tooltip_that_is_no_sentence():
    shown = {path: prop for path, prop in properties().items() if not prop.is_hidden}
    assert len(shown) > 100
    unnamed = [path for path, prop in shown.items() if not prop.name]
    untold = [
        path
        for path, prop in shown.items()
        if not prop.description and prop.type not in ("POINTER", "COLLECTION")
    ]
    assert unnamed == [] and {path.rpartition(".")[2] for path in untold} <= {"preset"}, (
        "menus choose presets by their names"
    )
    assert [path for path, prop in shown.items() if prop.description.endswith(".")] == [], (
        "Blender adds the full stop"
    )


def test_defaults_are_within_the_sliders_and_those_within_what_can_be_typed():
    for path, prop in properties().items():
        if prop.type in ("FLOAT", "INT") and not prop.is_array:
            assert prop.hard_min <= prop.soft_min < prop.soft_max <= prop.hard_max, path
            assert prop.hard_min <= prop.default <= prop.hard_max, path
            assert prop.step > 0, path


def test_choices_have_words_of_their_own():
    for path, prop in properties().items():
        if prop.type == "ENUM" and prop.enum_items:
            for words in ("identifier", "name", "value"):
                told = [getattr(item, words) for item in prop.enum_items]
                assert len({*told}) == len(told) and "" not in told, (path, words)
            assert not prop.default or prop.is_enum_flag or prop.default in prop.enum_items, path


def test_buttons_have_a_label_a_tooltip_and_can_be_undone_or_change_nothing():
    for name in dir(bpy.ops.neurarig):
        rna = getattr(bpy.ops.neurarig, name).get_rna_type()
        assert rna.name and rna.description, name
        assert not rna.description.endswith("."), name
