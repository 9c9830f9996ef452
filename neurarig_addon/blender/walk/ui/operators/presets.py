"""Applying, saving and removing presets of walks, role maps and control maps; adding and removing styles."""

from ....animation.properties import ASKED, KEPT
from ....interface.operator import CharacterOperator
from ...api import presets as preset_api
from ...manner import presets, sliders, styles

_KIND = KEPT.choice(
    "Kind",
    items=(
        (presets.WALK, "Walk", "The sliders of a walk"),
        (presets.ROLES, "Roles", "Which bone plays which role"),
        (presets.CONTROLS, "Controls", "Which control does what"),
    ),
    options={"HIDDEN", "SKIP_SAVE"},
)


class NEURARIG_OT_apply_preset(CharacterOperator):
    """Apply this preset to the character"""

    bl_label = "Apply Preset"

    kind: _KIND
    preset: ASKED.text("Name")

    @classmethod
    def told(cls, properties):
        return presets.description(properties.kind, properties.preset)

    def act(self, context, obj):
        before = styles.names_in_use(obj.neurarig.walk)
        preset_api.apply_preset(obj, self.preset, self.kind)
        missing = [f"'{name}'" for name in before if name not in styles.names_in_use(obj.neurarig.walk)]
        without = f" Styles taken off: {', '.join(missing)}." if missing else ""
        return f"Applied '{self.preset}' to '{obj.name}'.{without}"


class NEURARIG_OT_add_preset(CharacterOperator):
    """Save the current settings as a preset"""

    bl_label = "Add Preset"
    confirm = "OK"

    kind: _KIND
    preset: ASKED.text("Name", "Name of the new preset")

    def draw(self, context):
        self.layout.activate_init = True
        self.layout.prop(self, "preset")

    def act(self, context, obj):
        path = preset_api.save_preset(obj, self.preset, self.kind)
        return f"Saved '{path}'."


class NEURARIG_OT_remove_preset(CharacterOperator):
    """Delete this preset"""

    bl_label = "Remove Preset"

    kind: _KIND
    preset: ASKED.text("Name")

    def invoke(self, context, event):
        return context.window_manager.invoke_confirm(self, event)

    def act(self, context, obj):
        presets.remove(self.kind, self.preset)
        return f"Removed the preset '{self.preset}'."


class NEURARIG_OT_use_style(CharacterOperator):
    """Add this style to the walk"""

    bl_label = "Use Style"

    style: ASKED.text("Style", "Name of a style")

    @classmethod
    def told(cls, properties):
        return styles.description(properties.style)

    def act(self, context, obj):
        style = styles.load(self.style)
        styles.put(obj, style)
        sliders.take_own_speed(obj)
        return f"'{obj.name}' walks in the style '{style.name}'."


class _StyleOperator(CharacterOperator):
    """An operator on the styles of a walk."""

    needs = "Needs a style in the walk"
    lacks = (
        "This walk has no style. Choose one",
        lambda _, obj: styles.names_in_use(obj.neurarig.walk),
    )


class NEURARIG_OT_take_style_out(_StyleOperator):
    """Remove this style from the walk"""

    bl_label = "Remove Style from Walk"

    place: ASKED.whole("Place", "Which of the styles, from 0", min=0)

    def act(self, context, obj):
        return f"Removed '{styles.take_out(obj, self.place)}' from the walk of '{obj.name}'."


class NEURARIG_OT_style_speed(_StyleOperator):
    """Walk at the speed at which the styles were learned"""

    bl_label = "Use Style Speed"

    def act(self, context, obj):
        sliders.take_own_speed(obj)
        return f"'{obj.name}' walks at {obj.neurarig.walk.speed:.2f} m/s."


class NEURARIG_OT_delete_style(CharacterOperator):
    """Delete this style of your own; characters that walk in it keep it"""

    bl_label = "Delete Style"

    style: ASKED.text("Style", "Name of one of your own styles")

    def invoke(self, context, event):
        return context.window_manager.invoke_confirm(self, event)

    def act(self, context, obj):
        presets.remove(presets.STYLE, self.style)
        return f"Removed the style '{self.style}'."
