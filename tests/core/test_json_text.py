"""JSON that is given: read as it is written, and refused where a text in it could not be written down again."""

import json

import pytest

from neurarig_addon.core.controls.control_map import ControlMap
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.files.json_text import parsed

SOUND = {"name": "ü😀", "values": [1, 2.5, None, True], "": {}}


@pytest.mark.parametrize("text", [json.dumps(SOUND), json.dumps(SOUND, ensure_ascii=False), json.dumps(SOUND).replace("d83d", "D83D")])
def test_sound_json_is_what_it_says(text: str) -> None:
    assert parsed(text) == SOUND and parsed(text.encode()) == SOUND and parsed(b"\xef\xbb\xbf" + text.encode()) == SOUND


@pytest.mark.parametrize("text", ['"\\ud83d"', '{"\\udc00": 1}', '["\\uD83Dx\\uDE00"]', b"\xff", "", "{"])
def test_what_is_no_text_is_no_json(text: str | bytes) -> None:
    with pytest.raises(ValueError):
        parsed(text)


def test_a_map_with_a_bone_that_no_text_can_hold_is_refused() -> None:
    whole = ControlMap("Drawn", {"torso": "body"}).to_json()
    assert ControlMap.from_json(whole).controls == {"torso": "body"}
    with pytest.raises(NeuraRigError, match="control map"):
        ControlMap.from_json(whole.replace('"body"', '"\\ud800"'))
