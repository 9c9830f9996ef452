"""JSON that is given: read as it is written, and refused where a text in it could not be written down
again."""

import json

import pytest

from neurarig_addon.core.controls.control_map import ControlMap
from neurarig_addon.core.files.json_text import document, numbers_of, parsed
from tests.refusals import refuses

SOUND = {"name": "ü😀", "values": [1, 2.5, None, True], "": {}}


@pytest.mark.parametrize(
    "text",
    [json.dumps(SOUND), json.dumps(SOUND, ensure_ascii=False), json.dumps(SOUND).replace("d83d", "D83D")],
)
def test_sound_json_is_what_it_says(text: str) -> None:
    assert (
        parsed(text) == SOUND
        and parsed(text.encode()) == SOUND
        and parsed(b"\xef\xbb\xbf" + text.encode()) == SOUND
    )


def test_a_map_with_a_bone_that_no_text_can_hold_is_refused() -> None:
    whole = ControlMap("Drawn", {"torso": "body"}).to_json()
    assert ControlMap.from_json(whole).controls == {"torso": "body"}
    with refuses("control map"):
        ControlMap.from_json(whole.replace('"body"', '"\\ud800"'))


HEAD = {"format": "neurarig-drawing", "version": 2}


@pytest.mark.parametrize(
    "text", ["{", "", b"\xff", '"\\ud83d"', "[" * 100_000, '{"version": ' + "1" * 5000 + "}"]
)
def test_a_damaged_document_is_told_from_one_of_another_kind(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"^it is damaged or cut off$"):
        document(text, "neurarig-drawing", 2, "a drawing")


@pytest.mark.parametrize(
    "content",
    [[], None, "text", {}, HEAD | {"version": 1}, HEAD | {"format": "another"}, HEAD | {"version": [2]}],
)
def test_a_document_of_another_format_or_version_says_what_it_is_not(content: object) -> None:
    with pytest.raises(ValueError, match=r"^it is not a drawing of version 2$"):
        document(json.dumps(content), "neurarig-drawing", 2, "a drawing")


def deep(levels: int) -> list:
    found: list = [1.0]
    for _ in range(levels):
        found = [found]
    return found


@pytest.mark.parametrize(
    "given",
    [
        None,
        "1",
        True,
        {},
        [1.0, None],
        [[1.0], 2.0],
        [[1.0], [[2.0]]],
        [[1.0], [2.0, 3.0]],
        10**400,
        deep(900),
    ],
)
def test_what_is_no_number_is_refused_by_its_name(given: object) -> None:
    with pytest.raises(ValueError, match=r"^'place' "):
        numbers_of({"place": given}, "place", (None, 1), (-1.0, 1.0))
