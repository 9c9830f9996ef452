"""The 27 points as an animator knows them, and the sets in which they are offered."""

from collections.abc import Mapping

from ...core.neural.points import INDEX, POINTS
from ...core.skeleton.roles import SIDES
from ..interface.panel import SIDE_NAMES

_WORDS = {
    "pelvis": "Hips",
    "hip": "Thigh",
    "spine1": "Spine",
    "spine2": "Spine Middle",
    "spine3": "Chest",
    "ankle": "Foot",
    "wrist": "Hand",
    "head_top": "Head Top",
    "hand_tip": "Fingers",
    "toe_tip": "Toe Tip",
}


def label(point: str) -> str:
    """Return a point's label: `wrist.L` is Left Hand."""
    stem, _, side = point.partition(".")
    return f"{SIDE_NAMES.get(side, '')} {_WORDS.get(stem, stem)}".strip().title()


def out_of_reach(missed: Mapping[str, float]) -> str:
    """Return a sentence on the points that miss their targets (metres), the farthest first; '' if none do."""
    parts = [
        f"{label(point)} is {length(missed[point])} out of reach"
        for point in sorted(missed, key=lambda point: -missed[point])
    ]
    return ", ".join(parts) + "." if parts else ""


def length(metres: float) -> str:
    """Return a length as text: in millimetres below a metre."""
    return f"{1e3 * metres:.3g} mm" if metres < 1.0 else f"{metres:.3g} m"


def _both(*parts: str) -> list[str]:
    return [f"{part}.{side}" for part in parts for side in SIDES]


# Top down, the order of the list of targets.
IN_ORDER = tuple(
    ["head_top", "head", "neck", "spine3", "spine2", "spine1", "pelvis"]
    + _both("collar", "shoulder", "elbow", "wrist", "hand_tip", "hip", "knee", "ankle", "ball", "toe_tip")
)
assert sorted(IN_ORDER) == sorted(POINTS)

_SIX = ["head", "spine3", "pelvis", *_both("wrist", "ankle")]
SETS = {
    "MAIN": tuple(_SIX),
    "LIMBS": tuple(_SIX + _both("elbow", "knee", "ball")),
    "FULL": IN_ORDER,
}
SET_ITEMS = (
    ("MAIN", "Main", "Head, chest, hips, hands and feet: the network poses the rest"),
    ("LIMBS", "Limbs", "Elbows, knees and the balls of the feet as well"),
    ("FULL", "All", "All 27: every joint, head top, fingers and toe tips, as motion capture has them"),
)
POINT_ITEMS = tuple((point, label(point), f"The point '{point}'", INDEX[point]) for point in IN_ORDER)
# Feet are locked at first; all else gives way until the animator drags or locks it.
HELD_AT_FIRST = frozenset(_both("ankle", "ball", "toe_tip"))

# The empties of ends are children of their joints' empties: rotating these turns a foot or a hand.
_HANGS_ON = {"head_top": "head", "hand_tip": "wrist", "ball": "ankle", "toe_tip": "ball"}


def holder_of(point: str) -> str:
    """Return the point whose empty is the parent of a point's; '' if that is the character's object."""
    stem, dot, side = point.partition(".")
    return f"{_HANGS_ON[stem]}{dot}{side}" if stem in _HANGS_ON else ""


def in_order(points: list[str] | tuple[str, ...]) -> list[str]:
    """Return points in the order of the list of targets."""
    return [point for point in IN_ORDER if point in points]
