"""Assigns points to subjects, if several people, or people and props, were recorded: `Ann:LASI`, `Ben:LASI`, `Sword:Tip`."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ..errors import NeuraRigError
from .marker_names import FEWEST, find_points
from .skin_markers import find_skin_markers

SUBJECT = "subject"  # key of the chosen subject in a mapping of points
_MOST = 16  # subjects that are searched, those with most points first


def people(names: Sequence[str]) -> list[str]:
    """Return the people recorded, those with most known points first: the names before colons; none if there is only one such name."""
    counts = Counter(filter(None, map(_owner, names)))
    if len(counts) < 2:
        return []
    known = {owner: _known([name for name in names if _owner(name) == owner]) for owner, _ in counts.most_common(_MOST)}
    return sorted((owner for owner in known if known[owner] >= FEWEST), key=lambda owner: -known[owner])


def rows_of_one(names: Sequence[str], given: Mapping[str, str] | None = None) -> list[int]:
    """Return the rows of one person's points, the best known or the one named in the mapping, and of points without an owner.

    `given`: canonical point -> recorded name, and SUBJECT -> a person; raises NeuraRigError if there is no such person.
    """
    given = given or {}
    found = people(names)
    wanted = given.get(SUBJECT) or (found[0] if found else "")
    if wanted and wanted not in map(_owner, names):
        raise NeuraRigError(f"Nobody named '{wanted}' was recorded; there are {', '.join(found) or 'no names before colons'}.")
    return [row for row, name in enumerate(names) if not wanted or _owner(name) in ("", wanted) or name in given.values()]


def _owner(name: str) -> str:
    return name.rpartition(":")[0]


def _known(names: list[str]) -> int:
    """Return how many of the names are known points of a body."""
    try:
        return len(find_skin_markers(names)) or len(find_points(names))
    except NeuraRigError:
        return 0
