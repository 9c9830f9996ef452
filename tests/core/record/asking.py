"""Questions that may be refused."""

import re
from collections.abc import Callable

from neurarig_addon.core.errors import NeuraRigError


def asked(question: Callable[[], object]) -> object:
    """Return an answer, or what a refusal is about: the names and numbers in its sentence, not its words."""
    try:
        return question()
    except NeuraRigError as refusal:
        return ["refused", *re.findall(r"'[^']*'|\d+\.?\d*", str(refusal))]
