"""Every catalogue has every text that a user sees, and no other; what is filled in is the same in each."""

from collections import Counter
from functools import cache

import pytest

from neurarig_addon.core.language import catalogue
from neurarig_addon.core.language.sentences import FIELD
from tests import translations

CATALOGUES = sorted(translations.LANGUAGES.glob("*.po"))


@cache
def texts() -> set[str]:
    return translations.everything()


@pytest.mark.few(9)
@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_a_catalogue_is_complete(path) -> None:
    known = {text for _, text in catalogue.read(path)}
    hint = "run `python -m tests.translations`, then translate what has an empty msgstr"
    assert not texts() - known, (hint, sorted(texts() - known)[:5])
    assert not known - texts(), (hint, sorted(known - texts())[:5])


@pytest.mark.few(9)
@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_fields_and_endings_are_those_of_the_text(path) -> None:
    for (_, text), said in catalogue.read(path).items():
        assert Counter(FIELD.findall(text)) == Counter(FIELD.findall(said)), (text, said)
        assert text.endswith("…") == said.endswith("…"), (text, said)


def test_a_label_is_looked_up_in_our_own_context() -> None:
    import bpy

    settings = bpy.types.Object.bl_rna.properties["neurarig"].fixed_type
    assert settings.properties["walk"].translation_context == "NeuraRig"
    assert bpy.types.NEURARIG_PT_walk.bl_translation_context == "NeuraRig"
