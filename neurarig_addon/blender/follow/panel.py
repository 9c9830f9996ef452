"""What follows: the list of chains, and the sliders of the selected one."""

from ..character import hanging
from ..interface.panel import ClosedPanel, ItemList, draw_sentence, draw_settings
from .settings import SLIDERS


class NEURARIG_UL_chains(ItemList):
    """The chains that hang on a character: whether each follows, and its kind."""

    def draw_row(self, layout, item):
        row = layout.row(align=True)
        row.use_property_decorate = False
        row.prop(item, "use", text="")
        row.label(text=item.name)
        row.label(text=layout.enum_item_name(item, "kind", item.kind))


class NEURARIG_PT_follow(ClosedPanel):
    bl_label = "Follow-Through"
    bl_parent_id = "NEURARIG_PT_walk"

    def draw_character(self, layout, obj):
        own = obj.neurarig.follow
        text = "Stop Following" if own.on else "Follow the Body"
        layout.operator("neurarig.follow_through", text=text, depress=own.on).on = not own.on
        if not len(own.chains):
            draw_sentence(layout, "Finds tail, ears, hair, straps and belly by their bones.")
            return
        layout.template_list("NEURARIG_UL_chains", "", own, "chains", own, "active_chain", rows=3)
        if 0 <= own.active_chain < len(own.chains):
            chain = own.chains[own.active_chain]
            column = layout.column()
            column.active = own.on and chain.use
            draw_settings(column, chain, "kind", *SLIDERS)
        for sentence in hanging.refusals(obj) if own.on else ():
            draw_sentence(layout, sentence)
