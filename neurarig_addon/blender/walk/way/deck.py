"""What carries a walk: a deck, a lift, a train. The walk is relative to it, and it takes the character along.

Its place is noted when it is chosen; the character keeps the place it had on it then.
"""

import numpy as np
from bpy.types import Depsgraph, Object
from mathutils import Matrix

from . import world
from .world import Look

UNMOVED = tuple(float(n % 5 == 0) for n in range(16))


def of(obj: Object) -> Object | None:
    """Return what carries a character, None without any; a child of the deck is carried by its parenting
    already."""
    chosen = obj.neurarig.walk.stand_on
    return chosen if chosen is not None and chosen != obj and chosen not in world.above(obj) else None


def key(obj: Object) -> tuple:
    """Return a key that changes whenever what carries a character does; empty without any."""
    deck = of(obj)
    return () if deck is None else (deck.session_uid, world.edits(deck), *obj.neurarig.walk.stood_on)


def chosen(deck: Object | None) -> tuple[float, ...]:
    """Return a deck's matrix as it is chosen, row by row."""
    return UNMOVED if deck is None else tuple(value for row in deck.matrix_world for value in row)


def carried_by(obj: Object, place: np.ndarray) -> np.ndarray:
    """Return how far a deck at a world matrix `(4, 4)` has carried what stands on it `(4, 4)`, in the world;
    never scaled."""
    return _rigid(place) @ np.linalg.inv(_rigid(np.array(obj.neurarig.walk.stood_on).reshape(4, 4)))


def stand(obj: Object, look: Look) -> np.ndarray:
    """Return the world matrix `(4, 4)` of a character on the walk's first frame, before its walk moves it."""
    deck, alone = of(obj), look.stand(obj)
    return alone if deck is None else carried_by(obj, look.place(deck)) @ alone


def step_of(obj: Object, place: np.ndarray) -> np.ndarray:
    """Return the step K `(4, 4)` (see `carry`) by which a deck at a world matrix has carried an object from
    its origin."""
    origin = world.AS_IS.stand(obj)
    return np.linalg.inv(origin) @ carried_by(obj, place) @ origin


def place_at(deck: Object, depsgraph: Depsgraph | None) -> np.ndarray:
    """Return a deck's world matrix `(4, 4)`, evaluated or current.

    One that stands on a deck itself was moved since, by its walk: what it hangs on is as evaluated.
    """
    seen = deck if depsgraph is None else deck.evaluated_get(depsgraph)
    place = np.array(seen.matrix_world, dtype=float)
    if depsgraph is None or of(deck) is None:
        return place
    return place @ np.linalg.inv(np.array(seen.matrix_basis)) @ np.array(deck.matrix_basis)


def decks_under(obj: Object) -> list[Object]:
    """Return what a character stands on, and what that stands on, and so on."""
    found: list[Object] = []
    deck = of(obj)
    while deck is not None and deck not in (obj, *found):
        found.append(deck)
        deck = of(deck)
    return found


def _rigid(place: np.ndarray) -> np.ndarray:
    """Return a matrix `(4, 4)` without its scale."""
    found = np.array(Matrix(place).to_quaternion().to_matrix().to_4x4(), dtype=float)
    found[:3, 3] = place[:3, 3]
    return found
