"""The add-on in the language of Blender's interface.

Labels and descriptions are looked up by Blender, in the catalogue registered here; sentences with names and
figures in them by `said`.
"""

from functools import lru_cache

import bpy

from ...core.errors import NeuraRigError
from ...core.language import catalogue
from ...core.language.sentences import Sentences
from ...core.shipped import DATA
from ..animation.properties import OURS

_DOMAIN = "neurarig"
# where Blender looks labels up: those of settings, operators and panels in ours, others in its own
_CONTEXTS = (
    OURS,
    bpy.app.translations.contexts.default,
    bpy.app.translations.contexts.operator_default,
)
_owner = object()  # of the message that the language has changed


def said(sentence: str) -> str:
    """Return what the user is told in the language of the interface, as far as its catalogue has it."""
    shown = _sentences(bpy.app.translations.locale)
    return (
        shown.said(sentence) if shown and bpy.context.preferences.view.use_translate_interface else sentence
    )


def register() -> None:
    """Register the catalogue of the present language, and of every one that is chosen later."""
    _translate()
    bpy.msgbus.subscribe_rna(
        key=(bpy.types.PreferencesView, "language"),
        owner=_owner,
        args=(),
        notify=_translate,
        options={"PERSISTENT"},
    )


def unregister() -> None:
    bpy.msgbus.clear_by_owner(_owner)
    bpy.app.translations.unregister(_DOMAIN)


def _translate() -> None:
    locale = bpy.app.translations.locale
    bpy.app.translations.unregister(_DOMAIN)
    texts = {
        (one, text): translation
        for (context, text), translation in _texts(locale).items()
        for one in ((context,) if context else _CONTEXTS)
    }
    bpy.app.translations.register(_DOMAIN, {locale: texts} if texts else {})


@lru_cache(maxsize=1)
def _texts(locale: str) -> dict[catalogue.Message, str]:
    path = DATA / "languages" / f"{locale}.po"
    if not path.is_file():
        return {}
    try:
        return catalogue.read(path)
    except (NeuraRigError, OSError) as problem:
        print(f"NeuraRig stays in English: {problem}")
        return {}


@lru_cache(maxsize=1)
def _sentences(locale: str) -> Sentences | None:
    texts = _texts(locale)
    return Sentences(texts) if texts else None
