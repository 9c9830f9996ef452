"""One drawn situation: a user's edits and our operators in turn on one file, the edits alone on its twin, and
a comparison.

After everything of ours has been removed the two must be equal: nothing of the user's lost or changed. On the
way an operator of ours that
refuses must have changed nothing, and none may end in anything but a sentence.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.blender.situations.played import Played, SequenceError
from tests.blender.situations.steps import Step
from tests.blender.situations.twin import compare


def failure(kind: str, steps: Sequence[Step]) -> SequenceError | None:
    """Play a sequence on one of the four rigs and return what went wrong, None where all is well."""
    try:
        with tempfile.TemporaryDirectory(prefix="neurarig_") as folder:
            compare(Played(kind, steps), kind, Path(folder))
    except SequenceError as failed:
        return failed
    return None


def shortest(kind: str, steps: Sequence[Step]) -> list[Step]:
    """Return a part of a failing sequence that fails still, and none of whose steps can be left out."""
    kept = list(steps)
    tried = len(kept)
    while tried:
        tried -= 1
        fewer = kept[:tried] + kept[tried + 1 :]
        if failure(kind, fewer):
            kept = fewer
            tried = min(tried + 1, len(kept))
    return kept
