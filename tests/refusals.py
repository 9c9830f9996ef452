"""What is refused: one sentence for the user, never a traceback."""

import pytest

from neurarig_addon.core.errors import NeuraRigError


def refuses(words: str = "") -> "pytest.RaisesExc[NeuraRigError]":
    """Expect a refusal with some words, as a regular expression."""
    return pytest.raises(NeuraRigError, match=words or None)
