"""Whose points are whose, where several people, or people and props, were recorded: `Ann:LASI`, `Ben:LASI`, `Sword:Tip`."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ..errors import NeuraRigError
from .marker_names import FEWEST, find_points
from .skin_markers import find_skin_markers

SUBJECT = "subject"  # in a mapping, beside the points: who is meant
_MOST = 16  # of whom points are looked at, those with most


def people(names: Sequence[str]) -> list[str]:
    """Return who was recorded, best known first: what stands before a colon; nobody where there is only one name before colons."""
    counts = Counter(filter(None, map(_owner, names)))
    if len(counts) < 2:
        return []
    known = {owner: _known([name for name in names if _owner(name) == owner]) for owner, _ in counts.most_common(_MOST)}
    return sorted((owner for owner in known if known[owner] >= FEWEST), key=lambda owner: -known[owner])


def rows_of_one(names: Sequence[str], given: Mapping[str, str] | None = None) -> list[int]:
    """Return the rows of the points of one person, whoever is best known or is named in the mapping, and of those that are nobody's.

    `given`: canonical point -> recorded name, and SUBJECT -> a person; raises NeuraRigError where nobody has that name.
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
    """Return how many points of a body are known among names."""
    try:
        return len(find_skin_markers(names)) or len(find_points(names))
    except NeuraRigError:
        return 0
