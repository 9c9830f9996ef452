"""What panels, menus and dialogs would draw, without a window: a layout that writes down what is put into it.

What Blender would only complain about in a window is an error here: a property, operator, menu, list or icon
that there is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partialmethod
from types import FunctionType, MethodType, SimpleNamespace

import bpy

_PARAMETERS = bpy.types.UILayout.bl_rna.functions["label"].parameters
ICONS = {icon.identifier for icon in _PARAMETERS["icon"].enum_items}


@dataclass
class Drawn:
    """One widget: `kind` label, prop, operator ...; `name` of the property, operator, menu or list; its
    looks; an operator's `values`.

    `inside`: the rows and columns that it is in, from without, each with its number and what it asks for.
    `how`: other looks it asks for.
    """

    kind: str
    name: str
    text: str
    icon: str
    active: bool
    alert: bool
    values: dict[str, object] = field(default_factory=dict)
    inside: str = ""
    how: str = ""


class Layout:
    """A stand-in for UILayout; what is in a greyed or red part is greyed or red."""

    def __init__(self, widgets: list[Drawn], above: Layout | None = None, form: str = "") -> None:
        self.widgets, self.above, self.form, self.parts = widgets, above, form, 0
        self.active = self.enabled = True
        self.alert = self.use_property_split = self.use_property_decorate = False
        self.scale_y, self.alignment = 1.0, "EXPAND"

    def _part(self, form: str = "", **how: object) -> Layout:
        self.parts += 1
        return Layout(self.widgets, self, f"{self.parts} {form}{sorted(how.items())}")

    row, column = partialmethod(_part, "row"), partialmethod(_part, "column")
    box, split = partialmethod(_part, "box"), partialmethod(_part, "split")
    grid_flow, column_flow = partialmethod(_part, "grid_flow"), partialmethod(_part, "column_flow")

    def _inside(self) -> str:
        looks = (self.use_property_split, self.use_property_decorate, self.scale_y, self.alignment)
        return f"{self.above._inside() if self.above else ''}/{self.form}{looks}"

    def _is(self, name: str) -> bool:
        return bool(getattr(self, name)) or (self.above is not None and self.above._is(name))

    def _is_on(self) -> bool:
        return self.active and self.enabled and (self.above is None or self.above._is_on())

    def _put(
        self, kind: str, name: str = "", text: str | None = None, icon: str = "NONE", **how: object
    ) -> Drawn:
        assert icon in ICONS, icon
        asked = " ".join(f"{key}={value}" for key, value in sorted(how.items()))
        drawn = Drawn(
            kind, name, text or "", icon, self._is_on(), self._is("alert"), inside=self._inside(), how=asked
        )
        self.widgets.append(drawn)
        return drawn

    def separator(self, **how: object) -> None:
        self._put("separator", **how)

    def popover(self, name: str, *, text: str | None = None, icon: str = "NONE") -> None:
        self._put("popover", name, getattr(bpy.types, name).bl_label if text is None else text, icon)

    def label(self, *, text: str = "", icon: str = "NONE") -> None:
        self._put("label", "", text, icon)

    def prop(
        self,
        data: bpy.types.bpy_struct,
        name: str,
        *,
        text: str | None = None,
        icon: str = "NONE",
        **how: object,
    ) -> None:
        found = data.bl_rna.properties[name]
        self._put("prop", name, found.name if text is None else text, icon, **how)

    def prop_decorator(self, data: bpy.types.bpy_struct, name: str) -> None:
        assert name in data.bl_rna.properties

    def prop_enum(self, data: bpy.types.bpy_struct, name: str, value: str) -> None:
        assert value in data.bl_rna.properties[name].enum_items
        self.prop(data, name, text=data.bl_rna.properties[name].enum_items[value].name)

    def prop_search(
        self, data, name: str, where, listed: str, *, text: str | None = None, icon: str = "NONE"
    ) -> None:
        assert listed in where.bl_rna.properties
        self.prop(data, name, text=text, icon=icon)

    def operator(
        self, name: str, *, text: str | None = None, icon: str = "NONE", **how: object
    ) -> SimpleNamespace:
        room, _, verb = name.partition(".")
        rna = getattr(getattr(bpy.ops, room), verb).get_rna_type()
        drawn = self._put("operator", name, rna.name if text is None else text, icon, **how)
        return _Properties(rna, drawn.values)

    def operator_enum(self, name: str, prop: str) -> None:
        room, _, verb = name.partition(".")
        assert prop in getattr(getattr(bpy.ops, room), verb).get_rna_type().properties
        self._put("enum", name, prop)

    def menu(self, name: str, *, text: str | None = None, icon: str = "NONE") -> None:
        self._put("menu", name, getattr(bpy.types, name).bl_label if text is None else text, icon)

    def template_list(
        self, kind: str, _id: str, data, name: str, active_data, active: str, **how: object
    ) -> None:
        assert active in active_data.bl_rna.properties
        self._put("list", kind, **how)
        for number, item in enumerate(getattr(data, name)):
            stand_in(getattr(bpy.types, kind), None).draw_item(
                bpy.context, self._part(), data, item, 0, active_data, active, number, 0
            )

    def template_icon(self, icon: int, **how: object) -> None:
        assert icon > 0
        self._put("picture", **how)

    def progress(self, *, factor: float = 0.0, text: str = "", **how: object) -> None:
        assert 0.0 <= factor <= 1.0
        self._put("progress", "", text, factor=round(factor, 6), **how)


class _Properties:
    """What a button hands its operator."""

    def __init__(self, rna: bpy.types.Struct, values: dict[str, object]) -> None:
        object.__setattr__(self, "_known", (rna, values))

    def __setattr__(self, name: str, value: object) -> None:
        rna, values = self._known
        assert name in rna.properties, f"{rna.identifier} has no {name}"
        values[name] = value


def stand_in(kind: type, layout: Layout | None, /, **given: object) -> object:
    """Return what stands in for an instance of a panel, menu, list or operator of ours, whose own are made by
    Blender alone.

    `given`: an operator's properties as they were set.
    """

    class StandIn:
        __class__ = property(lambda _self: kind)  # so that super() finds its way
        bl_rna = kind.bl_rna

        def __init__(self) -> None:
            vars(self).update(
                layout=layout, properties=SimpleNamespace(is_property_set=lambda name: name in given), **given
            )

        def __setattr__(self, name: str, value: object) -> None:
            own = kind.bl_rna.properties.get(name)
            assert own is None or not own.is_readonly, f"Blender lets nobody set {name} of {kind.__name__}"
            super().__setattr__(name, value)

        def __getattr__(self, name: str) -> object:
            found = getattr(kind, name)
            return MethodType(found, self) if isinstance(found, FunctionType) else found

    return StandIn()


def drawn(name: str, header: bool = False, context: object = None) -> list[Drawn]:
    """Return what a panel or menu draws for what is selected; nothing where it would not be shown."""
    kind, context = getattr(bpy.types, name), context or bpy.context
    widgets: list[Drawn] = []
    if not hasattr(kind, "poll") or kind.poll(context):
        own = stand_in(kind, Layout(widgets))
        (own.draw_header if header else own.draw)(context)
    return widgets


def of_kind(widgets: Iterable[Drawn], kind: str) -> dict[str, Drawn]:
    """Return name -> widget, of labels text -> widget, in their order."""
    return {drawn.name or drawn.text: drawn for drawn in widgets if drawn.kind == kind}


def texts(widgets: Iterable[Drawn]) -> str:
    """Return all labels, in one line, as a sentence reads that is broken to fit."""
    return " ".join(drawn.text for drawn in widgets if drawn.kind == "label")
