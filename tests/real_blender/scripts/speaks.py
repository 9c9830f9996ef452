"""The installed extension in each language that it has: labels, and a refusal with a bone's name in it."""

from pathlib import Path

import addon_utils
import bpy

MODULE = "bl_ext.user_default.neurarig"

bpy.ops.object.armature_add()
armature = bpy.context.object
armature.data.bones[0].name = "Lonely"


def refusal() -> str:
    """Return why a single bone does not walk."""
    try:
        bpy.ops.neurarig.generate_walk()
    except RuntimeError as error:
        return str(error)
    raise AssertionError("a single bone walks")


view = bpy.context.preferences.view
english, heard = refusal(), set()
folder = Path(addon_utils.enable(MODULE).__file__).parent / "neurarig_addon" / "data" / "languages"
languages = [path.stem for path in sorted(folder.glob("*.po"))]
assert len(languages) == 9, languages
for language in languages:
    view.language, view.use_translate_interface, view.use_translate_reports = language, True, True
    addon_utils.disable(MODULE)
    addon_utils.enable(MODULE)
    label = bpy.app.translations.pgettext_iface("Generate Walk", "NeuraRig")
    assert f'msgid "Generate Walk"\nmsgstr "{label}"' in (folder / f"{language}.po").read_text("utf-8"), label
    assert "Lonely" in refusal() and refusal() != english, (language, refusal())
    heard.add(refusal())
assert len(heard) == len(languages), heard
view.use_translate_interface = view.use_translate_reports = False
assert refusal().partition(": ")[2] == english.partition(": ")[2], refusal()
