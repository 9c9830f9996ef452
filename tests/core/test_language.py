"""Catalogues of other languages, and messages said by them."""

import re
from pathlib import Path

import pytest

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.language import catalogue
from neurarig_addon.core.language.sentences import Sentences
from tests.translations import written

REPOSITORY = Path(__file__).resolve().parents[2]
LANGUAGES = REPOSITORY / "neurarig_addon" / "data" / "languages"
HEAD = 'msgid ""\nmsgstr "Language: xx\\n"'
TEXTS = {
    ("", "'{name}' has no {0}."): "Sin {0}: '{name}'.",
    ("", "{0} walks."): "Anda {0}.",
    ("", "Walks."): "Anda.",
    ("", "foot"): "pie",
    ("", "Bake “all”\nkeys\\"): "Todo\t",
    ("", "Too few ({0} is it): choose another."): "Faltan ({0}): elija.",
    ("Operator", "Walk"): "Andar",
}


def test_a_catalogue_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    path.write_text(written(TEXTS | {("", "new"): ""}, HEAD), "utf-8")
    assert catalogue.read(path) == TEXTS


def test_a_text_may_go_over_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    path.write_text(f'{HEAD}\n\n#: a comment\nmsgid "One "\n"two"\nmsgstr "Uno "\n"dos"', "utf-8")
    assert catalogue.read(path) == {("", "One two"): "Uno dos"}


@pytest.mark.parametrize("line", ['msgid "no end', "msgid none", 'msgwhat "x"', '"\\q"', "\x00"])
def test_a_damaged_line_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    path.write_text(f"{HEAD}\n\n{line}\n", "utf-8")
    with pytest.raises(NeuraRigError, match=r"'xx.po' cannot be read: .*line 4"):
        catalogue.read(path)


@pytest.mark.parametrize(
    "message, told",
    [
        ("Walks.", "Anda."),
        ("'Rig' has no foot.", "Sin pie: 'Rig'."),
        ("'foot' has no shin.", "Sin shin: 'foot'."),  # what is quoted is a name
        ("'a' has no b' has no foot.", "Sin b' has no foot: 'a'."),
        ("Walks. 'Rig' has no foot. Unknown.", "Anda. Sin pie: 'Rig'. Unknown."),
        ("'Rig': Too few ('a' is it): choose another. Walks.", "'Rig': Faltan ('a'): elija. Anda."),
        ("foot walks.", "Anda pie."),
        ("Nobody said this.", "Nobody said this."),
        ("", ""),
    ],
)
def test_a_message_is_said_with_its_names_and_figures(message: str, told: str) -> None:
    assert Sentences(TEXTS).said(message) == told


def test_a_message_of_any_length_is_said_in_time_that_grows_with_it() -> None:
    many = "{0}, {1}, {2}, {3}, {4}, {5} and no end"
    said = Sentences({("", many): "{5}{4}{3}{2}{1}{0}", ("", "a"): "b"}).said
    assert said(", " * 5_000) == ", " * 5_000


@pytest.mark.parametrize(("page", "language"), [("README.zh.md", "zh_HANS"), ("README.ja.md", "ja_JP")])
def test_five_minutes_in_other_languages_name_buttons_as_blender_shows_them(page: str, language: str) -> None:
    known = set(catalogue.read(LANGUAGES / f"{language}.po").values())
    steps = re.findall(r"^\d\. .*(?:\n   .*)*", (REPOSITORY / page).read_text("utf-8"), re.MULTILINE)
    assert len(steps) == 7
    for label in re.findall(r"\*+(.+?)\*+", "\n".join(steps)):
        assert label in known or label == "NeuraRig", label
