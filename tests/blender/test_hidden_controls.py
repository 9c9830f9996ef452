"""Controls that the rig hides are driven all the same; the panel says which bone collections to show to find
their keys."""

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from neurarig_addon.blender.character.controls.attachment import CONTROLS
from neurarig_addon.blender.character.roles import store_roles
from neurarig_addon.blender.rig.control_text import posed_by
from tests.drawn_rigs import draw_rig


def test_the_panel_says_which_collections_to_show() -> None:
    rig = draw_rig(3)
    obj = rig.obj
    store_roles(obj, rig.role_map)
    api.generate_walk(obj)
    made = record.attachment(obj)
    assert made["kind"] == CONTROLS
    hidden, shown = obj.data.collections.new("Secondary"), obj.data.collections.new("Main")
    names = [name for name, *_ in made["drives"]]
    for bone in obj.data.bones:
        for other in list(bone.collections):
            other.unassign(bone)
        shown.assign(bone)
    assert "hidden" not in posed_by(obj)
    hidden.assign(obj.data.bones[names[0]])
    shown.unassign(obj.data.bones[names[0]])
    hidden.is_visible = False
    assert f"Some are hidden ('{names[0]}'): show 'Secondary' in Armature > Bone Collections" in posed_by(obj)
